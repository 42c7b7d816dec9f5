import Basics
import ScenarioFiles
import Simulation
import Testing

@testable import Calibration

/// Records of what Android tells apps about their widgets (`calibrate --widgets`).
@Suite struct WidgetRecordTests {
    static let header = "person,widget,start,end,visible_ms,clicked\n"

    static func problem(_ text: String, zone: String? = nil) -> String? {
        do {
            _ = try WidgetRecordReader.read(.text(text), zone: zone)
            return nil
        } catch {
            return error.problems.first.map { "\($0)" }
        }
    }

    static func use(_ rows: String) throws -> WidgetUse {
        WidgetUse(try WidgetRecordReader.read(.text(header + rows)).people[0])
    }

    // MARK: Forms

    @Test func `the same spans in CSV and in JSON lines are one record`() throws {
        let csv = try WidgetRecordReader.read(
            .text(
                """
                person,widget,start,end,visible_ms,clicked,scrolled
                ann,17,2026-03-02T07:00:00+01:00,2026-03-02T07:00:04.250+01:00,4250,,
                ann,18,2026-03-02T07:00:00+01:00,2026-03-02T07:00:04.250+01:00,3000,2131296001 2131296002,2131296009
                "bob, b",17,2026-03-02T08:00:00+01:00,2026-03-02T08:00:01+01:00,1000,2131296001,
                """))
        let json = try WidgetRecordReader.read(
            .text(
                """
                {"person": "ann", "widget": 17, "start": "2026-03-02T07:00:00+01:00", "end": "2026-03-02T07:00:04.250+01:00", "visible_ms": 4250, "clicked": []}
                {"person": "ann", "widget": 18, "start": "2026-03-02T07:00:00+01:00", "end": "2026-03-02T07:00:04.250+01:00", "visible_ms": 3000, "clicked": [2131296001, 2131296002], "scrolled": [2131296009]}

                {"person": "bob, b", "widget": 17, "start": "2026-03-02T08:00:00+01:00", "end": "2026-03-02T08:00:01+01:00", "visible_ms": 1000, "clicked": [2131296001]}
                """))
        #expect(csv.people.map(\.name) == ["ann", "bob, b"] && csv.rows == 3 && json.rows == 3)
        #expect(zip(csv.people, json.people).allSatisfy { $0.name == $1.name && $0.spans == $1.spans })
        #expect(
            csv.people[0].spans[0]
                == WidgetSpan(
                    start: 1_772_431_200_000_000, end: 1_772_431_204_250_000, offset: 3_600, widget: 0,
                    visible: 4_250_000, isClicked: false))
        #expect(csv.people[0].spans[1].widget == 1 && csv.people[0].spans[1].isClicked)
        #expect(csv.notes == ["left out: the column scrolled"] && json.notes.isEmpty)
    }

    @Test func `columns and members can have other names, and members that are null or missing are no clicks`() throws {
        let names = try #require(ColumnNames.read("person=user,widget=appWidgetId", over: .ofWidgets))
        let rest = "\"start\": 1772431200, \"end\": 1772431201, \"visible_ms\": 900"
        let read = try WidgetRecordReader.read(
            .text(
                "{\"user\": 1, \"appWidgetId\": 5, \(rest)}\n{\"user\": 1, \"appWidgetId\": 5, \(rest), \"clicked\": null}\n"
            ),
            zone: "Europe/Berlin", columns: names)
        #expect(
            read.people.map(\.name) == ["1"] && read.people[0].spans.allSatisfy { !$0.isClicked && $0.offset == 3_600 })
    }

    @Test(arguments: [
        ("", "expected a header with the columns person,widget,start,end,visible_ms,clicked"),
        ("person,widget,start,end,visible_ms,clicked\n", "expected rows below the header, found none"),
        (
            "person,widget,start,end,visible,clicked\n",
            "no 'visible_ms'; is it 'visible'? (--columns visible_ms=visible)"
        ),
        (
            header + "a,1,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,900\n",
            "2:1: expected 6 fields, as in the header, found 5"
        ),
        (
            header + ",1,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,900,\n",
            "2:1: expected the name or number of a person"
        ),
        (
            header + "a,,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,900,\n",
            "2:3: expected the name or number of a widget"
        ),
        (
            header + "a,1,2026-03-02T07:00:00,2026-03-02T07:00:01Z,900,\n",
            "2:5: expected --zone for times without an offset"
        ),
        (header + "a,1,1772434800,1772434801,900,\n", "2:5: expected --zone for times without an offset"),
        (
            header + "a,1,2026-03-02T07:00:01Z,2026-03-02T07:00:00Z,900,\n",
            "2:26: expected an end that is not before its start"
        ),
        (
            header + "a,1,2026-03-02T07:00:01Z,2026-03-04T07:00:00Z,900,\n",
            "2:26: expected an end within a day of its start"
        ),
        (
            header + "a,1,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,-1,\n",
            "2:47: expected the visible time in milliseconds"
        ),
        (
            header + "a,1,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,2000,\n",
            "2:47: expected a visible time of at most 1000 ms, from start to end, found \"2000\""
        ),
        (header + "a,1,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,900,button\n", "2:51: expected identifiers of views"),
        (header + "a,\"1,2026-03-02T07:00:00Z\n", "expected a closing quote before the end of the line"),
        ("{\"person\": 1}\n", "1:1: expected an object with `widget`, found one without (--columns widget=… names it)"),
        ("{\"person\": 1, \n", "1:1: expected a JSON object"),
        ("{\"person\": [1], \"widget\": 1}\n", "1:1: expected a text or number as `person`, found another value"),
    ])
    func `every problem has its place and its cure`(text: String, sentence: String) {
        let found = Self.problem(text)
        #expect(found?.contains(sentence) == true, "\(found ?? "nothing")")
    }

    // MARK: Pickups, views and taps

    @Test func `spans that overlap are one pickup, and each widget in it one view`() throws {
        let use = try Self.use(
            """
            a,1,2026-03-02T07:00:00Z,2026-03-02T07:00:10Z,10000,
            a,2,2026-03-02T07:00:02Z,2026-03-02T07:00:12Z,4000,5
            a,1,2026-03-02T07:00:12Z,2026-03-02T07:00:20Z,8000,6
            a,1,2026-03-02T07:00:21Z,2026-03-02T07:00:22.000000999Z,1000,
            a,2,2026-03-02T07:00:30Z,2026-03-02T07:00:30Z,0,
            a,2,2026-03-02T23:59:59Z,2026-03-03T00:10:00Z,3000,7
            """)
        let start: Int64 = 1_772_434_800
        #expect(use.person.events.map(\.kind) == [.unlock, .lock, .unlock, .lock, .unlock, .lock])
        #expect(use.person.events.prefix(4).map { $0.unix / 1_000_000 - start } == [0, 20, 21, 22])
        let first = try #require(CivilDate(year: 2026, month: 3, day: 2))
        let second = try #require(CivilDate(year: 2026, month: 3, day: 3))
        #expect(use.views[first]?.count == 4 && use.views[first]?.tapped == 3 && use.views[second] == nil)
        #expect(use.visible.sorted() == [1, 3, 4, 18])
        #expect(use.unseen == 1 && use.loose == 1 && [use].notes.count == 2)
    }

    // MARK: The way there and back

    /// A fleet whose widget stands on the first page, and its spans as an app on Android would export them: visible
    /// from the pickup on, for a second to five, with the button of each tap.
    static func export(people: Int, days: Int, seed: Int) throws -> (csv: String, json: String) {
        let set = RecoveryTests.adults
        let text = set.scenario(seed: seed, people: people, days: days)
            .replacing("policy: {after: 1h}}", with: "policy: {after: 1h}, taps_per_view: 0.07}")
            .replacing("kind: phone, instances", with: "kind: phone, platform: android, instances")
        let run = try ScenarioRun(try ScenarioReader.read(text: text).scenario)
        var (csv, json) = (header, "")
        let start: Int64 = 1_767_571_200
        for person in 0..<people {
            let rows = run.trace(person: person).rows
            for (place, row) in rows.enumerated() where row.event == .view {
                // The tap, if any, comes with the view.
                let next = rows[(place + 1)...].first { $0.event == .view || $0.event == .tap || $0.event == .lock }
                let isTapped = next?.event == .tap
                let end = rows[(place + 1)...].first { $0.event == .view || $0.event == .lock }
                let from = row.time.microseconds / 1_000
                let left = (end?.time.microseconds ?? .max) / 1_000 - from
                let visible = max(1, min(1_000 + from % 4_000, left))
                func time(_ milliseconds: Int64) -> String {
                    let second = milliseconds / 1_000
                    return "\(start + second).\(TimeText.padded(Int(milliseconds % 1_000), to: 3))"
                }
                let clicked = isTapped ? "2131296001" : ""
                csv += "\(person),41,\(time(from)),\(time(from + visible)),\(visible),\(clicked)\n"
                json +=
                    "{\"person\": \"\(person)\", \"widget\": 41, \"start\": \(time(from)), \"end\": \(time(from + visible)), \"visible_ms\": \(visible), \"clicked\": [\(clicked)]}\n"
            }
        }
        return (csv, json)
    }

    static func fit(_ text: String, shown: Double) throws -> HabitFit {
        let uses = try WidgetRecordReader.read(.text(text), zone: "UTC").people.map(WidgetUse.init)
        return HabitFit(uses.map { PersonSummary($0.person) }, widgets: WidgetPage(uses, shownShare: shown))
    }

    @Test func `habits that were simulated and exported are fitted back, views and taps alike`() throws {
        let set = RecoveryTests.adults
        let fit = try Self.fit(try Self.export(people: 100, days: 42, seed: 21).csv, shown: 0.6)
        func estimate(_ key: String) throws -> Estimate {
            try #require(fit.estimates.first { $0.key == key }, "\(key)")
        }
        for (key, truth) in [
            ("pickups.unlocks_per_day.shape", set.unlocks.shape), ("pickups.unlocks_per_day.mean", set.unlocks.mean),
            ("pickups.daily_k.median", set.k.median), ("kinds.taps_per_view", 0.07),
        ] {
            let found = try estimate(key)
            let interval = try #require(found.interval)
            #expect(
                (interval.low...interval.high).contains(truth),
                "\(key) is \(truth), fitted \(found.valueText), \(found.intervalText)")
        }
        let mean = set.weekdays.reduce(0, +) / 7
        for (name, factor) in zip(["monday", "friday", "sunday"], [0, 4, 6].map { set.weekdays[$0] }) {
            let found = try estimate("pickups.weekday_factors.\(name)")
            #expect((found.value - factor / mean).magnitude < 0.06, "\(name): \(found.value)")
        }
        for (key, hours) in [("sleep.workday.onset", set.workday.onset), ("sleep.workday.wake", set.workday.wake)] {
            let found = try estimate(key).value
            #expect((found - hours).magnitude < 0.7, "\(key): \(found)")
        }
        for key in ["pickups.burstiness", "pickups.session_length", "pickups.glances_per_unlock"] {
            #expect(fit.omitted.contains { $0.key == key } && !fit.estimates.contains { $0.key.hasPrefix(key) })
        }
    }

    @Test func `the fragment says how often the page is shown, and is one that a scenario takes`() throws {
        let (csv, json) = try Self.export(people: 12, days: 21, seed: 22)
        let fit = try Self.fit(csv, shown: 0.6)
        #expect(try Self.fit(json, shown: 0.6).fragment(heading: []) == fit.fragment(heading: []))
        // More unlocks, if each shows the page less often.
        func unlocks(_ fit: HabitFit) throws -> Double {
            try #require(fit.estimates.first { $0.key == "pickups.unlocks_per_day.mean" }).value
        }
        #expect((try unlocks(fit) * 0.6 / unlocks(try Self.fit(csv, shown: 1)) - 1).magnitude < 1e-12)
        let fragment = fit.fragment(heading: fit.remarkOnKinds.map { [$0] } ?? [])
        #expect(fragment.contains("# The kind of these widgets has taps_per_view: 0.0"))
        #expect(fragment.contains("    surface_shown:\n      home_first: 0.6\n"))
        let rest = RecoveryTests.others.scenario(seed: 1, people: 10, days: 1).split(
            separator: "\n", omittingEmptySubsequences: false)
        let own = rest.prefix { !$0.hasPrefix("population:") }.joined(separator: "\n")
        let devices = rest.filter { $0.hasPrefix("  zones") || $0.hasPrefix("  devices") }.joined(separator: "\n")
        let read = try ScenarioReader.read(text: own + "\n" + fragment + devices + "\n")
        #expect(read.resolvedText.contains("unlocks_per_day: {shape: "))
    }

    @Test func `the share of the catalogue is the one that is taken without another`() throws {
        let text = RecoveryTests.adults.scenario(seed: 1, people: 1, days: 1)
        #expect(try ScenarioReader.read(text: text).resolvedText.contains("home_first: \(WidgetPage.usualShare)"))
    }
}
