import Basics
import RefreshService
import Reporting
import ScenarioFiles
import ScenarioModel

/// One axis of a map of the brink: a key with its values, the length of the planned event that triggers a collapse, or
/// how much of the service's capacity is left without it.
package struct BrinkAxis: Sendable {
    package let name: String
    /// As the user wrote them.
    package let values: [String]
    /// The settings of each value.
    let overrides: [[String]]
    /// The value of the scenario as it stands, in words; nil where that is not known.
    package let own: String?

    init(name: String, values: [String], overrides: [[String]] = [], own: String? = nil) {
        (self.name, self.values, self.overrides, self.own) = (name, values, overrides, own)
    }

    private static let longest = Duration.days(3_660)

    /// The words for axes that are no keys.
    package static let (trigger, headroom) = ("trigger", "headroom")

    /// - Parameter left: the share of its servers that each pool has left in its busiest minute without planned events,
    ///   by its name; for an axis of the headroom. Nil where that is not to be found out: the axis sets nothing then.
    package init(
        _ axis: Axis, of base: ScenarioVariant, headroom left: (() throws -> [String: Double])?
    ) throws {
        let scenario = base.scenario
        guard let values = axis.values.list else {
            throw StudyProblem(
                "--map \(axis.name)", expected: "values one by one, such as range(from, to, step)",
                found: "all values between two")
        }
        name = axis.name
        self.values = values
        if axis.key == Self.trigger || axis.key.hasPrefix(Self.trigger + ".") {
            let event = try Self.event(axis.key, of: scenario)
            own = TimeText.duration(event.event.to - event.event.from)
            overrides = try values.map { value in
                guard let length = Quantity(value), length.kind == .duration, length.parts > 0,
                    length.parts <= Self.longest.microseconds
                else {
                    throw StudyProblem(
                        "--map \(axis.name)", expected: "lengths of time above 0 and up to ten years",
                        found: "'\(value)'")
                }
                let end = event.event.from + Duration(microseconds: Int64(length.parts))
                let local = LocalTime(localMicroseconds: scenario.plan.clock.unixMicroseconds(of: end))
                return ["service.events.\(event.event.name).\(event.sort).span.1=\(TimeText.exact(local))Z"]
            }
        } else if axis.key == Self.headroom {
            let shares = try values.map { value in
                guard let share = BoundText(value), share.suits(unit: "share"), (0..<1).contains(share.value) else {
                    throw StudyProblem(
                        "--map \(axis.name)", expected: "shares of the capacity below 100 %", found: "'\(value)'")
                }
                return (value: value, share: share.value)
            }
            guard let left = try left?() else {
                (own, overrides) = (nil, values.map { _ in [] })
                return
            }
            own = FigureText.threeDigits((left.values.min() ?? 0) * 100) + " %"
            overrides = try shares.map { value, share in
                try base.pools.map { pool in
                    let needed = Double(pool.units) * (1 - (left[pool.pool.name] ?? 0)) / (1 - share)
                    guard needed * Double(pool.pool.slots) <= Double(KeyCatalogue.mostServers) else {
                        throw StudyProblem(
                            "--map \(axis.name)",
                            expected:
                                "shares with which the pool '\(pool.pool.name)' has \(KeyCatalogue.mostServers) servers at most",
                            found: "'\(value)'")
                    }
                    return pool.override(needed)
                }
            }
        } else {
            own = nil
            overrides = values.map { ["\(axis.key)=\($0)"] }
        }
    }

    /// The event whose length is varied, and the key of its sort.
    private static func event(_ key: String, of scenario: Scenario) throws(StudyProblem) -> (
        event: ServiceEvent, sort: String
    ) {
        let events = (scenario.service?.events ?? []).compactMap { event in
            event.sortWithSpan.map { (event: event, sort: $0) }
        }.uniqued { $0.event.name }
        let names = events.map(\.event.name)
        if key == trigger {
            guard let event = events.first, events.count == 1 else {
                throw StudyProblem(
                    "--map",
                    expected: names.isEmpty
                        ? "a planned event of the service with a length"
                        : "one of the events, such as \(trigger).\(names[0])",
                    found: names.isEmpty ? "none" : "'\(trigger)' with \(names.joined(separator: ", "))")
            }
            return event
        }
        let name = String(key.dropFirst(trigger.count + 1))
        guard let event = events.first(where: { $0.event.name == name }) else {
            throw StudyProblem(
                "--map", expected: "a planned event of the service with a length: \(names.joined(separator: ", "))",
                found: "'\(name)'", nearest: Nearest.name(to: name, among: names))
        }
        return event
    }
}

extension ServiceEvent {
    /// The key of its sort, if it has a length of its own.
    fileprivate var sortWithSpan: String? {
        switch effect {
        case .outage, .regionOutage: "outage"
        case .brownOut: "brown_out"
        case .machineLoss: "machine_loss"
        case .deploy, .purge: nil
        }
    }
}
