import Basics
import Statistics
import Testing

@testable import RefreshService

/// Clients' behaviour after a failure (S3).
///
/// Rules: S3.
@Suite struct RetryPolicyTests {
    private func delays(_ backOff: BackOff, count: Int, u: (Int) -> Double) -> [Double] {
        let prepared = RetryDelays(backOff)
        var last = Duration.zero
        return (1...count).map { retry in
            last = prepared.delay(before: retry, after: last, u(retry))
            return last.inSeconds
        }
    }

    @Test func `delays double up to the cap`() {
        let backOff = BackOff.exponential(base: .seconds(1), factor: 2, cap: .seconds(5), jitter: .none)
        #expect(delays(backOff, count: 5) { _ in 0.9 } == [1, 2, 4, 5, 5])
    }

    @Test func `full jitter has half the exponential's mean and equal jitter three quarters`() {
        for (jitter, share) in [(BackOff.Jitter.full, 0.5), (.equal, 0.75)] {
            let backOff = RetryDelays(
                .exponential(base: .seconds(8), factor: 2, cap: .seconds(100), jitter: jitter))
            var stream = RandomStream(seed: 7, person: 1, purpose: .retryDelay)
            let n = 100_000
            var sum = 0.0
            for _ in 0..<n { sum += backOff.delay(before: 2, after: .zero, stream.nextUniform()).inSeconds }
            // The widest spread is that of 16 s evenly, 4.6 s: five standard errors are 0.073 s.
            #expect(abs(sum / Double(n) - 16 * share) < 0.073)
        }
    }

    @Test func `decorrelated jitter has the stationary mean of its recursion`() {
        let backOff = RetryDelays(.decorrelated(base: .seconds(5), cap: .seconds(2_000)))
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

    /// The definition: one multiplication a retry, each rounded.
    private func stepwise(_ base: Duration, _ factor: Double, _ cap: Duration, before retry: Int) -> Double {
        let most = Double(cap.microseconds)
        var whole = Double(base.microseconds)
        for _ in 1..<max(1, retry) {
            if whole >= most { break }
            whole *= factor
        }
        return min(whole, most)
    }

    @Test(
        arguments: [1, 1 + .ulpOfOne, 1.000001, 1.0001, 1.01, 1.5, 2, 3.7, 10])
    func `the delay of any retry is to the bit that of one step a retry`(factor: Double) {
        for (base, cap) in [(1, 1), (1, 86_400_000), (500, 20_000), (1_000, 60_000), (7, 1_000_003)] {
            let (base, cap) = (Duration.milliseconds(Int64(base)), Duration.milliseconds(Int64(cap)))
            let retries = Array(1...300) + [1_000, 4_095, 4_096, 4_097, 8_193, 99_999, 1_000_000]
            for jitter in BackOff.Jitter.allCases {
                let delays = RetryDelays(.exponential(base: base, factor: factor, cap: cap, jitter: jitter))
                for retry in retries {
                    let whole = stepwise(base, factor, cap, before: retry)
                    for u in [0, 0.3, 0.999999] {
                        let expected =
                            switch jitter {
                            case .none: Int64(whole)
                            case .full: Int64(whole * u)
                            case .equal: Int64(whole / 2 + whole / 2 * u)
                            }
                        let found = delays.delay(before: retry, after: .zero, u).microseconds
                        #expect(found == expected, "retry \(retry) of base \(base), cap \(cap)")
                    }
                }
            }
        }
    }

    /// A second would be enough for some thousand retries of one step a retry.
    @Test(arguments: [1, 1 + .ulpOfOne, 1.000001, 2])
    func `the thousand millionth retry costs no more than the first`(factor: Double) {
        let delays = RetryDelays(
            .exponential(base: .milliseconds(1), factor: factor, cap: .milliseconds(1), jitter: .none))
        let open = RetryDelays(
            .exponential(base: .milliseconds(1), factor: factor, cap: .days(1), jitter: .none))
        var last = Duration.zero
        for retry in (RetryPolicy.unlimited - 100_000)..<RetryPolicy.unlimited {
            #expect(delays.delay(before: retry, after: .zero, 0.5) == .milliseconds(1))
            let next = open.delay(before: retry, after: .zero, 0.5)
            #expect(next >= last && next <= .days(1))
            last = next
        }
        #expect(last == (factor == 1 ? .milliseconds(1) : factor < 1.0000001 ? last : .days(1)))
    }

    @Test func `listed and decorrelated delays are as they are written`() {
        let listed = RetryDelays(.listed([.seconds(1), .seconds(5), .milliseconds(2)]))
        #expect(
            (1...3).map { listed.delay(before: $0, after: .zero, 0.7) } == [.seconds(1), .seconds(5), .milliseconds(2)])
        let decorrelated = RetryDelays(.decorrelated(base: .seconds(1), cap: .seconds(20)))
        #expect(decorrelated.delay(before: 1, after: .zero, 0.5) == .seconds(2))
        #expect(decorrelated.delay(before: 9, after: .seconds(4), 0.5) == .milliseconds(6_500))
        #expect(decorrelated.delay(before: RetryPolicy.unlimited, after: .seconds(20), 1) == .seconds(20))
    }
}
