/// The declaration of one column: the header, the dictionary, the table schema and the tests come from here.
package struct Column: Hashable, Sendable {
    package enum ValueType: String, Sendable {
        case string, integer, number, boolean, datetime
    }

    /// How the values of several rows, runs or shards go together.
    package enum Aggregation: String, Sendable {
        /// It tells rows apart.
        case key
        /// Values of different rows add up.
        case sum
        /// The value of several rows together is the largest.
        case maximum = "max"
        /// It must be computed again from columns that add.
        case none = "not additive"
    }

    package let name: String
    package let type: ValueType
    /// It stands at the end of the name too (`_s`, `_per_s`, `_tokens`). Nil for counts, whose noun is the name, and
    /// for plain ratios.
    package let unit: String?
    /// A whole sentence.
    package let meaning: String
    package let adds: Aggregation
    /// Whether a row can be without it: the cell is empty.
    package let isOptional: Bool
}
