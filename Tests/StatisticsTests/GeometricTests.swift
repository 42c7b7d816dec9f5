import CGSL
import Testing

@testable import Statistics

@Suite struct GeometricTests {
    static let exponential = StandardTables().exponential

    @Test(arguments: [0.001, 0.05, 0.3, 0.5, 0.9, 0.999]) func `the probabilities are the geometric distribution's`(
        probability: Double
    ) {
        let geometric = Geometric(probability: probability, exponential: Self.exponential)
        var worst = 0.0
        for count in [1, 2, 3, 5, 10, 100, 2_000] as [UInt64] {
            // The number at which the draws leave `count` behind, by bisection: draws do not fall with it.
            var (low, high): (UInt64, UInt64) = (0, .max)
            while low < high {
                let middle = low + (high - low) / 2
                if geometric.draw(middle) > count { high = middle } else { low = middle + 1 }
            }
            worst = max(worst, (Double(low) * 0x1p-64 - gsl_cdf_geometric_P(UInt32(count), probability)).magnitude)
        }
        #expect(worst < 1e-6, "\(worst)")
    }

    @Test func `what always happens takes one trial, what never does takes all there are`() {
        for u in [0, 1 << 63, .max] as [UInt64] {
            #expect(Geometric(probability: 1, exponential: Self.exponential).draw(u) == 1)
            #expect(Geometric(probability: 1.7, exponential: Self.exponential).draw(u) == 1)
            #expect(Geometric(probability: 0, exponential: Self.exponential).draw(u) == 1 << 40)
        }
        #expect(Geometric(probability: 1e-30, exponential: Self.exponential).draw(.max) == 1 << 40)
    }
}
