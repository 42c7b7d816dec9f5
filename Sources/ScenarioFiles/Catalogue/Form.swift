import Basics

/// The values allowed at a key: their type, with unit and range. Checking, schema and dictionary all come from it.
package indirect enum Form: Sendable {
    /// A length of time, from `least` to `most`, both included.
    case duration(least: Duration = .zero, most: Duration = .days(3660))
    /// A length of time of at least `least`, or a word in its place.
    case durationOr(String, least: Duration)
    /// A whole number.
    case count(ClosedRange<Int64>)
    /// A whole number, or `unlimited`.
    case limit(ClosedRange<Int64>)
    /// A decimal number; `isOpenBelow` if the lower bound itself is not allowed.
    case number(ClosedRange<Double>, isOpenBelow: Bool = false)
    /// A decimal number of at most six decimals, kept as millionths.
    case amount(ClosedRange<Int64>, isOpenBelow: Bool = false)
    case boolean
    case choice([String])
    /// Any text of one line or more.
    case text
    /// An id: letters, digits, `_` and `-`.
    case name
    /// A name that is no id, such as that of a scenario, a place or a symbol: a short text of one line (`NameText`).
    case label
    /// An edge region; in a replay a time zone.
    case region
    /// An instant: a date-time with an offset, or, if `afterStart`, a duration after `start`.
    case instant(afterStart: Bool)
    /// A span [from, to) of instants, as a list of the two.
    case span
    /// A local clock time in quotes.
    case clock
    /// A date of the calendar.
    case date
    /// An IANA zone; `local`, if allowed, for the device's own.
    case zone(allowsLocal: Bool)
    /// A length in `m` or `km`, kept in millimetres.
    case distance(ClosedRange<Int64>)
    /// A speed in `m/s` or `km/h`.
    case speed(ClosedRange<Double>)
    /// A number of bytes with a unit, `4kB` or `4KiB`.
    case size(ClosedRange<Int64>)
    /// A bound on a metric: a number, a length of time, a size or a percentage.
    case bound
    /// A named point: `name x y`, metres.
    case place
    /// A key path of a scenario, `kinds.weather.policy.after`.
    case keyPath
    /// An expression that makes values, as a text; `Studies` knows what it may say.
    case expression
    /// How a study's points are chosen: `grid`, `sobol:N`, `lhs:N` or `csv:FILE`.
    case design
    /// A value of any kind; the key that it is set over gives its form.
    case anything
    /// A distribution from which values are drawn.
    case distribution(DistributionSubject)
    case list(Form, counts: ClosedRange<Int>, identifiedBy: String? = nil)
    /// A mapping whose keys the scenario chooses.
    case table(Table)
    /// A mapping with the keys of the catalogue.
    case block(Block)
    /// A mapping of which one key says what other keys there are.
    case variants(Variants)
    /// A mapping with exactly one of some keys.
    case oneOf([KeyEntry])
    /// Forms that differ in the kind of their node (text, list or mapping): the node decides.
    case either([Form])

    package struct Table: Sendable {
        /// Each with the word for one of them.
        package enum Keys: String, Sendable {
            case zones = "zone"
            case cities = "city"
            case regions = "region"
            case apps = "app"
            case choices = "choice"
            case kinds = "kind"
            case axes = "axis"
            case keyPaths = "key path"
            case variants = "name"
            case parameters = "key"
        }
        package var keys: Keys
        package var value: Form
        /// Whether the values are shares that add up to 1.
        package var sharesAddUp = false
    }

    package struct Block: Sendable {
        package var entries: [KeyEntry]
        package var sharesAddUp = false
        /// Whether a segment overrides it key by key instead of as a whole.
        var mergesByKey = false
        /// Keys of which at most one is stated.
        var alternatives: [String] = []
        /// Whether one of them must be stated.
        var requiresAlternative = false
        /// Two sets of keys that say the same in two ways: a segment that states keys of one set replaces the
        /// population's of the other.
        var rivals: (Set<String>, Set<String>) = ([], [])
        /// Keys that the model knows and this version does not, each with its reason.
        var unavailable: [String: String] = [:]
        /// Keys that are another block's too and are described there: this block overrides that one.
        var describedElsewhere: Set<String> = []
        /// Required keys that the block over which this one is laid may state in its place.
        var completedElsewhere: Set<String> = []
    }

    package struct Variants: Sendable {
        /// The key that tells them apart.
        package var key: String
        var meaning: String
        /// The value of that key if it is absent; nil if it is required.
        var defaultValue: String?
        package var cases: [(name: String, entries: [KeyEntry])]
        /// Keys that every case has.
        package var common: [KeyEntry] = []
    }
}

extension Form {
    /// A form by the parts that it is made of, for everything that does not tell one scalar from another.
    enum Structure {
        case scalar, distribution(DistributionSubject), span, anything
        case list(Form, counts: ClosedRange<Int>, identifiedBy: String?)
        case table(Table), block(Block), variants(Variants), oneOf([KeyEntry]), either([Form])
    }

    var structure: Structure {
        switch self {
        case .duration, .durationOr, .count, .limit, .number, .amount, .boolean, .choice, .text, .name, .label, .region,
            .instant,
            .clock,
            .date, .zone,
            .distance, .speed, .size, .bound, .place, .keyPath, .expression, .design:
            .scalar
        case .distribution(let subject): .distribution(subject)
        case .span: .span
        case .anything: .anything
        case .list(let item, let counts, let key): .list(item, counts: counts, identifiedBy: key)
        case .table(let table): .table(table)
        case .block(let block): .block(block)
        case .variants(let variants): .variants(variants)
        case .oneOf(let entries): .oneOf(entries)
        case .either(let forms): .either(forms)
        }
    }

    /// A mapping with these keys of the catalogue.
    static func block(
        _ entries: [KeyEntry], sharesAddUp: Bool = false, mergesByKey: Bool = false, unavailable: [String: String] = [:]
    ) -> Form {
        .block(
            Block(entries: entries, sharesAddUp: sharesAddUp, mergesByKey: mergesByKey, unavailable: unavailable))
    }

    /// The form of a key's value; nil for a key that the form does not declare.
    ///
    /// - Parameter chosen: the case of a mapping with variants, whose keys alone count then.
    func form(of key: String, chosen: String?) -> Form? {
        switch structure {
        case .block(let block): block.entries.first { $0.name == key }?.form
        case .variants(let variants): variants.entries(of: chosen).first { $0.name == key }?.form
        case .oneOf(let entries): entries.first { $0.name == key }?.form
        case .either(let forms): forms.lazy.compactMap { $0.form(of: key, chosen: chosen) }.first
        case .scalar, .distribution, .span, .anything, .list, .table: nil
        }
    }
}

extension Form.Variants {
    /// The key that tells the cases apart.
    var selector: KeyEntry {
        KeyEntry(key, .choice(cases.map(\.name)), defaultValue.map { .value($0) } ?? .required, "", meaning)
    }

    /// The keys of a case, or of all of them.
    func entries(of chosen: String?) -> [KeyEntry] {
        [selector] + cases.filter { chosen == nil || $0.name == chosen }.flatMap(\.entries) + common
    }
}

/// The quantity that a distribution describes.
package enum DistributionSubject: Sendable { case duration, count, clock }

/// A key of the format: declared once, here its type, its default, its rules and its meaning.
package struct KeyEntry: Sendable {
    package let name: String
    package let form: Form
    let defaultValue: DefaultValue
    /// The rules of the model that it belongs to, `G2` or `B2, B3`.
    let rules: String
    /// One sentence.
    let meaning: String
    /// The range worth sweeping, if the default is an assumption.
    let sweep: String?
    /// As it is stated for the key, or for all keys beside it.
    var statedEvidence: String?
    /// Where the default comes from, if it is an assumption or from data.
    var evidence: String? { statedEvidence == "" ? nil : statedEvidence ?? sweep.map { _ in "assumption" } }
    package let fleet: FleetKind

    /// Which scenarios have the key.
    package enum FleetKind: Sendable { case both, drawn, replay }

    enum DefaultValue: Sendable {
        case required
        /// Absent unless it is written.
        case none
        /// YAML text that stands for the absent value.
        case value(String)
        case byFleet(drawn: String, replay: String)
        /// YAML text that stands for the absent value, unless a key before it in the same mapping is there.
        case unless(String, YAML: String)
        /// From keys before it in the same mapping: words for the dictionary, and YAML text.
        case computed(String, @Sendable (CheckedValue) -> String?)
        /// A value that follows from other keys, and is absent where they give no text.
        case sometimes(String, @Sendable (CheckedValue) -> String?)
        case fileName

        /// Absent unless it is written; words say what holds then.
        static func sometimes(_ words: String) -> Self { .sometimes(words) { _ in nil } }
    }

    /// - Parameter evidence: unless it is stated, a default with a range worth sweeping is an assumption; empty for
    ///   nothing.
    init(
        _ name: String, _ form: Form, _ defaultValue: DefaultValue = .none, _ rules: String = "", _ meaning: String,
        sweep: String? = nil,
        evidence: String? = nil, fleet: FleetKind = .both
    ) {
        (self.name, self.form, self.defaultValue, self.rules) = (name, form, defaultValue, rules)
        (self.meaning, self.sweep, statedEvidence, self.fleet) = (meaning, sweep, evidence, fleet)
    }
}

extension KeyEntry {
    package var isRequired: Bool { if case .required = defaultValue { true } else { false } }
}

extension KeyEntry.DefaultValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .value(value) }
}
