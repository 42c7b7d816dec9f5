import ResultFiles
import Basics

/// The minutes round the largest second, by cause and region.
extension RunPage {
    func minutesChart(_ peaks: Peaks) throws(OutputProblem) -> Chart? {
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
        let time = TimeColumns(bins: minutes, binWidth: 60, from: first, most: minutes, clock, isNear: true)
        let places = regions.largest(regions.names.count, others: "")
        let frame = time.frame(
            time.stack(causes.largest(Paint.seriesCount, others: "others"), words: CauseText.words)
                + (places.names.count > 1
                    ? places.names.indices.map { time.sum(places.names[$0], places.values($0)) } : []),
            source: "load_peak_minutes.csv")
        let minute = min(max(Int(cutting: (second.start - first) / 60), 0), minutes - 1)
        return Chart(
            "peak-minutes", frame, .stack,
            says: "Requests a second at the edge in each minute round the largest second, by cause.",
            finding: minutesTitle(causes, at: minute, time.start(minute))
        ) { $0.behind = incidents.shades }
    }

    /// How the minute of the largest second stands out, and which cause makes it so.
    private func minutesTitle(_ causes: PartedSeries, at minute: Int, _ start: String) -> String {
        let total = causes.total
        let here =
            "The minute of the largest second, \(start), has \(FigureLabel.grouped(Double(total[minute]), decimals: 0)) requests"
        func usual(_ counts: [Int64]) -> Int64 { counts.sorted()[counts.count / 2] }
        let surplus = causes.counts.map { $0[minute] - usual($0) }
        guard total[minute] > usual(total), let most = surplus.indices.max(by: { surplus[$0] < surplus[$1] }),
            surplus[most] > 0
        else { return here }
        return here
            + ", the usual one round it \(FigureLabel.grouped(Double(usual(total)), decimals: 0)): most comes on top by \(CauseText.words(causes.names[most]))"
    }
}
