import Fleet
import ScenarioFiles
import ScenarioModel
import Simulation
import Testing

@testable import Reporting

/// The standard errors and ranges of summary.csv.
@Suite struct SamplingErrorTests {
    private static func run(_ people: Int, seed: Int, represents: Int? = nil) throws -> RunReport {
        let text = """
            start: "2026-03-02T00:00:00+01:00"
            duration: 2d
            people: \(people)
            seed: \(seed)
            \(represents.map { "report: {represents: \($0)}" } ?? "")
            kinds: [{id: news, app: reader, policy: {after: 1h}}]
            population: {devices: [{kind: phone, instances: [{id: a, kind: news, surface: home_first}]}]}
            """
        let read = try ScenarioText(text: text, file: "test.yaml").read()
        return RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 2)))
    }

    @Test func `the counts of all groups add up to those of the run, line by line`() throws {
        let report = try Self.run(300, seed: 4)
        let groups = try #require(report.result.groups?.all)
        #expect(groups.reduce(0) { $0 + $1.people } == 300)
        var sum = SummaryCounts(layout: report.result.measures.layout, endpoints: 1)
        for group in groups { sum += group.counts }
        #expect(sum == SummaryCounts(report.result.measures, requests: report.edge.analysis.endpoints.map(\.requests)))
    }

    @Test func `twice the counts double exactly the totals`() throws {
        let report = try Self.run(60, seed: 4)
        var counts = SummaryCounts(report.result.measures, requests: report.edge.analysis.endpoints.map(\.requests))
        let once = SummarySource(counts: counts, load: report.edge.analysis, scenario: report.result.scenario)
        counts += counts
        let twice = SummarySource(counts: counts, load: report.edge.analysis, scenario: report.result.scenario)
        for (one, two) in zip(once.rows, twice.rows) where one.spread == .ofPeople || one.spread == .ofSum {
            guard let value = one.value.asDouble, let other = two.value.asDouble else { continue }
            #expect(abs(other - (one.isTotal ? 2 : 1) * value) <= 1e-9 * value, "\(one.name)")
        }
    }

    /// A reload sends five requests, and an hour has one of them or so: where it has none, others have five.
    @Test func `the range of an hour without requests knows that they come together`() throws {
        let runs = try (1...12).map { seed in
            let text = """
                start: "2026-03-02T00:00:00+01:00"
                duration: 3d
                people: 20
                seed: \(seed)
                parameters: {gates: none}
                kinds: [{id: news, app: reader, policy: {after: 12h, jitter: 12h}, requests_per_reload: 5}]
                population:
                  apps: {reader: {openings_per_day: 0}}
                  devices: [{kind: phone, instances: [{id: a, kind: news, surface: home_first}]}]
                """
            let read = try ScenarioText(text: text, file: "test.yaml").read()
            return RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 1))).hours
        }
        var (inside, all) = (0, 0)
        for (i, hours) in runs.enumerated() {
            for (place, hour) in hours.enumerated() where hour.requests == 0 {
                let range = try #require(hour.redraw)
                #expect(range.low == 0 && range.high > 5)
                for (j, others) in runs.enumerated() where i != j {
                    all += 1
                    if Double(others[place].requests) <= range.high { inside += 1 }
                }
            }
        }
        #expect(all > 1_000 && (0.9...0.999).contains(Double(inside) / Double(all)), "\(inside) of \(all)")
    }

    /// Forty draws: the range of each holds the values of the next in 95 of a hundred, and the standard error is near
    /// the deviation between draws.
    @Test func `ranges of other draws hold as often as they say`() throws {
        let metrics = ["requests_total", "views", "age_mean_s", "age_p50_s", "load_mean_per_s", "spent_tokens"]
        let runs = try (1...40).map { try Self.run(200, seed: $0) }
        var (inside, all) = (0, 0)
        for metric in metrics {
            let rows = runs.map { run in run.summary.first { $0.name == metric }! }
            let values = rows.map { $0.value.asDouble! }
            for (i, row) in rows.enumerated() {
                let range = try #require(row.redraw)
                for (j, value) in values.enumerated() where i != j {
                    all += 1
                    if value >= range.low && value <= range.high { inside += 1 }
                }
            }
            let mean = values.reduce(0, +) / 40
            let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 39).squareRoot()
            let stated = rows.reduce(0) { $0 + $1.redraw!.standardError! } / 40
            #expect((0.7...1.4).contains(stated / deviation), "\(metric): \(stated) for \(deviation)")
        }
        #expect((0.92...0.98).contains(Double(inside) / Double(all)), "\(Double(inside) / Double(all))")
    }

    private static func runOfOrders(seed: Int) throws -> RunReport {
        let text = """
            start: "2026-03-02T00:00:00+01:00"
            duration: 2d
            people: 400
            seed: \(seed)
            kinds: [{id: offers, policy: never}]
            live_activities:
              kinds: [{id: order, own: {per_day: 0.4, length: {median: 40m, p95: 90m}, updates: 8}}]
              limits: {budget: 15}
            population: {devices: [{kind: phone, instances: [{id: a, kind: offers}]}]}
            """
        let read = try ScenarioText(text: text, file: "test.yaml").read()
        return RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 2)))
    }

    @Test func `ranges of Live Activities hold as often as they say`() throws {
        let metrics = [
            "live.activities", "live.pushes_sent", "live.activity_views", "live.shown_after_mean_s",
            "live.share_time_behind", "live.push_wake_ups",
        ]
        let runs = try (1...40).map { try Self.runOfOrders(seed: $0) }
        var (inside, all) = (0, 0)
        for metric in metrics {
            let rows = runs.map { run in run.summary.first { $0.name == metric }! }
            for (i, row) in rows.enumerated() {
                // A few people who decide a figure tell no range.
                guard let range = row.redraw else { continue }
                for (j, other) in rows.enumerated() where i != j {
                    all += 1
                    let value = try #require(other.value.asDouble)
                    if value >= range.low && value <= range.high { inside += 1 }
                }
            }
        }
        #expect(all > 30 * 39 * metrics.count)
        #expect((0.92...0.98).contains(Double(inside) / Double(all)), "\(Double(inside) / Double(all))")
        let report = runs[0]
        for row in report.summary where row.scope == .live && row.redraw != nil {
            #expect(SummaryMetrics.hasRange(row.name), "\(row.name)")
        }
        let groups = try #require(report.result.groups?.all)
        var sum = SummaryCounts(layout: report.result.measures.layout, endpoints: report.edge.analysis.endpoints.count)
        for group in groups { sum += group.counts }
        #expect(sum == SummaryCounts(report.result.measures, requests: report.edge.analysis.endpoints.map(\.requests)))
    }

    private static func runOfGoals(_ people: Int, _ overrides: [String]) throws -> RunReport {
        let text = """
            start: "2026-03-02T00:00:00+01:00"
            warmup: 17h
            duration: 4h
            people: \(people)
            kinds: [{id: scores, policy: never}]
            live_activities:
              kinds:
                - id: match
                  followers: 0.6
                  events:
                    - start: "2026-03-02T18:00:00+01:00"
                      end: "2026-03-02T20:00:00+01:00"
                      updates: ["2026-03-02T18:20:00+01:00", "2026-03-02T18:21:00+01:00", "2026-03-02T19:10:00+01:00"]
              limits: {budget: 15}
            push_sender: {rate: 20, refused: 0.05, retries: 2, retry_delay: 4s}
            population: {devices: [{kind: phone, instances: [{id: a, kind: scores}]}]}
            """
        let read = try ScenarioText(text: text, file: "test.yaml").read(overrides: overrides)
        return RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 2)))
    }

    @Test func `a sample says how many pushes go out to all, and how late they are shown`() throws {
        let whole = try Self.runOfGoals(6_000, []).summary.filter { $0.scope == .live && $0.part == "match" }
        let report = try Self.runOfGoals(800, ["report.represents=6000"])
        var (held, known) = (0, 0)
        for row in whole {
            guard let value = row.value.asDouble, value != 0,
                let range = report.summary.first(where: { $0.name == row.name })?.represented
            else { continue }
            known += 1
            if value >= range.low && value <= range.high { held += 1 }
        }
        #expect(known > 12 && Double(held) >= 0.9 * Double(known), "\(held) of \(known) ranges hold")
        // A burst goes out at the rate of the sender, whatever the sample has in one second.
        let second = try #require(report.range("live.send_peak_1s"))
        #expect((18...20).contains(second.low) && second.high == 21 && second.value == 21)
        #expect(report.range("live.match.send_peak_1m") == report.range("live.send_peak_1m"))

        // A push of the sample every four seconds tells as much.
        let slowly = ["push_sender.rate=1", "push_sender.refused=0"]
        let few = try Self.runOfGoals(400, slowly + ["report.represents=1600"])
        let all = try Self.runOfGoals(1_600, slowly)
        for window in LoadWindow.allCases {
            let name = "live.send_peak_\(window.name)"
            let (range, value) = (try #require(few.range(name)), try #require(all.value(name).asDouble))
            #expect(range.low <= value && value <= range.high && range.low > 0.7 * value, "\(name) \(value) \(range)")
        }

        let channel = try Self.runOfGoals(800, ["report.represents=6000", "live_activities.kinds.0.channel=true"])
        // One push serves all devices.
        #expect(channel.range("live.pushes_sent") == nil && channel.range("live.send_peak_1s") == nil)
        #expect(channel.range("live.activity_views") != nil)
    }

    /// Everybody follows the match; in another draw somebody's phone may be without a connection as it begins.
    @Test func `a total to which everybody brings the same has a range, and the counts of the fleet have none but their own`()
        throws
    {
        let report = try Self.runOfGoals(400, ["live_activities.kinds.0.followers=1", "report.represents=4000"])
        #expect(report.value("live.activities").asDouble == 400)
        let range = try #require(report.range("live.activities"))
        // The rule of three: 3.7 of 400 people.
        #expect(range.value == 4_000 && (3_963...3_964).contains(range.low) && (4_036...4_037).contains(range.high))
        let people = try #require(report.range("people"))
        #expect(people.low == 4_000 && people.high == 4_000)
    }

    @Test func `the metrics that are said to have a range are those that have one`() throws {
        let report = try Self.run(200, seed: 3)
        // The only endpoint's rows are those of all endpoints.
        for row in report.summary where row.scope != .endpoint {
            if row.redraw != nil { #expect(SummaryMetrics.hasRange(row.name), "\(row.name)") }
            if row.value.asDouble == 0 && row.spread == .ofPeople {
                // If none of 200 people has any, the share is at most 1.8 % in nearly all draws.
                let high = row.redraw?.high
                #expect(high.map { row.unit == "share" && $0 >= 0.0184444 && $0 <= 1 } ?? true, "\(row.name)")
            }
            // A metric of which a group has no case, such as a wait, is not known from few people, nor is how much the
            // last of 200 have; a mean in which nobody differs has no range.
            let isRare =
                row.metric.contains("wait") || row.metric.contains("free_") || row.metric.hasSuffix("p95_s")
                || row.metric.hasSuffix("p99_s") || row.metric.hasSuffix("entries_per_timeline")
            if SummaryMetrics.hasRange(row.name), !isRare, let value = row.value.asDouble, value != 0 {
                #expect(row.redraw != nil, "\(row.name)")
            }
        }
        #expect(!SummaryMetrics.hasRange("load_p99_1s") && !SummaryMetrics.hasRange("endpoint.x.load_peak_1s"))
        #expect(!SummaryMetrics.hasRange("service.share_shed") && SummaryMetrics.hasRange("news.share_stale"))
    }

    private static func report(
        kind: String, place: String = "", more: String = "", people: Int = 64, seed: Int = 1, represents: Int? = nil
    ) throws -> RunReport {
        let text = """
            start: "2026-03-02T00:00:00+01:00"
            warmup: 1d
            duration: 1d
            people: \(people)
            seed: \(seed)
            \(represents.map { "report: {represents: \($0)}" } ?? "")
            kinds: [{id: scores, app: sport, policy: {after: 1h}, \(kind)}]
            \(more)
            population: {devices: [{kind: phone, instances: [{id: a, kind: scores\(place)}]}]}
            """
        let read = try ScenarioText(text: text, file: "test.yaml").read()
        return RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 1)))
    }

    /// Every stream of numbers without a person, and what it moves.
    @Test(
        arguments: [
            ("versions: {source: steady, every: 1h}", "", "", nil, nil),
            (
                "versions: {source: steady, every: 1h, spread: 10m}", "", "", "the versions of scores",
                .staleness(kind: 0)
            ),
            (
                "versions: {source: steady, every: 1h, per: place}", "", "", "the versions of scores",
                .staleness(kind: 0)
            ),
            ("versions: {source: steady, every: 1h, spread: 9m, per: place}", ", location: current", "", nil, nil),
            (
                "versions: {source: poisson, every: 1h, per: key}", ", location: {chosen: {count: 3}}", "",
                "the versions of scores", .staleness(kind: 0)
            ),
            ("versions: {source: poisson, every: 1h}", "", "", "the versions of scores", .staleness(kind: 0)),
            (
                "reload_on_open: if_changed, versions: {source: poisson, every: 1h}", "", "", "the versions of scores",
                .everything
            ),
            (
                "push: true, versions: {source: poisson, every: 1h}, push_on_version: {delay: 1s}", "", "",
                "the versions of scores", .everything
            ),
            (
                "push: true, versions: {source: steady, every: 1h}, push_on_version: {delay: 1s, share: 0.5}", "", "",
                "the pushed versions of scores", .everything
            ),
            (
                "versions: {source: games, starts: {at: [\"19:00\"], zone: Europe/Berlin}, length: 2h, changes: 4}", "",
                "",
                "the games of scores", .staleness(kind: 0)
            ),
            ("versions: {source: daily, at: [\"03:00\"], zone: UTC}", "", "", nil, nil),
            (
                "versions: {source: manual}", "",
                """
                live_activities:
                  kinds: [{id: match, followers: 0.6, events: {starts: {at: [\"18:00\"], zone: UTC}, length: 2h, updates: 4}}]
                """, "the events of match", .activities
            ),
        ] as [(String, String, String, String?, SharedDraw.Reach?)])
    func `a draw that people share is known, and so is what it moves`(
        kind: String, place: String, more: String, name: String?, reach: SharedDraw.Reach?
    ) throws {
        let draws = try Self.report(kind: kind, place: place, more: more, people: 8).result.scenario.sharedDraws
        #expect(draws.map(\.name) == (name.map { [$0] } ?? []))
        #expect(draws.map(\.reach) == (reach.map { [$0] } ?? []))
    }

    /// The same people with other versions: just what follows the versions may differ.
    @Test(arguments: ["steady, every: 1h, spread: 30m", "poisson, every: 20m"])
    func `figures that are said not to follow versions do not`(source: String) throws {
        let plain = try Self.report(kind: "versions: {source: steady, every: 1h}")
        let other = try Self.report(kind: "versions: {source: \(source)}")
        #expect(!other.result.scenario.sharedDraws.isEmpty)
        var moved = 0
        for (one, two) in zip(plain.summary, other.summary) {
            let follows = !SummaryMetrics.sharedDraws(moving: two.name, in: other.result.scenario).isEmpty
            if follows {
                moved += one.value == two.value ? 0 : 1
            } else {
                #expect(one.value == two.value, "\(one.name)")
            }
        }
        #expect(moved > 5, "\(moved)")
    }

    @Test func `where the seed draws what all people share, draws of people give no range`() throws {
        let pushed = "push: true, versions: {source: poisson, every: 2h}, push_on_version: {delay: 1s}"
        let shared = try Self.report(kind: pushed)
        #expect(shared.summary.allSatisfy { $0.redraw == nil } && shared.largestWindows.allSatisfy { $0.redraw == nil })
        #expect(shared.hours.allSatisfy { $0.redraw == nil })
        // For others too: their value is known, and no range.
        let stated = try Self.report(kind: pushed, represents: 6_400)
        #expect(stated.range("requests_total") == nil && stated.hours.allSatisfy { $0.represented == nil })
        let total = try #require(stated.value("requests_total").asDouble)
        #expect(stated.representedValue("requests_total") == 100 * total)
        #expect(stated.hours.allSatisfy { $0.representedValue != nil })

        let own = try Self.report(kind: "versions: {source: steady, every: 1h}")
        #expect(own.range("requests_total") != nil && own.largestWindows.allSatisfy { $0.redraw != nil })

        // Nobody acts on the versions: only how stale they are follows.
        let spread = try Self.report(kind: "versions: {source: steady, every: 1h, spread: 10m}", represents: 6_400)
        #expect(spread.range("requests_total") != nil && spread.largestWindows.allSatisfy { $0.represented != nil })
        #expect(SummaryMetrics.sharedDraws(moving: "age_mean_s", in: spread.result.scenario).isEmpty)
        #expect(spread.range("share_stale") == nil)
        #expect(spread.representedValue("share_stale") != nil && spread.range("scores.share_stale") == nil)
    }

    @Test func `a share of none and a share of all have the rule of three for the people who have a part in it`() throws
    {
        let kinds = """
            start: "2026-03-02T00:00:00+01:00"
            duration: 1d
            people: 400
            kinds:
              - {id: all, policy: {after: 2h}}
              - {id: some, policy: {after: 2h}}
            population:
              devices:
                - {kind: phone, instances: [{id: a, kind: all}, {id: b, kind: some, share: 0.25}]}
            """
        let read = try ScenarioText(text: kinds, file: "test.yaml").read()
        let report = RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 2)))
        func range(_ name: String) throws -> SamplingRange {
            try #require(report.summary.first { $0.name == name }?.redraw, "\(name)")
        }
        var both = 0
        for row in report.summary where row.unit == "share" && row.scope != .endpoint {
            guard let value = row.value.asDouble, value == 0 || value == 1, let range = row.redraw else { continue }
            both |= value == 0 ? 1 : 2
            #expect(value == 0 ? range.low == 0 && range.high > 0 : range.high == 1 && range.low < 1, "\(row.name)")
        }
        #expect(both == 3)
        // Another draw can differ where these people do not, but in how many they are.
        let alike = report.summary.filter { $0.redraw.map { $0.low == $0.high } ?? false }.map(\.metric)
        #expect(Set(alike) == ["people", "devices", "instances"], "\(alike)")
        #expect(try #require(report.summary.first { $0.metric == "entries_per_timeline" }).redraw == nil)
        // Most of the people have requests of one kind, a quarter of them of the other.
        let (all, some) = (try range("all.share_requests_failed").high, try range("some.share_requests_failed").high)
        #expect(all >= 3.68 / 400 && all < 0.02 && some > 2 * all && some < 8 * all, "\(all) \(some)")
    }

    /// An alarm of some dozen of many people: most hours have no request, and in a few draws all of them.
    @Test func `the largest window of few requests holds as often as it says, and tells nothing of more people`() throws
    {
        func report(_ share: Double, _ seed: Int) throws -> RunReport {
            let text = """
                start: "2026-03-02T00:00:00+01:00"
                duration: 12h
                people: 400
                seed: \(seed)
                report: {represents: 4000}
                kinds: [{id: page, app: almanac, policy: {after: {at: ["07:00"], zone: local}, jitter: 10m}}]
                parameters: {gates: none}
                population:
                  zones: {Europe/Berlin: 1}
                  apps: {almanac: {openings_per_day: 0}}
                  devices: [{kind: phone, instances: [{id: page, kind: page, share: \(share)}]}]
                """
            let read = try ScenarioText(text: text, file: "test.yaml").read()
            return RunReport(try #require(try ScenarioRun(read.scenario).run(threads: 1)))
        }
        for share in [0.002, 0.01] {
            let windows = try (1...24).map { try report(share, $0).largestWindows }
            for width in windows[0].indices {
                var (held, all) = (0, 0)
                for (i, own) in windows.enumerated() {
                    #expect(own[width].represented == nil)
                    let range = try #require(own[width].redraw)
                    for (j, other) in windows.enumerated() where i != j {
                        all += 1
                        if range[.p2_5] <= other[width].requests && other[width].requests <= range[.p97_5] { held += 1 }
                    }
                }
                #expect(Double(held) >= 0.9 * Double(all), "\(share) \(width): \(held) of \(all)")
            }
        }
        #expect(try report(0.5, 1).largestWindows.allSatisfy { $0.represented != nil })
    }

    /// A quantile has three digits, and its own range holds it.
    @Test func `every value lies in its own range`() throws {
        for row in try Self.run(400, seed: 5).summary {
            guard let range = row.redraw, let value = row.value.asDouble else { continue }
            // Ranges have six digits.
            #expect(range.low <= value * 1.00001 && value <= range.high * 1.00001, "\(row.name) \(value) \(range)")
        }
    }

    @Test func `totals are scaled to the people who are stood for, shares are not`() throws {
        let report = try Self.run(200, seed: 3, represents: 20_000)
        func row(_ metric: String) -> SummaryRow { report.summary.first { $0.name == metric }! }
        let total = row("requests_total")
        #expect(total.represented!.value == 100 * total.value.asDouble!)
        #expect(row("age_mean_s").represented!.value == row("age_mean_s").redraw!.value)
        #expect(row("people").represented == SamplingRange(value: 20_000, standardError: 0, low: 20_000, high: 20_000))
        // The rate of the load grows with people.
        #expect(
            abs(row("load_mean_per_s").represented!.value / (100 * row("load_mean_per_s").value.asDouble!) - 1) < 1e-5)
        // Its peak is not a multiple: the largest of many small counts lies far above their mean.
        let peak = row("load_peak_1s")
        #expect(peak.represented!.value < 60 * peak.value.asDouble!)
        #expect(row("load_peak_1s_aligned").represented == nil)
    }
}
