import Basics
import Pages
import RefreshService
import Reporting
import ScenarioFiles
import Simulation

/// The figures of a plan: the answer with its interval, the targets' metrics there, and for every pool Erlang C's
/// figure beside the simulated need, head-room, spare servers, the month and its cost.
package struct PlanSummary: Sendable {
    package struct Figure: Hashable, Sendable {
        package let name, unit: String
        /// Nil where it is not defined.
        package let value: Double?
        package var low: Double?, high: Double?

        /// The candidates of a plan between which its interval lies; nil without one, or within one candidate.
        package func candidates(of study: Study) -> (low: String, high: String)? {
            guard let low, let high else { return nil }
            let all = study.points.compactMap { point in Quantity(point.values[0]).map { (point.values[0], $0.double) }
            }
            .sorted { $0.1 < $1.1 }
            guard let first = all.last(where: { $0.1 <= low }) ?? all.first,
                let last = all.first(where: { $0.1 >= high }) ?? all.last, first.0 != last.0
            else { return nil }
            return (first.0, last.0)
        }
    }

    package let figures: [Figure]
    /// A sentence on each target that holds over the whole report and not in its worst minute: a quantile over the
    /// whole report that meets it while one minute of it does not.
    package let hidden: [String]
    /// A sentence on each quantile of the worst minute where even the busiest minute has fewer requests than such a
    /// figure needs.
    package let few: [String]
    /// The pool whose servers were looked for, if that was the key.
    package let servers: Servers?

    /// Servers of a plan beside those that Erlang C asks for the same wait.
    package struct Servers: Hashable, Sendable {
        package let pool: String
        package let simulated: Int
        /// Those of a machine, if the pool has such: then servers come by whole ones.
        package let slots: Int?
        /// For as many requests at random as in the busiest minute, and as on average over the report; nil where the
        /// closed form has none.
        package let erlangOfPeak, erlangOfMean: Int?

        /// As people say a number of them: with the machines that they are.
        private func text(_ servers: Int, aside: Bool) -> String {
            guard let slots else { return "\(servers)" }
            let machines = FigureText.counted(servers / slots, "machine")
            return aside ? "\(servers) (\(machines))" : "\(servers) servers are \(machines)"
        }

        /// A sentence on the servers there have to be with one and with two out.
        package var spareSentence: String {
            let step = slots ?? 1
            let spare =
                "for one \(slots == nil ? "server" : "machine") out \(text(simulated + step, aside: true)), for two \(text(simulated + 2 * step, aside: true))"
            return slots == nil ? spare : text(simulated, aside: false) + ", " + spare
        }
    }

    /// - Parameters:
    ///   - key: the key that was looked for.
    ///   - answer: with a value.
    ///   - service: that of the scenario; nil without one.
    package init(
        _ answer: Planner.Answer, key: String, targets: [PlanTarget], service: RefreshPlan?, in folder: StudyFolder
    ) throws {
        guard let value = answer.value else { preconditionFailure("a summary of a plan without an answer") }
        let runs = try answer.runs.map { try folder.figures(of: $0) }
        let quantity = Quantity(value)
        var figures: [Figure] = []
        let unit = quantity?.kind.one.unit ?? ""
        figures.append(Figure(name: "answer", unit: unit, value: quantity?.double))
        if !answer.roots.isEmpty { figures.append(Self.figure("answer_mean", unit, answer.roots)) }

        func metric(_ name: String) -> Figure? {
            guard let first = runs.first?.figure(name) else { return nil }
            let values = runs.compactMap { $0.value(name) }
            if values.isEmpty { return Figure(name: name, unit: first.unit, value: nil) }
            if folder.month != nil && MonthlyRun.says(name) {
                return Figure(name: name, unit: first.unit, value: SampleSummary(values).mean)
            }
            return Self.figure(name, first.unit, values)
        }
        if let neighbour = answer.neighbour {
            let value = Quantity(neighbour.value)?.double
            figures.append(Figure(name: "neighbour", unit: unit, value: value))
            let share = Double(neighbour.holding) / Double(answer.runs.count)
            figures.append(Figure(name: "neighbour.share_holding", unit: "share", value: share))
            for name in PlanTarget.metrics(of: targets) {
                let value = neighbour.measured[targets.firstIndex { $0.metric == name }!]
                figures.append(Figure(name: "neighbour.\(name)", unit: metric(name)?.unit ?? "", value: value))
            }
        }
        hidden = targets.compactMap { target in
            guard let metric = target.worstMinute, let worst = runs.compactMap({ $0.value(metric) }).max(),
                !target.holds(worst)
            else { return nil }
            return
                "'\(target.text)' is met over the whole report and not in its worst minute, where \(metric) is \(FigureText.threeDigits(worst)) s: "
                + "a target on that metric asks for every minute"
        }
        few = PlanTarget.metrics(of: targets).compactMap { metric in
            guard let least = SummaryMetrics.leastRequests(ofWorst: metric), let dot = metric.lastIndex(of: "."),
                let rate = runs.compactMap({ $0.value(metric[...dot] + "origin_peak_1m_per_s") }).max()
            else { return nil }
            let busiest = Int(cutting: (rate * 60).rounded())
            if busiest >= least { return nil }
            return
                "\(metric): the busiest minute has \(FigureText.grouped(busiest)) requests, and minutes count together until they hold "
                + "\(FigureText.grouped(least)); more people make single minutes tell"
        }
        var names = targets.flatMap { [$0.metric] + ($0.worstMinute.map { [$0] } ?? []) }
        let pools = Self.pools(of: runs)
        let pool = Self.pool(of: key)
        if runs.contains(where: { $0.value("service.offered") != nil }) {
            names += Self.ofService.map { "service." + $0 }
            for pool in pools { names += Self.ofPool.map { "service.\(pool).\($0)" } }
        } else {
            names += ["load_peak_1s", "load_peak_1m", "requests_total"]
        }
        names += UsualFigures.views + ["reloads_charged_per_instance_day"]
        figures += UsualFigures.seen(names.uniqued) { name in runs.contains { $0.value(name) ?? 0 != 0 } }
            .compactMap(metric)

        let slots = service?.pools.first { $0.name == pool }?.machine?.slots
        let simulated = quantity.flatMap {
            pool != nil && $0.kind == .number ? Int($0.double) * (key.hasSuffix(".machines") ? slots ?? 1 : 1) : nil
        }
        var servers: Servers?
        for other in pools {
            let target = Self.staffingTarget(targets, pool: other)
            func least(_ rate: String, _ load: String) -> Int? {
                guard let rate = metric("service.\(other).\(rate)")?.value,
                    let load = metric("service.\(other).\(load)")?.value,
                    rate > 0, load > 0
                else { return nil }
                return Staffing.leastServers(for: target, arrivalRate: rate, serviceTime: load / rate)
            }
            let ofPeak = least("origin_peak_1m_per_s", "offered_load_peak_1m_erlangs")
            let ofMean = least("origin_mean_per_s", "offered_load_mean_erlangs")
            func add(_ name: String, _ unit: String, _ value: Double?) {
                if let value { figures.append(Figure(name: "service.\(other).\(name)", unit: unit, value: value)) }
            }
            add("servers_erlang_c_peak_1m", "servers", ofPeak.map(Double.init))
            add("servers_erlang_c_mean", "servers", ofMean.map(Double.init))
            guard other == pool, let simulated else { continue }
            servers = Servers(
                pool: other, simulated: simulated, slots: slots, erlangOfPeak: ofPeak, erlangOfMean: ofMean)
            add("servers_over_erlang_c_peak_1m", "ratio", ofPeak.map { Double(simulated) / Double($0) })
            add("servers_over_erlang_c_mean", "ratio", ofMean.map { Double(simulated) / Double($0) })
            for spare in 1...2 {
                add("servers_n_plus_\(spare)", "servers", Double(simulated + spare * (slots ?? 1)))
                if let slots { add("machines_n_plus_\(spare)", "machines", Double(simulated / slots + spare)) }
            }
        }
        self.figures = figures
        self.servers = servers
    }

    private static func figure(_ name: String, _ unit: String, _ values: [Double]) -> Figure {
        let sample = SampleSummary(values)
        let interval = sample.intervalOfAmount(unit: unit)
        return Figure(name: name, unit: unit, value: sample.mean, low: interval?.low, high: interval?.high)
    }

    private static let ofService = [
        "origin_peak_1s", "share_hits", "share_shed", "share_shed_worst_1m", "share_served", "requests_per_month",
        "origin_requests_per_month",
        "edge_gigabytes_per_month", "origin_gigabytes_per_month", "cost_servers_per_month", "cost_requests_per_month",
        "cost_bytes_per_month", "cost_edge_bytes_per_month", "cost_origin_bytes_per_month", "cost_pushes_per_month",
        "cost_per_month",
    ]
    private static let ofPool = [
        "origin_peak_1s", "origin_mean_per_s", "offered_load_mean_erlangs", "origin_peak_1m_per_s",
        "offered_load_peak_1m_erlangs",
        "queue_wait_p99_s", "queue_wait_p99_worst_1m_s", "share_shed", "share_shed_worst_1m", "utilisation_mean",
        "utilisation_peak_1m", "headroom", "machines_mean",
    ]

    private static func pools(of runs: [RunFigures]) -> [String] {
        let suffix = ".offered_load_peak_1m_erlangs"
        return (runs.first?.figures ?? []).compactMap { figure in
            figure.metric.hasPrefix("service.") && figure.metric.hasSuffix(suffix)
                ? String(figure.metric.dropFirst(8).dropLast(suffix.count)) : nil
        }
    }

    /// The pool in `service.pools.<pool>.servers`, or `machines`.
    package static func pool(of key: String) -> String? {
        let words = key.split(separator: ".").map(String.init)
        return words.count == 4 && words[0] == "service" && words[1] == "pools"
            && ["servers", "machines"].contains(words[3])
            ? words[2] : nil
    }

    /// The bound that Erlang C is asked for: the wait that the targets bound, the pool's or that of all pools, or else
    /// 99 % within 50 ms.
    static func staffingTarget(_ targets: [PlanTarget], pool: String) -> Staffing.Target {
        let quantiles = [
            "queue_wait_p50_s": 0.5, "queue_wait_p95_s": 0.95, "queue_wait_p99_s": 0.99, "queue_wait_p999_s": 0.999,
            "queue_wait_p95_worst_1m_s": 0.95, "queue_wait_p99_worst_1m_s": 0.99, "queue_wait_p999_worst_1m_s": 0.999,
        ]
        for target in targets where target.op.isUpper && target.bound >= 0 {
            let words = target.metric.split(separator: ".").map(String.init)
            guard words.count == 2 || words.count == 3 && words[1] == pool,
                let quantile = quantiles[words[words.count - 1]]
            else {
                continue
            }
            return .wait(quantile: quantile, atMost: target.bound)
        }
        return .wait(quantile: 0.99, atMost: 0.05)
    }
}

extension PlanTarget {
    /// The target that a threshold of the scenario demands.
    package init(_ threshold: Threshold) {
        self.init(
            text: "\(threshold.metric) \(threshold.op.rawValue) \(threshold.value)", metric: threshold.metric,
            op: threshold.op,
            bound: threshold.value)
    }
}

extension Table<PlanSummary.Figure> {
    package static let plan = Table(
        "plan", "One figure of a plan a row: the value that was found, and what the scenario does with it.",
        [
            .key(
                "figure",
                "The figure: `answer`, a metric of the scenario at the answer, or a figure of the exact formulas beside it.",
                \.name
            ),
            .derived("unit", "The unit of the value.", \.unit),
            .derived("value", "The value: of a metric, the mean over the replications.", \.value),
            .derived(
                "interval_low", "The lower end of its 95 % interval, by Student's t; empty for what does not vary.",
                \.low),
            .derived("interval_high", "Its upper end.", \.high),
        ])
}

/// One value that was tried in one replication.
package struct TrialRow {
    let trial: Planner.Trial
    /// One for each metric of the targets.
    let values: [Double?]
}

extension Planner.Answer {
    /// The rows of the table `trials`: a metric with several targets has one column.
    package func rows(targets: [PlanTarget]) -> [TrialRow] {
        let places = PlanTarget.metrics(of: targets).map { metric in targets.firstIndex { $0.metric == metric }! }
        return trials.map { trial in TrialRow(trial: trial, values: places.map { trial.measured[$0] }) }
    }
}

extension Table<TrialRow> {
    /// - Parameter metrics: those of the targets.
    package static func trials(axis: String, metrics: [String]) -> Self {
        Table(
            "trials", "One value that was tried in one replication a row, with the metrics of the targets.",
            [
                .axis(axis, \.trial.value), .replication(\.trial.replication),
                .several(
                    metrics.enumerated().map { place, metric in
                        .derived(metric, "The metric of a target.") { $0.values[place] }
                    }),
                .derived("holds", "Whether all targets hold.", \.trial.holds),
            ])
    }
}
