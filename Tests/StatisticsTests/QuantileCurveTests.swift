import Testing

@testable import Statistics

/// Distributions by quantiles draw these, and are the family that they were taken from.
@Suite struct QuantileCurveTests {
    private static func prepared(_ points: [(Double, Double)]) throws -> PreparedDistribution {
        var tables = StandardTables()
        return try distribution(points).prepared(with: &tables)
    }

    private static func distribution(_ points: [(Double, Double)]) -> Distribution {
        Distribution(.quantiles(QuantileCurve(points.map { QuantileCurve.Point(probability: $0.0, value: $0.1) })))
    }

    private static func number(_ probability: Double) -> UInt64 { UInt64(probability * 0x1p64) }

    @Test func `two quantiles of a lognormal draw that lognormal`() throws {
        var tables = StandardTables()
        let lognormal = try Distribution.lognormal(median: 40, p95: 90).prepared(with: &tables)
        let curve = try Self.prepared([(0.5, 40), (0.95, 90)])
        for probability in [1e-12, 1e-6, 0.001, 0.05, 0.31, 0.5, 0.77, 0.95, 0.999, 1 - 1e-6, 1 - 1e-12] {
            let (one, other) = (lognormal.draw(Self.number(probability)), curve.draw(Self.number(probability)))
            #expect((one / other - 1).magnitude < 1e-5, "\(one) and \(other) at \(probability)")
        }
        let (mean, wanted) = (
            try Self.distribution([(0.5, 40), (0.95, 90)]).mean(),
            try Distribution.lognormal(median: 40, p95: 90).mean()
        )
        #expect((mean / wanted - 1).magnitude < 1e-5)
    }

    @Test func `a quantile that is stated is drawn, within a cell of the table`() throws {
        let points = [(0.05, 1.0), (0.5, 2), (0.9, 50), (0.95, 60), (0.99, 400), (0.999, 900)]
        let curve = try Self.prepared(points)
        for (probability, value) in points {
            #expect((curve.draw(Self.number(probability)) / value - 1).magnitude < 0.03, "at \(probability)")
        }
    }

    @Test func `between known ends a step may be as steep as values have it`() throws {
        // A hit takes a millisecond, and a miss a second.
        let points = [(0.0, 0.0005), (0.2, 0.001), (0.5, 0.0011), (0.501, 0.9), (0.9, 1), (1, 1.5)]
        let curve = try Self.prepared(points)
        #expect(curve.draw(Self.number(0.3)) < 0.002 && curve.draw(Self.number(0.6)) > 0.89)
        #expect(curve.draw(0) >= 0.0005 && curve.draw(.max) <= 1.5)
        #expect(throws: DistributionProblem.self) { try Self.prepared(Array(points[1...])) }
    }

    @Test func `draws rise, however steep a step is`() throws {
        let curve = try Self.prepared([(0.1, 1.0), (0.5, 2), (0.6, 50), (0.95, 60), (0.99, 4_000)])
        var last = 0.0
        for step in 0..<200_000 {
            let draw = curve.draw(UInt64(step) * (UInt64.max / 200_000))
            if draw < last { Issue.record("\(draw) after \(last)") }
            last = draw
        }
    }

    @Test func `the quantiles 0 and 1 bound the draws`() throws {
        let curve = try Self.prepared([(0, 5), (0.5, 10), (0.9, 30), (1, 40)])
        #expect(curve.draw(0) == 5)
        #expect(curve.draw(.max) == 40)
        #expect(Self.distribution([(0, 5), (0.5, 10), (0.9, 30)]).leastDraw == 5)
    }

    @Test func `the mean and the variation are those of the draws`() throws {
        let points = [(0.0, 2.0), (0.2, 5), (0.5, 10), (0.9, 100), (1, 300)]
        let curve = try Self.prepared(points)
        var (sum, squares) = (0.0, 0.0)
        let count = 1_000_000
        for step in 0..<count {
            let draw = curve.draw(UInt64(step) * (UInt64.max / UInt64(count)) + UInt64.max / UInt64(2 * count))
            (sum, squares) = (sum + draw, squares + draw * draw)
        }
        let mean = sum / Double(count)
        #expect(try (Self.distribution(points).mean() / mean - 1).magnitude < 1e-4)
        guard case .quantiles(let stated) = Self.distribution(points).shape else { return }
        #expect((stated.moment(2) * Double(count) / squares - 1).magnitude < 1e-4)
    }

    @Test(arguments: [
        [(0.5, 1.0)], [(0.5, 2.0), (0.9, 1.0)], [(0.5, 0.0), (0.9, 1.0)], [(0.0, 1.0), (1.0, 2.0)],
        [(0.5, 1.0), (0.5, 2.0)], [(0.5, 1.0), (1.5, 2.0)], [(0.5, 1.0), (0.501, 2.0)],
        [(0.5, 1.0), (0.5000000000000001, 2.0)],
    ])
    func `fewer than two, and those that fall, are a problem`(points: [(Double, Double)]) {
        #expect(throws: DistributionProblem.self) { try Self.prepared(points) }
    }
}
