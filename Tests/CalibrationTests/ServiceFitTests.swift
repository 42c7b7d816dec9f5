import Basics
import Statistics
import Testing

@testable import RefreshService
@testable import Calibration

/// Records that the program's own service makes from known parameters: `calibrate --service` finds these within its
/// intervals.
@Suite struct ServiceFitTests {
    /// Arrivals at random with a rate that rises from low to high and falls again, so that the record has low load and
    /// saturation.
    static func record(
        _ pool: OriginPool, rates: [Double], seconds: Double = 60, timeout: Duration? = nil, seed: UInt64 = 3
    ) throws -> RequestRecord {
        var stream = RandomStream(seed: seed, person: 0, purpose: .resampling)
        var tables = StandardTables()
        let gap = try Distribution(.exponential(mean: 1)).prepared(with: &tables)
        var requests: [RecordedRequest] = []
        var at = 0.0
        for (index, rate) in rates.enumerated() {
            while true {
                let next = at + gap.draw(stream.next()) / rate
                if next > Double(index + 1) * seconds {
                    at = Double(index + 1) * seconds
                    break
                }
                at = next
                requests.append(RecordedRequest(start: Int64(at * 1e6), latency: 0, status: 200))
            }
        }
        return try PoolReplay(requests, pool: pool, timeout: timeout, seed: seed).record
    }

    static func estimate(_ fit: ServiceFit, _ key: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> Estimate
    {
        try #require(
            fit.estimates.first { $0.key == key }, "\(key): \(fit.omitted) \(fit.notes)", sourceLocation: sourceLocation
        )
    }

    /// Whether an estimate's interval has the true value in it, and is no wider than a share of it.
    static func finds(
        _ fit: ServiceFit, _ key: String, _ truth: Double, within share: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let estimate = try estimate(fit, key, sourceLocation: sourceLocation)
        let interval = try #require(estimate.interval, "\(estimate)", sourceLocation: sourceLocation)
        #expect(
            interval.low <= truth * (1 + 1e-9) && truth <= interval.high * (1 + 1e-9)
                && interval.high - interval.low <= share * truth + 1e-9,
            "\(key): \(truth) in \(interval)", sourceLocation: sourceLocation)
    }

    static func pool(
        _ servers: Int, _ shape: Distribution.Shape, minimum: Double = 0, queue: Int? = nil, drops: Bool = false,
        limit: RateLimit? = nil
    ) -> OriginPool {
        OriginPool(
            name: "origin", servers: servers, serviceTime: Distribution(shape, shift: minimum), queueLimit: queue,
            dropsTimedOutWork: drops, rateLimit: limit)
    }

    // MARK: Without limits

    @Test(arguments: [(1, UInt64(1)), (4, 6), (4, 3), (20, 4), (40, 5)])
    func `M/M/c is found again`(servers: Int, seed: UInt64) throws {
        let capacity = Double(servers) / 0.05
        let fit = ServiceFit(
            try Self.record(
                Self.pool(servers, .exponential(mean: 0.05)), rates: [0.3, 0.8, 1.2, 0.5].map { $0 * capacity },
                seconds: 30, seed: seed))
        try Self.finds(fit, "servers", Double(servers), within: servers > 30 ? 0.1 : 0)
        try Self.finds(fit, "service_time.mean", 0.05, within: 0.2)
        try Self.finds(fit, "(capacity)", capacity, within: 0.2)
        #expect(fit.estimates.contains { $0.key == "service_time.mean" && $0.quality.hasPrefix("exponential") })
        #expect(fit.omitted.map(\.key).sorted() == ["queue", "rate_limit", "timeout"], "\(fit.omitted)")
    }

    @Test(arguments: [1, 3, 12]) func `M/D/c is found again`(servers: Int) throws {
        let fit = ServiceFit(
            try Self.record(
                Self.pool(servers, .constant(0.04)), rates: [0.3, 0.8, 1.1].map { $0 * Double(servers) / 0.04 }))
        try Self.finds(fit, "servers", Double(servers), within: 0)
        try Self.finds(fit, "service_time.mean", 0.04, within: 0.01)
        #expect(fit.pool?.serviceTime == Distribution(.constant(0.04)))
    }

    @Test func `M/G/c with lognormal, gamma and least times is found again`() throws {
        let lognormal = ServiceFit(
            try Self.record(Self.pool(6, .lognormal(median: 0.03, sigma: 0.7)), rates: [50, 150, 190, 60]))
        try Self.finds(lognormal, "servers", 6, within: 0)
        try Self.finds(lognormal, "service_time.median", 0.03, within: 0.1)
        try Self.finds(lognormal, "service_time.sigma", 0.7, within: 0.1)
        let gamma = ServiceFit(try Self.record(Self.pool(6, .gamma(shape: 4, mean: 0.03)), rates: [50, 150, 220, 60]))
        try Self.finds(gamma, "servers", 6, within: 0)
        try Self.finds(gamma, "service_time.shape", 4, within: 0.2)
        try Self.finds(gamma, "service_time.mean", 0.03, within: 0.1)
        let shifted = ServiceFit(
            try Self.record(Self.pool(6, .exponential(mean: 0.02), minimum: 0.02), rates: [50, 120, 170, 60]))
        try Self.finds(shifted, "servers", 6, within: 0)
        try Self.finds(shifted, "(capacity)", 150, within: 0.1)
        let least = try Self.estimate(shifted, "service_time.minimum")
        #expect((0.017...0.02).contains(least.value), "\(least)")
    }

    // MARK: Limits

    @Test(arguments: [0, 1, 25]) func `a queue limit is found again`(room: Int) throws {
        let fit = ServiceFit(
            try Self.record(Self.pool(5, .exponential(mean: 0.05), queue: room), rates: [30, 90, 130, 60]))
        try Self.finds(fit, "servers", 5, within: 0)
        try Self.finds(fit, "queue", Double(room), within: 0)
        try Self.finds(fit, "service_time.mean", 0.05, within: 0.2)
        #expect(fit.omitted.map(\.key).sorted() == ["rate_limit", "timeout"])
        let refused = try #require(fit.replay.first { $0.name == "share_refused" })
        #expect((refused.measured - refused.fitted).magnitude < 0.02, "\(refused)")
    }

    @Test func `a token bucket is found again`() throws {
        let limit = RateLimit(rate: 80_000_000, burst: 150)
        let fit = ServiceFit(
            try Self.record(Self.pool(10, .exponential(mean: 0.02), limit: limit), rates: [40, 120, 60, 100, 200]))
        try Self.finds(fit, "rate_limit.per_second", 80, within: 0.01)
        try Self.finds(fit, "rate_limit.burst", 150, within: 0.02)
        #expect(fit.omitted.contains { $0.key == "queue" })
    }

    @Test func `a token bucket before a short queue is told from it`() throws {
        let limit = RateLimit(rate: 90_000_000, burst: 200)
        let fit = ServiceFit(
            try Self.record(
                Self.pool(5, .exponential(mean: 0.05), queue: 10, limit: limit), rates: [30, 110, 70, 150, 60]))
        try Self.finds(fit, "servers", 5, within: 0)
        try Self.finds(fit, "queue", 10, within: 0)
        try Self.finds(fit, "rate_limit.per_second", 90, within: 0.02)
        try Self.finds(fit, "rate_limit.burst", 200, within: 0.02)
    }

    @Test(arguments: [true, false]) func `a time-out is found again, with the work that is left`(drops: Bool) throws {
        let fit = ServiceFit(
            try Self.record(
                Self.pool(5, .gamma(shape: 3, mean: 0.05), drops: drops), rates: [40, 90, 115, 60],
                timeout: .milliseconds(700)))
        #expect(fit.timeout == .milliseconds(700))
        try Self.finds(fit, "servers", 5, within: 0)
        try Self.finds(fit, "(capacity)", 100, within: 0.1)
        #expect(fit.pool?.dropsTimedOutWork == drops, "\(fit.notes)")
        let unanswered = try #require(fit.replay.first { $0.name == "share_unanswered" })
        #expect(
            unanswered.measured > 0.02
                && (unanswered.measured - unanswered.fitted).magnitude < 0.1 * unanswered.measured + 0.01,
            "\(unanswered)")
    }

    // MARK: What a record cannot tell

    @Test func `servers that are never saturated have a lower bound alone`() throws {
        let fit = ServiceFit(try Self.record(Self.pool(40, .exponential(mean: 0.05)), rates: [30, 100, 200]))
        #expect(!fit.estimates.contains { $0.key == "servers" || $0.key == "(capacity)" })
        let reason = try #require(fit.omitted.first { $0.key == "servers" }?.reason)
        #expect(reason.contains("at least"), "\(reason)")
        let least = try #require(fit.pool?.servers)
        #expect((5...40).contains(least), "\(least)")
        try Self.finds(fit, "service_time.mean", 0.05, within: 0.1)
    }

    @Test func `a record of refusals alone, and one of time-outs alone, tell no service`() {
        let refusals = ServiceFit(
            RequestRecord((0..<50).map { RecordedRequest(start: $0 * 1_000, latency: 100, status: 503) }))
        #expect(refusals.pool == nil && refusals.fragment(heading: []) == "service: {}\n")
        let lost = ServiceFit(
            RequestRecord((0..<50).map { RecordedRequest(start: $0 * 1_000, latency: 2_000_000, status: 0) }))
        #expect(lost.pool == nil && lost.timeout == .seconds(2))
    }

    @Test func `the smallest records are fitted without a trap`() {
        for count in 1...6 {
            for status in [Int16(200), 503, 0] {
                let mixed = (0..<count).map {
                    RecordedRequest(start: Int64($0) * 10, latency: Int64($0 % 3) * 500, status: $0 == 0 ? 200 : status)
                }
                let fit = ServiceFit(RequestRecord(mixed))
                #expect(!fit.extent.isEmpty)
            }
        }
        let none = ServiceFit(RequestRecord((0..<30).map { RecordedRequest(start: $0, latency: 0, status: 200) }))
        #expect(none.omitted.contains { $0.key == "service_time" })
    }

    @Test func `a clock of seconds tells a service time and no servers`() throws {
        let exact = try Self.record(Self.pool(5, .gamma(shape: 4, mean: 0.05)), rates: [20, 90, 130])
        let coarse = RequestRecord(
            exact.requests.map {
                RecordedRequest(
                    start: ($0.start + $0.latency) / 1_000_000 * 1_000_000 - $0.latency, latency: $0.latency,
                    status: 200)
            },
            clockStep: 1_000_000)
        let fit = ServiceFit(coarse)
        #expect(fit.omitted.contains { $0.key == "servers" })
        let mean = try #require(fit.pool).serviceTime.mean()
        #expect((mean - 0.05).magnitude < 0.006, "\(mean)")
    }

    /// Intervals of 95 % that hold the truth in far fewer records would be none.
    @Test func `over many records the intervals hold as often as they say`() throws {
        var (exact, held, capacity) = (0, 0, 0)
        for seed in 1...40 as ClosedRange<UInt64> {
            let fit = ServiceFit(
                try Self.record(Self.pool(3, .exponential(mean: 0.05)), rates: [20, 66, 20], seconds: 8, seed: seed))
            if fit.pool?.servers == 3 { exact += 1 }
            func holds(_ key: String, _ truth: Double) -> Bool {
                fit.estimates.contains {
                    $0.key == key && $0.interval.map { $0.low <= truth && truth <= $0.high } == true
                }
            }
            // Another family may fit a short record better by chance; its mean is the capacity's.
            if holds("service_time.mean", 0.05) { held += 1 }
            if holds("(capacity)", 60) { capacity += 1 }
        }
        #expect(exact >= 37 && held >= 33 && capacity >= 35, "\(exact), \(held), \(capacity)")
    }

    @Test func `the fit is the same for the same record, in whatever order its rows are`() throws {
        let record = try Self.record(Self.pool(3, .exponential(mean: 0.05), queue: 8), rates: [20, 80])
        let once = ServiceFit(record)
        let again = ServiceFit(RequestRecord(record.requests.reversed().sorted { $0.latency < $1.latency }))
        #expect(once.table == again.table && once.fragment(heading: []) == again.fragment(heading: []))
    }
}

/// The parts of a fit against values by hand.
@Suite struct ServiceFitPartTests {
    @Test func `service times follow from departures, and too few servers make some impossible`() {
        // Two servers: the third waits for the first to leave, the fourth for the second.
        let times: [(Int64, Int64)] = [(0, 100), (10, 150), (20, 180), (30, 260)]
        let record = RequestRecord(times.map { RecordedRequest(start: $0.0, latency: $0.1 - $0.0, status: 200) })
        let pass = ServerPass(record, way: 0, timeout: nil)
        #expect(pass.mostAtOnce == 4)
        func services(_ servers: Int) -> [Int64] {
            var found: [Int64] = []
            _ = pass.run(servers: servers, drops: false, mean: 0) { found.append($1.time) }
            return found
        }
        #expect(services(2) == [100, 140, 80, 110])
        #expect(services(1) == [100, 50, 30, 80])
        #expect(services(4) == [100, 140, 160, 230])
        let overtaken = RequestRecord([
            RecordedRequest(start: 0, latency: 100, status: 200), RecordedRequest(start: 1, latency: 9, status: 200),
        ])
        var found: [Int64] = []
        _ = ServerPass(overtaken, way: 0, timeout: nil).run(servers: 1, drops: false, mean: 0) { found.append($1.time) }
        #expect(found == [100, -90])
    }

    @Test func `a queue limit is wrong for as few requests as can be`() {
        let exact = QueueLimitFit(admitted: [0, 1, 2, 3, 4], refused: [5, 5, 5])
        #expect(exact.limit == 5 && exact.wrong == 0 && exact.interval == (5, 5))
        let open = QueueLimitFit(admitted: [0, 1, 2], refused: [5])
        #expect(open.interval == (3, 5) && open.wrong == 0)
        let noisy = QueueLimitFit(
            admitted: [0, 1, 2, 3, 4, 5] + Array(repeating: 3, count: 50), refused: Array(repeating: 5, count: 20) + [4]
        )
        #expect(noisy.wrong == 2 && noisy.interval.low <= 5 && 5 <= noisy.interval.high)
    }

    @Test func `a bucket by hand has the rate and burst that alone explain it`() throws {
        // Two tokens a second and a burst of three, asked every tenth of a second.
        var level = 3.0
        var arrivals: [TokenBucketFit.Arrival] = []
        for tenth in 0..<200 {
            if tenth > 0 { level = min(3, level + 0.2) }
            let passes = level >= 1 - 1e-9
            if passes { level -= 1 }
            arrivals.append(.init(at: Int64(tenth) * 100_000, isPassed: passes))
        }
        let fit = try #require(TokenBucketFit(arrivals))
        #expect(
            fit.burst == 3 && fit.rateInterval.low <= 2 && 2 <= fit.rateInterval.high
                && (fit.rate - 2).magnitude < 0.02, "\(fit)")
        #expect(TokenBucketFit([.init(at: 0, isPassed: true), .init(at: 1, isPassed: false)]) == nil)
    }

    @Test func `times have the units of scenarios`() {
        #expect(FitText.fine(seconds: 0.0201234) == "20.12ms")
        #expect(FitText.fine(seconds: 0.000_521_4) == "0.521ms")
        #expect(FitText.fine(seconds: 1.5) == "1.5s")
        #expect(FitText.fine(seconds: 61.25) == "61.25s")
        #expect(FitText.fine(seconds: 0) == "0s")
    }
}
