/// One number that a record tells of the habits of its people.
package struct Estimate: Sendable {
    package enum Unit: Sendable { case plain, duration, clock }

    /// The scenario's key below `population`, with the parameter of its law: `pickups.unlocks_per_day.shape`.
    package var key: String
    /// In hours for durations, in hours from midnight for clock times.
    package var value: Double
    /// The 95 % interval; nil where the record cannot tell one.
    package var interval: (low: Double, high: Double)?
    package var unit: Unit
    /// The number of observations behind the estimate.
    package var count: Int
    package var counted: String
    package var method: String
    /// How well the distribution fits, and anything that a reader must know; empty if there is nothing.
    package var quality: String

    package var valueText: String { text(value) }
    package var intervalText: String { interval.map { "\(text($0.low)) to \(text($0.high))" } ?? "none" }

    private func text(_ value: Double) -> String {
        switch unit {
        case .plain: FitText.number(value)
        case .duration: FitText.duration(hours: value)
        case .clock: FitText.clock(hours: value)
        }
    }
}

/// A key that the record cannot tell, and why.
package struct OmittedKey: Hashable, Sendable {
    package var key, reason: String
}
