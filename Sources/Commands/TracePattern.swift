import Basics
import Fleet
import Foundation
import ScenarioFiles
import Simulation
import Statistics
import WidgetPlatform

/// A condition on a moment of a life, as `trace --find` states it: `withheld gate=idle longer=2h kind=weather`.
struct TracePattern: Sendable {
    private var conditions: [@Sendable (TraceRow) -> Bool] = []
    private var gate: Gate?
    private var longer, shorter: Duration?

    /// The keys beside the name of an event.
    static let keys = [
        "event", "gate", "cause", "payment", "kind", "instance", "device", "state", "rule", "longer", "shorter",
    ]

    /// - Throws: what is wrong with a word of it, as the end of a sentence about the option.
    init(_ text: String) throws(CommandFailure) {
        let words = text.split(separator: " ").map(String.init)
        if words.isEmpty {
            throw Self.failure("an event such as withheld, or \(Self.listed(Self.keys)) and a value", found: text)
        }
        for word in words {
            let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            try add(sides.count == 1 ? "event" : sides[0], sides.last ?? "")
        }
        // The time is that under the gate that is named, or else the whole of it: of a wait, or the age of what is
        // seen.
        let (gate, longer, shorter) = (gate, longer, shorter)
        if longer == nil && shorter == nil { return }
        conditions.append { row in
            guard let length = row.wait.map({ whole in gate.map { row.held[$0] } ?? whole }) ?? row.age else {
                return false
            }
            return longer.map { length > $0 } ?? true && shorter.map { length < $0 } ?? true
        }
    }

    func matches(_ row: TraceRow) -> Bool { conditions.allSatisfy { $0(row) } }

    private mutating func add(_ key: String, _ value: String) throws(CommandFailure) {
        switch key {
        case "event": conditions.append(try Self.event(value))
        case "gate":
            let gate = try Self.named(value, Gate.allCases, \.name, "a gate")
            self.gate = gate
            conditions.append { $0.gates.contains(gate) || $0.held.gates.contains(gate) }
        case "cause":
            let cause = try Self.named(value, ReloadCause.allCases, \.name, "a cause")
            conditions.append { $0.cause == cause }
        case "payment":
            let isCharged = try Self.named(value, [true, false], { $0 ? "charged" : "free" }, "a payment")
            conditions.append { $0.isCharged == isCharged }
        case "state":
            let state = try Self.named(value, ViewState.allCases, \.name, "a state of views")
            conditions.append { $0.state == state }
        case "kind": conditions.append { $0.kind == value }
        case "instance": conditions.append { $0.instance == value }
        case "device": conditions.append { $0.device == value }
        case "rule": conditions.append { $0.rule == value }
        case "longer": longer = try Self.duration(value)
        case "shorter": shorter = try Self.duration(value)
        default: throw Self.failure(Self.listed(Self.keys), found: key, among: Self.keys)
        }
    }

    /// Whether a row is of an event by its name, which several can share.
    static func event(_ name: String, at option: String = "--find") throws(CommandFailure)
        -> @Sendable (TraceRow) -> Bool
    {
        let names = TraceEvent.allCases.map(\.name)
        guard names.contains(name) else { throw failure("an event of a trace", found: name, among: names, at: option) }
        return { $0.event.name == name }
    }

    private static func named<Value>(_ text: String, _ all: [Value], _ name: (Value) -> String, _ what: String)
        throws(CommandFailure) -> Value
    {
        guard let value = all.first(where: { name($0) == text }) else {
            throw failure("\(what): \(Self.listed(all.map(name)))", found: text, among: all.map(name))
        }
        return value
    }

    private static func duration(_ text: String) throws(CommandFailure) -> Duration {
        guard let bound = BoundText(text), bound.unit == "s", bound.value >= 0 else {
            throw failure("a length of time such as 2h", found: text)
        }
        return Duration(microseconds: Int64(cutting: bound.value * 1e6 + 0.5))
    }

    private static func listed(_ names: [String]) -> String {
        names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    private static func failure(
        _ expected: String, found: String, among known: [String] = [], at option: String = "--find"
    ) -> CommandFailure {
        let nearest = Nearest.name(to: found, among: known).map { "; did you mean '\($0)'?" } ?? ""
        return CommandFailure(.usage, "\(option): expected \(expected), found '\(found)'\(nearest)")
    }
}
