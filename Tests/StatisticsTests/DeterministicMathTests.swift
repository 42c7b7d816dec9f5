import Basics
import Foundation
import Testing

@testable import Statistics

@Suite struct DeterministicMathTests {
    static func numbers(_ count: Int, in range: ClosedRange<Double>) -> [Double] {
        var stream = RandomStream(seed: 11, person: 0, purpose: .segment)
        return (0..<count).map { _ in range.lowerBound + (range.upperBound - range.lowerBound) * stream.nextUniform() }
    }

    static func worst(_ numbers: [Double], _ ours: (Double) -> Double, _ theirs: (Double) -> Double) -> Double {
        numbers.map { (ours($0) / theirs($0) - 1).magnitude }.max() ?? .nan
    }

    @Test(arguments: [-1022.0...1023.9, -30...30, -1...1])
    func `exp2 is within 1e-15 of the C library`(_ range: ClosedRange<Double>) {
        #expect(Self.worst(Self.numbers(100_000, in: range), DeterministicMath.exp2, { Foundation.exp2($0) }) < 1e-15)
    }

    @Test(arguments: [-707.9...707.9, -1...1])
    func `exp is within 1e-15 of the C library`(_ range: ClosedRange<Double>) {
        #expect(Self.worst(Self.numbers(100_000, in: range), DeterministicMath.exp, { Foundation.exp($0) }) < 1e-15)
    }

    @Test(arguments: [1e-5...1e5, 0.5...2, 0.9999...1.0001])
    func `log2 and log are within 1e-15 of the C library`(_ range: ClosedRange<Double>) {
        let numbers = Self.numbers(100_000, in: range)
        #expect(Self.worst(numbers, DeterministicMath.log2, { Foundation.log2($0) }) < 1e-15)
        #expect(Self.worst(numbers, DeterministicMath.log, { Foundation.log($0) }) < 1e-15)
    }

    @Test func `logarithms hold over all magnitudes`() {
        let numbers = (-1074...1023).map { Double(sign: .plus, exponent: $0, significand: 1.7) }.filter {
            $0.isFinite && $0 > 0
        }
        #expect(Self.worst(numbers, DeterministicMath.log2, { Foundation.log2($0) }) < 1e-15)
        #expect(Self.worst(numbers, DeterministicMath.log, { Foundation.log($0) }) < 1e-15)
    }

    @Test func `pow is within 1e-12 of the C library`() {
        var worst = 0.0
        for base in Self.numbers(300, in: 1e-3...1e3) {
            for exponent in Self.numbers(300, in: -100...100) {
                worst = max(
                    worst, (DeterministicMath.pow(base, exponent) / Foundation.pow(base, exponent) - 1).magnitude)
            }
        }
        #expect(worst < 1e-12)
        #expect(DeterministicMath.pow(0, 0.84) == 0 && DeterministicMath.pow(0, 0) == 1)
    }

    @Test func `whole powers of two are exact, down to the last subnormal`() {
        for exponent in -1074...1023 {
            #expect(DeterministicMath.exp2(Double(exponent)) == Double(sign: .plus, exponent: exponent, significand: 1))
        }
        for exponent in -1022...1023 {
            #expect(DeterministicMath.log2(Double(sign: .plus, exponent: exponent, significand: 1)) == Double(exponent))
        }
    }

    @Test func `overflow, underflow and what is not a number are what one expects`() {
        #expect(DeterministicMath.exp2(1024) == .infinity && DeterministicMath.exp2(.infinity) == .infinity)
        #expect(
            DeterministicMath.exp2(-1081) == 0 && DeterministicMath.exp2(-.infinity) == 0
                && DeterministicMath.exp2(.nan).isNaN)
        #expect(
            DeterministicMath.exp(1000) == .infinity && DeterministicMath.exp(-1000) == 0
                && DeterministicMath.exp(.nan).isNaN)
        #expect(
            DeterministicMath.log2(0) == -.infinity && DeterministicMath.log2(-1).isNaN
                && DeterministicMath.log2(.infinity) == .infinity)
        #expect(DeterministicMath.log(0) == -.infinity && DeterministicMath.log(.nan).isNaN)
    }

    /// Values computed once; the same bits are due on every processor and at every optimisation level.
    @Test func `results are pinned to the bit`() {
        var hash = FNV1a()
        for x in Self.numbers(10_000, in: -40...40) {
            hash.add(DeterministicMath.exp2(x).bitPattern)
            hash.add(DeterministicMath.exp(x).bitPattern)
            hash.add(DeterministicMath.log2(x.magnitude).bitPattern)
            hash.add(DeterministicMath.log(x.magnitude).bitPattern)
        }
        #expect(hash.value == 0x33e8_41a2_5990_08e2)
    }
}

@Suite struct CircleTests {
    @Test func `sines and cosines agree with the C library, and those of quarters are exact`() {
        for step in -4_000...4_000 {
            let turns = Double(step) / 1_999
            let (sine, cosine) = DeterministicMath.sineAndCosine(turns: turns)
            #expect(
                (sine - sin(2 * .pi * turns)).magnitude < 4e-15 && (cosine - cos(2 * .pi * turns)).magnitude < 4e-15,
                "\(turns) turns")
            #expect((sine * sine + cosine * cosine - 1).magnitude < 1e-15)
        }
        for (turns, sine, cosine) in [(0, 0, 1), (0.25, 1, 0), (0.5, 0, -1), (-0.25, -1, 0), (1, 0, 1)]
            as [(Double, Double, Double)]
        {
            #expect(DeterministicMath.sineAndCosine(turns: turns) == (sine, cosine))
        }
    }

    @Test func `arc sines agree with the C library`() {
        for step in 0...10_000 {
            let x = Double(step) / 10_000
            #expect((DeterministicMath.arcSine(x) - asin(x)).magnitude < 1e-14, "\(x)")
        }
    }
}
