import Basics
import People
import Testing

@testable import Calibration
@testable import ScenarioFiles

/// Records with gaps, wrong rows and few people: an error, or a warning by name; never a silent fit.
@Suite struct RecordTests {
    static func problems(_ text: String, zone: String? = nil) -> RecordProblems? {
        do throws(RecordProblems) {
            _ = try RecordReader.read(.text(text), zone: zone)
            return nil
        } catch {
            return error
        }
    }

    static func people(_ rows: String, zone: String? = nil) throws -> [PersonSummary] {
        try RecordReader.read(.text("person,time,event\n" + rows), zone: zone).people.map(PersonSummary.init)
    }

    @Test(arguments: [
        (
            "",
            "record: expected a header with the columns person,time,event, or JSON objects with these members, found an empty file"
        ),
        ("person,time,event\n", "record: expected rows below the header, found none"),
        (
            "person,tine,event\n1,2,unlock\n",
            "record:1:1: expected a header with the columns person,time,event, or JSON objects with these members, found no 'time'; is it 'tine'? (--columns time=tine)"
        ),
        ("person,time,event,time\n", "record:1:1: expected one column 'time', found several"),
        (
            "person,time,event\nann,2026-03-02T07:00:00Z,unlok\n",
            "record:2:26: expected unlock, lock, glance, view, wake or sleep (--events unlok=… maps another word), found 'unlok'; did you mean 'unlock'?"
        ),
        (
            "person,time,event\nann,yesterday,lock\n",
            "record:2:5: expected a time from 1970 to 2099, such as 2026-03-02T07:00:00+01:00, or seconds since 1970, found 'yesterday'"
        ),
        (
            "person,time,event\nann,2026-03-02T07:00:00,lock\n",
            "record:2:5: expected --zone for times without an offset from UTC, for the local clock, found '2026-03-02T07:00:00'"
        ),
        (
            "person,time,event\nann,1772434800,lock\n",
            "record:2:5: expected --zone for times without an offset from UTC, for the local clock, found '1772434800'"
        ),
        (
            "person,time,event\nann,2126-03-02T07:00:00Z,lock\n",
            "record:2:5: expected a time from 1970 to 2099, such as 2026-03-02T07:00:00+01:00, or seconds since 1970, found '2126-03-02T07:00:00Z'"
        ),
        (
            "person,time,event\n ,2026-03-02T07:00:00Z,lock\n",
            "record:2:2: expected the name or number of a person, found nothing"
        ),
        (
            "person,time,event\nann,2026-03-02T07:00:00Z\n",
            "record:2:1: expected 3 fields, as in the header, found 2"
        ),
        (
            "person,note,time,event\nann,on, off,2026-03-02T07:00:00Z,lock\n",
            "record:2:1: expected 4 fields, as in the header, found 5; a field with a comma needs double quotes"
        ),
        (
            "person,time,event,note\nann,2026-03-02T07:00:00Z,lock,a,b\n",
            "record:2:1: expected 4 fields, as in the header, found 5; a field with a comma needs double quotes"
        ),
        (
            "person,time,event\n\"ann,2026-03-02T07:00:00Z,lock\n",
            "record:2:1: expected a closing quote before the end of the line, found only the opening one"
        ),
        (
            "person,time,\"event\nann,2026-03-02T07:00:00Z,lock\n",
            "record:1:13: expected a closing quote before the end of the line, found only the opening one"
        ),
    ])
    func `every problem of a record has its sentence`(text: String, sentence: String) {
        #expect(Self.problems(text)?.problems.first?.description == sentence)
    }

    @Test(arguments: [
        "1772434800", "1772434800000", "1772434800000000", "1772434800000000000", "1772434800.0000004", "1.7724348e9",
        "2026-03-02 07:00:00", "2026-03-02T07:00:00.000000999", "2026-03-02 07:00:00+00", "2026-03-02T07:00:00+0000",
        "2026-03-02T07:00:00 Z", "02/Mar/2026:07:00:00 +0000",
    ])
    func `a time is the same in every spelling`(text: String) throws {
        // London has the offset of UTC in March.
        let person = try RecordReader.read(.text("person,time,event\nann,\(text),unlock\n"), zone: "Europe/London")
            .people[0]
        #expect(person.events == [RecordedEvent(unix: 1_772_434_800_000_000, offset: 0, kind: .unlock)])
    }

    @Test func `words for events are mapped, and an unlock that is told twice counts once`() throws {
        let words = try #require(RecordReader.events("KEYGUARD_HIDDEN=unlock,SCREEN_NON_INTERACTIVE=lock"))
        let text = """
            person;time;event
            ann;2026-03-02 07:00:00Z;KEYGUARD_HIDDEN
            ann;2026-03-02 07:00:00.9Z;unlock
            bob;2026-03-02 07:00:00.5Z;unlock
            ann;2026-03-02 07:00:30Z;SCREEN_NON_INTERACTIVE
            ann;2026-03-02 07:00:31.9Z;unlock
            """
        let record = try RecordReader.read(.text(text), events: words)
        #expect(record.people[0].events.map(\.kind) == [.unlock, .lock, .unlock])
        #expect(record.people[1].events.map(\.kind) == [.unlock])
        #expect(record.notes.contains("1 unlock within a second of the one before left out"), "\(record.notes)")
        for wrong in ["", "unlock", "a=b", "a=unlock,a=lock", "=unlock", "a=unlock=lock"] {
            #expect(RecordReader.events(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `all problems are counted and twenty are shown`() {
        let rows = (0..<50).map { _ in "1,2026-03-02T07:00:00Z,lok\n" }.joined()
        let found = Self.problems("person,time,event\n" + rows)
        #expect(found?.count == 50 && found?.problems.count == 20)
    }

    @Test func `columns may stand in any order, and others are left out by name`() throws {
        let read = try RecordReader.read(
            .text("Event,model,TIME,person\r\nunlock,\"a,b\",2026-03-02T07:00:00+01:00,\"Ann, \"\"A\"\"\"\r\n"))
        #expect(read.people.map(\.name) == ["Ann, \"A\""])
        #expect(read.people[0].events == [RecordedEvent(unix: 1_772_431_200_000_000, offset: 3_600, kind: .unlock)])
        #expect(read.notes == ["left out: the column model"])
    }

    @Test func `seconds since 1970 are read on the zone's clock, through its changes`() throws {
        // 29 March 2026, 01:00 UTC: Berlin goes from +1 to +2.
        let read = try RecordReader.read(
            .text("person,time,event\n1,1774745999.5,unlock\n1,1774746000,lock\n"), zone: "Europe/Berlin")
        #expect(read.people[0].events.map(\.offset) == [3_600, 7_200])
        #expect(read.people[0].events[0].unix == 1_774_745_999_500_000)
    }

    @Test func `times in UTC alone are said to be`() throws {
        let read = try RecordReader.read(.text("person,time,event\n1,2026-03-02T07:00:00Z,unlock\n"))
        #expect(read.notes.count == 1 && read.notes[0].contains("--zone"))
    }

    @Test func `events that are no habit of the phone are left out by name`() throws {
        let rows = RecordReader.leftOut.map { "1,2026-03-02T07:00:00+01:00,\($0)\n" }.joined()
        let read = try RecordReader.read(.text("person,time,event\n1,2026-03-02T07:00:00+01:00,unlock\n" + rows))
        #expect(read.people[0].events.count == 1)
        #expect(read.notes == ["left out: 1 trip_start, 1 trip_end, 1 change"])
    }

    // MARK: Travel

    @Test func `who travels west may end on an earlier date than they began`() throws {
        let people = try Self.people("a,2026-03-03T00:10:00+00:00,unlock\na,2026-03-02T19:40:00-05:00,unlock\n")
        #expect(people[0].dates.map { [$0.lowerBound, $0.upperBound].map(\.yearMonthDay.day) } == [2, 3])
        #expect(HabitFit(people).extent.hasSuffix("2026-03-02 to 2026-03-03"))
    }

    /// From UTC+14 on 3 March to UTC−10 on 2 March; the journey home skips nothing.
    @Test func `a date that came before the journey is no gap after it, and weeks begin with the earliest date`() throws
    {
        var rows = (0..<8).map { "a,2026-03-03T00:3\($0):00+14:00,unlock" }
        for date in [2, 4, 5, 6, 7, 8, 9] {
            rows += (0..<8).map { "a,2026-03-0\(date)T1\($0):00:00-10:00,unlock" }
        }
        let person = try Self.people(rows.joined(separator: "\n"))[0]
        #expect(person.faults[.missingDates] == 0)
        let earliest = try #require(person.dates?.lowerBound)
        #expect(earliest.yearMonthDay.day == 2)
        #expect(person.week(of: CivilDate(dayNumber: earliest.dayNumber + 6)) == 0)
        #expect(person.week(of: CivilDate(dayNumber: earliest.dayNumber + 7)) == 1)
        #expect(person.unlocksOfWeek == [56, 8])
    }

    // MARK: Nights that are recorded in part

    /// Fourteen days with an unlock an hour from 8:00 to 21:00.
    private static let fortnight = (2...15).flatMap { date in
        (8...21).flatMap { hour in
            ["00:00Z,unlock", "05:00Z,lock"].map {
                "1,2026-03-\(TimeText.padded(date, to: 2))T\(TimeText.padded(hour, to: 2)):\($0)"
            }
        }
    }.joined(separator: "\n")

    @Test(arguments: [
        [("2026-03-05T07:00:00Z", "wake")], [("2026-03-05T23:00:00Z", "sleep")],
        [("2026-03-05T23:00:00Z", "sleep"), ("2026-03-06T07:00:00Z", "wake")],
        (2...15).map { ("2026-03-\(TimeText.padded($0, to: 2))T07:00:00Z", "wake") },
    ])
    func `few rows of sleep do not keep nights from being inferred`(rows: [(String, String)]) throws {
        let person = try Self.people(Self.fortnight + "\n" + rows.map { "1,\($0.0),\($0.1)" }.joined(separator: "\n"))[
            0]
        #expect(person.isSleepInferred && person.nights.count == 13)
        #expect(person.faults[.sparseSleepRows] == rows.count)
        #expect(person.faults.sentences.contains { $0.contains("so nights are inferred") })
    }

    @Test func `nights that are recorded on half of the dates are not inferred`() throws {
        let rows = (2...8).flatMap { date in
            ["T07:00:00Z,wake", "T23:00:00Z,sleep"].map { "1,2026-03-\(TimeText.padded(date, to: 2))\($0)" }
        }
        let person = try Self.people(Self.fortnight + "\n" + rows.joined(separator: "\n"))[0]
        #expect(!person.isSleepInferred && person.days.count == 7 && person.faults[.sparseSleepRows] == 0)
    }

    // MARK: Fragments that a scenario takes

    private static func event(_ kind: RecordedEvent.Kind, hours: Double) -> RecordedEvent {
        RecordedEvent(unix: 1_767_571_200_000_000 + Int64((hours * 3_600_000_000).rounded()), offset: 0, kind: kind)
    }

    private static func text(of key: String, in fit: HabitFit) throws -> String {
        try #require(fit.entries.first { $0.path[1] == key }?.text)
    }

    /// Six people who have all their unlocks on one day of ten.
    @Test func `a k beyond what is looked for has a note, and a distribution that leaves people different`() throws {
        let people = (0..<6).map { number in
            var person = RecordedPerson(name: "\(number)")
            for day in 0..<20 {
                person.events.append(Self.event(.wake, hours: Double(24 * day) + 7))
                for unlock in 0..<(day == 9 ? 60 : 0) {
                    person.events.append(Self.event(.unlock, hours: Double(24 * day) + 8 + Double(unlock) / 5))
                }
                person.events.append(Self.event(.sleep, hours: Double(24 * day) + 23))
            }
            return PersonSummary(person)
        }
        let fit = HabitFit(people)
        #expect(try Self.text(of: "daily_k", in: fit) == "{median: 0.1353, sigma: 0.1, clip: [0.0135, 10000]}")
        #expect(
            fit.notes.contains {
                $0.hasPrefix("pickups.daily_k.median is fitted at ") && $0.contains("the fragment has 0.1353")
            })
        #expect(fit.notes.contains { $0.hasPrefix("pickups.daily_k.sigma: ") })
        #expect(fit.estimates.first { $0.key == "pickups.daily_k.sigma" }?.value == 0.1)
    }

    /// Six people whose sessions last from 0.1 s to 0.3 s, and from 100 s to 300 s.
    @Test func `short sessions are within the clip of their distribution`() throws {
        for (scale, expected) in [(1.0, "[100ms, 4h]"), (1_000, "[1s, 4h]")] {
            let people = (0..<6).map { number in
                var person = RecordedPerson(name: "\(number)")
                for session in 0...20 {
                    let start = Double(session) / 2
                    person.events.append(Self.event(.unlock, hours: start))
                    person.events.append(
                        Self.event(.lock, hours: start + (0.1 + 0.01 * Double(session)) * scale / 3_600))
                }
                return PersonSummary(person)
            }
            #expect(
                try Self.text(of: "session_length", in: HabitFit(people)).contains("clip: \(expected)}"),
                "scale \(scale)")
        }
    }

    /// Onsets hardly differ by the kind of day, and wake-ups go with them on workdays alone.
    @Test func `correlations that no four times can have are made weaker, with a note`() throws {
        let people = (0..<16).map { number in
            let (x, z) = ((Double(number) - 7.5) / 8, (Double(number * 5 % 16) - 7.5) / 8)
            var person = RecordedPerson(name: "\(number)")
            for day in 1...28 {
                let jitter = 0.1 * Double(day % 3 - 1)
                // 2026-01-05, the first date, is a Monday.
                let wake = day % 7 >= 5 ? 7 + 0.3 * x + 0.95 * z : 7 + x
                person.events.append(Self.event(.sleep, hours: Double(24 * day) - 1 + x + jitter))
                person.events.append(Self.event(.wake, hours: Double(24 * day) + wake + jitter))
                person.events.append(Self.event(.unlock, hours: Double(24 * day) + 12))
            }
            return PersonSummary(person)
        }
        let fit = HabitFit(people)
        let values = try Self.text(of: "correlations", in: fit).split { !"-.0123456789".contains($0) }.compactMap {
            Double($0)
        }
        try #require(values.count == 3)
        #expect(SleepHabits.Correlations(onsetAndWake: values[0], onsets: values[1], wakes: values[2]).factor != nil)
        #expect(
            fit.notes.contains { $0.hasPrefix("sleep.correlations: no four usual times") }, "\(values), \(fit.notes)")
    }

    @Test func `the ordinary person's k is the catalogue's`() throws {
        let text = RecoveryTests.adults.scenario(seed: 1, people: 1, days: 1).split(separator: "\n").filter {
            !$0.contains("daily_k")
        }
        let resolved = try ScenarioReader.read(text: text.joined(separator: "\n")).resolvedText
        #expect(resolved.contains("daily_k: {median: \(HabitFit.ordinaryShape),"))
    }

    // MARK: Faults

    @Test func `rows out of order and repeated rows are put right and counted`() throws {
        let people = try Self.people(
            """
            1,2026-03-02T07:00:00Z,unlock
            1,2026-03-02T07:05:00Z,lock
            1,2026-03-02T07:02:00Z,glance
            1,2026-03-02T07:05:00Z,lock
            """)
        #expect(people[0].faults[.unordered] == 1)
        #expect(people[0].faults[.duplicates] == 1)
        #expect(people[0].unlockCount == 1 && people[0].sessions.count == 1)
        #expect(people[0].faults.sentences.count == 2)
    }

    @Test func `unlocks without locks, locks without unlocks and endless sessions are counted and have no length`()
        throws
    {
        let people = try Self.people(
            """
            1,2026-03-02T07:00:00Z,lock
            1,2026-03-02T07:05:00Z,unlock
            1,2026-03-02T07:07:00Z,unlock
            1,2026-03-02T07:08:00Z,lock
            1,2026-03-02T08:00:00Z,unlock
            1,2026-03-03T09:00:00Z,lock
            """)
        let faults = people[0].faults
        #expect(faults[.locksWithoutUnlock] == 1 && faults[.unlocksWithoutLock] == 1 && faults[.longSessions] == 1)
        #expect(people[0].unlockCount == 3 && people[0].sessions.count == 1)
    }

    /// Ten days of ten unlocks, with one date without a row, for a heavy user; the same with one unlock a day.
    @Test func `an empty date is a gap for who unlocks often and a day of no use for who seldom does`() throws {
        func rows(_ unlocks: Int, without: Int) -> String {
            (0..<10).filter { $0 != without }.flatMap { day in
                (0..<unlocks).map {
                    "1,2026-03-\(TimeText.padded(day + 2, to: 2))T\(TimeText.padded(8 + $0, to: 2)):00:00Z,unlock"
                }
            }.joined(separator: "\n")
        }
        let often = try Self.people(rows(10, without: 4))[0].faults
        #expect(often[.missingDates] == 1 && often[.idleDates] == 0)
        let seldom = try Self.people(rows(1, without: 4))[0].faults
        #expect(seldom[.missingDates] == 0 && seldom[.idleDates] == 1)
    }

    @Test func `days beside a gap are left out`() throws {
        func day(_ date: Int) -> String {
            let text = "1,2026-03-\(TimeText.padded(date, to: 2))T"
            return
                (["07:00:00Z,wake"] + (8..<20).map { "\(TimeText.padded($0, to: 2)):00:00Z,unlock" } + [
                    "23:00:00Z,sleep"
                ]).map {
                    text + $0
                }
                .joined(separator: "\n") + "\n"
        }
        let people = try Self.people([2, 3, 4, 6, 7, 8].map(day).joined())
        #expect(people[0].faults[.missingDates] == 1)
        // 4 and 6 March lie beside the gap.
        #expect(people[0].days.map(\.date.yearMonthDay.day) == [2, 3, 7, 8])
        #expect(people[0].days.allSatisfy { $0.unlocks == 12 })
    }

    @Test func `a person alone tells nothing of how people differ`() throws {
        let people = try RecoveryTests.record(RecoveryTests.adults, seed: 9, people: 1, days: 60).map(
            PersonSummary.init)
        let fit = HabitFit(people)
        let omitted = fit.omitted.map(\.key)
        for key in [
            "pickups.unlocks_per_day", "pickups.weekday_spread", "pickups.session_spread",
            "pickups.session_correlation", "sleep.workday", "sleep.correlations",
        ] {
            #expect(omitted.contains(key), "\(key)")
        }
        let told = fit.estimates.map(\.key)
        for key in [
            "pickups.daily_k", "pickups.burstiness", "pickups.glances_per_unlock", "sleep.nights.onset_sd",
            "pickups.weekday_factors.monday",
        ] {
            #expect(told.contains(key), "\(key)")
        }
        #expect(fit.estimates.first { $0.key == "pickups.burstiness" }?.interval != nil)
    }

    @Test func `a day's record is fitted as far as it goes`() throws {
        let people = try Self.people(
            "1,2026-03-02T07:00:00Z,unlock\n1,2026-03-02T07:05:00Z,lock\n2,2026-03-02T07:02:00Z,unlock\n")
        let fit = HabitFit(people)
        #expect(fit.estimates.isEmpty)
        #expect(fit.omitted.count >= 8)
        #expect(fit.fragment(heading: []) == "population:\n" || fit.fragment(heading: []) == "population: {}\n")
    }

    @Test func `an object a line is read as a row of a table is`() throws {
        let table = try RecordReader.read(
            .text("person,time,event\nann,2026-03-02T07:00:00+01:00,unlock\n7,2026-03-02T08:00:00+01:00,glance\n"))
        let objects = try RecordReader.read(
            .text(
                """
                {"person": "ann", "time": "2026-03-02T07:00:00+01:00", "event": "unlock"}
                {"event": "glance", "person": 7, "more": {"a": 1}, "time": "2026-03-02T08:00:00+01:00"}
                """))
        #expect(objects.rows == 2 && objects.people.map(\.name) == table.people.map(\.name))
        #expect(objects.people.map(\.events) == table.people.map(\.events))
        #expect(
            Self.problems("{\"person\": 1}\n")?.problems.first?.description
                == "record:1:1: expected an object with `time`, found one without (--columns time=… names it)")
    }

    @Test func `columns can have other names, and unlock goes by pickup too`() throws {
        let names = try #require(ColumnNames.read("person=user_id,time=When", over: .ofRecord))
        let record = try RecordReader.read(
            .text("when,event,USER_ID\n2026-03-02T07:00:00+01:00,pickup,ann\n"), columns: names)
        #expect(record.people.map(\.name) == ["ann"] && record.people[0].events.map(\.kind) == [.unlock])
        for text in ["", "person", "person=", "who=a", "person=a,person=b", "person=x,time=X", "person=time"] {
            #expect(ColumnNames.read(text, over: .ofRecord) == nil, "\(text)")
        }
        do {
            _ = try RecordReader.read(.text("person,time,event\n"), columns: names)
            Issue.record("read without the columns")
        } catch {
            #expect(
                error.problems[0].description.contains(
                    "expected a header with the columns user_id,When,event, or JSON objects with these members, found no 'user_id'"
                ))
        }
    }

    // MARK: The hour that comes twice

    /// Unlocks of some people in the night of 25 October 2026 in Berlin, whose clocks go back from 03:00 to 02:00.
    @Test(arguments: [("Europe/Berlin", "2026-10-25", 2), ("America/New_York", "2026-11-01", 1)])
    func `times that jump back in the hour that comes twice are of its second pass`(
        zone: String, date: String, hour: Int
    ) throws {
        func time(_ hour: Int, _ minute: Int) -> String { "\(date)T0\(hour):\(minute < 10 ? "0" : "")\(minute):00" }
        // One person's rows come between the other's, who has one pass alone.
        let rows = [
            ("ann", time(hour - 1, 50)), ("ann", time(hour, 5)), ("ben", time(hour, 50)), ("ann", time(hour, 40)),
            ("ann", time(hour, 10)), ("ben", time(hour, 55)), ("ann", time(hour, 45)), ("ann", time(hour + 1, 5)),
            ("ben", time(hour + 1, 20)),
        ]
        let text = "person,time,event\n" + rows.map { "\($0.0),\($0.1),unlock\n" }.joined()
        let people = try RecordReader.read(.text(text), zone: zone).people
        let ann = people[0].events
        let gaps = zip(ann, ann.dropFirst()).map { ($1.unix - $0.unix) / 60_000_000 }
        #expect(gaps == [15, 35, 30, 35, 20], "\(gaps)")
        // The clock shows the same, and an hour less away from UTC.
        #expect(ann.map { $0.local.clock.microseconds / 60_000_000 % 60 } == [50, 5, 40, 10, 45, 5])
        #expect(ann[2].offset - ann[3].offset == 3_600 && ann[3].offset == ann[5].offset)
        let ben = people[1].events
        #expect(ben[1].unix - ben[0].unix == 300_000_000 && ben[0].offset - ben[2].offset == 3_600)
        // Times with offsets are as they say.
        let stated = try RecordReader.read(
            .text("person,time,event\nann,2026-10-25T02:50:00+02:00,unlock\nann,2026-10-25T02:10:00+02:00,unlock\n"),
            zone: zone)
        #expect(stated.people[0].events[0].unix - stated.people[0].events[1].unix == 2_400_000_000)
    }

    @Test func `spans of widgets in the hour that comes twice have its passes too`() throws {
        func row(_ start: String, _ end: String) -> String {
            "ann,1,2026-10-25T\(start):00,2026-10-25T\(end):00,1000,\n"
        }
        let text =
            "person,widget,start,end,visible_ms,clicked\n" + row("01:50", "01:55") + row("02:10", "02:15")
            + row("02:50", "02:05") + row("02:10", "02:20") + row("02:55", "03:10") + row("03:20", "03:21")
        let spans = try WidgetRecordReader.read(.text(text), zone: "Europe/Berlin").people[0].spans
        let minutes = spans.map { [$0.start, $0.end].map { ($0 - spans[0].start) / 60_000_000 } }
        #expect(minutes == [[0, 5], [20, 25], [60, 75], [80, 90], [125, 140], [150, 151]], "\(minutes)")
        #expect(spans.map { ($0.offset) } == [7_200, 7_200, 7_200, 3_600, 3_600, 3_600])
        let backwards =
            "person,widget,start,end,visible_ms,clicked\nann,1,2026-10-26T02:50:00,2026-10-26T02:05:00,10,\n"
        #expect(throws: RecordProblems.self) {
            try WidgetRecordReader.read(.text(backwards), zone: "Europe/Berlin")
        }
    }
}
