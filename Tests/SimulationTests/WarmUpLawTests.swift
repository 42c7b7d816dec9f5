import Basics
import Fleet
import Foundation
import RunLaws
import ScenarioFiles
import ScenarioModel
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Nothing is measured before a report, and no figure depends on that (T4): a report after a warm-up has the counts of
/// the report of the whole span without those of the report that ends where it begins.
@Suite struct WarmUpLawTests {
    /// Every count that adds up over spans, by what it counts. What is there at the ends of a span does not, nor does
    /// what heals a view of the warm-up.
    private static func sums(_ result: RunResult) -> [String: [Int128]] {
        let (measures, layout) = (result.measures, result.measures.layout)
        var sums: [String: [Int128]] = [:]
        func add<Block>(_ name: String, _ block: BlockSum<Block>, _ cells: Cells<Block>...) {
            sums[name, default: []] += cells.flatMap { block.bins($0).map { Int128($0) } }
        }
        func add<Block>(_ name: String, _ block: BlockSum<Block>, wide cells: Cells<Block>...) {
            sums[name, default: []] += cells.map { block.wide($0) }
        }
        func add<Block: NamedCounts>(_ name: String, _ block: BlockSum<Block>, without others: Set<Block.Name>)
        where Block.Name: Hashable {
            sums[name, default: []] += Block.Name.allCases.filter { !others.contains($0) }.map { Int128(block[$0]) }
        }
        let views = result.views
        add("views", views, .views.all, .repeated, .lateEntries, .missedSum, .missedViews, .ages, .lags)
        add("views", views, .fixes, .failedFixes, .withoutAccess, .priorContent, .alternateContent)
        add("times of views", views, wide: .ageSum, .lagSum, .wakingTime, .staleTime)
        add("faces", result.faces, .views.all)
        let hours = BlockSum(measures, at: layout.strata.indices.map(layout.hourPlace))
        for hour in WeekHour.allCases {
            add("hours", hours, .views(at: hour).all, .missedViews(at: hour), .missedSum(at: hour), .ages(at: hour))
        }
        let reloads = result.reloads
        add("reloads", reloads, .started.all, .ended.all, .merged.all, .coalesced, .early, .delays, .entries)
        add("reloads", reloads, .unchanged.all)
        add("requests", reloads, .requestsSent.all, .requestsAnswered, .requestsRefused, .requestsTimedOut)
        for end in WaitEnd.allCases {
            add("waits", reloads, .wholeWaits(end).number)
            add("times of waits", reloads, wide: .wholeWaits(end).time)
            for gate in Gate.allCases {
                add("waits", reloads, .waits(end, gate).number)
                add("times of waits", reloads, wide: .waits(end, gate).time)
            }
        }
        let pools = reloads.allPools
        add("tokens", pools, .spent, .readings)
        for hour in 0..<PoolCounts.hours { add("balances", pools, wide: .balances(atHour: hour)) }
        add(
            "devices", result.devices,
            without: [
                .people, .devices, .sessionTimeLow, .sessionTimeHigh, .wornTimeLow, .wornTimeHigh,
                .fetchRequestsCarriedIn, .fetchRequestsCarriedOut, .silentPushesCarriedIn, .silentPushesCarriedOut,
            ])
        add("times of use", result.devices, wide: .sessionTime, .wornTime)
        for activity in result.activityBlocks {
            add(
                "activities", activity, without: [.carriedIn, .carriedOut, .pushesCarriedIn, .pushesCarriedOut])
            add("activities", activity, .views.all, .delays, .lags)
            add(
                "times of activities", activity,
                wide: .delaySum, .lagSum, .presentTime, .behindTime, .tokenWaitSum)
        }
        for transfer in result.transferBlocks {
            add("transfers", transfer, without: [.carriedIn, .carriedOut, .waitingIn, .waitingOut])
        }
        let quotas = BlockSum(
            measures, at: layout.androidStrata.indices.map { layout.quotaPlace(ofAndroidStratum: $0) })
        add("providers", quotas, .due.all, .run.all, .merged.all, .lowered.all, .came.all, .retried.all, .refused.all)
        for gate in AndroidGate.allCases {
            for bucket in StandbyBucket.allCases {
                add("providers", quotas, .used(gate, bucket).number, .waits(gate, bucket).number)
                add("times of providers", quotas, wide: .used(gate, bucket).time)
            }
            // A wait is booked under the bucket in which it is looked at, which the begin of a report does too.
            sums["waits of providers", default: []].append(
                StandbyBucket.allCases.reduce(0) { $0 + quotas.wide(.waits(gate, $1).time) })
        }
        sums["load"] = (0..<result.load.endpoints).map { endpoint in
            result.load.tenths(of: endpoint).reduce(0) { $0 + Int128($1) }
        }
        return sums
    }

    /// Sentences on what differs between a report and what the whole has more than the span before it.
    private static func differences(_ report: RunResult, _ whole: RunResult, _ before: RunResult) -> [String] {
        let (report, whole, before) = (sums(report), sums(whole), sums(before))
        return report.keys.sorted().compactMap { name in
            let expected = zip(whole[name]!, before[name]!).map { $0 - $1 }
            let found = report[name]!
            if found == expected { return nil }
            let places = found.indices.filter { found[$0] != expected[$0] }.prefix(5)
            return "\(name): " + places.map { "\($0) is \(found[$0]), not \(expected[$0])" }.joined(separator: "; ")
        }
    }

    /// A service that answers at once and always, as the origin does before the service begins.
    private static let service = """
        start: "2026-03-06T00:00:00-05:00"
        warmup: 1d
        duration: 1d
        people: 10
        service: {pools: [{id: origin, servers: unlimited, service_time: 0s}]}
        kinds:
          - {id: k, app: a, policy: {after: 20m}, reload_on_open: always, session_rhythm: 3m, versions: {source: steady, every: 1h}}
          - {id: clock, app: a, timeline: {shape: until_midnight, spacing: 1h}, policy: at_end}
        population:
          devices: [{kind: phone, instances: [{id: i, kind: k, location: current}, {id: c, kind: clock, surface: lock_screen}]}]
        """

    private static let activities = """
        start: "2026-03-01T00:00:00+00:00"
        warmup: 1d
        duration: 1d
        people: 10
        kinds: [{id: k, app: a, policy: {after: 30m}}]
        live_activities:
          kinds: [{id: live, app: a, own: {per_day: 9, length: {median: 1h, p95: 4h}, updates: 30}, start: app, important: 0.7, stale_after: 20m, dismissed_active: 0.01, expiry: 5m}]
          limits: {budget: 12, longest: 3h}
        population:
          zones: {Europe/London: 1}
          connectivity: {offline_per_day: 4}
          devices:
            - {kind: phone, instances: [{id: i, kind: k}]}
            - {kind: watch, share: 0.5, instances: [{id: w, kind: k, surface: watch_face, family: accessory_circular}]}
        """

    private static let fleets = [
        "widgets": Fixtures.fleet(people: 10), "Android": AndroidLawTests.fleet(people: 10), "activities": activities,
        "service": service,
        "few tokens": Fixtures.fleet(people: 10, more: "parameters: {a_min: 2, a_max: 4}"),
    ]

    /// Each warm-up is as long as the past that devices need, so that they begin at `start`. The report begins within
    /// an hour, at one at which balances are read, and at midnight.
    @Test(arguments: fleets.keys.sorted(), [.minutes(11_897), .hours(199), .days(9)] as [Basics.Duration])
    func `a report has what the whole span has more than its warm-up`(fleet: String, begin: Basics.Duration) throws {
        let text = try #require(Self.fleets[fleet])
        func run(_ warmup: Basics.Duration, _ end: Basics.Duration) throws -> RunResult {
            try Fixtures.run(
                text, ["warmup=\(TimeText.duration(warmup))", "duration=\(TimeText.duration(end - warmup))"], threads: 1
            )
        }
        let (past, end) = (Basics.Duration.days(8), Basics.Duration.days(10))
        let differences = try Self.differences(run(begin, end), run(past, end), run(past, begin))
        #expect(differences == [])
    }

    /// The begin is an instant at which something happens: what happens at it belongs to the report, and what began
    /// before it ends in it. Cases in which people sleep are left out: a record that ends before they wake up does not
    /// tell that they do.
    @Test(arguments: WorkedCaseTests.files)
    func `a report that begins at an event of a worked case has that event and what follows`(file: URL) throws {
        let (text, replay) = try WorkedCase.text(of: file)
        func scenario(_ overrides: [String]) throws -> Scenario {
            try ScenarioReader.read(text: text, file: "case.yaml", replay: replay, overrides: overrides).scenario
        }
        func run(_ overrides: [String]) throws -> RunResult {
            try #require(try ScenarioRun(scenario(overrides)).run(threads: 1))
        }
        let whole = try scenario([])
        guard whole.service == nil, whole.plan.warmup == .zero, !replay.contains(",wake,") else { return }
        let instants = whole.plan.replay.flatMap { $0.events.map(\.time) }.filter {
            $0 > .start && $0 < whole.plan.end
        }.sorted()
        guard !instants.isEmpty else { return }
        let all = try run([])
        for place in Set([instants.count / 3, instants.count * 2 / 3]) {
            let begin = TimeText.duration(instants[place] - .start)
            let differences = try Self.differences(run(["warmup=\(begin)"]), all, run(["end=\(begin)"]))
            #expect(differences == [], "\(file.lastPathComponent) from \(begin) on")
        }
    }
}
