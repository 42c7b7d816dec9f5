import Fleet
import SimulatedTime
import WidgetPlatform

/// One row of a trace: a moment in the life of a person's device.
public struct TraceRow: Sendable {
    public var time: Instant
    /// The index of the zone in force in the plan's tables.
    public var zone: Int
    public var person: Int
    public var device: String
    /// Nil for an event of the device.
    public var instance: String?
    public var event: String
    public var cause: String?
    public var charged: Bool?
    public var balanceMicrotokens: Int64?
    /// The gates that were closed, joined by `+`.
    public var gate: String?
    public var rule: String
    public var detail: String
    /// The same facts for programs: a view's state, age, missed versions and whether it was healed; the place that a request asks for.
    public var state: ViewState?
    public var age: Duration?
    public var missed: Int?
    public var isHealed: Bool
    public var place: String?

    init(_ note: LifeNote, person: Int, device: String, instances: [String], _ names: PlaceNames) {
        time = note.time
        zone = note.zone
        self.person = person
        self.device = device
        instance = note.instance.map { instances[$0] }
        event = note.event
        cause = note.cause?.name
        charged = note.isCharged
        balanceMicrotokens = note.balance
        let closed = note.gates.gates.map(\.name)
        gate = closed.isEmpty ? nil : closed.joined(separator: "+")
        rule = note.rule
        state = note.state
        age = note.age
        missed = note.missed
        isHealed = note.isHealed
        place = note.place.map { names.name(of: $0) }
        var words: [String] = note.detail.isEmpty ? [] : [note.detail]
        if let state { words.append(state.name) }
        if let age { words.append("age \(TimeText.duration(age))") }
        if let missed { words.append("missed \(missed)") }
        if state != nil && state != .fresh { words.append(isHealed ? "healed" : "not healed") }
        if let place, !place.isEmpty { words.append("for \(place)") }
        detail = words.joined(separator: ", ")
    }
}

/// The names of places by their keys: those of a replay and those that can be chosen; a cell of a drawn fleet goes by its number.
struct PlaceNames {
    private var named: [Int64: String] = [:]
    private let prepared: PreparedPlan

    init(_ plan: FleetPlan, _ prepared: PreparedPlan) {
        self.prepared = prepared
        for device in plan.replay {
            named[device.place.key] = device.place.name
            for event in device.events { if case .move(let place) = event.action { named[place.key] = place.name } }
            for instance in device.instances { if let place = instance.initial?.place { named[place.key] = place.name } }
        }
    }

    func name(of key: Int64) -> String {
        if key == 0 { return "" }
        return named[key] ?? prepared.choice(ofKey: key) ?? "cell \(key)"
    }
}
