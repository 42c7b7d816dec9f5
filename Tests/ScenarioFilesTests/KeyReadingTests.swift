import Basics
import Foundation
import Testing
import WidgetPlatform

@testable import ScenarioFiles

/// A key that no form declares cannot be read, and every place that reads keys is reached here.
@Suite struct KeyReadingTests {
    @Test func `reading a key that the form does not declare ends the program`() async {
        await #expect(processExitsWith: .failure) { _ = KeyReadingTests.parameters("{min_gap: 5m}")["min_gab"] }
        await #expect(processExitsWith: .failure) { _ = KeyReadingTests.parameters("wrong")["min_gab"] }
        await #expect(processExitsWith: .failure) { _ = KeyReadingTests.parameters("{}")["dispatch_delay"]["median"] }
    }

    private static func parameters(_ text: String) -> CheckedValue {
        FormCheck(log: ProblemLog(file: "test"), isReplay: false, fileName: "test").check(
            NodeComposition.ownRoot(of: text), .block(KeyCatalogue.parameters), "parameters")
    }

    @Test func `a mapping with variants has the keys of its own case alone`() {
        func value(_ text: String) -> CheckedValue {
            let kind = "{id: a, policy: never, versions: \(text)}"
            return FormCheck(log: ProblemLog(file: "test"), isReplay: false, fileName: "test").check(
                NodeComposition.ownRoot(of: kind), .block(KeyCatalogue.kind), "kind")["versions"]
        }
        let steady = value("{source: steady, every: 1h}")
        #expect(steady["every"].duration == .hours(1))
        #expect(steady.form.form(of: "window", chosen: "steady") == nil)
        #expect(steady.form.form(of: "window", chosen: "calendar") != nil)
        // Where the value is wrong, any case's keys may be asked for.
        #expect(!value("{source: hourly}")["window"].isValid)
    }

    @Test func `a default comes from keys before its own`() async {
        await #expect(processExitsWith: .failure) {
            let block = Form.Block(entries: [
                KeyEntry("a", .text, .computed("b", { $0["b"].text }), "", "A."), KeyEntry("b", .text, "x", "", "B."),
            ])
            _ = FormCheck(log: ProblemLog(file: "test"), isReplay: false, fileName: "test").check(
                NodeComposition.ownRoot(of: "{}"), .block(block), "")
        }
    }

    /// Nodes are read by key before anything is checked; there a key can only be held to the catalogue by its text.
    @Test func `every key that the sources name is in the catalogue`() throws {
        let known = Set(KeyCatalogue.lines.map(\.entry.name)).union(DistributionParameter.allCases.map(\.rawValue))
        let folder = Golden.repository.appending(path: "Sources/ScenarioFiles")
        var found = 0
        for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
        where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in text.matches(
                of:
                    /[\w\])?]\["([a-z_0-9]+)"\]|Items\(of: "([a-z_0-9]+)"|\.key == "([a-z_0-9]+)"|(?:setting|adding)\("([a-z_0-9]+)"/
            ) {
                let output = match.output
                let key = String(output.1 ?? output.2 ?? output.3 ?? output.4 ?? "")
                #expect(known.contains(key), "\(file) reads '\(key)'")
                found += 1
            }
        }
        #expect(found > 100)
    }

    /// A coarse net: a key counts as read if any key of its name is, and the words of a choice are read as the choice.
    @Test func `every key of the catalogue is read`() throws {
        var read = Set(DistributionParameter.allCases.map(\.rawValue))
        read.formUnion(
            Surface.names + LocationMode.names)
        let folder = Golden.repository.appending(path: "Sources/ScenarioFiles")
        var (bound, catalogue): ([(String, String)], String) = ([], "")
        for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
        where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            // The catalogue itself reads keys where a default comes from another key, and binds keys to properties.
            guard file.contains("/Key") else {
                for match in text.matches(of: /"([a-z_0-9]+)"/) { read.insert(String(match.1)) }
                continue
            }
            for match in text.matches(of: /(?:\[|(?:Key|clue)\(\s*)"([a-z_0-9]+)"(?:\]|,\s*(?:\\\.|target))/) {
                read.insert(String(match.1))
            }
            // Keys of several blocks are declared by themselves and bound in each.
            for match in text.matches(of: /let (\w+) = KeyEntry\(\s*"([a-z_0-9]+)"/) {
                bound.append((String(match.1), String(match.2)))
            }
            catalogue += text
        }
        for (entry, name) in bound where catalogue.contains("Key(\(entry), \\.") { read.insert(name) }
        for line in KeyCatalogue.lines { #expect(read.contains(line.entry.name), "nothing reads \(line.path)") }
    }

    // MARK: Every assembly

    /// A drawn fleet with every variant of every block, which an exhaustive switch writes out.
    static let drawn: String = {
        var kinds: [String] = []
        func add(_ keys: String) { kinds.append("  - {id: kind-\(kinds.count), push: true, \(keys)}\n") }
        for source in VersionSourceKind.allCases {
            let keys =
                switch source {
                case .manual: "changes_per_opening: 0.1"
                case .steady: "every: 1h, spread: 5m, per: place"
                case .poisson: "every: 1h, per: key"
                case .daily: "at: [\"08:00\"], zone: Europe/London, days: [mon, friday], empty_before: true"
                case .market: "every: 1m, half_days: [{date: 2026-12-24, close: \"13:00\"}], holidays: [2026-12-25]"
                case .games: "starts: [30h], length: 2h, changes: 3, burst: {followers: 1}, per: key, one_in: 2"
                case .calendar: "events: {at: [\"09:00\"], zone: Europe/London}"
                }
            let event = source == .games || source == .market ? "event: 3, " : ""
            add(
                "policy: at_end, versions: {source: \(source.name), \(keys)}, push_on_version: {share: 0.5}, relevance: {\(event)new_version: {score: 1, for: 1h}, "
                    + "hours: [{from: \"07:00\", to: \"09:00\", score: 2}]}")
        }
        for kind in TimelineKind.allCases {
            let keys =
                switch kind {
                case .single: ""
                case .series: ", count: 3, spacing: 1h"
                case .untilMidnight: ", spacing: 1h"
                case .selfUpdating: ", good_for: 1h"
                }
            add(
                "policy: never, timeline: {shape: \(kind.name)\(keys), valid_for: 2h}, session_rhythm: 5m, wake_ups_per_day: 2"
            )
        }
        for parameter in ["plus_minus", "sd", "mean", "fixed"] {
            add("policy: {after: 1h, jitter: {\(parameter): 5m}}, forecast: {error_at_1h: 1, unit: K}")
        }
        add("policy: {after: {at: [\"09:35\"], zone: America/New_York, days: {exchange: NYSE}}}, versions: [25h, 26h]")
        add("policy: {after: {every: 15m, between: [\"09:30\", \"16:00\"], offset: 1m, days: weekdays}}")
        add(
            "policy: {after: 1h, jitter: 5m}, versions: {source: market, every: 1m, exchange: NYSE}, content_key: user, fix_time: 1s"
        )
        let popularities =
            ["popularity: zipf", "popularity: {zipf: 0.5}", "popularity: {weights: {a: 1, b: 2}}"]
        let instances = popularities.enumerated().map { index, popularity in
            "      - {id: i-\(index), kind: kind-0, location: {chosen: [a, b], \(popularity)}, edits_per_year: 2, added_per_day: 0.1, share: 0.5}\n"
        }
        return """
            start: "2026-03-02T00:00:00Z"
            warmup: 1d
            duration: 2d
            people: 100
            parameters: {push_budget: separate, push_allowance: 5, accrual: by_views}
            service:
              retries: 2
              retry_budget: {}
              retry_after: heeded
              failing: [[30h, 31h]]
              prices: {server_hour: 1}
              window: 1ms
              timeout: {mean: 20s}
              failure_after: {min: 10m, max: 20m}
              abandon: in_queue
              edge_capacity: 1000
              background:
                - {id: web, endpoint: kind-0, rate: 5, keys: 100, zipf: 0.8, timeout: 5s}
                - {id: api, endpoint: kind-1, rate: 0.5, region: us-east}
                - {id: other, endpoint: kind-1, rate: 0, regions: {us-east: 1}}
              pools:
                - {id: one, servers: 5, service_time: 10ms, queue: 50, timed_out_work: dropped, rate_limit: {per_second: 100}, retry_after: 5s, autoscaling: {most: 10}}
                - {id: two, servers: unlimited, service_time: {shape: 4, mean: 20ms}}
              regions: [{id: us-east, latency_out: {median: 50ms, p95: 250ms, minimum: 20ms}, origin_out: 5ms, edge_capacity: 10}]
              endpoints: [{id: kind-0, pool: two, cache: {ttl: 1m}}]
              events:
                - outage: {name: a, span: [26h, 27h], pool: one, answer: none}
                - brown_out: {name: b, span: [28h, 29h], pool: one, capacity: 0.5}
                - deploy: {name: c, at: 30h, pool: one}
                - purge: {name: d, at: 31h, endpoint: kind-0, region: us-east}
            kinds:
            \(kinds.joined())
            pushes:
              - {name: p, app: app, at: [30h]}
              - {name: q, app: app, at: {at: ["12:00"], zone: local}}
            os_releases: [{name: r, at: 25h, devices: [phone]}]
            app_releases: [{name: s, at: 25h, app: app}]
            population:
              zones: {America/New_York: 1}
              sleep: {day_sleepers: 0.1}
              apps: {app: {hours: morning}}
              devices:
                - kind: phone
                  standby: {share: 0.5}
                  stacks: [{id: s}]
                  instances:
                  - {id: stacked, kind: kind-0, stack: s, location: {chosen: {count: 20}}}
            \(instances.joined())
                - kind: watch
                  share: 0.3
                  bundles: [{id: b, widgets: [{kind: kind-0}, {kind: kind-1, location: current}], popularity: {weights: {kind-0: 1, kind-1: 2}}}]
                - kind: tablet
                  share: 0.2
                  pickups: {burstiness: 0.1}
                  instances: [{id: t, kind: kind-0}]
                - kind: mac
                  share: 0.3
                  desk: {office: 0.4}
                  instances: [{id: m, kind: kind-0, surface: notification_center}, {id: n, kind: kind-1, from_phone: true}]
            segments:
              - {name: x, share: 0.5, sleep: {ages: [{age: all, share: 1, workday: {onset: "23:00", wake: "07:00", onset_sd: 1h, wake_sd: 1h}, free_day: {onset: "23:00", wake: "07:00", onset_sd: 1h, wake_sd: 1h}}]}}
              - {name: y, share: 0.5, habits: student, cities: world}
            thresholds: [{metric: reloads, op: "<", value: 1e9}]
            study:
              axes: {people: [10, 20], gap: {key: parameters.min_gap, values: "range(0s, 10m, 5m)"}}
              zip: [[people, gap]]
              where: people > 5
              scenarios: {a: {}, b: {people: 50}}
              baseline: b
            """
    }()

    static let overrides: [[String]] =
        [[]] + BackOffKind.allCases.map { ["service.back_off.kind=\($0.name)"] }
        + [["service.retry_delays=[1s, 2s]"], ["service.pools=[]", "service.retries=0"]]

    @Test(arguments: overrides) func `every variant is read`(_ overrides: [String]) throws {
        do {
            _ = try ScenarioReader.read(text: Self.drawn, overrides: overrides)
        } catch {
            Issue.record("\(error.description)")
        }
    }

    @Test func `every shipped scenario is read`() throws {
        let folder = Golden.repository.appending(path: "Scenarios")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
            .sorted()
        #expect(files.count > 20)
        for file in files { _ = try ScenarioReader.read(file: folder.appending(path: file).path) }
    }

    /// A value that is wrong or absent is asked for the same keys as one that is right. All three ways at every key
    /// take most of a minute: without `RELOADSIM_ALTERATIONS=all` one of them, and another at the next key.
    @Test func `a scenario with any one value wrong or missing is read to the end`() throws {
        let replay = ReplayReadingTests.scenario + "\nreplay: events.csv\n"
        for (text, events) in [(Self.drawn, ""), (replay, "d,30,pickup,\n")] {
            // All defaults are written out, so that they go missing and wrong too. The study is no part of a resolved
            // scenario.
            let study = NodeComposition.ownRoot(of: text)["study"]
            let resolved = NodeComposition.ownRoot(of: try ScenarioReader.read(text: text, replay: events).resolvedText)
            let whole =
                study.map {
                    resolved.changed(
                        at: [], to: .mapping(resolved.fields + [.init(key: "study", origin: .catalogue, value: $0)]))
                }
                ?? resolved
            var (right, wrong) = (0, 0)
            // Items of one list are alike, so one of each key is enough.
            var seen: Set<[String]> = []
            let contents: [RawNode.Content?] = [.scalar("%", isPlain: false), .mapping([]), nil]
            let isThorough = ProcessInfo.processInfo.environment["RELOADSIM_ALTERATIONS"] == "all"
            for path in whole.paths where seen.insert(whole.keys(along: path)).inserted {
                for content in isThorough ? contents : [contents[seen.count % 3]] {
                    do {
                        _ = try ScenarioReader.read(
                            whole.changed(at: path, to: content), log: ProblemLog(file: "test"), stem: "test",
                            replay: .text(events), [],
                            nil)
                        right += 1
                    } catch {
                        wrong += 1
                    }
                }
            }
            #expect(right > 7 && wrong > 33, "\(right) right, \(wrong) wrong")
        }
    }
}

extension RawNode {
    fileprivate var fields: [RawField] { if case .mapping(let fields) = content { fields } else { [] } }

    /// Where the values of mappings and the items of lists stand, by their indices.
    fileprivate var paths: [[Int]] {
        let parts: [RawNode] =
            switch content {
            case .scalar: []
            case .list(let items): items
            case .mapping(let fields): fields.map(\.value)
            }
        return parts.enumerated().flatMap { index, part in [[index]] + part.paths.map { [index] + $0 } }
    }

    /// The keys on the way to a path, without the places in lists.
    fileprivate func keys(along path: [Int]) -> [String] {
        guard let index = path.first else { return [] }
        switch content {
        case .scalar: return []
        case .list(let items): return ["[]"] + items[index].keys(along: Array(path.dropFirst()))
        case .mapping(let fields): return [fields[index].key] + fields[index].value.keys(along: Array(path.dropFirst()))
        }
    }

    /// A copy with another value at a path; nil for none.
    fileprivate func changed(at path: [Int], to new: Content?) -> RawNode {
        guard let index = path.first else { return RawNode(content: new ?? content, origin: origin) }
        let removes = path.count == 1 && new == nil
        switch content {
        case .scalar: return self
        case .list(var items):
            if removes {
                items.remove(at: index)
            } else {
                items[index] = items[index].changed(at: Array(path.dropFirst()), to: new)
            }
            return RawNode(content: .list(items), origin: origin)
        case .mapping(var fields):
            if removes {
                fields.remove(at: index)
            } else {
                fields[index].value = fields[index].value.changed(at: Array(path.dropFirst()), to: new)
            }
            return RawNode(content: .mapping(fields), origin: origin)
        }
    }
}
