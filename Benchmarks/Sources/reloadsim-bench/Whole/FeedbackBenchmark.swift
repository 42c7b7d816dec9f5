import RefreshService
import Simulation
import Statistics

/// The cost of a service that answers a fleet: the core time of a run whose service is unlimited less that of the same
/// run without one, for each request, and the bytes of a device that waits.
///
/// Both runs measure the same (S6), and this checks it.
struct FeedbackBenchmark: Benchmark {
    let group = BenchmarkGroup.feedback
    let scenario: ShippedScenario
    let people: Int

    /// Light devices and heavy ones.
    static let scenarios = ["everything", "market-open", "weather-week"]

    init(scenario: ShippedScenario, people: Int?) {
        self.scenario = scenario
        self.people = people ?? scenario.people
    }

    var title: String { scenario.name }

    func measure(repeats: Int) throws -> [Measurement] {
        var plain = try scenario.read(people: people).scenario
        plain.service = nil
        plain.plan.requests.failing = []
        var served = plain
        served.service = RefreshPlan(
            pools: [.unlimited],
            endpoints: plain.plan.endpoints.map { _ in ServiceEndpoint(pool: 0) },
            regions: plain.plan.regions.map { _ in .besideOrigin })
        var nanoseconds: [Double] = []
        var bytes: [Double] = []
        var fingerprint = ""
        _ = try TimedRun(served)
        for _ in 0..<repeats {
            let (without, with) = (try TimedRun(plain), try TimedRun(served))
            fingerprint = without.result.fingerprint
            // Pairs and groups of people are counted without a service only, and are part of the fingerprint.
            guard Self.counts(without.result) == Self.counts(with.result) else {
                throw BenchmarkProblem("\(name): an unlimited service changes what is measured")
            }
            nanoseconds.append(max(0, with.run - without.run) / without.result.requestsLived * 1e9)
            if let rest = with.result.largestSnapshots {
                bytes.append(Double(rest.bytes) / Double(max(1, rest.devices)))
            }
        }
        var time = Measurement(
            self, named: "\(title), a request", unit: .nanosecondsAnOperation, nanoseconds, fingerprint: fingerprint)
        time.people = people
        time.operation = "request"
        var memory = Measurement(
            self, named: "\(title), a waiting device", unit: .bytes, bytes, fingerprint: fingerprint)
        memory.people = people
        return [time, memory]
    }

    /// The counts that both runs have: everything of the fleet, and the requests of each tenth of a second.
    private static func counts(_ result: RunResult) -> [[Int64]] {
        [result.measures.counts] + (0..<result.load.endpoints).map { result.load.tenths(of: $0).map(Int64.init) }
    }
}
