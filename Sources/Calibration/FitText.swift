import Basics

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
