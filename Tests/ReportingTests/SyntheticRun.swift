import Fleet
import Measures
import Simulation
import SimulatedTime
import Stochastics
import WidgetPlatform

/// A run's result with counts that obey the ledgers but come from no simulation: every cell is a function of its own place.
enum SyntheticRun {
    static let segments = ["commuters", "night, \"owls\""]
    static let kinds = ["weather", "stocks"]
    static let endpoints = ["forecast", "quotes"]
    static let zones = ["Europe/Berlin", "America/New_York"]

    static func scenario(hours: Int64, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> Scenario {
        let constant = Distribution(.constant(1))
        let night = SleepHabits.UsualNight(onset: -3_600, wake: 25_200, onsetSpread: 0, wakeSpread: 0)
        let clock = ScenarioClock(startUnixMicroseconds: 1_772_409_600_000_000)
        let end = Instant.start + .days(1) + .hours(hours)
        let plan = FleetPlan(
            seed: 7, clock: clock, warmup: .days(1), end: end,
            parameters: PlatformParameters(dispatchDelay: constant), service: ServicePlan(latencyOut: constant, latencyBack: constant),
            zones: zones.map { clock.zoneTable($0, until: end)! }, cities: [], apps: ["app"],
            endpoints: endpoints,
            kinds: kinds.indices.map { i in
                WidgetKind(
                    id: kinds[i], app: 0, endpoint: i, shape: .single, validFor: nil, policy: .never, jitter: nil, reloadOnOpen: .never,
                    sessionRhythm: nil, takesPushes: false, isSensitive: false, needsSignIn: false, isProtected: false, withoutFix: .prior,
                    requestsPerReload: 1, actionTime: .zero, fixTime: constant, fixFailure: 0, versions: .manual)
            },
            segments: segments.map { name in
                Segment(
                    name: name, share: 0.5, cityShares: [1],
                    sleep: SleepHabits(workday: night, freeDay: night, onsetNightSpread: 0, wakeNightSpread: 0),
                    pickups: .even(
                        unlocksPerDay: constant, glancesPerUnlock: 0, sessionLength: constant, surfaceShown: [1, 1, 1, 1, 1, 1],
                        passcodeShare: 1),
                    movement: .still,
                    apps: [], devices: [])
            }, replay: [])
        return Scenario(name: "synthetic", people: 100, plan: plan, thresholds: thresholds, loadBin: loadBin)
    }

    /// Every field filled; requests of the ledgers equal those of the load curve, and every ledger is balanced.
    static func result(hours: Int64 = 2, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> RunResult {
        let scenario = scenario(hours: hours, thresholds: thresholds, loadBin: loadBin)
        let measures = RunMeasures(layout: MeasureLayout(segments: segments.count, kinds: kinds.count))
        for i in 0..<measures.layout.count { measures.cells[i] = Int64(i * 7_919 % 97) }
        let minutes = Int(hours) * 60
        let load = LoadCurve(endpoints: endpoints.count, regions: zones.count, minutes: minutes)
        let requests = LoadBuffer(for: load)
        for endpoint in endpoints.indices {
            for i in 0..<3_000 * (endpoint + 1) {
                requests.count(
                    endpoint: endpoint, region: i % 2, cause: i % MeasureLayout.causes,
                    tenth: i * i * 31 % (minutes * LoadCurve.tenthsPerMinute))
            }
        }
        requests.flush()
        for segment in segments.indices {
            for kind in kinds.indices {
                balance(measures, segment, kind, requests: segment == 0 ? 1_000 * Int64(kind + 1) : 2_000 * Int64(kind + 1))
            }
        }
        return RunResult(scenario: scenario, measures: measures, load: load, tablesHash: "0123456789abcdef")
    }

    private static func balance(_ measures: RunMeasures, _ segment: Int, _ kind: Int, requests: Int64) {
        let block = measures.layout.kindBlock(segment, kind)
        func sum(_ field: Int, _ count: Int) -> Int64 { measures.counts(at: block + field, count: count).reduce(0, +) }
        measures.cells[block + KindField.reloadsCarriedOut] =
            measures.cells[block + KindField.reloadsCarriedIn] + sum(KindField.started, MeasureLayout.causes * 2)
            - sum(KindField.ended, MeasureLayout.causes * 2 * MeasureLayout.outcomes)
        measures.cells[block + KindField.closing] =
            measures.cells[block + KindField.opening] + sum(KindField.hourAccrued, MeasureLayout.hours)
            - sum(KindField.hourExpired, MeasureLayout.hours)
            - 1_000_000 * sum(KindField.hourSpent, MeasureLayout.hours)
        measures.cells[block + KindField.requestsCarriedIn] =
            requests - sum(KindField.requestsSent, MeasureLayout.causes) + measures.cells[block + KindField.requestsCarriedOut]
    }
}
