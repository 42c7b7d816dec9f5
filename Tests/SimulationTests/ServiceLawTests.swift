import ResultFiles
import Basics
import Fleet
import Foundation
import Reporting
import RunLaws
import ScenarioFiles
import ScenarioModel
import Statistics
import Testing
import WidgetPlatform

@testable import RefreshService
@testable import Simulation

/// The laws of a fleet and its service together, on whole runs (S1–S6).
///
/// Rules: S5, S6.
@Suite struct ServiceLawTests {
    // MARK: An unlimited service is none

    /// Everything that both runs have is the same: counts, load, files.
    private static func expectSame(_ name: String, _ without: Scenario) throws {
        #expect(without.service == nil, "\(name)")
        var with = without
        with.service = ServiceFixtures.unlimited(for: without.plan)
        let (plain, served) = (try ServiceFixtures.run(without), try ServiceFixtures.run(with))
        #expect(served.counts == plain.counts, "\(name)")
        #expect(served.tenths == plain.tenths, "\(name)")
        var (expected, found) = (try plain.files(), try served.files())
        for alone in [OutputFolder.manifestName, OutputFolder.resolvedScenarioName] {
            #expect(
                expected.removeValue(forKey: alone) != nil && found.removeValue(forKey: alone) != nil,
                "\(name): \(alone)")
        }
        let packages = (expected.removeValue(forKey: "datapackage.json"), found.removeValue(forKey: "datapackage.json"))
        let common = try ServiceFixtures.resources(of: #require(packages.0))
        let all = try ServiceFixtures.resources(of: #require(packages.1))
        #expect(Set(common.keys) == Set(expected.keys) && Set(all.keys) == Set(found.keys), "\(name)")
        for (file, content) in expected {
            if found[file] == content {
                #expect(all[file] == common[file], "\(name): \(file) of the package")
            } else {
                #expect(fleetRows(found[file]) == fleetRows(content), "\(name): \(file)")
            }
        }
    }

    /// The rows of a table that a fleet has without a service, too: none of what reaches the origin or happens in a
    /// pool, and no range of other draws, which a service has not.
    private static func fleetRows(_ table: Data?) -> [String]? {
        guard let table else { return nil }
        let lines = String(decoding: table, as: UTF8.self).split(separator: "\n")
        let columns = lines.first?.split(separator: ",", omittingEmptySubsequences: false).prefix {
            !$0.hasPrefix("represented_") && !$0.hasPrefix("redraw_") && $0 != "standard_error"
        }.count
        return lines.filter { line in !["origin,", "pool,", "event,"].contains { line.hasPrefix($0) } }.map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).prefix(columns ?? 0).joined(separator: ",")
        }
    }

    @Test(
        arguments: Fixtures.shipped.filter { file in
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return true }
            return !text.contains("\n  pools:")
        })
    func `an unlimited service changes no byte of a shipped scenario`(file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        try Self.expectSame(file.lastPathComponent, Fixtures.scenario(text, ["people=30"]))
    }

    @Test(arguments: ["error", "timeout"])
    func `an unlimited service with outages changes no byte of an origin that fails`(failure: String)
        throws
    {
        let overrides = ["service.failure=\(failure)", "service.timeout=150ms"]
        try Self.expectSame("fixture", Fixtures.scenario(Fixtures.fleet(), overrides))
        try Self.expectSame(
            "a budget of retries",
            Fixtures.scenario(Fixtures.fleet(), overrides + ["service.retry_budget={per_first_try: 0.01, most: 1}"]))
        try Self.expectSame(
            "several requests", Fixtures.scenario(Fixtures.fleet(), overrides + ["kinds.weather.requests_per_reload=3"])
        )
    }

    /// The recorded devices of every fourth worked case, or of all with `RELOADSIM_ALTERATIONS=all`, with a way to the
    /// service and back.
    @Test(
        arguments: WorkedCaseTests.files.enumerated().filter {
            $0.offset % 4 == 1 || ProcessInfo.processInfo.environment["RELOADSIM_ALTERATIONS"] == "all"
        }.map(\.element)
    ) func `an unlimited service changes no byte of a replay`(file: URL) throws {
        let (text, replay) = try WorkedCase.text(of: file)
        let scenario = try ScenarioReader.read(
            text: text, replay: replay, overrides: ["service.latency_out=30ms", "service.latency_back=20ms"]
        ).scenario
        if scenario.service != nil { return }
        try Self.expectSame(file.lastPathComponent, scenario)
    }

    // MARK: Threads, windows and packing

    /// Whether two runs of one scenario are the same byte for byte: measures, and what is written of the service.
    private static func expectEqual(_ a: RunResult, _ b: RunResult, _ what: String) throws {
        #expect(a.fingerprint == b.fingerprint, "\(what)")
        #expect(a.counts == b.counts, "\(what)")
        let (x, y) = (try a.files(), try b.files())
        for (file, content) in x where file != OutputFolder.manifestName {
            #expect(y[file] == content, "\(what): \(file)")
        }
        #expect(Set(x.keys) == Set(y.keys))
    }

    @Test(arguments: ServiceFixtures.clients) func `threads, windows and packing change no byte`(clients: String) throws
    {
        let scenario = try ServiceFixtures.everything(clients: clients)
        let first = try ServiceFixtures.run(scenario, threads: 1)
        try Self.expectEqual(first, ServiceFixtures.run(scenario, threads: 7), "7 threads")
        // The ways to the edge and back take 20 ms at least.
        for window in [2_000, 7_777] as [Int64] {
            var cut = scenario
            cut.serviceWindow = Duration(microseconds: window)
            try Self.expectEqual(first, ServiceFixtures.run(cut), "windows of \(window) µs")
        }
        try Self.expectEqual(first, ServiceFixtures.run(scenario, keepsWhole: true), "devices kept whole")
        #expect(first.largestSnapshots != nil)
    }

    /// Threads hold an answer until it matters: at once for a refusal, whose client soon tries again, and after the
    /// policy's time for a timeline, if that comes before the try's time-out.
    @Test(arguments: ["15m", "8s"]) func `answers that threads hold change no byte, whatever follows from them`(
        policy: String
    ) throws {
        let scenario = try Fixtures.scenario(
            """
            start: "2026-03-04T00:00:00-05:00"
            warmup: 6h
            duration: 6h
            people: \(policy == "8s" ? 10 : 600)
            parameters: {gates: \(policy == "8s" ? "none" : "all")}
            kinds: [{id: a, policy: {after: \(policy)}}]
            population:
              devices: [{kind: phone, instances: [{id: first, kind: a}]}]
            service:
              timeout: 30s
              retries: 3
              back_off: {kind: full, base: 500ms, cap: 2s}
              pools: [{id: origin, servers: unlimited, service_time: 10ms, rate_limit: {per_minute: 20, burst: 5}}]
            """)
        let first = try ServiceFixtures.run(scenario, threads: 1)
        for threads in [2, 3] {
            try Self.expectEqual(first, ServiceFixtures.run(scenario, threads: threads), "\(threads) threads")
        }
    }

    /// Partitions are handed out while other devices of theirs, whose answers are missing for long, act by themselves:
    /// they give up, try again, and are looked at.
    @Test func `devices that act while their partition is handed out change no byte`() throws {
        let scenario = try ServiceFixtures.impatient()
        let first = try ServiceFixtures.run(scenario, threads: 1)
        for threads in [2, 3] {
            try Self.expectEqual(first, ServiceFixtures.run(scenario, threads: threads), "\(threads) threads")
        }
        #expect(try #require(first.service).sum(.timedOut) > 1_000)
    }

    /// Here windows decide much at once, which threads then share, while other devices give up and try again.
    @Test func `threads, windows and packing change no byte of a herd`() throws {
        let scenario = try ServiceFixtures.herd()
        let first = try ServiceFixtures.run(scenario, threads: 1)
        for threads in [2, 7] {
            try Self.expectEqual(first, ServiceFixtures.run(scenario, threads: threads), "\(threads) threads")
        }
        var cut = scenario
        cut.serviceWindow = .milliseconds(2)
        try Self.expectEqual(first, ServiceFixtures.run(cut, threads: 3), "windows of 2 ms")
        try Self.expectEqual(first, ServiceFixtures.run(scenario, keepsWhole: true), "devices kept whole")
        let service = try #require(first.service)
        #expect(service.sum(.timedOut) > 1_000, "\(service.sum(.timedOut))")
        #expect(service.sum(.retries) > 1_000, "\(service.sum(.retries))")
    }

    /// The test of everything compares a service in which everything happens that can happen to a request.
    @Test func `the service with everything lets everything happen`() throws {
        for clients in ServiceFixtures.clients {
            let result = try ServiceFixtures.run(ServiceFixtures.everything(clients: clients))
            let service = try #require(result.service)
            for field in ServiceField.allCases {
                #expect(
                    (0..<service.pools).contains { service.sum(field, pool: $0) > 0 }, "no \(field) with \(clients)")
            }
            let servers = (0..<service.minutes).map { service[.servers, pool: 0, minute: $0] }
            #expect(Set(servers).count > 2, "the autoscaler does nothing")
            #expect(!service.recoveries.isEmpty && service.secondsOverCapacity.contains { $0 > 0 })
        }
    }

    /// Fleet and service in the plainest loop there is, which also looks at every answer.
    @Test func `one partition and one service by turns are a run, and no answer comes before its content was made`()
        throws
    {
        let scenario = try ServiceFixtures.everything(people: 60, clients: ServiceFixtures.clients[0])
        let plan = scenario.plan
        let prepared = try PreparedPlan(plan)
        let service = try SimulatedService(
            #require(scenario.service), seed: plan.seed, begin: plan.begin, reportFrom: .start + plan.warmup,
            end: plan.end, sorts: plan.requestClasses, versionEnds: prepared.versionEnds)
        let load = LoadCurve(
            endpoints: plan.endpoints.count, regions: plan.regions.count,
            minutes: Int(scenario.reportedSpan.microseconds / 60_000_000),
            causes: LoadCurve.causes(with: plan.requestClasses))
        let partition = FleetPartition(
            prepared, load: load, people: scenario.people, share: .thread(0, of: 1, in: .whole))
        for person in 0..<scenario.people { partition.begin(person: person) }
        let (window, noRequests) = (prepared.leastLeg, UnsafeBufferPointer<ServiceRequest>(start: nil, count: 0))
        let sent = NetworkQueue()
        var (wakes, rounds) = (WakeUpQueue(), AnswerRounds())
        var answers: [ServiceAnswer] = []
        var start = Instant.start
        while start < plan.end {
            let limit = min(start + window, plan.end)
            sent.collect(from: partition)
            wakes.collect(from: partition)
            var requests: [ServiceRequest] = []
            sent.take(before: limit, into: &requests) { _ in }
            #expect(requests.allSatisfy { $0.arrival >= start })
            for request in requests where request.instance != ServiceRequest.noInstance {
                if let wake = partition.noteArrival(of: request, rounds) { wakes.note(wake, windowEnd: limit) }
            }
            var decided: [ServiceAnswer] = []
            requests.withUnsafeBufferPointer { service.advance($0, to: limit, answers: &decided) }
            rounds.beginDelivery()
            partition.deliver(answers, windowEnd: limit)
            rounds.endDelivery()
            wakes.collect(from: partition)
            var woken: [DeviceWakeUp] = []
            wakes.take(before: limit, where: { partition.isDue($0, rounds) }, { woken.append($0) })
            partition.resume(woken, windowEnd: limit)
            sent.collect(from: partition)
            wakes.collect(from: partition)
            var next = min(service.nextAt, sent.nextAt)
            for answer in decided {
                #expect(answer.at >= limit, "an answer within the window in which it is decided")
                if !answer.isError {
                    #expect(answer.madeAt + window <= answer.at && answer.madeAt >= .start, "content from the future")
                }
                next = min(next, partition.hold(answer, rounds) ?? .longAgo)
            }
            answers = decided
            start = max(limit, min(next, wakes.next(before: next) { partition.isDue($0, rounds) }))
        }
        partition.finish(end: plan.end)
        var rest: [ServiceAnswer] = []
        service.advance(noRequests, to: plan.end, answers: &rest)
        service.finish()
        let result = RunResult(
            scenario: scenario, measures: partition.measures, load: load, service: service.measures, tablesHash: "")
        #expect(try result.fingerprint == ServiceFixtures.run(scenario).fingerprint)
    }

    /// Another thread may be living the device of an answer that is held while others are delivered. Its pending-device
    /// record is then not read, even where an earlier one is held already.
    @Test func `when an answer matters is not asked of a device that may be living`() throws {
        let scenario = try ServiceFixtures.everything(people: 40, clients: ServiceFixtures.clients[0])
        let plan = scenario.plan
        let load = LoadCurve(
            endpoints: plan.endpoints.count, regions: plan.regions.count, minutes: 0,
            causes: LoadCurve.causes(with: plan.requestClasses))
        let partition = FleetPartition(
            try PreparedPlan(plan), load: load, people: scenario.people, share: .thread(0, of: 1, in: .whole))
        for person in 0..<scenario.people { partition.begin(person: person) }
        let sent = NetworkQueue()
        sent.collect(from: partition)
        var requests: [ServiceRequest] = []
        sent.take(before: plan.end, into: &requests) { _ in }
        let waiting = requests.filter { $0.instance != ServiceRequest.noInstance }
        let request = try #require(waiting.first)
        let other = try #require(waiting.first { $0.person != request.person })
        func answer(_ request: ServiceRequest) -> ServiceAnswer {
            ServiceAnswer(
                to: PendingRequest(request), at: request.arrival + .seconds(1), madeAt: request.arrival)
        }
        var rounds = AnswerRounds()
        #expect(partition.hold(answer(request), rounds) != nil)
        #expect(partition.hold(answer(request), rounds) != nil)
        rounds.beginDelivery()
        #expect(partition.hold(answer(other), rounds) != nil)
        #expect(partition.hold(answer(request), rounds) == nil)
        #expect(partition.hold(answer(request), rounds) == nil)
        rounds.endDelivery()
        #expect(partition.hold(answer(request), rounds) != nil)
    }

    // MARK: Conservation

    /// A fleet of single requests, a service that is short of everything, and no warm-up.
    private static let short = Result {
        try ServiceFixtures.run(
            Fixtures.scenario(
                Fixtures.fleet(people: 400, warmup: "0s", duration: "2d")
                    .replacing(
                        "service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}", with: shortService)))
    }

    private static let shortService = """
        service:
          timeout: 5s
          retries: 2
          back_off: {kind: full, base: 1s}
          origin_out: 40ms
          origin_back: 30ms
          pools:
            - {id: main, servers: 2, service_time: {median: 600ms, p95: 3s}, queue: 5, rate_limit: {per_minute: 6, burst: 4}}
            - {id: side, servers: 1, service_time: 20s, queue: 2}
          endpoints:
            - {id: weather, cache: {ttl: 2m, stale_while_revalidate: 30s}}
            - {id: note, pool: side}
            - {id: clock, pool: side, cache: {ttl: 5m}}
          events:
            - outage: {name: fire, span: [30h, 30h20m], answer: none}
        """

    @Test func `offered requests are served, refused, timed out or in inFlight, at every minute's end`() throws {
        for result in try [
            Self.short.get(), ServiceFixtures.run(ServiceFixtures.everything(clients: ServiceFixtures.clients[3])),
        ] {
            let service = try #require(result.service)
            for pool in 0..<service.pools {
                for region in 0..<service.regions {
                    var outside = service.backgroundCarriedIn[pool * service.regions + region]
                    for minute in 0..<service.minutes {
                        func count(_ field: ServiceField) -> Int64 {
                            service[field, pool: pool, region: region, minute: minute]
                        }
                        outside +=
                            count(.backgroundOffered) - count(.backgroundServed) - count(.backgroundRefused)
                            - count(.backgroundTimedOut)
                        #expect(outside >= 0 && outside < 30, "pool \(pool), region \(region), minute \(minute)")
                    }
                    var inFlight = service.carriedIn[pool * service.regions + region]
                    for minute in 0..<service.minutes {
                        func count(_ field: ServiceField) -> Int64 {
                            service[field, pool: pool, region: region, minute: minute]
                        }
                        #expect(count(.offered) == count(.firstAttempts) + count(.retries))
                        inFlight += count(.offered) - count(.served) - count(.refused) - count(.timedOut)
                        // Nobody waits longer than the time-out of 6 s, so hardly anything is in flight in a quiet
                        // minute.
                        #expect(inFlight >= 0, "pool \(pool), region \(region), minute \(minute)")
                        if count(.offered) == 0 && minute > 0
                            && service[.offered, pool: pool, region: region, minute: minute - 1] == 0
                        {
                            #expect(inFlight == 0, "pool \(pool), region \(region), minute \(minute)")
                        }
                    }
                }
            }
        }
    }

    @Test func `what reaches the edge by the load curve is what the service was offered, minute by minute`() throws {
        for result in try [
            Self.short.get(), ServiceFixtures.run(ServiceFixtures.everything(clients: ServiceFixtures.clients[1])),
        ] {
            let service = try #require(result.service)
            let plan = try #require(result.scenario.service)
            for pool in 0..<service.pools {
                for region in 0..<service.regions {
                    var arrived = Array(repeating: Int64(0), count: service.minutes)
                    for endpoint in 0..<plan.endpoints.count
                    where plan.pool(endpoint: endpoint, region: region) == pool {
                        for cause in 0..<result.load.causes {
                            let minutes = result.load.minutes(of: endpoint, region: region, cause: cause)
                            for minute in arrived.indices { arrived[minute] += Int64(minutes[minute]) }
                        }
                    }
                    #expect(
                        arrived
                            == (0..<service.minutes).map { service[.offered, pool: pool, region: region, minute: $0] })
                }
            }
            // The ledger of the devices.
            let sent =
                result.reloads.sum(.requestsSent.all) + result.reloads[.requestsCarriedIn]
                + result.devices[.fetchRequests]
                + result.devices[.fetchRequestsCarriedIn]
            let carriedOut = result.reloads[.requestsCarriedOut] + result.devices[.fetchRequestsCarriedOut]
            #expect(sent == service.sum(.offered) + carriedOut)
        }
    }

    @Test(arguments: ["always", "in_queue"])
    func `devices and service agree about what became of requests, but for those on their way at the end`(
        abandon: String
    ) throws {
        let result =
            abandon == "always"
            ? try Self.short.get()
            : try ServiceFixtures.run(
                Fixtures.scenario(
                    Fixtures.fleet(people: 400, warmup: "0s", duration: "2d")
                        .replacing(
                            "service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}",
                            with: Self.shortService),
                    ["service.abandon=in_queue", "service.timeout={mean: 8s}"]))
        let service = try #require(result.service)
        let sent = result.reloads.sum(.requestsSent.all)
        let outcomes: [(device: Cells<ReloadCounts>, service: ServiceField)] = [
            (.requestsAnswered, .served), (.requestsRefused, .refused), (.requestsTimedOut, .timedOut),
        ]
        let ended = outcomes.reduce(0) { $0 + result.reloads[$1.device] }
        // A request about which the two disagree is on its way at the end, for the device or for the service.
        let inTransit = sent - ended + result.reloads[.requestsCarriedOut]
        #expect(inTransit >= 0 && inTransit < 20)
        for (device, field) in outcomes {
            #expect(service.sum(field) > 100, "\(field): \(service.sum(field))")
            #expect((service.sum(field) - result.reloads[device]).magnitude <= inTransit, "\(field)")
        }
    }

    @Test func `requests in queue and service are their rate times their time there`() throws {
        // Without outages, drops and limits nothing leaves but by being served.
        let text = Fixtures.fleet(people: 400, warmup: "0s", duration: "2d").replacing(
            "service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}",
            with: "service: {pools: [{id: p, servers: 2, service_time: {shape: 2, mean: 800ms}}]}")
        let result = try Fixtures.run(text)
        let service = try #require(result.service)
        let present = Double(service.sum(.queueSlotTime) + service.sum(.busyTime)) / 1e6
        #expect(service.sum(.completed) > 5_000)
        #expect((present / (Double(service[.originTime, pool: 0].whole.sum) / 1e6) - 1).magnitude < 0.001)
        #expect(
            (Double(service.sum(.queueTime)) / Double(service[.queueWait, pool: 0].whole.sum) - 1).magnitude < 0.001)
    }

    // MARK: What people do, and what they see

    @Test func `what people do does not depend on the service`() throws {
        let served = try ServiceFixtures.everything(clients: ServiceFixtures.clients[2])
        var alone = served
        alone.service = nil
        let (a, b) = (try ServiceFixtures.run(served), try ServiceFixtures.run(alone))
        #expect(a.counts != b.counts)
        let habits: [DeviceCount] = [
            .people, .devices, .deviceDays, .sessions, .glances,
            .sessionTimeLow, .sessionTimeHigh, .appOpenings, .navigationSessions,
            .audioSessions, .cutNights, .trips, .significantChanges,
            .environmentChanges, .appearanceSwitches, .edits, .zoneCrossings,
            .reboots, .releases, .looks, .standbyLooks, .lowPowerEpisodes,
            .offlineEpisodes, .wakeUps, .wornTimeLow, .wornTimeHigh,
            .fetches, .refusedFetches, .missedFetches, .fetchRequests, .fetchRequestsCarriedIn,
            .fetchRequestsCarriedOut,
        ]
        for habit in habits {
            #expect(a.deviceBlocks.map { $0[habit] } == b.deviceBlocks.map { $0[habit] }, "\(habit)")
        }
        // As many views too, though not of the same content.
        #expect(a.views.sum(.views.all) == b.views.sum(.views.all))
    }

    /// The mean age of content at views, in seconds.
    private static func meanAge(_ result: RunResult) -> Double {
        let views = result.views
        return Double(views.wide(.ageSum)) / Double(views.sum(.ages)) / 1e6
    }

    @Test func `a cache makes content at views older, the more the longer it keeps`() throws {
        let ages = try ["0s", "10m", "1h"].map { kept in
            let text = Fixtures.fleet(people: 300).replacing(
                "service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}",
                with: """
                    service:
                      pools: [{id: p, servers: unlimited, service_time: 0s}]
                      endpoints: [{id: weather, cache: {ttl: \(kept)}}, {id: quote, cache: {ttl: \(kept)}}]
                    """)
            return try Self.meanAge(Fixtures.run(text))
        }
        #expect(ages[1] > ages[0] + 5, "\(ages)")
        #expect(ages[2] > ages[1] + 60, "\(ages)")
    }

    // MARK: Ends and sizes

    @Test func `a device with the most instances that a plan allows can rest`() throws {
        let bundles = (0..<16).map { "        - {id: b\($0), share: 1, count: 64, widgets: [{kind: sync}]}" }.joined(
            separator: "\n")
        let scenario = try Fixtures.scenario(
            """
            start: "2026-03-10T10:00:00-04:00"
            warmup: 10m
            duration: 20m
            people: 2
            service: {pools: [{id: origin, servers: 100, service_time: 5ms}]}
            kinds: [{id: sync, policy: {after: 20m}, versions: {source: steady, every: 1h}}]
            population:
              zones: {America/New_York: 1}
              devices:
                - kind: phone
                  bundles:
            \(bundles)
            """)
        let packed = try ServiceFixtures.run(scenario, threads: 1)
        let whole = try ServiceFixtures.run(scenario, threads: 1, keepsWhole: true)
        #expect(packed.fingerprint == whole.fingerprint && packed.reloads[.instances] == 2_048)
    }

    @Test func `a run that is cancelled has no result`() throws {
        let run = try ScenarioRun(ServiceFixtures.everything(people: 60, clients: ServiceFixtures.clients[0]))
        for threads in [1, 3] {
            #expect(run.run(threads: threads, cancelled: { true }) == nil)
            let asked = Asked()
            #expect(run.run(threads: threads, cancelled: { asked.isMore(than: 60 + 20) }) == nil)
        }
    }

    /// 48, and 8 that say until when what its client has is in force (S10).
    @Test func `a request takes 56 bytes`() {
        #expect(MemoryLayout<ServiceRequest>.stride == 56)
    }

    /// Its lines of output are the table in Reports/benchmarks/README.md.
    @Test(arguments: Fixtures.shipped)
    func `a suspended device takes no more memory than the documents say`(file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        // Events at dates of their own may lie beyond the twelve hours.
        var scenario =
            try (try? Fixtures.scenario(text, ["people=1000", "warmup=0s", "duration=12h"]))
            ?? Fixtures.scenario(text, ["people=1000"])
        scenario.service = scenario.service ?? ServiceFixtures.unlimited(for: scenario.plan)
        let result = try ServiceFixtures.run(scenario, threads: 1)
        let (bytes, devices) = try #require(result.largestSnapshots)
        let name = file.deletingPathExtension().lastPathComponent
        let widgets = Double(result.reloads[.instances]) / Double(result.devices[.devices])
        print("REST | `\(name)` | \((widgets * 10).rounded() / 10) | \((bytes + devices / 2) / devices) |")
        let stated = try #require(try Self.stated[name], "\(name) is not in the table")
        #expect(Double(bytes) <= 1.05 * Double(stated * devices), "\(name): \(bytes) bytes of \(devices) devices")
    }

    /// Bytes of a device by scenario, as Reports/benchmarks/README.md has them.
    private static var stated: [String: Int] {
        get throws {
            let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
                .appending(path: "Reports/benchmarks/README.md")
            var stated: [String: Int] = [:]
            for line in try String(contentsOf: document, encoding: .utf8).split(separator: "\n") {
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                if cells.count == 3, cells[0].hasPrefix("`"), Double(cells[1]) != nil, let bytes = Int(cells[2]) {
                    stated[cells[0].trimmingCharacters(in: ["`"])] = bytes
                }
            }
            return stated
        }
    }
}

/// How often a run has asked whether it is cancelled.
private final class Asked: @unchecked Sendable {
    private let lock = NSLock()
    private var times = 0

    func isMore(than limit: Int) -> Bool {
        lock.withLock {
            times += 1
            return times > limit
        }
    }
}
