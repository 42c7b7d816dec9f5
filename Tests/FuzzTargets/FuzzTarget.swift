import ResultFiles
import Basics
import Calibration
import Foundation
import Pages
import Reporting
import RunLaws
import ScenarioFiles
import Simulation
import Studies

/// A place where text or bytes from outside come in. Whatever they are, it ends with a value or with problems in
/// sentences: never with a trap, a hang or an endless need of memory.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A scenario's YAML.
    case scenario
    /// The argument of `--set`, on a small scenario.
    case setting
    /// The argument of `--where`.
    case condition
    /// The argument of `--vary`, and a `study` block's values.
    case axis
    /// The records that `calibrate` reads.
    case record
    /// The recorded events of a replay.
    case replay
    /// A part of a run, as `merge` and `run --resume` find it: after a 0 the file as it is, otherwise without its hash,
    /// which is added.
    case partial
    /// The state within a part, whose hash is right.
    case state
    /// The result of a load test that `calibrate --service` reads and fits a pool to.
    case result
    /// An access log, which `compare --log` holds against a run.
    case log
    /// A folder whose hashes are right: a byte for its sort, one for the file that is replaced, and the file. `report`
    /// makes its page.
    case page
    /// A study whose hashes are right: a byte for the file of it or of a run that is replaced, and the file. `compare`
    /// compares its points.
    case study

    /// Reads the bytes as what the place expects.
    public func take(_ bytes: [UInt8]) {
        switch self {
        case .scenario: read(ScenarioText(text: String(decoding: bytes, as: UTF8.self)), lot: bytes.reduce(0, ^))
        case .setting:
            read(Self.smallText, overrides: [String(decoding: bytes, as: UTF8.self)], lot: bytes.reduce(0, ^))
        case .condition:
            do throws(StudyProblem) {
                _ = try Condition(
                    String(decoding: bytes, as: UTF8.self), names: ["jitter", "people", "kinds.weather.policy.after"],
                    at: "--where")
            } catch { check(error.description) }
        case .axis:
            do throws(StudyProblem) { _ = try Axis.read(String(decoding: bytes, as: UTF8.self)) } catch {
                check(error.description)
            }
        case .record:
            do throws(RecordProblems) { _ = try RecordReader.read(.text(String(decoding: bytes, as: UTF8.self))) } catch
            {
                check(error.problems.map(\.description).joined())
            }
            do throws(RecordProblems) {
                let record = try WidgetRecordReader.read(.text(String(decoding: bytes, as: UTF8.self)), zone: "UTC")
                for use in record.people.map(WidgetUse.init) { _ = PersonSummary(use.person) }
            } catch { check(error.problems.map(\.description).joined()) }
        case .replay:
            do throws(ScenarioProblems) {
                let read = try Self.replayedText.read(replay: String(decoding: bytes, as: UTF8.self))
                _ = try? ScenarioRun(read.scenario).run(threads: 1)
            } catch { check(error.description) }
        case .partial: readPart(bytes)
        case .state: readState(bytes)
        case .result: readResult(String(decoding: bytes, as: UTF8.self))
        case .log: readLog(String(decoding: bytes, as: UTF8.self), lot: bytes.reduce(0, ^))
        case .page: readPage(bytes)
        case .study: AlteredStudy.shared.take(bytes, check)
        }
    }

    // MARK: Places

    /// - Parameter lot: decides by the input alone what else is done with a scenario that is right. An estimate lives
    ///   some people, which takes a thousand times as long as reading; one text in 32 has it. One in 4 is read again
    ///   from what is written of it.
    private func read(_ text: ScenarioText, overrides: [String] = [], lot: UInt8) {
        do throws(ScenarioProblems) {
            let read = try text.read(overrides: overrides)
            if lot < 4 { for warning in read.warnings() { check(warning) } }
            if lot % 4 != 0 { return }
            do throws(ScenarioProblems) {
                let again = try ScenarioReader.read(text: read.resolvedText)
                precondition(again.resolvedText == read.resolvedText, "the resolved scenario reads as another")
            } catch { preconditionFailure("the resolved scenario is none: \(error)") }
        } catch { check(error.description) }
    }

    private func readPart(_ bytes: [UInt8]) {
        let path = NSTemporaryDirectory() + "reloadsim-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        defer { _ = unlink(path) }
        guard let first = bytes.first, let file = fopen(path, "w") else { return }
        // Without the right hash next to nothing of the file is looked at.
        let content = Array(bytes.dropFirst())
        let all = first == 0 ? content : content + Array(SHA256.hash(data: content))
        let written = fwrite(all, 1, all.count, file)
        precondition(fclose(file) == 0 && written == all.count, "cannot write \(path)")
        do throws(PartialProblem) {
            let part = try PartialFile(path)
            try part.restore(into: Self.plain.begin(threads: 1))
        } catch { check(error.description) }
    }

    private func readState(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let run = (first == 0 ? Self.plain : Self.served).begin(threads: 1)
        do { try KeptRun.restore(Array(bytes.dropFirst()), into: run) } catch { return check("\(error)") }
        if !run.isOver { run.advance() }
    }

    private func readResult(_ text: String) {
        do throws(RecordProblems) {
            let fit =
                switch try ResultReader.read(.text(text)).content {
                case .requests(let record): ServiceFit(record)
                case .latencies(let latencies): ServiceFit(latencies: latencies)
                case .summary(let summary): ServiceFit(summary: summary)
                }
            check(fit.table + fit.fragment(heading: []))
        } catch { check(error.problems.map(\.description).joined()) }
    }

    /// - Parameter lot: decides whether only a path counts, and whether the first line is the form of the others.
    private func readLog(_ text: String, lot: UInt8) {
        do throws(RecordProblems) {
            let first = text.prefix { $0 != "\n" }
            let isForm = lot % 3 == 0 && LogPreset.named(String(first)) != nil
            let log = try AccessLogReader.read(
                [.text(isForm ? String(text.dropFirst(first.count + 1)) : text)], span: Self.minutes.minutes.span,
                AccessLogChoice(
                    format: isForm ? String(first) : nil, path: lot % 4 == 0 ? "/v1/" : nil,
                    zone: lot % 5 == 0 ? "Europe/Berlin" : nil, isStrict: lot % 7 == 0))
            let comparison = LogComparison(run: Self.minutes, log: log.minutes)
            for advice in comparison.advice(nil) { check(advice.sentence) }
        } catch { check(error.problems.map(\.description).joined()) }
    }

    private func readPage(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return }
        let folder = Self.folders[Int(bytes[0]) % Self.folders.count]
        let name = folder.names[Int(bytes[1]) % folder.names.count]
        var files = folder.files
        files[name] = Array(bytes.dropFirst(2))
        do throws(OutputProblem) { check(try PageFile.html(of: PageSource(name: "results", files: files))) } catch {
            check(error.description)
        }
    }

    /// A problem is a sentence that can be printed.
    private func check(_ sentence: String) { precondition(!sentence.isEmpty, "a problem without words") }

    // MARK: What the places know

    private static let small = """
        start: "2026-03-04T00:00:00Z"
        warmup: 0s
        duration: 2h
        people: 3
        kinds: [{id: weather, policy: {after: 20m}, timeline: {shape: series, count: 6, spacing: 1h}}]
        population: {devices: [{instances: [{id: here, kind: weather, location: current}]}]}
        """

    // The YAML of these two is read once for all inputs.
    private static let smallText = ScenarioText(text: small)
    private static let replayedText = ScenarioText(text: replayed)

    private static let replayed = """
        start: "2026-03-04T00:00:00Z"
        duration: 2h
        kinds: [{id: k, policy: {after: 20m}}]
        devices: [{id: d, zone: Europe/Berlin, instances: [{id: w, kind: k, location: current, initial: {fetched: 0s}}]}]
        replay: events.csv
        """

    /// Two hours of life, and a load curve of their last minutes only: it is most of a state's bytes.
    private static let brief = small.replacing("warmup: 0s\nduration: 2h", with: "warmup: 115m\nduration: 5m")

    /// Two hours of a run with ten requests a minute.
    private static let minutes = RunMinutes(
        MinuteCounts(Dictionary(uniqueKeysWithValues: (29_541_600..<29_541_720 as Range<Int64>).map { ($0, 10) })),
        people: 40)

    /// The folders of results, each with the names of its files, the tables first.
    private static let folders = SampleFolders.Sort.allCases.map { sort in
        let names = SampleFolders.shared.files(sort)
        return (
            names: names,
            files: Dictionary(uniqueKeysWithValues: names.map { ($0, SampleFolders.shared.bytes(sort, $0)) })
        )
    }

    private static let plain = run(brief)
    private static let served = run(
        brief + """

            service:
              latency_out: 50ms
              latency_back: 50ms
              pools: [{id: main, servers: 1, service_time: 2s, queue: 2}]
              endpoints: [{id: weather, cache: {ttl: 5m}}]
            """)

    private static func run(_ text: String) -> ScenarioRun {
        do { return try ScenarioRun(ScenarioReader.read(text: text).scenario) } catch {
            preconditionFailure("\(error)")
        }
    }

    // MARK: Where the fuzzer begins

    /// Inputs that are right, or nearly: changes of these go further than changes of nothing.
    public var seeds: [[UInt8]] {
        func texts(_ list: [String]) -> [[UInt8]] { list.map { Array($0.utf8) } }
        switch self {
        case .scenario: return texts([Self.small]) + Self.shipped
        case .setting:
            return texts([
                "kinds.weather.policy.after=1h", "population.pickups.unlocks_per_day={shape: 3, mean: 80}",
                "kinds.0.timeline={shape: single}",
                "service.latency_out={median: 60ms, p95: 250ms}", "population.devices.0.instances.here.share=0.5",
                "duration=1d",
                "population.zones={Europe/Berlin: 0.5, Asia/Tokyo: 0.5}",
                "thresholds=[{metric: requests_total, op: \"<\", value: 1e6}]",
            ])
        case .condition:
            return texts([
                "jitter > 5m and people <= 1000", "not (jitter = 0s or people != 3)",
                "kinds.weather.policy.after < 2 * jitter",
            ])
        case .axis:
            return texts([
                "jitter:kinds.weather.policy.jitter=0s,1m,5m", "people=10,100,1000",
                "kinds.weather.policy.after=range(10m, 2h, 10m)", "seed=range(1, 8)",
                "people=log(1, 1000, 4)", "kinds.weather.policy={after: 1h},{after: 2h}",
            ])
        case .record:
            return texts([
                "person,time,event\n1,2026-03-04T07:00:00+01:00,unlock\n1,2026-03-04T07:02:00+01:00,lock\n2,2026-03-05T23:00:00+01:00,sleep\n",
                "person,time,event,app\nx,2026-03-08T02:30:00-05:00,app_open,weather\n",
            ])
        case .replay:
            return texts([
                "device,time,event,detail\nd,2026-03-04T00:10:00Z,pickup,\nd,2026-03-04T00:11:00Z,lock,\n",
                "d,1h,pickup,home_first\nd,1h2m,lock,\nd,1h30m,place,work 3000 -200\nd,1h40m,app_open,app\nd,1h45m,app_close,app\n",
            ])
        case .partial: return Self.parts
        case .state: return Self.states
        case .result: return texts(Self.results) + recorded
        case .log: return texts(Self.logs) + recorded
        case .page:
            return Self.folders.enumerated().flatMap { sort, folder in
                folder.names.enumerated().map { file, name in
                    [UInt8(sort), UInt8(file)] + folder.files[name]!.prefix(16_000)
                }
            }
        case .study: return AlteredStudy.shared.seeds
        }
    }

    /// Some requests in each of the forms of load tests.
    private static var results: [String] {
        func rows(_ count: Int, _ row: (Int) -> String) -> String { (0..<count).map(row).joined() }
        let second = 1_772_434_800
        return [
            rows(30) {
                "\((second * 1_000 + $0 * 100) * 1_000)\t\($0 % 7 == 0 ? 503 : 200)\t\(50_000 + $0 * 7_919 % 40_000)\n"
            },
            "time,latency_ms,status\n"
                + rows(40) { "\(Double($0) / 10),\(50 + $0 * 7 % 40),\($0 % 20 == 0 ? 429 : 200)\n" },
            rows(8) {
                #"{"attack":"","seq":\#($0),"code":200,"timestamp":"2026-03-02T07:00:00.\#(10 + $0)3456789+01:00","latency":\#(5_000_000 + $0 * 1_000),"bytes_out":0,"bytes_in":12,"#
                    + #""error":"","body":null,"method":"GET","url":"http://127.0.0.1/v1/a","headers":{}}"# + "\n"
            },
            #"{"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time"},"metric":"http_req_duration"}"#
                + "\n"
                + rows(8) {
                    #"{"metric":"http_req_duration","type":"Point","data":{"time":"2026-03-02T07:00:00.\#(100 + $0)456Z","value":\#(12 + $0).5,"tags":{"method":"GET","status":"200","#
                        + #""url":"http://127.0.0.1/v1/a"}}}"# + "\n"
                },
            "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata\n"
                + rows(8) {
                    "http_req_duration,\(second + $0),\(12 + $0).25,,,,true,,GET,http://a/,HTTP/1.1,default,,200,,,http://a/,,\n"
                },
            "       Value     Percentile TotalCount 1/(1-Percentile)\n\n       1.001 0.000000000000          1           1.00\n      12.503 0.500000000000        100           2.00\n"
                + "     250.111 1.000000000000        200\n#[Mean    =       13.000, StdDeviation   =        5.000]\n",
            "0\t200\t66710\n1772000001284159\t200\t31866\n",
            rows(8) {
                "\(second * 1_000_000_000 + $0 * 7_000_000),200,\(75_000_000 + $0),20,512,,Ym9keQ==,a,\($0),GET,http://a/,\n"
            },
            "timeStamp,elapsed,label,responseCode,failureMessage\n"
                + rows(8) {
                    "\(second * 1_000 + $0 * 7),\(75 + $0),home,\($0 == 3 ? "Non HTTP response code: x" : "200"),\"a\nb\"\n"
                },
            "RUN\tload\n" + rows(8) { "REQUEST\t\tq\t\(second * 1_000 + $0)\t\(second * 1_000 + 70 + $0)\tOK\t\n" },
            "response-time,status-code,offset\n" + rows(8) { "0.0\(10 + $0),200,0.\(10 + $0)\n" },
            "starttime\tseconds\tctime\tdtime\tttime\twait\n" + rows(8) { "Mon\t\(second + $0)\t1\t2\t\(3 + $0)\t1\n" },
            "duration (ms),status,error\n1.43,OK,\n0.39,Unavailable,\n",
            "Percentage served,Time in ms\n0,1\n50,2\n100,3\n",
            "Type,Name,Request Count,50%,99%,100%\nGET,/a,10,5,9,9\n,Aggregated,200,15,19,20\n",
        ]
    }

    /// Some lines in the forms of servers, and some with their form before them.
    private static var logs: [String] {
        [
            "$remote_addr - $remote_user [$time_local] \"$request\" $status\n10.0.0.1 - - [02/Mar/2026:00:10:36 +0000] \"GET /v1/a HTTP/1.1\" 200\n",
            "%h %l %u %t \"%r\" %>s \"%{User-Agent}i\"\n10.0.0.1 - - [02/Mar/2026:00:10:36 +0000] \"GET /v1/a HTTP/1.1\" 200 \"a \\\" b\"\n",
            "https 2026-03-02T00:10:36.186641Z app/my/50dc 10.0.0.1:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 57 \"GET https://a:443/v1/a HTTP/1.1\" \"c\"\n",
            "#Fields: date time cs-method cs-uri-stem\n2026-03-02 00:10:36 GET /v1/a\n#Fields: time date\n00:10:36 2026-03-02\n",
            "{\"level\":\"info\",\"ts\":1772410236.5,\"logger\":\"http.log.access\",\"request\":{\"uri\":\"\\/v1\\u002fa\",\"headers\":{\"A\":[\"b\"]}}}\n",
            "{\"EdgeStartTimestamp\":1772410236123456789,\"ClientRequestURI\":\"/v1/a\"}\n{\"properties\":{\"requestUri\":\"https://a/v1/\"},\"time\":\"2026-03-02T00:10:36Z\"}\n",
            "time_local=\"02/Mar/2026:00:10:36 +0000\" status=200 uri_path=\"/v1/a\" level=info\n",
            "timestamp;status;path\r2026-03-02 00:10:36+00;200;\"/v1/a\"\r",
            "1772410236.5\t192.0.2.1\t10.0.0.1\t0.002\t200\t512\tGET\thttps\ta.example\t/v1/a\t33\n",
            "127.0.0.1 - - [02/Mar/2026:00:10:36 +0000] \"GET /v1/a?x=1 HTTP/1.1\" 200 2326 \"-\" \"curl/8.5.0\"\n10.0.0.1 - - [02/Mar/2026:01:10:37 +0100] \"GET /other HTTP/1.1\" 503 0 \"-\" \"-\"\n",
            "::1 - frank [10/Oct/2000:22:55:59 +0200] \"GET /v1/b HTTP/1.0\" 503 0\n",
            "{\"time\":\"2026-03-02T00:10:36+00:00\",\"path\":\"/v1/a\"}\n{\"path\":\"/other\",\"time\":1772409900.5}\n{\"time\":1772409936123,\"path\":\"GET /v1/ HTTP/1.1\"}\n",
            "{\"time\":\"0001-01-01T00:00:00Z\",\"path\":\"/v1/a\"}\n{\"time\":\"9999-12-31T23:59:00Z\",\"path\":\"/v1/a\"}\n",
        ]
    }

    /// The records of other programs (`Tests/Fuzz/Corpus`).
    private var recorded: [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Fuzz/Corpus/" + rawValue)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        return names.compactMap { (try? Data(contentsOf: folder.appending(path: $0))).map(Array.init) }
    }

    private static var shipped: [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Scenarios")
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasSuffix(".yaml")
        }.sorted()
        // Comments are most of the text and tell the fuzzer nothing.
        return names.compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.map { text in
            Array(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n").utf8)
        }
    }

    private static var states: [[UInt8]] {
        var states: [[UInt8]] = []
        for (number, run) in [plain, served].enumerated() {
            for border in [1, 2, 40, 400] {
                let paused = run.begin(threads: 1)
                paused.advance(until: { $0 >= border })
                if paused.canBeKept, let bytes = try? KeptRun.bytes(of: paused) {
                    states.append([UInt8(number)] + bytes)
                }
            }
        }
        return states
    }

    private static var parts: [[UInt8]] {
        let folder = NSTemporaryDirectory() + "reloadsim-fuzz-seeds-\(UUID().uuidString)"
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let run = plain.begin(threads: 1, people: 0..<2)
            run.advance()
            let read = try ScenarioReader.read(text: brief)
            let header = PartialHeader(.shard, of: run, read, shard: Shard(1, of: 2), threads: 1, after: (1, 0))
            try PartialFile.write(run, header: header, folder: folder, name: "part")
            let file = Array(try Data(contentsOf: URL(filePath: folder + "/part")))
            return [[0] + file, [1] + file.dropLast(SHA256.byteCount)]
        } catch { preconditionFailure("\(error)") }
    }
}
