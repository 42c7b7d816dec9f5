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
