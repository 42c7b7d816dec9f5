import Basics
import WidgetPlatform

/// Something that watches the life of a device: a trace, or nothing.
///
/// The run of a drawn fleet is compiled with the observer that does nothing; a trace runs the same code with one that
/// writes rows.
public protocol DeviceObserver {
    /// Whether anything is noted at all: the loop builds no note otherwise.
    var isWatching: Bool { get }
    /// All notes, in the order in which they were made.
    var notes: [TraceRecord] { get }
    mutating func note(_ note: TraceRecord)
    /// The content of views that were not fresh was renewed at or before the lock (V6).
    ///
    /// - Parameter views: how many there were of a presentation; the latest of the instance that no one healed yet.
    mutating func noteHealed(instance: Int, views: Int)
    /// The wait of the instance's latest withheld reload is over, or continues at the end of the run: how long each
    /// gate held it, up to an instant.
    mutating func noteWait(instance: Int, detail: String, held: GateTimes, until: Instant)
    /// The date at which time alone asks for the instance's next reload is set.
    mutating func note(date: PlannedDate, of instance: Int)
    /// The gates of a provider's refresh that waits, as they are found.
    mutating func note(hold: ProviderHold, of kind: Int)
    /// The ledger of one of an instance's accounts as it stands now, and as it was noted last.
    mutating func note(ledger: BudgetLedger, of instance: Int, _ pool: BudgetPool)
    func ledger(of instance: Int, _ pool: BudgetPool) -> BudgetLedger
}

/// How long gates held a reload.
public struct GateTimes: Sendable {
    /// The gates that did.
    public var gates: GateSet = []
    private var microseconds = SIMD8<Int64>()

    public init() {}

    init(_ wait: GateWait) {
        gates = wait.everClosed
        microseconds = wait.microseconds
    }

    public subscript(gate: Gate) -> Duration { Duration(microseconds: microseconds[gate.ordinal]) }
}

/// When time alone asks for an instance's next reload: by its policy (P3–P6) or after a failure (S3), on Android by its
/// provider's period (N1, N2, N6).
public struct PlannedDate: Sendable {
    /// When it was set.
    public let from: Instant
    /// `never` for none.
    public let at: Instant
    public let cause: ReloadCause
    /// On Android, by what; nil elsewhere.
    public let means: RefreshMeans?
}

/// The gates that hold a provider's refresh from an instant on.
public struct ProviderHold: Sendable {
    public let from: Instant
    public let gates: AndroidGateSet
    /// When one of them opens by itself; `never` if only an event opens it.
    public let opensAt: Instant
    public let means: RefreshMeans
    /// That of its app.
    public let bucket: StandbyBucket
}

/// One moment of a device's life, as a trace tells it.
public struct TraceRecord: Sendable {
    public var event: TraceEvent
    public var time: Instant
    /// The zone in force, by index.
    public var zone: Int
    /// More about it, in words.
    public var detail: String
    /// The instance on the device, by index; nil for an event of the device.
    public var instance: Int?
    /// The kind of that instance, by index.
    public var kind: Int?
    public var cause: ReloadCause?
    public var isCharged: Bool?
    /// The balance after the event, microtokens.
    public var balance: Int64?
    /// The gates that were closed.
    public var gates: GateSet = []
    /// The state of a view.
    public var state: ViewState?
    /// The age of the content at a view, and the versions it misses; nil where it has none (C5).
    public var age: Duration?
    public var missed: Int?
    public var isHealed = false
    /// For a reload that is withheld, the time from then until it is granted or taken, or the run ends; nil for other
    /// events.
    public var wait: Duration?
    /// How long each gate held the reload.
    public var held = GateTimes()
    /// The key of the place that a request asks for; 0 for none.
    public var place: Int64?
    /// The kind, by index, of the provider on Android whose event it is; nil for others.
    public var provider: Int?
    /// The date of the instance that stands after the event; nil if none is known.
    public var planned: PlannedDate?
    /// For a provider's refresh that is held, by which gates, in the order of time.
    public var holds: [ProviderHold] = []

    /// The rule that the event follows.
    public var rule: String {
        switch event.rule {
        case .always(let rule): rule
        case .ofCause: rule(of: cause)
        case .ofGrant: cause?.isBackground == true ? "G1" : rule(of: cause)
        case .ofGate: gates.gates[0].rule
        }
    }

    private func rule(of cause: ReloadCause?) -> String {
        guard let cause else { preconditionFailure("\(event) without a cause") }
        return cause.rule
    }
}

/// The observer of a run: it watches nothing.
public struct Unobserved: DeviceObserver {
    @inlinable public var isWatching: Bool { false }
    public var notes: [TraceRecord] { [] }
    public init() {}
    @inlinable public mutating func note(_ note: TraceRecord) {}
    @inlinable public mutating func noteHealed(instance: Int, views: Int) {}
    @inlinable public mutating func noteWait(instance: Int, detail: String, held: GateTimes, until: Instant) {}
    @inlinable public mutating func note(date: PlannedDate, of instance: Int) {}
    @inlinable public mutating func note(hold: ProviderHold, of kind: Int) {}
    @inlinable public mutating func note(ledger: BudgetLedger, of instance: Int, _ pool: BudgetPool) {}
    public func ledger(of instance: Int, _ pool: BudgetPool) -> BudgetLedger {
        preconditionFailure("a ledger that nobody keeps")
    }
}

/// The observer of a trace: it keeps every note.
///
/// A replay always has one, which watches nothing unless it is traced: recorded devices are few, and the loop is
/// compiled once for them.
public struct NoteKeeper: DeviceObserver {
    public let isWatching: Bool
    public private(set) var notes: [TraceRecord] = []
    /// By instance, its views that were not fresh, in order; those of which nothing is known any more go.
    private var views: [Int: [Int]] = [:]
    private var latestWithheld: [Int: Int] = [:]
    /// By instance, its last note and the date that stands; by kind, the last note that its provider is held.
    private var latest: [Int: Int] = [:]
    private var planned: [Int: PlannedDate] = [:]
    private var latestHeld: [Int: Int] = [:]
    private var ledgers: [BudgetPool: [Int: BudgetLedger]] = [:]

    public init(isWatching: Bool = true) { self.isWatching = isWatching }

    public mutating func note(_ note: TraceRecord) {
        if let state = note.state, state != .fresh, let instance = note.instance {
            views[instance, default: []].append(notes.count)
        }
        if note.event == .withheld, let instance = note.instance { latestWithheld[instance] = notes.count }
        if note.event == .held, let kind = note.provider { latestHeld[kind] = notes.count }
        notes.append(note)
        guard let instance = note.instance else { return }
        latest[instance] = notes.count - 1
        notes[notes.count - 1].planned = planned[instance]
    }

    public mutating func note(date: PlannedDate, of instance: Int) {
        planned[instance] = date
        // The event that sets it has been noted in the same instant, but for the content that is there from the start.
        if let index = latest[instance], notes[index].time == date.from { notes[index].planned = date }
    }

    public mutating func note(hold: ProviderHold, of kind: Int) {
        guard let index = latestHeld[kind] else { preconditionFailure("a refresh is held that was not noted") }
        notes[index].holds.append(hold)
    }

    public mutating func note(ledger: BudgetLedger, of instance: Int, _ pool: BudgetPool) {
        ledgers[pool, default: [:]][instance] = ledger
    }

    public func ledger(of instance: Int, _ pool: BudgetPool) -> BudgetLedger {
        // An account that was not opened holds nothing.
        ledgers[pool]?[instance] ?? BudgetLedger(opening: 0, partsPerMicrotoken: 2)
    }

    public mutating func noteHealed(instance: Int, views number: Int) {
        for _ in 0..<number {
            guard let index = views[instance]?.popLast() else {
                preconditionFailure("a healed view that was not noted")
            }
            notes[index].isHealed = true
        }
    }

    public mutating func noteWait(instance: Int, detail: String, held: GateTimes, until: Instant) {
        guard let index = latestWithheld.removeValue(forKey: instance) else {
            preconditionFailure("a wait that was not noted")
        }
        notes[index].wait = until - notes[index].time
        notes[index].held = held
        notes[index].detail += notes[index].detail.isEmpty ? detail : ", " + detail
    }
}
