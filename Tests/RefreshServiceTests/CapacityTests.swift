import Statistics
import Testing

@testable import RefreshService

/// The closed forms of queues against tables of known values.
@Suite struct CapacityTests {
    /// Servers, load, Erlang B, Erlang C, the mean wait and its quantile 0.99, with services of a second.
    static let queues: [(servers: Int, load: Double, b: Double, c: Double, wait: Double, p99: Double)] = [
        (1, 0.8, 0.444444444, 0.8, 4.0, 21.910133), (2, 1.5, 0.310344828, 0.642857143, 1.285714286, 8.326675),
        (10, 8, 0.121661064, 0.409180151, 0.204590075, 1.855785),
        (100, 90, 0.026957380, 0.216940481, 0.021694048, 0.307704),
    ]

    @Test(arguments: queues) func `Erlang's formulas and waits are those of the table`(
        servers: Int, load: Double, b: Double, c: Double, wait: Double, p99: Double
    ) throws {
        #expect(abs(Erlang.blocking(servers: servers, load: load) - b) < 6e-10)
        #expect(abs(Erlang.waiting(servers: servers, load: load) - c) < 6e-10)
        let queue = ServerQueue(servers: servers, arrivalRate: load, serviceTime: 1)
        #expect(try abs(#require(queue.meanWait) - wait) < 6e-10)
        #expect(try abs(#require(queue.waitQuantile(0.99)) - p99) < 6e-7)
        // Twice as fast servers for twice the arrivals: the same shares, half the waits.
        let fast = ServerQueue(servers: servers, arrivalRate: 2 * load, serviceTime: 0.5)
        #expect(abs(fast.waitingShare - queue.waitingShare) < 1e-15)
        #expect(try abs(#require(fast.meanWait) - wait / 2) < 6e-10)
    }

    @Test func `Erlang's recursion is the formula of a sum`() {
        for (servers, load) in [(3, 0.5), (5, 5.0), (12, 20.0)] {
            var (term, sum) = (1.0, 1.0)
            for k in 1...servers {
                term *= load / Double(k)
                sum += term
            }
            #expect(abs(Erlang.blocking(servers: servers, load: load) - term / sum) < 1e-14)
        }
        #expect(Erlang.blocking(servers: 0, load: 3) == 1)
        #expect(Erlang.blocking(servers: 4, load: 0) == 0)
    }

    @Test func `a queue that grows without end has no mean wait, and everybody waits`() {
        for rate in [2.0, 3] {
            let queue = ServerQueue(servers: 2, arrivalRate: rate, serviceTime: 1)
            #expect(!queue.isStable && queue.meanWait == nil && queue.waitQuantile(0.5) == nil)
            #expect(queue.waitingShare == 1)
        }
    }

    @Test func `so many do not wait at all that a quantile is 0`() {
        let queue = ServerQueue(servers: 10, arrivalRate: 8, serviceTime: 1)
        #expect(queue.waitQuantile(0.59) == 0)
        #expect(queue.waitQuantile(0.6)! > 0)
        #expect(ServerQueue(servers: 1, arrivalRate: 0, serviceTime: 1).waitQuantile(0.999) == 0)
    }

    @Test func `a general time of service waits by its variation`() throws {
        let exponential = try #require(ServerQueue(servers: 1, arrivalRate: 0.8, serviceTime: 1).meanWait)
        for variation in [0.0, 0.5, 1, 4] {
            // Pollaczek and Khinchine: ρ·E[S]·(1 + c²) / (2·(1 − ρ)), exact for one server.
            let exact = 0.8 * (1 + variation) / (2 * (1 - 0.8))
            #expect(abs(exact - exponential * (1 + variation) / 2) < 1e-12)
            let approximate = GeneralQueue.approximateMeanWait(
                ServerQueue(servers: 1, arrivalRate: 0.8, serviceTime: 1), service: variation)
            #expect(try abs(#require(approximate) - exact) < 1e-12)
        }
        let overloaded = ServerQueue(servers: 1, arrivalRate: 1, serviceTime: 1)
        #expect(GeneralQueue.approximateMeanWait(overloaded, service: 1) == nil)
    }

    @Test func `the variation of a distribution is variance over squared mean`() throws {
        let distributions: [(Distribution, Double?)] = [
            (Distribution(.constant(3)), 0), (Distribution(.exponential(mean: 0.2)), 1),
            (Distribution(.uniform(min: 0, max: 2)), 1.0 / 3),
            (Distribution(.gamma(shape: 4, mean: 7)), 0.25),
            (Distribution(.normal(mean: 10, standardDeviation: 2)), 0.04),
            (Distribution(.lognormal(median: 1, sigma: 0.8)), 0.8964808793049515), (Distribution.zero, nil),
            (Distribution(.studentT(mean: 2, scale: 1, degrees: 4)), 0.5),
            (Distribution(.studentT(mean: 2, scale: 1, degrees: 2)), nil),
            (Distribution(.exponential(mean: 1), shift: 1), 0.25),
        ]
        for (distribution, expected) in distributions {
            let found = try distribution.variation()
            #expect((found == nil) == (expected == nil))
            if let found, let expected { #expect(abs(found - expected) < 1e-12, "\(distribution)") }
        }
    }

    @Test(arguments: [0.3, 1, 7.5, 80, 1_234]) func `the least servers hold their target, and one less does not`(
        load: Double
    ) throws {
        let serviceTime = 0.02
        let rate = load / serviceTime
        func queue(_ servers: Int) -> ServerQueue {
            ServerQueue(servers: servers, arrivalRate: rate, serviceTime: serviceTime)
        }
        let targets: [(Staffing.Target, (ServerQueue) -> Bool)] = [
            (.utilisation(0.7), { $0.utilisation <= 0.7 }),
            (.waitingShare(0.2), { $0.isStable && $0.waitingShare <= 0.2 }),
            (.wait(quantile: 0.99, atMost: 0.05), { $0.waitQuantile(0.99).map { $0 <= 0.05 } ?? false }),
            (.wait(quantile: 0.99, atMost: 0), { $0.waitQuantile(0.99) == 0 }),
        ]
        for (target, holds) in targets {
            let least = try #require(Staffing.leastServers(for: target, arrivalRate: rate, serviceTime: serviceTime))
            #expect(holds(queue(least)), "\(target): \(least)")
            if least > 1 { #expect(!holds(queue(least - 1)), "\(target): \(least)") }
            // With two of them out the target still holds, and with three it does not.
            #expect(
                Staffing.leastServers(for: target, arrivalRate: rate, serviceTime: serviceTime, failed: 2) == least + 2)
        }
    }

    @Test func `the square-root rule is within a server or two of the least`() throws {
        for load in [10.0, 90, 1_000, 25_000] {
            for share in [0.05, 0.2, 0.5] {
                let least = try #require(
                    Staffing.leastServers(for: .waitingShare(share), arrivalRate: load, serviceTime: 1))
                #expect(
                    abs(Staffing.squareRootServers(load: load, waitingShare: share) - least) <= 2,
                    "\(load) erlangs, \(share)")
            }
        }
        #expect(
            Staffing.leastServers(for: .utilisation(0.5), arrivalRate: 1_000, serviceTime: 86_400) == nil,
            "a load beyond all reason")
        #expect(Staffing.squareRootServers(load: 0, waitingShare: 0.5) == 1)
        // Halfin and Whitt 1981: half of the requests wait at a spare of about half the root.
        #expect(abs(Staffing.spareFactor(waitingShare: 0.5) - 0.506) < 5e-4)
        #expect(abs(Staffing.spareFactor(waitingShare: 0.2) - 1.0616) < 5e-4)
    }

    @Test func `a month is the mean one of the year, and only whole days tell of it`() {
        #expect(MonthlyUse.amount(7, in: .days(7)) == 30.4375)
        // The clocks change.
        for hours in [23, 24, 25, 47, 167, 169] as [Int64] {
            #expect(MonthlyUse.amount(1, in: .hours(hours)) == 30.4375 * 24 / Double(hours))
        }
        for minutes in [90, 22 * 60, 26 * 60, 36 * 60] as [Int64] {
            #expect(MonthlyUse.amount(1, in: .minutes(minutes)) == nil)
        }
    }
}
