/// A distribution of values above 0 by some of its quantiles.
///
/// Between two of them the logarithm of the value is linear in the normal score of the probability, as a lognormal's is
/// everywhere; beyond the first and the last one it continues as next to them. Values at the probabilities 0 and 1 are
/// the least and the greatest.
public struct QuantileCurve: Hashable, Sendable {
    public struct Point: Hashable, Sendable {
        /// From 0 to 1.
        public var probability: Double
        /// Above 0.
        public var value: Double

        public init(probability: Double, value: Double) { (self.probability, self.value) = (probability, value) }
    }

    /// In order of their probabilities.
    public let points: [Point]

    public init(_ points: [Point]) { self.points = points.sorted { $0.probability < $1.probability } }

    /// Two quantiles at least between 0 and 1, whose values do not fall.
    func check() throws(DistributionProblem) {
        guard inner.count > 1 else {
            throw DistributionProblem(
                name: "quantiles", found: "\(inner.count)", expected: "at least two between the probabilities 0 and 1")
        }
        for point in points {
            try checkedPositive(point.value, "quantiles")
            let isEnd = point.probability == 0 || point.probability == 1
            if !isEnd { try checked(point.probability, "quantiles", in: 1e-12...1 - 1e-12) }
        }
        for (one, next) in zip(points, points.dropFirst()) {
            guard one.probability < next.probability, one.value <= next.value else {
                throw DistributionProblem(
                    name: "quantiles", found: "\(next.value) at \(next.probability)",
                    expected: "at least \(one.value), the quantile at \(one.probability)")
            }
        }
        // Where the ends are known, nothing is continued.
        if points[0].probability > 0 || points[points.count - 1].probability < 1 { try checkSlopes() }
    }

    /// The most by which the logarithm may rise for one step of the normal score: the sigma of the widest lognormal.
    private static let mostSlope = 20.0

    private func checkSlopes() throws(DistributionProblem) {
        for (one, next) in zip(inner, inner.dropFirst()) {
            let steps = Self.score(next) - Self.score(one)
            let rise = DeterministicMath.log(next.value) - DeterministicMath.log(one.value)
            guard steps > 1e-9, rise / steps <= Self.mostSlope else {
                throw DistributionProblem(
                    name: "quantiles",
                    found: "\(one.value) at \(one.probability) and \(next.value) at \(next.probability)",
                    expected:
                        "values that rise no more steeply than a lognormal of sigma \(Int(cutting: Self.mostSlope))")
            }
        }
    }

    private static func score(_ point: Point) -> Double { SpecialFunctions.normalQuantile(point.probability) }

    private var inner: [Point] { points.filter { $0.probability > 0 && $0.probability < 1 } }

    /// The least draw: 0 if none is stated.
    var least: Double { points.first.flatMap { $0.probability == 0 ? $0.value : nil } ?? 0 }
    private var greatest: Double { points.last.flatMap { $0.probability == 1 ? $0.value : nil } ?? .infinity }

    /// The draws as cells of a table, from those of the normal: a cubic where the logarithm is a line, else a line.
    func cells(from normal: QuantileTable) -> [QuantileTable.Cell] {
        let knots = inner.map {
            (score: Self.score($0), log: DeterministicMath.log($0.value))
        }
        let slopes = zip(knots, knots.dropFirst()).map { ($1.log - $0.log) / ($1.score - $0.score) }
        let (least, greatest) = (least, greatest)
        func segment(_ score: Double) -> Int {
            max(0, min(slopes.count - 1, (knots.firstIndex { score < $0.score } ?? knots.count) - 1))
        }
        func value(_ score: Double) -> Double {
            let at = segment(score)
            return min(
                greatest, max(least, DeterministicMath.exp(knots[at].log + slopes[at] * (score - knots[at].score))))
        }
        return (0..<(2 * QuantileTable.cellsPerTail)).map { index in
            let cell = normal.cells[index]
            let (from, to) = (cell.value(0), cell.value(0x1p32))
            let (first, last) = (value(from), value(to))
            let isSmooth =
                segment(min(from, to)) == segment(max(from, to)) && min(first, last) > least
                && max(first, last) < greatest
            guard isSmooth, first != last else { return QuantileTable.line(from: first, to: last) }
            return QuantileTable.cubic(through: QuantileTable.places.map { value(cell.value($0 * 0x1p32)) })
        }
    }

    /// The mean of a power, 1 or 2, of the draws: by the table's own cells, so that it is what is drawn.
    public func moment(_ power: Int) -> Double {
        var sum = 0.0
        for (index, cell) in cells(from: StandardTables().normal).enumerated() {
            let octave = index % QuantileTable.cellsPerTail / QuantileTable.cellsPerOctave
            let mass =
                Double(sign: .plus, exponent: -(octave + 2), significand: 1) / Double(QuantileTable.cellsPerOctave)
            // Gauss's rule with three places, exact up to the fifth power.
            for (place, weight) in zip(Self.places, Self.weights) {
                let value = cell.value(place * 0x1p32)
                sum += mass * weight * (power == 1 ? value : value * value)
            }
        }
        return sum
    }

    private static let places = [0.1127016653792583, 0.5, 0.8872983346207417]
    private static let weights = [5.0 / 18, 8.0 / 18, 5.0 / 18]
}
