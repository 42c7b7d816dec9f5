import Basics
import ResultFiles

/// An hour of the load with its ranges in other draws, in requests a second.
struct LoadHourRange {
    /// At the middle of the hour, seconds from the start of the report.
    let redraw, represented: PlotInterval?
    /// For all people stood for.
    let mean: PlotPoint?
}

/// The load in other draws of the fleet, and for the people that those of the run stand for.
extension RunPage {
    func hours() throws(OutputProblem) -> [LoadHourRange] {
        let names = ["redraw_p2_5", "redraw_p97_5", "represented", "represented_p2_5", "represented_p97_5"]
        let columns = names.map { ResultColumn.amount($0 + "_requests") }
        guard
            let table = try source.tableIfPresent(
                "load_hours.csv", [.number("start_s"), .count("requests")] + columns)
        else { return [] }
        return table.rows.compactMap { row in
            guard let start = row.number("start_s"), start >= 0, start < facts.seconds else { return nil }
            // The last hour may be shorter.
            let length = min(3_600, facts.seconds - start)
            let middle = start + length / 2
            func interval(_ low: String, _ high: String) -> PlotInterval? {
                guard let low = row.number(low), let high = row.number(high) else { return nil }
                return PlotInterval(middle, low: low / length, high: high / length)
            }
            return LoadHourRange(
                redraw: interval("redraw_p2_5_requests", "redraw_p97_5_requests"),
                represented: interval("represented_p2_5_requests", "represented_p97_5_requests"),
                mean: row.number("represented_requests").map { PlotPoint(middle, $0 / length) })
        }
    }

    /// The load of all people stood for: the mean of every hour with its band, and the largest windows.
    func representedChart(_ hours: [LoadHourRange]) throws(OutputProblem) -> ChartFigure? {
        let (band, line) = (hours.compactMap(\.represented), hours.compactMap(\.mean))
        guard let most = band.map(\.high).max(), most > 0, let peaks = try representedPeaks() else { return nil }
        let (people, middle, low, high) = (peaks.people, peaks.middle, peaks.low, peaks.high)
        let x = Scale.linear(0, Double(load.bins) * load.binWidth)
        let yTicks = Ticks.upTo(most)
        var plot = Plot(
            height: 200, x: x, y: Scale.linear(0, yTicks[yTicks.count - 1].value), xTicks: clockTicks(x), yTicks: yTicks
        )
        plot.layers = [.band(band, .series(0)), .line(line, .series(0))]
        let count = FigureLabel.grouped(people, decimals: 0)
        return ChartFigure(
            "load-represented",
            title: "For \(count) people the largest second has \(low.text) to \(high.text) requests",
            description:
                "\(FigureLabel.grouped(Double(facts.people), decimals: 0)) simulated people stand for \(count): requests a second of each hour, with the range of 95 % of draws of people. In half of them the largest second has \(middle.text) at most; the largest windows do not grow in proportion to people.",
            plot, legend: [("mean of the hour, and 95 % of draws of people", .series(0))],
            table: ChartTable(
                columns: ["largest window", "2.5 %", "half of the draws", "97.5 %"],
                rows: peaks.rows.map { row in
                    [Self.windowName(Int(row["window_s"]) ?? 0)]
                        + ["represented_p2_5_requests", "represented_p50_requests", "represented_p97_5_requests"].map {
                            row[$0]
                        }
                }, source: "load_peaks.csv, load_hours.csv"))
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
        guard let second = rows.first, let people = Double(second["represented_people"]),
            let middle = second.figure("represented_p50_requests"),
            let low = second.figure("represented_p2_5_requests"),
            let high = second.figure("represented_p97_5_requests")
        else { return nil }
        return RepresentedPeaks(rows: rows, people: people, middle: middle, low: low, high: high)
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
    let rows: [PageRow]
    let people: Double
    /// Those of the largest second.
    let middle, low, high: Figure
}
