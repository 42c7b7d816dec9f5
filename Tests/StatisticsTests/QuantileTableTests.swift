import CGSL
import Testing

@testable import Statistics

@Suite struct QuantileTableTests {
    static let shapes: [StandardShape] =
        [.exponential, .normal]
        + [0.2, 0.5, 0.73, 1, 1.5, 3.1, 14.5, 100, 1000].map { .gamma(shape: $0) }
        + [1, 2, 3.1, 6.5, 30, 31, 100, 10_000].map { .studentT(degrees: $0) }
        + lognormals
    /// Made from the normal's table, and not from GSL's quantiles.
    static let lognormals: [StandardShape] = [0.01, 0.05, 0.3, 0.5, 1, 1.7, 2].map { .lognormal(sigma: $0) }

    /// Numbers whose lesser tail covers every octave, by a fixed generator that is not the one under test.
    static func tailNumbers(perOctave count: Int) -> [UInt64] {
        var state: UInt64 = 88_172_645_463_325_252
        var numbers: [UInt64] = [0, 1, 2, 3]
        for octave in 1..<64 as Range<UInt64> {
            for _ in 0..<count {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                numbers.append((state | 1 << 63) >> octave)
            }
        }
        return numbers
    }

    @Test(arguments: shapes)
    func `the tail beyond a draw is what its number says, within 1e-6 of itself, both tails`(_ shape: StandardShape)
        throws
    {
        var tables = StandardTables()
        let table = try tables.table(for: shape)
        var worst = 0.0
        for u in Self.tailNumbers(perOctave: 200) {
            let t = (Double(u) + 0.5) * 0x1p-64
            worst = max(worst, (shape.probability(.lower, beyond: table(u)) / t - 1).magnitude)
            worst = max(worst, (shape.probability(.upper, beyond: table(~u)) / t - 1).magnitude)
        }
        #expect(worst < 1e-6)
        // The errors that the documentation states for the shapes of the calibration.
        if [
            .exponential, .normal, .gamma(shape: 0.73), .gamma(shape: 3.1), .studentT(degrees: 3.1),
            .studentT(degrees: 6.5),
        ].contains(
            shape)
        {
            #expect(worst < 1e-7)
        }
    }

    @Test(arguments: shapes)
    func `a greater number never gives a smaller draw`(_ shape: StandardShape) throws {
        var tables = StandardTables()
        let table = try tables.table(for: shape)
        // Neighbours anywhere, and at the seams of octaves and cells.
        var numbers = Self.tailNumbers(perOctave: 60)
        for octave in 1...64 as ClosedRange<UInt64> {
            for cell in 16..<32 as Range<UInt64> { numbers.append((cell << 59) >> octave) }
        }
        numbers += numbers.flatMap { [$0 &- 1, $0 &+ 1] as [UInt64] }
        numbers += numbers.map { ~$0 }
        numbers.sort()
        for (u, v) in zip(numbers, numbers.dropFirst()) where table(u) > table(v) {
            Issue.record("\(shape.name): \(u) gives \(table(u)), \(v) gives \(table(v))")
        }
    }

    @Test func `draws end where the documentation says`() {
        let tables = StandardTables()
        #expect((tables.normal(0) + 9.15).magnitude < 0.01 && (tables.normal(.max) - 9.15).magnitude < 0.01)
        #expect((tables.exponential(.max) - 45.05).magnitude < 0.01)
        #expect(tables.exponential(0) > 0)
    }

    @Test(arguments: [StandardShape.normal, .studentT(degrees: 3.1)])
    func `symmetric shapes mirror exactly`(_ shape: StandardShape) throws {
        var tables = StandardTables()
        let table = try tables.table(for: shape)
        for u in Self.tailNumbers(perOctave: 20) { #expect(table(u) == -table(~u)) }
    }

    @Test(arguments: shapes.filter { !lognormals.contains($0) })
    func `no quantile of a table lies near a boundary of its grid`(_ shape: StandardShape) throws {
        let grid = try QuantileTable.make(shape).grid
        var checked = 0
        for tail in Tail.allCases {
            for exponent in -65...(-2) {
                let t = Double(sign: .plus, exponent: exponent, significand: 1.3125)
                let x = shape.quantile(tail, t)
                #expect(grid.distanceToBoundary(x) > 1e-14)
                let rounded = grid.rounded(x)
                #expect((rounded / x - 1).magnitude < 0x1p-28)
                checked += 1
            }
        }
        #expect(checked == 128)
    }

    /// Each quantile is found from the one before in place of GSL's own inverse, which finds it from nothing.
    @Test(arguments: [0.2, 0.37, 0.5, 0.73, 0.99, 1, 1.5, 2, 3, 3.1, 4, 7.7, 14.5, 100, 333, 1000])
    func `the quantiles of a gamma's table are those of GSL's inverse at every node`(shape: Double) throws {
        let shape = StandardShape.gamma(shape: shape)
        let grid = try QuantileTable.make(shape).grid
        var exact: [Double] = []
        for tail in Tail.allCases {
            let found = QuantileTable.quantiles(shape, tail)
            let own = (0..<64).flatMap { octave in
                (0..<16).flatMap { cell in
                    QuantileTable.places.map { shape.quantile(tail, QuantileTable.probability(octave, cell, $0)) }
                }
            }
            exact += own
            #expect(found.map(grid.rounded) == own.map(grid.rounded))
        }
        let expected = RoundingGrid.first(for: exact, margin: 1e-13)
        #expect(expected?.fractionBits == grid.fractionBits && expected?.hundredths == grid.hundredths)
    }

    @Test func `a lognormal's table gives the powers of the normal's draws`() throws {
        var tables = StandardTables()
        for hundredths in stride(from: 1, through: 200, by: 7) {
            let sigma = Double(hundredths) / 100
            let table = try tables.table(for: .lognormal(sigma: sigma))
            for u in Self.tailNumbers(perOctave: 3).flatMap({ [$0, ~$0] }) {
                let power = DeterministicMath.exp(sigma * tables.normal(u))
                #expect((table(u) / power - 1).magnitude < 2e-7, "sigma \(sigma), \(u)")
            }
        }
    }

    @Test func `a table that passes gives the draws of one that stays, and is in no bundle afterwards`() throws {
        let tables = StandardTables()
        for sigma in [0.7, 2.3] {
            let distribution = Distribution(.lognormal(median: 3, sigma: sigma))
            func draws(_ tables: inout StandardTables) throws -> [Double] {
                let prepared = try distribution.prepared(with: &tables)
                return Self.tailNumbers(perOctave: 2).map { prepared.draw($0) }
            }
            let passing = try tables.withPassingLognormal(sigma: sigma) { try draws(&$0) }
            var kept = tables
            #expect(try passing == draws(&kept))
        }
        #expect(tables.entries.count == 2)
    }

    @Test func `rounding to a grid keeps the sign and the power of two`() {
        for grid in RoundingGrid.all {
            for x in [1, -1, 0.5, 2 - 0x1p-52, -3.7, 1e-300] {
                let rounded = grid.rounded(x)
                #expect((rounded / x - 1).magnitude < 0x1p-28)
                #expect(grid.rounded(rounded) == rounded)
            }
            #expect(grid.rounded(0) == 0)
        }
    }

    /// A change here changes every result: a table of another make is another simulator.
    @Test func `the tables are the ones that results were computed with`() throws {
        var tables = StandardTables()
        #expect(tables.entries.map(\.hash) == [0x2981_9753_f1b8_cde9, 0x881b_d3ab_85a1_9905])
        let further: [(StandardShape, UInt64)] = [
            (.gamma(shape: 3.1), 0x7afd_89bf_0c37_1d99), (.gamma(shape: 0.73), 0x4770_ee43_2ae9_564f),
            (.lognormal(sigma: 0.5), 0x869a_2c9d_8ebe_8c1e), (.studentT(degrees: 3.1), 0x3f64_5fef_8431_b0cd),
            (.studentT(degrees: 6.5), 0x7493_ae90_1d9f_9fad),
        ]
        for (shape, hash) in further {
            _ = try tables.table(for: shape)
            #expect(tables.entries.last?.hash == hash, "\(shape.name)")
        }
    }

    @Test func `the fingerprint depends on the shapes, not on their order`() throws {
        var one = StandardTables()
        var other = StandardTables()
        let bare = one.fingerprint
        _ = try one.table(for: .gamma(shape: 2))
        _ = try one.table(for: .gamma(shape: 3))
        _ = try other.table(for: .gamma(shape: 3))
        _ = try other.table(for: .gamma(shape: 2))
        _ = try other.table(for: .gamma(shape: 3))
        #expect(one.fingerprint == other.fingerprint && one.fingerprint != bare)
        #expect(other.entries.count == 4)
    }

    @Test(arguments: [
        StandardShape.gamma(shape: 0), .gamma(shape: -1), .gamma(shape: .nan), .gamma(shape: .infinity),
        .gamma(shape: 0.19),
        .gamma(shape: 1001), .studentT(degrees: 0.9), .studentT(degrees: .nan), .studentT(degrees: 1e9),
        .lognormal(sigma: 0.009),
        .lognormal(sigma: 2.1), .lognormal(sigma: .nan),
    ])
    func `a shape parameter out of range is a problem`(_ shape: StandardShape) {
        var tables = StandardTables()
        #expect(throws: DistributionProblem.self) { try tables.table(for: shape) }
        #expect(tables.entries.count == 2)
    }

    @Test func `GSL returns what is not a number instead of aborting`() {
        _ = StandardTables()
        #expect(gsl_cdf_beta_Pinv(0.5, -1, 1).isNaN)
    }
}
