import Testing

@testable import Statistics

@Suite struct SobolSequenceTests {
    /// The points of ACM algorithm 659 (Bratley and Fox 1988) in three dimensions, in Gray-code order.
    @Test func `the first points are the published ones`() {
        let published: [[Double]] = [
            [0.5, 0.5, 0.5], [0.75, 0.25, 0.75], [0.25, 0.75, 0.25], [0.375, 0.375, 0.625], [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.375],
            [0.125, 0.625, 0.875], [0.1875, 0.3125, 0.3125], [0.6875, 0.8125, 0.8125],
        ]
        var sequence = SobolSequence(dimensions: 3)
        for point in published { #expect(sequence.next() == point) }
        #expect(sequence.position == published.count)
    }

    @Test func `fewer dimensions are the leading ones of more, and sequences do not disturb each other`() {
        var wide = SobolSequence(dimensions: 40)
        var narrow = SobolSequence(dimensions: 7)
        for _ in 0..<100 { #expect(Array(wide.next().prefix(7)) == narrow.next()) }
    }

    @Test func `leaving points out is taking them unseen`() {
        var taken = SobolSequence(dimensions: 5)
        var skipped = SobolSequence(dimensions: 5)
        for _ in 0..<37 { _ = taken.next() }
        skipped.skip(37)
        #expect(taken.next() == skipped.next())
        #expect(skipped.position == 38)
    }

    /// The property of a net on every axis.
    @Test(arguments: [1, 4, 10])
    func `with the origin, a power of two of points takes every stratum of every axis once`(exponent: Int) {
        var sequence = SobolSequence(dimensions: SobolSequence.mostDimensions)
        let count = 1 << exponent
        var strata = [Set<Int>](repeating: [0], count: SobolSequence.mostDimensions)
        for _ in 1..<count {
            for (axis, coordinate) in sequence.next().enumerated() {
                strata[axis].insert(Int(coordinate * Double(count)))
            }
        }
        for axis in strata.indices { #expect(strata[axis] == Set(0..<count), "axis \(axis)") }
    }

    /// The star discrepancy, by its definition on the grid of the points' coordinates.
    private static func starDiscrepancy(_ points: [[Double]]) -> Double {
        let count = Double(points.count)
        let xs = points.map { $0[0] } + [1]
        let ys = points.map { $0[1] } + [1]
        var worst = 0.0
        for x in xs {
            for y in ys {
                var (inside, within) = (0, 0)
                for point in points {
                    if point[0] < x && point[1] < y { inside += 1 }
                    if point[0] <= x && point[1] <= y { within += 1 }
                }
                worst = max(worst, x * y - Double(inside) / count, Double(within) / count - x * y)
            }
        }
        return worst
    }

    @Test func `the star discrepancy in two dimensions falls like (log n)² over n`() {
        var bounds: [Double] = []
        for count in [15, 63, 255] {
            var sequence = SobolSequence(dimensions: 2)
            let discrepancy = Self.starDiscrepancy((0..<count).map { _ in sequence.next() })
            let logarithm = DeterministicMath.log(Double(count))
            bounds.append(discrepancy * Double(count) / (logarithm * logarithm))
        }
        #expect(bounds.allSatisfy { $0 < 0.5 }, "\(bounds)")
        #expect(bounds[2] < bounds[0] * 1.2, "\(bounds)")
    }

    @Test(arguments: [2, 6]) func `means of a smooth function have errors that fall almost with the number of points`(
        dimensions: Int
    ) {
        func error(_ count: Int) -> Double {
            var sequence = SobolSequence(dimensions: dimensions)
            var sum = 0.0
            for _ in 0..<count { sum += sequence.next().reduce(1) { $0 * (0.75 + 0.75 * $1 * $1) } }
            return (sum / Double(count) - 1).magnitude
        }
        let errors = [6, 10, 14].map { error((1 << $0) - 1) }
        // Sixteen times the points: a quarter of the error with random ones. At worst a tenth here.
        #expect(errors[1] < errors[0] / 10 && errors[2] < errors[1] / 10, "\(errors)")
    }
}
