import Basics
import ScenarioModel
import Statistics

/// The expected error of a forecast on the screen (C4): the error at one hour, times the lead time in hours to a power.
struct ForecastError {
    /// The logarithm to base 2 of the error at one hour, in millionths of the unit.
    private let level: Double
    private let exponent: Double
    /// Millionths at one hour.
    private let atOneHour: Double

    /// Larger errors than a million million units are counted as that.
    private static let most: Int64 = 1_000_000_000_000_000_000

    init(_ accuracy: ForecastAccuracy) {
        precondition(accuracy.errorAtOneHour > 0 && accuracy.exponent >= 0, "a forecast with \(accuracy)")
        level = DeterministicMath.log2(accuracy.errorAtOneHour * 1e6)
        exponent = accuracy.exponent
        atOneHour = accuracy.errorAtOneHour * 1e6
    }

    /// Millionths of the unit, for a lead time of 0 or more. No lead time is counted as one microsecond, the least
    /// there is.
    func millionths(lead: Duration) -> Int64 {
        let hours = Double(max(1, lead.microseconds)) / 3.6e9
        // The usual exponent is a square root, which every processor rounds alike.
        let error =
            exponent == 0.5
            ? atOneHour * hours.squareRoot() : DeterministicMath.exp2(level + exponent * DeterministicMath.log2(hours))
        return error < Double(Self.most) ? Int64(error + 0.5) : Self.most
    }
}
