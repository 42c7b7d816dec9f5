import Basics
import Fleet
import RefreshService

/// Some people's devices, with what is decided for them.
final class ServicePartition {
    let fleet: FleetPartition
    /// Answers that are being delivered, or next, and the end of the window up to which their devices run then.
    var delivered: [ServiceAnswer] = []
    var deliveredTo: Instant = .start
    /// Answers decided for its devices and not delivered, and when each has to be at the latest.
    var held: [ServiceAnswer] = []
    var dueDates: [Instant] = []
    var mattersAt: Instant = .never
    /// Devices that are resumed next though nothing is decided for them.
    var woken: [DeviceWakeUp] = []
    var rounds = AnswerRounds()
    /// Whether it is handed out, and may be another thread's; nothing that its devices may still send arrives
    /// before `quietBefore`.
    var isOut = false
    var quietBefore: Instant = .never
    /// The places of held answers whose devices are among those being delivered: it is not known before their end
    /// when they matter.
    var unsure: [Int] = []

    init(_ fleet: FleetPartition) { self.fleet = fleet }
}

/// The partitions of a run with a service, and who is in which.
struct PartitionTable {
    let all: [ServicePartition]
    /// The partitions of people who are not observed.
    let shared: Int
    /// This rank's blocks of people, among the ranks that share its parts of the service.
    let share: RankShare
    /// The people of the own blocks who are simulated here; nil for all.
    let residents: Residents?
    private let observed: Int?
    /// The partitions and their fleets again, for what is done in every window: this way does not touch their reference
    /// counts, whose lines of the cache threads would take from each other.
    private let references: [Unmanaged<ServicePartition>]
    private let fleets: [Unmanaged<FleetPartition>]

    /// - Parameter observed: a person apart from the others, and the partition that holds that person alone.
    init(
        _ shares: [FleetPartition], observed: (person: Int, fleet: FleetPartition)?, of share: RankShare,
        residents: Residents?
    ) {
        all = (shares + (observed.map { [$0.fleet] } ?? [])).map(ServicePartition.init)
        references = all.map(Unmanaged.passUnretained)
        fleets = all.map { Unmanaged.passUnretained($0.fleet) }
        shared = shares.count
        self.observed = observed?.person
        self.share = share
        self.residents = residents
    }

    var indices: Range<Int> { all.indices }
    subscript(place: Int) -> ServicePartition { all[place] }

    @inline(__always) func withEach(_ body: (ServicePartition) -> Void) {
        for reference in references { reference._withUnsafeGuaranteedRef(body) }
    }

    @inline(__always) func with<Result>(_ place: Int, _ body: (ServicePartition) -> Result) -> Result {
        references[place]._withUnsafeGuaranteedRef(body)
    }

    @inline(__always) func withFleet<Result>(_ place: Int, _ body: (FleetPartition) -> Result) -> Result {
        fleets[place]._withUnsafeGuaranteedRef(body)
    }

    /// The partition of a person who lives in a region of this rank; nil for one of another rank that serves it.
    @inline(__always) func place(of person: Int) -> Int? {
        person == observed ? shared : share.thread(of: person, among: shared)
    }

    /// The partition of anybody; nil for one of another rank.
    func ownPlace(of person: Int) -> Int? {
        if let residents, !residents.contains(person) { return nil }
        return place(of: person)
    }
}

/// The sums over all partitions of a run with a service: what they hold and are told.
struct DeliveryTotals {
    /// How many answers are held, and when the first of them matters to its device.
    var held = 0
    var mattersAt: Instant = .never
    /// The end of the window in which nothing was held last.
    var heldSince: Instant = .start
    /// How many devices are resumed next though nothing is decided for them.
    var woken = 0
    /// How many partitions are handed out, and the earliest `quietBefore` of them.
    var out = 0
    var quietBefore: Instant = .never
}
