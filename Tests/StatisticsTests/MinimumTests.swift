import Testing

@testable import Statistics

@Suite struct MinimumTests {
    @Test func `the bottom of Rosenbrock's valley is found from both sides`() {
        for start in [[-1.2, 1.0], [4.0, -3.0], [0, 0]] {
            let minimum = Minimum(
                of: { p in (1 - p[0]) * (1 - p[0]) + 100 * (p[1] - p[0] * p[0]) * (p[1] - p[0] * p[0]) }, from: start,
                steps: [0.5, 0.5],
                size: 1e-9)
            #expect(minimum.isFound)
            #expect(
                (minimum.point[0] - 1).magnitude < 1e-6 && (minimum.point[1] - 1).magnitude < 1e-6,
                "from \(start): \(minimum.point)")
            #expect(minimum.value < 1e-12)
        }
    }

    @Test func `a bowl in four dimensions, and one number alone`() {
        func height(_ point: [Double]) -> Double {
            var sum = 7.0
            for axis in 0..<4 {
                let distance = point[axis] - Double(axis)
                sum += Double(axis + 1) * distance * distance
            }
            return sum
        }
        let bowl = Minimum(of: height, from: [9, 9, 9, 9], steps: [1, 1, 1, 1])
        for axis in 0..<4 { #expect((bowl.point[axis] - Double(axis)).magnitude < 1e-4, "\(bowl.point)") }
        #expect((bowl.value - 7).magnitude < 1e-8)
        let line = Minimum(of: { DeterministicMath.exp($0[0]) - 3 * $0[0] }, from: [0], steps: [1])
        #expect((line.point[0] - DeterministicMath.log(3)).magnitude < 1e-5)
    }

    @Test func `where the function is no number the search turns back`() {
        let minimum = Minimum(of: { $0[0] <= 0 ? .nan : $0[0] - DeterministicMath.log($0[0]) }, from: [5], steps: [4])
        #expect((minimum.point[0] - 1).magnitude < 1e-4)
    }

    /// Values of SciPy 1.x.
    @Test func `special functions have their known values`() {
        #expect((SpecialFunctions.logGamma(14.7) - 24.392041005868712).magnitude < 1e-12)
        #expect((SpecialFunctions.logNormalBelow(-9.5) + 48.30601929896523).magnitude < 1e-10)
        #expect((SpecialFunctions.gammaBelow(70, shape: 3.1, mean: 80) - 0.4850562687157396).magnitude < 1e-12)
        #expect((SpecialFunctions.normalBelow(-0.5244005127080407) - 0.3).magnitude < 1e-14)
    }
}
