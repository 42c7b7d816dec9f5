import Basics
import Foundation
import ScenarioFiles
import Testing

@testable import Calibration

/// Access logs in their forms, and the figures of a day.
@Suite struct AccessLogTests {
    private static func problem(_ text: String, _ choice: AccessLogChoice = .init()) -> String {
        do {
            _ = try AccessLogReader.read([.text(text)], choice)
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
        // Envoy's usual form.
        """
        [2000-10-10T20:55:36.123Z] "GET /v1/a HTTP/1.1" 200 - 0 154 226 100 "10.0.35.28" "nsq2http" "cc21" "locations" "tcp://10.0.2.1:80"
        [2000-10-10T20:55:59.000Z] "POST /v1/b HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "nsq2http" "cc21" "locations" "-"
        [2000-10-10T20:55:00.999Z] "GET /other HTTP/1.1" 503 UH 0 19 0 - "-" "curl [x]" "cc21" "a" "-"
        [2000-10-10T20:57:10.000Z] "GET /v1/a HTTP/1.1" 200 - 0 154 226 100 "-" "-" "cc21" "locations" "-"
        """,
        // An application load balancer of AWS, and a classic one.
        """
        https 2000-10-10T20:55:36.186641Z app/my/50dc 192.168.131.39:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/v1/a HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 arn "Root=1" "-" "-" 1
        h2 2000-10-10T20:55:59.186641Z app/my/50dc 10.0.1.252:48160 10.0.0.66:9000 0.0 0.002 0.0 200 200 5 257 "GET https://10.0.2.105:773/v1/b HTTP/2.0" "curl" ECDHE TLSv1.2 arn "Root=1" "-" "-" 1
        http 2000-10-10T20:55:00.186641Z app/my/50dc 192.168.131.39:2817 - -1 -1 -1 503 - 34 366 "GET http://www.example.com:80/other HTTP/1.1" "curl" - - arn "Root=1" "-" "-" 0
        2000-10-10T20:57:10.945958Z my-elb 192.168.131.39:2817 10.0.0.1:80 0.00007 0.001 0.00005 200 200 0 29 "GET http://www.example.com:80/v1/a HTTP/1.1" "curl" - -
        """,
        // CloudFront, with tabs.
        """
        #Version: 1.0
        #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status
        2000-10-10\t20:55:36\tLAX1\t2390282\t192.0.2.202\tGET\td111.cloudfront.net\t/v1/a\t200
        2000-10-10\t20:55:59\tLAX1\t2390282\t192.0.2.202\tGET\td111.cloudfront.net\t/v1/b\t200
        2000-10-10\t20:55:00\tSEA4\t2390282\t192.0.2.202\tGET\td111.cloudfront.net\t/other\t304
        2000-10-10\t20:57:10\tSEA4\t2390282\t192.0.2.202\tGET\td111.cloudfront.net\t/v1/a\t200
        """,
        // IIS, whose columns change in the file.
        """
        #Software: Microsoft Internet Information Services 10.0
        #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query sc-status
        2000-10-10 20:55:36 10.0.0.5 GET /v1/a - 200
        2000-10-10 20:55:59 10.0.0.5 GET /v1/b x=1 200
        #Fields: time date cs-uri-stem
        20:55:00 2000-10-10 /other
        20:57:10 2000-10-10 /v1/a
        """,
    ])
    func `all forms count the same minutes, whatever the clock's zone`(text: String) throws {
        let log = try AccessLogReader.read([.text(text)])
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [3, 0, 1] && log.notes.isEmpty, "\(log)")
        let some = try AccessLogReader.read([.text(text)], AccessLogChoice(path: "/v1/"))
        #expect(
            some.minutes.counts == [2, 0, 1]
                && some.notes == ["1 line of 4 left out: their path does not begin with /v1/"], "\(some)")
    }

    @Test func `a line of HAProxy has its process in brackets, and a time without an offset, which is told`() throws {
        let text = """
            Oct 10 20:55:36 lb haproxy[14389]: 10.0.1.2:33317 [10/Oct/2000:20:55:36.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /v1/a HTTP/1.1"
            Oct 10 20:57:10 lb haproxy[14389]: 10.0.1.2:33318 [10/Oct/2000:20:57:10.001] http-in static/srv2 10/0/30/69/109 503 2750 - - ---- 1/1/1/1/0 0/0 "GET /other HTTP/1.1"
            """
        let log = try AccessLogReader.read([.text(text)])
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [1, 0, 1])
        #expect(log.notes == ["times without an offset from UTC are read as UTC (--log-zone states another zone)"])
        let berlin = try AccessLogReader.read([.text(text)], AccessLogChoice(zone: "Europe/Berlin"))
        #expect(berlin.minutes.first == Self.minute - 120 && berlin.notes.isEmpty)
        let some = try AccessLogReader.read([.text(text)], AccessLogChoice(path: "/v1/"))
        #expect(some.minutes.counts == [1])
    }

    @Test func `columns of the W3C form that lack a time or a path are told`() throws {
        #expect(Self.problem("#Fields: time cs-uri-stem\n20:55:36 /a").contains("--log-format with its form"))
        let text = "#Fields: date time\n2000-10-10 20:55:36"
        #expect(Self.problem(text).contains("1 of 2 lines with a time and none with a request"))
        #expect(Self.problem(text, AccessLogChoice(format: "w3c", path: "/a")).contains("cs-uri-stem"))
    }

    /// By the name of its form three lines of 20:55, 20:55 and 20:57, as the maker documents them, and one of something
    /// else.
    static let documented: [(form: String, lines: [String])] = [
        (
            "web",
            [
                #"shop.example:443 10.0.0.1 - - [10/Oct/2000:20:55:36 +0000] "GET /v1/a HTTP/1.1" 200 5 "-" "x""#,
                #"10.0.0.1 - - [10/Oct/2000:20:55:59.123456 +0000] "shop.example" "GET https://a.example/v1/b HTTP/2.0" 200 5"#,
                #"[10/Oct/2000:20:57:10 +0000] 10.0.0.1 - shop to: 10.0.0.1:80: GET /v1/c HTTP/1.1 200 request_time 0.012"#,
                #"10.0.0.1 - - [10/Oct/2000:20:57:11 +0000] "-" 408 0 "-" "-""#,
            ]
        ),
        (
            "alb",
            [
                #"h2 2000-10-10T20:55:36.186641Z app/my/50dc 10.0.1.252:48160 10.0.0.66:9000 0.0 0.002 0.0 200 200 5 257 "GET https://10.0.2.105:773/v1/a HTTP/2.0" "curl" - -"#,
                #"2000-10-10T20:55:59.945958Z my-elb 192.168.131.39:2817 10.0.0.1:80 0.00007 0.001 0.00005 200 200 0 29 "GET http://www.example.com:80/v1/b HTTP/1.1" "curl" - -"#,
                #"https 2000-10-10T20:57:10.186641Z app/my/50dc 10.0.1.252:48160 10.0.0.66:9000 0.0 0.002 0.0 200 200 5 257 "GET https://a.example:443/v1/c?q=1 HTTP/1.1" "curl" - -"#,
                #"http 2000-10-10T20:57:10.186641Z app/my/50dc 10.0.1.252:48160 - -1 -1 -1 400 - 0 0 "- http://a.example:80- -" "-" - -"#,
            ]
        ),
        (
            "w3c",
            [
                "#Fields: date time cs-method cs-uri-stem sc-status\n2000-10-10 20:55:36 GET /v1/a 200",
                "2000-10-10 20:55:59 GET /v1/b 200", "2000-10-10 20:57:10 GET /v1/c 200", "2000-10-10 20:57:10 - - 400",
            ]
        ),
        (
            "cloudfront-realtime",
            [
                "971211336.123\t192.0.2.1\t10.0.0.1\t0.002\t200\t512\tGET\thttps\ta.example\t/v1/a\t33",
                "971211359.000\t192.0.2.1\t10.0.0.1\t0.002\t200\t512\tGET\thttps\ta.example\t/v1/b\t33",
                "971211430.5\t192.0.2.1\t10.0.0.1\t0.002\t200\t512\tGET\thttps\ta.example\t/v1/c\t33",
                "971211430.5\t192.0.2.1\t10.0.0.1\t0.002\t400\t512\t-\t-\t-\t-\t33",
            ]
        ),
        (
            "caddy",
            [
                #"{"level":"info","ts":971211336.1276934,"logger":"http.log.access.log0","msg":"handled request","request":{"method":"GET","uri":"/v1/a"},"status":200}"#,
                #"{"level":"info","ts":971211359.1276934,"logger":"http.log.access","msg":"handled request","request":{"method":"GET","uri":"/v1/b"},"status":200}"#,
                #"{"level":"info","ts":971211430.1276934,"logger":"http.log.access","request":{"uri":"/v1/c"},"status":200}"#,
                #"{"level":"info","ts":971211430.1,"logger":"admin","msg":"admin endpoint started","address":"localhost:2019"}"#,
            ]
        ),
        (
            "traefik",
            [
                #"{"ClientHost":"10.0.0.1","RequestMethod":"GET","RequestPath":"/v1/a","StartUTC":"2000-10-10T20:55:36.123456789Z","time":"2000-10-10T20:55:37Z"}"#,
                #"{"RequestPath":"/v1/b","StartUTC":"2000-10-10T20:55:59Z","time":"2000-10-10T20:55:59Z"}"#,
                #"{"RequestPath":"/v1/c","StartUTC":"2000-10-10T20:57:10Z","time":"2000-10-10T20:57:10Z"}"#,
                #"{"level":"info","msg":"Configuration loaded","time":"2000-10-10T20:57:10Z"}"#,
            ]
        ),
        (
            "envoy",
            [
                #"{"start_time":"2000-10-10T20:55:36.123Z","method":"GET","path":"/v1/a","response_code":200}"#,
                #"{"start_time":"2000-10-10T20:55:59.123Z","method":"GET","path":"/v1/b","response_code":200}"#,
                #"{"start_time":"2000-10-10T20:57:10.123Z","method":"GET","path":"/v1/c","response_code":200}"#,
                #"{"start_time":"2000-10-10T20:57:10.123Z","method":null,"path":null,"response_code":0}"#,
            ]
        ),
        (
            "cloudflare",
            [
                #"{"EdgeStartTimestamp":971211336123456789,"ClientRequestURI":"/v1/a","EdgeResponseStatus":200}"#,
                #"{"EdgeStartTimestamp":"2000-10-10T20:55:59Z","ClientRequestURI":"/v1/b?x=1"}"#,
                #"{"EdgeStartTimestamp":971211430000000000,"ClientRequestURI":"/v1/c"}"#,
                #"{"EdgeStartTimestamp":971211430000000000,"ClientRequestURI":""}"#,
            ]
        ),
        (
            "cloudfront",
            [
                #"{"date":"2000-10-10","time":"20:55:36","cs-method":"GET","cs-uri-stem":"/v1/a"}"#,
                #"{"date":"2000-10-10","time":"20:55:59","cs-method":"GET","cs-uri-stem":"/v1/b"}"#,
                #"{"date":"2000-10-10","time":"20:57:10","cs-method":"GET","cs-uri-stem":"/v1/c"}"#,
                #"{"date":"2000-10-10","time":"20:57:10","cs-method":"-","cs-uri-stem":"-"}"#,
            ]
        ),
        (
            "azure",
            [
                #"{"time":"2000-10-10T20:55:36.000Z","category":"FrontDoorAccessLog","properties":{"requestUri":"https://a.example:443/v1/a"}}"#,
                #"{"timeStamp":"2000-10-10T20:55:59+00:00","category":"ApplicationGatewayAccessLog","properties":{"requestUri":"/v1/b"}}"#,
                #"{"time":"2000-10-10T20:57:10Z","category":"AppServiceHTTPLogs","properties":{"CsUriStem":"/v1/c"}}"#,
                #"{"time":"2000-10-10T20:57:10Z","category":"FrontDoorHealthProbeLog","properties":{"result":"Ok"}}"#,
            ]
        ),
        (
            "google",
            [
                #"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://a.example/v1/a","status":200},"timestamp":"2000-10-10T20:55:36.123456Z"}"#,
                #"{"httpRequest":{"requestUrl":"https://a.example/v1/b"},"timestamp":"2000-10-10T20:55:59Z"}"#,
                #"{"httpRequest":{"requestUrl":"https://a.example/v1/c"},"timestamp":"2000-10-10T20:57:10Z"}"#,
                #"{"textPayload":"started","timestamp":"2000-10-10T20:57:10Z"}"#,
            ]
        ),
        (
            "json",
            [
                #"{"timestamp":"2000-10-10T20:55:36+0000","url":"\/v1\/a"}"#,
                #"Oct 10 20:55:59 host app[1]: {"timestamp":"2000-10-10 20:55:59+00","url":"/v1/b"}"#,
                #"{"timestamp":"10/Oct/2000:20:57:10 +0000","url":"GET /v1/c HTTP/1.1"}"#,
                #"{"timestamp":"2000-10-10T20:57:10Z","event":"started"}"#,
            ]
        ),
        (
            "logfmt",
            [
                #"time_local="10/Oct/2000:20:55:36 +0000" http_method="GET" server="a.example" status="200" uri_path="/v1/a""#,
                #"time_local="10/Oct/2000:20:55:59 +0000" http_method="GET" status="200" uri_path="/v1/b""#,
                #"time_local="10/Oct/2000:20:57:10 +0000" http_method="GET" status="200" uri_path="/v1/c""#,
                #"time_local="10/Oct/2000:20:57:10 +0000" level=info text="started""#,
            ]
        ),
        (
            "csv",
            [
                "timestamp;status;path\n2000-10-10 20:55:36Z;200;/v1/a", "2000-10-10 20:55:59Z;200;/v1/b",
                "2000-10-10 20:57:10Z;200;/v1/c", "2000-10-10 20:57:10Z;400;-",
            ]
        ),
    ]

    @Test(arguments: documented)
    func `a documented form is told by its lines and counts requests alone`(form: String, lines: [String]) throws {
        let text = lines.joined(separator: "\n")
        for choice in [AccessLogChoice(), AccessLogChoice(format: form), AccessLogChoice(path: "/v1/")] {
            let log = try AccessLogReader.read([.text(text)], choice)
            #expect(log.minutes.first == Self.minute && log.minutes.counts == [2, 0, 1], "\(log)")
            #expect(log.forms == [LogPreset.named(form)?.title], "\(log.forms)")
            #expect(
                log.notes.count == 1 && log.notes[0].hasPrefix("1 line of 4 left out as no request"), "\(log.notes)")
        }
        let strict = Self.problem(text, AccessLogChoice(isStrict: true))
        #expect(strict.hasPrefix("record:"), "\(strict)")
        // A byte-order mark and the ends of other systems change nothing.
        let other = "\u{FEFF}" + text.replacing("\n", with: form.count % 2 == 0 ? "\r\n" : "\r")
        #expect(try AccessLogReader.read([.text(other)]).minutes.counts == [2, 0, 1])
    }

    @Test func `a network balancer's connections are requests`() throws {
        let text = "tls 2.0 2000-10-10T20:55:36 net/my/c6 g3d 72.21.218.154:51341 172.100.100.185:443 5 2 98 246 - arn"
        #expect(try AccessLogReader.read([.text(text)]).minutes.counts == [1])
        #expect(Self.problem(text, AccessLogChoice(path: "/v1/")).contains("--log-format with its form"))
    }

    @Test(arguments: [
        (
            #"$remote_addr - $remote_user [$time_local] "$request" $status"#,
            #"10.0.0.1 - a b [10/Oct/2000:20:55:36 +0000] "GET /v1/a HTTP/1.1" 200"#
        ),
        (#"$msec $request_uri"#, "971211336.123 /v1/a"),
        (#"${time_iso8601}|$host|$uri"#, "2000-10-10T20:55:36+00:00|a.example|/v1/a"),
        (#"%h %l %u %t "%r" %>s %b"#, #"10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /v1/a HTTP/1.0" 200 5"#),
        (#"%t \"%r\" \"%{User-Agent}i\" %U"#, #"[10/Oct/2000:13:55:36 -0700] "GET /x HTTP/1.0" "a \" b" /v1/a"#),
    ])
    func `a template in the words of nginx or Apache reads its lines`(template: String, line: String) throws {
        let log = try AccessLogReader.read(
            [.text(line + "\nother\n" + line)],
            AccessLogChoice(format: template, path: template.contains("%U") ? "/x" : "/v1/"))
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [2] && log.forms == [template])
    }

    @Test(arguments: ["nonsense", "$", "$a$b", "%", "%{x", "100%", "${time"])
    func `a text that is no form is refused`(text: String) { #expect(LogPreset.named(text) == nil) }

    @Test func `a log packed by gzip is read, and a damaged one refused`() throws {
        let folder = NSTemporaryDirectory() + "logs-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lines = (0..<500).map { #"{"time":"2000-10-10T20:55:36Z","path":"/\#($0)"}"# }.joined(separator: "\n")
        try lines.write(toFile: folder + "/a.log", atomically: true, encoding: .utf8)
        let packing = try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: ["gzip", folder + "/a.log"])
        packing.waitUntilExit()
        let packed = folder + "/a.log.gz"
        #expect(try AccessLogReader.read([.file(packed), .file(packed)], span: 0..<0).minutes.counts == [1_000])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: packed))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: packed))
        #expect(throws: RecordProblems.self) { try AccessLogReader.read([.file(packed)], span: 0..<0) }
    }

    @Test(arguments: ["[", "]", "\"", "GET ", "\"GET ", "=", "a=\"", "{\"a\":", "[10/Oct/2000:20:55:36 +0000", "\\\""])
    func `a line of the same signs over and over is read once`(sign: String) throws {
        let line = String(repeating: sign, count: 900_000 / sign.count)
        let good = #"10.0.0.1 - - [10/Oct/2000:20:55:36 +0000] "GET /v1/a HTTP/1.1" 200 5"#
        for format in [nil, "web", "logfmt", "json", "$msec $request_uri"] {
            let choice = AccessLogChoice(format: format)
            let counts = { try AccessLogReader.read([.text(line + "\n" + good + "\n")], choice).minutes.counts }
            if format == nil || format == "web" {
                #expect(try counts() == [1])
            } else {
                #expect(throws: RecordProblems.self) { try counts() }
            }
        }
    }

    @Test func `times that can be read in two ways need a choice`() {
        let text = #"{"start_time":"2000-10-10T20:55:36Z","time":"2000-10-10T22:55:36Z","path":"/a"}"#
        #expect(Self.problem(text).contains("--log-format, since the times"))
        #expect(Self.problem(text, AccessLogChoice(format: "envoy")) == "")
    }

    @Test func `members of other names are read by them`() throws {
        let names = try #require(ColumnNames.read("time=ts,path=uri", over: .ofAccessLog))
        let log = try AccessLogReader.read(
            [.text(#"{"ts":971211336123,"uri":"/a"}"#)], AccessLogChoice(columns: names, path: "/a"))
        #expect(log.minutes.first == Self.minute && log.minutes.counts == [1])
    }

    @Test func `a gap of an hour is told`() throws {
        let log = try AccessLogReader.read([.text(#"{"time":0.5,"path":"/"}"# + "\n" + #"{"time":7200,"path":"/"}"#)])
        #expect(log.minutes.counts.count == 121)
        #expect(
            log.notes == ["no request for 119 minutes from 1970-01-01T00:01Z on: a gap counts as minutes without load"])
    }

    @Test(arguments: [
        ("", "expected requests in the log, found none"),
        ("nonsense\n", "record:1:1: expected a line of an access log"),
        (
            "a - - [10/Okt/2000:13:55:36 +0000] \"GET / HTTP/1.0\" 200 1\n",
            "record:1:1: expected a line of an access log"
        ),
        ("{\"when\":1}\n", "--log-format with its form, or --log-columns time=…,path=…"),
        ("{\"time\":\n", "expected a line of an access log"),
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

    @Test func `a log of some minutes stands beside the same minutes of the run`() {
        // A run with ten times the load in its second hour, and a log of four minutes of that one.
        let run = RunMinutes(
            MinuteCounts(Dictionary(uniqueKeysWithValues: (0..<1_440).map { ($0, $0 / 60 == 1 ? 100 : 10) })),
            people: 100)
        let log = MinuteCounts(Dictionary(uniqueKeysWithValues: (70..<74).map { ($0 + 1_440, 50) }))
        let comparison = LogComparison(run: run, log: log)
        #expect(comparison.rows[0].run == 100.0 / 60 && comparison.rows[0].log == 50.0 / 60)
        #expect(comparison.run.hours.compactMap { $0 }.count == 1 && comparison.shapeDistance == 0)
        #expect(
            comparison.coverage
                == "run and log are compared over the 4 minutes of the day that both cover, which says little of a day")
        // Without common minutes each has those that it covers.
        let short = RunMinutes(MinuteCounts([10: 5, 11: 5]), people: 1)
        #expect(LogComparison(run: short, log: log).coverage?.hasPrefix("run and log cover no minute") == true)
    }

    @Test func `no key is advised for what chance may do to so few requests`() {
        func advised(_ factor: Int64) -> [String] {
            func counts(_ share: Int64) -> MinuteCounts {
                MinuteCounts(
                    Dictionary(uniqueKeysWithValues: (0..<60).map { ($0, (10 + $0 % 3) * share * factor / 100) }))
            }
            let run = RunMinutes(counts(10), people: 100)
            return LogComparison(run: run, log: counts(11)).advice(nil).map(\.figure)
        }
        #expect(advised(10).isEmpty && advised(1_000) == ["level"])
    }

    /// A day whose load rises and falls, with some hours of New York's clock changed.
    private static func evening(_ factor: Int64, hours: Range<Int>, level: Int64 = 100) -> MinuteCounts {
        // Midnight of 3 March 2026 in New York.
        let midnight: Int64 = 29_541_900
        return MinuteCounts(
            Dictionary(
                uniqueKeysWithValues: (0..<1_440).map { minute in
                    let usual = Int64(100 + 60 * (minute / 60 % 12)) * level / 100
                    return (midnight + Int64(minute), hours.contains(minute / 60) ? usual * factor / 100 : usual)
                }))
    }

    @Test(arguments: ["America/New_York", "UTC-05:00"])
    func `an evening that is too full is five hours at 1.2 and nineteen at 1, by the local clock`(zone: String) throws {
        let run = RunMinutes(Self.evening(100, hours: 0..<0), people: 9_000, zone: zone)
        let comparison = LogComparison(run: run, log: Self.evening(120, hours: 18..<23))
        #expect(comparison.level == 1 && !comparison.levelDiffers && !comparison.hasOtherShape)
        #expect(comparison.spans.map(\.hours) == [18...22] && comparison.spans.map(\.words) == ["18:00 to 23:00"])
        #expect((comparison.spans[0].ratio - 1.2).magnitude < 1e-9)
        // The keys that are named mend these hours and no others: no number of people, nothing about peaks.
        let advice = comparison.advice(nil)
        #expect(advice.map(\.figure) == ["18:00 to 23:00"] && advice[0].sentence.contains("service.background"))
        // The curve adds in these hours what is missing, and nothing in others.
        let curve = comparison.curve(over: run.minutes.span)
        #expect(curve.first?.rate == 0 && curve.last?.rate == 0)
        #expect(curve.first { $0.rate > 0 }?.time == "2026-03-03T18:00-05:00", "\(curve)")
        let added = comparison.spans[0].missing.reduce(0) { $0 + $1 * 3_600 }
        #expect(
            (added - Double(comparison.log.requests.reduce(0, +) - comparison.run.requests.reduce(0, +))).magnitude < 1)
    }

    /// The same day with each minute's count changed by its hour.
    private static func changed(_ change: (Int, Int64) -> Int64) -> MinuteCounts {
        let midnight: Int64 = 29_541_900
        return MinuteCounts(
            Dictionary(
                uniqueKeysWithValues: (0..<1_440).map { minute in
                    (midnight + Int64(minute), change(minute / 60, Int64(100 + 60 * (minute / 60 % 12))))
                }))
    }

    @Test func `hours that differ on both sides of midnight are one span`() throws {
        let run = RunMinutes(Self.evening(100, hours: 0..<0), people: 9_000, zone: "America/New_York")
        let log = Self.changed { $0 >= 22 || $0 < 2 ? $1 * 3 / 2 : $1 }
        let comparison = LogComparison(run: run, log: log)
        #expect(comparison.spans.map(\.words) == ["22:00 to 02:00"], "\(comparison.spans)")
        let span = try #require(comparison.spans.first)
        #expect(span.hoursOfDay == [22, 23, 0, 1] && (span.ratio - 1.5).magnitude < 1e-9)
        #expect(comparison.advice(nil).map(\.figure) == ["22:00 to 02:00"] && comparison.differingHours == 4)
        // Requests are added where they are missing.
        let rates = comparison.curve(over: run.minutes.span)
        let hours = rates.map { String($0.time.dropFirst(11).prefix(5)) }
        #expect(hours == ["00:00", "01:00", "02:00", "22:00", "23:00"], "\(rates)")
        #expect(rates.map { $0.rate > 0 } == [true, true, false, true, true], "\(rates)")
        // One that ends at midnight ends at 24:00, and two that differ to other sides stay two.
        func words(_ change: (Int, Int64) -> Int64) -> [String] {
            LogComparison(run: run, log: Self.changed(change)).spans.map(\.words)
        }
        #expect(words { $0 >= 22 ? $1 * 2 : $1 } == ["22:00 to 24:00"])
        #expect(words { $0 >= 22 ? $1 * 2 : $0 < 2 ? $1 / 2 : $1 } == ["00:00 to 02:00", "22:00 to 24:00"])
    }

    @Test func `level, hours and shape are told apart`() {
        let run = RunMinutes(Self.evening(100, hours: 0..<0), people: 9_000, zone: "America/New_York")
        func figures(_ log: MinuteCounts) -> [String] { LogComparison(run: run, log: log).advice(nil).map(\.figure) }
        #expect(figures(Self.evening(100, hours: 0..<0)) == [])
        let level = LogComparison(run: run, log: Self.evening(100, hours: 0..<0, level: 130))
        #expect(level.levelDiffers && level.spans.isEmpty && level.advice(nil).map(\.figure) == ["level"])
        #expect(level.advice(nil)[0].sentence.hasPrefix("people: 11,700 in place of 9,000 "))
        // Both at once: the hours are told from the level of the others.
        #expect(figures(Self.evening(50, hours: 2..<5, level: 130)) == ["level", "02:00 to 05:00"])
        #expect(figures(Self.evening(300, hours: 0..<11)) == ["shape"])
    }

    @Test(arguments: [(0, 3_000, true), (3_000, 0, true), (0, 0, false), (0, 1, false)] as [(Int64, Int64, Bool)])
    func `a part that one side has nothing of differs where the other has much`(run: Int64, log: Int64, differs: Bool) {
        /// Two hours, of which the first minute of each has its own number of requests.
        func counts(_ first: Int64) -> MinuteCounts {
            MinuteCounts(Dictionary(uniqueKeysWithValues: (0..<120).map { ($0, $0 % 60 == 0 ? first : 100) }))
        }
        let comparison = LogComparison(run: RunMinutes(counts(run), people: 1), log: counts(log))
        let row = comparison.rows.first { $0.figure == .quarter0 }
        #expect(row?.differs == differs, "\(String(describing: row))")
    }

    @Test func `a wrong time alone is told, and not the empty log that follows`() throws {
        let names = try #require(ColumnNames.read("time=ts", over: .ofAccessLog))
        let said = Self.problem(#"{"ts":"soon","path":"/a"}"#, AccessLogChoice(columns: names, format: "json"))
        #expect(said.contains("expected a date and time") && !said.contains("expected requests"), "\(said)")
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
