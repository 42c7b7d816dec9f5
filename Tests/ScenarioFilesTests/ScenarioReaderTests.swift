import EmbeddedTexts
import Basics
import Foundation
import People
import Reporting
import ScenarioModel
import Simulation
import Statistics
import Testing
import WidgetPlatform

@testable import RefreshService
@testable import ScenarioFiles

/// Right scenarios, and that every value arrives where it should.
///
/// Rules: L3, L7, R5.
@Suite struct ScenarioReaderTests {
    static let kinds = "kinds:\n  - {id: weather, policy: {after: 30m}}\n"
    static let head = "start: \"2026-03-02T00:00:00-05:00\"\nduration: 1d\npeople: 100\n"
    static let population = "population:\n  devices: [{instances: [{id: here, kind: weather}]}]\n"

    /// A scenario that states most keys.
    static let rich = """
        name: "rich: one"
        description: "Two lines,\\nand a \\"quote\\""
        seed: 9223372036854775807
        start: 2026-03-02T00:00:00-05:00
        end: 2026-03-12T00:00:00-05:00
        warmup: 1d
        people: 1e4
        load_bin: 5m
        parameters:
          dispatch_delay: {mean: 10s, sd: 5s, minimum: 1s}
          a_min: 5.5
          learning_allowance: 80
          content_cell: 2500m
          accrual: by_views
          gates: none
        service:
          latency_out: {min: 20ms, max: 80ms}
          failing: [[2d, 49h], [2026-03-05T12:00:00Z, 2026-03-05T13:00:00Z]]
          failure: timeout
          retries: 2
          retry_delays: [10s, 1m]
        kinds:
          - id: weather
            app: weather
            endpoint: shared
            timeline: {shape: series, count: 24, spacing: 1h, valid_for: 90m}
            policy: {after: 30m, jitter: {plus_minus: 5m}}
            versions: {source: steady, every: 1h, spread: 10m, per: place}
          - id: stocks
            app: money
            timeline: {shape: until_midnight, spacing: 15m}
            policy: {after: {at: ["16:00", "09:30"], zone: America/New_York, days: weekdays}, jitter: 10m}
            reload_on_open: if_changed
            versions: {source: market, every: 5m}
          - {id: timer, app: money, endpoint: shared, timeline: {shape: self_updating, good_for: 8h}, policy: at_end, session_rhythm: 5m, versions: [1d, 2026-03-04T00:00:00Z]}
          - {id: news, policy: {after: {at: ["08:00"], days: [sat, sunday]}, jitter: {mean: 2m}}, versions: {source: daily, at: ["07:00"], zone: Europe/London, days: [mon]}}
          - {id: quiet, policy: never, push: true, sensitive: true, needs_sign_in: true, data_protection: complete, without_fix: alternate, versions: {source: poisson, every: 2h}}
        population:
          zones: {America/New_York: 0.5, Europe/Berlin: 0.5}
          pickups: {glances_per_unlock: 0.5, surface_shown: {home_first: 0.7}}
          apps: {weather: {openings_per_day: 4, foreground_time: 20s}}
          devices:
            - kind: phone
              instances:
                - {id: here, kind: weather, location: current}
                - {id: lock, kind: quiet, surface: lock_screen, share: 0.5}
            - {kind: tablet, share: 0.3, instances: [{id: big, kind: stocks, family: system_extra_large, location: {chosen: [AAPL, "New York", "yes"]}}]}
        segments:
          - {name: adults, share: 0.75}
          - name: students
            share: 0.25
            sleep: {workday: {onset: "01:53", wake: "08:57"}}
            pickups: {unlocks_per_day: {shape: 3.1, mean: 107, clip: [8, 300]}}
            apps: {weather: {openings_per_day: 1}, money: {audio_per_day: 0.1}}
        thresholds:
          - {metric: requests, op: "<=", value: 1e6}
        """

    @Test func `resolving twice changes nothing, and the resolved scenario is the same scenario`() throws {
        for text in [Self.rich, ScenarioTemplate.text, Self.head + Self.kinds + Self.population] {
            let first = try ScenarioReader.read(text: text)
            let second = try ScenarioReader.read(text: first.resolvedText)
            #expect(second.resolvedText == first.resolvedText)
            #expect("\(second.scenario)" == "\(first.scenario)")
        }
    }

    @Test func `every shipped scenario is right, and resolves to itself`() throws {
        let folder = Golden.repository.appending(path: "Scenarios")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
            .sorted()
        #expect(files.contains("first-look.yaml") && files.contains("weather-week.yaml"))
        // One asks on purpose for more than the system grants.
        let warned = ["glucose.yaml": ["kinds.alarm-eager.policy.after"]]
        for file in files {
            let first = try ScenarioReader.read(file: folder.appending(path: file).path)
            #expect(first.warnings().map { String($0.prefix { $0 != ":" }) } == warned[file] ?? [], "\(file)")
            let second = try ScenarioReader.read(text: first.resolvedText, file: folder.appending(path: file).path)
            #expect(second.resolvedText == first.resolvedText, "\(file)")
            #expect(Self.described(second.scenario) == Self.described(first.scenario), "\(file)")
        }
    }

    /// A scenario without its dictionaries, whose descriptions have no order of their own.
    private static func described(_ scenario: Scenario) -> String {
        var scenario = scenario
        scenario.plan.requests.regionalDelays = [:]
        for index in scenario.service?.endpoints.indices ?? 0..<0 {
            scenario.service?.endpoints[index].regionalPools = [:]
        }
        return "\(scenario)"
    }

    @Test func `what the template shows in comments is right too`() throws {
        let lines = ScenarioTemplate.text.split(separator: "\n").map { (line: Substring) -> String in
            guard let key = line.firstMatch(of: /^( *)# ( *)(-|[a-z_]+:)/) else { return String(line) }
            return String(key.1) + String(line.dropFirst(key.1.count + 2))
        }
        let text = lines.joined(separator: "\n")
        #expect(text.contains("\nthresholds:") && text.contains("\n  pickups:"))
        let read = try ScenarioReader.read(
            text: text,
            knownMetrics: [KnownMetric("load_peak_1s", unit: "requests"), KnownMetric("share_fresh", unit: "share")])
        let scenario = read.scenario
        #expect(read.study?.axes.map(\.name) == ["people", "min_gap"] && read.study?.replications == 5)
        #expect(
            scenario.plan.segments.map(\.name) == ["adults", "students"] && scenario.plan.requests.retry.retries == 1)
    }

    @Test func `JSON is read like YAML`() throws {
        let yaml = try ScenarioReader.read(text: Self.head + Self.kinds + Self.population)
        let json = try ScenarioReader.read(
            text: #"""
                {
                	"start": "2026-03-02T00:00:00-05:00", "duration": "1d", "people": 100,
                	"kinds": [{"id": "weather", "policy": {"after": "30m"}}],
                	"population": {"devices": [{"instances": [{"id": "here", "kind": "weather"}]}]}
                }
                """#)
        #expect(json.resolvedText == yaml.resolvedText)
    }

    @Test func `line ends of other systems are read too`() throws {
        let text = Self.head + Self.kinds + Self.population
        let other = try ScenarioReader.read(text: text.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(other.resolvedText == (try ScenarioReader.read(text: text)).resolvedText)
    }

    @Test func `the span follows from duration or end`() throws {
        let byDuration = try ScenarioReader.read(text: Self.head + Self.kinds + Self.population).scenario
        #expect(
            byDuration.plan.warmup == .days(2) && byDuration.plan.end == .start + .days(3)
                && byDuration.reportedSpan == .days(1))
        let byEnd = try ScenarioReader.read(text: Self.rich).scenario
        #expect(byEnd.plan.end == byEnd.plan.begin + .days(10) && byEnd.reportedSpan == .days(9))
    }

    @Test func `amounts are exact and defaults are the model's`() throws {
        let rich = try ScenarioReader.read(text: Self.rich).scenario.plan
        #expect(rich.seed == UInt64(Int64.max))
        #expect(rich.parameters.allowance.least == 5_500_000 && rich.parameters.allowance.whileLearning == 80_000_000)
        #expect(
            rich.parameters.contentCell == 2_500_000 && rich.parameters.accrual == .byViews && rich.parameters.gatesOpen
        )
        #expect(
            rich.parameters.dispatchDelay
                == Distribution(.normal(mean: 10, standardDeviation: 5), shift: 1, clippedTo: 0...Double.infinity)
        )
        let plain = try ScenarioReader.read(text: Self.head + Self.kinds + Self.population).scenario.plan
        var model = PlatformParameters()
        (model.dispatchDelay, model.freeDelay) = (
            try .lognormal(median: 10, p95: 60), try .lognormal(median: 5, p95: 20)
        )
        model.interactionDelay = try .lognormal(median: 0.3, p95: 1)
        model.environmentSpread = Distribution(.uniform(min: 0, max: 60))
        #expect("\(plain.parameters)" == "\(model)")
    }

    @Test func `kinds arrive whole`() throws {
        let plan = try ScenarioReader.read(text: Self.rich).scenario.plan
        #expect(plan.apps == ["weather", "money", "app"] && plan.endpoints == ["shared", "stocks", "news", "quiet"])
        #expect(plan.kinds.map(\.endpoint) == [0, 1, 0, 2, 3] && plan.kinds.map(\.app) == [0, 1, 1, 2, 2])
        #expect(plan.zones.map(\.name) == ["America/New_York", "Europe/Berlin", "Europe/London"])
        #expect(plan.kinds[0].shape == .series(count: 24, spacing: .hours(1)) && plan.kinds[0].validFor == .minutes(90))
        #expect(
            plan.kinds[0].dates.policy == .after(.minutes(30))
                && plan.kinds[0].dates.jitter?.offsets == Distribution(.uniform(min: -300, max: 300)))
        #expect(plan.kinds[0].versions == .steady(every: .hours(1), spread: .minutes(10), perPlace: true))
        let noonToFour = AlignedSchedule(
            times: [ClockTime(hour: 9, minute: 30), ClockTime(hour: 16, minute: 0)], weekdays: AlignedSchedule.workdays,
            fixedZone: 0)
        #expect(
            plan.kinds[1].dates.policy == .aligned(noonToFour)
                && plan.kinds[1].dates.jitter?.offsets == Distribution(.uniform(min: 0, max: 600)))
        #expect(
            plan.kinds[1].versions
                == .market(
                    TradingCalendar(sessions: [
                        .init(open: ClockTime(hour: 9, minute: 30), close: ClockTime(hour: 16, minute: 0))
                    ]),
                    every: .minutes(5), zone: 0))
        #expect(
            plan.kinds[2].shape == .selfUpdating(goodFor: .hours(8)) && plan.kinds[2].dates.policy == .atEnd
                && plan.kinds[2].dates.jitter == nil)
        #expect(plan.kinds[2].versions == .listed([plan.begin + .days(1), plan.begin + .hours(43)]))
        #expect(
            plan.kinds[3].dates.policy
                == .aligned(
                    AlignedSchedule(times: [ClockTime(hour: 8, minute: 0)], weekdays: AlignedSchedule.weekendDays))
        )
        #expect(
            plan.kinds[3].versions
                == .daily(ClockSchedule(times: [ClockTime(hour: 7, minute: 0)], zone: 2, weekdays: 1)))
        let quiet = plan.kinds[4]
        #expect(
            quiet.dates.policy == .never && quiet.takesPushes && quiet.isSensitive && quiet.needsSignIn
                && quiet.isProtected
                && quiet.withoutFix == .alternate)
        #expect(
            plan.requests.failing.map(\.from) == [plan.begin + .days(2), plan.begin + .hours(79)]
                && plan.requests.retry == RetryPolicy(retries: 2, backOff: .listed([.seconds(10), .minutes(1)])))
    }

    @Test func `content sources become what they say`() throws {
        let read = try ScenarioReader.read(
            text: """
                start: "2026-11-23T00:00:00-05:00"
                duration: 5d
                people: 10
                kinds:
                  - {id: quote, policy: {after: {at: ["09:30"], zone: America/New_York, days: {exchange: NYSE}}}, versions: {source: market, every: 1m, exchange: NYSE}}
                  - {id: own, policy: never, versions: {source: market, every: 1m, open: "08:00", holidays: [2026-11-26], half_days: [{date: 2026-11-27, close: "12:00"}]}}
                  - {id: news, policy: never, versions: {source: poisson, every: 20m, per: key}}
                  - {id: team, policy: never, versions: {source: games, starts: {at: ["20:00", "15:00"], zone: Europe/Berlin, days: [sat]}, length: 2h, changes: 3, burst: {followers: 2}, per: key, one_in: 4}}
                  - {id: cup, policy: never, versions: {source: games, starts: [3d, 1d], length: 2h, changes: 3}}
                  - {id: day, policy: at_end, forecast: {error_at_1h: 1.2, unit: °C}, versions: {source: calendar, events: {at: ["07:00"], zone: Europe/Berlin}}}
                population:
                  devices:
                    - instances:
                        - {id: a, kind: quote, location: {chosen: {count: 3}, popularity: {zipf: 1.5}}}
                        - {id: b, kind: quote, location: {chosen: [X, Y], popularity: {weights: {Y: 2, X: 0.5}}}}
                        - {id: c, kind: quote, location: {chosen: {count: 2, name: ticker}}}
                """)
        let plan = read.scenario.plan
        let zone = try #require(plan.zones.firstIndex { $0.name == "Europe/Berlin" })
        let newYork = try #require(plan.zones.firstIndex { $0.name == "America/New_York" })
        let thanksgiving = CivilDate(year: 2026, month: 11, day: 26)!
        guard case .market(let calendar, every: .minutes(1), zone: newYork) = plan.kinds[0].versions else {
            Issue.record("\(plan.kinds[0].versions)")
            return
        }
        #expect(
            calendar.holidays.contains(thanksgiving)
                && calendar.earlyClose(on: thanksgiving.advanced(by: 1)) == ClockTime(hour: 13, minute: 0))
        #expect(
            plan.kinds[0].dates.policy
                == .aligned(
                    AlignedSchedule(
                        times: [ClockTime(hour: 9, minute: 30)], weekdays: AlignedSchedule.workdays, fixedZone: newYork,
                        gaps: calendar.gaps
                    )))
        let own = TradingCalendar(
            sessions: [.init(open: ClockTime(hour: 8, minute: 0), close: ClockTime(hour: 16, minute: 0))],
            holidays: [thanksgiving],
            halfDays: [.init(date: thanksgiving.advanced(by: 1), close: ClockTime(hour: 12, minute: 0))])
        #expect(plan.kinds[1].versions == .market(own, every: .minutes(1), zone: newYork))
        #expect(plan.kinds[2].versions == .poisson(mean: .minutes(20), perKey: true))
        let saturdays = ClockSchedule(
            times: [ClockTime(hour: 15, minute: 0), ClockTime(hour: 20, minute: 0)], zone: zone, weekdays: 1 << 5)
        #expect(
            plan.kinds[3].versions
                == .games(
                    GameCalendar(
                        starts: .clock(saturdays), length: .hours(2), changes: 3, followers: 2,
                        burstWithin: .minutes(2), gamesInRound: 4)))
        #expect(
            plan.kinds[4].versions
                == .games(
                    GameCalendar(
                        starts: .listed([plan.begin + .days(1), plan.begin + .days(3)]), length: .hours(2), changes: 3,
                        followers: 0,
                        burstWithin: .minutes(2), gamesInRound: nil)))
        let mornings = ClockSchedule(
            times: [ClockTime(hour: 7, minute: 0)], zone: zone, weekdays: AlignedSchedule.allDays)
        #expect(plan.kinds[5].versions == .calendar(.clock(mornings), window: .hours(24)))
        #expect(
            plan.kinds[5].forecast == ForecastAccuracy(errorAtOneHour: 1.2, exponent: 0.5, unit: "°C")
                && plan.kinds[4].forecast == nil)
        let locations = plan.segments[0].devices[0].placements.map(\.location)
        #expect(locations[0] == .chosen(["symbol-1", "symbol-2", "symbol-3"], popularity: .zipf(exponent: 1.5)))
        #expect(
            locations[1] == .chosen(["X", "Y"], popularity: .weights([0.5, 2]))
                && locations[2] == .chosen(["ticker-1", "ticker-2"]))
        // A resolved scenario reads back as the same.
        let again = try ScenarioReader.read(text: read.resolvedText)
        #expect(
            again.resolvedText == read.resolvedText
                && again.scenario.plan.kinds.map(\.versions) == plan.kinds.map(\.versions))
        #expect(again.scenario.plan.segments[0].devices[0].placements.map(\.location) == locations)
        #expect(read.resolvedText.contains("exchange: NYSE") && !read.resolvedText.contains("open: \"09:30\""))
    }

    @Test func `the habits of students stand under what a segment states, and over nothing`() throws {
        let text =
            Self.head + Self.kinds + Self.population.replacing("population:", with: "population:\n  habits: student")
        let plan = try ScenarioReader.read(text: text).scenario.plan
        #expect(
            plan.segments[0].habits.sleep.ages.map(\.name) == ["all"]
                && plan.segments[0].habits.sleep.ages[0].workday.onset == 5_580)
        #expect(
            plan.segments[0].habits.pickups.unlocksPerDay
                == Distribution(.gamma(shape: 3.1, mean: 107), clippedTo: 8...300))
        let own = try ScenarioReader.read(
            text: text,
            overrides: ["population.pickups.unlocks_per_day=50", "population.sleep.workday.onset=\"02:00\""])
        #expect(own.scenario.plan.segments[0].habits.pickups.unlocksPerDay == Distribution(.constant(50)))
        #expect(own.scenario.plan.segments[0].habits.sleep.ages[0].workday.onset == 7_200)
        #expect(
            own.scenario.plan.segments[0].habits.sleep.ages[0].workday.wake == 31_080,
            "the rest of the night is the student's still")
        #expect(try ScenarioReader.read(text: own.resolvedText).resolvedText == own.resolvedText)
    }

    /// Whichever of the two ways to say when people sleep a segment chooses, the population's other one does not stand
    /// in its way.
    @Test func `a segment's common night replaces the population's age groups, and the other way round`() throws {
        let night = "{onset: \"03:00\", wake: \"11:00\", onset_sd: 1h, wake_sd: 1h}"
        let group = "ages: [{age: all, share: 1, workday: \(night), free_day: \(night)}]"
        func segment(_ population: String, _ own: String) throws -> SleepHabits {
            let text =
                Self.head + Self.kinds
                + Self.population.replacing("population:", with: "population:\n  sleep: {\(population)}")
                + "\nsegments: [{name: one, share: 1, sleep: {\(own)}}]\n"
            return try ScenarioReader.read(text: text).scenario.plan.segments[0].habits.sleep
        }
        let common = try segment(group, "workday: {onset: \"01:00\", wake: \"08:00\"}, day_sleepers: 0.5")
        #expect(
            common.ages.count == 1 && common.ages[0].workday.onset == 3_600 && common.ages[0].daySleeperShare == 0.5)
        let groups = try segment("workday: {onset: \"01:00\", wake: \"08:00\"}", group)
        #expect(groups.ages.map(\.name) == ["all"] && groups.ages[0].workday.onset == 10_800)
    }

    @Test func `segments override the population key by key`() throws {
        let plan = try ScenarioReader.read(text: Self.rich).scenario.plan
        let (adults, students) = (plan.segments[0], plan.segments[1])
        #expect(
            adults.habits.sleep.ages.count == 7 && adults.habits.sleep.ages[0].name == "16-19"
                && adults.habits.sleep.ages[3].workday.onset == -4440)
        #expect(
            students.habits.sleep.ages.count == 1 && students.habits.sleep.ages[0].workday.onset == 6780
                && students.habits.sleep.ages[0].freeDay.onset == -1800)
        #expect(
            students.habits.sleep.ages[0].daySleeperShare == 0.025
                && students.habits.sleep.degrees == adults.habits.sleep.degrees)
        #expect(
            students.habits.pickups.unlocksPerDay == Distribution(.gamma(shape: 3.1, mean: 107), clippedTo: 8...300))
        #expect(
            students.habits.pickups.glancesPerUnlock == 0.5
                && students.habits.pickups.surfaceShown[Int(Surface.homeFirst.rawValue)] == 0.7)
        #expect(
            students.habits.apps[0].openingsPerDay == Distribution(.constant(1))
                && students.habits.apps[0].foregroundTime == Distribution(.constant(20))
                && adults.habits.apps[0].openingsPerDay == Distribution(.constant(4)))
        #expect(students.habits.apps[1].audioPerDay == 0.1 && students.habits.apps[2].audioPerDay == 0)
        for zone in ["America/New_York", "Europe/Berlin"] {
            let shares = zip(plan.cities, adults.habits.cityShares).filter { $0.0.zone == zone }
            #expect(shares.count > 5 && (shares.reduce(0) { $0 + $1.1 } - 0.5).magnitude < 1e-12)
        }
        #expect(adults.habits.cityShares.count == plan.cities.count && adults.devices.count == 2)
        #expect(adults.devices[1].placements[0].location == .chosen(["AAPL", "New York", "yes"]))
        #expect(
            adults.devices[0].placements[1].family == .accessoryRectangular
                && adults.devices[0].placements[0].family == .systemSmall)
    }

    @Test func `people live in the cities of a preset, of a mapping, or of zones`() throws {
        func plan(_ where: String, _ segments: String = "") throws -> FleetPlan {
            try ScenarioReader.read(text: Self.head + Self.kinds + Self.population + `where` + segments).scenario.plan
        }
        let us = try plan("")
        #expect(
            us.cities.count >= 60 && us.regions == ["us-east", "us-central", "us-west"]
                && us.segments[0].habits.cityShares.count == us.cities.count)
        let world = try plan("  cities: world\n")
        #expect(
            world.cities.count == CityTable.all.count && Set(world.zones.map(\.name)) == Set(CityTable.all.map(\.zone)))
        let two = try plan("  cities: {Tokyo: 0.75, Paris: 0.25}\n")
        #expect(two.cities.map(\.name) == ["Tokyo", "Paris"] && two.segments[0].habits.cityShares == [0.75, 0.25])
        #expect(
            two.zones.map(\.name) == ["Asia/Tokyo", "Europe/Paris"] && two.regions == ["europe-west", "east-asia"])
        let unknown = try plan("  zones: {Antarctica/Troll: 1}\n")
        #expect(unknown.cities.map(\.name) == ["Antarctica/Troll"] && unknown.regions == ["other"])
        // A segment's own cities replace the population's zones.
        let segments = "segments: [{name: a, share: 0.5}, {name: b, share: 0.5, cities: {Tokyo: 1}}]\n"
        let mixed = try plan("  zones: {Asia/Dubai: 1}\n", segments)
        #expect(mixed.cities.map(\.name) == ["Dubai", "Abu Dhabi", "Tokyo"])
        #expect(mixed.segments[0].habits.cityShares.last == 0 && mixed.segments[1].habits.cityShares == [0, 0, 1])
    }

    @Test func `without segments there is one, everyone`() throws {
        let plan = try ScenarioReader.read(text: Self.head + Self.kinds + Self.population).scenario.plan
        #expect(plan.segments.map(\.name) == ["everyone"] && plan.segments[0].habits.share == 1)
        #expect(plan.segments[0].habits.apps[0].modeShares == [0.35, 0.18, 0.3, 0.17])
    }

    @Test func `overrides go before the checks and reach items by id and by index`() throws {
        let text = Self.head + Self.kinds + Self.population
        let scenario = try ScenarioReader.read(
            text: text,
            overrides: [
                "kinds.weather.policy.after=1h", "kinds.0.policy.jitter={sd: 2m}", "people=7", "parameters.a_max=50",
                "population.devices.0.instances.here.share=0.5",
                "population.pickups.passcode_share=1",
            ]
        ).scenario
        #expect(scenario.people == 7 && scenario.plan.kinds[0].dates.policy == .after(.hours(1)))
        #expect(scenario.plan.kinds[0].dates.jitter?.offsets == Distribution(.normal(mean: 0, standardDeviation: 120)))
        #expect(
            scenario.plan.parameters.allowance.most == 50_000_000
                && scenario.plan.parameters.allowance.whileLearning == 50_000_000)
        #expect(
            scenario.plan.segments[0].devices[0].placements[0].share == 0.5
                && scenario.plan.segments[0].habits.pickups.passcodeShare == 1)
    }

    @Test func `an override may repair the file`() throws {
        let text =
            Self.head.replacingOccurrences(of: "people: 100", with: "people: none") + Self.kinds + Self.population
        #expect(try ScenarioReader.read(text: text, overrides: ["people=3"]).scenario.people == 3)
    }

    @Test func `what is allowed and probably not meant is a warning`() throws {
        let text = Self.head + "kinds: [{id: weather, policy: never, reload_on_open: if_changed}]\n" + Self.population
        #expect(
            try ScenarioReader.read(text: text).warnings() == [
                "kinds.weather: reload_on_open: if_changed never reloads, because its versions are manual"
            ])
    }

    @Test func `files that cannot be read are missing input`() throws {
        for path in ["no/such/file.yaml", Golden.folder.path] {
            let problems = #expect(throws: ScenarioProblems.self) { try ScenarioReader.read(file: path) }
            #expect(problems?.isMissingInput == true)
        }
    }

    @Test func `files of wrong bytes or of great length are refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "reloadsim-files-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "x.yaml")
        for (bytes, sentence) in [
            (Data([0x6E, 0xFF, 0xFE]), "expected text in UTF-8, found bytes that are not"),
            (Data(repeating: 0x20, count: 1 << 20 + 5), "expected a scenario of at most 1 MiB, found"),
        ] {
            try bytes.write(to: file)
            let problems = #expect(throws: ScenarioProblems.self) { try ScenarioReader.read(file: file.path) }
            #expect(problems?.description.contains(sentence) == true && problems?.isMissingInput == false)
        }
        try Data((Self.head + Self.kinds + Self.population).utf8).write(to: file)
        #expect(try ScenarioReader.read(file: file.path).scenario.name == "x")
    }

    @Test func `no damage to a scenario makes the reader fail otherwise than by a report`() {
        // A plain congruential generator: the damage is the same every time.
        var state: UInt64 = 20_260_302
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let pieces = [
            ":", "-", " ", "\n", "{", "}", "[", "]", "\"", "'", "#", "&a ", "*a", "!!int ", "0", "1e999", "-1", "~",
            "\t", "ü", ",", "|",
            ">", "? ",
            "<<: ", "yes",
        ]
        let texts = [Self.rich, DeviceKeyTests.everything, ServiceKeyTests.whole].map { Array($0.utf8) }
        for turn in 0..<1_200 {
            var damaged = texts[turn % 3]
            for _ in 0...random(3) {
                let at = random(damaged.count)
                switch random(3) {
                case 0: damaged.removeSubrange(at..<min(damaged.count, at + 1 + random(12)))
                case 1: damaged.insert(contentsOf: Array(pieces[random(pieces.count)].utf8), at: at)
                default:
                    damaged.replaceSubrange(
                        at..<min(damaged.count, at + 1), with: Array(pieces[random(pieces.count)].utf8))
                }
            }
            do {
                let read = try ScenarioReader.read(text: String(decoding: damaged, as: UTF8.self))
                let again = try ScenarioReader.read(text: read.resolvedText)
                #expect(again.resolvedText == read.resolvedText)
            } catch {
                #expect(!error.problems.isEmpty)
            }
        }
    }

    @Test func `a hopeless scenario is given up soon`() {
        let zones = (0..<30_000).map { "    Amerika/New_Jork\($0): 0.1\n" }.joined()
        let text = Self.head + Self.kinds + Self.population + "  zones:\n" + zones
        let problems = #expect(throws: ScenarioProblems.self) { try ScenarioReader.read(text: text) }
        #expect(problems?.problems.count == 201)
        #expect(problems?.problems.last?.found == "more")
    }
}
