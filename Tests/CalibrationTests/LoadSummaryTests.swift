import Basics
import ScenarioFiles
import Statistics
import Testing

@testable import Calibration

/// The figures that load tools print at their ends.
@Suite struct LoadSummaryTests {
    /// By program: 2,000 requests, half of them within 40 ms, nine tenths within 90 ms, 99 % within 150 ms, the longest
    /// 200 ms.
    static let summaries: [(program: String, text: String)] = [
        (
            "fortio",
            #"{"RunType":"HTTP","DurationHistogram":{"Count":2000,"Min":0.01,"Max":0.2,"Avg":0.05,"StdDev":0.03,"Data":[{"Start":0.01,"End":0.04,"Percent":50,"Count":1000},{"Start":0.04,"End":0.09,"Percent":90,"Count":800},{"Start":0.09,"End":0.15,"Percent":99,"Count":180}]}}"#
        ),
        (
            "fortio",
            "Aggregated Function Time : count 2000 avg 0.05 +/- 0.03 min 0.01 max 0.2 sum 100\n# target 50% 0.04\n# target 90% 0.09\n# target 99% 0.15\n"
        ),
        (
            "bombardier",
            #"{"spec":{},"result":{"req2xx":1990,"req5xx":10,"latency":{"mean":50000.5,"stddev":30000,"max":200000,"percentiles":{"50":40000,"90":90000,"99":150000}}}}"#
        ),
        (
            "bombardier",
            "Bombarding http://a.example for 10s\nStatistics        Avg      Stdev        Max\n  Reqs/sec       200      10.00     240\n  Latency       50.00ms    30.00ms   200.00ms\n  Latency Distribution\n     50%    40.00ms\n     90%    90.00ms\n     99%   150.00ms\n  HTTP codes:\n    1xx - 0, 2xx - 1990, 3xx - 0, 4xx - 0, 5xx - 10\n"
        ),
        (
            "autocannon",
            #"{"url":"x","requests":{"total":2000},"latency":{"average":50,"min":10,"max":200,"p50":40,"p90":90,"p99":150,"totalCount":2000},"throughput":{}}"#
        ),
        (
            "autocannon",
            "│ Stat    │ 50%   │ 90%   │ 99%    │ Avg   │ Stdev │ Max    │\n│ Latency │ 40 ms │ 90 ms │ 150 ms │ 50 ms │ 30 ms │ 200 ms │\n2k requests in 10.02s, 1 MB read\n"
        ),
        (
            "oha",
            #"{"summary":{"successRate":1.0,"slowest":0.2,"fastest":0.01,"average":0.05},"latencyPercentiles":{"p50":0.04,"p90":0.09,"p99":0.15},"statusCodeDistribution":{"200":1990,"503":10}}"#
        ),
        (
            "oha",
            "Summary:\n  Success rate:\t100.00%\n  Slowest:\t0.2000 secs\n  Fastest:\t0.0100 secs\n  Average:\t0.0500 secs\n\nResponse time distribution:\n  50.00% in 0.0400 secs\n  90.00% in 0.0900 secs\n  99.00% in 0.1500 secs\n\nStatus code distribution:\n  [200] 2000 responses\n"
        ),
        (
            "artillery",
            #"{"aggregate":{"counters":{"http.requests":2000},"summaries":{"http.response_time":{"min":10,"max":200,"count":2000,"mean":50,"p50":40,"p90":90,"p99":150}}},"intermediate":[]}"#
        ),
        (
            "artillery",
            "http.requests: ................... 2000\nhttp.response_time:\n  min: ............ 10\n  max: ............ 200\n  mean: ........... 50\n  median: ......... 40\n  p90: ............ 90\n  p99: ............ 150\nhttp.responses: ................. 2000\n"
        ),
        (
            "k6",
            #"{"metrics":{"http_req_duration":{"avg":50,"min":10,"med":40,"max":200,"p(90)":90,"p(99)":150},"http_reqs":{"count":2000}}}"#
        ),
        (
            "k6",
            #"{"metrics":{"http_req_duration":{"type":"trend","values":{"avg":50,"min":10,"med":40,"max":200,"p(90)":90,"p(99)":150}},"http_reqs":{"values":{"count":2000}}}}"#
        ),
        (
            "k6",
            "     http_req_duration..............: avg=50ms min=10ms med=40ms max=200ms p(90)=90ms p(99)=150ms\n     http_reqs......................: 2000 99.8/s\n"
        ),
        (
            "vegeta",
            #"{"latencies":{"total":1,"mean":50000000,"50th":40000000,"90th":90000000,"99th":150000000,"max":200000000,"min":10000000},"requests":2000,"status_codes":{"200":2000}}"#
        ),
        (
            "vegeta",
            "Requests      [total, rate, throughput]  2000, 100.00, 99.00\nLatencies     [min, mean, 50, 90, 99, max]  10ms, 50ms, 40ms, 90ms, 150ms, 200ms\n"
        ),
        (
            "wrk",
            "Running 10s test @ http://a.example/\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency    50.00ms   30.00ms 200.00ms   68.00%\n    Req/Sec    50.10     10.20    70.00     70.00%\n  Latency Distribution\n     50%   40.00ms\n     90%   90.00ms\n     99%  150.00ms\n  2000 requests in 10.02s, 1.00MB read\n"
        ),
        (
            "hey",
            "\nSummary:\n  Slowest:\t0.2000 secs\n  Fastest:\t0.0100 secs\n  Average:\t0.0500 secs\n\nLatency distribution:\n  50% in 0.0400 secs\n  90% in 0.0900 secs\n  99% in 0.1500 secs\n\nDetails (average, fastest, slowest):\n\nStatus code distribution:\n  [200]\t1990 responses\n  [503]\t10 responses\n"
        ),
        (
            "ab",
            "Complete requests:      2000\nTime per request:       50.0 [ms] (mean)\nTotal:         10   50  30.0     40     200\n\nPercentage of the requests served within a certain time (ms)\n  50%     40\n  90%     90\n  99%    150\n 100%    200 (longest request)\n"
        ),
        (
            "nighthawk",
            "benchmark_http_client.queue_to_connect (1 samples)\n  min: 0s 000ms 001us | mean: 0s 000ms 001us | max: 0s 000ms 001us | pstdev: 0s 000ms 000us\n\nbenchmark_http_client.request_to_response (2000 samples)\n  min: 0s 010ms 000us | mean: 0s 050ms 000us | max: 0s 200ms 000us | pstdev: 0s 030ms 000us\n\n  Percentile  Count       Value\n  0.5         1000        0s 040ms 000us\n  0.9         1800        0s 090ms 000us\n  0.99        1980        0s 150ms 000us\n\nInitiation to completion (2000 samples)\n  0.5  1000  9s 000ms 000us\n"
        ),
        (
            "drill",
            "Total requests            2000\nMedian time per request   40ms\nAverage time per request  50ms\nSample standard deviation 30ms\n90.0'th percentile        90ms\n99.0'th percentile        150ms\n"
        ),
        (
            "Locust",
            "Timestamp,User Count,Type,Name,Requests/s,50%,90%,99%,100%,Total Request Count,Total Average Response Time,Total Min Response Time,Total Max Response Time\n1,1,,Aggregated,1,N/A,N/A,N/A,N/A,0,0,0,0\n2,1,GET,/a,1,9,9,9,9,1,9,9,9\n3,9,,Aggregated,99,40,90,150,200,2000,50,10,200\n"
        ),
        (
            "ghz",
            #"{"count":2000,"average":50000000,"fastest":10000000,"slowest":200000000,"latencyDistribution":[{"percentage":50,"latency":40000000},{"percentage":90,"latency":90000000},{"percentage":99,"latency":150000000}]}"#
        ),
        (
            "JMeter",
            #"{"Total":{"sampleCount":2000,"meanResTime":50,"medianResTime":40,"minResTime":10,"maxResTime":200,"pct1ResTime":90,"pct3ResTime":150}}"#
        ),
    ]

    private static func summary(_ text: String) throws -> (form: String, summary: LoadSummary) {
        let result = try ResultReader.read(.text(text))
        guard case .summary(let summary) = result.content else { throw Unread(content: "\(result.content)") }
        return (result.form, summary)
    }

    private struct Unread: Error { let content: String }

    @Test(arguments: summaries)
    func `percentiles and counts of a program's summary are read`(program: String, text: String) throws {
        let (form, summary) = try Self.summary(text)
        #expect(form == "the summary of \(program)" && summary.count == 2_000, "\(summary)")
        for (share, seconds) in [(0.5, 0.04), (0.9, 0.09), (0.99, 0.15)] {
            let found = summary.percentiles.first { ($0.share - share).magnitude < 1e-9 }
            #expect(found.map { ($0.seconds - seconds).magnitude < 1e-9 } == true, "\(summary)")
        }
        #expect(
            summary.mean.map { ($0 - 0.05).magnitude < 1e-6 } == true || text.contains("99.0'th")
                || program == "Locust", "\(summary)")
        let times = summary.latencies(.between)
        #expect(times.count == 2_000 && times[1_000] >= 0.039 && times[1_000] <= 0.041 && times.last! <= 0.25)
        // Whatever the order of a JSON object's members, one fit.
        #expect(try Self.summary(text).summary.latencies(.longest) == summary.latencies(.longest))
    }

    @Test(arguments: summaries.map(\.text))
    func `a pool of a summary has a service time with what its figures leave open`(text: String) throws {
        let fit = ServiceFit(summary: try Self.summary(text).summary)
        #expect(fit.pool != nil && fit.pool?.servers == nil && fit.replay.isEmpty)
        #expect(fit.fragment(heading: []).contains("service_time: {"), "\(fit.fragment(heading: []))")
        #expect(!fit.estimates.isEmpty)
        for estimate in fit.estimates {
            let interval = try #require(estimate.interval)
            #expect(interval.low < estimate.value && estimate.value < interval.high, "\(estimate)")
            // Wider than chance alone would be for 2,000 latencies.
            #expect(interval.high - interval.low > 0.05 * estimate.value, "\(estimate)")
        }
    }

    /// Draws of a gamma distribution with the shape 4 and the mean 50 ms, as percentiles alone.
    @Test(arguments: [50, 1_000]) func `the service time that made the percentiles lies in the intervals`(count: Int)
        throws
    {
        let shares = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
        // Quantiles of the gamma distribution, by Wilson and Hilferty's formula to a thousandth.
        func quantile(_ share: Double) -> Double {
            var (low, high) = (0.0, 1.0)
            for _ in 0..<50 {
                let middle = (low + high) / 2
                let k = 4.0, x = middle / 0.05 * k
                let below = 1 - DeterministicMath.exp(-x) * (1 + x + x * x / 2 + x * x * x / 6)
                if below < share { low = middle } else { high = middle }
            }
            return low
        }
        let rows = shares.map { "     \(100 * $0)%   \(1_000 * quantile($0))ms" }.joined(separator: "\n")
        let text =
            "  Thread Stats   Avg\n    Latency    50.00ms   25.00ms 160.00ms   68.00%\n\(rows)\n  \(count) requests in 10s, 1MB read\n"
        let fit = ServiceFit(summary: try Self.summary(text).summary)
        let pool = try #require(fit.pool)
        let mean = try pool.serviceTime.mean()
        #expect((mean / 0.05 - 1).magnitude < 0.1, "\(mean) \(fit.table)")
    }

    @Test func `a mean with its deviation, and a mean alone, give what they can`() throws {
        let tsung = try Self.summary(
            "# stats: dump at 1\nstats: users 1 1\nstats: request 500 60.0 20.0 90.0 5.0 50.0 2000\nstats: 200 1 1\n"
        ).summary
        #expect(tsung.count == 2_000 && tsung.mean == 0.05 && tsung.deviation == 0.02)
        let gamma = ServiceFit(summary: tsung)
        #expect(
            gamma.fragment(heading: []).contains("service_time: {shape: 6.25, mean: 50ms}"),
            "\(gamma.fragment(heading: []))")
        #expect(gamma.estimates[0].interval == nil && gamma.notes.contains { $0.contains("tell no distribution") })
        let head = "      Date & Time,  Trans,  Elap Time,  Data Trans,  Resp Time,  Trans Rate\n"
        let siege = try Self.summary(
            head + "2026-05-04 10:00:10,   2000,      10.02,           1,       0.05,       99.80\n"
        ).summary
        let mean = ServiceFit(summary: siege)
        #expect(mean.fragment(heading: []).contains("service_time: {mean: 50ms}"))
        let interval = try #require(mean.estimates[0].interval)
        #expect(interval.low < 0.045 && interval.high > 0.055, "the last digit is half of a hundredth: \(interval)")
        #expect(try Self.summary(#"{"transactions":2000,"response_time":0.05}"#).summary.mean == 0.05)
    }

    @Test(arguments: [
        (#"{"successRate":1,"responseTimeHistogram":{"0.1":2}}"#, "oha --output-format csv"),
        (#"{"metrics":{"http_reqs":{"count":5}}}"#, "k6 run --out json=FILE"),
        (#"{"bytes_in":{"total":1},"status_codes":{}}"#, "vegeta encode"),
        ("<?xml version=\"1.0\"?><testResults version=\"1.2\">", "output_format=csv"),
    ])
    func `a program's own form without latencies is refused with the option that writes them`(
        text: String, option: String
    ) {
        do {
            _ = try ResultReader.read(.text(text))
            Issue.record("read")
        } catch { #expect(error.problems[0].description.contains(option), "\(error.problems)") }
    }

    @Test(arguments: [
        "", "{}", "{\"latencies\":{\"50th\":-1,\"99th\":3}}", "Running 10s test\n  Thread Stats\n",
        "  Thread Stats\n 50% 9ms\n 99% 1ms\n", "  Thread Stats\n 50% 9h\n 99% 99999h\n",
        "{\"latencies\":{\"50th\":\"x\"}}", "Latencies [min] \n", "stats: request 1 2\n",
    ])
    func `what has no figures is no summary`(text: String) {
        #expect(throws: RecordProblems.self) { try ResultReader.read(.text(text)) }
    }

    @Test func `no part of a summary can be chosen`() {
        do {
            _ = try ResultReader.read(.text(Self.summaries[2].text), part: RecordPart(from: "2026-05-04T00:00Z"))
            Issue.record("read")
        } catch { #expect(error.problems[0].description.contains("percentiles alone"), "\(error.problems)") }
    }
}
