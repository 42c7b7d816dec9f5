import Basics
import Statistics
import Testing

@testable import RefreshService

/// The autoscaler against decisions worked out by hand from the Kubernetes documentation (S4).
///
/// Rules: S4.
@Suite struct AutoscalerTests {
    /// One decision: seconds, utilisation in percent, ready and starting servers; what comes of it.
    struct Row: Sendable {
        let at: Int64
        let use, ready, starting, expected: Int

        init(_ at: Int64, _ use: Int, _ ready: Int, _ starting: Int, _ expected: Int) {
            (self.at, self.use, self.ready, self.starting, self.expected) = (at, use, ready, starting, expected)
        }
    }

    private static func decide(_ rows: [Row], _ rule: Autoscaling, _ machine: MachineType? = nil, servers: Int) {
        var scaler = Autoscaler(rule, machine, servers: servers, at: .start)
        for row in rows {
            let found = scaler.decide(
                at: Instant(microseconds: row.at * 1_000_000), busyTime: Int64(row.use) * 1_000, serverTime: 100_000,
                ready: row.ready, starting: row.starting)
            #expect(found == row.expected, "at \(row.at) s")
        }
    }

    @Test func `decisions are those of the documented algorithm`() {
        let rule = Autoscaling(target: 0.5, lag: .seconds(60), least: 4, most: 50)
        Self.decide(
            [
                // Within a tenth of the target, at both ends of the tolerance.
                Row(15, 55, 10, 0, 10), Row(30, 45, 10, 0, 10),
                // 60/50 of 10.
                Row(45, 60, 10, 0, 12),
                // 90/50 with 2 of 12 starting: 1.8 · 10/12 = 1.5 of 12.
                Row(60, 90, 10, 2, 18),
                // 65/50 with 8 of 18 idle: 0.72 is on the other side of 1, so nothing.
                Row(75, 65, 10, 8, 18),
                // 95/50 with 8 idle: 1.0556 is within the tolerance.
                Row(90, 95, 10, 8, 18),
                // Doubling is the most in one interval.
                Row(105, 200, 18, 0, 36),
                // 50 is the limit.
                Row(120, 100, 36, 0, 50),
                // 25 are wanted, but the window of 300 s has seen 72.
                Row(135, 25, 50, 0, 50),
                // The last instant of the window of the 72 wanted at 105 and at 120 s; a microsecond later it is over.
                Row(405, 25, 50, 0, 50), Row(420, 25, 50, 0, 50), Row(421, 25, 50, 0, 25),
            ], rule, servers: 10)
    }

    @Test func `machines come and go whole`() {
        var machine = MachineType()
        machine.slots = 4
        let rule = Autoscaling(target: 0.5, lag: .zero, least: 4, most: 48, scaleDownWindow: .seconds(30))
        Self.decide(
            [
                // 60/50 of 12 are 15 servers, four machines; 100/50 of 40 are more than there may be.
                Row(15, 60, 12, 0, 16), Row(30, 100, 40, 0, 48),
                // 80 were wanted at 30 s; after its window 10/50 of 48 are 10 servers.
                Row(60, 10, 48, 0, 48), Row(61, 10, 48, 0, 12),
            ], rule, machine, servers: 12)
    }

    @Test func `a few servers grow by the number, and shrink to the least`() {
        let rule = Autoscaling(target: 0.5, lag: .zero, least: 2, most: 50, scaleDownWindow: .seconds(30))
        Self.decide(
            [
                Row(15, 800, 1, 0, 5), Row(30, 50, 5, 0, 5), Row(45, 0, 5, 0, 5), Row(60, 0, 5, 0, 5),
                Row(61, 0, 5, 0, 2),
            ], rule, servers: 1)
    }

    @Test func `servers start after their lag, leave at once, and finish what they serve`() throws {
        // Two servers, 1 s each request, one every 500 ms up to 60 s: both are always busy.
        let requests = (0..<120).map { ServiceHarness.request(at: Int64($0) * 500_000, person: $0) }
        let rule = Autoscaling(
            target: 0.5, interval: .seconds(10), lag: .seconds(5), least: 2, most: 8, scaleDownWindow: .seconds(20))
        let pool = OriginPool(name: "p", servers: 2, serviceTime: .init(.constant(1)), autoscaling: rule)
        let plan = RefreshPlan(pools: [pool], endpoints: [ServiceEndpoint(pool: 0)], regions: [EdgeRegion()])
        let measures = try ServiceHarness.run(plan, requests, end: .start + .seconds(180)).measures
        // At 10 s all are busy (but for the first half second of one): 4 are wanted, and there from 15 s on. At 20 s
        // the ratio is (10 + 10)/30 by 0.5. 1.33 of 4 is 6, there from 25 s; then 20/50 and 20/60 by 0.5 are 0.8 and
        // 0.67, so 5 are wanted at 30 s and 4 from 40 s on. From 20 s the 6 count for 20 s, the 5 of 30 s up to 50 s:
        // at 50 s they are 5, at 60 s 4, at the least from 90 s on, as no request is served after 61 s.
        #expect(measures[.servers, pool: 0, minute: 0] == 5)
        #expect(measures[.servers, pool: 0, minute: 1] == 2)
        #expect(measures.total(.completed) == 120)
        #expect(measures.total(.busyTime) == 120_000_000)
    }
}
