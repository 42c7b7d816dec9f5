import Basics
import ResultFiles

/// Bins of time in the columns of a plot: their sums, and the least and most of them, so that a peak cannot disappear.
struct TimeColumns {
    let reduction: ColumnReduction
    /// Seconds of a bin.
    let binWidth: Double
    /// The first second of the first bin, from the start of the report.
    private let from: Double
    private let clock: PageClock
    /// Whether all is so near that the date says nothing.
    private let isNear: Bool

    /// At most so many columns: fewer than a wide screen has pixels for.
    static let most = 720
    /// At most so many columns in charts of half the width.
    static let mostHalf = 360

    /// Numbers of minutes, or of tenths of a second, that make a column of a round length.
    static let roundMinutes = [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1_440]
    static let roundTenths = [1, 2, 5, 10, 20, 50, 100]

    init(
        bins: Int, binWidth: Double, from: Double = 0, most: Int, round: [Int] = roundMinutes, _ clock: PageClock,
        isNear: Bool = false
    ) {
        reduction = ColumnReduction(bins: bins, most: most, nice: round)
        (self.binWidth, self.from, self.clock, self.isNear) = (binWidth, from, clock, isNear)
    }

    /// The seconds of a column; the last one may be shorter.
    var width: Double { Double(reduction.width) * binWidth }
    var isReduced: Bool { reduction.width > 1 }

    /// When a column begins, by the page's clock.
    func start(_ column: Int) -> String {
        let second = from + Double(reduction.range(column).lowerBound) * binWidth
        return isNear ? LocalText.clock(clock.ticks.local(second), seconds: binWidth < 60) : clock.text(second)
    }

    func frame(_ columns: [Frame.Column], source: String) -> Frame {
        let x = Scale.linear(from, from + Double(reduction.bins) * binWidth)
        return Frame(
            "from (\(clock.zone))", (0..<reduction.columns).map(start), columns,
            axis: .columns(x, clock.ticks(on: x)), source: source)
    }

    /// The cells of a column of one table in their bins; nil where no row has one.
    ///
    /// - Parameter join: what two rows of one bin come to.
    func bins(_ rows: [PageRow], _ column: String, join: (Double, Double) -> Double = (+)) -> [Double?] {
        var bins = [Double?](repeating: nil, count: reduction.bins)
        guard let place = rows.first?.place("bin_start_s"), let its = rows.first?.place(column) else { return bins }
        for row in rows {
            guard let start = row.number(at: place), start >= 0, let value = row.number(at: its) else { continue }
            let bin = Int(cutting: start / binWidth)
            if bin < bins.count { bins[bin] = bins[bin].map { join($0, value) } ?? value }
        }
        return bins
    }

    /// Counts: added up in the table, a second in the drawing.
    func sum(_ name: String, _ bins: [Double?], _ paint: Paint? = nil, as mark: Mark? = nil) -> Frame.Column {
        let sums = reduced(bins) { $0.reduce(0) { $0 + ($1 ?? 0) } }
        let rates = sums.enumerated().map { column, sum in
            sum.map { $0 / (Double(reduction.range(column).count) * binWidth) }
        }
        return .counts(name, sums, drawn: rates, paint, as: mark)
    }

    /// The largest or the least count of a column's bins, a second in the drawing.
    func extreme(
        _ name: String, _ bins: [Double?], _ choose: ([Double]) -> Double?, _ paint: Paint? = nil,
        as mark: Mark? = nil
    ) -> Frame.Column {
        let counts = reduced(bins) { choose($0.compactMap { $0 }) }
        return .counts(name, counts, drawn: counts.map { $0.map { $0 / binWidth } }, paint, as: mark)
    }

    /// The largest value of a column's bins.
    func most(_ name: String, _ bins: [Double?], _ measure: Measure, _ paint: Paint? = nil) -> Frame.Column {
        Frame.Column(name, reduced(bins) { $0.compactMap { $0 }.max() }, measure, paint)
    }

    func reduced(_ bins: [Double?], _ body: (ArraySlice<Double?>) -> Double?) -> [Double?] {
        reduction.reduced(bins, body)
    }
}

extension PageClock {
    /// As many marks as have room.
    func ticks(on x: Scale) -> [WidthClass: [Tick]] {
        Dictionary(
            uniqueKeysWithValues: WidthClass.allCases.map { ($0, ticks.ticks(from: x.low, to: x.high, in: $0)) })
    }
}

extension TimeColumns {
    /// The largest and the least bin of each column, where columns have more than one.
    func extremes(_ bin: String, _ total: [Double?]) -> [Frame.Column] {
        if !isReduced { return [] }
        return [
            extreme("largest \(bin)", total, { $0.max() }, .faint, as: .columns),
            extreme("smallest \(bin)", total, { $0.min() }, .least, as: .steps),
        ]
    }

    /// All parts one upon another, and before them their sum and its rate.
    func stack(_ parts: PartedSeries, words: (String) -> String = { $0 }) -> [Frame.Column] {
        let requests = sum("requests", parts.total.map { Double($0) })
        return [requests, Frame.Column("a second", requests.values)]
            + parts.names.indices.map { sum(words(parts.names[$0]), parts.values($0), .series($0), as: .stack) }
    }
}

extension PartedSeries {
    /// A part's counts.
    func values(_ part: Int) -> [Double?] { counts[part].map { Double($0) } }
}
