import Fleet
import Measures
import People
import Simulation
import SimulatedTime
import Stochastics
import WidgetPlatform

/// A run's result with counts that obey the ledgers but come from no simulation: every cell is a function of its own place.
enum SyntheticRun {
    static let segments = ["commuters", "night, \"owls\""]
    static let kinds = ["weather", "stocks"]
    /// The kinds of device of each segment.
    static let devices: [[DeviceKind]] = [[.phone, .watch], [.phone, .tablet]]
    static let endpoints = ["forecast", "quotes"]
    static let zones = ["Europe/Berlin", "America/New_York"]

    /// Three lines of each kind, of which only the second has accounts for pushed reloads.
    static let layout = MeasureLayout(
        segments: 2,
        lines: [
            line(0, 0, .phone, [(.homeFirst, .systemSmall), (.homeFirst, .systemMedium), (.lockScreen, .accessoryRectangular)]),
            line(0, 0, .watch, [(.watchFace, .accessoryCircular), (.watchFace, .accessoryCorner)]),
            line(0, 1, .phone, [(.homeOther, .systemSmall), (.standby, .systemSmall)]),
            line(1, 0, .phone, [(.todayView, .systemLarge)]),
            line(1, 1, .phone, [(.homeFirst, .systemSmall), (.lockScreen, .accessoryInline)]),
            line(1, 1, .tablet, [(.homeFirst, .systemSmall), (.homeOther, .systemExtraLarge)]),
        ])
    private static let linesOfKind = 3
    private static let pushedKind = 1

    private static func line(
        _ segment: Int, _ kind: Int, _ device: DeviceKind, _ faces: [(surface: Surface, family: WidgetFamily)]
    ) -> MeasureLayout.Line {
        MeasureLayout.Line(
            segment: segment, kind: kind, device: Int(device.rawValue),
            faces: faces.map { MeasureLayout.Face(surface: Int($0.surface.rawValue), family: Int($0.family.rawValue)) })
    }

    static func scenario(hours: Int64, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> Scenario {
        let constant = Distribution(.constant(1))
        let night = SleepHabits.UsualNight(onset: -3_600, wake: 25_200, onsetSpread: 0, wakeSpread: 0)
        let clock = ScenarioClock(startUnixMicroseconds: 1_772_409_600_000_000)
        let end = Instant.start + .days(1) + .hours(hours)
        let plan = FleetPlan(
            seed: 7, clock: clock, warmup: .days(1), end: end,
            parameters: PlatformParameters(dispatchDelay: constant),
            requests: RequestPlan(legs: NetworkLegs(out: constant, back: constant)),
            zones: zones.map { clock.zoneTable($0, until: end)! }, cities: [], apps: ["app"],
            endpoints: endpoints,
            kinds: kinds.indices.map { i in
                WidgetKind(
                    id: kinds[i], app: 0, endpoint: i, shape: .single, validFor: nil, policy: .never, jitter: nil, reloadOnOpen: .never,
                    sessionRhythm: nil, takesPushes: false, isSensitive: false, needsSignIn: false, isProtected: false, withoutFix: .prior,
                    requestsPerReload: 1, actionTime: .zero, fixTime: constant, fixFailure: 0, versions: .manual)
            },
            segments: segments.indices.map { i in
                Segment(
                    name: segments[i], share: 0.5, cityShares: [1],
                    sleep: SleepHabits(workday: night, freeDay: night, onsetNightSpread: 0, wakeNightSpread: 0),
                    pickups: .even(
                        unlocksPerDay: constant, glancesPerUnlock: 0, sessionLength: constant, surfaceShown: [1, 1, 1, 1, 1, 1],
                        passcodeShare: 1),
                    movement: .still,
                    apps: [], devices: devices[i].map { DevicePlan(kind: $0, share: 1, placements: []) })
            }, replay: [])
        return Scenario(name: "synthetic", people: 100, plan: plan, thresholds: thresholds, loadBin: loadBin)
    }

    /// Every field filled; requests of the ledgers equal those of the load curve, and every ledger is balanced.
    static func result(hours: Int64 = 2, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> RunResult {
        let scenario = scenario(hours: hours, thresholds: thresholds, loadBin: loadBin)
        let measures = RunMeasures(layout: layout)
        for i in 0..<layout.count { measures.cells[i] = Int64(i * 7_919 % 97) }
        let minutes = Int(hours) * 60
        let load = LoadCurve(endpoints: endpoints.count, regions: zones.count, minutes: minutes)
        let requests = LoadBuffer(for: load)
        for endpoint in endpoints.indices {
            for request in self.requests(of: endpoint, minutes: minutes) {
                requests.count(endpoint: endpoint, region: request.region, cause: request.cause, tenth: request.tenth)
            }
        }
        requests.flush()
        for segment in segments.indices {
            for device in DeviceKind.allCases where !devices[segment].contains(device) {
                clear(measures, at: layout.segmentBlock(segment, device: Int(device.rawValue)), SegmentField.size)
            }
            for device in [DeviceKind.phone, .tablet] {
                clear(measures, at: layout.segmentBlock(segment, device: Int(device.rawValue)) + SegmentField.wornTime, 2)
            }
        }
        for line in layout.lines.indices {
            present(measures, line)
            balance(measures, line, requests: Int64(3_000 * (layout.lines[line].kind + 1) / linesOfKind))
        }
        return RunResult(scenario: scenario, measures: measures, load: load, tablesHash: "0123456789abcdef")
    }

    static func requests(of endpoint: Int, minutes: Int) -> [(region: Int, cause: Int, tenth: Int)] {
        (0..<3_000 * (endpoint + 1)).map { i in
            (i % 2, i % MeasureLayout.causes, i * i * 31 % (minutes * LoadCurve.tenthsPerMinute))
        }
    }

    private static func clear(_ measures: RunMeasures, at offset: Int, _ size: Int) {
        for i in offset..<offset + size { measures.cells[i] = 0 }
    }

    /// Views that can be: drawn in the surface's way, with something hidden exactly if they are redacted; and the same by location mode.
    private static func present(_ measures: RunMeasures, _ line: Int) {
        let cells = measures.cells
        let modes = 0..<MeasureLayout.modes
        let instances = cells + layout.kindBlock(line) + KindField.instances
        instances.pointee = 0
        for surface in Surface.allCases {
            func block(_ mode: Int) -> Int { layout.viewBlock(line, mode: mode, surface: Int(surface.rawValue)) }
            let faces = layout.lines[line].faces.indices.filter { layout.lines[line].faces[$0].surface == Int(surface.rawValue) }
            for mode in modes {
                if faces.isEmpty { clear(measures, at: block(mode), ViewField.size) }
                clear(measures, at: block(mode) + ViewField.states, 2 * MeasureLayout.states)
                cells[block(mode) + ViewField.instances] = 0
            }
            for face in faces {
                let presentation = layout.presentationBlock(line, face: face)
                for combination in 0..<PresentationField.combinations {
                    let state = combination % MeasureLayout.states
                    let redaction = combination / MeasureLayout.states % MeasureLayout.redactions
                    let mode = combination / (PresentationField.combinations / MeasureLayout.renderingModes)
                    let canBe =
                        mode == Int(surface.renderingMode(hasAccentedFace: combination % 2 == 0).rawValue)
                        && (state == Int(ViewState.redacted.rawValue)) == (redaction != Int(Redaction.none.rawValue))
                    let (views, healed) = (presentation + PresentationField.views, presentation + PresentationField.healed)
                    cells[views + combination] = canBe ? 1 + cells[views + combination] : 0
                    cells[healed + combination] = state == Int(ViewState.fresh.rawValue) ? 0 : cells[views + combination] / 3
                    let seen = block(combination % modes.count)
                    cells[seen + ViewField.states + state] += cells[views + combination]
                    cells[seen + ViewField.healed + state] += cells[healed + combination]
                }
                let count = Int64(3 + face)
                cells[block(face % modes.count) + ViewField.instances] += count
                instances.pointee += count
            }
        }
    }

    private static func balance(_ measures: RunMeasures, _ line: Int, requests: Int64) {
        let block = layout.kindBlock(line)
        func sum(_ field: Int, _ count: Int) -> Int64 { measures.counts(at: block + field, count: count).reduce(0, +) }
        measures.cells[block + KindField.reloadsCarriedOut] =
            measures.cells[block + KindField.reloadsCarriedIn] + sum(KindField.started, MeasureLayout.causes * 2)
            - sum(KindField.ended, MeasureLayout.causes * 2 * MeasureLayout.outcomes)
        for pool in [KindField.pools, KindField.pools + PoolField.size] {
            measures.cells[block + pool + PoolField.closing] =
                measures.cells[block + pool + PoolField.opening] + sum(pool + PoolField.hourAccrued, MeasureLayout.hours)
                - sum(pool + PoolField.hourExpired, MeasureLayout.hours)
                - 1_000_000 * sum(pool + PoolField.hourSpent, MeasureLayout.hours)
            measures.cells[block + pool + PoolField.accounts] = measures.cells[block + KindField.instances]
        }
        if layout.lines[line].kind != pushedKind { clear(measures, at: block + KindField.pools + PoolField.size, PoolField.size) }
        measures.cells[block + KindField.requestsCarriedIn] =
            requests - sum(KindField.requestsSent, MeasureLayout.causes) + measures.cells[block + KindField.requestsCarriedOut]
    }
}
