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
}
