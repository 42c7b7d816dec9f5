import Basics
import Foundation

/// Summaries as text, each known by words of its own.
extension LoadSummary {
    mutating func takeText(_ text: String) -> Bool {
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
