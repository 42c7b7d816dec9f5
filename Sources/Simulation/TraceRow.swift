import Basics
import Fleet
import ScenarioModel

/// One row of a trace: a note of a person's device, with the names of what it speaks of by index or key.
///
/// Fields without names are read from the note: `row.time` is `row.note.time`.
@dynamicMemberLookup
public struct TraceRow: Sendable {
    public let note: TraceRecord
    public let person: Int
    public let device: String
    /// Nil for an event of the device.
    public let instance: String?
    /// The id of the instance's kind.
    public let kind: String?
    /// The id of the kind of the provider on Android whose event it is; nil for others.
    public let provider: String?
    /// The place that a request asks for; empty for none.
    public let place: String?
    /// Its details in words, the facts of a view included.
    public let detail: String

    public subscript<Value>(dynamicMember fact: KeyPath<TraceRecord, Value>) -> Value { note[keyPath: fact] }

    init(_ note: TraceRecord, person: Int, device: String, instances: [String], _ names: PlaceNames) {
        self.note = note
        self.person = person
        self.device = device
        instance = note.instance.map { instances[$0] }
        kind = note.kind.map { names.kind($0) }
        provider = note.provider.map { names.kind($0) }
        place = note.place.map { names.name(of: $0) }
        var words: [String] = note.detail.isEmpty ? [] : [note.detail]
        if let state = note.state { words.append(state.name) }
        if let age = note.age { words.append("age \(TimeText.duration(age))") }
        if let missed = note.missed { words.append("missed \(missed)") }
        if let state = note.state, state != .fresh { words.append(note.isHealed ? "healed" : "not healed") }
        if let place, !place.isEmpty { words.append("for \(place)") }
        detail = words.joined(separator: ", ")
    }
}

/// The names of places by their keys: those of a replay and those that can be chosen; a cell of a drawn fleet goes by
/// its number.
package struct PlaceNames {
    private var named: [Int64: String] = [:]
    private let prepared: PreparedPlan

    init(_ plan: FleetPlan, _ prepared: PreparedPlan) {
        self.prepared = prepared
        for device in plan.replay {
            named[device.place.key] = device.place.name
            for place in device.events.compactMap(\.place) { named[place.key] = place.name }
            for instance in device.instances {
                if let place = instance.initial?.place { named[place.key] = place.name }
            }
        }
    }

    func kind(_ index: Int) -> String { prepared.plan.kinds[index].id }

    package func name(of key: Int64) -> String {
        if key == 0 { return "" }
        return named[key] ?? prepared.choice(ofKey: key) ?? "cell \(key)"
    }
}
