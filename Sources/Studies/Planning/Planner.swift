import ScenarioFiles

/// Looks for the value of one key with which a scenario holds its targets, over replications that share their random
/// numbers between the values.
///
/// Each replication has a value of its own from which the targets hold, its root. The answer is the first value from
/// the farthest root on with which they hold in all: where a measure is rough along the values, as the largest second
/// of a herd is, that lies a little beyond.
package struct Planner {
    package let study: Study
    package let targets: [PlanTarget]
    package let replications: Int
    private let folder: StudyFolder

    /// How many values are tried beyond the farthest root, each step twice the one before.
    static let furtherValues = 8

    /// - Parameter study: with one axis, whose values are the candidates.
    package init(_ study: Study, targets: [PlanTarget], replications: Int, in folder: StudyFolder) {
        precondition(study.design.axes.count == 1 && study.design.variants.isEmpty, "a plan finds one key")
        self.study = study
        self.targets = targets
        self.replications = replications
        self.folder = folder
    }

    /// - Parameters:
    ///   - width: how many runs are performed at a time.
    ///   - perform: performs the runs whose results are not there yet, and throws if any fails.
    package func answer(width: Int, perform: ([StudyRun]) throws -> Void) throws -> Answer {
        var trials: [RootSearch.Probe: (run: StudyRun, outcome: Trial)] = [:]
        func ask(_ probes: [RootSearch.Probe]) throws -> [Bool] {
            let open = probes.filter { trials[$0] == nil }
            let runs = try open.map {
                try study.run(at: study.points[$0.candidate], replication: $0.replication + 1, keepsScenario: true)
            }
            if !runs.isEmpty { try perform(runs) }
            for (probe, run) in zip(open, runs) { trials[probe] = (run.withoutScenario, try trial(of: run)) }
            return probes.map { trials[$0]!.outcome.holds }
        }
        func row(_ candidate: Int) throws -> [Trial] {
            let probes = (0..<replications).map { RootSearch.Probe(candidate: candidate, replication: $0) }
            _ = try ask(probes)
            return probes.map { trials[$0]!.outcome }
        }
        let finding = try RootSearch(candidates: study.points.count, replications: replications, width: width).find(ask)
        switch finding {
        case .nowhere:
            let values = study.points.map { $0.values[0] }
            let parts = targets.count > 1 ? try alone(width: width, perform) : []
            // Runs of one target are trials of all.
            for trial in parts.flatMap(\.trials) {
                guard let candidate = values.firstIndex(of: trial.value) else { continue }
                _ = try ask([.init(candidate: candidate, replication: trial.replication - 1)])
            }
            guard let range = Self.overlap(of: parts, among: values) else {
                return answer(.nowhere, at: nil, alone: parts, trials: trials)
            }
            let at = try firstThatHolds(from: range.lowerBound, towards: 1) { try row($0).allSatisfy(\.holds) }
            let beside = at > 0 ? Neighbour(try row(at - 1)) : nil
            return try answer(.least, at: at, row: row(at), neighbour: beside, alone: parts, trials: trials)
        case .everywhere: return try answer(.everywhere, at: 0, row: row(0), trials: trials)
        case .roots(let roots, let holdsAbove):
            let towards = holdsAbove ? 1 : -1
            let at = try firstThatHolds(from: holdsAbove ? roots.max()! : roots.min()!, towards: towards) {
                try row($0).allSatisfy(\.holds)
            }
            let chosen = try row(at)
            let beside = study.points.indices.contains(at - towards) ? Neighbour(try row(at - towards)) : nil
            // A replication in which no value holds has no root.
            let found = roots.indices.filter {
                trials[.init(candidate: roots[$0], replication: $0)]!.outcome.holds
            }.map { roots[$0] }
            return answer(
                holdsAbove ? .least : .largest, at: at, roots: found, row: chosen, neighbour: beside, towards: towards,
                trials: trials)
        }
    }

    /// The answer for each target alone, for targets that pull apart: a wait that falls with the servers, and their
    /// cost.
    private func alone(width: Int, _ perform: ([StudyRun]) throws -> Void) throws -> [TargetAlone] {
        try targets.map { target in
            let answer = try Planner(study, targets: [target], replications: replications, in: folder).answer(
                width: width, perform: perform)
            return TargetAlone(
                target: target, kind: answer.isConfirmed ? answer.kind : .nowhere,
                value: answer.isConfirmed ? answer.value : nil, trials: answer.trials)
        }
    }

    /// The candidates with which each of some targets holds alone; nil if there are none.
    private static func overlap(of parts: [TargetAlone], among values: [String]) -> ClosedRange<Int>? {
        var (low, high) = (0, values.count - 1)
        if parts.isEmpty { return nil }
        for part in parts {
            let at = part.value.flatMap(values.firstIndex)
            switch part.kind {
            case .everywhere: break
            case .nowhere: return nil
            case .least: low = max(low, at ?? values.count)
            case .largest: high = min(high, at ?? -1)
            }
        }
        return low <= high ? low...high : nil
    }

    /// A value from a root on that holds, with one before it that does not: by steps that double, then by halves. The
    /// root if none of some holds.
    private func firstThatHolds(from root: Int, towards: Int, holds: (Int) throws -> Bool) throws -> Int {
        if try holds(root) { return root }
        var (failing, step) = (root, 1)
        for _ in 0..<Self.furtherValues {
            let next = failing + towards * step
            guard study.points.indices.contains(next) else { break }
            if try holds(next) {
                var holding = next
                while (holding - failing).magnitude > 1 {
                    let middle = failing + (holding - failing) / 2
                    if try holds(middle) { holding = middle } else { failing = middle }
                }
                return holding
            }
            (failing, step) = (next, step * 2)
        }
        return root
    }

    private func trial(of run: StudyRun) throws -> Trial {
        let figures = try folder.figures(of: run)
        for target in targets {
            guard let figure = figures.figure(target.metric) else {
                throw StudyProblem(
                    "--target", expected: "a metric of summary.csv as thresholds name it", found: "'\(target.metric)'")
            }
            try PlanTarget.checkUnits([target], of: [target.metric: figure.unit])
        }
        return Trial(run, figures, targets)
    }

    private func answer(
        _ kind: Answer.Kind, at number: Int?, roots: [Int] = [], row: [Trial] = [], neighbour: Neighbour? = nil,
        towards: Int = 1, alone: [TargetAlone] = [],
        trials: [RootSearch.Probe: (run: StudyRun, outcome: Trial)]
    ) -> Answer {
        let order = trials.sorted { ($0.key.candidate, $0.key.replication) < ($1.key.candidate, $1.key.replication) }
        // In the order in which they should begin to hold.
        let along = towards > 0 ? order : order.reversed()
        var holding: Set<Int> = []
        var comesAndGoes = false
        for (probe, trial) in along where kind == .least || kind == .largest {
            if trial.outcome.holds {
                holding.insert(probe.replication)
            } else if holding.contains(probe.replication) {
                comesAndGoes = true
            }
        }
        return Answer(
            kind: kind, value: number.map { study.points[$0].values[0] },
            roots: roots.compactMap { Quantity(study.points[$0].values[0])?.double },
            runs: number.map { at in order.filter { $0.key.candidate == at }.map(\.value.run) } ?? [],
            holding: row.count(where: \.holds), comesAndGoes: comesAndGoes, neighbour: neighbour,
            alone: alone, trials: order.map(\.value.outcome), tried: order.map(\.value.run))
    }
}

extension Planner {
    /// One value that was tried in one replication, and what it came to.
    package struct Trial: Hashable, Sendable {
        package let value: String
        package let replication: Int
        /// One for each target; nil where it is not defined.
        package let measured: [Double?]
        /// Likewise the wait for a server that is a part of it.
        let waits: [Double?]
        package let holds: Bool

        init(_ run: StudyRun, _ figures: RunFigures, _ targets: [PlanTarget]) {
            (value, replication) = (run.point.values[0], run.replication)
            measured = targets.map { figures.value($0.metric) }
            waits = targets.map { $0.queueWait.flatMap(figures.value) }
            holds = zip(targets, measured).allSatisfy { $0.holds($1) }
        }
    }

    /// How bad the last value is that does not do.
    package struct Neighbour: Hashable, Sendable {
        package let value: String
        /// In how many replications the targets hold.
        package let holding: Int
        /// For each target the mean of its metric over the replications that have it; nil if none has.
        package let measured: [Double?]

        /// - Parameter trials: all of one value, one or more.
        init(_ trials: [Trial]) {
            value = trials[0].value
            holding = trials.count(where: \.holds)
            measured = trials[0].measured.indices.map { place in
                let values = trials.compactMap { $0.measured[place] }
                return values.isEmpty ? nil : SampleSummary(values).mean
            }
        }
    }

    /// The answer for one of several targets alone, over all replications.
    package struct TargetAlone: Hashable, Sendable {
        package let target: PlanTarget
        package let kind: Answer.Kind
        /// Nil if it holds nowhere in all replications.
        package let value: String?
        let trials: [Trial]
    }

    package struct Answer: Sendable {
        package enum Kind: Hashable, Sendable {
            /// The least value, where larger ones hold too; or the largest, where smaller ones do.
            case least, largest
            /// Every value holds; the answer is the first.
            case everywhere
            /// None holds; there is no answer.
            case nowhere
        }

        package let kind: Kind
        /// The value with which the targets hold in every replication, if it `isConfirmed`; nil if there is none.
        package let value: String?
        /// The value for each replication in which one holds, as a number in the unit of its kind: a count, or seconds;
        /// empty without roots.
        package let roots: [Double]
        /// The runs at the answer, all replications; none without one.
        package let runs: [StudyRun]
        /// In how many replications the targets hold at the answer.
        package let holding: Int
        /// Whether the targets come and go along the values: in some replication one value held, and one further on did
        /// not.
        package let comesAndGoes: Bool
        /// The value beside the answer on the side where the targets fail; nil where that was not looked for, or the
        /// answer is the first of all.
        package let neighbour: Neighbour?
        /// Each target alone, where no end of the values holds all of them; empty otherwise.
        package let alone: [TargetAlone]
        /// All that was tried, in order of the values and replications.
        package let trials: [Trial]
        package let tried: [StudyRun]

        /// Whether the targets hold at the answer in every replication.
        package var isConfirmed: Bool { !runs.isEmpty && holding == runs.count }

        /// The wait for a server at a plateau of a target on a time that holds it, if it is hardly a part of that: no
        /// number of servers changes the rest, the ways there and back and the time of service.
        package func smallWait(ofTarget place: Int, _ target: PlanTarget, replication: Int, at plateau: Double)
            -> Double?
        {
            guard target.op.isUpper else { return nil }
            let trial = trials.last { $0.replication == replication && $0.measured[place] == plateau }
            return trial?.waits[place].flatMap { $0 <= 0.05 * plateau ? $0 : nil }
        }

        /// A replication in which a target fails at the end towards which it should hold, and whose figure is the same
        /// at the value before: it does not depend on the key there. Without such an end, one whose figure never
        /// changes.
        ///
        /// - Parameter place: of the target.
        package func plateau(ofTarget place: Int, _ target: PlanTarget) -> (from: String, replication: Int, at: Double)?
        {
            for replication in Set(trials.map(\.replication)).sorted() {
                let row = trials.filter { $0.replication == replication }
                let along = kind == .largest ? row.reversed() : row
                guard let value = along.last?.measured[place], !target.holds(value) else { continue }
                let same = along.reversed().prefix { $0.measured[place] == value }
                // Where waits are as long as they can be, they are the same too.
                if same.count < 2 || kind == .nowhere && same.count < row.count { continue }
                if let first = same.last { return (first.value, replication, value) }
            }
            return nil
        }
    }
}

/// The answer of a plan from a sample, and the value one step before it, before all people for whom the sample stands.
package struct WholeCheck {
    /// That of all people, one run a value.
    package let study: Study
    package let people: Int
    private let targets: [PlanTarget]

    /// Nil if the people of the study stand for others.
    package init?(of study: Study, _ targets: [PlanTarget], people: Int) {
        if study.scenarioAsItStands.peopleBeforeService != nil { return nil }
        (self.study, self.targets, self.people) = (study, targets, people)
    }

    package struct Outcome: Sendable {
        package let people: Int
        package let targets: [PlanTarget]
        /// The units of the targets' metrics.
        package let units: [String]
        /// The answer, then the value before it, if there is one.
        package let rows: [Planner.Trial]

        package var answerHolds: Bool { rows[0].holds }
    }

    /// - Parameters:
    ///   - values: the answer, and others of the study.
    ///   - perform: performs the runs whose results are not there yet.
    package func outcome(
        _ values: [String], in place: StudyFolder, perform: ([StudyRun], Study) throws -> Void
    ) throws -> Outcome {
        let points = values.compactMap { value in study.points.first { $0.values == [value] } }
        let runs = try points.map { try study.run(at: $0, replication: 1) }
        try perform(runs, study)
        let all = try runs.map { try place.figures(of: $0) }
        return Outcome(
            people: people, targets: targets, units: targets.map { all.first?.figure($0.metric)?.unit ?? "" },
            rows: zip(runs, all).map { Planner.Trial($0, $1, targets) })
    }
}
