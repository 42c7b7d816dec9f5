/// A distribution, weight or probability that the simulator cannot draw from: wrong input, found at set-up.
///
/// Nothing has been computed with the wrong value, and nothing else is affected.
public struct DistributionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parameter, as in `gamma.shape`.
    public let name: String
    /// The value that stands there.
    public let found: String
    /// The value that would be right, as in `a number from 0.2 to 1000.0`.
    public let expected: String

    public init(name: String, found: String, expected: String) {
        (self.name, self.found, self.expected) = (name, found, expected)
    }

    public var description: String { "\(name): expected \(expected), found \(found)" }
}

/// `value`, if it is finite and lies in `range`; otherwise a problem.
func checked(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws(DistributionProblem) {
    guard value.isFinite, range.contains(value) else {
        throw DistributionProblem(
            name: name, found: "\(value)", expected: "a number from \(range.lowerBound) to \(range.upperBound)")
    }
}

/// `value`, if it is finite; otherwise a problem.
func checkedFinite(_ value: Double, _ name: String) throws(DistributionProblem) {
    guard value.isFinite else { throw DistributionProblem(name: name, found: "\(value)", expected: "a finite number") }
}

/// `value`, if it is finite and above 0; otherwise a problem.
func checkedPositive(_ value: Double, _ name: String) throws(DistributionProblem) {
    guard value.isFinite, value > 0 else {
        throw DistributionProblem(name: name, found: "\(value)", expected: "a finite number above 0")
    }
}

/// `value`, if it is finite and not below 0; otherwise a problem.
func checkedNotNegative(_ value: Double, _ name: String) throws(DistributionProblem) {
    guard value.isFinite, value >= 0 else {
        throw DistributionProblem(name: name, found: "\(value)", expected: "a finite number of 0 or more")
    }
}
