import Testing

@testable import Studies

@Suite struct SaltelliDesignTests {
    @Test func `each base row is A, A with one factor of B in turn, and B`() {
        let design = SaltelliDesign(factors: 3, base: 16, seed: 1)
        #expect(design.points.count == 16 * 5)
        for row in 0..<16 {
            let points = Array(design.points[row * 5..<row * 5 + 5])
            for factor in 0..<3 {
                for other in 0..<3 { #expect(points[1 + factor][other] == points[other == factor ? 4 : 0][other]) }
            }
            #expect(!zip(points[0], points[4]).contains { $0 == $1 })
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Ishigami's indices are the known ones, within their intervals and within 0.01`(
        seed: UInt64
    ) throws {
        let design = SaltelliDesign(factors: 3, base: 2_048, seed: seed)
        let found = try #require(design.indices(of: design.points.map(TestFunction.ishigami.value)))
        // The published ones to four decimals.
        for (index, first, total) in [(0, 0.3139, 0.5576), (1, 0.4424, 0.4424), (2, 0, 0.2437)] {
            #expect((TestFunction.ishigami.first[index] - first).magnitude < 0.00005)
            #expect((TestFunction.ishigami.total[index] - total).magnitude < 0.00005)
            #expect(
                (found[index].first - first).magnitude < 0.01 && (found[index].total - total).magnitude < 0.01,
                "\(found)")
            #expect(try #require(found[index].firstInterval).contains(first), "\(found)")
            #expect(try #require(found[index].totalInterval).contains(total), "\(found)")
        }
    }

    @Test func `the g-function's indices are the closed forms`() throws {
        let design = SaltelliDesign(factors: 8, base: 2_048, seed: 1)
        let found = try #require(design.indices(of: design.points.map(TestFunction.g.value)))
        for (index, indices) in found.enumerated() {
            #expect(indices.factor == index)
            #expect((indices.first - TestFunction.g.first[index]).magnitude < 0.01, "\(indices)")
            #expect((indices.total - TestFunction.g.total[index]).magnitude < 0.01, "\(indices)")
            #expect(try #require(indices.firstInterval).contains(TestFunction.g.first[index]), "\(indices)")
            #expect(try #require(indices.totalInterval).contains(TestFunction.g.total[index]), "\(indices)")
        }
    }

    @Test func `of what adds over factors first and total order are the same, and sum to 1`() throws {
        let design = SaltelliDesign(factors: 3, base: 4_096, seed: 7)
        let found = try #require(design.indices(of: design.points.map { 3 * $0[0] + 2 * $0[1] + $0[2] }))
        for (indices, share) in zip(found, [9.0 / 14, 4.0 / 14, 1.0 / 14]) {
            #expect(
                (indices.first - share).magnitude < 0.002 && (indices.total - share).magnitude < 0.002, "\(indices)")
        }
        #expect((found.reduce(0) { $0 + $1.first } - 1).magnitude < 0.003)
    }

    @Test func `a factor that does nothing has exactly no share`() throws {
        let design = SaltelliDesign(factors: 2, base: 64, seed: 7)
        let found = try #require(design.indices(of: design.points.map { $0[0] }))
        #expect(found[1].first == 0 && found[1].total == 0)
        #expect(found[1].totalInterval == ConfidenceInterval(low: 0, high: 0))
    }

    @Test func `neither shift nor scale of the output changes an index`() throws {
        let design = SaltelliDesign(factors: 3, base: 256, seed: 2)
        let outputs = design.points.map(TestFunction.ishigami.value)
        let found = try #require(design.indices(of: outputs, resamples: 50))
        let moved = try #require(design.indices(of: outputs.map { 1e6 - 250 * $0 }, resamples: 50))
        for (indices, other) in zip(found, moved) {
            #expect((indices.first - other.first).magnitude < 1e-8 && (indices.total - other.total).magnitude < 1e-8)
            #expect(
                (try #require(indices.firstInterval).low - (try #require(other.firstInterval).low)).magnitude < 1e-8)
        }
    }

    @Test func `an output that is always the same has no indices`() {
        let design = SaltelliDesign(factors: 3, base: 8, seed: 1)
        #expect(design.indices(of: [Double](repeating: 0.1, count: 40)) == nil)
        // Only the crossed points differ: A and B have no variance to share.
        #expect(design.indices(of: (0..<40).map { $0 % 5 == 2 ? 1 : 0.1 }) == nil)
    }

    @Test func `two rows have no intervals where most resamples do not vary`() throws {
        let design = SaltelliDesign(factors: 1, base: 2, seed: 1)
        let found = try #require(design.indices(of: [1, 1, 1, 1, 1, 2]))
        #expect(found[0].firstInterval == nil)
    }

    /// The statement of the type's comment about its sequence.
    @Test func `errors are a fraction of those of Latin hypercubes, and fall faster than with the square root`() throws
    {
        func error(_ base: Int, _ seed: UInt64) throws -> Double {
            let design = SaltelliDesign(factors: 3, base: base, seed: seed)
            let found = try #require(design.indices(of: design.points.map(TestFunction.ishigami.value), resamples: 2))
            let squares = found.reduce(0) {
                let first = $1.first - TestFunction.ishigami.first[$1.factor]
                let total = $1.total - TestFunction.ishigami.total[$1.factor]
                return $0 + first * first + total * total
            }
            return squares / 6
        }
        let errors = try [256, 1_024, 4_096].map { base in
            try ((0..<30).reduce(0) { try $0 + error(base, $1) } / 30).squareRoot()
        }
        // Latin hypercubes have 0.052, 0.026, 0.0118.
        #expect(errors[0] < 0.035 && errors[1] < 0.013 && errors[2] < 0.0025, "\(errors)")
        #expect(errors[2] < errors[0] / 8, "\(errors)")
    }
}
