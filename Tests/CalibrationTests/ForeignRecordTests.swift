import Basics
import ScenarioFiles
import Testing

@testable import Calibration

/// Records of people as phones and other programs export them.
@Suite struct ForeignRecordTests {
    private static func problem(_ text: String, columns: String? = nil, zone: String? = "UTC") -> String {
        do {
            let record = try RecordReader.read(.text(text), zone: zone, columns: names(columns))
            return "read: \(record.rows)"
        } catch { return error.problems.map(\.description).joined(separator: "\n") }
    }

    private static func names(_ text: String?) -> ColumnNames {
        text.flatMap { ColumnNames.read($0, over: .ofRecord) } ?? .ofRecord
    }

    /// Twice 3 unlocks from 7:00 and one from 22:00, on two days.
    @Test(
        arguments: [
            (
                "Date,Hour,Pickups,Screen time (min)\n2026-05-04,7,3,12\n2026-05-04,22,1,31\n2026-05-05,7,3,2\n2026-05-05,22,1,2\n",
                nil
            ),
            (
                "date;time of day;unlocks\n2026-05-04;7 AM;3\n2026-05-04;10 PM;1\n2026-05-04;12 AM;0\n2026-05-05;7 am;3\n2026-05-05;10 pm;1\n",
                nil
            ),
            (
                "Day\tHour\tCount\n2026/05/04\t07:00-08:00\t3\n2026/05/04\t22:00\t1\n2026/05/05\t07:00\t3\n2026/05/05\t22:00\t1\n",
                nil
            ),
            ("time,pickups\n2026-05-04T07:00,3\n2026-05-04T22:00,1\n2026-05-05T07:00,3\n2026-05-05T22:00,1\n", nil),
            (
                "When,N\n2026-05-04 07:00:00,3\n2026-05-04 22:00:00,1\n2026-05-05 07:00:00,3\n2026-05-05 22:00:00,1\n",
                "time=When,count=N"
            ),
            (
                "date," + (0..<24).map { "\($0)" }.joined(separator: ",") + "\n"
                    + [4, 5].map {
                        "2026-05-0\($0)," + (0..<24).map { $0 == 7 ? "3" : $0 == 22 ? "1" : "0" }.joined(separator: ",")
                            + "\n"
                    }.joined(), nil
            ),
        ] as [(String, String?)])
    func `pickups by the hour are unlocks in it`(text: String, columns: String?) throws {
        let record = try RecordReader.read(.text(text), zone: "UTC", columns: Self.names(columns))
        #expect(record.isByHour && record.rows == 8 && record.people.count == 1)
        let hours = record.people[0].events.map { $0.local.clock.hour }
        #expect(hours == [7, 7, 7, 22, 7, 7, 7, 22], "\(hours)")
        #expect(record.notes.contains { $0.hasPrefix("pickups by the hour") }, "\(record.notes)")
        #expect(Self.problem(text, columns: columns, zone: nil).contains("--zone for times without an offset"))
    }

    @Test func `habits of hourly counts have what hours tell, and no more`() throws {
        var text = "person,date,hour,pickups\n"
        for person in 0..<8 {
            for day in 1...28 {
                for hour in 7..<23 {
                    text += "p\(person),2026-05-\(TimeText.padded(day, to: 2)),\(hour),\(2 + (person + hour) % 4)\n"
                }
            }
        }
        let record = try RecordReader.read(.text(text), zone: "UTC")
        let fit = HabitFit(record.people.map(PersonSummary.init), isByHour: record.isByHour)
        let mean = try #require(fit.estimates.first { $0.key == "pickups.unlocks_per_day.mean" })
        #expect((mean.value / 56 - 1).magnitude < 0.05, "\(mean)")
        for key in [
            "pickups.hour_correlation", "pickups.burstiness", "pickups.session_length", "sleep.nights.onset_sd",
        ] {
            #expect(fit.omitted.contains { $0.key == key && $0.reason.contains("by the hour") }, "\(fit.omitted)")
        }
        #expect(!fit.faults.sentences.contains { $0.contains("no lock") }, "\(fit.faults.sentences)")
        #expect(
            fit.estimates.contains {
                $0.key.hasPrefix("people.") || $0.key.contains("sleep") || $0.key.contains("night")
                    || $0.key.contains("wake")
            }, "\(fit.estimates.map(\.key))")
    }

    @Test(arguments: [
        ("Date,Hour,Pickups\n2026-05-04,7,many\n", "record:2:14: expected a whole number of pickups"),
        ("Date,Hour,Pickups\n2026-05-04,27,1\n", "expected an hour of the day, found '27'"),
        ("Date,Pickups\n2026-05-04,71\n", "expected an hour with each date"),
        ("Date,Hour,Pickups\n4 May,7,1\n", "expected a date such as 2026-03-02"),
        ("Date,Hour,Pickups\n2026-05-04,7\n", "3 fields, as in the header"),
    ])
    func `a wrong row of counts is told with its place`(text: String, sentence: String) {
        let said = Self.problem(text)
        #expect(said.contains(sentence), "\(said)")
    }

    private static func export(_ bucket: String, _ events: String) -> String {
        #"{"buckets": {"aw-watcher-android-test_phone": {"id": "x", "events": [{"timestamp": "2026-05-04T06:00:00Z", "duration": 5, "data": {"app": "a"}}]}, "#
            + "\"\(bucket)\""
            + #": {"id": "y", "type": "os.lockscreen.unlocks", "events": ["# + events + "]}}}"
    }

    @Test func `the unlocks of ActivityWatch's export are read, and no other bucket`() throws {
        let events = (1...3).map {
            #"{"id": \#($0), "timestamp": "2026-05-04T07:0\#($0):00.000Z", "duration": 0.0, "data": {}}"#
        }
        let text = Self.export("aw-watcher-android-unlock_phone", events.joined(separator: ", "))
        for own in [text, text.replacing(", ", with: ",\n  ")] {
            let record = try RecordReader.read(.text(own), zone: "UTC")
            #expect(
                record.people.map(\.name) == ["phone"]
                    && record.people[0].events.map(\.kind) == [.unlock, .unlock, .unlock])
            #expect(record.notes.contains("left out: the buckets aw-watcher-android-test_phone"), "\(record.notes)")
        }
        let other = Self.export("aw-watcher-afk_desk", events.joined(separator: ", "))
        #expect(Self.problem(other).contains("expected a bucket of unlocks"), "\(Self.problem(other))")
    }

    @Test func `a list of events is a record too`() throws {
        let rows = ["unlock", "lock"].enumerated().map {
            #"{"person":"ann","time":"2026-05-04T07:0\#($0):00Z","event":"\#($1)"}"#
        }
        let record = try RecordReader.read(.text("[\n" + rows.joined(separator: ",\n") + "\n]\n"))
        #expect(record.people.map(\.name) == ["ann"] && record.people[0].events.map(\.kind) == [.unlock, .lock])
    }

    @Test func `Android's own list of usage events is read among its other lines`() throws {
        let lines = """
            user=0
              In-memory daily stats
                package=com.example totalTimeUsed="01:02" lastTimeUsed="2026-05-04 07:00:00"
              events
                  time="2026-05-04 07:00:00" type=KEYGUARD_HIDDEN package=android flags=0x0
                  time="2026-05-04 07:00:02" type=ACTIVITY_RESUMED package=com.example class=a flags=0x0
                  time="2026-05-04 07:00:41" type=KEYGUARD_SHOWN package=android flags=0x0
            """
        let record = try RecordReader.read(.text(lines), zone: "UTC")
        #expect(record.people[0].events.map(\.kind) == [.unlock, .lock], "\(record)")
        #expect(Self.problem(lines, zone: nil).contains("--zone"))
    }
}
