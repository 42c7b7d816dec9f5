import Basics
import Statistics
import Testing

@testable import RefreshService

/// Requests from outside the fleet against queueing theory: nobody else asks the service (S4). Seeds are fixed;
/// tolerances are five standard errors, from the minutes of the run.
///
/// Rules: S4.
@Suite struct BackgroundOracleTests {
    /// A service that one background alone loads.
    ///
    /// - Parameter seed: another one for each row: rows of one stream would be off together.
    static func run(
        _ background: BackgroundTraffic, pool: OriginPool, cache: EdgeCache? = nil, capacity: Int? = nil,
        abandonment: Abandonment = .always,
        minutes: Int64, from: Int64 = 1, cut: Duration? = .seconds(60), seed: UInt64
    ) throws -> ServiceMeasures {
        let plan = RefreshPlan(
            pools: [pool], endpoints: [ServiceEndpoint(pool: 0, cache: cache)],
            regions: [EdgeRegion(capacity: capacity)],
            background: [background], abandonment: abandonment)
        return try ServiceHarness.run(
            plan, [], end: .start + .minutes(minutes), reportFrom: .start + .minutes(from), cut: cut,
            seed: seed
        ).measures
    }

    static func steady(
        _ perSecond: Double, keys: Int = 1, zipf: Double = 0, timeout: Distribution = .init(.constant(3_600))
    ) -> BackgroundTraffic {
        BackgroundTraffic(
            name: "b", endpoint: 0, rates: [.init(from: .start, perSecond: perSecond)], regionWeights: [1], keys: keys,
            zipfPower: zipf,
            timeout: timeout)
    }

    /// A share of two fields, or a ratio of them, with its standard error from runs of so many minutes.
    static func ratio(_ part: ServiceField, of whole: ServiceField, in measures: ServiceMeasures, each: Int = 1)
        -> BatchMean
    {
        let intervals = measures.minutes / each
        let values = (0..<intervals).map { interval -> Double in
            let minutes = interval * each..<(interval + 1) * each
            func sum(_ field: ServiceField) -> Double {
                minutes.reduce(0) { $0 + Double(measures[field, pool: 0, region: 0, minute: $1]) }
            }
            return sum(part) / sum(whole)
        }
        return BatchMean(values, batches: intervals)
    }

    @Test(arguments: [
        (1, 0.8, 800.0, 0.8, 4.0), (10, 8, 400, 0.409180151, 0.204590075), (100, 90, 600, 0.216940481, 0.021694048),
    ])
    func `a pool that the background alone loads has the waits of Erlang`(
        servers: Int, load: Double, rate: Double, waiting: Double, meanWait: Double
    ) throws {
        let service = load / rate
        let minutes: Int64 = 41
        let measures = try Self.run(
            Self.steady(rate),
            pool: OriginPool(name: "p", servers: servers, serviceTime: .init(.exponential(mean: service))),
            minutes: minutes, seed: 1_400 + UInt64(servers))
        let name = "background alone, M/M/\(servers), load \(load)"
        let sample = "\(measures.total(.backgroundOffered)) requests"
        let share = Self.ratio(.waited, of: .admitted, in: measures)
        #expect(
            OracleLine.check(
                "\(name): share that waits", waiting, sample: sample, tolerance: 5 * share.standardError,
                measured: Double(measures.total(.waited)) / Double(measures.total(.admitted))))
        let wait = Self.ratio(.queueTime, of: .admitted, in: measures)
        let mean = try #require(measures[.queueWait, pool: 0].whole.mean)
        #expect(
            OracleLine.check(
                "\(name): mean wait", meanWait, sample: sample, tolerance: 5 * wait.standardError / 1e6 / service,
                measured: mean / service))
        // As many as a Poisson process has in 40 minutes, and the variance of one in each minute.
        let counts = (0..<measures.minutes).map { Double(measures[.backgroundOffered, pool: 0, region: 0, minute: $0]) }
        let expected = rate * 60
        #expect((counts.reduce(0, +) / 40 - expected).magnitude < 5 * (expected / 40).squareRoot())
        let variance = counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) } / 40
        #expect((variance / expected - 1).magnitude < 5 * (2.0 / 40).squareRoot())
    }

    @Test func `neither calls nor the fleet's requests move what comes from outside`() throws {
        let fleet = (0..<2_000).map {
            ServiceHarness.request(at: Int64($0) * 60_000 + 7, person: $0, patience: 1_500_000)
        }
        func run(_ requests: [ServiceRequest], _ cut: Duration?) throws -> ServiceMeasures {
            let background = BackgroundTraffic(
                name: "b", endpoint: 0,
                rates: [
                    .init(from: .start + .seconds(10), perSecond: 90), .init(from: .start + .seconds(40), perSecond: 0),
                    .init(from: .start + .seconds(60), perSecond: 300),
                ],
                regionWeights: [3, 1], keys: 50, zipfPower: 1, timeout: .init(.exponential(mean: 2)))
            let plan = RefreshPlan(
                pools: [
                    OriginPool(
                        name: "p", servers: 10, serviceTime: .init(.exponential(mean: 0.05)), dropsTimedOutWork: true)
                ],
                endpoints: [ServiceEndpoint(pool: 0)],
                regions: [EdgeRegion(), EdgeRegion(originOut: .init(.exponential(mean: 0.02)))],
                background: [background, background])
            return try ServiceHarness.run(plan, requests, end: .start + .seconds(120), cut: cut).measures
        }
        let whole = try run(fleet, nil)
        for cut in [Duration.milliseconds(3), .milliseconds(20), .seconds(7)] {
            let parts = try run(fleet, cut)
            for field in ServiceField.allCases {
                #expect(parts.total(field) == whole.total(field), "\(field), calls of \(cut.inSeconds) s")
            }
        }
        let alone = try run([], .milliseconds(20))
        for minute in 0..<2 {
            for region in 0..<2 {
                #expect(
                    alone[.backgroundOffered, pool: 0, region: region, minute: minute]
                        == whole[.backgroundOffered, pool: 0, region: region, minute: minute])
            }
        }
        // Two backgrounds of 30 s at 90 a second and then none, and of a minute at 300; a quarter of them in the other
        // region.
        for (minute, expected) in [(0, 5_400.0), (1, 36_000)] {
            for (region, share) in [(0, 0.75), (1, 0.25)] {
                let count = Double(whole[.backgroundOffered, pool: 0, region: region, minute: minute])
                #expect(
                    (count - share * expected).magnitude < 5 * (share * expected).squareRoot(),
                    "minute \(minute): \(count)")
            }
        }
        #expect(whole.total(.timedOut) > 0 && whole.total(.backgroundTimedOut) > 100 && whole.total(.offered) == 2_000)
        let ended = whole.total(.backgroundServed) + whole.total(.backgroundRefused) + whole.total(.backgroundTimedOut)
        #expect(whole.total(.backgroundOffered) >= ended)
        let causes = (0..<2).map { region in
            whole.originLoad.minutes(of: 0, region: region, cause: ServiceMeasures.backgroundCause).reduce(Int64(0)) {
                $0 + Int64($1)
            }
        }
        #expect(causes.reduce(0, +) + 2_000 == whole.total(.originRequests))
    }
}
