import Basics
import ScenarioModel
import Statistics

/// A key of the format and the property of `Root` that takes its value: both are said where the key is declared, so
/// that no other place repeats its name.
struct Key<Root>: Sendable {
    fileprivate(set) var entry: KeyEntry
    /// Puts the value into the property, if there is one.
    fileprivate let take: @Sendable (CheckedValue, ScenarioContext, inout Root) -> Void

    /// A key whose value the property holds as it is. One that is absent leaves the property as it was.
    init<Value: ScenarioValue>(
        _ name: String, _ target: WritableKeyPath<Root, Value> & Sendable, _ form: Form,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil, fleet: KeyEntry.FleetKind = .both
    ) {
        self.init(name, target, form, defaultValue, rules, meaning, sweep: sweep, evidence: evidence, fleet: fleet) {
            Value($0, $1)
        }
    }

    /// A key whose value becomes the property's.
    init<Value>(
        _ name: String, _ target: WritableKeyPath<Root, Value> & Sendable, _ form: Form,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil, fleet: KeyEntry.FleetKind = .both,
        read: @escaping @Sendable (CheckedValue, ScenarioContext) -> Value
    ) {
        entry = KeyEntry(name, form, defaultValue, rules, meaning, sweep: sweep, evidence: evidence, fleet: fleet)
        take = { if !$0.isAbsent { $2[keyPath: target] = read($0, $1) } }
    }

    /// A key of several words, of which one sets the property and the others clear it.
    init<Word: Choice>(
        _ name: String, _ target: WritableKeyPath<Root, Bool> & Sendable, is word: Word,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, sweep: String? = nil,
        evidence: String? = nil
    ) {
        self.init(name, target, .choice(Word.self), defaultValue, rules, meaning, sweep: sweep, evidence: evidence) {
            value, _ in value.choice() == word
        }
    }

    /// A mapping whose keys belong to a part of `Root`.
    init<Part>(
        _ name: String, _ target: WritableKeyPath<Root, Part> & Sendable, _ keys: Keys<Part>,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, evidence: String? = nil
    ) {
        entry = KeyEntry(name, .block(keys), defaultValue, rules, meaning, evidence: evidence)
        take = { keys.fill(&$2[keyPath: target], from: $0, $1) }
    }

    /// A mapping whose keys belong to a part that `Root` need not have.
    ///
    /// - Parameter base: a part with the properties that no key sets.
    init<Part: Sendable>(
        _ name: String, _ target: WritableKeyPath<Root, Part?> & Sendable, _ keys: Keys<Part>, over base: Part,
        _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String, fleet: KeyEntry.FleetKind = .both
    ) {
        entry = KeyEntry(name, .block(keys), defaultValue, rules, meaning, fleet: fleet)
        take = { if $0.isMapping { $2[keyPath: target] = $1.read(keys, of: $0, over: base) } }
    }

    /// A key that several blocks have; in this one the property holds its value as it is.
    init<Value: ScenarioValue>(_ entry: KeyEntry, _ target: WritableKeyPath<Root, Value> & Sendable) {
        self.entry = entry
        take = { if !$0.isAbsent { $2[keyPath: target] = Value($0, $1) } }
    }

    /// A key that the assembly reads itself, because its meaning depends on others.
    init(
        _ name: String, _ form: Form, _ defaultValue: KeyEntry.DefaultValue, _ rules: String, _ meaning: String,
        sweep: String? = nil, evidence: String? = nil, fleet: KeyEntry.FleetKind = .both
    ) {
        self.init(KeyEntry(name, form, defaultValue, rules, meaning, sweep: sweep, evidence: evidence, fleet: fleet))
    }

    fileprivate init(_ entry: KeyEntry) {
        self.entry = entry
        take = { _, _, _ in }
    }
}

/// The keys of a mapping, and what must hold between them.
struct Keys<Root>: Sendable {
    private let list: [Key<Root>]
    private let rising: [[String]]
    let form: Form.Block

    /// - Parameters:
    ///   - mergesByKey: whether a segment overrides the mapping key by key.
    ///   - alternatives: keys of which at most one is stated.
    ///   - rivals: two sets of keys that say the same in two ways.
    ///   - rising: keys of which none may be less than the one before.
    ///   - unavailable: keys that there are not, each with its reason.
    ///   - completedElsewhere: required keys that the block over which this one is laid may state.
    ///   - evidence: where the defaults of all keys come from that state nothing else.
    init(
        mergesByKey: Bool = false, alternatives: [String] = [], rivals: (Set<String>, Set<String>) = ([], []),
        rising: [[String]] = [], unavailable: [String: String] = [:], completedElsewhere: Set<String> = [],
        evidence: String? = nil, @KeyListBuilder<Root> _ list: () -> [Key<Root>]
    ) {
        self.list = list().map { key in
            var key = key
            key.entry.statedEvidence = key.entry.statedEvidence ?? evidence
            return key
        }
        self.rising = rising
        form = Form.Block(
            entries: self.list.map(\.entry), mergesByKey: mergesByKey, alternatives: alternatives, rivals: rivals,
            unavailable: unavailable, completedElsewhere: completedElsewhere)
    }

    /// Puts the values of a mapping into the properties; an absent mapping leaves them as they are.
    func fill(_ root: inout Root, from value: CheckedValue, _ scenario: ScenarioContext) {
        if value.isAbsent { return }
        for key in list { key.take(value[key.entry.name], scenario, &root) }
        for names in rising {
            for (first, second) in zip(names, names.dropFirst()) {
                scenario.checkOrder(value[first], value[second], first, second)
            }
        }
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
}

/// The scenario round a value, for values that need more than themselves.
protocol ScenarioContext: AnyObject {
    func instant(_ value: CheckedValue) -> Instant
    func distribution(_ value: CheckedValue) -> Distribution
    /// The index of a zone by its name.
    func zoneIndex(_ name: String) -> Int
    func spans(_ value: CheckedValue) -> [(from: Instant, to: Instant)]
    /// The weekdays of a `days` value, bit 0 Monday.
    func weekdays(_ value: CheckedValue) -> UInt8
    /// The index of an endpoint by its name.
    func endpointIndex(_ name: String) -> Int
    func report(_ value: CheckedValue, _ expected: String, _ found: String)
}

extension ScenarioContext {
    /// A value with the properties that a mapping states; the rest, and all if the mapping is absent, are those of
    /// `base`.
    func read<Root>(_ keys: Keys<Root>, of value: CheckedValue, over base: Root) -> Root {
        var root = base
        keys.fill(&root, from: value, self)
        return root
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
    init(_ value: CheckedValue, _ scenario: ScenarioContext)
}

extension Bool: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = value.flag }
}

extension Int: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = value.count }
}

/// Millionths of an amount, millimetres of a distance, bytes of a size.
extension Int64: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) {
        switch value.form {
        case .distance: self = value.millimetres
        case .size: self = value.bytes
        default: self = value.amount
        }
    }
}

/// A number, seconds of a length of time, metres a second of a speed.
extension Double: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) {
        switch value.form {
        case .duration: self = value.duration.inSeconds
        case .speed: self = value.metresPerSecond
        default: self = value.number
        }
    }
}

extension Duration: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = value.duration }
}

extension ClockTime: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = value.clock }
}

extension Instant: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = scenario.instant(value) }
}

extension String: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = value.text }
}

extension Distribution: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = scenario.distribution(value) }
}

/// Nil for a limit that is `unlimited`.
extension Optional: ScenarioValue where Wrapped: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) {
        if case .limit = value.form, case .text = value.content { self = nil } else { self = Wrapped(value, scenario) }
    }
}

extension Array: ScenarioValue where Element: ScenarioValue {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) {
        self = value.items.map { Element($0, scenario) }
    }
}

extension Choice {
    init(_ value: CheckedValue, _ scenario: ScenarioContext) { self = value.choice() }
}
