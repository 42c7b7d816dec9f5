import Basics
import Reporting
import ScenarioFiles
import Simulation

/// A fleet that grows by a share a month, as in `5 %/month for 12 months`.
package struct Growth: Hashable, Sendable {
    package let text: String
    /// A share of the people of the month before.
    package let share: Double
    package let months: Int

    package init(_ text: String) throws(StudyProblem) {
        let form = /\s*([0-9]+(?:\.[0-9]+)?)\s*%\s*(?:\/|a|per)\s*month\s+for\s+([0-9]{1,3})\s+months?\s*/
        guard let found = text.wholeMatch(of: form), let percent = Double(found.1), let months = Int(found.2),
            percent > 0, percent <= 1_000, (1...120).contains(months)
        else {
            throw StudyProblem(
                "--growth",
                expected:
                    "growth as 'SHARE %/month for N months', such as '5 %/month for 12 months', above 0 and up to 120 months",
                found: "'\(text)'")
        }
        (self.text, share, self.months) = (text, percent / 100, months)
    }

    /// The people in a month, counted from 0 for today.
    package func people(from people: Int, in month: Int) -> Double {
        (0..<month).reduce(Double(people)) { people, _ in people * (1 + share) }
    }
}

/// How far a fleet can grow before a capacity no longer meets its targets.
///
/// The same fleet stands for more people (`report.represents`), where that is known for the targets' metrics. Before a
/// service it does so if it stands for others already; else the fleet itself is simulated larger.
package struct GrowthStudy {
    package let study: Study
    private let text: ScenarioText
    /// The month in which the fleet has the people of each point, counted from 0.
    package let months: [Int]
    package let people: [Int]
    /// Whether the same fleet stands for more people.
    package let isRepresented: Bool

    /// The fleets are checked by their number alone: a run too large is refused by its estimate.
    ///
    /// - Parameters:
    ///   - overrides: those of the plan, with its answer.
    ///   - key: the one that the plan looks for.
    package init(
        _ growth: Growth, scenario text: ScenarioText, overrides: [String], targets: [PlanTarget], key: String
    ) throws {
        let scenario = try text.readChecked(overrides: overrides).scenario
        if key == "people" || key == "report.represents" {
            throw StudyProblem(
                "--growth", expected: "another key to find than the people, which grow", found: "'\(key)'")
        }
        let isBeforeService = scenario.peopleBeforeService != nil
        func isKnown(_ metric: String) -> Bool { SummaryMetrics.hasRange(metric, beforeService: isBeforeService) }
        if !scenario.plan.replay.isEmpty {
            throw StudyProblem("--growth", expected: "drawn people", found: "the people of a record")
        }
        isRepresented = (scenario.service == nil || isBeforeService) && targets.allSatisfy { isKnown($0.metric) }
        let base = scenario.report.represents ?? scenario.people
        if !isRepresented && scenario.report.represents != nil {
            throw StudyProblem(
                "--growth", expected: "targets that are known for more people than are simulated (report.represents)",
                found: PlanTarget.metrics(of: targets).filter { !isKnown($0) }.joined(separator: ", "))
        }
        var (months, people): ([Int], [Int]) = ([], [])
        for month in 0...growth.months {
            let grown = growth.people(from: base, in: month).rounded()
            guard grown <= 1e10 else {
                throw StudyProblem(
                    "--growth", expected: "at most 10,000,000,000 people", found: "more in month \(month)")
            }
            if let last = people.last, Int(cutting: grown) == last { continue }
            months.append(month)
            people.append(Int(cutting: grown))
        }
        (self.months, self.people) = (months, people)
        let axis = Axis(
            name: "people", key: isRepresented ? "report.represents" : "people",
            values: AxisValues(people.map(String.init)))
        study = try Study(scenario: text, overrides: overrides, design: StudyDesign(axes: [axis]))
        self.text = text
    }

    /// The candidates of an axis in the fleet of the last month.
    ///
    /// - Parameter overrides: those of the plan, without an answer.
    package func last(overrides: [String], _ axis: Axis) throws -> Study {
        let grown = study.design.axes[0]
        let kept = overrides.filter { !$0.hasPrefix(grown.key + "=") }
        return try Study(
            scenario: text, overrides: kept + ["\(grown.key)=\(people[people.count - 1])"],
            design: StudyDesign(axes: [axis]))
    }

    /// How one target fares as the fleet grows.
    package struct Verdict: Hashable, Sendable {
        package let target: String
        /// The first month in which the target does not hold in every replication; nil if it holds in all, or only
        /// later ones.
        package let breaksInMonth: Int?
        /// The people of that month.
        package let people: Int?
        /// The month from which on it holds, if that is a later one than the first.
        package let holdsFromMonth: Int?
    }

    /// Looks for the month of each target.
    ///
    /// - Returns: the verdicts in the order of the targets, and the runs that were looked at.
    package func verdicts(
        _ targets: [PlanTarget], replications: Int, width: Int, in folder: StudyFolder,
        perform: ([StudyRun]) throws -> Void
    ) throws -> (verdicts: [Verdict], runs: [StudyRun]) {
        var verdicts: [Verdict] = []
        var tried: [String: StudyRun] = [:]
        for target in targets {
            let planner = Planner(study, targets: [target], replications: replications, in: folder)
            let answer = try planner.answer(width: width, perform: perform)
            for run in answer.tried { tried[run.name] = run }
            let at = answer.value.flatMap { value in people.firstIndex { String($0) == value } }
            func verdict(breaksAt place: Int?, holdsFrom month: Int? = nil) -> Verdict {
                let place = place.flatMap { people.indices.contains($0) ? $0 : nil }
                return Verdict(
                    target: target.text, breaksInMonth: place.map { months[$0] }, people: place.map { people[$0] },
                    holdsFromMonth: month)
            }
            switch answer.kind {
            case .everywhere: verdicts.append(verdict(breaksAt: nil))
            case .nowhere: verdicts.append(verdict(breaksAt: 0))
            case .largest: verdicts.append(verdict(breaksAt: answer.isConfirmed ? at! + 1 : at!))
            case .least: verdicts.append(verdict(breaksAt: 0, holdsFrom: at.map { months[$0] }))
            }
        }
        let runs = tried.values.sorted { ($0.point.number, $0.replication) < ($1.point.number, $1.replication) }
        return (verdicts, runs)
    }
}
