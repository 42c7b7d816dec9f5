import Foundation
import ScenarioFiles
import Testing

@testable import Calibration

/// Access logs in their forms, and the figures of a day.
@Suite struct AccessLogTests {
    private static func problem(_ text: String, _ choice: AccessLogChoice = .init()) -> String {
        do {
            _ = try AccessLogReader.read(text: text, choice)
            return ""
        } catch { return error.problems.map(\.description).joined(separator: "\n") }
    }

    /// Three requests in the minute 13:55 of UTC, one in 13:57.
    private static let minute: Int64 = 971_211_336 / 60

    @Test(arguments: [
        """
        127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /v1/a?x=1 HTTP/1.0" 200 2326
        ::1 - - [10/Oct/2000:22:55:59 +0200] "GET /v1/b HTTP/1.0" 503 0
        10.0.0.1 - - [10/Oct/2000:20:55:00 +0000] "GET /other HTTP/1.0" 200 1
        10.0.0.1 - - [10/Oct/2000:20:57:10 +0000] "POST /v1/a HTTP/1.0" 200 1
        """,
        """
        127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /v1/a HTTP/1.0" 200 2326 "http://a.example/[x]" "Mozilla/4.08 [en]"
        10.0.0.1 - - [10/Oct/2000:20:57:10 +0000] "POST /v1/a HTTP/1.0" 200 1 "-" "a \\" b"
        ::1 - - [10/Oct/2000:22:55:59 +0200] "GET /v1/b HTTP/1.0" 503 0 "-" "-"
        10.0.0.1 - - [10/Oct/2000:20:55:00 +0000] "GET /other HTTP/1.0" 200 1 "-" "-"
        """,
        """
        {"time":"2000-10-10T13:55:36-07:00","path":"/v1/a"}
        {"time":"2000-10-10T20:55:59.123456789Z","path":"GET /v1/b HTTP/1.1"}
        {"path":"/other","time":971211300.5}
        {"time":"10/Oct/2000:20:57:10 +0000","path":"/v1/a"}
        """,
    ])
    func `the three forms count the same minutes, whatever the clock's zone`(text: String) throws {
        let log = try AccessLogReader.read(text: text)
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [3, 0, 1] && log.notes.isEmpty)
        let some = try AccessLogReader.read(text: text, AccessLogChoice(path: "/v1/"))
        #expect(
            some.minutes.counts == [2, 0, 1]
                && some.notes == ["1 line of 4 left out: their path does not begin with /v1/"], "\(some)")
    }

    @Test func `members of other names are read by them`() throws {
        let names = try #require(ColumnNames.read("time=ts,path=uri", over: .ofAccessLog))
        let log = try AccessLogReader.read(
            text: #"{"ts":971211336123,"uri":"/a"}"#, AccessLogChoice(columns: names, path: "/a"))
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [1])
    }

    @Test func `a gap of an hour is told`() throws {
        let log = try AccessLogReader.read(text: #"{"time":0.5}"# + "\n" + #"{"time":7200}"#)
        #expect(log.minutes.counts.count == 121)
        #expect(
            log.notes == ["no request for 119 minutes from 1970-01-01T00:01Z on: a gap counts as minutes without load"])
    }

    @Test(arguments: [
        ("", "expected requests in the log, found none"),
        ("nonsense\n", "access.log:1:1: expected a line of the common or combined form"),
        (
            "a - - [10/Oct/2000:13:55:36] \"GET / HTTP/1.0\" 200 1\n",
            "access.log:1:8: expected a time with its offset from UTC"
        ),
        ("a - - [10/Okt/2000:13:55:36 +0000] \"GET / HTTP/1.0\" 200 1\n", "expected a time with its offset"),
        ("{\"ts\":1}\n", "--log-columns time="),
        ("{\"time\":\"2026-03-02T07:00:00\"}\n", "expected a date-time with an offset, or seconds"),
        ("{\"time\":\n", "expected a JSON object"),
    ])
    func `a wrong line is refused with its place`(text: String, sentence: String) {
        let said = Self.problem(text)
        #expect(said.contains(sentence), "\(said)")
    }

    @Test func `a path without requests is refused`() {
        #expect(
            Self.problem("a - - [10/Oct/2000:13:55:36 +0000] \"GET /a HTTP/1.0\" 200 1\n", AccessLogChoice(path: "/b"))
                .contains("none on the path"))
    }

    // MARK: Figures

    /// Ten requests a minute, and thirty in each first minute of a quarter.
    private static func day(_ usual: Int64, _ quarter: Int64, days: Int = 1) -> MinuteCounts {
        var counts: [Int64: Int64] = [:]
        for minute in 0..<Int64(1_440 * days) {
            counts[29_500_000 / 1_440 * 1_440 + minute] = minute % 15 == 0 ? quarter : usual
        }
        return MinuteCounts(counts)
    }

    @Test func `a day of known minutes has its figures`() {
        let profile = DayProfile(Self.day(10, 30))
        let total = Double(96 * 30 + 1_344 * 10)
        #expect(profile.meanPerSecond == total / 86_400)
        #expect(profile.aligned == 96 * 30 / total && profile.quarters.allSatisfy { $0 == 24 * 30 / total })
        #expect(profile.peakToMean == 30 * 1_440 / total && profile.peak.requests == 30)
        #expect(profile.hours == [Double?](repeating: total / 86_400, count: 24))
        let even = DayProfile(Self.day(10, 10))
        #expect(
            (even.aligned - 1.0 / 15).magnitude < 1e-12 && profile.shapeDistance(to: even).map { $0 < 1e-12 } == true)
        #expect(DayProfile(Self.day(10, 30, days: 3)).meanPerSecond == profile.meanPerSecond)
    }

    @Test func `shapes are compared over the hours that both cover`() throws {
        var (left, right) = ([Int64: Int64](), [Int64: Int64]())
        for minute in 0..<180 as Range<Int64> { left[minute] = minute < 60 ? 1 : minute < 120 ? 2 : 3 }
        for minute in 0..<120 as Range<Int64> { right[minute] = minute < 60 ? 2 : 2 }
        let distance = try #require(DayProfile(MinuteCounts(left)).shapeDistance(to: DayProfile(MinuteCounts(right))))
        #expect((distance - (0.5 - 1.0 / 3)).magnitude < 1e-12)
        let none = DayProfile(MinuteCounts([600: 1]))
        #expect(DayProfile(MinuteCounts([0: 1])).shapeDistance(to: none) == nil)
    }

    @Test func `a ranking names the keys, the largest effect first, with the way to turn them`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ranking-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "sensitivity"), withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") } }
        let table =
            "output,factor,levels,mu,mu_star,mu_star_low,mu_star_high,sigma\nload_peak_to_mean_1m,jitter,4,-9,9,8,10,1\nload_peak_to_mean_1m,gap,4,2,20,1,30,9\n"
        try Data(table.utf8).write(to: folder.appending(path: "sensitivity/indices.csv"))
        let ranking = try KeyRanking(folder: folder.path)
        let effects = try #require(ranking.effects(on: ["load_peak_1s", "load_peak_to_mean_1m"]))
        #expect(
            effects.metric == "load_peak_to_mean_1m" && effects.effects.map(\.key) == ["gap", "jitter"]
                && effects.effects[1].mean == -9)
        #expect(ranking.effects(on: ["share_stale"]) == nil)
    }
}
