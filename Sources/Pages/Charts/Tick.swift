/// A mark on an axis with its label.
struct Tick: Hashable, Sendable {
    let value: Double
    let label: String
    /// Whether it begins something larger, such as a day among hours.
    let isStrong: Bool

    init(_ value: Double, _ label: String, isStrong: Bool = false) {
        (self.value, self.label, self.isStrong) = (value, label, isStrong)
    }
}

/// The quantity that the numbers of an axis or a label measure.
package enum Measure: Hashable, Sendable {
    /// Plain numbers and rates.
    case number
    /// 0 to 1, shown as percentages.
    case share
    case bytes
    /// In seconds.
    case duration
}
