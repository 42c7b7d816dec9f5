import Basics
import Foundation
import RefreshService
import RunLaws
import Simulation
import Statistics
import Testing

/// Results that must come out of fleet and service together without being put in, on the shipped scenarios scaled down.
///
/// Every run is of fixed seeds, so none of these can fail by chance; the bounds leave room for other seeds all the
/// same.
///
/// Rules: B8.
@Suite struct ServiceEmergenceTests {
    private static func run(_ name: String, _ overrides: [String]) throws -> (
        result: RunResult, service: ServiceMeasures
    ) {
        let file = try #require(Fixtures.shipped.first { $0.lastPathComponent == "\(name).yaml" })
        let result = try Fixtures.run(String(contentsOf: file, encoding: .utf8), overrides)
        return (result, try #require(result.service))
    }

    /// A field of all pools and regions, minute by minute of the report.
    private static func minutes(_ service: ServiceMeasures, _ field: ServiceField) -> [Int64] {
        (0..<service.minutes).map { minute in
            (0..<service.pools).reduce(0) { sum, pool in
                (0..<service.regions).reduce(sum) { $0 + service[field, pool: pool, region: $1, minute: minute] }
            }
        }
    }

    /// The requests of the minute of the echo, and of the next, over those of the same minutes of a quarter of an hour
    /// before the outage.
    private static func echo(_ overrides: [String], quarter: Int) throws -> (hole: Double, wave: Double) {
        // 9,000 devices: 600 requests a minute.
        let (_, service) = try run("outage-echo", ["people=9000", "duration=2h"] + overrides)
        let offered = minutes(service, .offered).map(Double.init)
        // The report begins at 10:30, the outage is the minute of 11:00.
        return (offered[30 + 15 * quarter] / offered[15], offered[31 + 15 * quarter] / offered[16])
    }

    @Test(arguments: [1, 3, 5])
    func `a bad minute leaves one minute without load and one with twice of it in every quarter of an hour`(
        quarter: Int
    ) throws {
        let (hole, wave) = try Self.echo([], quarter: quarter)
        #expect(hole < 0.02, "\(hole)")
        // Both of its minutes have some 600 requests: their ratio is 2 but for the chance of the two minutes.
        #expect((1.8...2.2).contains(wave), "\(wave)")
    }

    @Test func `jitter of two and a half minutes cures the echo within two cycles`() throws {
        let (hole, wave) = try Self.echo(["kinds.sync.policy.jitter={plus_minus: 150s}"], quarter: 2)
        // A minute's count of 600 has a standard deviation of 4 %, the ratio of two of them 6 %.
        #expect((0.7...1.3).contains(hole), "\(hole)")
        #expect((0.7...1.3).contains(wave), "\(wave)")
    }

    @Test func `a limit that meets eight o'clock sees three rising minutes and refuses half of their requests`() throws
    {
        let (_, service) = try Self.run("weather-limit", ["duration=2h30m"])
        let offered = Self.minutes(service, .offered)
        let refused = Self.minutes(service, .shedByRate)
        // The report begins at 6:00. The published minutes are 307, 2,238, 3,545 and 4,195.
        let published: [Double] = [307, 2_238, 3_545, 4_195]
        for (minute, requests) in zip(119..., published) {
            #expect(
                (0.75...1.25).contains(Double(offered[minute]) / requests),
                "\(offered[minute]) in minute \(minute), published \(requests)")
        }
        #expect(offered[120] < offered[121] && offered[121] < offered[122])
        let share = Double(refused[120...122].reduce(0, +)) / Double(offered[120...122].reduce(0, +))
        #expect((0.45...0.6).contains(share), "refused: \(share)")
        print("8:00 at the limit: \(offered[119...124]), refused \(refused[119...124])")
    }

    @Test(arguments: [true, false])
    func `a stall is never got over where timed-out work is done, and at once where it is dropped`(
        drops: Bool
    ) throws {
        // A third of the fleet at a third of the servers; ten minutes after the stall.
        let (_, service) = try Self.run(
            "metastable",
            [
                "people=4500", "duration=20m", "service.pools.origin.servers=3",
                "service.pools.origin.timed_out_work=\(drops ? "dropped" : "done")",
            ])
        let recovery = try #require(service.recoveries.first)
        let served = Self.minutes(service, .served)
        let usual = Double(served[5])
        if drops {
            #expect(recovery.queueEmptyAt < recovery.end + .minutes(2))
            #expect(recovery.healthyAt < recovery.end + .minutes(2))
            #expect(Double(served[19]) > 0.95 * usual)
        } else {
            #expect(recovery.queueEmptyAt == .never && recovery.healthyAt == .never)
            #expect(served[19] == 0, "\(served)")
            // Its work is of no use, and that is more than the usual load.
            #expect(Double(Self.minutes(service, .wasted)[19]) > 1.5 * usual)
        }
    }

    @Test func `an autoscaler that lags longer than the herd lasts contributes nothing to it, and follows a slow rise`()
        throws
    {
        let small = [
            "people=30000", "warmup=8h50m", "duration=22m", "service.pools.origin.servers=1",
            "service.pools.origin.autoscaling.least=1",
        ]
        let fixed = ["service.pools.origin.autoscaling.most=1"]
        let (_, with) = try Self.run("autoscale-too-late", small)
        let (_, without) = try Self.run("autoscale-too-late", small + fixed)
        // The report begins at 8:50. From the herd at 9:00 until it is over all counts are the same, each minute.
        for field in [ServiceField.offered, .served, .shedByQueue, .timedOut, .dropped] {
            #expect(Self.minutes(with, field)[10..<13] == Self.minutes(without, field)[10..<13], "\(field)")
        }
        let shed = Self.minutes(without, .shedByQueue)
        #expect(shed[10..<13].reduce(0, +) > 10_000 && shed[13] == 0, "\(shed)")
        #expect(Self.servers(with).max()! > 1, "the servers came, after the herd")
        // A rise over half an hour: the same reloads, none of them shed.
        let slow = [
            "people=30000", "warmup=8h20m", "duration=70m", "service.pools.origin.servers=1",
            "service.pools.origin.autoscaling.least=1",
            "kinds.agenda.policy.jitter={sd: 10m}",
        ]
        let (_, following) = try Self.run("autoscale-too-late", slow)
        let (_, pendingDevice) = try Self.run("autoscale-too-late", slow + fixed)
        let (lost, lostWithout) = (
            Self.minutes(following, .shedByQueue).reduce(0, +), Self.minutes(pendingDevice, .shedByQueue).reduce(0, +)
        )
        #expect(
            lost * 20 < lostWithout && lostWithout > 1_000, "\(lost) shed with the autoscaler, \(lostWithout) without")
    }

    @Test
    func
        `a push that wakes every app makes 3.6 times the load, waits of six to nine seconds, and clients that hang up`()
        throws
    {
        let (result, service) = try Self.run("wake-up-push", [])
        let offered = Self.minutes(service, .offered)
        let timedOut = Self.minutes(service, .timedOut)
        let (queueTime, waited) = (Self.minutes(service, .queueTime), Self.minutes(service, .waited))
        // The report begins with a push. The effect of one is over before the minute after it ends.
        let pushes = stride(from: 0, to: service.minutes, by: 20)
        let quiet = offered.indices.filter { $0 % 20 > 1 }
        let usual = Double(quiet.reduce(0) { $0 + offered[$1] }) / Double(quiet.count)
        #expect((175...191).contains(usual), "\(usual)")
        for push in pushes {
            let ratio = Double(offered[push]) / usual
            #expect((3.24...3.96).contains(ratio), "\(offered[push]) in minute \(push)")
            let wait = Double(queueTime[push]) / Double(waited[push]) / 1e6
            #expect((6.0...9.0).contains(wait), "\(wait) s in minute \(push)")
            #expect(timedOut[push] > 50, "\(timedOut[push]) in minute \(push)")
        }
        for minute in quiet { #expect(timedOut[minute] == 0 && waited[minute] == 0, "minute \(minute)") }
        #expect(result.devices[.fetches] == 485 * 12)
        let ends = service.sum(.served) + service.sum(.refused) + service.sum(.timedOut)
        let unfinished = service.carriedIn.reduce(0, +) + service.sum(.offered) - ends
        #expect((0..<20).contains(unfinished), "\(unfinished)")
        print(
            "the push: \(usual) a minute become \(pushes.map { offered[$0] }), \(pushes.map { timedOut[$0] }) hang up")
    }

    private static func servers(_ service: ServiceMeasures) -> [Int64] {
        (0..<service.minutes).map { service[.servers, pool: 0, minute: $0] }
    }

    @Test func `an edge cache takes the opening of the market from the origin, and jitter what it leaves`() throws {
        let small = [
            "people=15000", "warmup=9h20m", "duration=20m", "service.pools.origin.servers=unlimited",
            "service.pools.origin.queue=unlimited",
        ]
        func peaks(_ overrides: [String]) throws -> (edge: UInt32, origin: UInt32) {
            let (result, service) = try Self.run("market-open-cdn", small + overrides)
            // Every second of the report; the pool has no limit, so each request comes once.
            func peak(_ tenths: UnsafeBufferPointer<UInt32>) -> UInt32 {
                stride(from: 0, to: tenths.count - 9, by: 10).map { tenths[$0..<$0 + 10].reduce(0, +) }.max() ?? 0
            }
            return (peak(result.load.tenths(of: 0)), peak(service.originLoad.tenths(of: 0)))
        }
        let cached = try peaks([])
        let bare = try peaks(["service.endpoints=[]"])
        let both = try peaks(["kinds.quote.policy.jitter=5m"])
        #expect(cached.edge == bare.edge, "the same people ask")
        #expect(Double(bare.origin) > 0.8 * Double(bare.edge))
        #expect(cached.origin * 3 < bare.origin, "\(cached.origin) with a cache, \(bare.origin) without")
        #expect(both.origin * 3 < cached.origin, "\(both.origin) with jitter, \(cached.origin) without")
        print(
            "largest second at the origin: \(bare.origin) bare, \(cached.origin) behind a cache, \(both.origin) with 5 min of jitter too"
        )
    }
}
