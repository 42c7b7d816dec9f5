import Basics
import Reporting
import ScenarioFiles
import Statistics

/// A map of the brink: with which triggers and how much capacity a service comes back by itself after a planned event,
/// by the share of seeds in which it does not, where the edge lies, and what brings it back at the least cost.
///
/// A metastable failure outlasts what triggered it (Bronson and others, "Metastable failures in distributed systems",
/// HotOS 2021), and near the edge chance decides: a share of seeds has an interval, and no seed alone tells.
package struct BrinkMap: Sendable {
    /// The runs of some settings.
    package struct Cell: Sendable {
        /// One for each axis.
        package let values: [String]
        package let runs: Int
        /// In how many of them the service does not come back.
        package let lost: Int
        /// The mean time from the event's beginning until all was well, over the runs that come back; the longest of
        /// several events.
        package let wellAfter: Double?

        package var shareLost: Double { Double(lost) / Double(runs) }
        package var interval: ClosedRange<Double> { ShareInterval.wilson(shareLost, of: runs) }
    }

    /// Where a row of the map ends: one value of the first axis.
    package struct Edge: Sendable {
        package let value: String
        /// The first value of the second axis from which on, towards the end where fewer are lost, every run comes
        /// back; nil if none does.
        package let safeFrom: String?
        /// The value beside it, with which some do not; nil if all come back.
        package let lostAt: String?
        /// Whether some do not at any value.
        package let isLostEverywhere: Bool
    }

    /// The effect of the least of a cure that brings every run back.
    package struct Remedy: Sendable {
        package let cure: Cure
        /// Nil if its strongest step does not.
        package let step: Cure.Step?
        /// Means over the runs with it, less those without; nil where they are not known.
        package let addedServers, addedCost, addedFresh: Double?
        package let wellAfter: Double?
    }

    package let axes: [BrinkAxis]
    package let cells: [Cell]
    /// The scenario as it stands.
    package let own: Cell
    /// The cell that the cures are tried at; nil if nothing is lost anywhere.
    package let treated: Cell?
    /// The cheapest first; those that do not help last.
    package let remedies: [Remedy]

    /// One for each value of the first axis of a map with two.
    package var edges: [Edge] {
        guard axes.count == 2 else { return [] }
        return axes[0].values.map { value in
            let row = cells.filter { $0.values[0] == value }
            // Towards the end with fewer losses; more of what is varied is taken to help where both are alike.
            let isFromAbove = row[0].lost < row[row.count - 1].lost
            let towardsLoss = isFromAbove ? row : row.reversed()
            let safe = towardsLoss.prefix { $0.lost == 0 }
            return Edge(
                value: value, safeFrom: safe.last?.values[1],
                lostAt: safe.count < row.count ? towardsLoss[safe.count].values[1] : nil,
                isLostEverywhere: row.allSatisfy { $0.lost > 0 })
        }
    }
}

/// The work on a map.
package struct BrinkSearch {
    package let base: ScenarioVariant
    package let axes: [BrinkAxis]
    /// The demands that hold if the service came back; none for that it does after each of its planned events.
    package let targets: [PlanTarget]
    package let cures: [Cure]?
    package let replications: Int
    private let events: [String]
    private let folder: StudyFolder

    /// - Parameter cures: nil for the usual ones.
    package init(
        _ base: ScenarioVariant, axes: [BrinkAxis], targets: [PlanTarget], cures: [Cure]?, replications: Int,
        in folder: StudyFolder
    ) throws {
        (self.base, self.axes, self.targets, self.cures) = (base, axes, targets, cures)
        (self.replications, self.folder) = (replications, folder)
        events = (base.scenario.service?.events ?? []).map(\.name).uniqued
        if targets.isEmpty && events.isEmpty {
            throw StudyProblem(
                "--map", expected: "a planned event in service.events, or --target with what must hold", found: "none")
        }
        for step in (cures ?? []).flatMap(\.steps) {
            _ = try ScenarioVariant(base.text, overrides: base.overrides + step.overrides)
        }
    }

    /// Refuses settings with which the report cannot tell whether all is well after an event.
    private func checkEvents(with overrides: [String]) throws {
        let scenario = try ScenarioVariant(base.text, overrides: base.overrides + overrides).scenario
        for name in events {
            let event = scenario.service?.events.first { $0.name == name }
            if let event, event.to > .start + scenario.plan.warmup, event.to < scenario.plan.end { continue }
            throw StudyProblem(
                "--map", expected: "planned events that end within the report, or --target with what must hold",
                found: "'\(name)'\(overrides.isEmpty ? "" : " with " + overrides.joined(separator: ", "))")
        }
    }

    /// One set of settings over the scenario.
    private struct Setting {
        let values: [String]
        let overrides: [String]
    }

    private var settings: [Setting] {
        axes.reduce([Setting(values: [], overrides: [])]) { settings, axis in
            settings.flatMap { setting in
                zip(axis.values, axis.overrides).map {
                    Setting(values: setting.values + [$0], overrides: setting.overrides + $1)
                }
            }
        }
    }

    /// A study whose points are some settings, in their order.
    private func study(_ settings: [[String]]) throws -> Study {
        try Study(
            scenario: base.text, overrides: base.overrides,
            design: StudyDesign(
                axes: [], variants: settings.enumerated().map { .init(name: "setting-\($0 + 1)", overrides: $1) }))
    }

    /// The study of the map itself: the scenario as it stands, then every cell.
    package func study() throws -> Study {
        let all = [[]] + settings.map(\.overrides)
        if targets.isEmpty { for overrides in all { try checkEvents(with: overrides) } }
        return try study(all)
    }

    /// The findings of one run.
    private struct Outcome {
        let comesBack: Bool
        let wellAfter: Double?
        let figures: RunFigures
    }

    private func outcome(of run: StudyRun) throws -> Outcome {
        let figures = try folder.figures(of: run)
        let well = events.map { figures.value("event.\($0).well_after_s") }
        let known = well.compactMap(\.self)
        let isWell =
            targets.isEmpty ? known.count == well.count : targets.allSatisfy { $0.holds(figures.value($0.metric)) }
        return Outcome(comesBack: isWell, wellAfter: known.count == well.count ? known.max() : nil, figures: figures)
    }

    private func cell(_ values: [String], _ outcomes: [Outcome]) -> BrinkMap.Cell {
        let times = outcomes.filter(\.comesBack).compactMap(\.wellAfter)
        return BrinkMap.Cell(
            values: values, runs: outcomes.count, lost: outcomes.count { !$0.comesBack }, wellAfter: Self.mean(times))
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// - Parameters:
    ///   - width: how many runs are performed at a time.
    ///   - perform: performs the runs of a study whose results are not there yet; with the words for what they are.
    package func map(width: Int, perform: ([StudyRun], Study, String) throws -> Void) throws -> BrinkMap {
        let (study, settings) = (try study(), settings)
        let runs = try study.runs(replications: replications)
        try perform(runs, study, "map")
        let all = try runs.map(outcome)
        func outcomes(_ point: Int) -> [Outcome] { Array(all[(point * replications)..<((point + 1) * replications)]) }
        let own = cell([], outcomes(0))
        let cells = settings.indices.map { cell(settings[$0].values, outcomes($0 + 1)) }
        let place = own.lost > 0 ? 0 : cells.firstIndex { $0.lost > 0 }.map { $0 + 1 }
        guard let place else {
            return BrinkMap(axes: axes, cells: cells, own: own, treated: nil, remedies: [])
        }
        let overrides = place == 0 ? [] : settings[place - 1].overrides
        let remedies = try remedies(at: overrides, without: outcomes(place).map(\.figures), width: width, perform)
        return BrinkMap(
            axes: axes, cells: cells, own: own, treated: place == 0 ? own : cells[place - 1], remedies: remedies)
    }

    private func remedies(
        at overrides: [String], without: [RunFigures], width: Int,
        _ perform: ([StudyRun], Study, String) throws -> Void
    ) throws -> [BrinkMap.Remedy] {
        let ill = try ScenarioVariant(base.text, overrides: base.overrides + overrides)
        let remedies = try (cures ?? Cure.usual(of: ill)).map { cure in
            try remedy(cure, at: overrides, without, width: width) { try perform($0, $1, cure.name) }
        }
        func cost(_ remedy: BrinkMap.Remedy) -> [Double] {
            guard remedy.step != nil else { return [1] }
            // Money first, then views that are no longer fresh, then time.
            return [
                0, remedy.addedCost ?? remedy.addedServers ?? .infinity, -(remedy.addedFresh ?? 0),
                remedy.wellAfter ?? .infinity,
            ]
        }
        return remedies.enumerated().sorted { one, other in
            let (a, b) = (cost(one.element), cost(other.element))
            return a == b ? one.offset < other.offset : a.lexicographicallyPrecedes(b)
        }.map(\.element)
    }

    /// The first step of a cure from which on every run comes back.
    private func remedy(
        _ cure: Cure, at overrides: [String], _ without: [RunFigures], width: Int,
        _ perform: ([StudyRun], Study) throws -> Void
    ) throws -> BrinkMap.Remedy {
        let study = try study(cure.steps.map { overrides + $0.overrides })
        var known: [RootSearch.Probe: Outcome] = [:]
        func ask(_ probes: [RootSearch.Probe]) throws -> [Bool] {
            let open = probes.filter { known[$0] == nil }
            let runs = try open.map { try study.run(at: study.points[$0.candidate], replication: $0.replication + 1) }
            if !runs.isEmpty { try perform(runs, study) }
            for (probe, run) in zip(open, runs) { known[probe] = try outcome(of: run) }
            return probes.map { known[$0]!.comesBack }
        }
        func row(_ step: Int) -> [RootSearch.Probe] {
            (0..<replications).map { RootSearch.Probe(candidate: step, replication: $0) }
        }
        // The strongest step first: most of what does not help is known after it.
        var first = cure.steps.count
        if try ask(row(cure.steps.count - 1)).allSatisfy(\.self) {
            first = cure.steps.count - 1
            let finding = try RootSearch(candidates: cure.steps.count, replications: replications, width: width).find(
                ask)
            var step =
                switch finding {
                case .everywhere: 0
                case .roots(let roots, holdsAbove: true): roots.max() ?? first
                case .roots, .nowhere: first
                }
            // Where the seeds come and go along the steps, the first one from there on in which none is lost.
            while step < first, !(try ask(row(step)).allSatisfy(\.self)) { step += 1 }
            first = step
        }
        guard first < cure.steps.count else {
            return BrinkMap.Remedy(
                cure: cure, step: nil, addedServers: nil, addedCost: nil, addedFresh: nil, wellAfter: nil)
        }
        let outcomes = row(first).map { known[$0]! }
        func added(_ metric: String) -> Double? {
            let before = Self.mean(without.compactMap { $0.value(metric) })
            return Self.mean(outcomes.compactMap { $0.figures.value(metric) }).flatMap { after in
                before.map { after - $0 }
            }
        }
        func servers(_ settings: [String]) throws -> [String: Int] {
            let pools = try ScenarioVariant(base.text, overrides: base.overrides + settings).pools
            return Dictionary(uniqueKeysWithValues: pools.map { ($0.pool.name, $0.pool.servers ?? 0) })
        }
        let (before, after) = (try servers(overrides), try servers(overrides + cure.steps[first].overrides))
        // An autoscaler's servers are not counted beforehand.
        let addedServers =
            Set(before.keys) == Set(after.keys)
            ? Double(after.values.reduce(0, +) - before.values.reduce(0, +)) : nil
        return BrinkMap.Remedy(
            cure: cure, step: cure.steps[first], addedServers: addedServers,
            addedCost: base.scenario.service?.hasPrices == true ? added("service.cost_servers_per_month") : nil,
            addedFresh: added("share_fresh"), wellAfter: Self.mean(outcomes.compactMap(\.wellAfter)))
    }

    /// The share of its servers that each pool has left without planned events in its busiest minute.
    package static func headroom(
        of base: ScenarioVariant, in folder: StudyFolder, perform: ([StudyRun], Study) throws -> Void
    ) throws -> [String: Double] {
        let pools = base.pools.map(\.pool.name)
        if pools.isEmpty {
            throw StudyProblem(
                "--map headroom", expected: "a pool with a stated number of servers and no autoscaling", found: "none")
        }
        let study = try Study(
            scenario: base.text, overrides: base.overrides + ["service.events=[]"], design: StudyDesign(axes: []))
        let run = try study.run(at: study.points[0], replication: 1)
        try perform([run], study)
        let figures = try folder.figures(of: run)
        return try Dictionary(
            uniqueKeysWithValues: pools.map { name in
                guard let left = figures.value("service.\(name).headroom") else {
                    throw StudyProblem(
                        "--map headroom", expected: "a pool that keeps up without planned events",
                        found: "'\(name)', which has seconds over its capacity (over_capacity_s)")
                }
                return (name, left)
            })
    }
}

extension Table<BrinkMap.Cell> {
    /// - Parameter axes: the names of the axes.
    package static func map(axes: [String]) -> Self {
        Table(
            "map", "One cell of a map of the brink a row: in how many seeds the service does not come back by itself.",
            [
                .axes(axes, \.values), .key("seeds", "How many runs there are.") { $0.runs },
                .derived("lost", "In how many of them the service does not come back, or a target is missed.", \.lost),
                .derived("share_lost", "Their share.", \.shareLost),
                .derived("share_lost_low", "The lower end of its 95 % interval, Wilson's.", \.interval.lowerBound),
                .derived("share_lost_high", "The upper end.", \.interval.upperBound),
                .derived(
                    "well_after_s", unit: "s",
                    "The mean time from the event's beginning until all was well, over the others; empty if there are none.",
                    \.wellAfter),
            ])
    }
}

extension Table<BrinkMap.Edge> {
    package static func brink(axes: [String]) -> Self {
        Table(
            "brink", "One value of the first axis of a map a row: where the edge lies along the second axis.",
            [
                .axis(axes.first ?? "", \.value),
                .derived(
                    "safe_from", "The value of the second axis from which on no seed is lost; empty if there is none."
                ) {
                    $0.safeFrom ?? ""
                },
                .derived("lost_at", "The value beside it, with which some are lost; empty if none is anywhere.") {
                    $0.lostAt ?? ""
                },
            ])
    }
}

extension Table<BrinkMap.Remedy> {
    package static let cures = Table(
        "cures",
        "One cure a row, the cheapest first: the least of it with which no seed is lost, and what it costs beside the same service without it.",
        [
            .key("cure", "What is changed.") { $0.cure.name },
            .derived("least", "Its mildest step with which every run comes back; empty if even the strongest does not.")
            {
                $0.step?.text ?? ""
            },
            .derived("added_servers", "Servers more than without it.", \.addedServers),
            .derived(
                "added_cost_per_month",
                "Their cost of a month in the plan's currency, less the same without the cure; empty without prices.",
                \.addedCost),
            .derived(
                "added_share_fresh",
                "The share of views that show current content, less the same without the cure.", \.addedFresh),
            .derived(
                "well_after_s", unit: "s", "The mean time from the event's beginning until all was well.", \.wellAfter),
        ])
}
