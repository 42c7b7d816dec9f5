/// The load-duration curve: how many of the busiest aligned windows of a width bring at least so many requests.
struct LoadDuration: Sendable {
    struct Point: Hashable, Sendable {
        /// The windows with most requests, so many.
        let windows: Int
        /// The least of any of them.
        let requests: Int64
    }

    let width: LoadWindow
    /// All aligned windows of the report.
    let windows: Int
    /// From the one busiest window to all of them.
    let points: [Point]

    init(_ width: LoadWindow, _ counts: AlignedCounts) {
        self.width = width
        windows = counts.count
        let ranks = Self.ranks(of: counts.count)
        // The busiest windows are those of the highest ranks.
        let ranked = counts.ranked(ranks.reversed().map { counts.count - $0 + 1 })
        points = zip(ranks, ranked.reversed()).map { Point(windows: $0, requests: $1!) }
    }

    /// Where the curve is told: at 1, 2, 3, 5 and 7 windows and their tens, and at every hundredth of all.
    private static func ranks(of count: Int) -> [Int] {
        if count == 0 { return [] }
        var ranks: Set<Int> = []
        var unit = 1
        while unit <= count {
            for step in [1, 2, 3, 5, 7] where step * unit <= count { ranks.insert(step * unit) }
            unit *= 10
        }
        for percent in 1...100 { ranks.insert((count * percent + 99) / 100) }
        return ranks.sorted()
    }
}
