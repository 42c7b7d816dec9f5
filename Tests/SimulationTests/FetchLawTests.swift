import Basics
import Fleet
import Foundation
import RefreshService
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Apps fetch in the background when and as often as they should, and nothing else changes by it (B8).
///
/// Rules: B8.
@Suite struct FetchLawTests {
    private static let people = 400
    /// Fetches of a device in the two days of a run, one every 20 minutes from the start on.
    private static let perDevice: Int64 = 144

    /// - Parameters:
    ///   - fetch: the keys of the app's background fetch; nil for none.
    ///   - population: further keys of the population.
    private static func text(
        _ fetch: String?, population: String = "", share: Double = 1, policy: String = "never", top: String = ""
    ) -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: 2d
        people: \(people)
        \(top)
        kinds: [{id: k, app: a, policy: \(policy)}, {id: other, app: b, policy: never}]
        population:
          zones: {America/New_York: 1}
          apps: {a: {openings_per_day: 0\(fetch.map { ", background_fetch: {every: 20m, \($0)}" } ?? "")}}
          \(population)
          devices: [{kind: phone, instances: [{id: i, kind: k, share: \(share)}, {id: j, kind: other}]}]
        """
    }

    /// The requests of background fetches in each minute.
    private static func minutes(_ result: RunResult) -> [Int64] {
        (0..<result.load.minutes).map { minute in
            (0..<result.load.endpoints).reduce(0) { sum, endpoint in
                (0..<result.load.regions).reduce(sum) {
                    $0 + Int64(result.load.minutes(of: endpoint, region: $1, cause: LoadCurve.fetchCause)[minute])
                }
            }
        }
    }

    @Test func `aligned fetches of all devices come in the same minutes, a request for each of theirs`() throws {
        let result = try Fixtures.run(
            Self.text("aligned: true, spread: 0s, requests: 3", top: "service: {latency_out: 50ms}"))
        let devices = result.devices[.devices]
        #expect(devices == Int64(Self.people))
        #expect(result.devices[.fetches] == Self.perDevice * devices)
        #expect(result.devices[.fetchRequests] == 3 * Self.perDevice * devices)
        #expect(Self.minutes(result) == (0..<2 * 24 * 60).map { $0 % 20 == 0 ? 3 * devices : 0 })
    }

    @Test func `fetches of their own phases are spread evenly, as many for each device`() throws {
        let result = try Fixtures.run(Self.text("spread: 0s", top: "service: {latency_out: 50ms}"))
        #expect(result.devices[.fetches] == Self.perDevice * Int64(Self.people))
        let minutes = Self.minutes(result)
        // A device comes in the same of 20 minutes each time: their counts are binomial, and the same in every span but
        // for the boundaries of minutes.
        for minute in 0..<20 {
            #expect(Agreement.share(minutes[minute], of: Int64(Self.people), is: 0.05), "\(minutes[minute])")
        }
        for minute in 40..<60 { #expect((minutes[minute] - minutes[minute - 20]).magnitude <= 1) }
    }

    @Test func `the spread is over devices and instants`() throws {
        let result = try Fixtures.run(
            Self.text("aligned: true, spread: {min: 0s, max: 4m}", top: "service: {latency_out: 20ms}"))
        let minutes = Self.minutes(result)
        for minute in 0..<4 {
            let all = stride(from: minute, to: minutes.count, by: 20).reduce(0) { $0 + minutes[$1] }
            #expect(
                Agreement.share(all, of: Self.perDevice * Int64(Self.people), is: 0.25, besides: 0.001),
                "minute \(minute): \(all)")
        }
        #expect(minutes.indices.allSatisfy { $0 % 20 <= 4 || minutes[$0] == 0 })
        // Nor is a device always as late.
        let rows = try ScenarioRun(result.scenario).trace(person: 0).rows.filter { $0.event == .fetch }
        #expect(rows.count == Int(Self.perDevice))
        #expect(Set(rows.map { $0.time.microseconds % 1_200_000_000 }).count > 100)
    }

    @Test func `a share of the devices with a widget of the app fetches`() throws {
        let result = try Fixtures.run(Self.text("aligned: true, share: 0.4", share: 0.5))
        let carrying = result.reloads(ofKind: 0)?[.instances] ?? 0
        #expect(Agreement.share(carrying, of: Int64(Self.people), is: 0.5))
        // The last fetches may come after the end.
        let fetching = (result.devices[.fetches] + Self.perDevice - 1) / Self.perDevice
        #expect(Agreement.share(fetching, of: carrying, is: 0.4), "\(fetching) of \(carrying)")
    }

    @Test func `what is refused and what has no connection is counted and makes no request`() throws {
        let all = Self.perDevice * Int64(Self.people)
        let off = try Fixtures.run(Self.text("aligned: true, spread: 0s", population: "power: {refresh_off: 1}"))
        #expect(off.devices[.refusedFetches] == all)
        #expect(
            off.devices[.fetches] == 0 && off.devices[.fetchRequests] == 0 && Self.minutes(off).allSatisfy { $0 == 0 })
        let some = try Fixtures.run(
            Self.text(
                "aligned: true, spread: 0s",
                population:
                    "power: {low_power_per_day: 1, low_power_length: 2h}\n  connectivity: {offline_per_day: 1, offline_length: 2h}"
            ))
        let counts: [DeviceCount] = [.fetches, .refusedFetches, .missedFetches]
        #expect(counts.reduce(0) { $0 + some.devices[$1] } == all)
        for count in counts { #expect(some.devices[count] > all / 50, "\(count): \(some.devices[count])") }
        #expect(some.devices[.fetchRequests] == some.devices[.fetches])
    }

    @Test func `no fetch is a reload, and no widget knows of it`() throws {
        let without = try Fixtures.run(Self.text(nil, policy: "{after: 1h}"))
        let with = try Fixtures.run(Self.text("aligned: true", policy: "{after: 1h}"))
        #expect(with.reloads == without.reloads && with.views == without.views && with.faces == without.faces)
        #expect(with.devices[.fetches] > 0 && without.devices[.fetches] == 0)
        let reloads =
            with.reloads.sum(.requestsSent.all) + with.reloads[.requestsCarriedIn] - with.reloads[.requestsCarriedOut]
        let fetches =
            with.devices[.fetchRequests] + with.devices[.fetchRequestsCarriedIn]
            - with.devices[.fetchRequestsCarriedOut]
        #expect(with.tenths.reduce(0) { $0 + Int64($1) } == reloads + fetches)
    }

    @Test func `a device does not wait for what its fetches ask, and the service counts what becomes of it`() throws {
        // One server that takes 10 s for each of hundreds at once, and reloads that ask one without a limit.
        let service = """
            service:
              timeout: 5s
              latency_out: 50ms
              latency_back: 50ms
              pools: [{id: quick, servers: unlimited, service_time: 0s}, {id: slow, servers: 1, service_time: 4s, queue: 50}]
              endpoints: [{id: app, pool: slow}]
            """
        let plain = try Fixtures.run(
            Self.text(
                "aligned: true, endpoint: app", policy: "{after: 1h}",
                top: "service: {timeout: 5s, latency_out: 50ms, latency_back: 50ms}"))
        let served = try Fixtures.run(Self.text("aligned: true, endpoint: app", policy: "{after: 1h}", top: service))
        #expect(served.reloads == plain.reloads && served.views == plain.views)
        let measures = try #require(served.service)
        let ended = [ServiceField.served, .refused, .timedOut].map { measures.sum($0, pool: 1) }
        #expect(ended.allSatisfy { $0 > 100 }, "\(ended)")
        let offered = served.devices[.fetchRequests] - served.devices[.fetchRequestsCarriedOut]
        #expect(measures.sum(.offered, pool: 1) == offered && measures.sum(.retries, pool: 1) == 0)
        // Those of the last seconds may be under way at the end.
        #expect(offered - ended.reduce(0, +) <= 1)
        #expect(Self.minutes(served) == Self.minutes(plain))
    }

    @Test func `threads, windows, packing and a break change no byte`() throws {
        let scenario = try Fixtures.scenario(
            """
            start: "2026-01-12T07:00:00-05:00"
            warmup: 1h
            duration: 2h
            people: 200
            service:
              timeout: {mean: 4s}
              retries: 1
              retry_delays: [500ms]
              abandon: in_queue
              failure_after: 5m
              pools: [{id: p, servers: 1, service_time: {mean: 900ms}, queue: 5}]
            kinds: [{id: k, app: a, policy: {after: 20m}}, {id: other, app: b, policy: never}]
            population:
              zones: {America/New_York: 1}
              power: {low_power_per_day: 2, low_power_length: 1h}
              connectivity: {offline_per_day: 2, offline_length: 1h}
              apps:
                a: {background_fetch: {every: 10m, aligned: true, spread: {mean: 5m}, requests: 2}}
                b: {background_fetch: {every: 7m, share: 0.6}}
              devices: [{kind: phone, instances: [{id: i, kind: k}, {id: j, kind: other, added_per_day: 0.5, share: 0.5}]}]
            """)
        let first = try ServiceFixtures.run(scenario, threads: 1)
        let measures = try #require(first.service)
        #expect(
            first.devices[.fetches] > 2_000 && first.devices[.missedFetches] > 0 && first.devices[.refusedFetches] > 0)
        #expect([ServiceField.served, .refused, .timedOut].allSatisfy { measures.sum($0) > 0 })
        func expectSame(_ run: RunResult, _ what: String) {
            #expect(run.fingerprint == first.fingerprint && run.counts == first.counts, "\(what)")
        }
        expectSame(try ServiceFixtures.run(scenario, threads: 3), "3 threads")
        var cut = scenario
        cut.serviceWindow = .milliseconds(7)
        expectSame(try ServiceFixtures.run(cut), "windows of 7 ms")
        expectSame(try ServiceFixtures.run(scenario, keepsWhole: true), "devices kept whole")
        let run = try ScenarioRun(scenario)
        var current = run.begin(threads: 2)
        for threads in [1, 3, 2] {
            let isOver = current.advance(until: { $0 >= 500 })
            #expect(!isOver)
            let next = run.begin(threads: threads)
            try KeptRun.restore(KeptRun.bytes(of: current), into: next)
            current = next
        }
        let isOver = current.advance()
        #expect(isOver)
        expectSame(current.result(), "a run with three breaks")
    }
}
