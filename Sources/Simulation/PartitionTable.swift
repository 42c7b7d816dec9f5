import Basics
import Fleet
import RefreshService
import Statistics

/// Some people's devices, with what is decided for them.
final class ServicePartition {
    let fleet: FleetPartition
    /// Answers that are being delivered, or next, and the end of the window up to which their devices run then.
    var delivered: [ServiceAnswer] = []
    var deliveredTo: Instant = .start
    /// Answers decided for its devices and not delivered, and when each has to be at the latest.
    var held: [ServiceAnswer] = []
    var dueDates: [Instant] = []
    var deliveryDeadline: Instant = .never
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
    /// How many people this rank simulates.
    let people: Int
    /// The people of the own blocks who are simulated here; nil for all.
    private let localPeople: LocalPeople?
    private let observed: Int?
    /// The partitions and their fleets again, for what is done in every window: this way does not touch their reference
    /// counts, whose lines of the cache threads would take from each other.
    private let references: [Unmanaged<ServicePartition>]
    private let fleets: [Unmanaged<FleetPartition>]

    /// The partitions of a run on so many threads: several a thread, so that whoever is done with its own can take
    /// another's.
    static func count(threads: Int) -> Int {
        if threads == 1 { return 1 }
        var partitions = 1
        while partitions < partitionsOfThread * threads { partitions *= 2 }
        return partitions
    }

    private static let partitionsOfThread = 4

    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - place: this rank's.
    ///   - observed: a person apart from the others, and the partition that holds that person alone.
    ///   - taps: see the requests of each partition's devices; empty for none.
    init(
        _ prepared: PreparedPlan, people: Int, load: LoadCurve, threads: Int, place: ServiceDivision.Place,
        keepsWhole: Bool, observed: (person: Int, fleet: FleetPartition)?, taps: [ArrivalTap]
    ) {
        let (count, share) = (Self.count(threads: threads), place.share)
        let localPeople = place.regions.map { regions in
            LocalPeople(people: people, share: share, partitions: count) { regions[prepared.homeRegion(ofPerson: $0)] }
        }
        let shares = (0..<count).map { thread in
            FleetPartition(
                prepared, load: load, people: people,
                share: .thread(thread, of: count, in: share, localPeople: localPeople),
                keepsWhole: keepsWhole, tap: taps.isEmpty ? nil : taps[thread])
        }
        all = (shares + (observed.map { [$0.fleet] } ?? [])).map(ServicePartition.init)
        references = all.map(Unmanaged.passUnretained)
        fleets = all.map { Unmanaged.passUnretained($0.fleet) }
        shared = count
        self.observed = observed?.person
        self.share = share
        self.localPeople = localPeople
        self.people = localPeople?.count ?? share.count(of: people)
    }

    var indices: Range<Int> { all.indices }
    subscript(place: Int) -> ServicePartition { all[place] }

    /// The partitions that are a thread's own while none is handed out.
    func own(_ thread: Int, of threads: Int) -> [Int] { WorkerPool.own(thread, of: threads, partitions: all.count) }

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
        if let localPeople, !localPeople.contains(person) { return nil }
        return place(of: person)
    }

    /// A size of all partitions' suspended devices; nil if they are kept whole.
    func snapshots(_ size: (FleetPartition) -> (bytes: Int, devices: Int)?) -> (bytes: Int, devices: Int)? {
        let sizes = all.compactMap { size($0.fleet) }
        return sizes.isEmpty ? nil : sizes.reduce((0, 0)) { ($0.0 + $1.bytes, $0.1 + $1.devices) }
    }
}
