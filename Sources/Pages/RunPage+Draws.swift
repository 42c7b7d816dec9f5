import Basics
import ResultFiles

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
