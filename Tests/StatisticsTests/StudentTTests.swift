import CGSL
import Testing

@testable import Statistics

@Suite struct StudentTTests {
    /// The table of percentage points in Fisher and Yates's manner, as every textbook prints it: three decimals.
    @Test func `quantiles are those of the printed tables`() {
        let printed: [(degrees: Double, p95: Double, p975: Double, p995: Double)] = [
            (1, 6.314, 12.706, 63.657), (2, 2.920, 4.303, 9.925), (3, 2.353, 3.182, 5.841), (4, 2.132, 2.776, 4.604),
            (5, 2.015, 2.571, 4.032), (9, 1.833, 2.262, 3.250), (10, 1.812, 2.228, 3.169), (20, 1.725, 2.086, 2.845),
            (30, 1.697, 2.042, 2.750), (60, 1.671, 2.000, 2.660), (120, 1.658, 1.980, 2.617),
            (1_000_000, 1.645, 1.960, 2.576),
        ]
        for row in printed {
            for (p, value) in [(0.95, row.p95), (0.975, row.p975), (0.995, row.p995)] {
                #expect(
                    (StudentT.quantile(p, degreesOfFreedom: row.degrees) - value).magnitude < 0.00051,
                    "\(p), \(row.degrees)")
            }
        }
    }

    /// Values of SciPy 1.x, and of the closed forms for one and two degrees.
    @Test func `quantiles are exact but for their rounding`() {
        #expect((StudentT.quantile(0.975, degreesOfFreedom: 7) - 2.364624251592784).magnitude < 5e-10)
        #expect((StudentT.quantile(0.75, degreesOfFreedom: 1) - 1).magnitude < 5e-10)
        #expect((StudentT.quantile(0.9, degreesOfFreedom: 2) - 0.8 / 0.18.squareRoot()).magnitude < 5e-10)
        #expect((SpecialFunctions.normalQuantile(0.975) - 1.959963984540054).magnitude < 5e-10)
    }

    @Test(arguments: [1, 1.5, 2, 3, 5, 9.7, 29, 100, 1e4, 1e6]) func `quantile and probability invert each other`(
        degrees: Double
    ) {
        for p in [1e-6, 0.001, 0.025, 0.2, 0.49, 0.5, 0.51, 0.9, 0.975, 0.9995] {
            let t = StudentT.quantile(p, degreesOfFreedom: degrees)
            #expect((StudentT.below(t, degreesOfFreedom: degrees) - p).magnitude < 1e-9, "\(p)")
            #expect((gsl_cdf_tdist_P(t, degrees) - p).magnitude < 1e-9, "\(p)")
            #expect((gsl_cdf_tdist_Q(t, degrees) - (1 - p)).magnitude < 1e-9, "\(p)")
        }
    }

    @Test func `the distribution is symmetric, and flatter with fewer degrees`() {
        for p in [0.0001, 0.025, 0.3] {
            #expect(StudentT.quantile(p, degreesOfFreedom: 4) == -StudentT.quantile(1 - p, degreesOfFreedom: 4))
        }
        #expect(StudentT.quantile(0.5, degreesOfFreedom: 3) == 0)
        let reaches = [1.0, 2, 3, 5, 10, 100, 1e6].map { StudentT.quantile(0.975, degreesOfFreedom: $0) }
        #expect(zip(reaches, reaches.dropFirst()).allSatisfy(>))
        #expect(reaches.last! > SpecialFunctions.normalQuantile(0.975))
    }

    @Test func `far tails keep their digits`() {
        // One degree: arctan(1/t)/π; ten thousand times as far, a ten thousandth of the probability.
        let near = StudentT.below(-1e4, degreesOfFreedom: 1)
        #expect((StudentT.below(-1e8, degreesOfFreedom: 1) / near * 1e4 - 1).magnitude < 1e-8)
        #expect(
            StudentT.below(-.infinity, degreesOfFreedom: 3) == 0 && StudentT.below(.infinity, degreesOfFreedom: 3) == 1)
    }
}
