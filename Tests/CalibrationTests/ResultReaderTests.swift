import Basics
import Calibration
import ScenarioFiles
import Testing

@testable import Calibration

/// Each program's own form, as its documentation shows it.
@Suite struct ResultReaderTests {
    private static func requests(_ text: String, columns: ColumnNames = .ofResult) throws -> [RecordedRequest] {
        let result = try ResultReader.read(.text(text), columns: columns)
        guard case .requests(let record) = result.content else { return [] }
        return record.requests
    }

    private static func problem(_ text: String, columns: ColumnNames = .ofResult) -> String {
        do {
            _ = try ResultReader.read(.text(text), columns: columns)
            return ""
        } catch { return error.problems.map(\.description).joined(separator: "\n") }
    }

    @Test func `h2load notes starts, and more columns may follow`() throws {
        let read = try Self.requests(
            "1795410015000000\t200\t41873\n1795410015100000\t503\t212\t7\n1795410015200000\t-1\t900\n")
        #expect(
            read == [
                RecordedRequest(start: 1_795_410_015_000_000, latency: 41_873, status: 200),
                RecordedRequest(start: 1_795_410_015_100_000, latency: 212, status: 503),
                RecordedRequest(start: 1_795_410_015_200_000, latency: 900, status: 0),
            ])
        #expect(read.map(\.outcome) == [.answered, .refused, .unanswered])
    }

    @Test func `k6 notes ends, in JSON`() throws {
        let text = #"""
            {"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time"},"metric":"http_req_duration"}
            {"metric":"http_reqs","type":"Point","data":{"time":"2026-11-23T14:30:00.25+01:00","value":1,"tags":{"status":"200"}}}
            {"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-23T14:30:00.250000123+01:00","value":50.5,"tags":{"status":"200","url":"https://a.example"}}}
            {"type":"Point","data":{"time":"2026-11-23T13:30:01Z","value":60000,"tags":{"status":"0","error_code":"1050"}},"metric":"http_req_duration"}
            """#
        let read = try Self.requests(text)
        let half = 1_795_440_600_250_000 as Int64
        #expect(read.contains(RecordedRequest(start: half - 50_500, latency: 50_500, status: 200)), "\(read)")
        #expect(
            read.contains(RecordedRequest(start: half + 750_000 - 60_000_000, latency: 60_000_000, status: 0)),
            "\(read)")
        #expect(read.count == 2)
    }

    @Test(arguments: [
        ("1795440600", 0), ("1795440600250", 250_000), ("1795440600250000", 250_000), ("1795440600250000123", 250_000),
        ("2026-11-23T13:30:00.25Z", 250_000),
    ])
    func `k6 notes ends, in CSV, in any of its forms of time`(stamp: String, fraction: Int64) throws {
        let text = """
            metric_name,timestamp,metric_value,check,error,error_code,group,method,name,proto,scenario,status,subproto,tls_version,url,extra_tags
            http_reqs,\(stamp),1.000000,,,,,GET,"a,b",HTTP/1.1,default,200,,,http://a.example,
            http_req_duration,\(stamp),221.899000,,,,,GET,"a,b",HTTP/1.1,default,200,,,http://a.example,
            """
        let read = try Self.requests(text)
        #expect(read.count == 1 && read[0].latency == 221_899 && read[0].status == 200)
        #expect(read[0].end == 1_795_440_600_000_000 + fraction, "\(read)")
    }

    @Test func `vegeta notes starts, in nanoseconds`() throws {
        let text =
            #"{"attack":"","seq":0,"code":200,"timestamp":"2026-11-23T14:30:00.123456789+01:00","latency":2325000,"bytes_out":0,"bytes_in":0,"error":"","body":null,"method":"GET","url":"http://a.example","headers":{}}"#
        #expect(try Self.requests(text) == [RecordedRequest(start: 1_795_440_600_123_456, latency: 2_325, status: 200)])
    }

    @Test func `plain CSV has columns by name, in any order and under other names`() throws {
        #expect(
            try Self.requests("status,time,latency_ms\n200,0.5,12.5\n,1,3\r\n") == [
                RecordedRequest(start: 500_000, latency: 12_500, status: 200),
                RecordedRequest(start: 1_000_000, latency: 3_000, status: 0),
            ])
        let names = try #require(ColumnNames.read("time=ts,latency_ms=took,status=code", over: .ofResult))
        #expect(try Self.requests("ts,code,took\n2026-11-23T13:30:00Z,429,1\n", columns: names).map(\.status) == [429])
    }

    @Test func `percentiles of HdrHistogram are latencies`() throws {
        let text = """
                   Value     Percentile TotalCount 1/(1-Percentile)

                  10.000 0.000000000000          1           1.00
                  20.000 0.500000000000         51           2.00
                  40.000 1.000000000000        100            inf
            #[Mean    =       25.000, StdDeviation   =       8.000]
            """
        guard case .latencies(let latencies) = try ResultReader.read(.text(text)).content else {
            Issue.record("no latencies")
            return
        }
        #expect(latencies.reduce(0) { $0 + $1.count } == 100)
        #expect(latencies.filter { $0.microseconds <= 20_000 }.reduce(0) { $0 + $1.count } == 51)
        #expect(latencies.first?.microseconds == 10_000 && latencies.allSatisfy { $0.microseconds <= 40_000 })
        let fit = ServiceFit(latencies: latencies)
        #expect(
            fit.omitted.contains { $0.key == "servers" } && fit.fragment(heading: []).contains("servers: unlimited"))
    }

    @Test(arguments: [
        ("", "an empty file"), ("hello\n", "found \"hello\""),
        ("time,latency\n1,2\n", "without 'latency_ms', 'status'"), ("time,latency_ms,status\n", "none"),
        ("time,latency_ms,status\n1,2\n", "record:2:1: expected 3 fields, as in the header, found 2"),
        ("time,latency_ms,status\nx,2,200\n", "record:2:1: expected a date-time, or seconds"),
        ("time,latency_ms,status\n1,-2,200\n", "record:2:3: expected a latency from 0 to a day"),
        ("time,latency_ms,status\n1,2,ok\n", "record:2:5: expected an HTTP status"),
        ("time,latency_ms,status\n1,2,\"200\n", "a closing quote"), ("{\"a\":1}\n", "expected the result of k6"),
        ("{\"metric\":\n", "expected the result of k6"),
        ("#[Histogram log format version 1.3]\n", "an interval log"),
        ("{\"metric\":\"vus\",\"type\":\"Point\",\"data\":{}}\n", "expected the result of k6"),
        ("1795410015000000\t200\t41873\nnonsense\n", "record:2:1: expected a latency as 3"),
        ("  Value Percentile TotalCount 1/(1-Percentile)\n10 0 5 1\n9 0.5 6 2\n", "values and counts that grow"),
    ])
    func `a wrong record is refused with its place and the cure`(text: String, sentence: String) {
        let said = Self.problem(text)
        #expect(said.contains(sentence), "\(said)")
    }

    private static let at: Int64 = 1_772_445_600_026_000

    /// By the name of the program, as it writes them: an answer after 75 ms at an instant, a refusal after 102 ms, and
    /// nothing after 30 s.
    static let programs: [(name: String, text: String)] = [
        (
            "vegeta (CSV)",
            """
            1772445600026000000,200,75000000,20,512,,Ym9keQ==,attack,0,GET,http://a.example/,
            1772445600031000000,503,102000000,20,512,,,attack,1,GET,http://a.example/,
            1772445600035000000,0,30000000000,0,0,"Get ""http://a.example/"": timeout",,attack,2,GET,http://a.example/,
            """
        ),
        (
            "JMeter",
            """
            timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,URL
            1772445600026,75,home,200,OK,T 1-1,text,true,,5,http://x/
            1772445600031,102,home,503,Service Unavailable,T 1-1,text,false,"Test failed:
            text expected to contain /a/",5,http://x/
            1772445600035,30000,home,Non HTTP response code: java.net.SocketTimeoutException,Read timed out,T 1-1,text,false,,5,http://x/
            """
        ),
        (
            "Gatling",
            """
            RUN\tload.Reloads\treloads\t1772445600000\t \t3.10.5
            USER\treloads\tSTART\t1772445600020
            REQUEST\t\tquote\t1772445600026\t1772445600101\tOK\t\u{20}
            REQUEST\t\tquote\t1772445600031\t1772445600133\t503\tstatus
            REQUEST\t\tquote\t1772445600035\t1772445630035\t0\ttimeout
            USER\treloads\tEND\t1772445630035
            """
        ),
        (
            "Gatling 2",
            """
            RUN\tload.Reloads\t\treloads\t1772445600000\t \t2.0
            REQUEST\tone\t1\t\tquote\t1772445600026\t1772445600101\tOK\t\u{20}
            REQUEST\tone\t2\t\tquote\t1772445600031\t1772445600133\t503\tstatus
            REQUEST\tone\t3\t\tquote\t1772445600035\t1772445630035\t0\ttimeout
            """
        ),
        (
            "ali",
            """
            id,timestamp,latency_ns,url,method,status_code
            a,2026-03-02T10:00:00.026Z,75000000,http://a.example,GET,200
            a,2026-03-02T10:00:00.031Z,102000000,http://a.example,GET,503
            a,2026-03-02T10:00:00.035Z,30000000000,http://a.example,GET,0
            """
        ),
        (
            "ghz (JSON lines)",
            #"""
            {"timestamp":"2026-03-02T11:00:00.026+01:00","latency":75000000,"error":"","status":"OK"}
            {"timestamp":"2026-03-02T11:00:00.031+01:00","latency":102000000,"error":"rpc error","status":"Unavailable"}
            {"timestamp":"2026-03-02T11:00:00.035+01:00","latency":30000000000,"error":"rpc error","status":"DeadlineExceeded"}
            """#
        ),
    ]

    @Test(arguments: programs)
    func `a program's own form is told by its lines, in its own units`(name: String, text: String) throws {
        let result = try ResultReader.read(.text("\u{FEFF}" + text.replacing("\n", with: "\r\n")))
        #expect(result.form == name)
        let read = try Self.requests(text)
        #expect(
            read == [
                RecordedRequest(start: Self.at, latency: 75_000, status: 200),
                RecordedRequest(start: Self.at + 5_000, latency: 102_000, status: 503),
                RecordedRequest(start: Self.at + 9_000, latency: 30_000_000, status: 0),
            ], "\(read)")
    }

    @Test(arguments: [
        (
            "hey",
            "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset\n0.0758,0,0,0,0.0758,0,200,0.0261\n0.1023,0,0,0,0.1,0,429,0.0311\n"
        ),
        (
            "oha",
            "request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n0.0261,0,0,0.07,0.0758,512,200\n0.0311,0,0,0.1,0.1023,512,429\n"
        ),
    ])
    func `seconds from the beginning are seconds`(name: String, text: String) throws {
        #expect(try ResultReader.read(.text(text)).form == name)
        #expect(
            try Self.requests(text) == [
                RecordedRequest(start: 26_100, latency: 75_800, status: 200),
                RecordedRequest(start: 31_100, latency: 102_300, status: 429),
            ])
    }

    @Test func `a status that is not there is not one of no answer`() throws {
        let k6 =
            #"{"metric":"http_req_duration","type":"Point","data":{"time":"2026-03-02T10:00:01Z","value":50,"tags":{}}}"#
        let result = try ResultReader.read(.text(k6))
        guard case .requests(let record) = result.content else { return }
        #expect(record.requests.map(\.outcome) == [.answered])
        #expect(result.notes == ["1 request without a status: nobody knows how they ended, and they count as answered"])
        let ab = "starttime\tseconds\tctime\tdtime\tttime\twait\nMon Mar 02 10:00:00 2026\t1772445600\t1\t74\t75\t74\n"
        #expect(try Self.requests(ab) == [RecordedRequest(start: 1_772_445_600_000_000, latency: 75_000, status: 200)])
    }

    @Test func `units are stated with the names of columns`() throws {
        let names = try #require(ColumnNames.read("time_ms=at,latency_s=took,status=code", over: .ofResult))
        #expect(
            try Self.requests("at;took;code\n250;0.0755;200\n", columns: names) == [
                RecordedRequest(start: 250_000, latency: 75_500, status: 200)
            ])
        let small = try ResultReader.read(.text("time,latency_ms,status\n1,0.2,200\n2,0.1,200\n"))
        #expect(
            small.notes == ["all latencies are below 1 ms; if they are seconds, --columns latency_s=latency_ms says so"]
        )
        for text in ["time_x=a", "latency=a", "status_ms=a", "time=a,time_ms=b"] {
            #expect(ColumnNames.read(text, over: .ofResult) == nil, "\(text)")
        }
    }

    private static func latencies(_ text: String) throws -> [(microseconds: Double, count: Int)] {
        guard case .latencies(let found) = try ResultReader.read(.text(text)).content else { return [] }
        return found
    }

    @Test func `percentiles come as several programs write them`() throws {
        // wrk2 has words before and a summary behind; vegeta states the unit; Java's class can separate by commas.
        for text in [
            "Running 30s test\n  2 threads\n  Detailed Percentile spectrum:\n       Value   Percentile   TotalCount 1/(1-Percentile)\n\n      10.0     0.000000            1         1.00\n      20.0     1.000000          100          inf\n#[Mean    =       15.0, StdDeviation   =        5.0]\n----------------------------------------------------------\n  100 requests in 30.00s, 5.0KB read\nRequests/sec:   3.33\n",
            "Value(ms)  Percentile  TotalCount  1/(1-Percentile)\n10.0  0.0  1  1.0\n20.0  1.0  100  10000000.0\n",
            "Value(us)  Percentile  TotalCount  1/(1-Percentile)\n10000  0.0  1  1.0\n20000  1.0  100  inf\n",
            "\"Value\",\"Percentile\",\"TotalCount\",\"1/(1-Percentile)\"\n10.0,0.0,1,1.0\n20.0,1.0,100,Infinity\n",
        ] {
            let found = try Self.latencies(text)
            #expect(found.reduce(0) { $0 + $1.count } == 100 && found.first?.microseconds == 10_000, "\(text)")
            #expect(found.last.map { $0.microseconds > 19_000 && $0.microseconds <= 20_000 } == true, "\(text)")
        }
        let ab = "Percentage served,Time in ms\n0,10.0\n50,15.0\n100,20.0\n"
        #expect(try Self.latencies(ab).reduce(0) { $0 + $1.count } == 10_000)
        let locust = """
            Type,Name,Request Count,Failure Count,Median Response Time,50%,66%,99%,100%
            GET,/a,10,0,5,5,6,9,9
            ,Aggregated,200,0,15,15,16,19,20
            """
        let found = try Self.latencies(locust)
        #expect(found.reduce(0) { $0 + $1.count } == 200 && found.allSatisfy { $0.microseconds <= 20_000 })
        // Without times a record tells latencies alone.
        let ghz = "duration (ms),status,error\n1.43,OK,\n0.39,OK,\n"
        #expect(try Self.latencies(ghz).map(\.microseconds) == [1_430, 390])
    }

    @Test func `a clock of whole seconds is told`() throws {
        let rows = (0..<30).map { "\($0 / 3),5,200" }.joined(separator: "\n")
        let result = try ResultReader.read(.text("time,latency_ms,status\n" + rows))
        guard case .requests(let record) = result.content else { return }
        #expect(record.clockStep == 1_000_000 && result.notes == ["all times are whole seconds"])
    }
}
