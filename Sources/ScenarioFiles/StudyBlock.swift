/// What a scenario's `study` block states: how its keys are varied over many runs. Its texts are checked for their form here, and for what they mean in
/// `Studies`.
public struct StudyBlock: Hashable, Sendable {
    /// One thing that is varied.
    public struct Axis: Hashable, Sendable {
        /// The name of its column.
        public var name: String
        /// The key path that it sets, `kinds.weather.policy.jitter`.
        public var key: String
        public var values: Values

        public enum Values: Hashable, Sendable {
            /// Each as the YAML text that stands after `key=` in an override.
            case listed([String])
            /// An expression such as `range(0s, 10m, 2m)`.
            case expression(String)
        }

        public init(name: String, key: String, values: Values) {
            self.name = name
            self.key = key
            self.values = values
        }
    }

    /// A set of overrides under a name.
    public struct Variant: Hashable, Sendable {
        public var name: String
        /// Each as `key.path=value`.
        public var overrides: [String]

        public init(name: String, overrides: [String]) {
            self.name = name
            self.overrides = overrides
        }
    }

    /// Nil for the scenario's name.
    public var name: String?
    /// `grid`, `sobol:N`, `lhs:N` or `csv:FILE`.
    public var design: String
    public var axes: [Axis]
    /// Names of axes that go in lockstep.
    public var zip: [[String]]
    /// Conditions that every point meets.
    public var conditions: [String]
    public var replications: Int
    /// Whether every run has a seed of its own instead of one for each replication.
    public var seedsPerRun: Bool
    /// Named sets of overrides, in the order of the file.
    public var variants: [Variant]
    /// The variant that the others are compared with: the first, unless another is named. Nil without variants.
    public var baseline: String?

    public init(
        name: String? = nil, design: String = "grid", axes: [Axis] = [], zip: [[String]] = [], conditions: [String] = [],
        replications: Int = 1, seedsPerRun: Bool = false, variants: [Variant] = [], baseline: String? = nil
    ) {
        self.name = name
        self.design = design
        self.axes = axes
        self.zip = zip
        self.conditions = conditions
        self.replications = replications
        self.seedsPerRun = seedsPerRun
        self.variants = variants
        self.baseline = baseline
    }
}
