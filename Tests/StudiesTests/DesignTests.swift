import Testing

@testable import Studies

@Suite struct LatinHypercubeTests {
    @Test(arguments: [1, 2, 7, 100, 4_096]) func `each stratum of each factor holds one point`(count: Int) {
        let points = LatinHypercube.points(count: count, dimensions: 9, seed: 4)
        #expect(points.count == count && points.allSatisfy { $0.count == 9 })
        for factor in 0..<9 {
            let strata = Set(points.map { Int($0[factor] * Double(count)) })
            #expect(strata == Set(0..<count), "factor \(factor)")
            #expect(points.allSatisfy { $0[factor] > 0 && $0[factor] < 1 })
        }
    }

    @Test func `a seed gives the same points, another seed others, and a further factor moves none`() {
        let points = LatinHypercube.points(count: 20, dimensions: 3, seed: 9)
        #expect(points == LatinHypercube.points(count: 20, dimensions: 3, seed: 9))
        #expect(points != LatinHypercube.points(count: 20, dimensions: 3, seed: 10))
        #expect(points == LatinHypercube.points(count: 20, dimensions: 4, seed: 9).map { Array($0.dropLast()) })
    }

    @Test func `factors are paired at random`() {
        let points = LatinHypercube.points(count: 10_000, dimensions: 2, seed: 1)
        let products = points.reduce(0) { $0 + ($1[0] - 0.5) * ($1[1] - 0.5) }
        #expect((products / 10_000 * 12).magnitude < 0.03, "a correlation of \(products / 10_000 * 12)")
    }

    @Test func `means of what adds over factors are far better than random ones`() {
        // Random points: a standard error of 0.29 × √5 / √500 = 0.029.
        for seed in 0..<20 as Range<UInt64> {
            let mean =
                LatinHypercube.points(count: 500, dimensions: 5, seed: seed).reduce(0) { $0 + $1.reduce(0, +) } / 500
            #expect((mean - 2.5).magnitude < 0.0005)
        }
    }
}

@Suite struct QuasiRandomTests {
    @Test func `without a seed the points are the sequence's`() {
        #expect(QuasiRandom.points(count: 3, dimensions: 2) == [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `shifted points stay stratified on every axis and in every plane of the first axes`(
        seed: UInt64
    ) {
        let points = QuasiRandom.points(count: 1_024, dimensions: 40, seed: seed)
        #expect(points.allSatisfy { $0.allSatisfy { $0 > 0 && $0 < 1 } })
        for axis in 0..<40 { #expect(Set(points.map { Int($0[axis] * 1_024) }).count == 1_024, "axis \(axis)") }
        // The first two axes are a (0, 2)-sequence: every cell of every shape holds one point.
        for exponent in 0...10 {
            let (wide, high) = (Double(1 << exponent), Double(1 << (10 - exponent)))
            #expect(Set(points.map { [Int($0[0] * wide), Int($0[1] * high)] }).count == 1_024, "\(wide) by \(high)")
        }
    }

    @Test func `a shifted point may lie anywhere, and another seed shifts otherwise`() {
        let firsts = (0..<2_000).map { QuasiRandom.points(count: 1, dimensions: 1, seed: $0)[0][0] }
        let mean = firsts.reduce(0, +) / 2_000
        #expect((mean - 0.5).magnitude < 0.02 && Set(firsts).count == 2_000)
    }
}
