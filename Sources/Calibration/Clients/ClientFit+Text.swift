import Basics
import Statistics

/// The fit as text: a table for people, a fragment for scenarios.
extension ClientFit: ParameterFit {
    /// Parameters of the same rules that no log of an ordinary fleet tells.
    package static let untold = [
        "parameters.reset_at", "parameters.learning_days", "parameters.learning_allowance", "parameters.window_days",
        "parameters.app_use_weight", "population.power.low_power_per_day",
    ]

    static let tailKey = "parameters.dispatch_delay.p95"

    /// A parameter is told if the 95 % interval is at most this share of its range, and hardly told above.
    static let mostOfRange = 0.5

    package var table: String {
        var text = estimates.table(keys: "key")
        if !allowances.isEmpty {
            text += "\n"
            var table = AlignedTable(
                header: ["allowance, reloads a day", "estimate", "95 % interval"], toTheLeft: [0, 2])
            for allowance in allowances {
                table.add([
                    allowance.name, FitText.number(allowance.value, digits: 1),
                    "\(FitText.number(allowance.interval.low, digits: 1)) to \(FitText.number(allowance.interval.high, digits: 1))",
                ])
            }
            text += table.text
        }
        return text
    }

    package var extent: String {
        let local = LocalTime(localMicroseconds: span.from)
        return
            "\(FigureText.counted(clients, "client")), \(FigureText.counted(requests, "request")), \(span.days) days from \(TimeText.date(local.date)) on"
    }

    /// The misfit in words.
    package var misfit: String {
        let mean = simulatedDistances.reduce(0, +) / Double(max(1, simulatedDistances.count))
        let text =
            "misfit \(FitText.number(distance, digits: 0)); \(simulatedDistances.count) simulated logs near the fit have \(FitText.number(mean, digits: 0)) on average, \(FitText.number(simulatedDistances.max() ?? 0, digits: 0)) at most, and a log of other rules more than \(FitText.number(mostDistance, digits: 0))"
        return fits ? text : text + ": the model does not explain this log"
    }

    /// The moments that are furthest from the fit, in words.
    package var worst: [String] {
        rows.sorted { $0.z.magnitude > $1.z.magnitude }.prefix(5).map {
            "\($0.group.words), \($0.name): \(FitText.number($0.observed)) in the log, \(FitText.number($0.fitted)) fitted (\(FitText.number($0.z, digits: 1)) standard errors)"
        }
    }

    package func fragment(heading: [String]) -> String {
        var lines = heading.map { "# \($0)" }
        var open: [Substring] = []
        let told = toldAssignments
        for (key, value) in ["parameters", "population"].flatMap({ part in told.filter { $0.key.hasPrefix(part + ".") }
        }) {
            let parts = key.split(separator: ".")
            let common = zip(open, parts.dropLast()).prefix { $0 == $1 }.count
            for depth in common..<(parts.count - 1) { lines.append(Self.indent(depth) + parts[depth] + ":") }
            lines.append("\(Self.indent(parts.count - 1))\(parts[parts.count - 1]): \(value)")
            open = Array(parts.dropLast())
        }
        lines += unknowns
        return lines.joined(separator: "\n") + "\n"
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}

/// The parameters that are told, and the settings that tell them.
extension ClientFit {
    /// The values of a parameter in the settings that explain the log.
    private func values(_ sort: ClientParameter.Sort) -> [Double] {
        guard let index = parameters.firstIndex(where: { $0.sort == sort }) else { return [] }
        return settings.map { parameters[index].value(at: $0[index]) }
    }

    /// The share of a parameter's range that its interval has.
    private func share(_ sort: ClientParameter.Sort) -> Double {
        guard let index = parameters.firstIndex(where: { $0.sort == sort }) else { return 1 }
        let interval = settings.map { $0[index] }.middle95
        return (interval.high - interval.low) / 0.95
    }

    func isTold(_ sort: ClientParameter.Sort) -> Bool {
        parameters.contains { $0.sort == sort } && share(sort) <= Self.mostOfRange
    }

    private var dispatchIsTold: Bool { isTold(.dispatchMedian) && isTold(.dispatchTail) }

    /// Whether the three parameters of the allowance are told each by itself; otherwise together alone.
    var allowanceIsTold: Bool { [.aMin, .aMax, .vHalf].allSatisfy(isTold) }

    /// How much narrower the interval would be if the habits were known, as a ratio of its width; nil unless they are
    /// free. From the covariance of the settings: what of a parameter's variance is left at fixed habits.
    private func narrowing(_ sort: ClientParameter.Sort) -> Double? {
        let habits = parameters.indices.filter { parameters[$0].isHabit }
        guard !habits.isEmpty, let own = parameters.firstIndex(where: { $0.sort == sort }) else { return nil }
        let all = habits + [own]
        let places = settings.map { place in all.map { place[$0] } }
        let middle = all.indices.map { index in places.reduce(0) { $0 + $1[index] } / Double(places.count) }
        let covariance = MomentEmulator.covariance(places, middle)
        let last = all.count - 1
        var inner = covariance.prefix(last).map { Array($0.prefix(last)) }
        for index in 0..<last { inner[index][index] += 1e-9 }
        guard let factor = CholeskyFactor(inner), covariance[last][last] > 0 else { return nil }
        let explained = factor.whitened(Array(covariance[last].prefix(last))).reduce(0) { $0 + $1 * $1 }
        return max(0, 1 - explained / covariance[last][last]).squareRoot()
    }

    /// The estimates in the order of the parameters.
    func makeEstimates() -> [Estimate] {
        var estimates: [Estimate] = []
        for parameter in parameters where !parameter.isHabit {
            var (name, values, unit) = (parameter.name, values(parameter.sort), parameter.unit)
            if parameter.sort == .dispatchTail {
                (name, unit) = (Self.tailKey, .seconds)
                values = zip(values, self.values(.dispatchMedian)).map { $0 * $1 }
            }
            if parameter.sort == .idleAfter { values = values.map { $0 / 3_600 } }
            var interval = values.middle95
            if let knee = parameter.knee, interval.low < knee { interval = (0, max(knee, interval.high)) }
            let share = share(parameter.sort)
            let told =
                share <= Self.mostOfRange
                ? "told to \(FitText.number(100 * share, digits: 0)) % of its range"
                : "not told: the interval is \(FitText.number(100 * share, digits: 0)) % of its range"
            let cost = narrowing(parameter.sort).map {
                "; \(FitText.number($0, digits: 2)) as wide if the habits were known"
            }
            estimates.append(
                Estimate(
                    key: name, value: values.middle, interval: interval, unit: unit, count: clients,
                    counted: "clients", method: "simulated moments", quality: told + (cost ?? "")))
        }
        return estimates
    }

    /// Whether the form of accrual is told: the other explains the log much worse.
    var accrualIsTold: Bool { accrualMargin > 20 }

    /// The keys that are not told, with the reasons.
    func makeOmitted() -> [OmittedKey] {
        var omitted: [OmittedKey] = []
        for parameter in parameters where !parameter.isHabit && !isTold(parameter.sort) {
            let isOfAllowance = [.aMin, .aMax, .vHalf].contains(parameter.sort)
            omitted.append(
                OmittedKey(
                    key: parameter.sort == .dispatchTail ? Self.tailKey : parameter.name,
                    reason: isOfAllowance
                        ? "told together with the other parameters of the allowance alone: study.unknowns has settings of all three that explain the log"
                        : Self.reason(parameter.sort)))
        }
        for sort in [ClientParameter.Sort.minGap, .coalesceWithin]
        where !parameters.contains(where: { $0.sort == sort }) {
            omitted.append(
                OmittedKey(
                    key: sort == .minGap ? "parameters.min_gap" : "parameters.coalesce_within",
                    reason: Self.reason(sort)))
        }
        if !accrualIsTold {
            omitted.append(OmittedKey(key: "parameters.accrual", reason: "even and reset explain the log as well"))
        }
        return omitted
    }

    private static func reason(_ sort: ClientParameter.Sort) -> String {
        switch sort {
        case .minGap:
            "no date lies sooner than the gap, so that it holds up nothing: a policy that asks sooner tells it"
        case .coalesceWithin: "few reloads of two widgets of a client fall due at nearly one time"
        case .burstShare: "balances are seldom full: the first hour after waking has no more reloads than others"
        default: "settings of most of its range explain the log"
        }
    }

    package var notes: [String] {
        var notes = [misfit]
        notes.append(accrualWords)
        if let unlocks = parameters.firstIndex(where: { $0.sort == .unlocks }) {
            let values = settings.map { parameters[unlocks].value(at: $0[unlocks]) }
            notes.append(
                "the habits are free: \(FitText.number(values.middle, digits: 0)) unlocks a day explain the log best, \(FitText.number(values.middle95.low, digits: 0)) to \(FitText.number(values.middle95.high, digits: 0)) as well"
            )
        } else {
            notes.append("the habits are those of the scenario: --habits free says what the estimates owe to them")
        }
        notes.append("refresh_off is the share among the clients that the log has seen")
        notes += advice
        return notes
    }

    package var accrualWords: String {
        "accrual: \(best.accrual); the other explains the log worse by \(FitText.number(accrualMargin, digits: 0)) (\(accrualIsTold ? "told" : "not told"))"
    }

    /// The allowances, a sentence each.
    package var allowanceWords: [String] {
        allowances.map {
            "allowance, \($0.name): \(FitText.number($0.value, digits: 1)) reloads a day, \(FitText.number($0.interval.low, digits: 1)) to \(FitText.number($0.interval.high, digits: 1))"
        }
    }

    /// Advice on logs that tell more.
    package var advice: [String] {
        var advice: [String] = []
        if !isTold(.minGap) {
            advice.append("a version of the app that asks `after: 5m` for a week tells min_gap (docs/probe.md)")
        }
        advice.append(
            "log with each request the version of the app and the widget's family, and at openings of the app whether background refresh is on: then refresh_off is told of all clients (docs/probe.md)"
        )
        if !allowanceIsTold {
            advice.append("one that asks `after: 5m` tells a_min, a_max and v_half apart (docs/probe.md)")
        }
        return advice
    }

    /// The keys that the log tells, with their values; of the allowance those of one setting, which belong together.
    private var toldAssignments: [(key: String, value: String)] {
        var places = parameters.indices.map { index in settings.map { $0[index] }.middle }
        if !allowanceIsTold {
            for index in parameters.indices where [.aMin, .aMax, .vHalf].contains(parameters[index].sort) {
                places[index] = best.places[index]
            }
        }
        let setting = ClientSetting(parameters: parameters, places: places, accrual: best.accrual)
        let sorts: [String: ClientParameter.Sort] = [
            "parameters.dispatch_delay": .dispatchMedian, "population.power.refresh_off": .refreshOff,
            "parameters.idle_after": .idleAfter, "parameters.coalesce_within": .coalesceWithin,
            "parameters.min_gap": .minGap, "parameters.burst_share": .burstShare,
        ]
        return setting.assignments.filter { key, _ in
            if key == "parameters.accrual" { return accrualIsTold }
            if key == "parameters.dispatch_delay" { return dispatchIsTold }
            // One setting of the allowance, and the habits that the others were fitted with.
            return sorts[key].map(isTold) ?? true
        }
    }

    /// The block of what is known, for `--unknowns`.
    private var unknowns: [String] {
        var lines: [String] = []
        func add(_ name: String, _ key: String, _ values: String) {
            lines.append("    \(name): {key: \(key), values: \(values)}")
        }
        func range(_ sort: ClientParameter.Sort, _ text: (Double) -> String) -> String {
            var interval = values(sort).middle95
            let knee = parameters.first { $0.sort == sort }.flatMap(\.knee)
            if let knee, interval.low < knee { interval = (0, max(knee, interval.high)) }
            let (low, high) = (text(interval.low), text(interval.high))
            return low == high ? "[\(low)]" : "\"range(\(low), \(high))\""
        }
        func seconds(_ value: Double) -> String { FitText.fine(seconds: max(1e-3, value)) }
        func number(_ value: Double) -> String { FitText.number(value, digits: 4) }
        if dispatchIsTold {
            let delays = jointDraws([.dispatchMedian, .dispatchTail]).map {
                "{median: \(seconds($0[0])), p95: \(seconds($0[0] * $0[1]))}"
            }
            add("dispatch_delay", "parameters.dispatch_delay", "[\(delays.joined(separator: ", "))]")
        }
        if isTold(.refreshOff) { add("refresh_off", "population.power.refresh_off", range(.refreshOff, number)) }
        for (sort, name) in [
            (ClientParameter.Sort.idleAfter, "idle_after"), (.coalesceWithin, "coalesce_within"), (.minGap, "min_gap"),
        ] where isTold(sort) {
            add(name, "parameters.\(name)", range(sort, seconds))
        }
        if isTold(.burstShare) { add("burst_share", "parameters.burst_share", range(.burstShare, number)) }
        let ridge = jointDraws([.aMin, .aMax, .vHalf])
        let names = ["a_min", "a_max", "v_half"]
        for (index, name) in names.enumerated() {
            let list = ridge.map { FitText.number($0[index], digits: 5) }.joined(separator: ", ")
            add(name, "parameters.\(name)", "[\(list)]")
        }
        return ["study:", "  unknowns:"] + lines + ["  zip: [[\(names.joined(separator: ", "))]]"]
    }

    /// The share of its parameter's range that an estimate's interval has.
    package func shareOfRange(of estimate: Estimate) -> Double {
        parameters.first { $0.name == estimate.key || estimate.key == Self.tailKey && $0.sort == .dispatchTail }
            .map { share($0.sort) } ?? 1
    }

    /// Settings spread over all that explain the log, each as keys with their values.
    package var spreadSettings: [[(key: String, value: String)]] {
        let order = settings.indices.sorted { settings[$0].lexicographicallyPrecedes(settings[$1]) }
        return (0..<Self.jointCount).map { number in
            let place = settings[order[(2 * number + 1) * order.count / (2 * Self.jointCount)]]
            return ClientSetting(parameters: parameters, places: place, accrual: best.accrual).assignments
        }
    }

    /// So many settings stand for all that explain the log.
    private static let jointCount = 24

    /// Values of some parameters together, in settings spread over all that explain the log.
    private func jointDraws(_ sorts: [ClientParameter.Sort]) -> [[Double]] {
        let columns = sorts.map(values)
        let order = columns[0].indices.sorted { columns[0][$0] < columns[0][$1] }
        return (0..<Self.jointCount).map { number in
            let place = order[(2 * number + 1) * order.count / (2 * Self.jointCount)]
            return columns.map { $0[place] }
        }
    }
}
