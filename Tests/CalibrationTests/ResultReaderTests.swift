import Basics
import Calibration
import ScenarioFiles
import Testing

@testable import Calibration

/// Each program's own form, as its documentation shows it.
@Suite struct ResultReaderTests {
    private static func requests(_ text: String, columns: ColumnNames = .ofResult) throws -> [RecordedRequest] {
        let result = try ResultReader.read(text: text, columns: columns)
        guard case .requests(let record) = result.content else { return [] }
        return record.requests
    }

    private static func problem(_ text: String, columns: ColumnNames = .ofResult) -> String {
        do {
            _ = try ResultReader.read(text: text, columns: columns)
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
        guard case .latencies(let latencies) = try ResultReader.read(text: text).content else {
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
        ("time,latency_ms,status\n1,2\n", "result:2:1: expected 3 fields, as in the header, found 2"),
        ("time,latency_ms,status\nx,2,200\n", "result:2:1: expected a date-time with an offset, or seconds"),
        ("time,latency_ms,status\n1,-2,200\n", "result:2:3: expected a latency from 0 to a day"),
        ("time,latency_ms,status\n1,2,ok\n", "result:2:5: expected an HTTP status"),
        ("time,latency_ms,status\n1,2,\"200\n", "a closing quote"), ("{\"a\":1}\n", "an object without `metric`"),
        ("{\"metric\":\n", "expected a JSON object"),
        ("#[Histogram log format version 1.3]\n", "an interval log"),
        ("{\"metric\":\"vus\",\"type\":\"Point\",\"data\":{}}\n", "1 line of other things"),
        ("1795410015000000\t200\t41873\nnonsense\n", "result:2:1: expected a start in microseconds"),
        ("  Value Percentile TotalCount 1/(1-Percentile)\n10 0 5 1\n9 0.5 6 2\n", "values and counts that grow"),
    ])
    func `a wrong record is refused with its place and the cure`(text: String, sentence: String) {
        let said = Self.problem(text)
        #expect(said.contains(sentence), "\(said)")
    }

    @Test func `a clock of whole seconds is told`() throws {
        let rows = (0..<30).map { "\($0 / 3),5,200" }.joined(separator: "\n")
        let result = try ResultReader.read(text: "time,latency_ms,status\n" + rows)
        guard case .requests(let record) = result.content else { return }
        #expect(record.clockStep == 1_000_000 && result.notes == ["all times are whole seconds"])
    }
}
