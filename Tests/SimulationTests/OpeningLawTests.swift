import Basics
import Fleet
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Laws of surfaces that are opened: the Smart Stack, the page in a car, and tiles (V7–V9, N13).
///
/// Rules: V7, V8, V9, N13.
@Suite struct OpeningLawTests {
    /// A fleet with all three, and widgets elsewhere beside them.
    static func fleet(people: Int = 200, more: String = "") -> String {
        """
        start: "2026-03-06T00:00:00-05:00"
        warmup: 1d
        duration: 2d
        people: \(people)
        \(more)
        kinds:
          - {id: rain, app: one, policy: {after: 30m}, android: {freshness: 15m}, push: true, wake_ups_per_day: 50}
          - {id: sport, app: two, policy: {after: 1h}, relevance: {workout: 4, home: 1}, versions: {source: poisson, every: 2h}}
          - {id: news, app: two, policy: never, relevance: {hours: [{from: "07:00", to: "09:00", score: 3}]}}
        pushes: [{name: goal, app: one, at: {at: ["20:15"]}}]
        population: {connectivity: {offline_per_day: 2}, environment: {reboots_per_day: 0.2}}
        segments:
          - name: apple
            share: 0.6
            devices:
              - kind: phone
                car: {share: 0.8}
                instances:
                  - {id: car, kind: rain, surface: car, location: current}
                  - {id: home, kind: rain}
              - kind: watch
                smart_stack: {openings_per_day: 20}
                instances:
                  - {id: a, kind: rain, surface: smart_stack}
                  - {id: b, kind: sport, surface: smart_stack, location: current}
                  - {id: c, kind: news, surface: smart_stack, share: 0.5, added_per_day: 0.2}
                  - {id: e, kind: sport, surface: smart_stack}
                  - {id: f, kind: sport, surface: watch_face}
          - name: other
            share: 0.4
            devices:
              - kind: watch
                platform: android
                tiles: {openings_per_day: 30, open_for: {median: 20s, sigma: 2, clip: [1s, 3h]}}
                instances:
                  - {id: a, kind: rain, location: current}
                  - {id: b, kind: rain, share: 0.5}
                  - {id: c, kind: sport, added_per_day: 0.2}
        """
    }

    static let result = try! Fixtures.run(fleet())

    @Test(arguments: RunLaw.all) func `every law of a run's measures holds with surfaces that are opened`(law: RunLaw) {
        #expect(law.breaches(Self.result).isEmpty, "\(law.breaches(Self.result))")
    }

    @Test func `the number of threads changes nothing`() throws {
        #expect(try Fixtures.run(Self.fleet(), threads: 1).fingerprint == Self.result.fingerprint)
    }

    private static func counts(_ result: RunResult, on surface: Surface) -> BlockSum<OpeningCounts> {
        let layout = result.measures.layout
        return BlockSum(
            result.measures,
            at: layout.openedStrata.filter { layout.strata[$0].openedSurface == surface }.map(layout.openingPlace))
    }

    private static func views(_ result: RunResult, on surface: Surface) -> BlockSum<ViewCounts> {
        let layout = result.measures.layout
        return BlockSum(
            result.measures,
            at: layout.openedStrata.filter { layout.strata[$0].openedSurface == surface }.flatMap { line in
                CountedMode.allCases.map { layout.viewPlace(ofStratum: line, mode: $0, surface: surface) }
            })
    }

    @Test func `every one of them is met`() {
        for surface in [Surface.smartStack, .car, .tile] {
            let counts = Self.counts(Self.result, on: surface)
            #expect(counts[.openings] > 100 && counts.wide(.shownTime) > 0, "\(surface)")
        }
        let tiles = Self.counts(Self.result, on: .tile)
        #expect(tiles[.asks(.opened)] > 0 && tiles[.asks(.shown)] > 0 && tiles[.held] > 0)
        // Three of four widgets are seen, where they are there.
        let stack = Self.counts(Self.result, on: .smartStack)
        let seen = Self.views(Self.result, on: .smartStack).sum(.views.all)
        #expect(seen * 4 > stack[.openings] * 3 && seen < stack[.openings])
    }

    // MARK: Closed forms

    /// Everybody is up from 7 to 23, and wears the watch all the time.
    private static func steady(people: Int, kinds: String, devices: String, more: String = "") -> String {
        """
        start: "2026-03-02T00:00:00+00:00"
        warmup: 0s
        duration: 2d
        people: \(people)
        service: {latency_out: 0s, latency_back: 0s}
        \(more)
        kinds: [\(kinds)]
        population:
          zones: {UTC: 1}
          sleep:
            day_sleepers: 0
            workday: {onset: "23:00", wake: "07:00", onset_sd: 0s, wake_sd: 0s}
            free_day: {onset: "23:00", wake: "07:00", onset_sd: 0s, wake_sd: 0s}
            nights: {onset_sd: 0s, wake_sd: 0s}
          power: {refresh_off: 0, low_power_per_day: 0}
          connectivity: {offline_per_day: 0}
          \(Fixtures.still)
          devices: [\(devices)]
        """
    }

    /// Whether a count of independent rare facts is as expected, but for what chance may do.
    private static func isNear(_ count: Int64, _ expected: Double) -> Bool {
        (Double(count) - expected).magnitude < 5 * expected.squareRoot()
    }

    @Test func `a usual waking day has so many openings, and of three widgets the first two are seen`() throws {
        let result = try Fixtures.run(
            Self.steady(
                people: 500,
                kinds:
                    "{id: one, policy: never, relevance: {base: 1}}, {id: two, policy: never, relevance: {base: 2}}, {id: three, policy: never, relevance: {base: 3}}",
                devices:
                    "{kind: watch, wear: {charge_time: 0s}, smart_stack: {openings_per_day: 12}, instances: [{id: a, kind: one, surface: smart_stack}, {id: b, kind: two, surface: smart_stack}, {id: c, kind: three, surface: smart_stack}]}",
                more: "parameters: {suggestions: 2}"))
        let layout = result.measures.layout
        let openings = layout.openedStrata.map { BlockSum(result.measures, at: layout.openingPlace(ofStratum: $0)) }
        let seen = layout.openedStrata.map { line in
            BlockSum(
                result.measures,
                at: CountedMode.allCases.map { layout.viewPlace(ofStratum: line, mode: $0, surface: .smartStack) }
            ).sum(.views.all)
        }
        #expect(Self.isNear(openings[0][.openings], 500 * 2 * 12), "\(openings[0][.openings])")
        #expect(seen == [0, openings[1][.openings], openings[2][.openings]])
    }

    @Test func `hours of no weight have no opening, and the others share the day by their weights`() throws {
        var weights = Array(repeating: "0", count: 24)
        (weights[8], weights[12]) = ("1", "3")
        let result = try Fixtures.run(
            Self.steady(
                people: 500, kinds: "{id: one, policy: never}",
                devices:
                    "{kind: watch, wear: {charge_time: 0s}, smart_stack: {openings_per_day: 8, hours: [\(weights.joined(separator: ", "))]}, instances: [{id: a, kind: one, surface: smart_stack}]}"
            ))
        let hours = BlockSum(result.measures, at: result.measures.layout.hourPlace(ofStratum: 0))
        let byHour = (0..<24).map { hour in
            (0..<7).reduce(Int64(0)) { sum, weekday in
                sum
                    + ViewState.allCases.reduce(0) {
                        $0 + hours[.views(at: WeekHour(weekday: weekday, hour: hour))($1)]
                    }
            }
        }
        #expect(byHour.indices.allSatisfy { byHour[$0] == 0 || $0 == 8 || $0 == 12 })
        #expect(Self.isNear(byHour[8], 500 * 2 * 2) && Self.isNear(byHour[12], 500 * 2 * 6), "\(byHour)")
    }

    /// Ten minutes of the usual day have a weight; somebody who is up earlier has the rate of an hour, and not that of
    /// some minutes.
    @Test func `a day that hardly has an hour of weight has no more openings than that hour`() throws {
        var weights = Array(repeating: "0", count: 24)
        weights[7] = "1"
        let text = Self.steady(
            people: 300, kinds: "{id: one, policy: never}",
            devices:
                "{kind: watch, wear: {charge_time: 0s}, smart_stack: {openings_per_day: 12, hours: [\(weights.joined(separator: ", "))]}, instances: [{id: a, kind: one, surface: smart_stack}]}"
        ).replacing("wake: \"07:00\"", with: "wake: \"07:50\"").replacing(
            "nights: {onset_sd: 0s, wake_sd: 0s}", with: "nights: {onset_sd: 0s, wake_sd: 1h}")
        let result = try Fixtures.run(text)
        let openings = BlockSum(result.measures, at: result.measures.layout.openingPlace(ofStratum: 0))[.openings]
        #expect(openings > 500 && openings < 300 * 2 * 12, "\(openings)")
    }

    /// With no time on the screen a tile is asked for at the first opening a freshness after the last ask: of a waking
    /// day of length W the k-th ask comes in time if k or more openings come in W − (k − 1) F.
    @Test(arguments: [(10, 96.0), (60, 48.0), (5, 16.0)])
    func `asks of tiles follow freshness and openings by the renewal formula`(minutes: Int, perDay: Double) throws {
        let people = 400
        let result = try Fixtures.run(
            Self.steady(
                people: people, kinds: "{id: rain, policy: never, android: {freshness: \(minutes)m}}",
                devices:
                    "{kind: watch, platform: android, wear: {charge_time: 0s}, tiles: {openings_per_day: \(perDay), open_for: 0s}, instances: [{id: a, kind: rain}]}"
            ))
        let (waking, freshness) = (16.0, Double(minutes) / 60)
        let rate = perDay / waking
        var expected = 0.0
        var k = 1
        while waking - Double(k - 1) * freshness > 0 {
            // The chance of k or more openings.
            let mean = rate * (waking - Double(k - 1) * freshness)
            var (term, below) = (DeterministicMath.exp(-mean), 0.0)
            for count in 0..<k {
                below += term
                term *= mean / Double(count + 1)
            }
            expected += 1 - below
            k += 1
        }
        let asks = Self.counts(result, on: .tile)[.asks(.opened)]
        let mean = Double(asks) / Double(people) / 2
        #expect(Self.isNear(asks, expected * Double(people) * 2), "\(mean) asks a day, expected \(expected)")
        // Away from the ends of the day that is one ask in F + 1/λ.
        let simple = waking / (freshness + 1 / rate)
        #expect((expected - simple).magnitude < 1, "\(expected) and \(simple)")
    }

    /// One that comes in the gap waits for its end: from one that goes through to the next are the gap and, without any
    /// call in it, the time to the next call.
    @Test func `an app's requests come a gap apart, as often as the closed form says`() throws {
        let (people, gap, perDay) = (60, 120.0, 900.0)
        let result = try Fixtures.run(
            Self.steady(
                people: people, kinds: "{id: rain, policy: never, android: {}, wake_ups_per_day: \(perDay)}",
                devices: "{kind: watch, platform: android, instances: [{id: a, kind: rain}]}",
                more: "parameters: {android: {tile_request_gap: 2m}}"))
        let rate = perDay / 86_400
        let expected = 2 * 86_400 / (gap + DeterministicMath.exp(-rate * gap) / rate)
        let reloads = BlockSum(result.measures, at: result.measures.layout.place(ofStratum: 0))
        let passed = reloads[.started(.appTrigger, charged: false)]
        #expect(Self.isNear(passed, expected * Double(people)), "\(passed) and \(expected * Double(people))")
        let run = try ScenarioRun(
            Fixtures.scenario(
                Self.steady(
                    people: 1, kinds: "{id: rain, policy: never, android: {}, wake_ups_per_day: \(perDay)}",
                    devices: "{kind: watch, platform: android, instances: [{id: a, kind: rain}]}",
                    more: "parameters: {android: {tile_request_gap: 2m}}")))
        let times = run.trace(person: 0).rows.filter { $0.event == .refreshed }.map(\.time)
        #expect(times.count > 100)
        for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= .minutes(2)) }
    }

    /// Times with an exponential length and exponential gaps, from the share that is shown on, are in equilibrium from
    /// the beginning: of a drive of length T they fill `shown` · T, and a share of 1 + T / L of them begins in it.
    @Test func `the page fills its share of the drives, and is shown as often as the closed form says`() throws {
        let people = 400
        let text = Self.steady(
            people: people, kinds: "{id: rain, policy: never}",
            devices:
                "{car: {share: 1, trips: 1, shown: 0.3, shown_for: {mean: 2m}}, instances: [{id: a, kind: rain, surface: car}]}"
        )
        let scenario = try Fixtures.scenario(text)
        let result = try #require(try ScenarioRun(scenario).run(threads: 2))
        let begin = scenario.plan.begin
        let worker = try ScenarioRun(scenario).recorder()
        var (seconds, trips) = (0.0, 0)
        for person in 0..<people {
            var since: Instant?
            worker.record(person: person) { event in
                switch event.kind {
                case .tripStart where event.destination != .city:
                    since = max(begin, event.time)
                    if event.time >= begin { trips += 1 }
                case .tripEnd:
                    if let since, event.time > begin { seconds += (event.time - since).inSeconds }
                    since = nil
                default: break
                }
            }
            if let since { seconds += (scenario.plan.end - since).inSeconds }
        }
        let counts = Self.counts(result, on: .car)
        let shown = Double(counts.wide(.shownTime)) / 1e6
        #expect((shown / seconds - 0.3).magnitude < 0.01, "\(shown / seconds) of \(seconds) s")
        let expected = 0.3 * (Double(trips) + seconds / 120)
        #expect(Self.isNear(counts[.openings], expected), "\(counts[.openings]) and \(expected)")
    }
}
