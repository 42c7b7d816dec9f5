/// A demand on one row of the summary: `{metric, op, value}`.
public struct Threshold: Hashable, Sendable {
    public var metric: String
    public var op: Comparison
    public var value: Double

    public enum Comparison: String, CaseIterable, Sendable {
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="

        /// Whether the bound is one from above.
        public var isUpper: Bool {
            switch self {
            case .less, .atMost: true
            case .greater, .atLeast: false
            }
        }

        public func holds(_ measured: Double, _ bound: Double) -> Bool {
            switch self {
            case .less: measured < bound
            case .atMost: measured <= bound
            case .greater: measured > bound
            case .atLeast: measured >= bound
            }
        }
    }

    public init(metric: String, op: Comparison, value: Double) {
        (self.metric, self.op, self.value) = (metric, op, value)
    }
}
