import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

@testable import Simulation
@testable import Fleet

/// A run's result with counts that obey the ledgers but come from no simulation: every cell is a function of its own
/// place.
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
        strata: [
            line(
                0, 0, .phone,
                [(.homeFirst, .systemSmall), (.homeFirst, .systemMedium), (.lockScreen, .accessoryRectangular)]),
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
    ) -> MeasureLayout.Stratum {
        MeasureLayout.Stratum(
            segment: segment, kind: kind, device: device,
            faces: faces.map { MeasureLayout.Face(surface: $0.surface, family: $0.family) })
    }

    static func scenario(hours: Int64, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> Scenario {
        let constant = Distribution(.constant(1))
        let night = SleepHabits.UsualNight(onset: -3_600, wake: 25_200, onsetSpread: 0, wakeSpread: 0)
        let clock = ScenarioClock(startUnixMicroseconds: 1_772_409_600_000_000)
        let end = Instant.start + .days(1) + .hours(hours)
        let plan = FleetPlan(
            seed: 7, clock: clock, warmup: .days(1), end: end, parameters: PlatformParameters(),
            requests: RequestPlan(legs: OneWayDelays(out: constant, back: constant)),
            zones: zones.map { clock.zoneTable($0, until: end)! }, cities: [], apps: ["app"],
            endpoints: endpoints,
            kinds: kinds.indices.map { i in
                var kind = WidgetKind()
                (kind.id, kind.endpoint, kind.fixTime) = (kinds[i], i, constant)
                return kind
            },
            segments: segments.indices.map { i in
                Segment(
                    name: segments[i],
                    habits: SegmentHabits(
                        share: 0.5, cityShares: [1],
                        sleep: SleepHabits(workday: night, freeDay: night, onsetNightSpread: 0, wakeNightSpread: 0),
                        pickups: .even(
                            unlocksPerDay: constant, glancesPerUnlock: 0, sessionLength: constant,
                            surfaceShown: [1, 1, 1, 1, 1, 1],
                            passcodeShare: 1),
                        movement: .still,
                        apps: []),
                    devices: devices[i].map { DevicePlan(kind: $0, share: 1, placements: []) })
            }, replay: [])
        return Scenario(name: "synthetic", people: 100, plan: plan, thresholds: thresholds, loadBin: loadBin)
    }

    /// Every field filled; requests of the ledgers equal those of the load curve, and every ledger is balanced.
    static func result(hours: Int64 = 2, thresholds: [Threshold] = [], loadBin: Duration = .minutes(1)) -> RunResult {
        let scenario = scenario(hours: hours, thresholds: thresholds, loadBin: loadBin)
        let measures = RunMeasures(layout: layout)
        for i in 0..<layout.count { measures.cells[i] = Int64(i * 7_919 % 97 + 1) }
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
            for device in layout.devices {
                let place = layout.place(ofSegment: segment, device)
                if !devices[segment].contains(device) { clear(measures, at: place) }
                if device == .watch { continue }
                let counts = CountBlock(measures.cells, at: place)
                (counts[.wornTimeLow], counts[.wornTimeHigh]) = (0, 0)
            }
        }
        for line in layout.strata.indices {
            present(measures, line)
            balance(measures, line, requests: Int64(3_000 * (layout.strata[line].kind + 1) / linesOfKind))
        }
        return RunResult(scenario: scenario, measures: measures, load: load, tablesHash: "0123456789abcdef")
    }

    static func requests(of endpoint: Int, minutes: Int) -> [(region: Int, cause: Int, tenth: Int)] {
        (0..<3_000 * (endpoint + 1)).map { i in
            (i % 2, i % LoadCurve.causes, i * i * 31 % (minutes * LoadCurve.tenthsPerMinute))
        }
    }

    private static func clear<Block>(_ measures: RunMeasures, at place: BlockPlace<Block>) {
        for i in 0..<Block.size { measures.cells[place.offset + i] = 0 }
    }

    /// Views that can be: drawn in the surface's way, with something hidden exactly if they are redacted; and the same
    /// by location mode.
    private static func present(_ measures: RunMeasures, _ line: Int) {
        let modes = CountedMode.allCases
        let reloads = CountBlock(measures.cells, at: layout.place(ofStratum: line))
        reloads[.instances] = 0
        clear(measures, at: layout.hourPlace(ofStratum: line))
        let hours = CountBlock(measures.cells, at: layout.hourPlace(ofStratum: line))
        for surface in layout.surfaces(ofStratum: line) {
            func place(_ mode: CountedMode) -> BlockPlace<ViewCounts> {
                layout.viewPlace(ofStratum: line, mode: mode, surface: surface)
            }
            let faces = layout.strata[line].faces.indices.filter { layout.strata[line].faces[$0].surface == surface }
            for mode in modes {
                if faces.isEmpty { clear(measures, at: place(mode)) }
                let seen = CountBlock(measures.cells, at: place(mode))
                for state in ViewState.allCases { (seen[.views(state)], seen[.healed(state)]) = (0, 0) }
                seen[.instances] = 0
            }
            for face in faces {
                let drawn = CountBlock(measures.cells, at: layout.facePlace(ofStratum: line, face: face))
                for (i, presentation) in Presentation.allCases.enumerated() {
                    let state = presentation.state
                    let canBe =
                        presentation.renderingMode == surface.renderingMode(isAccented: i % 2 == 0)
                        && (state == .redacted) == (presentation.redaction != .none)
                    drawn[.views(presentation)] = canBe ? 1 + drawn[.views(presentation)] : 0
                    drawn[.healed(presentation)] = state == .fresh ? 0 : drawn[.views(presentation)] / 3
                    let seen = CountBlock(measures.cells, at: place(modes[i % modes.count]))
                    seen[.views(state)] += drawn[.views(presentation)]
                    seen[.healed(state)] += drawn[.healed(presentation)]
                    hours[.views(at: WeekHour(weekday: i % 7, hour: i % HourCounts.hours))(state)] +=
                        drawn[.views(presentation)]
                }
                let count = Int64(3 + face)
                CountBlock(measures.cells, at: place(modes[face % modes.count]))[.instances] += count
                reloads[.instances] += count
            }
        }
    }

    private static func balance(_ measures: RunMeasures, _ line: Int, requests: Int64) {
        let place = layout.place(ofStratum: line)
        let (counts, sums) = (CountBlock(measures.cells, at: place), BlockSum(measures, at: place))
        counts[.carriedOut] = counts[.carriedIn] + sums.sum(.started.all) - sums.sum(.ended.all)
        for pool in BudgetPool.allCases {
            let sums = sums.pool(pool)
            let account = CountBlock(measures.cells, at: ReloadCounts.place(of: pool, in: place))
            account[.closing] =
                account[.opening] + sums.sum(.accrued) - sums.sum(.expired) - 1_000_000 * sums.sum(.spent)
            account[.accounts] = counts[.instances]
        }
        if layout.strata[line].kind != pushedKind { clear(measures, at: ReloadCounts.place(of: .pushed, in: place)) }
        counts[.requestsCarriedIn] = requests - sums.sum(.requestsSent.all) + counts[.requestsCarriedOut]
    }
}
