import Basics
import Foundation
import ScenarioFiles
import Testing

@testable import Calibration

/// Tables of counts and rates in place of a log, and files that are one JSON document.
@Suite struct LogTableTests {
    private static func names(_ text: String) throws -> ColumnNames {
        let names = ColumnNames.read(text, over: .ofAccessLog)
        return try #require(names, "\(text)")
    }

    private static func log(_ text: String, _ columns: String? = nil, zone: String? = nil, path: String? = nil) throws
        -> AccessLog
    {
        let names = try columns.map { try Self.names($0) } ?? ColumnNames.ofAccessLog
        return try AccessLogReader.read(
            [.text(text)], span: 0..<0, AccessLogChoice(columns: names, path: path, zone: zone))
    }

    private static func problem(_ text: String, _ columns: String? = nil) throws -> String {
        do {
            let log = try Self.log(text, columns)
            return "read as \(log.forms)"
        } catch let problems as RecordProblems {
            return problems.problems.map(\.description).joined(separator: "\n")
        }
    }

    /// 2026-05-04T08:00Z.
    private static let minute: Int64 = 1_777_881_600 / 60

    /// Each has 6, 0 and 18 requests in three minutes.
    @Test(arguments: [
        (
            "when,hits\n2026-05-04T08:00:00Z,6\n2026-05-04T08:01:00Z,0\n2026-05-04T08:02:00Z,18\n",
            "time=when,count=hits"
        ),
        ("Time;Value\n2026-05-04 08:00;0,1\n2026-05-04 08:01;0\n2026-05-04 08:02;0,3\n", "time=Time,rate=Value"),
        ("\"Time\",\"req/s\"\n1777881600000,0.1\n1777881660000,0\n1777881720000,0.3\n", "time=Time,rate=req/s"),
        (
            "Sheet of May\nLabel,Sum\nPeriod,60\n2026/05/04 08:00:00,6\n2026/05/04 08:01:00,0\n2026/05/04 08:02:00,18\n",
            "time=Label,count=Sum"
        ),
        ("ts\ta\tb\n1777881600\t4\t2\n1777881660\t\t0\n1777881720\t9\t9\n", "time=ts,count=*"),
        ("ts,n,who\n1777881600,4,x\n1777881600,2,y\n1777881660,0,x\n1777881720,18,x\n", "count=n"),
        ("  6 04/May/2026:08:00\n  0 04/May/2026:08:01\n 18 04/May/2026:08:02\n", "time=2,count=1"),
        ("  6 2026-05-04 08:00\n  0 2026-05-04 08:01\n 18 2026-05-04 08:02\n", "time=2,count=1"),
        (
            "{\"status\":\"success\",\"data\":{\"result\":[{\"metric\":{\"a\":\"x\"},\"values\":[[1777881600,\"0.1\"],[1777881660,\"0\"],[1777881720,\"0.2\"]]},{\"metric\":{\"a\":\"y\"},\"values\":[[1777881720,\"0.1\"]]}]}}",
            "time=time,rate=value"
        ),
        (
            "{\"Datapoints\": [{\"Timestamp\": \"2026-05-04T08:02:00+00:00\", \"Sum\": 18.0, \"Unit\": \"Count\"},\n {\"Timestamp\": \"2026-05-04T08:00:00+00:00\", \"Sum\": 6.0},\n {\"Timestamp\": \"2026-05-04T08:01:00+00:00\", \"Sum\": 0}]}",
            "time=Timestamp,count=Sum"
        ),
        (
            "{\"MetricDataResults\":[{\"Id\":\"m\",\"Timestamps\":[\"2026-05-04T08:02:00Z\",\"2026-05-04T08:01:00Z\",\"2026-05-04T08:00:00Z\"],\"Values\":[18,0,6]}]}",
            "time=Timestamps,count=Values"
        ),
        (
            "[{\"target\":\"x\",\"datapoints\":[[6,1777881600],[0,1777881660],[18,1777881720]]}]",
            "time=time,count=value"
        ),
        (
            "{\"results\":[{\"series\":[{\"name\":\"r\",\"columns\":[\"time\",\"mean\"],\"values\":[[\"2026-05-04T08:00:00Z\",6],[\"2026-05-04T08:01:00Z\",0],[\"2026-05-04T08:02:00Z\",18]]}]}]}",
            "time=time,count=mean"
        ),
        ("{\"t\":1777881600,\"n\":6}\n{\"t\":1777881660,\"n\":0}\n{\"t\":1777881720,\"n\":18}\n", "time=t,count=n"),
    ])
    func `a table of numbers has its requests by the minute`(text: String, columns: String) throws {
        let log = try Self.log(text, columns)
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [6, 0, 18], "\(log)")
        #expect(log.forms[0].hasPrefix("a table of requests"), "\(log.forms)")
        #expect(try Self.log(text.replacing("\n", with: "\r\n"), columns).minutes.counts == [6, 0, 18])
    }

    @Test func `the sum of rates is right where a minute has less than one request`() throws {
        let rows = (0..<600).map { "\(1_777_881_600 + 60 * $0),0.004" }.joined(separator: "\n")
        #expect(try Self.log("time,r\n" + rows, "time=time,rate=r").minutes.total == 144)
    }

    @Test func `hours say nothing of minutes, and only figures that they tell are compared`() throws {
        let rows = (0..<24).map { "\(1_777_852_800 + 3_600 * $0),\(60 * ($0 + 1))" }.joined(separator: "\n")
        let log = try Self.log("time,n\n" + rows, "time=time,count=n")
        #expect(log.minutes.total == 60 * 300 && log.minutes.step == 60 && log.minutes.counts.prefix(61).last == 2)
        let run = RunMinutes(log.minutes, people: 10)
        #expect(LogComparison(run: run, log: log.minutes).rows.map(\.figure) == [.level, .hour])
        #expect(log.notes.contains { $0.contains("nothing of single minutes") }, "\(log.notes)")
    }

    @Test func `a path chooses the rows of a table`() throws {
        let text = "time,path,n\n1777881600,/v1/a,6\n1777881600,/x,5\n1777881660,/v1/b,2\n"
        #expect(try Self.log(text, "time=time,path=path,count=n", path: "/v1/").minutes.counts == [6, 2])
    }

    @Test(arguments: [
        ("time,n\n1777881600,-1\n", "time=time,count=n", "record:2:1: expected a number from 0 on"),
        ("time,n\n1777881600,1.2K\n", "time=time,count=n", "without a unit or letters"),
        ("time,n\nsoon,1\n", "time=time,count=n", "expected times such as"),
        ("time,n\n1777881600,1\n", "time=time,count=n", "rows of two times at least"),
        ("when,n\n1777881600,1\n", "time=time,count=n", "a header with the columns time, n, found when, n"),
        ("time,n\n1777881600,1,2\n", "time=time,count=n", "2 fields, as in the header"),
        ("", "time=time,count=n", "an empty file"),
        ("[{\"a\":1}]", "time=time,count=n", "rows with a time and a number"),
        ("Owner,1,2,3\na,1,2,3\n", "count=*", "minutes without a date"),
    ])
    func `a table that says no load is refused with its place`(text: String, columns: String, sentence: String) throws {
        let said = try Self.problem(text, columns)
        #expect(said.contains(sentence), "\(said)")
    }

    @Test(arguments: [
        ("time,count\n2026-05-04T08:00:00Z,13\n2026-05-04T08:01:00Z,11\n", "--log-columns time=time,count=count"),
        (
            "\"Time\",\"requests/s\"\n2026-05-04 08:00:00,0.2\n2026-05-04 08:01:00,0.1\n",
            "--log-columns time=Time,count=requests/s"
        ),
        ("\"Time\",\"GET a\",\"GET b\"\n2026-05-04 08:00:00,0.2,1\n2026-05-04 08:01:00,0.1,2\n", "time=Time,'count=*'"),
        ("Label,Count\n2026/05/04 08:00:00,13\n2026/05/04 08:01:00,11\n", "time=Label,count=Count"),
        (
            "{\"status\":\"success\",\"data\":{\"result\":[{\"metric\":{},\"values\":[[1777881600,\"0.1\"],[1777881660,\"0\"]]}]}}",
            "time=time,count=value"
        ),
        ("   13 08:00\n   11 08:01\n", "time=2,count=1"),
        (
            "{\"level\":30,\"time\":1777881600123,\"msg\":\"listening at http://0.0.0.0:80\"}\n",
            "fields are level, msg, time"
        ),
        (
            "time=2026-05-04T08:00:00Z level=info msg=\"started /usr/bin/x now\"\n",
            "1 of 1 line with a time and none with a request"
        ),
        ("time,level,text\n2026-05-04T08:00:00Z,info,started\n", "with a time and none with a request"),
    ])
    func `lines without a request are told with what they have, and no line counts`(text: String, cure: String) throws {
        let said = try Self.problem(text)
        #expect(said.contains(cure) && said.contains("expected"), "\(said)")
    }

    @Test func `a server's own lines between its requests are left out and counted`() throws {
        let lines = [
            #"{"level":30,"time":1777881600123,"msg":"server listening at http://0.0.0.0:3000"}"#,
            #"{"level":30,"time":1777881601123,"req":{"method":"GET","url":"/v1/a"},"msg":"request completed"}"#,
            #"{"level":30,"time":1777881661123,"msg":"/tmp/a.sock is ready"}"#,
            #"{"level":30,"time":1777881721123,"req":{"method":"GET","url":"/v1/b"},"msg":"request completed"}"#,
        ]
        for columns in [nil, "time=time"] {
            let log = try Self.log(lines.joined(separator: "\n"), columns)
            #expect(log.minutes.counts == [1, 0, 1] && log.forms == ["JSON lines"], "\(log)")
            #expect(log.notes.first?.hasPrefix("2 lines of 4 left out as no requests") == true, "\(log.notes)")
        }
        let own = try Self.log(lines[0] + "\n" + lines[2], "time=time")
        #expect(own.minutes.counts == [1, 1])
        #expect(own.notes.first?.hasPrefix("2 lines with a time counted as a request each") == true, "\(own.notes)")
    }

    private static let requests = (0..<3).map {
        #"{"time":"2026-05-04T08:0\#($0):05Z","path":"/v1/\#($0)","note":"a } ] \" {"}"#
    }

    @Test(arguments: [
        "[" + requests.joined(separator: ",") + "]", "[\n  " + requests.joined(separator: ",\n  ") + "\n]\n",
        "{\"events\": [" + requests.joined(separator: ", ") + "], \"next\": null}",
        "{\n\"a\": {\n\"events\": [\n" + requests.joined(separator: ",\n") + "\n]}}\n",
        "[" + requests.joined(separator: ",").replacing(",\"path", with: ",\n\n \"path") + "]",
    ])
    func `a JSON document has a record for each object of its lists`(text: String) throws {
        let log = try Self.log(text)
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [1, 1, 1] && log.notes.isEmpty, "\(log)")
        #expect(try Self.log("\u{FEFF}" + text).minutes.total == 3)
    }

    @Test func `the lines of Loki are read from its export and its answer`() throws {
        let lines = (0..<3).map { #"10.0.0.1 - - [04/May/2026:08:0\#($0):05 +0000] \"GET /v1/\#($0) HTTP/1.1\" 200 5"# }
        let export = lines.enumerated().map {
            #"{"line": "\#($1)", "timestamp": "\#(1_777_881_605 + 60 * $0)000000000", "fields": {"app": "web"}}"#
        }
        #expect(try Self.log("[" + export.joined(separator: ", ") + "]").minutes.counts == [1, 1, 1])
        let values = lines.enumerated().map { #"["\#(1_777_881_605 + 60 * $0)000000000","\#($1)"]"# }
        let answer =
            #"{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"web"},"values":["#
            + values.joined(separator: ",") + "]}]}}"
        #expect(try Self.log(answer).minutes.counts == [1, 1, 1])
    }

    @Test func `records of one line tell the form each for itself`() throws {
        let text =
            #"{"events":[{"timestamp":1777881605123,"message":"a - - [04/May/2026:08:00:05 +0000] \"GET /a HTTP/1.1\" 200 5"},{"timestamp":1777881665123,"message":"GET /b HTTP/1.1"}]}"#
        #expect(try Self.log(text).minutes.counts == [1, 1])
    }

    @Test func `a JSON document that breaks off is told`() throws {
        let text = "[" + Self.requests.joined(separator: ",")
        #expect(try Self.problem(text).contains("expected the end of the JSON"))
        #expect(try Self.problem("[" + Self.requests[0] + "}").contains("expected JSON"))
    }

    // MARK: The hour that comes twice

    /// New York's clocks go back at 06:00 UTC, to 1:00.
    private static func night(_ local: [String]) -> String {
        local.map { "lb[1]: 10.0.0.1:80 [01/Nov/2026:\($0):00.123] fe be/s1 0/0/1 200 12 \"GET /v1/w HTTP/1.1\"" }
            .joined(separator: "\n")
    }

    private static let first: Int64 = 1_793_505_600 / 60  // 04:00 UTC

    private static func hours(_ text: String) throws -> [Int64] {
        let minutes = try log(text, zone: "America/New_York").minutes
        #expect(minutes.first == first)
        return (0..<5).map { hour in minutes.counts.dropFirst(60 * hour).prefix(60).reduce(0, +) }
    }

    @Test(arguments: [1, 5, 20])
    func `times that jump back are the second pass of the hour`(every: Int) throws {
        func clock(_ minute: Int) -> String {
            TimeText.padded(minute / 60, to: 2) + ":" + TimeText.padded(minute % 60, to: 2)
        }
        var local = stride(from: 0, to: 120, by: every).map(clock)
        local += stride(from: 60, to: 240, by: every).map(clock)
        let own = Int64(60 / every)
        #expect(try Self.hours(Self.night(local)) == [own, own, own, own, own])
        // Lines that are late by some minutes, and one by half an hour, are of the same pass.
        if every == 1 {
            local.swapAt(70, 73)
            local.swapAt(130, 133)
            local.swapAt(65, 95)
            #expect(try Self.hours(Self.night(local)) == [own, own, own, own, own])
        }
    }

    @Test func `an hour that a log has once is the first pass`() throws {
        let local = ["00:00", "00:30"] + (0..<60).map { "01:" + TimeText.padded($0, to: 2) }
        #expect(try Self.hours(Self.night(local + ["02:00", "03:59"])) == [2, 60, 0, 1, 1])
        var late = local
        late.swapAt(20, 23)
        #expect(try Self.hours(Self.night(late + ["02:00", "03:59"])) == [2, 60, 0, 1, 1])
    }

    @Test func `a table's hour that comes twice is read in its order`() throws {
        let text =
            "time,n\n"
            + ["00:30", "01:00", "01:30", "01:00", "01:30", "02:00"].map { "2026-11-01 \($0),30\n" }.joined()
        let minutes = try Self.log(text, "time=time,count=n", zone: "America/New_York").minutes
        #expect(minutes.first == Self.first + 30 && minutes.counts == Array(repeating: 1, count: 180))
    }

    // MARK: Templates and requests

    @Test(arguments: [
        ("$time_iso8601 $request_uri $*", "2026-05-04 08:00:05.091 /v1/a v=67-22 \"api.example\""),
        ("$time_iso8601 $server_addr $request_method $request_uri $*", "2026-05-04 08:00:05 10.0.0.4 GET /v1/a - 80"),
        (
            "$time_iso8601 $* \"$request\" $status",
            "2026-05-04 08:00:05,123 INFO \"uvicorn\" 10.0.0.1:5 - \"GET /v1/a HTTP/1.1\" 200"
        ),
        (
            "$time_iso8601|$remote_addr|\"https://api.example$request_uri\" $status $*",
            "2026-05-04 08:00:05:121|10.0.0.1:2|\"https://api.example/v1/a\" 206 24 \"-\""
        ),
        (
            "$time_iso8601 $* \"uri\": \"$request_uri\"$*",
            "2026/05/04 08:00:05.541\tinfo\taccess\t{\"request\": {\"method\": \"GET\", \"uri\": \"/v1/a\"}, \"status\": 200}"
        ),
        ("[$time_local] $* path=$request_uri $*", "[worker 3] [2026-05-04 08:00:05 +0000] path=? path=/v1/a ms=3"),
        ("$* at $time_iso8601 $request_uri", "read at once at 2026-05-04 08:00:05 /v1/a"),
    ])
    func `a template's time may have a blank, and its gaps try further`(template: String, line: String) throws {
        let log = try AccessLogReader.read(
            [.text(line + "\nother words\n" + line)], span: 0..<0, AccessLogChoice(format: template, path: "/v1/a"))
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [2], "\(log)")
    }

    @Test(arguments: [
        ("\"GET /v1/a\" 200 39", true), ("\"GET /v1/a HTTP/V1.0\" 200 39", true),
        ("\"GET  /v1/a  HTTP/1.0\" 200 39", true), ("\"GET /v1/a f g HTTP/1.0\" 200 39", true),
        ("\"GET /v1/\"x\"/a.txt HTTP/1.0\" 404 -", true), ("\"GET /v1/a b c\" 200 1", true),
        ("\"HEAD /v1/a?q=\\\"x\\\" HTTP/1.1\" 200 1", true), ("\"\" 400 -", false), ("\"-\" 408 0", false),
        ("\"\\xed\\xff\" 400 -", false), ("\"GET\" 400 -", false), ("\"GET this and that\" soon", false),
    ])
    func `a request may lack its protocol, and have blanks and quotes`(request: String, isRequest: Bool) throws {
        let good = "a.example - - [04/May/2026:08:00:05 -0000] \"GET /v1/z HTTP/1.0\" 200 1"
        let text = good + "\nb.example - - [04/May/2026:08:00:05 -0000] \(request)\n"
        #expect(try Self.log(text, path: "/v1/").minutes.counts == [isRequest ? 2 : 1])
    }

    @Test(arguments: [
        "time=t,count=n", "time=t,rate={job=\"web\",le=\"1\"}", "rate=*", "time=count,rate=rate",
    ])
    func `names of tables are taken`(text: String) { #expect(ColumnNames.read(text, over: .ofAccessLog) != nil) }

    @Test(arguments: ["time=t,count=t", "counts=n", "time=t,count=", "count=a,count=b", "time=path"])
    func `other names are refused`(text: String) { #expect(ColumnNames.read(text, over: .ofAccessLog) == nil) }
}
