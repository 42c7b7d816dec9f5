import Basics
import Pages
import Studies

/// A plan for people.
extension FoundPlan {
    private func source(of metric: String) -> String {
        MetricText.source(of: metric, report: base.scenario.reportedSpan.inSeconds)
    }

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
        return points.candidates(heading: axis.name, middle: number, source: source) {
            $0.number == number ? "\($0.values[0]), the answer" : $0.values[0]
        }
    }

    /// The months of a growing fleet; empty without one.
    private func growthText(_ form: (AlignedTable) -> String) -> String {
        guard let growing else { return "" }
        let (study, broken) = (growing.study, growing.verdicts.compactMap(\.breaksInMonth).min())
        let middle = broken.flatMap { study.months.firstIndex(of: $0) }.map { $0 + 1 } ?? study.months.count
        let (table, note) = growing.points.candidates(heading: "month (people)", middle: middle, source: source) {
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
            lines.append("for one server out \(servers.simulated + 1), for two \(servers.simulated + 2)")
        }
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
                figure.unit + source(of: figure.name),
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
