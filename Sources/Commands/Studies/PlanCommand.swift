import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import Studies

struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "Finds the smallest number of servers, jitter, time to live or budget with which a scenario meets its targets.",
        discussion: """
            It looks for the value in each replication, all values sharing their random numbers, and answers with the one that meets the targets in all of them. The result also \
            gives the interval of the mean over the replications and, for servers, the figure of Erlang C for random arrivals. The runs stay in the folder: the \
            same command again, or one with more replications, runs only what is new.
            """
                + HelpExamples.text(
                    """
                    # the servers that hold the scenario's thresholds and objectives
                    reloadsim plan mine.yaml --find 'service.pools.api.servers=range(10,90,2)'
                    # after which stalls does it never come back, and what brings it back?
                    reloadsim plan mine.yaml --map trigger=10s,1m --map headroom=20%,50%
                    # the least jitter that does, and in a hundred draws of what nobody publishes
                    reloadsim plan mine.yaml --find kinds.news.policy.jitter=0s,5m --unknowns 100
                    """))

    @OptionGroup var arguments: ScenarioArguments
    @OptionGroup var represented: RepresentedPeople

    @Option(
        "find", takes: "key=values",
        "The key to find, with its candidates: key=range(from,to,step), log(from,to,n) or a,b,c in order. name:key=… gives it a short name.",
        completion: Suggestions.keys)
    var axis: String?

    @Option(
        "map", takes: "key=values",
        "In place of --find the brink: in how many replications the service does not come back by itself after its planned events. Once or twice: trigger=lengths of an event (trigger.NAME of several), headroom=shares of the capacity that are left without it, or any key=values.",
        completion: Suggestions.keys)
    var map: [String] = []

    @Option(
        "cure", takes: "key=values",
        "With --map, in place of the usual cures a key whose values may bring the service back, from the mildest to the strongest. Repeatable.",
        completion: Suggestions.keys)
    var cures: [String] = []

    @Option(
        "target", takes: "demand",
        "A condition to meet, such as 'service.origin.queue_wait_p99_s < 50ms', 'age_p95_s <= 20m' or objective=NAME. Repeatable. (default: the "
            + "scenario's thresholds and objectives, or else that 99 % of the requests of a pool wait at most 50 ms in the worst minute)",
        completion: Suggestions.metrics)
    var targets: [String] = []

    @Option("repeat", takes: "count", "Replications, each with the next seed.")
    var replications = 5

    @Option(
        "out", takes: "folder",
        "The folder for the runs, plan.csv, points.csv and trials.csv. (default: out/plan-<the scenario's name>)",
        completion: .directory)
    var folder: String?

    @Flag(help: "Say what it would take at most, and stop.")
    var dryRun = false

    @Option(
        takes: "growth",
        "Say in which month each target breaks with the answer's capacity as the fleet grows, as in '5 %/month for 12 months'."
    )
    var growth: String?

    @Option(
        takes: "folder",
        "The results of a run of a representative day, or of several: what a month's requests, bytes and pushes are, and cost.",
        completion: .directory)
    var month: String?

    @OptionGroup var unknowns: UnknownsArguments

    @Flag(
        help:
            "Before a service and with --represents, simulate all those people once with the answer and once one step before it, and end with 99 if the answer does not hold."
    )
    var verify = false

    @Flag(
        help: "Run every candidate in every replication, so that the table of candidates is whole.")
    var everyCandidate = false

    @Option(
        help:
            "table for people, markdown for a pull request, csv for programs: what is printed; plan.csv is written in any case."
    )
    var format: ComparisonFormat = .table

    @OptionGroup var printed: JSONArguments

    @OptionGroup(title: "Work") var queue: QueueArguments
    @OptionGroup var page: PageArguments
    @OptionGroup var console: ConsoleArguments

    var overrides: [String] { arguments.overrides.all + represented.overrides }

    func validate() throws {
        try FolderName.check(folder)
        try ValidationError.check(replications, of: "--repeat", in: 1...10_000)
        if (axis == nil) == map.isEmpty { throw ValidationError("plan takes either --find or --map.") }
        if map.count > 2 { throw ValidationError("--map is given once or twice: a map has two axes at most.") }
        if map.isEmpty && !cures.isEmpty { throw ValidationError("--cure takes --map beside it.") }
        if !map.isEmpty, growth != nil || month != nil || verify || everyCandidate || unknowns.isWanted {
            throw ValidationError("--growth, --month, --unknowns, --verify and --every-candidate go with --find.")
        }
    }

    func run() throws {
        console.use()
        if let axis { try runFind(Axis.read(axis, option: "--find")) } else { try runMap() }
    }

    private func runFind(_ axis: Axis) throws {
        let growth = try growth.map { text throws(StudyProblem) in try Growth(text) }
        try PlanTarget.check(texts: self.targets)
        let (text, base) = try arguments.readText(represented.overrides)
        var targets = try self.targets.uniqued.map { text throws(StudyProblem) in
            try PlanTarget(text, of: base.scenario)
        }
        if targets.isEmpty { targets = base.scenario.demands.map(PlanTarget.init) }
        if targets.isEmpty, let service = base.scenario.service {
            targets = PlanTarget.ofWorstMinute(
                pools: service.pools.map(\.name), key: axis.key)
            if !queue.quiet {
                Console.plain("target    \(targets.map(\.text).joined(separator: "; ")) (none was given)")
            }
        }
        if targets.isEmpty {
            throw StudyProblem(
                "--target",
                expected:
                    "what must hold, thresholds in the scenario, or service.pools, whose wait is held below a second",
                found: "none of them")
        }
        try PlanTarget.check(targets, known: SummaryMetrics.names(for: base.scenario))
        for target in targets { try Study.checkPrices(of: target.metric, base.scenario, at: "--target") }
        try PlanTarget.checkUnits(targets, of: base.scenario)
        let check = try verify ? wholeCheck(text, base, axis, targets) : nil
        // A growth that cannot be looked at is refused before the search.
        let grown = try growth.map {
            try GrowthStudy($0, scenario: text, overrides: overrides, targets: targets, key: axis.key)
        }
        let study = try Study(scenario: text, overrides: overrides, design: StudyDesign(axes: [axis]))
        try study.checkObjectives(of: targets)
        let month = try self.month.map { folder in
            guard let service = base.scenario.service else {
                throw StudyProblem("--month", expected: "a scenario with a service", found: "none")
            }
            guard PlanSummary.pool(of: axis.key) != nil else {
                throw StudyProblem(
                    "--month", expected: "to find servers or machines of a pool, which change no request",
                    found: axis.key)
            }
            return try MonthlyRun(folder: folder, of: service)
        }
        let ofMonths = targets.first { $0.metric.hasSuffix("_per_month") }
        if let ofMonths, month != nil, unknowns.isWanted {
            throw StudyProblem(
                "--month", expected: "no target of a month beside --unknowns, which change what is asked in it",
                found: "'\(ofMonths.text)'")
        }
        if let ofMonths, month == nil, let service = base.scenario.service,
            !service.tells(ofMonth: ofMonths.metric, span: base.scenario.reportedSpan)
        {
            throw StudyProblem(
                "--target",
                expected: "a report of whole days for a metric of a month, or --month with the folder of such a run",
                found: "'\(ofMonths.text)' of \(TimeText.duration(base.scenario.reportedSpan))")
        }
        let unknowns = try unknowns.draws(of: text, overrides: overrides, except: axis.key)
        let path = folder ?? "out/plan-" + FolderName.safe(study.name)
        let place = StudyFolder(path: path)
        try OutputFolder.check(path, for: .plan, .own)
        try tell(study, grown, check, unknowns, targets: targets.count)
        if dryRun { return }
        Interruption.watch()
        try place.alone(for: .plan) { place in
            var place = place
            place.month = month
            try plan(study, base, axis, targets, growth, check, unknowns, place)
        }
    }

    private func plan(
        _ study: Study, _ base: ParsedScenario, _ axis: Axis, _ targets: [PlanTarget], _ growth: Growth?,
        _ check: WholeCheck?, _ unknowns: Unknowns?, _ place: StudyFolder
    ) throws {
        let width = queue.jobs ?? Machine.cores
        let answer = try Planner(study, targets: targets, replications: replications, in: place).answer(width: width) {
            try perform($0, study, place)
        }
        guard let value = answer.value, answer.isConfirmed else {
            throw answer.refusal(axis, targets, replications: replications)
        }
        let summary = try PlanSummary(
            answer, key: axis.key, targets: targets, service: base.scenario.service, in: place)
        var tried = answer.tried
        if everyCandidate {
            tried = try study.runs(replications: replications)
            try perform(tried, study, place)
        }
        let metrics = PointFigures.tradeMetrics(of: study, targets: targets, key: axis.key)
        let points = try PointFigures(metrics, targets: targets, of: study, runs: tried, in: place)
        var found = FoundPlan(
            study: study, base: base, axis: axis, targets: targets, replications: replications, overrides: overrides,
            answer: answer, summary: summary, points: points, month: place.month)
        var refusal: (any Error)?
        found.regret = try unknowns.map { try regret($0, study, axis, targets, place, width: width) }
        do {
            found.growing = try growth.map { try grow($0, study, axis, value, targets, metrics, place, width: width) }
        } catch {
            // A fleet that has become too large takes nothing from the answer.
            if Interruption.isRequested { throw error }
            refusal = error
        }
        do {
            found.whole = try check?.outcome([value] + (answer.neighbour.map { [$0.value] } ?? []), in: place) {
                try perform($0, $1, place, "verify")
            }
        } catch {
            // The answer of the sample is written though all people cannot be simulated.
            if Interruption.isRequested { throw error }
            refusal = refusal ?? error
        }
        try found.save(in: place, hasPage: page.isWanted)
        for sentence in summary.hidden + summary.few { Console.warning(sentence) }
        if printed.json {
            try JSONOutput.write("plan", try found.json(in: place))
        } else {
            switch format {
            case .csv: try Console.data(try Table.plan.text(summary.figures))
            case .table: try Console.data(found.text)
            case .markdown: try Console.data(found.markdown)
            }
        }
        if !queue.quiet { Console.plain("results   \(place.path)") }
        if let refusal { throw refusal }
        if let refusal = found.whole?.refusal { throw refusal }
    }

    /// The runs of all people for whom the sample stands.
    private func wholeCheck(
        _ text: ScenarioText, _ base: ParsedScenario, _ axis: Axis, _ targets: [PlanTarget]
    ) throws -> WholeCheck {
        guard let people = represented.represents?.count, base.scenario.service != nil else {
            throw StudyProblem(
                "--verify", expected: "a service, and --represents beside it", found: "no sample before a service")
        }
        if ["people", "report.represents"].contains(axis.key) {
            throw StudyProblem(
                "--verify", expected: "to find another key than how many people there are", found: axis.key)
        }
        let whole = try Study(
            scenario: text, overrides: arguments.overrides.all + ["people=\(people)"], design: StudyDesign(axes: [axis])
        )
        guard let check = WholeCheck(of: whole, targets, people: people) else {
            throw StudyProblem(
                "--verify", expected: "--represents alone to say for how many people others stand",
                found: "report.represents in the scenario or after --set")
        }
        return check
    }

    private func grow(
        _ growth: Growth, _ study: Study, _ axis: Axis, _ value: String, _ targets: [PlanTarget], _ metrics: [String],
        _ place: StudyFolder, width: Int
    ) throws -> FoundPlan.Growing {
        let grown = try GrowthStudy(
            growth, scenario: study.scenario, overrides: overrides + ["\(axis.key)=\(value)"],
            targets: targets, key: axis.key)
        let (verdicts, runs) = try grown.verdicts(targets, replications: replications, width: width, in: place) {
            try perform($0, grown.study, place)
        }
        var last: String? = value
        if verdicts.contains(where: { $0.breaksInMonth != nil }) {
            let later = try grown.last(overrides: overrides, axis)
            let planner = Planner(later, targets: targets, replications: replications, in: place)
            let answer = try planner.answer(width: width) { try perform($0, later, place) }
            last = answer.isConfirmed ? answer.value : nil
        }
        return FoundPlan.Growing(
            growth: growth, study: grown, verdicts: verdicts,
            points: try PointFigures(metrics, targets: targets, of: grown.study, runs: runs, in: place), last: last)
    }

    /// A plan in each draw of what nobody knows, all with the first seed.
    private func regret(
        _ unknowns: Unknowns, _ study: Study, _ axis: Axis, _ targets: [PlanTarget], _ place: StudyFolder, width: Int
    ) throws -> RegretPlan {
        let answers = try unknowns.draws.map { draw in
            let drawn = try Study(
                scenario: study.scenario, overrides: overrides + unknowns.overrides(of: draw),
                design: StudyDesign(axes: [axis]))
            return try Planner(drawn, targets: targets, replications: 1, in: place).answer(width: width) {
                try perform($0, drawn, place, "draw \(draw.number)")
            }
        }
        return RegretPlan(unknowns, values: study.points.map { $0.values[0] }, answers: answers)
    }

    /// Says what the search takes at most, and for each target that in the grown fleets: both ends, a halving of the
    /// candidates, the answer and its neighbour, each in every replication.
    private func tell(
        _ study: Study, _ grown: GrowthStudy?, _ check: WholeCheck?, _ unknowns: Unknowns?, targets: Int
    ) throws {
        if queue.quiet { return }
        // The last month is searched for once more, if a target breaks on the way.
        let searches = try ([(study, 1)] + (grown.map { [($0.study, targets + 1)] } ?? [])).map { study, times in
            let count = study.points.count
            let values = min(count, 4 + (count > 2 ? Int.bitWidth - (count - 1).leadingZeroBitCount : 0))
            // The ends and the middle stand for the rest.
            let sample = try Set([0, count / 2, count - 1]).sorted().map {
                try study.run(at: study.points[$0], replication: 1)
            }
            return (sample: sample, runs: min(values * times, count) * replications)
        }
        StudyMessages(study: study, isQuiet: false).printPlan(
            searches, people: grown?.people.last, queue.settings(runs: searches.reduce(0) { $0 + $1.runs }))
        if let unknowns {
            let names = unknowns.axes.map(\.name).joined(separator: ", ")
            let values = min(study.points.count, 2 + Int.bitWidth - (study.points.count - 1).leadingZeroBitCount)
            Console.plain(
                "unknowns  \(names): \(FigureText.counted(unknowns.draws.count, "draw")), at most about \(FigureText.counted(unknowns.draws.count * values, "run")) more"
            )
        }
        if let check {
            let estimate = try check.study.run(at: check.study.points[study.points.count / 2], replication: 1).estimate
            let settings = queue.settings(runs: 2)
            Console.plain(
                "verify    2 more runs, of all \(FigureText.grouped(Int64(check.people))) people: "
                    + "at most \(Figures.time(.number(max(1, estimate.seconds(threads: settings.threads).rounded())))) and "
                    + "\(Figures.about(estimate.memory(threads: settings.threads) / 1_048_576)) MiB of memory each")
        }
    }

    private func perform(_ runs: [StudyRun], _ study: Study, _ place: StudyFolder, _ head: String = "trial") throws {
        if !queue.quiet {
            let name = study.design.axes[0].name
            let values = runs.map { $0.point.values[0] }.uniqued
            let present = runs.count { place.has($0, keeping: queue.kept) }
            Console.plain(
                "\(head.padding(toLength: 9, withPad: " ", startingAt: 0)) \(name) \(values.joined(separator: ", ")): \(FigureText.counted(runs.count, "run"))"
                    + (present > 0 ? ", of which \(present == 1 ? "1 is" : "\(present) are") there already" : ""))
        }
        try study.checkSize(of: runs, allowed: queue.allowedMemory)
        try queue.performAll(runs, of: study, in: place, othersFollow: true)
    }
}
