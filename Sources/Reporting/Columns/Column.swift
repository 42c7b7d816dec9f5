/// One column of a report, declared once: the header, the dictionary, the table schema and the tests come from here.
public struct Column: Hashable, Sendable {
    public enum ValueType: String, Sendable {
        case string, integer, number, boolean, datetime
    }

    /// How the values of several rows, runs or shards go together.
    public enum Adding: String, Sendable {
        /// It tells rows apart.
        case key
        /// Values of different rows add up.
        case sum
        /// The value of several rows together is the largest.
        case maximum = "max"
        /// It must be computed anew from what adds.
        case none = "not additive"
    }

    public let name: String
    public let type: ValueType
    /// It stands at the end of the name too (`_s`, `_per_s`, `_tokens`). Nil for counts, whose noun is the name, and for plain ratios.
    public let unit: String?
    /// A whole sentence.
    public let meaning: String
    public let adds: Adding
    /// Whether a row can be without it: the cell is empty.
    public let isOptional: Bool

    private init(_ name: String, _ type: ValueType, unit: String?, adds: Adding, optional: Bool, _ meaning: String) {
        self.name = name
        self.type = type
        self.unit = unit
        self.meaning = meaning
        self.adds = adds
        isOptional = optional
    }

    /// A column that tells rows apart.
    static func key(_ name: String, type: ValueType = .string, unit: String? = nil, _ meaning: String) -> Column {
        Column(name, type, unit: unit, adds: .key, optional: false, meaning)
    }

    /// A column of whole numbers that add up.
    static func count(_ name: String, unit: String? = nil, _ meaning: String) -> Column {
        Column(name, .integer, unit: unit, adds: .sum, optional: false, meaning)
    }

    /// A column of numbers with a unit that add up.
    static func amount(_ name: String, unit: String, _ meaning: String) -> Column {
        Column(name, .number, unit: unit, adds: .sum, optional: false, meaning)
    }

    /// A column that does not add up: a share, a mean, a quantile, an instant. Empty where it is not defined.
    static func derived(
        _ name: String, type: ValueType = .number, unit: String? = nil, adds: Adding = .none, optional: Bool = true, _ meaning: String
    ) -> Column {
        Column(name, type, unit: unit, adds: adds, optional: optional, meaning)
    }
}
