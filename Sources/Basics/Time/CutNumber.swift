extension FixedWidthInteger {
    /// The whole part of a number; what lies beyond the type's ends is the nearer end, and what is no number is 0.
    ///
    /// It is the way from a floating-point number to a whole one that cannot trap: for figures that a scenario's
    /// extremes can carry anywhere, and where a later rule bounds the result anyway. Lengths of time have
    /// `Duration(seconds:)`.
    @inlinable public init(cutting value: Double) {
        if value.isNaN {
            self = 0
        } else if value >= Double(Self.max) {
            // The type's own greatest may be no double: its nearest one is not below it.
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else {
            self = Self(value)
        }
    }
}
