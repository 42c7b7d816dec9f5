/// One number that a record tells of the habits of its people.
public struct Estimate: Sendable {
    public enum Unit: Sendable { case plain, duration, clock }

    /// The scenario's key below `population`, with the parameter of its law: `pickups.unlocks_per_day.shape`.
    public var key: String
    /// In hours for durations, in hours from midnight for clock times.
    public var value: Double
    /// The 95 % interval; nil where the record cannot tell one.
    public var interval: (low: Double, high: Double)?
    public var unit: Unit
    /// What was counted to get it.
    public var count: Int
    public var counted: String
    public var method: String
    /// How well the law fits, and anything that a reader must know; empty if there is nothing.
    public var quality: String

    public var valueText: String { text(value) }
    public var intervalText: String { interval.map { "\(text($0.low)) to \(text($0.high))" } ?? "none" }

    private func text(_ value: Double) -> String {
        switch unit {
        case .plain: FitText.number(value)
        case .duration: FitText.duration(hours: value)
        case .clock: FitText.clock(hours: value)
        }
    }
}

/// A key that the record cannot tell, and why.
public struct OmittedKey: Hashable, Sendable {
    public var key, reason: String
}
