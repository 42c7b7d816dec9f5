import Basics
import Foundation

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
