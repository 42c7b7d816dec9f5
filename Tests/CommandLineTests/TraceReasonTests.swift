import Foundation
import Testing

/// `trace --why`, and times by the device's own clock.
@Suite struct TraceReasonTests {
    private let study: StudyScenario

    init() throws {
        study = try StudyScenario()
        let text = StudyScenario.text.replacing("2026-03-02T00:00:00Z", with: "2026-03-02T00:00:00-05:00")
            .replacing("duration: 2h", with: "duration: 2d")
            .replacing("population:", with: "population:\n  zones: {America/New_York: 0.5, Asia/Tokyo: 0.5}")
        _ = try study.write("zones.yaml", text)
        _ = try study.write("never.yaml", text.replacing("{after: 20m, jitter: 0s}", with: "never"))
    }

    private func trace(_ words: String..., file: String = "zones.yaml") throws -> BuiltCommand.Outcome {
        try BuiltCommand.run(["trace", file] + words, in: study.folder)
    }

    @Test func `a date-time without an offset is the phone's own, wherever it is`() throws {
        var offsets: Set<Substring> = []
        for person in 0..<6 {
            let ended = try trace("--person", "\(person)", "--from", "2026-03-03T07:30", "--to", "2026-03-03T20:00")
            #expect(ended.status == 0, "\(ended.error)")
            for line in ended.output.split(separator: "\n").dropFirst() {
                let time = line.prefix(16)
                #expect(time >= "2026-03-03T07:30" && time < "2026-03-03T20:00", "\(line)")
                if let offset = line.prefix { $0 != " " }.firstMatch(of: #/[+-]\d\d:\d\d$/#) {
                    offsets.insert(offset.output)
                }
            }
        }
        #expect(offsets == ["-05:00", "+09:00"], "\(offsets)")
        let clock = try trace("--person", "0", "--from", "18:00", "--to", "19:00")
        #expect(clock.status == 0 && clock.output.contains("T18:"), "\(clock.error)")
        let wrong = try trace("--person", "0", "--from", "tea time")
        #expect(
            wrong.status == 64 && wrong.error.contains("2026-03-08T02:00 by the device's own clock"), "\(wrong.error)")
        #expect(try trace("--person", "0", "--from", "19:00", "--to", "18:00").status == 64)
    }

    @Test func `a reload that waits has its gates and what opens them, and the trace agrees`() throws {
        // Before dawn nobody has used the phone for long.
        let found = try trace("--find", "withheld gate=idle longer=2h", "--event", "withheld", "--most", "1")
        let place = try #require(
            found.error.firstMatch(of: #/person (\d+), phone first at ([0-9T:-]{16})/#), "\(found.error)")
        let why = try trace("--person", String(place.1), "--why", "2026-03-02T23:59:59.000001")
        #expect(why.status == 0, "\(why.error)")
        let row = try #require(found.output.split(separator: "\n").dropFirst().first { $0.hasPrefix(place.2) })
        let after = String(place.2.prefix(14)) + "59"
        let held = try trace("--person", String(place.1), "--why", after)
        #expect(held.output.hasPrefix("phone first (quote)\n"), "\(held.output)")
        #expect(
            held.output.contains("held      by idle (G3): nobody has used the device for long"),
            "\(row)\n\(held.output)")
        #expect(
            held.output.contains("use of the device opens it") && held.output.contains("  then      granted "),
            "\(held.output)")
    }

    @Test func `where nothing is due the next date is told, or that there is none`() throws {
        let due = try trace("--person", "1", "--why", "2026-03-03T12:00")
        #expect(due.status == 0 && due.output.contains("content "), "\(due.output)")
        let never = try trace("--person", "1", "--why", "2026-03-03T23:00", file: "never.yaml")
        #expect(never.output.contains("  next      "), "\(never.output)")
        #expect(try trace("--person", "1", "--why", "18:00", "--event", "view").status == 64)
    }

    /// The times of rows of a trace as a table, with their texts.
    private static func rows(_ text: String) -> [(time: Substring, text: Substring)] {
        text.split(separator: "\n").dropFirst().map { ($0.prefix { $0 != " " }, $0) }
    }

    private static func line(_ label: String, _ text: String) -> Substring? {
        text.split(separator: "\n").first { $0.hasPrefix("  \(label) ") }
    }

    @Test func `every instance has the date of its policy, which is when it asks next`() throws {
        let life = Self.rows(try trace("--person", "3", "--event", "due", "--event", "response").output)
        var compared = 0
        for (place, row) in life.enumerated() where row.text.contains(" response ") && row.time > "2026-03-03T07" {
            guard place + 1 < life.count, life[place + 1].text.contains(" due ") else { continue }
            let due = life[place + 1]
            // A second later it is still to come.
            let why = try trace("--person", "3", "--why", String(row.time.prefix(17)) + "59.999999")
            guard row.time.prefix(16) < due.time.prefix(16) else { continue }
            let date = try #require(Self.line("policy", why.output), "\(why.output)")
            #expect(date.hasPrefix("  policy    asks at \(due.time.prefix(19))") && date.hasSuffix("cause after (P5)"))
            #expect(why.output.contains("  next      no gate holds it"), "\(why.output)")
            compared += 1
            if compared == 3 { break }
        }
        #expect(compared == 3)
        // A reload that waits at the start was asked for before.
        let first = try trace("--person", "3", "--why", "2026-03-02T00:00:01")
        #expect(Self.line("policy", first.output) != nil, "\(first.output)")
        let never = try trace("--person", "3", "--why", "2026-03-03T23:00", file: "never.yaml")
        #expect(never.output.contains("  policy    has no date: time alone asks for no reload\n"), "\(never.output)")
    }

    @Test func `a gate that will hold the next reload is named with what opens it`() throws {
        // The reload that is due at night, seen from the evening before.
        let found = try trace("--find", "withheld gate=idle longer=2h", "--event", "due", "--most", "1")
        let person = try #require(found.error.firstMatch(of: #/person (\d+), phone first at ([0-9T:-]{16})/#))
        let rows = Self.rows(try trace("--person", String(person.1), "--event", "response").output)
        let before = try #require(rows.last { $0.time.prefix(10) == "2026-03-02" })
        let why = try trace("--person", String(person.1), "--why", String(before.time.prefix(17)) + "59.999999")
        #expect(
            why.output.contains(
                "  then      held by idle (G3): nobody has used the device for long; use of the device opens it"),
            "\(why.output)")
    }

    // MARK: Android

    private static let android = """
        start: "2026-03-02T00:00:00-05:00"
        warmup: 0s
        duration: 2d
        people: 8
        kinds:
          - {id: worked, app: feed, policy: never, android: {work: 15m}}
          - {id: alarmed, app: clock, policy: never, android: {alarm: 30m}}
        parameters: {android: {widget_bucket: rare}}
        population:
          zones: {America/New_York: 1}
          devices:
            - kind: phone
              platform: android
              handling: {nights: 0}
              instances:
                - {id: work, kind: worked}
                - {id: alarm, kind: alarmed}

        """

    @Test func `on Android a period has its alarm or job, and a wait its gates, bucket and what opens them`() throws {
        _ = try study.write("android.yaml", Self.android)
        func reasons(_ time: String, _ instance: String) throws -> String {
            try trace("--person", "1", "--why", time, "--instance", instance, file: "android.yaml").output
        }
        let life = Self.rows(
            try trace("--person", "1", "--event", "held", "--event", "refresh", file: "android.yaml").output)
        // The quota of jobs.
        let held = try #require(
            life.first { $0.text.contains("worked: the run time of the app's bucket") }, "\(life.prefix(9).map(\.text))"
        )
        let end = try #require(life.first { $0.time > held.time && $0.text.contains("worked: work, has waited") })
        let waits = try reasons(String(held.time.prefix(26)), "work")
        #expect(waits.hasPrefix("phone work (worked)\n"), "\(waits)")
        #expect(waits.contains("  period    asked at \(held.time.prefix(19))") && waits.contains("by a job (N2)\n"))
        #expect(
            waits.contains(
                "  held      by jobs (N4): the run time of the app's bucket is used up; time of the bucket, a higher bucket or a charger opens it\n"
            ) && waits.contains("  bucket    rare (N3)\n") && waits.contains("looked at again 2026-03-"), "\(waits)")
        #expect(waits.contains("  then      refresh \(end.time.prefix(19))"), "\(waits)")
        // Doze holds the alarm by night.
        let night = try #require(
            life.first { $0.text.contains("alarmed: the device is in Doze (N7)") }, "\(life.prefix(9).map(\.text))")
        let dozes = try reasons(String(night.time.prefix(26)), "alarm")
        #expect(
            dozes.contains("by an alarm (N1)\n") && dozes.contains("  held      by doze (N7): the device is in Doze;")
                && !dozes.contains("bucket"), "\(dozes)")
        // A job that waits at the start was asked for before it.
        let start = try reasons("2026-03-02T00:30", "work")
        #expect(
            start.contains("  period    asked at 2026-03-01T") && start.contains("  held      by "), "\(start)")
        // Between two alarms nothing is due, and the next one has its date.
        let alarms = life.filter { $0.text.contains("alarmed: alarm") && $0.time > "2026-03-02T12" }
        let quiet = try reasons(String(alarms[0].time.prefix(17)) + "59.999999", "alarm")
        #expect(
            quiet.contains("  period    asks at \(alarms[1].time.prefix(19))") && quiet.contains("by an alarm (N1)\n")
                && quiet.contains("  next      no gate holds it"), "\(quiet)")
    }
}
