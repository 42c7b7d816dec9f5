import Basics
import Foundation
import ResultFiles

/// The page of a run, from its tables alone.
package struct RunPage {
    let source: PageSource
    let facts: RunFacts
    let metrics: MetricTable
    let clock: PageClock
    let load: LoadGrid
    let incidents: PageIncidents
    /// The people whom the fleet is, or stands for.
    private let people: String

    /// Reads the tables that all parts of the page need.
    package init(_ source: PageSource) throws(OutputProblem) {
        self.source = source
        facts = try RunFacts.read(source)
        metrics = try MetricTable(source)
        load = try LoadGrid(source, binWidth: try Self.binWidth(source), seconds: facts.seconds)
        clock = PageClock(reportStart: UnixTime(facts.report_start) ?? 0, zone: facts.zoneName, intervals: load.clock)
        incidents = try PageIncidents(source, seconds: facts.seconds, clock: clock)
        people = PageParts.people(facts.people, standingFor: try Self.representedPeople(source))
    }

    /// Whether the report has every hour of a day, be it the one on which clocks go forward: a chart of the hours of a
    /// shorter one is empty for most of them.
    var hasAllHours: Bool { facts.seconds >= 23 * 3_600 }

    /// Seconds of a bin, as the resolved scenario has it.
    private static func binWidth(_ source: PageSource) throws(OutputProblem) -> Double {
        guard let text = try ResolvedText(source)["load_bin"], let duration = DurationText.read(text),
            duration >= .minutes(1)
        else {
            throw OutputProblem(
                "\(source.name)/\(OutputFolder.resolvedScenarioName): expected a key load_bin of a minute or more, found none"
            )
        }
        return Double(duration.microseconds) / 1e6
    }

    /// The whole file.
    package func html() throws(OutputProblem) -> String {
        let resolved = try ResolvedText(source)
        let peaks = try peaks()
        let sections = [
            try loadSection(peaks), try viewsSection(), try budgetSection(), try controlSection(),
            try transferSection(), try platformSection(), try serviceSection(), try pushSection(),
            try originSection(resolved),
        ]
        let span = FigureLabel.text(facts.seconds, .duration)
        return PageDocument(
            sort: "run", title: facts.scenario, lead: lead(resolved),
            facts:
                "\(span) from \(LocalText.clock(clock.ticks.local(0))) \(LocalText.fullDay(clock.ticks.local(0))) \(clock.zone) · "
                + "\(people) · seed \(facts.seed)",
            verdict: try verdict(peaks), sections: sections, version: facts.reloadsim
        ).html
    }
}

extension RunPage {
    /// The scenario's description, whose figures are those of its own number of people.
    private func lead(_ resolved: ResolvedText) -> String {
        let description = resolved["description"] ?? ""
        let isOther = facts.overrides?.contains { $0.hasPrefix("people=") } == true
        guard isOther, description.contains(where: \.isNumber) || description.contains("million") else {
            return description
        }
        return description + ": here with \(people)"
    }
}

/// The first lines of a resolved scenario, which have a key and a plain value each.
struct ResolvedText {
    let text: String

    init(_ source: PageSource) throws(OutputProblem) {
        guard let bytes = try source.bytes(OutputFolder.resolvedScenarioName) else {
            throw source.missing(OutputFolder.resolvedScenarioName)
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The value of a key at the top level that stands on its line; nil if there is none.
    subscript(_ key: String) -> String? {
        let beginning = (key + ": ").utf8
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.starts(with: beginning) {
            let value = Substring(line.dropFirst(beginning.count))
            if !value.hasPrefix("\"") { return String(value) }
            // A text in double quotes is the same in JSON.
            do { return try JSONDecoder().decode([String].self, from: Data("[\(value)]".utf8)).first } catch {
                return nil
            }
        }
        return nil
    }
}

/// The verdict of a run, before any chart.
extension RunPage {
    /// The thresholds with what was measured, or the figures on which one would set them; then three sentences.
    func verdict(_ peak: Peaks) throws(OutputProblem) -> String {
        let thresholds = try source.table(
            "thresholds.csv", ["metric", "op", "bound", .number("measured"), .flag("holds")])
        let represented = try representedSentence()
        let load = loadSentence(peak, of: try peopleBeforeService())
        let phrases = incidents.sentences + [viewsSentence, load + represented, useSentence]
        let sentences = phrases.filter { !$0.isEmpty }.map(\.said).joined()
        if thresholds.rows.isEmpty {
            let failing = failing
            return
                "<div class=\"panel\(failing == nil ? "" : " ill")\"><h2>\(Markup.escaped(failing.map { $0 + ". " } ?? ""))"
                + "No thresholds are set. These are the figures to set them on.</h2>"
                + PageParts.cards(cards) + sentences + "</div>"
        }
        let broken = thresholds.rows.count { $0["holds"] != "true" }
        let count = thresholds.rows.count
        let noun = DemandText.noun(of: thresholds.rows.map { $0["metric"] })
        let heading =
            broken == 0
            ? count == 1 ? "The \(noun) holds." : "All \(count) \(noun) hold."
            : count == 1
                ? "The \(noun) is broken." : "\(broken) of \(count) \(noun) \(broken == 1 ? "is" : "are") broken."
        let objectives = DemandText.objectives(of: thresholds.rows.map { $0["metric"] })
        let rows = zip(thresholds.rows, objectives).map { row, objective -> [String] in
            let found = thresholds.row(["metric": row["metric"], "op": row["op"], "bound": row["bound"]]) ?? row
            let unit = metrics.unit(row["metric"]) ?? ""
            let measure = MetricText.measure(ofUnit: unit)
            let bound: Phrase =
                "\(Self.words(row["op"])) \(found.figure("bound", measure) ?? Figure(text: row["bound"]))\(MetricText.suffix(ofUnit: unit))"
            let measured: Phrase =
                found.figure("measured", measure).map { "\($0)\(MetricText.suffix(ofUnit: unit))" } ?? "not defined"
            if let objective {
                return [
                    "objective <b>\(Markup.escaped(objective))</b>", PageParts.mark(holds: row["holds"] == "true"),
                    "\(measured.html) good\(spent(objective, holds: row["holds"] == "true").html)", bound.html,
                ]
            }
            return [
                "<code>\(Markup.escaped(row["metric"]))</code>", PageParts.mark(holds: row["holds"] == "true"),
                measured.html, bound.html,
            ]
        }
        return "<div class=\"panel \(broken == 0 ? "well" : "ill")\"><h2>\(heading)</h2>"
            + PageParts.table(["demand", "verdict", "measured", "bound"], rows, label: "Thresholds and objectives")
            + "<div class=\"after\">\(sentences)</div></div>"
    }

    /// The error budget that an objective has spent, and when all was well again.
    private func spent(_ objective: String, holds: Bool) -> Phrase {
        func figure(_ name: String) -> Figure? { metrics.figure(SummaryScope.objective.name(of: name, objective)) }
        guard let spent = figure("budget_spent") else { return "" }
        guard !holds else {
            return ", \(spent) times the error budget spent"
        }
        return figure("well_after_s").map { ", \(spent) times the error budget spent, well again after \($0)" }
            ?? ", \(spent) times the error budget spent, not well again by the end of the report"
    }

    /// The fault of a run whatever its thresholds are: requests that fail in a planned event, or one in a hundred of
    /// all. Nil without one.
    private var failing: String? {
        if let worst = incidents.worst {
            return "In \(worst.event) \(FigureLabel.text(worst.all.share, .share)) of the requests failed"
        }
        guard let served = metrics.value("service.share_served"), served < 0.99 else { return nil }
        return "\(FigureLabel.text(served, .share)) of the requests were served"
    }

    private static func words(_ op: String) -> String {
        switch op {
        case "<": "below"
        case "<=": "at most"
        case ">": "above"
        case ">=": "at least"
        default: op
        }
    }

    private func card(_ name: String, _ metric: String, _ note: Phrase = "") -> (
        name: String, figure: Phrase, note: Phrase
    )? {
        guard let figure = metrics.figure(metric) else { return nil }
        return (name, "\(figure)", note)
    }

    private var cards: [(name: String, figure: Phrase, note: Phrase)] {
        var cards = [card("Fresh views", "share_fresh", "of all views")]
        cards += notFresh.map { ($0.title, "\($0.figure)", "of all views") }
        cards += [
            card("Age of content, p95", "age_p95_s", "as it is seen"),
            card("Largest second", "load_peak_1s", "requests"), card("Largest minute", "load_peak_1m", "requests"),
            card("Served", "service.share_served", "of the requests"),
            card("Answers, p99", "service.response_time_p99_s"),
            card("Shed", "service.share_shed", "of what reached the origin"),
            card("Failed reloads", "share_reloads_failed"),
            card("Tokens unused", "share_tokens_expired", "expired above the cap"),
        ]
        return cards.compactMap { $0 }
    }

    private func loadSentence(_ peak: Peaks, of people: Figure?) -> Phrase {
        guard let requests = metrics.figure("requests_total"), let devices = metrics.figure("devices") else {
            return ""
        }
        if metrics.value("requests_total") == 0 { return "No requests were sent." }
        var phrase: Phrase =
            people.map { "\($0) people, for whom \(devices) devices stand, sent \(requests) requests" }
            ?? "\(devices) devices sent \(requests) requests"
        if let rate = metrics.figure("load_mean_per_s") { phrase += ", \(rate) a second on average" }
        if let second = peak.second {
            phrase += "; the largest second had \(second.figure), at \(clock.text(second.start)) \(clock.zone)"
            if let share = second.leading {
                phrase += ", \(share.share) of its minute for \(share.cause)"
            }
        }
        return phrase + "."
    }

    /// The ways of not being fresh that any view has.
    private var notFresh: [(title: String, words: String, figure: Figure)] {
        UsualFigures.views.dropFirst().compactMap { metric in
            guard let figure = metrics.figure(metric), metrics.value(metric) ?? 0 > 0 else { return nil }
            let words = MetricText.words(metric).replacing("views ", with: "").replacing(" views", with: "")
            return (MetricText.title(metric), words, figure)
        }
    }

    private var viewsSentence: Phrase {
        guard let views = metrics.figure("views"), let fresh = metrics.figure("share_fresh"),
            metrics.value("views") != 0
        else { return "No view was counted." }
        var phrase: Phrase = "People looked at widgets \(views) times: \(fresh) of what they saw was fresh"
        for way in notFresh { phrase += ", \(way.figure) \(way.words)" }
        if let half = metrics.figure("age_p50_s"), let most = metrics.figure("age_p95_s") {
            phrase += ". Half of the content was younger than \(half), 95\u{A0}% younger than \(most)"
        }
        return phrase + "."
    }

    /// The sentence about the service, or else about the use of budgets.
    private var useSentence: Phrase {
        if let served = metrics.figure("service.share_served") {
            var phrase: Phrase = "The service answered \(served) of the requests with content in time"
            if let p99 = metrics.figure("service.response_time_p99_s") {
                phrase += "; 99\u{A0}% of the answers took at most \(p99)"
            }
            if let shed = metrics.figure("service.share_shed"), metrics.value("service.share_shed") ?? 0 > 0 {
                phrase += ", and \(shed) of what reached the origin was shed"
            }
            if let well = metrics.figure("service.share_reloads_ended_well") {
                phrase += ". Of the reloads \(well) brought a timeline"
            }
            return phrase + "."
        }
        guard let charged = metrics.figure("reloads_charged_per_instance_day"),
            let free = metrics.figure("reloads_free_per_instance_day")
        else { return "" }
        var phrase: Phrase = "A widget reloaded \(charged) times a day on its budget and \(free) times free"
        if let expired = metrics.figure("share_tokens_expired") {
            phrase += "; \(expired) of the tokens expired unused"
        }
        return phrase + "."
    }
}

/// Causes of requests in words.
enum CauseText {
    static func words(_ cause: String) -> String {
        switch cause {
        case "after": "reload dates"
        case "at_end": "ends of timelines"
        case "first": "first reloads"
        case "environment": "environment changes"
        case "app_open": "openings of apps"
        case "app_call": "calls by apps"
        case "app_trigger": "triggers of apps"
        case "backoff": "reloads after failures"
        case "retry": "further tries"
        case "user_session": "sessions"
        case "location": "changes of place"
        case "interaction": "buttons"
        case "push": "pushes"
        case "stale_on_view": "stale content seen"
        case "background": "requests from outside"
        case "background_fetch": "background fetches"
        default: cause.replacing("_", with: " ")
        }
    }
}

/// The load in other draws of the fleet, and for the people that those of the run stand for.
extension RunPage {
    /// The load of each hour in other draws, in requests a second.
    func hours() throws(OutputProblem) -> Frame? {
        let names = ["redraw_p2_5", "redraw_p97_5", "represented", "represented_p2_5", "represented_p97_5"]
        guard
            let table = try source.tableIfPresent(
                "load_hours.csv", [.number("start_s")] + names.map { .amount($0 + "_requests") })
        else { return nil }
        let rows = table.rows.filter { $0.number("start_s").map { $0 >= 0 && $0 < facts.seconds } ?? false }
        let starts = rows.map { $0.number("start_s") ?? 0 }
        func column(_ name: String, _ cells: String, _ paint: Paint? = nil, as mark: Mark? = nil) -> Frame.Column {
            // The last hour may be shorter.
            let rates = zip(rows, starts).map { row, start in
                row.number(cells + "_requests").map { $0 / min(3_600, facts.seconds - start) }
            }
            return Frame.Column(name, rates, .number, paint, as: mark)
        }
        let x = Scale.linear(0, Double(rows.count) * 3_600)
        return Frame(
            "from (\(clock.zone))", starts.map { clock.text($0) },
            [
                column("mean a second", "represented", .series(0)),
                column("2.5 % of draws", "represented_p2_5", as: .low),
                column("97.5 %", "represented_p97_5", as: .high), column(Self.redraws.low, "redraw_p2_5"),
                column(Self.redraws.high, "redraw_p97_5"),
            ], axis: .columns(x, clock.ticks(on: x)), source: table.file)
    }

    private static let redraws = (low: "2.5 % of as many people", high: "97.5 % of as many")

    /// The range of each hour's mean in other draws of the fleet, at its middle.
    func redraws(_ hours: Frame?) -> [PlotInterval] {
        (hours?.rows ?? []).compactMap { hour in
            guard let low = hour.value(Self.redraws.low), let high = hour.value(Self.redraws.high) else { return nil }
            let from = Double(hour.place) * 3_600
            return PlotInterval(x: (from + min(from + 3_600, facts.seconds)) / 2, low: low, high: high)
        }
    }

    /// The load of all people stood for: the mean of every hour with its band.
    func representedChart(_ hours: Frame?) throws(OutputProblem) -> Chart? {
        guard let peaks = try representedPeaks(), let hours, hours.sum("97.5 %") > 0 else { return nil }
        let count = FigureLabel.grouped(peaks.people, decimals: 0)
        return Chart(
            "load-represented", hours, .estimates,
            says:
                "\(FigureLabel.grouped(Double(facts.people), decimals: 0)) simulated people stand for \(count): requests a second of each hour, with the range of 95 % of draws of people. In half of them the largest second has \(peaks.middle.text) at most; the largest windows do not grow in proportion to people.",
            finding:
                "For \(count) people the largest second has \(peaks.low.text) to \(peaks.high.text) requests",
            isWide: true
        ) { $0.behind = incidents.shades }
    }

    /// The largest windows for the people stood for.
    func representedWindows() throws(OutputProblem) -> Chart? {
        guard let peaks = try representedPeaks() else { return nil }
        let rows = peaks.table.frame(
            "largest window", of: peaks.rows,
            [
                .cell("represented_p50_requests", "half of the draws", .number, .series(0)),
                .cell("represented_p2_5_requests", "2.5 %", as: .low),
                .cell("represented_p97_5_requests", "97.5 %", as: .high),
            ]
        ) { Self.windowName(Int($0["window_s"]) ?? 0) }
        return Chart(
            "peaks-represented", rows, .estimates,
            says:
                "Requests in the largest window of each width on a logarithmic axis, with the range of 95 % of draws of people.",
            finding:
                "The largest windows of \(FigureLabel.grouped(peaks.people, decimals: 0)) people: a second has \(peaks.middle.text) in half of the draws"
        ) { $0.isLogarithmic = true }
    }

    /// The rows of the largest windows for the people stood for, and the figures of the largest second.
    private func representedPeaks() throws(OutputProblem) -> RepresentedPeaks? {
        let columns: [ResultColumn] = [
            "stage", "endpoint", .count("window_s"), "represented_people", .amount("represented_p2_5_requests"),
            .amount("represented_p50_requests"), .amount("represented_p97_5_requests"),
        ]
        guard let table = try source.tableIfPresent("load_peaks.csv", columns) else { return nil }
        let rows = table.rows(["stage": "edge", "endpoint": "*"]).filter {
            $0.number("represented_p50_requests") != nil
        }
        guard let width = rows.first?["window_s"],
            let second = table.row(["stage": "edge", "endpoint": "*", "window_s": width]),
            let people = Double(second["represented_people"]),
            let middle = second.figure("represented_p50_requests"),
            let low = second.figure("represented_p2_5_requests"),
            let high = second.figure("represented_p97_5_requests")
        else { return nil }
        return RepresentedPeaks(table: table, rows: rows, people: people, middle: middle, low: low, high: high)
    }

    /// How many people those of the run stand for; nil if that is themselves.
    static func representedPeople(_ source: PageSource) throws(OutputProblem) -> Int? {
        try source.tableIfPresent("load_peaks.csv", ["represented_people"])?.rows.first.flatMap {
            Int($0["represented_people"])
        }
    }

    /// How many people's load it is where those simulated stand for them before a service; nil where it is their own.
    func peopleBeforeService() throws(OutputProblem) -> Figure? {
        let columns: [ResultColumn] = [
            "stage", "endpoint", .amount("represented_people"), .amount("represented_p50_requests"),
        ]
        guard try source.tableIfPresent("service_latencies.csv", ["pool"]) != nil,
            let table = try source.tableIfPresent("load_peaks.csv", columns),
            let row = table.row(["stage": "edge", "endpoint": "*"]), row.number("represented_p50_requests") == nil
        else { return nil }
        return row.figure("represented_people", .number)
    }

    /// The sentence that the simulated people say of those whom they stand for; empty if these are they themselves.
    func representedSentence() throws(OutputProblem) -> Phrase {
        guard let peaks = try representedPeaks() else { return "" }
        return
            " They stand for \(FigureLabel.grouped(peaks.people, decimals: 0)) people, whose largest second has \(peaks.low) to \(peaks.high) requests in 95\u{A0}% of draws of people."
    }
}

/// The largest windows for the people stood for.
private struct RepresentedPeaks {
    let table: PageTable
    let rows: [PageRow]
    let people: Double
    /// Those of the largest second.
    let middle, low, high: Figure
}
