import Basics
import Statistics

@testable import RefreshService
@testable import Simulation

/// The synthetic run with a service whose counts obey its ledgers: the edge answers some requests of the first
/// endpoint, and each minute's requests end in the minute after, but for those that are shed.
enum SyntheticService {
    static let pools = ["steady", "wide, open"]
    /// Requests in flight when the report began, at each pool and region.
    static let carriedIn: Int64 = 5

    static let plan = RefreshPlan(
        pools: [
            OriginPool(name: pools[0], servers: 4, serviceTime: Distribution(.constant(0.5))),
            OriginPool(name: pools[1], serviceTime: Distribution(.exponential(mean: 0.05))),
        ],
        endpoints: [ServiceEndpoint(pool: 0, cache: EdgeCache(timeToLive: .minutes(5))), ServiceEndpoint(pool: 1)],
        regions: [EdgeRegion(), EdgeRegion()],
        events: [
            ServiceEvent(
                name: "fire", .outage(pool: nil, isSilent: false), from: .start + .hours(23),
                to: .start + .days(1) + .minutes(10)),
            ServiceEvent(
                name: "new version", .deploy(pool: 0, share: 0.5, step: .minutes(1)), from: .start,
                to: .start + .hours(2)),
        ], prices: ServicePrices(serverHour: 0.5, millionRequests: 2, gigabyte: 0.1, currency: "EUR"))

    static func result(hours: Int64 = 2, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> RunResult {
        let bare = SyntheticRun.result(hours: hours, thresholds: thresholds, loadBin: loadBin)
        var scenario = bare.scenario
        scenario.service = plan
        let measures = ServiceMeasures(
            pools: 2, regions: 2, minutes: bare.load.minutes, reportFrom: .start + scenario.plan.warmup,
            originLoad: LoadCurve(endpoints: 2, regions: 2, minutes: bare.load.minutes))
        let origin = LoadBuffer(for: measures.originLoad)
        for endpoint in SyntheticRun.endpoints.indices {
            for (i, request) in SyntheticRun.requests(of: endpoint, minutes: bare.load.minutes).enumerated()
            where endpoint == 1 || i % 3 != 0 {
                origin.count(endpoint: endpoint, region: request.region, cause: request.cause, tenth: request.tenth)
            }
        }
        origin.flush()
        for pool in 0..<2 {
            for region in 0..<2 { fill(measures, pool, region, bare.load) }
            for i in 0..<200 {
                measures[.queueWait, pool: pool].whole.add(.milliseconds(Int64(i * i % 173)))
                measures[.originTime, pool: pool].whole.add(.milliseconds(Int64(500 + i)))
            }
            for minute in 0..<measures.minutes {
                var (waits, times, responses) = (MinuteLatencies(), MinuteLatencies(), MinuteLatencies())
                for i in stride(from: minute, to: 200, by: measures.minutes) {
                    waits.add(.milliseconds(Int64(i * i % 173)))
                    times.add(.milliseconds(Int64(500 + i)))
                    if pool == 1 && i < 100 { responses.add(.milliseconds(Int64(40 + i))) }
                }
                measures[.queueWait, pool: pool].byMinute.append(waits)
                measures[.originTime, pool: pool].byMinute.append(times)
                measures[.responseTime, pool: pool].byMinute.append(responses)
            }
            for minute in 0..<measures.minutes {
                measures[.serverTime, pool: pool, minute: minute] = pool == 0 ? 4 * 60_000_000 : 0
                measures[.presentTime, pool: pool, minute: minute] = pool == 0 ? 4 * 60_000_000 : 0
                measures[.servers, pool: pool, minute: minute] = pool == 0 ? 4 : 0
                measures[.longestQueue, pool: pool, minute: minute] = Int64(minute % 7)
            }
            measures.secondsOverCapacity[pool] = Int64(3 + pool)
            measures.secondsOut[pool] = Int64(10 + pool)
        }
        for i in 0..<100 { measures[.responseTime, pool: 1].whole.add(.milliseconds(Int64(40 + i))) }
        let end = plan.events[0].to
        measures.recoveries = [
            .init(event: 0, pool: 0, end: end, queueEmptyAt: end + .milliseconds(1_500), healthyAt: end + .seconds(3)),
            .init(event: 0, pool: 1, end: end, queueEmptyAt: end, healthyAt: end),
            .init(event: 1, pool: 0, end: .start + .hours(2), queueEmptyAt: .never, healthyAt: .never),
        ]
        return RunResult(
            scenario: scenario, measures: bare.measures, load: bare.load, service: measures, tablesHash: bare.tablesHash
        )
    }

    private static func fill(_ measures: ServiceMeasures, _ pool: Int, _ region: Int, _ load: LoadCurve) {
        func requests(_ curve: LoadCurve, _ minute: Int) -> Int64 {
            (0..<LoadCurve.causes).reduce(0) { $0 + Int64(curve.minutes(of: pool, region: region, cause: $1)[minute]) }
        }
        var before = carriedIn
        measures.carriedIn[pool * 2 + region] = carriedIn
        for minute in 0..<measures.minutes {
            let offered = requests(load, minute)
            let origin = requests(measures.originLoad, minute)
            let shed = origin / 10
            func set(_ field: ServiceField, _ count: Int64) {
                measures[field, pool: pool, region: region, minute: minute] = count
            }
            set(.offered, offered)
            set(.retries, offered / 4)
            set(.firstAttempts, offered - offered / 4)
            set(.hits, offered - origin)
            set(.originRequests, origin)
            set(.shedByQueue, shed)
            set(.admitted, origin - shed)
            set(.completed, origin - shed)
            set(.wasted, minute % 5 == 0 ? min(1, origin - shed) : 0)
            set(.refused, shed)
            set(.timedOut, min(before, 1))
            set(.served, before - min(before, 1))
            set(.queueTime, 20_000 * origin)
            set(.queueSlotTime, 22_000 * origin)
            set(.busyTime, 500_000 * (origin - shed))
            set(.edgeBytes, 1_000 * offered)
            set(.originBytes, 1_200 * origin)
            before = offered - shed
        }
    }
}
