import ScenarioFiles
import SimulatedTime
import Testing

@testable import Calibration

/// Records with gaps, wrong rows and few people: an error, or a warning by name; never a silent fit.
@Suite struct RecordTests {
    static func problems(_ text: String, zone: String? = nil) -> RecordProblems? {
        do throws(RecordProblems) {
            _ = try RecordReader.read(text: text, zone: zone)
            return nil
        } catch {
            return error
        }
    }

    static func people(_ rows: String, zone: String? = nil) throws -> [PersonSummary] {
        try RecordReader.read(text: "person,time,event\n" + rows, zone: zone).people.map(PersonSummary.init)
    }

    @Test(arguments: [
        ("", "events.csv: expected a header with the columns person,time,event, found an empty file"),
        ("person,time,event\n", "events.csv: expected rows below the header, found none"),
        (
            "person,tine,event\n1,2,unlock\n",
            "events.csv:1:1: expected a header with the columns person,time,event, found no 'time'; is it 'tine'?"
        ),
        ("person,time,event,time\n", "events.csv:1:1: expected one column 'time', found several"),
        (
            "person,time,event\nann,2026-03-02T07:00:00Z,unlok\n",
            "events.csv:2:26: expected unlock, lock, glance, view, wake or sleep, found 'unlok'; did you mean 'unlock'?"
        ),
        (
            "person,time,event\nann,yesterday,lock\n",
            "events.csv:2:5: expected a time such as 2026-03-02T07:00:00+01:00, or seconds since 1970, found 'yesterday'"
        ),
        (
            "person,time,event\nann,2026-03-02T07:00:00,lock\n",
            "events.csv:2:5: expected a time such as 2026-03-02T07:00:00+01:00, or seconds since 1970, found '2026-03-02T07:00:00' without an offset from UTC"
        ),
        (
            "person,time,event\nann,1772434800,lock\n",
            "events.csv:2:5: expected --zone with seconds since 1970, for the local clock, found '1772434800'"
        ),
        (
            "person,time,event\nann,2126-03-02T07:00:00Z,lock\n",
            "events.csv:2:5: expected a time from 1970 to 2099, found '2126-03-02T07:00:00Z'"
        ),
        ("person,time,event\n ,2026-03-02T07:00:00Z,lock\n", "events.csv:2:2: expected the name or number of a person, found nothing"),
        ("person,time,event\nann,2026-03-02T07:00:00Z\n", "events.csv:2:1: expected 3 fields, as in the header, found 2"),
    ])
    func `every problem of a record has its sentence`(text: String, sentence: String) {
        #expect(Self.problems(text)?.problems.first?.description == sentence)
    }

    @Test func `milliseconds are not taken for seconds`() {
        let found = Self.problems("person,time,event\n1,1772434800000,lock\n", zone: "Europe/Berlin")
        #expect(found?.problems.first?.found == "'1772434800000', which may be milliseconds")
    }

    @Test func `all problems are counted and twenty are shown`() {
        let rows = (0..<50).map { _ in "1,2026-03-02T07:00:00Z,lok\n" }.joined()
        let found = Self.problems("person,time,event\n" + rows)
        #expect(found?.count == 50 && found?.problems.count == 20)
    }

    @Test func `columns may stand in any order, and others are left out by name`() throws {
        let read = try RecordReader.read(text: "Event,model,TIME,person\r\nunlock,\"a,b\",2026-03-02T07:00:00+01:00,\"Ann, \"\"A\"\"\"\r\n")
        #expect(read.people.map(\.name) == ["Ann, \"A\""])
        #expect(read.people[0].events == [RecordedEvent(unix: 1_772_431_200_000_000, offset: 3_600, kind: .unlock)])
        #expect(read.notes == ["left out: the column model"])
    }

    @Test func `seconds since 1970 are read on the zone's clock, through its changes`() throws {
        // 29 March 2026, 01:00 UTC: Berlin goes from +1 to +2.
        let read = try RecordReader.read(text: "person,time,event\n1,1774745999.5,unlock\n1,1774746000,lock\n", zone: "Europe/Berlin")
        #expect(read.people[0].events.map(\.offset) == [3_600, 7_200])
        #expect(read.people[0].events[0].unix == 1_774_745_999_500_000)
    }

    @Test func `times in UTC alone are said to be`() throws {
        let read = try RecordReader.read(text: "person,time,event\n1,2026-03-02T07:00:00Z,unlock\n")
        #expect(read.notes.count == 1 && read.notes[0].contains("--zone"))
    }

    @Test func `rows out of order and repeated rows are put right and counted`() throws {
        let people = try Self.people(
            """
            1,2026-03-02T07:00:00Z,unlock
            1,2026-03-02T07:05:00Z,lock
            1,2026-03-02T07:02:00Z,glance
            1,2026-03-02T07:05:00Z,lock
            """)
        #expect(people[0].faults.unordered == 1)
        #expect(people[0].faults.duplicates == 1)
        #expect(people[0].unlockCount == 1 && people[0].sessions.count == 1)
        #expect(people[0].faults.sentences.count == 2)
    }

    @Test func `unlocks without locks, locks without unlocks and endless sessions are counted and have no length`() throws {
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
        #expect(faults.locksWithoutUnlock == 1 && faults.unlocksWithoutLock == 1 && faults.longSessions == 1)
        #expect(people[0].unlockCount == 3 && people[0].sessions.count == 1)
    }

    /// Ten days of ten unlocks, with one date without a row, for a heavy user; the same with one unlock a day.
    @Test func `an empty date is a gap for who unlocks often and a day of no use for who seldom does`() throws {
        func rows(_ unlocks: Int, without: Int) -> String {
            (0..<10).filter { $0 != without }.flatMap { day in
                (0..<unlocks).map { "1,2026-03-\(TimeText.padded(day + 2, to: 2))T\(TimeText.padded(8 + $0, to: 2)):00:00Z,unlock" }
            }.joined(separator: "\n")
        }
        let often = try Self.people(rows(10, without: 4))[0].faults
        #expect(often.missingDates == 1 && often.idleDates == 0)
        let seldom = try Self.people(rows(1, without: 4))[0].faults
        #expect(seldom.missingDates == 0 && seldom.idleDates == 1)
    }

    @Test func `days beside a gap are left out`() throws {
        func day(_ date: Int) -> String {
            let text = "1,2026-03-\(TimeText.padded(date, to: 2))T"
            return (["07:00:00Z,wake"] + (8..<20).map { "\(TimeText.padded($0, to: 2)):00:00Z,unlock" } + ["23:00:00Z,sleep"]).map {
                text + $0
            }
            .joined(separator: "\n") + "\n"
        }
        let people = try Self.people([2, 3, 4, 6, 7, 8].map(day).joined())
        #expect(people[0].faults.missingDates == 1)
        // 4 and 6 March lie beside the gap.
        #expect(people[0].days.map(\.date.yearMonthDay.day) == [2, 3, 7, 8])
        #expect(people[0].days.allSatisfy { $0.unlocks == 12 })
    }

    @Test func `a person alone tells nothing of how people differ`() throws {
        let people = try RecoveryTests.record(RecoveryTests.adults, seed: 9, people: 1, days: 60).map(PersonSummary.init)
        let fit = HabitFit(people)
        let omitted = fit.omitted.map(\.key)
        for key in [
            "pickups.unlocks_per_day", "pickups.session_spread", "pickups.session_correlation", "sleep.workday", "sleep.correlations",
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
        let people = try Self.people("1,2026-03-02T07:00:00Z,unlock\n1,2026-03-02T07:05:00Z,lock\n2,2026-03-02T07:02:00Z,unlock\n")
        let fit = HabitFit(people)
        #expect(fit.estimates.isEmpty)
        #expect(fit.omitted.count >= 8)
        #expect(fit.fragment(heading: []) == "population:\n" || fit.fragment(heading: []) == "population: {}\n")
    }
}
