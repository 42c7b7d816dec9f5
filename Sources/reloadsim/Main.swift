import Fleet
import Foundation
import Measures
import SimulatedTime
import Simulation
import Stochastics
import WidgetPlatform

@main struct Main {
    static func main() throws {
        let people = Int(CommandLine.arguments[1])!
        let threads = Int(CommandLine.arguments[2])!
        let clock = ScenarioClock(startUnixMicroseconds: 1_772_427_600_000_000)
        let warm = Duration.days(2)
        let end = Instant.start + .days(9)
        let zones = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"].map { clock.zoneTable($0, until: end)! }
        var parameters = PlatformParameters(dispatchDelay: try .lognormal(median: 10, p95: 60))
        parameters.contentCell = 10_000_000
        func net() throws -> Distribution { var d = try Distribution.lognormal(median: 0.03, p95: 0.2); d.shift = 0.02; return d }
        let service = ServicePlan(latencyOut: try net(), latencyBack: try net())
        let kind = WidgetKind(
            id: "weather", app: 0, endpoint: 0, shape: .series(count: 24, spacing: .hours(1)), validFor: nil, policy: .after(.minutes(30)), jitter: nil,
            reloadOnOpen: .ifChanged, sessionRhythm: nil, takesPushes: false, isSensitive: false, needsSignIn: false, isProtected: false,
            withoutFix: .prior, requestsPerReload: 1, actionTime: .zero, fixTime: Distribution(.lognormal(median: 2, sigma: 0.8)), fixFailure: 0.02,
            versions: .steady(every: .hours(1), spread: .minutes(10), perPlace: true))
        let sleep = SleepHabits(
            workday: .init(onset: -3360, wake: 24180, onsetSpread: 7200, wakeSpread: 8172),
            freeDay: .init(onset: -1800, wake: 28200, onsetSpread: 6500, wakeSpread: 8000), onsetNightSpread: 4464, wakeNightSpread: 4932)
        let pickups = PickupHabits(
            unlocksPerDay: Distribution(.gamma(shape: 3.1, mean: 80), clippedTo: 8...300), dayLevelSigma: 0.3,
            weekdayFactors: [1.02, 1.03, 1.05, 1.02, 1.02, 0.94, 0.92], glancesPerUnlock: 0.42,
            sessionLength: Distribution(.lognormal(median: 40, sigma: 1.74), clippedTo: 1...14400), surfaceShown: [0.6, 0.1, 0.03, 0, 0, 0],
            passcodeShare: 0.9)
        let movement = MovementHabits(
            commuterShare: 0.45, departure: Distribution(.normal(mean: 27900, standardDeviation: 3600)),
            commuteTime: Distribution(.lognormal(median: 1500, sigma: 0.5)), workStay: Distribution(.normal(mean: 30000, standardDeviation: 3600), clippedTo: 3600...50000),
            tripsPerDay: 1, tripTime: Distribution(.lognormal(median: 978, sigma: 0.79)), tripStay: Distribution(.lognormal(median: 4230, sigma: 1.13)), speed: 11)
        let app = AppHabits(
            openingsPerDay: 2.9, foregroundTime: Distribution(.lognormal(median: 30, sigma: 1)), navigationShare: 0, audioPerDay: 0,
            audioLength: Distribution(.lognormal(median: 1800, sigma: 1)), modeShares: [0.35, 0.336, 0.144, 0.17], reducedAccuracyShare: 0.12)
        let device = DevicePlan(
            kind: .phone, share: 1,
            placements: [
                Placement(id: "here", kind: 0, surface: .homeFirst, family: .systemMedium, location: .current, share: 0.85),
                Placement(id: "city", kind: 0, surface: .homeOther, family: .systemSmall, location: .chosen(["a", "b", "c"]), share: 0.25),
            ])
        let segment = Segment(
            name: "everyone", share: 1, zoneShares: [0.476, 0.291, 0.067, 0.166], sleep: sleep, pickups: pickups, movement: movement, apps: [app],
            devices: [device])
        let plan = FleetPlan(
            seed: 1, clock: clock, warmup: warm, end: end, parameters: parameters, service: service, zones: zones, apps: ["weather"],
            endpoints: ["weather"], kinds: [kind], segments: [segment], replay: [])
        let run = try ScenarioRun(Scenario(name: "x", people: people, plan: plan, thresholds: [], loadBin: .minutes(1)))
        let began = ContinuousClock.now
        let result = run.run(threads: threads)!
        let took = ContinuousClock.now - began
        let m = result.measures
        let s = UnsafeBufferPointer(start: m.cells, count: SegmentField.size)
        let k = m.cells + m.layout.kindBlock(0, 0)
        FileHandle.standardError.write(Data("\(took) fingerprint \(result.fingerprint) tables \(result.tablesHash)\n".utf8))
        FileHandle.standardError.write(Data("people \(s[0]) sessions/dd \(Double(s[5])/Double(people*7)) glances \(Double(s[6])/Double(people*7)) devdays \(s[4]) changes \(Double(s[14])/Double(people*7)) trips \(s[13]) cut \(s[12]) events/dd \(Double(s[16])/Double(people*7))\n".utf8))
        let inst = Double(k[0]) * 7
        for c in ReloadCause.allCases { for ch in 0...1 { let n = k[KindField.started + Int(c.rawValue) * 2 + ch]; if n > 0 { FileHandle.standardError.write(Data("\(c.name) \(ch): \(Double(n) / inst)/inst-day\n".utf8)) } } }
        func f(_ o: Int) -> Double { Double(k[o]) / 1e6 / inst }
        let acc = (0..<24).reduce(0.0) { $0 + f(KindField.hourAccrued + $1) }, exp = (0..<24).reduce(0.0) { $0 + f(KindField.hourExpired + $1) }
        FileHandle.standardError.write(Data("accrued \(acc) expired \(exp) opening \(f(KindField.opening)) closing \(f(KindField.closing)) allowance \(f(KindField.allowance)*7)\n".utf8))
        var views = [Int64](repeating: 0, count: 6)
        for mode in 0..<5 { for su in 0..<6 { let v = m.cells + m.layout.viewBlock(0, 0, mode: mode, surface: su); for st in 0..<6 { views[st] += v[ViewField.states + st] } } }
        FileHandle.standardError.write(Data("views \(views)\n".utf8))
    }
}
