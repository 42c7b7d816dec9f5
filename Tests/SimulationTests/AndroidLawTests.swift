import Basics
import Fleet
import RunLaws
import Simulation
import Testing
import WidgetPlatform

/// Laws of fleets with Android (section 13).
///
/// Rules: N1, N2, N6, N7, N8, N9.
@Suite struct AndroidLawTests {
    /// A fleet with every way to refresh, both platforms, killers, restricted apps and messages.
    static func fleet(
        people: Int = 200,
        android: String = "{lowered: 0.3, killers: 0.1, restricted: 0.1, update_every: 3d, exact_alarms: 0.9}"
    ) -> String {
        """
        start: "2026-03-06T00:00:00-05:00"
        warmup: 1d
        duration: 3d
        people: \(people)
        parameters: {android: \(android)}
        kinds:
          - {id: alarm, app: one, policy: {after: 30m}, android: {alarm: 30m}, reload_on_open: always}
          - {id: work, app: one, policy: {after: 15m}, wake_ups_per_day: 6}
          - {id: flex, app: two, policy: never, android: {work: 1h, flex: 10m, back_off: {}}}
          - {id: idle, app: two, policy: never, android: {idle_alarm: 5m}}
          - {id: high, app: three, policy: never, push: true, android: {message: high, handler: expedited}}
          - {id: normal, app: four, policy: never, push: true, push_on_version: {}, versions: {source: poisson, every: 40m}}
          - {id: urgent, app: five, policy: never, push: true, android: {message: high}}
        pushes: [{name: goal, app: five, at: {at: ["20:15"]}}, {name: noon, app: three, at: {at: ["06:30", "12:00", "23:30"]}}]
        population:
          connectivity: {offline_per_day: 2}
          power: {low_power_per_day: 0.5}
        segments:
          - name: android
            share: 0.7
            environment: {reboots_per_day: 0.2}
            devices:
              - kind: phone
                platform: android
                instances:
                  - {id: alarm, kind: alarm, location: current}
                  - {id: alarm-2, kind: alarm, share: 0.5, added_per_day: 0.1}
                  - {id: work, kind: work}
                  - {id: flex, kind: flex}
                  - {id: idle, kind: idle}
                  - {id: high, kind: high}
                  - {id: normal, kind: normal}
                  - {id: urgent, kind: urgent}
          - name: ios
            share: 0.3
            devices: [{kind: phone, instances: [{id: alarm, kind: alarm}, {id: normal, kind: normal}]}]
        """
    }

    static let result = try! Fixtures.run(fleet())

    @Test(arguments: RunLaw.all) func `every law of a run's measures holds on both platforms`(law: RunLaw) {
        #expect(law.breaches(Self.result).isEmpty)
    }

    @Test func `every means and every gate is met`() {
        let layout = Self.result.measures.layout
        let all = BlockSum(
            Self.result.measures, at: layout.androidStrata.indices.map { layout.quotaPlace(ofAndroidStratum: $0) })
        for means in RefreshMeans.allCases { #expect(all[.run(means)] > 0, "\(means)") }
        for gate in [.doze, .jobs, .alarms, .network, .power, .killer, .locked] as [AndroidGate] {
            #expect(StandbyBucket.allCases.contains { all[.waits(gate, $0).number] > 0 }, "\(gate)")
        }
        #expect(StandbyBucket.allCases.contains { all[.lowered($0)] > 0 })
    }

    @Test func `messages that wait for the limit wait for a token of three minutes`() throws {
        let text = Self.fleet(people: 60).replacing("every: 40m", with: "every: 1m")
        let result = try Fixtures.run(text)
        let layout = result.measures.layout
        let all = BlockSum(
            result.measures, at: layout.androidStrata.indices.map { layout.quotaPlace(ofAndroidStratum: $0) })
        let waits = StandbyBucket.allCases.reduce(Int64(0)) { $0 + all[.waits(.messages, $1).number] }
        let time = StandbyBucket.allCases.reduce(Int128(0)) { $0 + all.wide(.waits(.messages, $1).time) }
        // Messages come once a minute and a token once in three: a wait lasts up to three minutes.
        let mean = Double(time) / 1e6 / Double(max(1, waits))
        #expect(waits > 5_000 && (90...180).contains(mean), "\(waits) waits of \(mean) s")
    }

    @Test func `nothing of WidgetKit's budget is kept on Android, and nothing of Android's on iOS`() {
        let layout = Self.result.measures.layout
        #expect(layout.androidStrata.count == 7 && layout.strata.count == 9)
        for line in layout.strata.indices {
            let pools = BlockSum(Self.result.measures, at: layout.place(ofStratum: line)).allPools
            #expect(pools.isZero == layout.androidStrata.contains(line))
        }
    }

    @Test func `requests of Android by the minute are those of its lines`() {
        let layout = Self.result.measures.layout
        var lines = BlockSum<ReloadCounts>()
        for line in layout.androidStrata { lines.add(Self.result.measures, at: layout.place(ofStratum: line)) }
        let minutes = (0..<layout.minutes).reduce(0) {
            $0 + BlockSum(Self.result.measures, at: layout.minutePlace($1))[.requests]
        }
        #expect(minutes == lines.sum(.requestsSent.all) + lines[.requestsCarriedIn] - lines[.requestsCarriedOut])
        #expect(minutes > 0)
    }

    /// Rules: T4. A day of the past is simulated; alarms and jobs of three days show whether they began before that.
    @Test(arguments: ["{alarm: 3d}", "{work: 3d}", "{idle_alarm: 3d}"])
    func `refreshes are spread over the first days of a run as over later ones`(means: String) throws {
        let people = 3_000
        let result = try Fixtures.run(
            """
            start: "2026-03-06T00:00:00Z"
            warmup: 0s
            duration: 6d
            people: \(people)
            parameters: {android: {update_every: 366d, job_delay: 0s}}
            kinds: [{id: news, policy: never, android: \(means)}]
            population:
              zones: {UTC: 1}
              environment: {reboots_per_day: 0}
              connectivity: {offline_per_day: 0}
              apps: {app: {openings_per_day: 20}}
              devices: [{kind: phone, platform: android, instances: [{id: news, kind: news}]}]
            """)
        let layout = result.measures.layout
        let days = (0..<6).map { day in
            (day * 1_440..<(day + 1) * 1_440).reduce(0) {
                $0 + BlockSum(result.measures, at: layout.minutePlace($1))[.requests]
            }
        }
        // Dates of different people are independent: five standard errors of a third, and nights that hold some back.
        let expected = Double(people) / 3
        for (day, count) in days.enumerated() {
            #expect(
                abs(Double(count) - expected) < 5 * (expected * 2 / 3).squareRoot() + 0.1 * expected, "\(day): \(days)")
        }
    }

    /// Rules: T4. Pushes of versions that all share come at noon, and move no alarm to noon.
    @Test func `the last push before a run moves no alarm`() throws {
        let people = 2_000
        let result = try Fixtures.run(
            """
            start: "2026-03-06T00:00:00Z"
            warmup: 0s
            duration: 6d
            people: \(people)
            parameters: {android: {update_every: 366d}}
            kinds:
              - {id: news, policy: never, push: true, push_on_version: {}, android: {alarm: 3d},
                 versions: {source: daily, at: ["12:00"], zone: UTC}}
            population:
              zones: {UTC: 1}
              environment: {reboots_per_day: 0}
              connectivity: {offline_per_day: 0}
              apps: {app: {openings_per_day: 20}}
              devices: [{kind: phone, platform: android, instances: [{id: news, kind: news}]}]
            """)
        let days = (0..<6).map { day in
            (day * 1_440..<(day + 1) * 1_440).reduce(0) {
                $0 + BlockSum(result.measures, at: result.measures.layout.minutePlace($1))[.requests]
            }
        }
        // A push for everybody each day, and a third of the alarms.
        let mean = Double(days.reduce(0, +)) / 6
        #expect(mean > 1.2 * Double(people), "\(days)")
        for count in days { #expect(abs(Double(count) - mean) < 0.1 * Double(people), "\(days)") }
    }

    @Test func `the number of threads changes nothing`() throws {
        #expect(try Fixtures.run(Self.fleet(), threads: 1).fingerprint == Self.result.fingerprint)
    }

    /// Devices on power all day poll at their own phases: each minute meets a thirtieth of them, twice an hour.
    @Test func `alarms of a fleet that nothing holds come evenly, as the closed form says`() throws {
        let people = 30_000
        let result = try Fixtures.run(
            """
            start: "2026-03-02T00:00:00+00:00"
            warmup: 0s
            duration: 4h
            people: \(people)
            parameters: {android: {alarm_delay: 0s, doze: {light_after: 30d, deep_after: 30d}}}
            service: {latency_out: 0s, latency_back: 0s}
            kinds: [{id: rain, policy: never, android: {alarm: 30m}}]
            population:
              zones: {UTC: 1}
              power: {refresh_off: 0, low_power_per_day: 0}
              connectivity: {offline_per_day: 0}
              \(Fixtures.still)
              devices: [{kind: phone, platform: android, instances: [{id: rain, kind: rain}]}]
            """)
        let minutes = result.load.requestsByMinute
        let mean = Double(people) / 30
        #expect(minutes.reduce(0, +) == Int64(8 * people))
        // The same devices come each half hour; over thirty minutes they are a multinomial, whose χ² has 29 degrees.
        let first = minutes[0..<30]
        for half in 1..<8 { #expect(Array(minutes[30 * half..<30 * half + 30]) == Array(first)) }
        let square = first.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) / mean }
        #expect(square < 29 + 5 * (2 * 29.0).squareRoot())
    }

    @Test func `what Doze has held runs as a window opens or Doze ends: the herd at its end is made of those`() throws {
        let run = try ScenarioRun(
            Fixtures.scenario(Self.fleet(people: 40, android: "{killers: 0, restricted: 0}")))
        var (held, atEnd) = (0, 0)
        for person in 0..<40 {
            let rows = run.trace(person: person).rows
            let openings = Set(
                rows.filter { [.lightWindow, .deepWindow, .dozeEnd, .dozeWaiting].contains($0.event) }.map(
                    \.time.microseconds))
            for row in rows where row.event == .refresh && row.note.detail.hasSuffix("under doze") {
                held += 1
                #expect(openings.contains(row.time.microseconds), "\(row.time.microseconds): \(row.note.detail)")
                if rows.contains(where: { $0.event == .dozeEnd && $0.time == row.time }) { atEnd += 1 }
            }
        }
        #expect(held > 1_000 && atEnd > 100)
    }

    /// Updates come at random and wait for the charger; each refreshes the app's provider, whose alarm counts from it.
    @Test func `an app is updated as often as the scenario says, while its device charges unused`() throws {
        let text = """
            start: "2026-03-02T00:00:00+00:00"
            duration: 20d
            people: 400
            parameters: {android: {update_every: 2d}}
            kinds: [{id: rain, app: a, policy: never, android: {alarm: 1h}}]
            population:
              power: {refresh_off: 0, low_power_per_day: 0}
              connectivity: {offline_per_day: 0}
              environment: {reboots_per_day: 0}
              devices: [{platform: android, handling: {nights: 1}, instances: [{id: rain, kind: rain}]}]
            """
        let result = try Fixtures.run(text)
        let layout = result.measures.layout
        let all = BlockSum(
            result.measures, at: layout.androidStrata.indices.map { layout.quotaPlace(ofAndroidStratum: $0) })
        // The next one is drawn as one is installed, after up to a day on battery: from 2 to 3 days apart.
        let updates = Double(all[.run(.update)])
        #expect((400 * 20 / 3.0...400 * 20 / 2.0).contains(updates), "\(updates)")
        #expect(all[.run(.update)] == all[.due(.update)])
        let run = try ScenarioRun(Fixtures.scenario(text))
        var count = 0
        for person in 0..<20 {
            let rows = run.trace(person: person).rows
            for (place, row) in rows.enumerated() where row.event == .appUpdate {
                count += 1
                #expect(rows[place...].contains { $0.event == .refresh && $0.time == row.time })
                let power = rows[..<place].last { $0.event == .chargingOn || $0.event == .chargingOff }
                #expect(power?.event == .chargingOn)
                // The alarm counts from the update, with a delay of up to a quarter of an hour.
                let next = rows[place...].first { $0.event == .refresh && $0.time > row.time }
                guard let next, !next.note.detail.hasSuffix("update") else { continue }
                #expect(next.time >= row.time + .hours(1), "\(person): \(next.note.detail)")
            }
        }
        #expect(count > 100)
    }

    @Test func `a fleet without Android has no room for it`() throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet(people: 1))
        #expect(scenario.plan.android == nil)
        let layout = try #require(try ScenarioRun(scenario).run(threads: 1)).measures.layout
        #expect(layout.androidStrata.isEmpty && layout.minutes == 0)
    }
}
