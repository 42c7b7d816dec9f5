import Basics
import Pages
import Reporting
import ResultFiles
import ScenarioFiles
import Studies

/// A plan for people.
extension FoundPlan {
    var text: String {
        let candidates = candidates
        return sentences.map { VisibleText.of($0) + "\n" }.joined() + "\n" + candidates.table.text + candidates.note
            + "\n" + growthText { $0.text } + figureTable.text
    }

    /// For a pull request or the summary of a job: the answer, the candidates, and the figures folded away.
    var markdown: String {
        let lines = sentences
        let candidates = candidates
        return "**\(AlignedTable.markdownCell(lines[0]))**\n\n"
            + lines.dropFirst().map { "- \(AlignedTable.markdownCell($0))\n" }.joined() + "\n"
            + candidates.table.markdown + "\n" + growthText { $0.markdown }
            + "<details><summary>Figures at the answer</summary>\n\n" + figureTable.markdown + "\n</details>\n"
    }

    private var candidates: (table: AlignedTable, note: String) {
        let value = answer.value ?? ""
        let number = points.points.first { $0.values == [value] }?.number ?? 1
        return points.candidates(heading: axis.name, middle: number) {
            $0.number == number ? "\($0.values[0]), the answer" : $0.values[0]
        }
    }

    /// The months of a growing fleet; empty without one.
    private func growthText(_ form: (AlignedTable) -> String) -> String {
        guard let growing else { return "" }
        let (study, broken) = (growing.study, growing.verdicts.compactMap(\.breaksInMonth).min())
        let middle = broken.flatMap { study.months.firstIndex(of: $0) }.map { $0 + 1 } ?? study.months.count
        let (table, note) = growing.points.candidates(heading: "month (people)", middle: middle) {
            "\(study.months[$0.number - 1]) (\(FigureText.grouped(Int64(study.people[$0.number - 1]))))"
        }
        return form(table) + note + "\n"
    }

    private var growthLines: [String] {
        guard let growing else { return [] }
        let people = growing.study.people
        func number(_ people: Int) -> String { FigureText.grouped(Int64(people)) }
        let head =
            "with \(answer.value ?? "") a fleet that grows \(growing.growth.text), \(number(people[0])) to \(number(people[people.count - 1])) people"
            + (growing.study.isRepresented ? " for which the same fleet stands" : "") + ":"
        return [head]
            + growing.verdicts.map { verdict in
                let broken = verdict.breaksInMonth.map { month in
                    month == 0
                        ? "is broken from the beginning"
                        : "breaks in month \(month), with \(verdict.people.map(number) ?? "more") people, "
                            + (replications > 1
                                ? "the earliest of \(replications) replications"
                                : "by one seed; others may move the month (--repeat)")
                }
                let later = verdict.holdsFromMonth.map { " and holds from month \($0) on" } ?? ""
                return "'\(verdict.target)' "
                    + (broken ?? "holds through month \(growing.growth.months)") + later
            } + [growing.lastSentence(axis: axis.name)]
    }

    private var sentences: [String] {
        var lines: [String] = []
        let value = answer.value ?? ""
        let times = "\(replications) replication\(replications == 1 ? "" : "s")"
        switch answer.kind {
        case .least: lines.append("the least \(axis.name) that holds in all of \(times): \(value)")
        case .largest: lines.append("the largest \(axis.name) that holds in all of \(times): \(value)")
        case .everywhere: lines.append("every \(axis.name) asked for holds; the first of them is \(value)")
        case .nowhere: preconditionFailure("a plan without an answer has no text")
        }
        lines += answer.alone.map { $0.sentence(axis) }
        if answer.comesAndGoes && answer.alone.isEmpty {
            lines.append(
                "the targets come and go along the values: a smaller step, or more replications, may answer a little otherwise"
            )
        }
        if let mean = summary.figures.first(where: { $0.name == "answer_mean" }) {
            let some = answer.roots.count == replications ? "" : " in which a value holds, \(answer.roots.count),"
            lines.append("the mean over the replications\(some) is \(text(mean.value, mean.unit))\(interval(mean))")
            if let sample = sampleSentence(mean) { lines.append(sample) }
        }
        if let neighbour = answer.neighbour {
            let metrics = PlanTarget.metrics(of: targets).map { name in
                let unit = summary.figures.first { $0.name == name }?.unit ?? ""
                return "\(name) \(text(neighbour.measured[targets.firstIndex { $0.metric == name }!], unit))"
            }
            lines.append(
                "\(neighbour.holding > 0 ? "too close to call: " : "")one step before it, at \(neighbour.value), they hold in \(neighbour.holding) of \(times): \(metrics.joined(separator: ", "))"
            )
        }
        lines += targets.compactMap(nearness)
        if let whole { lines.append(whole.sentence) }
        if let servers = summary.servers {
            func ratio(_ erlang: Int?) -> String {
                erlang.map { "\($0) (the need is \(Figures.short(Double(servers.simulated) / Double($0))) times that)" }
                    ?? "nothing"
            }
            lines.append(
                "Erlang C, for arrivals at random, says \(ratio(servers.erlangOfPeak)) for the peak minute and \(ratio(servers.erlangOfMean)) for the mean rate"
            )
            lines.append(servers.spareSentence)
        }
        lines += regret?.sentences(axis: axis.name) ?? []
        if let month { lines.append(month.sentence) }
        lines.append("targets " + targets.map(\.text).joined(separator: "; "))
        return lines + growthLines
    }

    /// A sentence on a target that holds in all replications and may not in others, as the interval of its metric says.
    private func nearness(_ target: PlanTarget) -> String? {
        guard let figure = summary.figures.first(where: { $0.name == target.metric }), let low = figure.low,
            let high = figure.high, target.holds(low) != target.holds(high)
        else { return nil }
        return
            "too close to call: at \(answer.value ?? "") the 95 % interval of \(target.metric), \(text(low, figure.unit)) to \(text(high, figure.unit)), lies on both sides of '\(target.text)'; other seeds may ask for more (--repeat)"
    }

    /// How near a sample tells the answer: the candidates between which the mean of its replications lies; nil for
    /// people who stand for themselves, and where only one candidate is left.
    private func sampleSentence(_ mean: PlanSummary.Figure) -> String? {
        guard let people = base.scenario.report.represents, let ends = mean.candidates(of: study) else { return nil }
        return
            "for \(FigureText.grouped(Int64(people))) people that is between \(ends.low) and \(ends.high), as far as a sample of \(FigureText.grouped(Int64(base.scenario.people))) tells"
    }

    private var figureTable: AlignedTable {
        let interval = "95 % interval" + (replications > 1 ? " of \(replications) seeds" : "")
        var table = AlignedTable(header: ["figure", "value", interval, "unit"], toTheLeft: [0, 3])
        for figure in summary.figures {
            guard let value = figure.value, !(UsualFigures.isCost(figure.name) && value == 0),
                !figure.name.hasPrefix("answer"), !figure.name.hasPrefix("neighbour")
            else {
                continue
            }
            table.add([
                figure.name, Figures.short(value),
                figure.low.flatMap { low in figure.high.map { "\(Figures.short(low)) to \(Figures.short($0))" } } ?? "",
                figure.unit,
            ])
        }
        return table
    }

    /// A value with its unit as people say it; from a minute on in minutes and hours.
    private func text(_ value: Double?, _ unit: String) -> String {
        guard let value else { return "not defined" }
        if unit == "s" && value >= 60 && value < 1e12 {
            return TimeText.duration(.seconds(Int64(cutting: value.rounded())))
        }
        return Figures.short(value) + (unit == "s" ? " s" : "")
    }

    private func interval(_ figure: PlanSummary.Figure) -> String {
        guard let low = figure.low, let high = figure.high else { return "" }
        return ", 95 % interval \(text(low, figure.unit)) to \(text(high, figure.unit))"
    }
}

extension FoundPlan.Growing {
    /// The value that the last month needs, in a sentence.
    func lastSentence(axis: String) -> String {
        let people = "month \(growth.months), with \(FigureText.grouped(study.people[study.people.count - 1])) people"
        return last.map { "in \(people), \(axis) \($0) meets the targets" }
            ?? "in \(people), no \(axis) asked for meets the targets"
    }
}

extension Planner.TargetAlone {
    /// Where one of several targets holds.
    func sentence(_ axis: Axis) -> String {
        let (target, value) = ("'\(target.text)'", value ?? "")
        switch kind {
        case .least: return "\(target) alone holds from \(value) on"
        case .largest: return "\(target) alone holds up to \(value)"
        case .everywhere: return "\(target) alone holds everywhere"
        case .nowhere: return "\(target) alone holds in no \(axis.name) in all replications"
        }
    }
}

extension Planner.Answer {
    /// Why there is no plan.
    func refusal(_ axis: Axis, _ targets: [PlanTarget], replications: Int) -> CommandFailure {
        let all = targets.map { "'\($0.text)'" }.joined(separator: " and ")
        func measured(_ values: [Double?]) -> String {
            zip(targets, values).map { "\($0.metric) is \($1.map { Figures.short($0) } ?? "not defined")" }.joined(
                separator: ", ")
        }
        var sentences: [String] = []
        if let value {
            let there = trials.filter { $0.value == value }.map { measured($0.measured) }
            sentences.append(
                "no \(axis.name) holds \(all) in all of \(replications) replications: at \(value) they hold in \(holding), \(there.joined(separator: "; "))"
            )
        } else {
            let ends = trials.map { "at \($0.value) " + measured($0.measured) }
            sentences.append("no end of \(axis.name) holds \(all): \(ends.joined(separator: "; "))")
        }
        sentences += alone.map { $0.sentence(axis) }
        for (place, target) in targets.enumerated() {
            guard let plateau = plateau(ofTarget: place, target) else { continue }
            sentences.append(
                "\(target.metric) does not depend on \(axis.name) beyond \(plateau.from): it is \(Figures.short(plateau.at)) there in replication \(plateau.replication)"
            )
            let wait = smallWait(ofTarget: place, target, replication: plateau.replication, at: plateau.at)
            if let wait, let metric = target.queueWait {
                sentences.append(
                    "\(metric) is \(Figures.short(wait)) there, so the time is that of the ways there and back and of the service (`latency_out`, `latency_back`, `service_time`)"
                )
            }
        }
        return CommandFailure(.brokenThreshold, sentences.joined(separator: ". "))
    }
}

/// A plan with what it was found in, as files and as JSON.
struct FoundPlan {
    let study: Study
    let base: ParsedScenario
    let axis: Axis
    let targets: [PlanTarget]
    let replications: Int
    let overrides: [String]
    let answer: Planner.Answer
    let summary: PlanSummary
    let points: PointFigures
    let month: MonthlyRun?
    var growing: Growing?
    /// Nil without --unknowns.
    var regret: RegretPlan?
    var whole: WholeCheck.Outcome?

    /// A growing fleet with the capacity that was found.
    struct Growing {
        let growth: Growth
        let study: GrowthStudy
        let verdicts: [GrowthStudy.Verdict]
        let points: PointFigures
        /// The value that meets all targets in the last month; nil if a target breaks and no candidate does.
        let last: String?
    }

    func save(in place: StudyFolder, hasPage: Bool) throws {
        let output = try OutputFolder(path: place.path, for: .plan, .own, lock: place.lock)
        let trials = Table.trials(axis: axis.name, metrics: PlanTarget.metrics(of: targets))
        try output.write(.plan, summary.figures)
        let candidates = study.pointTable(points)
        try output.write(candidates, points.points)
        if let growing { try output.write(growing.study.table(growing.points), growing.points.points) }
        try output.write(trials, answer.rows(targets: targets))
        let regretTables = regret.map {
            (Table.regret(axis: axis.name), Table.unknowns($0.unknowns.axes.map(\.name)))
        }
        if let regret, let (candidates, draws) = regretTables {
            try output.write(candidates, regret.candidates)
            try output.write(draws, regret.rows)
        }
        var members: JSONMembers = [
            "plan": study.name, "find": axis.key, "targets": targets.map(\.text), "replications": replications,
            "scenario_sha256": base.identity.scenarioSHA256,
            "seed": "\(base.scenario.plan.seed)", "people": base.scenario.people,
            "report_s": base.scenario.reportedSpan.inSeconds, "overrides": overrides,
            "command": CommandLine.arguments,
        ]
        members.add("represents", base.scenario.report.represents)
        members.add("whole_sentence", whole?.sentence)
        members.add("month_sentence", month?.sentence)
        members.add("unknowns_sentence", regret.map { $0.sentences(axis: axis.name).joined(separator: "; ") })
        members.add("growth_sentence", growing?.lastSentence(axis: axis.name))
        try output.finish(
            [Table.plan.declaration, candidates.declaration]
                + (growing.map { [$0.study.table($0.points).declaration] } ?? []) + [trials.declaration]
                + (regretTables.map { [$0.0.declaration, $0.1.declaration] } ?? []),
            of: .plan, titled: "A plan for the scenario \(study.name)", members, hasPage: hasPage,
            removing: (growing == nil ? [StudyTables.growth.fileName] : [])
                + (regret == nil ? StudyTables.ofUnknowns : []) + StudyTables.ofMap)
    }

    func json(in place: StudyFolder) throws -> JSONMembers {
        [
            "scenario": study.name, "results": place.path, "find": axis.key,
            "answer": answer.value, "targets": targets.map(\.text), "is_confirmed": answer.isConfirmed,
            "hidden": summary.hidden, "few_requests": summary.few,
            "plan": try Table.plan.json(summary.figures), "points": try study.pointTable(points).json(points.points),
            "unknowns": regret?.sentences(axis: axis.name) ?? [],
            "regret": try regret.map { try Table.regret(axis: axis.name).json($0.candidates) } ?? JSONText.array([]),
            "growth": growing?.verdicts ?? [], "growth_answer": growing?.last,
            "whole": whole?.json ?? JSONText.array([]),
            "growth_points": try growing.map { try $0.study.table($0.points).json($0.points.points) }
                ?? JSONText.array([]),
        ]
    }
}

extension WholeCheck.Outcome {
    /// It in a sentence without its full stop.
    var sentence: String {
        let parts = rows.map { row in
            let measured = targets.indices.map { place in
                let value = row.measured[place].map { Figures.short($0) + (units[place] == "s" ? " s" : "") }
                return "\(targets[place].metric) is \(value ?? "not defined")"
            }
            return
                "at \(row.value) the targets \(row.holds ? "hold" : "do not hold"): \(measured.joined(separator: ", "))"
        }
        let fewer = rows.count > 1 && rows.allSatisfy(\.holds) ? "; a value before \(rows[1].value) may do" : ""
        return "all \(FigureText.grouped(Int64(people))) people, simulated once, "
            + parts.joined(separator: "; ") + fewer
    }

    /// Why the answer of the sample is none; nil if it holds.
    var refusal: CommandFailure? {
        answerHolds ? nil : CommandFailure(.brokenThreshold, sentence)
    }

    /// One object a value and target.
    var json: JSONText {
        .array(
            rows.flatMap { row in
                zip(targets, row.measured).map { target, measured in
                    .object([
                        "value": row.value, "target": target.text, "measured": measured,
                        "holds": measured.map(target.holds) ?? false,
                    ])
                }
            })
    }
}

extension PointFigures {
    /// Columns that have room beside each other.
    private static let most = 8

    /// The points of a plan for people, a column each: its candidates, or the months of a growing fleet. With them a
    /// sentence on those that are not shown, which is empty if there are none.
    ///
    /// - Parameters:
    ///   - heading: what the columns are.
    ///   - middle: the number of the point whose neighbours are shown, if there are too many.
    ///   - name: the name of a point, above its column.
    func candidates(
        heading: String, middle: Int, name: (Point) -> String
    ) -> (table: AlignedTable, note: String) {
        let place = self.points.firstIndex { $0.number == middle } ?? 0
        let first = max(0, min(place - Self.most / 2, self.points.count - Self.most))
        let points = Array(self.points.dropFirst(first).prefix(Self.most))
        let pictures = TerminalPicture.ofOutput
        let hasPictures = pictures != nil && points.count > 1
        var table = AlignedTable(
            header: [heading] + points.map(name) + (hasPictures ? [""] : []),
            toTheLeft: hasPictures ? [0, points.count + 1] : [0])
        func add(_ cells: [String], _ values: [Double?]) {
            table.add(cells + (hasPictures ? [pictures?.line(values) ?? ""] : []))
        }
        add(
            ["targets hold in"] + points.map { "\($0.holding) of \($0.runs)" },
            points.map { Double($0.holding) / Double(max(1, $0.runs)) })
        for (place, metric) in metrics.enumerated() {
            let unit = units[place]
            let values = points.map { $0.figures[place]?.mean }
            // A cost of nothing needs no row.
            if UsualFigures.isCost(metric) && values.allSatisfy({ ($0 ?? 0) == 0 }) { continue }
            add(
                [unit.isEmpty || unit == "share" ? metric : "\(metric) (\(unit))"]
                    + points.map { PointText.mean($0.figures[place], unit: unit) }, values)
        }
        let left = self.points.count - points.count
        return (table, left > 0 ? "\(left) more in the file\n" : "")
    }
}
