import Basics
import Foundation
import ScenarioFiles
import Statistics

/// The summary that a load tool prints at its end: how many requests there were, and some figures of their latencies.
package struct LoadSummary: Sendable {
    /// The program.
    var name: String
    /// How the program writes each request; nil if it does not.
    var better: String?
    /// 0 if it is not said.
    var count = 0
    /// Shares of the requests, from above 0 to 1, with the latency in seconds that they were answered within.
    var percentiles: [(share: Double, seconds: Double)] = []
    /// Seconds.
    var least, mean, deviation, most: Double?
    /// Half of the last digit in which the mean is written, in seconds.
    var rounding = 0.0
    /// A sentence on what the figures are of.
    var remark: String?

    /// Larger files are no summaries.
    static let largest = 4 << 20

    /// - Returns: nil if bytes are no summary that is known.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(name: "")
        if let object = Self.object(bytes) {
            guard takeJSON(object) else { return nil }
        } else if !takeText(text) {
            return nil
        }
        percentiles = percentiles.filter { $0.share > 0 && $0.share <= 1 && $0.seconds >= 0 }
            .sorted { ($0.share, $0.seconds) < ($1.share, $1.seconds) }
        if let most, most > 0, percentiles.last.map({ $0.share < 1 }) ?? false { percentiles.append((1, most)) }
        let longest = Double(ResultLines.longest) * 1e-6
        let all = percentiles.map(\.seconds) + [least, mean, deviation, most].compactMap { $0 }
        guard all.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < longest }), count >= 0,
            zip(percentiles, percentiles.dropFirst()).allSatisfy({ $0.seconds <= $1.seconds }),
            percentiles.count >= 2 || mean.map({ $0 > 0 }) == true
        else { return nil }
    }

    private init(name: String) { self.name = name }

    // MARK: Numbers

    /// The share of a percentile's name, such as `p99`, `p99_9`, `p999`, `99.9th`, `p(95)` or `med`; nil for another.
    private static func share(_ name: String) -> Double? {
        if name == "med" || name == "median" { return 0.5 }
        var digits = name.replacing("_", with: ".").trimmingCharacters(in: CharacterSet(charactersIn: "p()%"))
        if digits.hasSuffix("th") { digits = String(digits.dropLast(2)) }
        guard let value = Double(digits), value > 0 else { return nil }
        if value <= 100 { return value / 100 }
        // `p999` is 99.9.
        let whole = digits.prefix(2) + "." + digits.dropFirst(2)
        return name.hasPrefix("p") && !digits.contains(".") ? Double(whole).map { $0 / 100 } : nil
    }

    /// Seconds of a length of time as programs write it: `133.00ms`, `1.2s`, `1m2s`, `0s 133ms 000us`, `0.133 secs`.
    private static func seconds(_ text: some StringProtocol) -> Double? {
        let units: [(String, Double)] = [
            ("secs", 1), ("sec", 1), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ns", 1e-9),
            ("min", 60), ("m", 60), ("h", 3_600), ("s", 1),
        ]
        var (rest, total, isRead) = (Substring(text.trimmingCharacters(in: .whitespaces)), 0.0, false)
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let value = Double(number) else { return nil }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            guard let unit = units.first(where: { rest.hasPrefix($0.0) }) else { return nil }
            rest = rest.dropFirst(unit.0.count).drop { $0 == " " }
            (total, isRead) = (total + value * unit.1, true)
        }
        return isRead ? total : nil
    }

    private static func object(_ bytes: [UInt8]) -> [String: Any]? {
        do { return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] } catch { return nil }
    }

    // MARK: JSON

    private static func number(_ object: [String: Any]?, _ path: String...) -> Double? {
        var value: Any? = object
        for name in path { value = (value as? [String: Any])?[name] }
        return (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
    }

    /// The percentiles among the members of an object, in units of so many seconds.
    private mutating func take(_ object: [String: Any]?, unit: Double) {
        for (name, value) in object ?? [:] {
            if let share = Self.share(name), let number = (value as? NSNumber)?.doubleValue {
                percentiles.append((share, number * unit))
            }
        }
    }

    private mutating func take(
        _ name: String, better: String? = nil, count: Double?, least: Double? = nil, mean: Double? = nil,
        deviation: Double? = nil, most: Double? = nil, unit: Double
    ) {
        (self.name, self.better) = (name, better)
        self.count = count.map { $0 >= 0 && $0 < 1e15 ? Int(cutting: $0.rounded()) : 0 } ?? 0
        func scaled(_ value: Double?) -> Double? { value.map { $0 * unit } }
        (self.least, self.mean) = (scaled(least), scaled(mean))
        (self.deviation, self.most) = (scaled(deviation), scaled(most))
    }

    private mutating func takeJSON(_ root: [String: Any]) -> Bool {
        typealias Object = [String: Any]
        func sum(_ object: Any?) -> Double? {
            (object as? Object).map { $0.values.reduce(0) { $0 + (($1 as? NSNumber)?.doubleValue ?? 0) } }
        }
        if let histogram = root["DurationHistogram"] as? Object {
            take(
                "fortio", count: Self.number(histogram, "Count"), least: Self.number(histogram, "Min"),
                mean: Self.number(histogram, "Avg"), deviation: Self.number(histogram, "StdDev"),
                most: Self.number(histogram, "Max"), unit: 1)
            for part in histogram["Data"] as? [Object] ?? [] {
                if let percent = Self.number(part, "Percent"), let end = Self.number(part, "End") {
                    percentiles.append((percent / 100, end))
                }
            }
            if percentiles.isEmpty {
                for part in histogram["Percentiles"] as? [Object] ?? [] {
                    if let percent = Self.number(part, "Percentile"), let value = Self.number(part, "Value") {
                        percentiles.append((percent / 100, value))
                    }
                }
            }
            return true
        }
        if let result = root["result"] as? Object, let latency = result["latency"] as? Object {
            let answers = ["req1xx", "req2xx", "req3xx", "req4xx", "req5xx"].compactMap { Self.number(result, $0) }
            take(
                "bombardier", count: answers.reduce(0, +), mean: Self.number(latency, "mean"),
                deviation: Self.number(latency, "stddev"), most: Self.number(latency, "max"), unit: 1e-6)
            take(latency["percentiles"] as? Object, unit: 1e-6)
            return true
        }
        if let latency = root["latency"] as? Object, root["requests"] != nil {
            take(
                "autocannon", count: Self.number(latency, "totalCount") ?? Self.number(root, "requests", "total"),
                least: Self.number(latency, "min"),
                mean: Self.number(latency, "mean") ?? Self.number(latency, "average"),
                deviation: Self.number(latency, "stddev"), most: Self.number(latency, "max"), unit: 1e-3)
            take(latency, unit: 1e-3)
            return true
        }
        if let percentiles = root["latencyPercentiles"] as? Object {
            let summary = root["summary"] as? Object
            take(
                "oha", better: "oha --output-format csv", count: sum(root["statusCodeDistribution"]),
                least: Self.number(summary, "fastest"), mean: Self.number(summary, "average"),
                most: Self.number(summary, "slowest"), unit: 1)
            take(percentiles, unit: 1)
            return true
        }
        if let aggregate = root["aggregate"] as? Object {
            let summaries = aggregate["summaries"] as? Object ?? aggregate["histograms"] as? Object
            let latency = summaries?["http.response_time"] as? Object ?? aggregate["latency"] as? Object
            take(
                "artillery",
                count: Self.number(latency, "count") ?? Self.number(aggregate, "counters", "http.requests"),
                least: Self.number(latency, "min"), mean: Self.number(latency, "mean"),
                most: Self.number(latency, "max"),
                unit: 1e-3)
            take(latency, unit: 1e-3)
            return true
        }
        if let metrics = root["metrics"] as? Object, let duration = metrics["http_req_duration"] as? Object {
            let values = duration["values"] as? Object ?? duration
            take(
                "k6", better: "k6 run --out json=FILE",
                count: Self.number(metrics, "http_reqs", "count")
                    ?? Self.number(metrics, "http_reqs", "values", "count"),
                least: Self.number(values, "min"), mean: Self.number(values, "avg"), most: Self.number(values, "max"),
                unit: 1e-3)
            take(values, unit: 1e-3)
            return true
        }
        if let latencies = root["latencies"] as? Object {
            take(
                "vegeta", better: "vegeta encode", count: Self.number(root, "requests"),
                least: Self.number(latencies, "min"), mean: Self.number(latencies, "mean"),
                most: Self.number(latencies, "max"), unit: 1e-9)
            take(latencies, unit: 1e-9)
            return true
        }
        if let rows = root["latencyDistribution"] as? [Object] {
            take(
                "ghz", better: "ghz -O csv", count: Self.number(root, "count"), least: Self.number(root, "fastest"),
                mean: Self.number(root, "average"), most: Self.number(root, "slowest"), unit: 1e-9)
            for row in rows {
                if let percent = Self.number(row, "percentage"), let value = Self.number(row, "latency") {
                    percentiles.append((percent / 100, value * 1e-9))
                }
            }
            return true
        }
        if let total = root["Total"] as? Object, total["meanResTime"] != nil {
            take(
                "JMeter", better: "jmeter -l results.jtl", count: Self.number(total, "sampleCount"),
                least: Self.number(total, "minResTime"), mean: Self.number(total, "meanResTime"),
                most: Self.number(total, "maxResTime"), unit: 1e-3)
            for (name, share) in [
                ("medianResTime", 0.5), ("pct1ResTime", 0.9), ("pct2ResTime", 0.95), ("pct3ResTime", 0.99),
            ] {
                if let value = Self.number(total, name) { percentiles.append((share, value * 1e-3)) }
            }
            return true
        }
        if let results = root["results"] as? [Object] {
            let statistics = results.last?["statistics"] as? [Object] ?? []
            guard let own = statistics.first(where: { ($0["id"] as? String)?.contains("request_to_response") == true })
            else { return false }
            func length(_ value: Any?) -> Double? { (value as? String).flatMap { Self.seconds($0) } }
            take("nighthawk", count: Self.number(own, "count"), unit: 1)
            (mean, deviation) = (length(own["mean"]), length(own["pstdev"]))
            (least, most) = (length(own["min"]), length(own["max"]))
            for row in own["percentiles"] as? [Object] ?? [] {
                if let share = Self.number(row, "percentile"), let value = length(row["duration"]) {
                    percentiles.append((share, value))
                }
            }
            return true
        }
        if let value = Self.number(root, "response_time"), let hits = Self.number(root, "transactions") {
            take("siege", count: hits, mean: value, unit: 1)
            rounding = 0.005
            return true
        }
        return false
    }

    // MARK: Text

    private mutating func takeText(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        if let head = lines.first?.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if head.contains("Resp Time"), head.contains("Trans") { return takeSiege(head, lines) }
            if head.contains("User Count"), head.contains("50%") { return takeLocust(head, lines) }
        }
        if lines.contains(where: { $0.contains("request_to_response (") }) { return takeNighthawk(lines) }
        if let row = lines.last(where: { $0.hasPrefix("stats: request ") }) { return takeTsung(row) }
        if let row = lines.first(where: { $0.contains("http_req_duration") && $0.contains("avg=") }) {
            return takeK6(row, lines)
        }
        if let row = lines.first(where: { $0.hasPrefix("Latencies") && $0.contains("[") }) {
            return takeVegeta(row, lines)
        }
        if let head = lines.first(where: { $0.contains("│ Stat") }),
            let row = lines.first(where: { $0.contains("│ Latency") })
        {
            return takeTable(head, row, lines)
        }
        return takeReport(text, lines)
    }

    /// The table that autocannon prints.
    private mutating func takeTable(_ head: String, _ row: String, _ lines: [String]) -> Bool {
        func cells(_ line: String) -> [String] {
            line.split(separator: "│").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let count = lines.lazy.compactMap { $0.firstMatch(of: #/^(\d+(?:\.\d+)?)(k?) requests in /#) }.first
        take("autocannon", count: count.flatMap { Double($0.1) }.map { $0 * (count?.2 == "k" ? 1_000 : 1) }, unit: 1)
        for (name, cell) in zip(cells(head), cells(row)) {
            guard let value = Self.seconds(cell) else { continue }
            switch name {
            case "Avg": mean = value
            case "Stdev": deviation = value
            case "Max": most = value
            default: if let share = Self.share(name) { percentiles.append((share, value)) }
            }
        }
        return true
    }

    private mutating func takeSiege(_ head: [String], _ lines: [String]) -> Bool {
        let cells = lines.last?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
        guard cells.count == head.count, let mean = head.firstIndex(of: "Resp Time").flatMap({ Double(cells[$0]) }),
            let count = head.firstIndex(of: "Trans").flatMap({ Double(cells[$0]) })
        else { return false }
        take("siege", count: count, mean: mean, unit: 1)
        rounding = 0.005
        if lines.count > 2 { remark = "the last of \(lines.count - 1) rows is read" }
        return true
    }

    private mutating func takeLocust(_ head: [String], _ lines: [String]) -> Bool {
        func cells(_ line: String) -> [String] {
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let name = head.firstIndex(of: "Name"), let middle = head.firstIndex(of: "50%") else { return false }
        let rows = lines.dropFirst().map(cells).filter {
            $0.count == head.count && $0[name] == "Aggregated" && Double($0[middle]) != nil
        }
        guard let last = rows.last else { return false }
        func value(_ column: String) -> Double? { head.firstIndex(of: column).flatMap { Double(last[$0]) } }
        take(
            "Locust", count: value("Total Request Count"), least: value("Total Min Response Time"),
            mean: value("Total Average Response Time"), most: value("Total Max Response Time"), unit: 1e-3)
        for (index, column) in head.enumerated() where column.last == "%" {
            if let share = Self.share(column), let value = Double(last[index]) {
                percentiles.append((share, value * 1e-3))
            }
        }
        remark = "its history has the percentiles of some ten seconds in each row, of which the last one is read"
        return true
    }

    private mutating func takeNighthawk(_ lines: [String]) -> Bool {
        guard let at = lines.firstIndex(where: { $0.contains("request_to_response (") }) else { return false }
        take("nighthawk", count: lines[at].firstMatch(of: #/\((\d+) samples\)/#).flatMap { Double($0.1) }, unit: 1)
        for line in lines[(at + 1)...] {
            if line.contains("samples)") { break }
            for match in line.matches(of: #/(min|mean|max|pstdev): ([0-9smuh ]+)/#) {
                let value = Self.seconds(match.2)
                switch match.1 {
                case "min": least = value
                case "mean": mean = value
                case "max": most = value
                default: deviation = value
                }
            }
            if let match = line.firstMatch(of: #/^\s*([01]\.?\d*)\s+\d+\s+(\d.*)$/#), let share = Double(match.1),
                let value = Self.seconds(match.2)
            {
                percentiles.append((share, value))
            }
        }
        return true
    }

    /// The count, mean, deviation, greatest and least of the last ten seconds, and the mean and count of all, in
    /// milliseconds.
    private mutating func takeTsung(_ row: String) -> Bool {
        let numbers = row.split(separator: " ").dropFirst(2).compactMap { Double($0) }
        guard numbers.count >= 7 else { return false }
        take("tsung", count: numbers[6], mean: numbers[5], deviation: numbers[2], unit: 1e-3)
        remark = "its deviation is that of the last ten seconds"
        return true
    }

    private mutating func takeK6(_ row: String, _ lines: [String]) -> Bool {
        let count = lines.lazy.compactMap { $0.firstMatch(of: #/http_reqs[.\s]*:\s*(\d+)/#) }.first
        take("k6", better: "k6 run --out json=FILE", count: count.flatMap { Double($0.1) }, unit: 1)
        for match in row.matches(of: #/([a-z0-9().]+)=([0-9.]+(?:[a-zµμ0-9.]*))/#) {
            guard let value = Self.seconds(match.2) else { continue }
            switch match.1 {
            case "avg": mean = value
            case "min": least = value
            case "max": most = value
            default: if let share = Self.share(String(match.1)) { percentiles.append((share, value)) }
            }
        }
        return true
    }

    private mutating func takeVegeta(_ row: String, _ lines: [String]) -> Bool {
        guard let match = row.firstMatch(of: #/\[([^\]]+)\]\s+(.+)$/#) else { return false }
        let names = match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let values = match.2.split(separator: ",").map { Self.seconds($0) }
        guard names.count == values.count else { return false }
        let count = lines.lazy.compactMap { $0.firstMatch(of: #/^Requests\s+\[total[^\]]*\]\s+(\d+)/#) }.first
        take("vegeta", better: "vegeta encode", count: count.flatMap { Double($0.1) }, unit: 1)
        for (name, value) in zip(names, values) {
            guard let value else { return false }
            switch name {
            case "min": least = value
            case "mean": mean = value
            case "max": most = value
            default: if let share = Self.share(name) { percentiles.append((share, value)) }
            }
        }
        return true
    }

    /// Reports whose lines say what they are: of wrk, hey, oha, ab, bombardier, drill, fortio, h2load, artillery and
    /// siege.
    private mutating func takeReport(_ text: String, _ lines: [String]) -> Bool {
        let programs: [(mark: String, name: String, better: String?, unit: Double?)] = [
            ("Thread Stats", "wrk", nil, nil), ("Bombarding", "bombardier", nil, nil),
            ("Details (average, fastest", "hey", "hey -o csv", nil),
            ("Success rate:", "oha", "oha --output-format csv", nil),
            ("Latency distribution:", "hey", "hey -o csv", nil), ("Time per request:", "ab", "ab -g FILE", 1e-3),
            ("'th percentile", "drill", nil, nil), ("time for request:", "h2load", "h2load --log-file=FILE", nil),
            ("http.response_time:", "artillery", nil, 1e-3), ("Aggregated Function Time", "fortio", nil, 1),
            ("Transaction rate:", "siege", nil, nil),
        ]
        guard let program = programs.first(where: { text.contains($0.mark) }) else { return false }
        take(program.name, better: program.better, count: nil, unit: 1)
        func length(_ text: some StringProtocol) -> Double? {
            Self.seconds(text)
                ?? program.unit.flatMap { unit in
                    Double(text.trimmingCharacters(in: .whitespaces)).map { $0 * unit }
                }
        }
        var isInside = program.name != "artillery"
        var answers = 0.0
        for line in lines {
            if line.contains("http.response_time:") {
                isInside = true
            } else if line.hasPrefix("http.") {
                isInside = false
            }
            // `50%  133.00ms`, `50% in 0.1330 secs`, `99.0'th percentile 380ms`, `# target 50% 0.133`, `p95: .... 300`.
            if isInside,
                let match = line.firstMatch(
                    of:
                        #/^\s*(?:# target )?p?(\d+(?:\.\d+)?)\s?(?:%|'th percentile|:)(?: in)?[\s.]*(\d\S*(?: m?secs?| ms| us| s)?)\s*(?:\(longest request\))?$/#
                ),
                let share = Self.share(String(match.1)), let value = length(match.2)
            {
                percentiles.append((share, value))
            }
            if let match = line.firstMatch(
                of:
                    #/^\s*(?:time for request:|Latency)\s+([0-9.]+[a-zµμ]+)\s+([0-9.]+[a-zµμ]+)\s+([0-9.]+[a-zµμ]+)(?:\s+([0-9.]+[a-zµμ]+))?/#
            ) {
                let values = [match.1, match.2, match.3].map { Self.seconds($0) }
                if program.name == "h2load" {
                    (least, most, mean, deviation) = (
                        values[0], values[1], values[2], match.4.flatMap { Self.seconds($0) }
                    )
                } else {
                    (mean, deviation, most) = (values[0], values[1], values[2])
                }
            }
            if let match = line.firstMatch(
                of: #/count (\d+) avg ([0-9.e-]+) \+\/- ([0-9.e-]+) min ([0-9.e-]+) max ([0-9.e-]+)/#)
            {
                count = Int(match.1) ?? 0
                (mean, deviation, least, most) = (Double(match.2), Double(match.3), Double(match.4), Double(match.5))
            }
            if let match = line.firstMatch(
                of:
                    #/^\s*(Average|Slowest|Fastest|Median time per request|Average time per request|Sample standard deviation|Response time|Longest transaction|Shortest transaction|min|max|mean|median)\s*:?[\s.]*(\d[0-9.]*\s*[a-zµμ]*)\s*$/#
            ),
                isInside, let value = length(match.2)
            {
                switch match.1 {
                case "Average", "Average time per request", "mean": mean = value
                case "Response time":
                    mean = value
                    rounding = 0.005
                case "Slowest", "Longest transaction", "max": most = value
                case "Fastest", "Shortest transaction", "min": least = value
                case "Sample standard deviation": deviation = value
                default: percentiles.append((0.5, value))
                }
            }
            // `Total:  50 151 80.0 133 400` of ab: least, mean, deviation, median and greatest.
            if program.name == "ab",
                let match = line.firstMatch(of: #/^Total:\s+([0-9.]+)\s+([0-9.]+)\s+([0-9.]+)\s+[0-9.]+\s+([0-9.]+)/#)
            {
                (least, mean) = (length(match.1), length(match.2))
                (deviation, most) = (length(match.3), length(match.4))
            }
            if let match = line.firstMatch(of: #/^\s*\[\d+\]\s+(\d+) responses/#) { answers += Double(match.1) ?? 0 }
            if let match = line.firstMatch(of: #/\dxx - (\d+)/#), line.contains("2xx") {
                answers += line.matches(of: #/\dxx - (\d+)/#).reduce(0) { $0 + (Double($1.1) ?? 0) }
                _ = match
            }
            if let match = line.firstMatch(
                of: #/^\s*(?:Complete requests:|Total requests|Transactions:|requests:|http\.requests:[\s.]*)\s*(\d+)/#)
                ?? line.firstMatch(of: #/^\s*(\d+) requests in /#)
            {
                count = Int(match.1) ?? count
            }
        }
        if answers > 0 { count = Int(answers) }
        return true
    }
}

// MARK: Latencies

extension LoadSummary {
    /// Which of the latencies that the figures allow.
    enum Choice: CaseIterable { case between, shortest, longest }

    /// So many latencies stand for requests whose number is not said.
    private static let usualCount = 100
    private static let mostCount = 20_000

    var isCountKnown: Bool { count > 0 }
    /// How many latencies a fit gets.
    private var size: Int { min(max(isCountKnown ? count : Self.usualCount, 5), Self.mostCount) }

    /// Latencies in seconds, in their order, with these percentiles: between two of them evenly, all as short as the
    /// shorter one, or all as long as the longer one. Without percentiles those of the gamma distribution with the mean
    /// and deviation; without a deviation, of the exponential one.
    func latencies(_ choice: Choice) -> [Double] {
        let size = size
        let shares = (0..<size).map { (Double($0) + 0.5) / Double(size) }
        guard percentiles.count >= 2 else { return moments(shares) }
        var knots = percentiles
        if let least, least <= knots[0].seconds { knots.insert((0, least), at: 0) }
        if knots[0].share > 0 { knots.insert((0, min(knots[0].seconds, 0.5 * knots[0].seconds)), at: 0) }
        // Nothing is said of the longest ones but by a greatest: as far again as the last percentiles are apart.
        if knots[knots.count - 1].share < 1 {
            let (last, before) = (knots[knots.count - 1], knots[knots.count - 2])
            knots.append((1, last.seconds + max(last.seconds - before.seconds, 0)))
        }
        var at = 0
        return shares.map { share in
            while at + 2 < knots.count, knots[at + 1].share < share { at += 1 }
            let (low, high) = (knots[at], knots[at + 1])
            let part =
                switch choice {
                case .between: high.share > low.share ? (share - low.share) / (high.share - low.share) : 1
                case .shortest: 0.0
                case .longest: 1.0
                }
            return low.seconds + (high.seconds - low.seconds) * min(1, max(0, part))
        }
    }

    private func moments(_ shares: [Double]) -> [Double] {
        let mean = mean ?? 0
        let shape = deviation.map { $0 > 0 ? min(1_000, max(0.2, mean * mean / ($0 * $0))) : 1_000 } ?? 1
        return shares.map { share in
            // The inverse by halving: the distribution function rises.
            var (low, high) = (0.0, mean * 60)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if SpecialFunctions.gammaBelow(middle, shape: shape, mean: mean) < share {
                    low = middle
                } else {
                    high = middle
                }
            }
            return high
        }
    }
}
