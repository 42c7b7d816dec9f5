import Basics
import Statistics
import Testing

@testable import RefreshService

/// Clients that give up (S3): Erlang-A, and who stays.
///
/// Rules: S3.
@Suite struct AbandonmentTests {
    /// The steady state of M/M/c+M: Poisson arrivals, exponential service and patience (Palm; Garnett, Mandelbaum and
    /// Reiman 2002), as a birth and death process whose deaths from n are min(n, c)·μ + max(0, n − c)·θ.
    struct ErlangA {
        let waiting, abandoned, meanWait: Double

        init(servers: Int, arrivals: Double, service: Double, patience: Double) {
            var (terms, term, n) = ([1.0], 1.0, 0)
            while n < servers || term > 1e-18 * terms.max()! {
                n += 1
                let deaths = Double(min(n, servers)) / service + Double(max(0, n - servers)) / patience
                term *= arrivals / deaths
                terms.append(term)
            }
            let total = terms.reduce(0, +)
            waiting = terms[servers...].reduce(0, +) / total
            abandoned =
                terms.indices.reduce(0) { $0 + Double(max(0, $1 - servers)) / patience * terms[$1] } / total / arrivals
            // Little's law for those who wait and have not given up.
            meanWait = terms.indices.reduce(0) { $0 + Double(max(0, $1 - servers)) * terms[$1] } / total / arrivals
        }
    }

    @Test func `the closed form without impatience is Erlang C`() {
        let form = ErlangA(servers: 10, arrivals: 0.8, service: 10, patience: 1e9)
        #expect((form.waiting - 0.409180151).magnitude < 1e-5 && form.abandoned < 1e-6)
    }

    @Test func `the closed form's mean wait is the published one`() {
        #expect((ErlangA(servers: 50, arrivals: 55, service: 1, patience: 2).meanWait - 0.2042).magnitude < 5e-5)
    }

    @Test(arguments: [(1, 0.8, 2.0), (10, 9, 1), (10, 13, 0.5), (50, 50, 3), (50, 55, 2)])
    func `clients who give up in the queue make Erlang-A`(servers: Int, load: Double, patience: Double) throws {
        // Ten seconds of service: patience is cut at a millisecond and at an hour, which nobody feels.
        let service = 10.0
        let form = ErlangA(servers: servers, arrivals: load / service, service: service, patience: patience * service)
        let minutes = Int64(400_000 / (load / service) / 60)
        let measures = try BackgroundOracleTests.run(
            BackgroundOracleTests.steady(load / service, timeout: .init(.exponential(mean: patience * service))),
            pool: OriginPool(
                name: "p", servers: servers, serviceTime: .init(.exponential(mean: service)), dropsTimedOutWork: true),
            abandonment: .inQueue, minutes: minutes, from: 60, cut: .minutes(60),
            seed: 1_500 + UInt64(100 * servers) + UInt64(load))
        let name = "M/M/\(servers)+M, load \(load), patience \(patience)"
        let offered = Double(measures.total(.backgroundOffered))
        let each = measures.minutes / 100
        let wait = BackgroundOracleTests.ratio(.waited, of: .admitted, in: measures, each: each)
        #expect(
            OracleLine.check(
                "\(name): share that waits", form.waiting, sample: "\(Int(offered)) requests",
                tolerance: 5 * wait.standardError,
                measured: Double(measures.total(.waited)) / Double(measures.total(.admitted))))
        let gone = BackgroundOracleTests.ratio(.backgroundTimedOut, of: .backgroundOffered, in: measures, each: each)
        #expect(
            OracleLine.check(
                "\(name): share that gives up", form.abandoned, sample: "\(Int(offered)) requests",
                tolerance: 5 * gone.standardError,
                measured: Double(measures.total(.backgroundTimedOut)) / offered))
        let queued = BackgroundOracleTests.ratio(.queueTime, of: .admitted, in: measures, each: each)
        #expect(
            OracleLine.check(
                "\(name): mean wait, to the turn or the giving up", form.meanWait, sample: "\(Int(offered)) requests",
                tolerance: 5 * queued.standardError / 1e6,
                measured: Double(measures.total(.queueTime)) / Double(measures.total(.admitted)) / 1e6))
        // Those who have given up take up room until their turn.
        #expect(measures.total(.queueSlotTime) > measures.total(.queueTime))
        // Nobody gives up a request that is being served.
        #expect(measures.total(.wasted) == 0)
    }

    /// One server of five seconds, and three clients of a patience of four, at 0, 1 and 2 s; ways of a tenth of a
    /// second from the edge to the device.
    private static func outcome(_ abandonment: Abandonment, patience: UInt32 = 4_000_000) throws
        -> ServiceHarness.Outcome
    {
        let requests = (0..<3).map {
            ServiceHarness.request(at: Int64($0) * 1_000_000, person: $0, back: 100_000, patience: patience)
        }
        let pool = OriginPool(name: "p", servers: 1, serviceTime: .init(.constant(5)), dropsTimedOutWork: true)
        let plan = RefreshPlan(
            pools: [pool], endpoints: [ServiceEndpoint(pool: 0)],
            regions: [EdgeRegion(originBack: .init(.constant(0.2)))],
            abandonment: abandonment)
        return try ServiceHarness.run(plan, requests, end: .start + .seconds(100))
    }

    @Test func `who has heard that they are served stays, who waits in the queue goes`() throws {
        // With `always` the first gives up at 4 s, the second at 5, as its turn comes: both are served in vain, and the
        // third is dropped.
        let always = try Self.outcome(.always)
        #expect(always.answers.isEmpty && always.measures.total(.timedOut) == 3 && always.measures.total(.wasted) == 2)
        // The first hears after 0.3 s that it is served, and gets its answer after 5.3; the second and the third give
        // up at 5 and 6 s.
        let inQueue = try Self.outcome(.inQueue)
        #expect(inQueue.answers.map(\.isNotice) == [true, false] && inQueue.answers.map(\.person) == [0, 0])
        #expect(inQueue.answers.map(\.at.microseconds) == [300_000, 5_300_000] && inQueue.answers[1].followsNotice)
        #expect(
            inQueue.measures.total(.served) == 1 && inQueue.measures.total(.timedOut) == 2
                && inQueue.measures.total(.dropped) == 1)
        // With 4.3 s the second is still there when its turn comes, at 5 s, and hears of it at its very last instant,
        // 5.3 s.
        let patient = try Self.outcome(.inQueue, patience: 4_300_000)
        #expect(patient.measures.total(.served) == 2 && patient.measures.total(.wasted) == 0)
        // A microsecond less, and it hears too late: it is served in vain.
        let hasty = try Self.outcome(.inQueue, patience: 4_299_999)
        #expect(
            hasty.measures.total(.served) == 1 && hasty.measures.total(.timedOut) == 2
                && hasty.measures.total(.wasted) == 1)
    }

    @Test func `who waits for a fetch stays once that is being served`() throws {
        // A fetch that is served from 0 to 5 s; another client joins at 1 s, and hears at once.
        let requests = (0..<2).map {
            ServiceHarness.request(at: Int64($0) * 1_000_000, person: $0, back: 100_000, patience: 2_000_000)
        }
        let pool = OriginPool(name: "p", servers: 1, serviceTime: .init(.constant(5)))
        let plan = RefreshPlan(
            pools: [pool], endpoints: [ServiceEndpoint(pool: 0, cache: EdgeCache(timeToLive: .seconds(1)))],
            regions: [EdgeRegion(originBack: .init(.constant(0.2)))], abandonment: .inQueue)
        let answers = try ServiceHarness.run(plan, requests, end: .start + .seconds(100)).answers
        #expect(answers.map(\.at.microseconds).sorted() == [300_000, 1_100_000, 5_300_000, 5_300_000])
        #expect(answers.filter(\.isNotice).count == 2 && answers.filter(\.followsNotice).count == 2)
    }

    @Test func `a draw of patience lies between a millisecond and an hour`() throws {
        var tables = StandardTables()
        let patience = try Patience(.init(.exponential(mean: 1_800)), &tables)
        #expect(patience.draw(0) == .milliseconds(1) && patience.draw(.max) == .hours(1))
        #expect(try Patience(.init(.constant(7)), &tables).isConstant && !patience.isConstant)
    }
}
