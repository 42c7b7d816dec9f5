import ResultFiles
import Basics
import Foundation

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
        for line in text.split(separator: "\n") where line.hasPrefix(key + ": ") {
            let value = line.dropFirst(key.count + 2)
            if !value.hasPrefix("\"") { return String(value) }
            // A text in double quotes is the same in JSON.
            do { return try JSONDecoder().decode([String].self, from: Data("[\(value)]".utf8)).first } catch {
                return nil
            }
        }
        return nil
    }
}
