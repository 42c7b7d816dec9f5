import ResultFiles
import Basics

/// The minutes round the largest second, by cause and region.
extension RunPage {
    func minutesChart(_ peaks: Peaks) throws(OutputProblem) -> ChartFigure? {
        guard let second = peaks.second else { return nil }
        let keys: [ResultColumn] = ["stage", "window_s", .number("start_s"), "region", "cause", .count("requests")]
        guard
            let table = try source.rows(
                "load_peak_minutes.csv", keys, where: ["stage": { $0 == "edge" }, "window_s": { $0 == "1" }])
        else {
            return nil
        }
        // The table has some minutes before and after; what lies further away is not of this second.
        let near = max(0, second.start - 3_600)...min(facts.seconds, second.start + 3_600)
        let starts = table.rows.compactMap { $0.number("start_s") }.filter { near.contains($0) }
        guard let first = starts.min(), let last = starts.max() else { return nil }
        let minutes = Int(cutting: (last - first) / 60) + 1
        var (causes, regions) = (PartedSeries(bins: minutes), PartedSeries(bins: minutes))
        for row in table.rows {
            guard let start = row.number("start_s"), (first...last).contains(start) else { continue }
            let minute = Int(cutting: (start - first) / 60)
            causes.add(row.count("requests"), part: causes.place(of: row["cause"]), bin: minute)
            regions.add(row.count("requests"), part: regions.place(of: row["region"]), bin: minute)
        }
        for series in [causes, regions] { try series.check(source.name + "/load_peak_minutes.csv") }
        let (parts, places) = (
            causes.largest(Paint.seriesCount, others: "others"), regions.largest(regions.names.count, others: "")
        )
        let total = (0..<minutes).map { minute in causes.counts.reduce(0) { $0 + $1[minute] } }
        let x = Scale.linear(first, last + 60)
        let yTicks = Ticks.upTo(Double(total.max() ?? 0))
        var plot = Plot(
            height: 200, x: x, y: Scale.linear(0, yTicks[yTicks.count - 1].value), xTicks: clockTicks(x), yTicks: yTicks
        )
        plot.layers = stack(parts.counts, [Double](repeating: 1, count: minutes))
        let names = parts.names.map(CauseText.words)
        return ChartFigure(
            "peak-minutes",
            title: minutesTitle(
                causes, total, at: min(max(Int(cutting: (second.start - first) / 60), 0), minutes - 1), from: first),
            description: "Requests at the edge in each minute round the largest second, by cause.", plot,
            legend: names.enumerated().map { ($1, Paint.series($0)) },
            table: ChartTable(
                columns: ["from (\(clock.zone))", "requests"] + names + (places.names.count > 1 ? places.names : []),
                rows: (0..<minutes).map { minute in
                    [LocalText.clock(clock.ticks.local(first + Double(60 * minute))), "\(total[minute])"]
                        + parts.counts.map { "\($0[minute])" }
                        + (places.names.count > 1 ? places.counts.map { "\($0[minute])" } : [])
                }, source: "load_peak_minutes.csv", followsPlot: true))
    }

    /// How the minute of the largest second stands out, and which cause makes it so.
    private func minutesTitle(_ causes: PartedSeries, _ total: [Int64], at minute: Int, from first: Double) -> String {
        let clock = LocalText.clock(clock.ticks.local(first + Double(60 * minute)))
        let here =
            "The minute of the largest second, \(clock), has \(FigureLabel.grouped(Double(total[minute]), decimals: 0)) requests"
        func usual(_ counts: [Int64]) -> Int64 { counts.sorted()[counts.count / 2] }
        let surplus = causes.counts.map { $0[minute] - usual($0) }
        guard total[minute] > usual(total), let most = surplus.indices.max(by: { surplus[$0] < surplus[$1] }),
            surplus[most] > 0
        else { return here }
        return here
            + ", the usual one round it \(FigureLabel.grouped(Double(usual(total)), decimals: 0)): most comes on top by \(CauseText.words(causes.names[most]))"
    }
}
