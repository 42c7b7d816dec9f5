/// How the error of forecast content grows with its lead time (C4).
public struct ForecastAccuracy: Hashable, Sendable {
    /// The mean absolute error of a forecast for one hour ahead, above 0, in the content's own unit.
    public var errorAtOneHour: Double
    /// The power of the lead time in hours that the error grows with, 0 or more.
    public var exponent: Double
    /// The unit's name, for reports.
    public var unit: String

    public init(errorAtOneHour: Double, exponent: Double, unit: String) {
        self.errorAtOneHour = errorAtOneHour
        self.exponent = exponent
        self.unit = unit
    }
}
