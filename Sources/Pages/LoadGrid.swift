import ResultFiles
import Basics

/// Counts in even bins over the report, in parts: by region, or by cause.
struct PartedSeries {
    private(set) var names: [String] = []
    /// By part, then by bin.
    private(set) var counts: [[Int64]] = []
    let bins: Int
    private var places: [String: Int] = [:]
    /// Whether more parts came than there is room for: what came beyond counts to the first part, and nothing of it may
    /// be shown.
    private(set) var isOverfull = false

    /// More parts, or more counts of all of them, than any table of a run has.
    static let mostNames = 10_000
    static let mostCounts = 64 << 20

    init(bins: Int) { self.bins = bins }

    /// The number of a part, which is made if it is new.
    mutating func place(of name: String) -> Int {
        if let place = places[name] { return place }
        if names.count >= Self.mostNames || (names.count + 1) * bins > Self.mostCounts, !names.isEmpty {
            isOverfull = true
            return 0
        }
        places[name] = names.count
        names.append(name)
        counts.append(Array(repeating: 0, count: bins))
        return names.count - 1
    }

    /// The sums over all parts, by bin.
    var total: [Int64] { (0..<bins).map { bin in counts.reduce(0) { $0 + $1[bin] } } }

    mutating func add(_ count: Int64, part: Int, bin: Int) { counts[part][bin] += count }

    /// Throws if a table has more parts than there is room for.
    func check(_ table: String) throws(OutputProblem) {
        if isOverfull {
            throw OutputProblem(
                "\(table): expected at most \(min(Self.mostNames, Self.mostCounts / max(1, bins))) parts of the load, found more"
            )
        }
    }

    /// The parts with most first; from a number of parts on those with least together under one name.
    func largest(_ most: Int, others: String) -> PartedSeries {
        let order = names.indices.map { (place: $0, sum: counts[$0].reduce(0, +)) }.sorted {
            ($0.sum, $1.place) > ($1.sum, $0.place)
        }.map(\.place)
        var parts = PartedSeries(bins: bins)
        let alone = order.count <= most ? order.count : most - 1
        for (rank, place) in order.enumerated() {
            let part = parts.place(of: rank < alone ? names[place] : others)
            for bin in 0..<bins { parts.counts[part][bin] += counts[place][bin] }
        }
        return parts
    }
}

/// The requests of `load.csv` in its bins.
struct LoadGrid {
    /// Seconds of a bin; the last one of a report may be shorter.
    let binWidth: Double
    let bins: Int
    let byRegion: PartedSeries
    /// From when on the local clock is how many seconds ahead of UTC.
    let clock: [(from: Double, offset: Double)]

    /// - Parameter seconds: the length of the report.
    init(_ source: PageSource, binWidth: Double, seconds: Double) throws(OutputProblem) {
        self.binWidth = binWidth
        let bins = max(1, Int(cutting: (seconds / binWidth).rounded(.up)))
        var regions = PartedSeries(bins: bins)
        var isBeyond = false
        var places: [Int] = []
        let file = try SeriesFile(
            source, "load.csv", keys: ["endpoint", "region", "cause", "first_cause"], count: "requests"
        ) { cells in
            places.append(regions.place(of: cells[1]))
        } row: { second, series, count in
            let bin = Int(cutting: second / binWidth)
            guard second >= 0, bin < bins else {
                isBeyond = true
                return
            }
            regions.add(count, part: places[series], bin: bin)
        }
        try regions.check(source.name + "/load.csv")
        if isBeyond { throw OutputProblem("\(source.name)/load.csv: a bin lies beyond the report") }
        (self.bins, byRegion, clock) = (bins, regions, file.clock)
    }
}
