import Basics
import Statistics
import Testing

@testable import RefreshService

/// Clients' behaviour after a failure (S3).
///
/// Rules: S3.
@Suite struct RetryPolicyTests {
    private func delays(_ backOff: BackOff, count: Int, u: (Int) -> Double) -> [Double] {
        var last = Duration.zero
        return (1...count).map { retry in
            last = backOff.delay(before: retry, after: last, u(retry))
            return last.inSeconds
        }
    }

    @Test func `delays double up to the cap`() {
        let backOff = BackOff.exponential(base: .seconds(1), factor: 2, cap: .seconds(5), jitter: .none)
        #expect(delays(backOff, count: 5) { _ in 0.9 } == [1, 2, 4, 5, 5])
    }

    @Test func `full jitter has half the exponential's mean and equal jitter three quarters`() {
        for (jitter, share) in [(BackOff.Jitter.full, 0.5), (.equal, 0.75)] {
            let backOff = BackOff.exponential(base: .seconds(8), factor: 2, cap: .seconds(100), jitter: jitter)
            var stream = RandomStream(seed: 7, person: 1, purpose: .retryDelay)
            let n = 100_000
            var sum = 0.0
            for _ in 0..<n { sum += backOff.delay(before: 2, after: .zero, stream.nextUniform()).inSeconds }
            // The widest spread is that of 16 s evenly, 4.6 s: five standard errors are 0.073 s.
            #expect(abs(sum / Double(n) - 16 * share) < 0.073)
        }
    }

    @Test func `decorrelated jitter has the stationary mean of its recursion`() {
        let backOff = BackOff.decorrelated(base: .seconds(5), cap: .seconds(2_000))
        var stream = RandomStream(seed: 7, person: 2, purpose: .retryDelay)
        var last = Duration.zero
        let n = 4_000_000
        var sum = 0.0
        for retry in 1...n {
            last = backOff.delay(before: retry, after: last, stream.nextUniform())
            sum += last.inSeconds
        }
        // Reference: 913.06 s. Successive delays hang together: the means of 300 such sequences of 400,000 spread by
        // 4.0 s, so five standard errors are 6.4 s.
        #expect(abs(sum / Double(n) - 913.06) < 6.4)
    }
}
