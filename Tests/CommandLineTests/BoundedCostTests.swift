import Foundation
import Testing

/// The cost of a scenario is said before it is paid, whatever the scenario: an estimate takes seconds at the most.
@Suite struct BoundedCostTests {
    let scratch = Scratch()

    /// Seconds of core time that an answer may take. In debug everything is many times slower.
    #if DEBUG
        private static let most = 100
    #else
        private static let most = 5
    #endif

    /// A scenario that is extreme in one way.
    struct Extreme: CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(
            _ name: String, duration: String = "3660d", warmup: String = "0s", people: String = "1000000000",
            service: String = "{}", kind: String = "policy: {after: 1s}", instances: Int = 1, more: String = "",
            population: String = "", segments: String = ""
        ) {
            testDescription = name
            let devices = (0..<instances).map { "{id: i\($0), kind: k}" }.joined(separator: ", ")
            text = """
                start: "2026-03-02T00:00:00Z"
                warmup: \(warmup)
                duration: \(duration)
                people: \(people)
                parameters: {gates: none}
                service: \(service)
                kinds: [{id: k, app: a, \(kind)}]
                population:
                  devices: [{kind: phone, instances: [\(devices)]}]
                  \(population)
                \(more)

                """
        }
    }

    /// Clients that try again every millisecond, without end.
    private static func unlimited(_ more: String) -> String {
        "{retries: unlimited, back_off: {kind: full, base: 1ms, cap: 1ms}\(more)}"
    }
    private static let slow = ", pools: [{id: o, servers: 5, service_time: 20ms}]"

    static let extremes = [
        Extreme(
            "no try can succeed", duration: "3h", people: "20", service: unlimited(", timeout: 1ms" + slow),
            kind: "policy: {after: 5m}"),
        Extreme(
            "one person, no try can succeed", duration: "10m", people: "1", service: unlimited(", timeout: 1ms" + slow),
            kind: "policy: {after: 5m}"),
        Extreme("no try can succeed for ten years", service: unlimited(", timeout: 1ms" + slow)),
        Extreme(
            "no try can succeed after a warm-up of a year", warmup: "366d", service: unlimited(", timeout: 1ms" + slow)),
        Extreme(
            "a server that takes a minute",
            service: unlimited(", timeout: 1s, pools: [{id: o, servers: 1, service_time: 1m}]")),
        Extreme(
            "a pool that refuses everybody",
            service: unlimited(", pools: [{id: o, servers: 1, queue: 0, service_time: 1h}]"),
            kind: "policy: {after: 30m}"),
        Extreme(
            "an outage of a day after a year", duration: "400d",
            service: unlimited(
                ", timeout: 1s\(slow), events: [{outage: {name: late, span: [\"2027-03-02T00:00:00Z\", \"2027-03-03T00:00:00Z\"]}}]"
            ),
            kind: "policy: {after: 30m}"),
        Extreme(
            "an outage of a day without a back-off that grows", duration: "10d",
            service:
                "{retries: unlimited, back_off: {kind: exponential, base: 1ms, factor: 1.0000001, cap: 1d}, timeout: 1s\(slow), events: [{outage: {name: late, span: [\"2026-03-08T00:00:00Z\", \"2026-03-09T00:00:00Z\"]}}]}",
            kind: "policy: {after: 30m}"),
        Extreme(
            "people who stand for four thousand million", duration: "30d", people: "1000000",
            service: unlimited(", timeout: 1s\(slow)"), kind: "policy: {after: 30m}",
            more: "report: {represents: 4000000000}"),
        Extreme("ten years of reloads every second"),
        Extreme(
            "ten years of reloads every second with a service",
            service: "{pools: [{id: o, servers: 1, service_time: 1s}]}"),
        Extreme("many widgets a device", kind: "policy: {after: 1s}, requests_per_reload: 100", instances: 30),
        Extreme(
            "ten years in which nothing is asked", service: "{pools: [{id: o, servers: 1, service_time: 1s}]}",
            kind: "policy: never"),
        Extreme(
            "a version every second, each pushed",
            kind: "policy: never, push: true, push_on_version: {share: 1}, versions: {source: steady, every: 1s}"),
        Extreme(
            "a random version every second, each pushed",
            kind: "policy: never, push: true, push_on_version: {share: 1}, versions: {source: poisson, every: 1s}"),
        Extreme("many calls", kind: "policy: never, wake_ups_per_day: 1000, session_rhythm: 1s"),
        Extreme("long timelines", kind: "timeline: {shape: series, count: 10000, spacing: 1s}, policy: at_end"),
        Extreme(
            "sessions without end",
            population:
                "pickups: {unlocks_per_day: 10000, glances_per_unlock: 100, least_gap: 100ms, session_length: {median: 1s, sigma: 0.1}}"
        ),
        Extreme(
            "background traffic",
            service:
                "{pools: [{id: o, servers: 1, service_time: 1s}], background: [{id: site, endpoint: k, rate: 1000000}]}",
            kind: "policy: {after: 1h}"),
    ]

    @Test(arguments: extremes) func `an estimate takes seconds, whatever the scenario`(extreme: Extreme) throws {
        let file = scratch.path + "/extreme.yaml"
        try extreme.text.write(toFile: file, atomically: false, encoding: .utf8)
        for arguments in [["validate", file], ["run", file, "--dry-run", "--memory", "1000000TB"]] {
            let ended = try BuiltCommand.run(arguments, shell: "ulimit -t \(Self.most); \"$@\"")
            // A run beyond all limits is refused with its size.
            let isAnswered = ended.status == 0 || ended.error.contains("expected a run of at most")
            #expect(isAnswered, "\(arguments[0]): status \(ended.status), \(ended.error)\n\(extreme.text)")
        }
    }
}
