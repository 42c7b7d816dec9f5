import Basics

/// One number that a record tells.
package struct Estimate: Sendable {
    package enum Unit: Sendable {
        case plain, duration, clock, seconds

        /// In a result for programs.
        package var name: String {
            switch self {
            case .plain: "1"
            case .duration, .clock: "h"
            case .seconds: "s"
            }
        }
    }

    /// The scenario's key below `population`, with the parameter of its distribution, `pickups.unlocks_per_day.shape`;
    /// for a service below its pool.
    package var key: String
    /// In hours for durations, in hours from midnight for clock times, in seconds for `seconds`.
    package var value: Double
    /// The 95 % interval; nil where the record cannot tell one.
    package var interval: (low: Double, high: Double)?
    package var unit: Unit
    /// The number of observations behind the estimate.
    package var count: Int
    package var counted, method: String
    /// How well the distribution fits, and anything that a reader must know; empty if there is nothing.
    package var quality: String

    package var valueText: String { text(value) }
    package var intervalText: String { interval.map { "\(text($0.low)) to \(text($0.high))" } ?? "none" }

    private func text(_ value: Double) -> String {
        switch unit {
        case .plain: FitText.number(value)
        case .duration: FitText.duration(hours: value)
        case .clock: FitText.clock(hours: value)
        case .seconds: FitText.fine(seconds: value)
        }
    }
}

extension Collection<Estimate> {
    /// A row for every estimate, under a header; columns are as wide as their widest cell.
    ///
    /// - Parameter keys: the header of the first column.
    func table(keys: String) -> String {
        var table = AlignedTable(
            header: [keys, "estimate", "95 % interval", "n", "how", "fit"], toTheLeft: Set(0..<6))
        for estimate in self {
            table.add([
                estimate.key, estimate.valueText, estimate.intervalText,
                "\(FigureText.grouped(estimate.count)) \(estimate.counted)", estimate.method, estimate.quality,
            ])
        }
        return table.text
    }
}

/// A key that the record cannot tell, and why.
package struct OmittedKey: Hashable, Sendable {
    package var key, reason: String
}

/// The estimates of some keys that a record gives, and the keys that it cannot tell, as people and scenarios take them.
package protocol ParameterFit {
    /// Keys of the same part of a scenario that no such record tells.
    static var untold: [String] { get }
    var estimates: [Estimate] { get set }
    var omitted: [OmittedKey] { get set }
    var notes: [String] { get }
    /// A sentence about what was read.
    var extent: String { get }
    /// A row for every parameter.
    var table: String { get }

    /// The fragment of a scenario with the keys that the record tells.
    ///
    /// - Parameter heading: lines of a comment above it.
    func fragment(heading: [String]) -> String
}

extension ParameterFit {
    mutating func omit(_ keys: String..., because reason: String) {
        for key in keys { omitted.append(OmittedKey(key: key, reason: reason)) }
    }

    mutating func add(
        _ key: String, _ value: Double, _ interval: (low: Double, high: Double)?, unit: Estimate.Unit = .plain,
        count: Int, of counted: String, method: String, quality: String = ""
    ) {
        estimates.append(
            Estimate(
                key: key, value: value, interval: interval, unit: unit, count: count, counted: counted, method: method,
                quality: quality))
    }
}

/// Numbers, durations and clock times as a scenario takes them, rounded to what a fit can tell.
enum FitText {
    static func number(_ value: Double, digits: Int) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return value.isNaN ? "none" : value < 0 ? "-inf" : "inf" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return TimeText.decimal(Int64((value * scale).rounded()), places: digits)
    }

    /// To four digits that count, but no more than four decimals.
    static func number(_ value: Double) -> String {
        let magnitude = value.magnitude
        return number(
            value, digits: magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : magnitude >= 1 ? 3 : 4)
    }

    /// Hours as a duration: whole seconds from a minute on, else milliseconds.
    static func duration(hours: Double) -> String {
        let seconds = max(0, hours * 3_600)
        return TimeText.duration(
            seconds >= 60 ? .seconds(Int64(seconds.rounded())) : .milliseconds(Int64((seconds * 1_000).rounded())))
    }

    /// Seconds as a duration of milliseconds with decimals, or of seconds from one second on: to four digits that
    /// count, in whole microseconds.
    static func fine(seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return seconds.isNaN ? "none" : seconds > 0 ? "inf" : "0s" }
        var (value, scale) = (seconds * 1e6, 1.0)
        while value >= 10_000 { (value, scale) = (value / 10, scale * 10) }
        let microseconds = Int64(cutting: value.rounded() * scale)
        return seconds < 1
            ? TimeText.decimal(microseconds, places: 3) + "ms" : TimeText.decimal(microseconds, places: 6) + "s"
    }

    /// Hours from midnight as `23:04`.
    static func clock(hours: Double) -> String {
        let minutes = ((Int((hours * 60).rounded()) % 1_440) + 1_440) % 1_440
        return TimeText.padded(minutes / 60, to: 2) + ":" + TimeText.padded(minutes % 60, to: 2)
    }
}
