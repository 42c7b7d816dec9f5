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
    static func share(_ name: String) -> Double? {
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
    static func seconds(_ text: some StringProtocol) -> Double? {
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

    // MARK: Figures

    /// The figures that a program writes in units of so many seconds.
    mutating func take(
        _ name: String, better: String? = nil, count: Double?, least: Double? = nil, mean: Double? = nil,
        deviation: Double? = nil, most: Double? = nil, unit: Double
    ) {
        (self.name, self.better) = (name, better)
        self.count = count.map { $0 >= 0 && $0 < 1e15 ? Int(cutting: $0.rounded()) : 0 } ?? 0
        func scaled(_ value: Double?) -> Double? { value.map { $0 * unit } }
        (self.least, self.mean) = (scaled(least), scaled(mean))
        (self.deviation, self.most) = (scaled(deviation), scaled(most))
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

/// Summaries as JSON, each known by its members.
extension LoadSummary {
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

    mutating func takeJSON(_ root: [String: Any]) -> Bool {
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
}
