import Basics
import ScenarioModel
import Statistics

/// A key of the format and the property of `Root` that takes its value: both are said where the key is declared, so
/// that no other place repeats its name.
struct Key<Root>: Sendable {
    fileprivate(set) var entry: KeyEntry
    /// The property; nil for a key that nothing takes.
    fileprivate let target: (PartialKeyPath<Root> & Sendable)?
    /// Puts the value into the property, if there is one.
    fileprivate let take: @Sendable (CheckedValue, ScenarioAssembly, inout Root) -> Void

    /// A key whose value the property holds as it is. One that is absent leaves the property as it was.
    init<Value: ScenarioValue>(
        _ name: String, _ target: WritableKeyPath<Root, Value> & Sendable, _ form: Form,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil, fleet: KeyEntry.FleetKind = .both
    ) {
        self.init(
            KeyEntry(name, form, defaultValue, rules, meaning, sweep: sweep, evidence: evidence, fleet: fleet), target)
    }

    /// A key whose value becomes the property's.
    init<Value>(
        _ name: String, _ target: WritableKeyPath<Root, Value> & Sendable, _ form: Form,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil, fleet: KeyEntry.FleetKind = .both,
        read: @escaping @Sendable (CheckedValue, ScenarioAssembly) -> Value
    ) {
        self.init(
            name, target, Cases(form: form, make: read), defaultValue, rules, meaning, sweep: sweep, evidence: evidence,
            fleet: fleet)
    }

    /// A key of several forms, each of which says what it makes of the value.
    init<Value>(
        _ name: String, _ target: WritableKeyPath<Root, Value> & Sendable, _ cases: Cases<Value>,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil, fleet: KeyEntry.FleetKind = .both
    ) {
        self.init(
            KeyEntry(
                name, cases.form, defaultValue, rules, meaning, sweep: sweep, evidence: evidence, fleet: fleet),
            target, read: cases.make)
    }

    /// A key of several words, of which one sets the property and the others clear it.
    init<Word: Choice>(
        _ name: String, _ target: WritableKeyPath<Root, Bool> & Sendable, is word: Word,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil, fleet: KeyEntry.FleetKind = .both
    ) {
        self.init(
            name, target, .word(Word.self) { $0 == word }, defaultValue, rules, meaning, sweep: sweep,
            evidence: evidence, fleet: fleet)
    }

    /// A mapping whose keys belong to a part of `Root`.
    init<Part>(
        _ name: String, _ target: WritableKeyPath<Root, Part> & Sendable, _ keys: Keys<Part>,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, evidence: String? = nil,
        fleet: KeyEntry.FleetKind = .both
    ) {
        entry = KeyEntry(name, .block(keys), defaultValue, rules, meaning, evidence: evidence, fleet: fleet)
        self.target = target
        take = { keys.fill(&$2[keyPath: target], from: $0, $1) }
    }

    /// A mapping whose keys belong to a part that `Root` need not have.
    ///
    /// - Parameter base: a part with the properties that no key sets.
    init<Part: Sendable>(
        _ name: String, _ target: WritableKeyPath<Root, Part?> & Sendable, _ keys: Keys<Part>, over base: Part,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, evidence: String? = nil,
        fleet: KeyEntry.FleetKind = .both
    ) {
        entry = KeyEntry(name, .block(keys), defaultValue, rules, meaning, evidence: evidence, fleet: fleet)
        self.target = target
        take = { if $0.isMapping { $2[keyPath: target] = $1.read(keys, of: $0, over: base) } }
    }

    /// A key that several blocks have; in this one the property holds its value as it is.
    init<Value: ScenarioValue>(_ entry: KeyEntry, _ target: WritableKeyPath<Root, Value> & Sendable) {
        self.entry = entry
        self.target = target
        take = { if Value.takesAbsent || !$0.isAbsent { $2[keyPath: target] = Value($0, $1) } }
    }

    /// A key that several blocks have; in this one its value becomes the property's.
    init<Value>(
        _ entry: KeyEntry, _ target: WritableKeyPath<Root, Value> & Sendable,
        read: @escaping @Sendable (CheckedValue, ScenarioAssembly) -> Value
    ) {
        self.entry = entry
        self.target = target
        take = { if !$0.isAbsent { $2[keyPath: target] = read($0, $1) } }
    }

    /// A key that nothing takes.
    fileprivate init(_ entry: KeyEntry) {
        self.entry = entry
        target = nil
        take = { _, _, _ in }
    }
}

/// A value of one or several forms, with what each makes of it: one declaration for check, schema and reading.
struct Cases<Value>: Sendable {
    let form: Form
    let make: @Sendable (CheckedValue, ScenarioAssembly) -> Value

    /// A value that the scenario states as another one.
    static func value<Stated: ScenarioValue>(_ form: Form, _ make: @escaping @Sendable (Stated) -> Value) -> Self {
        Self(form: form) { make(Stated($0, $1)) }
    }

    /// One of some words.
    static func word<Word: Choice>(_ words: Word.Type, _ make: @escaping @Sendable (Word) -> Value) -> Self {
        Self(form: .choice(words)) { value, _ in make(value.choice()) }
    }

    /// A mapping whose keys belong to a part, of which the value is made.
    static func keys<Part: Sendable>(
        _ keys: Keys<Part>, over base: Part,
        _ make: @escaping @Sendable (Stated<Part>, ScenarioAssembly) -> Value
    ) -> Self {
        Self(form: .block(keys)) { make($1.stated(keys, of: $0, over: base), $1) }
    }

    /// Forms that differ in the kind of their node; a value that is wrong is made by the first.
    static func either(_ cases: Self...) -> Self { either(cases) }

    static func either(_ cases: [Self]) -> Self {
        Self(form: .either(cases.map(\.form))) { value, scenario in
            if case .invalid = value.content { return cases[0].make(value, scenario) }
            let kind: Form.NodeKind = value.isMapping ? .mapping : value.isList ? .list : .scalar
            guard let its = cases.first(where: { $0.form.reads(kind) }) else {
                preconditionFailure("\(value.path) has none of its forms: \(value.content)")
            }
            return its.make(value, scenario)
        }
    }

    /// A mapping with exactly one of some keys, each of which makes the value.
    ///
    /// - Parameter base: what a mapping that is wrong makes.
    static func oneOf(_ keys: Keys<Value>, over base: Value) -> Self where Value: Sendable {
        Self(form: .oneOf(keys.form.entries)) { $0.isMapping ? $1.read(keys, of: $0, over: base) : base }
    }

    /// A mapping of which one key says what other keys there are.
    ///
    /// - Parameters:
    ///   - defaultValue: the case of a mapping that states none; nil if it is required.
    ///   - common: keys that every case has, laid over what a case makes.
    ///   - each: the keys of a case, and what they make.
    static func variants<Sort: Choice>(
        of sort: Sort.Type, key: String, meaning: String, defaultValue: Sort? = nil, common: Keys<Value>? = nil,
        _ each: (Sort) -> Self
    ) -> Self {
        let cases = sort.allCases.map { (sort: $0, case: each($0)) }
        let form = Form.Variants(
            key: key, meaning: meaning, defaultValue: defaultValue?.name,
            cases: cases.map { ($0.sort.name, $0.case.form.entries) }, common: common?.form.entries ?? [])
        return Self(form: .variants(form)) { value, scenario in
            let chosen: Sort = value[key].choice()
            var made = cases.first { $0.sort == chosen }!.case.make(value, scenario)
            common?.fill(&made, from: value, scenario)
            return made
        }
    }

    /// A list of mappings.
    static func items<Part: Sendable>(
        _ keys: Keys<Part>, over base: Part, counts: ClosedRange<Int>, identifiedBy key: String? = nil
    ) -> Self where Value == [Stated<Part>] {
        Self(form: .list(.block(keys), counts: counts, identifiedBy: key)) { list, scenario in
            list.items.map { scenario.stated(keys, of: $0, over: base) }
        }
    }

    /// A case of a mapping without keys of its own.
    static func plain(_ value: Value) -> Self where Value: Sendable { Self(form: .block([])) { _, _ in value } }

    /// These cases for a property that need not have a value.
    var optional: Cases<Value?> { map { $0 } }

    func map<Other>(_ make: @escaping @Sendable (Value) -> Other) -> Cases<Other> {
        Cases<Other>(form: form) { make(self.make($0, $1)) }
    }
}

/// The keys of a mapping, and what must hold between them.
struct Keys<Root>: Sendable {
    fileprivate let list: [Key<Root>]
    private let rising: [[String]]
    private let check: (@Sendable (inout Stated<Root>, ScenarioAssembly) -> Void)?
    private(set) var form: Form.Block

    /// - Parameters:
    ///   - mergesByKey: whether a segment overrides the mapping key by key.
    ///   - sharesAddUp: whether the values are shares that add up to 1.
    ///   - alternatives: keys of which at most one is stated.
    ///   - requiresAlternative: whether one of them must be.
    ///   - rivals: two sets of keys that say the same in two ways.
    ///   - rising: keys of which none may be less than the one before.
    ///   - unavailable: keys that there are not, each with its reason.
    ///   - completedElsewhere: required keys that the block over which this one is laid may state.
    ///   - evidence: where the defaults of all keys come from that state nothing else.
    ///   - check: looks at how the values of a mapping fit together, and completes them.
    init(
        mergesByKey: Bool = false, sharesAddUp: Bool = false, alternatives: [String] = [],
        requiresAlternative: Bool = false, rivals: (Set<String>, Set<String>) = ([], []), rising: [[String]] = [],
        unavailable: [String: String] = [:], completedElsewhere: Set<String> = [], evidence: String? = nil,
        @KeyListBuilder<Root> _ list: () -> [Key<Root>],
        check: (@Sendable (inout Stated<Root>, ScenarioAssembly) -> Void)? = nil
    ) {
        self.list = list().map { key in
            var key = key
            key.entry.statedEvidence = key.entry.statedEvidence ?? evidence
            return key
        }
        self.rising = rising
        self.check = check
        form = Form.Block(
            entries: self.list.map(\.entry), sharesAddUp: sharesAddUp, mergesByKey: mergesByKey,
            alternatives: alternatives, requiresAlternative: requiresAlternative, rivals: rivals,
            unavailable: unavailable, completedElsewhere: completedElsewhere)
    }

    /// Puts the values of a mapping into the properties; an absent mapping leaves them as they are.
    func fill(_ root: inout Root, from value: CheckedValue, _ scenario: ScenarioAssembly) {
        if value.isAbsent { return }
        for key in list { key.take(value[key.entry.name], scenario, &root) }
        for names in rising {
            for (first, second) in zip(names, names.dropFirst()) {
                scenario.checkOrder(value[first], value[second], first, second)
            }
        }
        guard let check else { return }
        var stated = stated(root, of: value)
        check(&stated, scenario)
        root = stated.value
    }
}

/// A mapping and the part that its keys have made of it: the properties by themselves, and for each what the scenario
/// states and where.
@dynamicMemberLookup
struct Stated<Root> {
    let mapping: CheckedValue
    var value: Root
    fileprivate let find: @Sendable (PartialKeyPath<Root>) -> CheckedValue

    subscript<Value>(dynamicMember property: WritableKeyPath<Root, Value>) -> Value {
        get { value[keyPath: property] }
        set { value[keyPath: property] = newValue }
    }

    subscript<Value>(dynamicMember property: KeyPath<Root, Value>) -> Value { value[keyPath: property] }

    /// The value that a property comes from.
    subscript(_ property: PartialKeyPath<Root>) -> CheckedValue { find(property) }

    /// Whether all that the mapping states is right.
    var isValid: Bool { mapping.isValid }

    /// The part of what the mapping states.
    func part<Part>(_ part: WritableKeyPath<Root, Part> & Sendable) -> Stated<Part> {
        Stated<Part>(mapping: mapping, value: value[keyPath: part]) { [find] property in
            guard let whole = (part as PartialKeyPath<Root>).appending(path: property) else {
                preconditionFailure("\(property) is no property of \(part)")
            }
            return find(whole)
        }
    }
}

extension Stated: Sendable where Root: Sendable {}

extension Keys {
    /// The same keys for a block that is laid over another one, which describes those that it has too.
    func laid(over other: Form.Block) -> Self {
        var keys = self
        keys.form.describedElsewhere = Set(other.entries.map(\.name))
        return keys
    }

    /// The value in a mapping that a property comes from. Of several keys for one property it is the first that is
    /// there.
    subscript(_ property: PartialKeyPath<Root>, of mapping: CheckedValue) -> CheckedValue {
        let its = list.filter { ($0.target as PartialKeyPath<Root>?) == property }.map { mapping[$0.entry.name] }
        guard let found = its.first(where: { !$0.isAbsent }) ?? its.first else {
            preconditionFailure("no key of \(mapping.path) is bound to \(property)")
        }
        return found
    }

    /// A mapping with the part that was made of it.
    fileprivate func stated(_ root: Root, of mapping: CheckedValue) -> Stated<Root> {
        Stated(mapping: mapping, value: root) { self[$0, of: mapping] }
    }
}

/// Takes keys one by one, so that each is an expression of its own to the compiler.
@resultBuilder enum KeyListBuilder<Root> {
    static func buildExpression(_ key: Key<Root>) -> [Key<Root>] { [key] }
    static func buildExpression(_ keys: [Key<Root>]) -> [Key<Root>] { keys }
    static func buildExpression(_ entry: KeyEntry) -> [Key<Root>] { [Key(entry)] }
    static func buildExpression(_ entries: [KeyEntry]) -> [Key<Root>] { entries.map { Key($0) } }
    static func buildBlock(_ keys: [Key<Root>]...) -> [Key<Root>] { keys.flatMap(\.self) }
}

extension Form {
    /// A mapping with these keys.
    static func block<Root>(_ keys: Keys<Root>) -> Form { .block(keys.form) }

    /// The keys of a mapping with keys of the catalogue.
    fileprivate var entries: [KeyEntry] { if case .block(let block) = self { block.entries } else { [] } }
}

extension ScenarioAssembly {
    /// A value with the properties that a mapping states; the rest, and all if the mapping is absent, are those of
    /// `base`.
    func read<Root>(_ keys: Keys<Root>, of value: CheckedValue, over base: Root) -> Root {
        var root = base
        keys.fill(&root, from: value, self)
        return root
    }

    /// The same, with what the mapping states.
    func stated<Root>(_ keys: Keys<Root>, of value: CheckedValue, over base: Root) -> Stated<Root> {
        keys.stated(read(keys, of: value, over: base), of: value)
    }

    fileprivate func checkOrder(_ least: CheckedValue, _ most: CheckedValue, _ first: String, _ second: String) {
        guard least.isValid, most.isValid, !least.isAbsent, !most.isAbsent,
            let (low, high) = least.ordered, let (next, text) = most.ordered, next < low
        else { return }
        report(most.isStated ? most : least, "\(second) to be at least \(first)", "\(text) and \(high)")
    }
}

extension CheckedValue {
    /// A number to compare by, with its text; nil for what has no order.
    fileprivate var ordered: (number: Int64, text: String)? {
        switch content {
        case .duration(let value): (value.microseconds, TimeText.duration(value))
        case .amount(let value): (value, DecimalText.text(millionths: value))
        default: nil
        }
    }
}

// MARK: Values

/// A type that a property can hold of a checked value, whose form tells the unit.
protocol ScenarioValue: SendableMetatype {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly)
    /// Whether a property holds what is absent too.
    static var takesAbsent: Bool { get }
}

extension ScenarioValue {
    static var takesAbsent: Bool { false }
}

/// A value whose meaning depends on others, with its place.
extension CheckedValue: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value }
    static var takesAbsent: Bool { true }

    /// The value of a property before its key is read.
    static let absent = CheckedValue(content: .absent, form: .anything, origin: .catalogue, path: "", isStated: false)
}

extension Bool: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value.flag }
}

extension Int: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value.count }
}

/// Millionths of an amount, millimetres of a distance, bytes of a size.
extension Int64: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) {
        switch value.form {
        case .distance: self = value.millimetres
        case .size: self = value.bytes
        default: self = value.amount
        }
    }
}

/// A number, seconds of a length of time, metres a second of a speed.
extension Double: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) {
        switch value.form {
        case .duration: self = value.duration.inSeconds
        case .speed: self = value.metresPerSecond
        default: self = value.number
        }
    }
}

extension Duration: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value.duration }
}

extension ClockTime: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value.clock }
}

extension Instant: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = scenario.instant(value) }
}

extension String: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value.text }
}

extension Distribution: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = scenario.distribution(value) }
}

/// Nil for a limit that is `unlimited`.
extension Optional: ScenarioValue where Wrapped: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) {
        if case .limit = value.form, case .text = value.content { self = nil } else { self = Wrapped(value, scenario) }
    }
}

extension Array: ScenarioValue where Element: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) {
        self = value.items.map { Element($0, scenario) }
    }
}

extension Choice {
    init(_ value: CheckedValue, _ scenario: ScenarioAssembly) { self = value.choice() }
}
