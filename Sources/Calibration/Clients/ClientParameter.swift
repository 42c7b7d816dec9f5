import Basics
import ScenarioModel
import Statistics

/// A parameter that nobody publishes and that the requests of clients may tell.
package struct ClientParameter: Hashable, Sendable {
    package enum Sort: String, CaseIterable, Sendable {
        case dispatchMedian, dispatchTail, refreshOff, idleAfter, coalesceWithin, minGap, aMin, aMax, vHalf, burstShare
        /// Habits, where they are fitted, too.
        case unlocks, burstiness, onset, wake
    }

    package let sort: Sort
    /// The name of an estimate: the key, with the parameter of a distribution behind it.
    package let name: String
    /// The range that is looked through, in seconds for lengths of time.
    package let range: ClosedRange<Double>
    /// Whether equal ratios are equally likely, and not equal differences.
    let isLogarithmic: Bool
    /// Values up to this one have the same effect, and take up little of the places; nil for none.
    private(set) var knee: Double?
    package let unit: Estimate.Unit
    /// Whether it is a habit, which the fit needs and does not report.
    package var isHabit: Bool { [.unlocks, .burstiness, .onset, .wake].contains(sort) }

    private init(
        _ sort: Sort, _ name: String, _ range: ClosedRange<Double>, isLogarithmic: Bool = false,
        _ unit: Estimate.Unit = .plain
    ) {
        (self.sort, self.name, self.range) = (sort, name, range)
        (self.isLogarithmic, self.unit) = (isLogarithmic, unit)
    }

    /// Over the ranges of `Scenarios/unknowns.yaml`, those of distributions a little wider.
    private static let all = [
        Self(.dispatchMedian, "parameters.dispatch_delay.median", 1...60, isLogarithmic: true, .seconds),
        Self(.dispatchTail, "parameters.dispatch_delay.p95/median", 1.5...15, isLogarithmic: true),
        Self(.refreshOff, "population.power.refresh_off", 0...0.3),
        Self(.idleAfter, "parameters.idle_after", 3_600...14_400, .duration),
        Self(.coalesceWithin, "parameters.coalesce_within", 0...300, .seconds),
        Self(.minGap, "parameters.min_gap", 0...900, .seconds),
        Self(.aMin, "parameters.a_min", 0...20),
        Self(.aMax, "parameters.a_max", 50...100),
        Self(.vHalf, "parameters.v_half", 10...50),
        Self(.burstShare, "parameters.burst_share", 0.1...1),
        Self(.unlocks, "population.pickups.unlocks_per_day.mean", 40...160, isLogarithmic: true),
        Self(.burstiness, "population.pickups.burstiness", 0.15...0.5),
        Self(.onset, "population.sleep: later onset", -1.5...1.5, .duration),
        Self(.wake, "population.sleep: later wake-up", -1.5...1.5, .duration),
    ]

    private static let placeOfKnee = 0.15

    /// Those that act in a scenario.
    static func all(in scenario: Scenario, habitsAreFree: Bool) -> [ClientParameter] {
        let hasSeveral = scenario.plan.segments.contains { segment in
            segment.devices.contains { $0.placements.count + $0.bundles.count > 1 }
        }
        let shortest = shortestLife(in: scenario)
        return all.compactMap { parameter in
            var parameter = parameter
            switch parameter.sort {
            case .coalesceWithin: return hasSeveral ? parameter : nil
            case .minGap:
                // A gap that is shorter than all lives holds nothing up.
                if shortest >= parameter.range.upperBound { return nil }
                parameter.knee = shortest > parameter.range.lowerBound ? shortest : nil
                return parameter
            default: return parameter.isHabit && !habitsAreFree ? nil : parameter
            }
        }
    }

    /// The time from a fetch to the next date of the kind that asks most often, in seconds; 0 where policies have none
    /// that is known.
    private static func shortestLife(in scenario: Scenario) -> Double {
        scenario.plan.kinds.map { kind in
            if case .after(let length) = kind.dates.policy.usualLife { return length.inSeconds }
            return 0
        }.min() ?? 0
    }

    /// The end of the settings round a place: a polynomial has no knee, so they keep to the side that the place is on.
    func most(round place: Double) -> Double {
        knee != nil && place < Self.placeOfKnee ? Self.placeOfKnee + 0.02 : 1
    }

    /// A place of 0 to 1 in the range as a value.
    package func value(at place: Double) -> Double {
        if let knee {
            return place < Self.placeOfKnee
                ? knee * place / Self.placeOfKnee
                : knee + (range.upperBound - knee) * (place - Self.placeOfKnee) / (1 - Self.placeOfKnee)
        }
        let (low, high) = (range.lowerBound, range.upperBound)
        return isLogarithmic ? low * DeterministicMath.pow(high / low, place) : low + (high - low) * place
    }
}

extension ClientParameter {
    /// The place of a value, at an end of the range if it lies beyond it.
    func place(of value: Double) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        let value = min(high, max(low, value))
        if let knee {
            return value < knee
                ? Self.placeOfKnee * value / knee
                : Self.placeOfKnee + (1 - Self.placeOfKnee) * (value - knee) / (high - knee)
        }
        return isLogarithmic
            ? DeterministicMath.log(value / low) / DeterministicMath.log(high / low) : (value - low) / (high - low)
    }

    /// Other delays of a dispatch, each with the gap under which two requests follow each other as soon as before: a
    /// long delay that hardly varies and a short one that varies much have nearly the same requests, and steps from one
    /// to the other follow a narrow, bent valley.
    ///
    /// - Parameters:
    ///   - start: the places of all parameters.
    ///   - count: places along the range of the median, and along that of the tail.
    static func delays(from start: [Double], _ parameters: [ClientParameter], places count: Int) -> [[Double]] {
        func index(_ sort: Sort) -> Int? { parameters.firstIndex { $0.sort == sort } }
        guard let median = index(.dispatchMedian), let tail = index(.dispatchTail) else { return [] }
        let gap = index(.minGap).flatMap { parameters[$0].holdsUp(at: start[$0]) ? $0 : nil }
        return (0..<count * count).map { number in
            var at = start
            at[median] = (Double(number / count) + 0.5) / Double(count)
            at[tail] = (Double(number % count) + 0.5) / Double(count)
            if let gap {
                let shorter = parameters[median].value(at: start[median]) - parameters[median].value(at: at[median])
                at[gap] = parameters[gap].place(of: parameters[gap].value(at: start[gap]) + shorter)
            }
            return at
        }
    }

    /// Whether a place is beyond those that have the same effect.
    private func holdsUp(at place: Double) -> Bool { knee == nil || place > Self.placeOfKnee }
}

/// A setting of the parameters: a place of 0 to 1 in the range of each.
struct ClientSetting: Sendable {
    let parameters: [ClientParameter]
    let places: [Double]
    /// `even` or `reset`.
    let accrual: String

    func value(_ sort: ClientParameter.Sort) -> Double? {
        parameters.firstIndex { $0.sort == sort }.map { parameters[$0].value(at: places[$0]) }
    }

    /// The overrides that set them in a scenario.
    var overrides: [String] { assignments.map { "\($0.key)=\($0.value)" } }

    /// The keys with their values, as YAML takes them.
    var assignments: [(key: String, value: String)] {
        var all: [(key: String, value: String)] = [("parameters.accrual", accrual)]
        func seconds(_ value: Double) -> String { FitText.fine(seconds: max(1e-3, value)) }
        if let median = value(.dispatchMedian), let tail = value(.dispatchTail) {
            all.append(
                ("parameters.dispatch_delay", "{median: \(seconds(median)), p95: \(seconds(median * tail))}"))
        }
        if let share = value(.refreshOff) { all.append(("population.power.refresh_off", FitText.number(share))) }
        if let length = value(.idleAfter) { all.append(("parameters.idle_after", seconds(length))) }
        if let length = value(.coalesceWithin) { all.append(("parameters.coalesce_within", seconds(length))) }
        if let length = value(.minGap) { all.append(("parameters.min_gap", seconds(length))) }
        if let number = value(.aMin) { all.append(("parameters.a_min", FitText.number(number))) }
        if let number = value(.aMax) { all.append(("parameters.a_max", FitText.number(number))) }
        if let number = value(.vHalf) { all.append(("parameters.v_half", FitText.number(number))) }
        if let number = value(.burstShare) { all.append(("parameters.burst_share", FitText.number(number))) }
        if let mean = value(.unlocks) {
            all.append(
                ("population.pickups.unlocks_per_day", "{shape: 3.1, mean: \(FitText.number(mean)), clip: [8, 300]}"))
        }
        if let number = value(.burstiness) { all.append(("population.pickups.burstiness", FitText.number(number))) }
        if let onset = value(.onset), let wake = value(.wake) {
            for (day, usualOnset, usualWake) in [("workday", 23.07, 6.72), ("free_day", 23.5, 7.83)] {
                all.append(("population.sleep.\(day).onset", "\"\(FitText.clock(hours: usualOnset + onset))\""))
                all.append(("population.sleep.\(day).wake", "\"\(FitText.clock(hours: usualWake + wake))\""))
            }
        }
        return all
    }
}
