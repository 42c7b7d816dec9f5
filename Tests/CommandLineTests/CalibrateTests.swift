import Foundation
import ScenarioFiles
import Testing

/// `reloadsim calibrate` as a user meets it.
@Suite struct CalibrateTests {
    /// Two people, three days: enough for a fragment with a key or two.
    static let record: String = {
        var text = "person,time,event,model\n"
        for person in ["ann", "bob"] {
            for day in 2...29 {
                let date = "2026-03-" + (day < 10 ? "0\(day)" : "\(day)")
                text += "\(person),\(date)T06:\(30 + day % 20):00-05:00,wake,x\n"
                for hour in 8...21 {
                    let minute = 10 + (hour * day) % 40
                    text += "\(person),\(date)T\(hour < 10 ? "0" : "")\(hour):\(minute):00-05:00,unlock,x\n"
                    text += "\(person),\(date)T\(hour < 10 ? "0" : "")\(hour):\(minute + 1 + day % 8):30-05:00,lock,x\n"
                }
                text += "\(person),\(date)T23:\(10 + day % 30):00-05:00,sleep,x\n"
            }
        }
        return text
    }()

    @Test func `the fragment goes to standard output and all else to standard error`() throws {
        let ended = try BuiltCommand.run(["calibrate", "-"], input: Self.record)
        #expect(ended.status == 0, "\(ended.error)")
        #expect(ended.output.hasPrefix("# Fitted by reloadsim"))
        #expect(ended.output.contains("\npopulation:\n  pickups:\n"))
        #expect(ended.error.contains("left out: the column model"))
        #expect(ended.error.contains("left out: pickups.unlocks_per_day: the record has 2 people"))
    }

    @Test func `with a file for the fragment the table is the output, and a file is not written twice`() throws {
        let scratch = Scratch()
        let file = scratch.path + "/habits.yaml"
        let ended = try BuiltCommand.run(["calibrate", "-", "--out", file], input: Self.record)
        #expect(ended.status == 0, "\(ended.error)")
        #expect(ended.output.contains("95 % interval"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("burstiness: "))
        let again = try BuiltCommand.run(["calibrate", "-", "--out", file], input: Self.record)
        #expect(again.status == 74)
        #expect(again.lastErrorLine.contains("exists already"))
        #expect(try scratch.names == ["habits.yaml"])
    }

    @Test func `a record without an unlock is 65 and says what is needed`() throws {
        let ended = try BuiltCommand.run(
            ["calibrate", "-"], input: "person,time,event\n1,2026-03-02T07:00:00Z,glance\n")
        #expect(ended.status == 65 && ended.output.isEmpty)
        #expect(
            ended.lastErrorLine
                == "error: stdin: no unlock in 1 row; every fit needs rows with the event 'unlock'. Nothing was fitted or written"
        )
    }

    @Test func `wrong rows are 65, twenty of them shown and the rest counted`() throws {
        let rows = (0..<30).map { "\($0),2026-03-02T07:00:00Z,unlok\n" }.joined()
        let ended = try BuiltCommand.run(["calibrate", "-"], input: "person,time,event\n" + rows)
        #expect(ended.status == 65 && ended.output.isEmpty)
        #expect(ended.error.split(separator: "\n").count == 22)
        #expect(ended.lastErrorLine == "30 problems; nothing was fitted or written")
    }

    /// Days that vary hardly more than by chance bound the variation between them at one end alone.
    @Test func `an interval without an end has null there in JSON`() throws {
        var text = "person,widget,start,end,visible_ms,clicked\n"
        for person in 0..<5 {
            for day in 2...15 {
                let date = "2026-03-" + (day < 10 ? "0\(day)" : "\(day)")
                for view in 0..<20 {
                    let time = "T\(view % 13 + 10):\(10 + (view * 7 + day * 3 + person) % 45)"
                    text += "p\(person),w,\(date)\(time):00-05:00,\(date)\(time):09-05:00,\(900 + 31 * view),\n"
                }
            }
        }
        let ended = try BuiltCommand.run(["calibrate", "-", "--widgets", "--json"], input: text)
        #expect(ended.status == 0, "\(ended.error.suffix(300))")
        let said = try #require(
            try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
        let estimates = try #require(said["estimates"] as? [[String: Any]])
        let variation = try #require(estimates.first { $0["key"] as? String == "pickups.daily_k.median" })
        #expect(variation["interval_low"] is Double && variation["interval_high"] is NSNull)
    }

    @Test func `what Android tells of widgets makes a fragment, and without anything visible says what is needed`()
        throws
    {
        var rows = "person,widget,start,end,visible_ms,clicked\n"
        for day in 10...29 {
            for hour in 8...21 {
                let time = "2026-03-\(day)T\(hour < 10 ? "0" : "")\(hour):\(10 + hour * day % 40)"
                rows += "ann,7,\(time):00-05:00,\(time):04-05:00,3500,\(hour == 9 ? "2131296001" : "")\n"
            }
        }
        let ended = try BuiltCommand.run(["calibrate", "-", "--widgets", "--shown", "0.5"], input: rows)
        #expect(ended.status == 0, "\(ended.error)")
        #expect(ended.output.contains("# The kind of these widgets has taps_per_view: 0.07"))
        #expect(ended.output.contains("home_first: 0.5"))
        #expect(
            ended.error.contains("1 person, ") && ended.error.contains("280 pickups that showed a widget, 280 views"))
        let none = try BuiltCommand.run(
            ["calibrate", "-", "--widgets"],
            input: rows.prefix { $0 != "\n" } + "\na,1,2026-03-02T07:00:00Z,2026-03-02T07:00:01Z,0,\n")
        #expect(none.status == 65 && none.lastErrorLine.contains("no widget was visible in 1 row"))
        for arguments in [["--shown", "0.5"], ["--widgets", "--shown", "0"], ["--widgets", "--service"]] {
            #expect(try BuiltCommand.run(["calibrate", "-"] + arguments, input: rows).status == 64, "\(arguments)")
        }
    }

    @Test func `a missing record is 66 and an unknown zone 64`() throws {
        let missing = try BuiltCommand.run(["calibrate", "/nowhere/events.csv"])
        #expect(missing.status == 66)
        #expect(
            missing.lastErrorLine == "error: /nowhere/events.csv: expected a file that can be read, found no such file")
        let zone = try BuiltCommand.run(["calibrate", "-", "--zone", "Europe/Berln"], input: Self.record)
        #expect(zone.status == 64)
        #expect(zone.error.contains("did you mean 'Europe/Berlin'?"))
    }
}
