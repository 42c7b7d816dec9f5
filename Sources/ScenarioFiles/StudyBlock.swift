/// The `study` block of a scenario: how its keys are varied over many runs. Its texts are checked for their form here,
/// and for what they mean in `Studies`.
package struct StudyBlock: Hashable, Sendable {
    /// One thing that is varied.
    package struct Axis: Hashable, Sendable {
        /// The name of its column.
        package var name: String
        /// The key path that it sets, `kinds.weather.policy.jitter`.
        package var key: String
        package var values: Values

        package enum Values: Hashable, Sendable {
            /// Each as the YAML text that stands after `key=` in an override.
            case listed([String])
            /// An expression such as `range(0s, 10m, 2m)`.
            case expression(String)
        }
    }

    /// A set of overrides under a name.
    package struct Variant: Hashable, Sendable {
        package var name: String
        /// Each as `key.path=value`.
        package var overrides: [String]

        package init(name: String, overrides: [String]) { (self.name, self.overrides) = (name, overrides) }
    }

    /// Nil for the scenario's name.
    package var name: String?
    /// `grid`, `sobol:N`, `lhs:N` or `csv:FILE`.
    package var design = "grid"
    package var axes: [Axis] = []
    /// Ranges that a user knows of keys that nobody publishes, in place of the published ranges.
    package var unknowns: [Axis] = []
    /// Names of axes, or of unknowns, that go in lockstep.
    package var zip: [[String]] = []
    /// Conditions that every point meets.
    package var conditions: [String] = []
    package var replications = 1
    /// Whether every run has a seed of its own instead of one for each replication.
    package var seedsPerRun = false
    /// Named sets of overrides, in the order of the file.
    package var variants: [Variant] = []
    /// The variant that the others are compared with: the first, unless another is named. Nil without variants.
    package var baseline: String?
}
