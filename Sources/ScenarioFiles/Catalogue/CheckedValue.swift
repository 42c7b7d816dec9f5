import Basics

/// A value of a scenario that its form has accepted, or the default that stands for it.
///
/// A value that was wrong is `invalid`: its problem is reported, and reading it gives a harmless stand-in, so that the
/// checks that follow can look for further problems. No scenario is made from one.
struct CheckedValue: Sendable {
    indirect enum Content: Sendable {
        case absent
        case invalid
        case duration(Duration)
        case count(Int64)
        case number(Double)
        /// Millionths.
        case amount(Int64)
        case flag(Bool)
        case text(String)
        case instant(InstantValue)
        case clock(ClockTime)
        case date(CivilDate)
        case distance(millimetres: Int64)
        case speed(metresPerSecond: Double, text: String)
        case bytes(Int64)
        case bound(BoundText)
        case place(name: String, x: Int64, y: Int64)
        case distribution(StatedDistribution)
        /// A value whose meaning another place decides.
        case node(RawNode)
        case list([CheckedValue])
        case mapping([(key: String, value: CheckedValue)])
    }

    enum InstantValue: Hashable, Sendable {
        case afterStart(Duration)
        case absolute(unixMicroseconds: Int64, offset: Int)
    }

    var content: Content
    /// The form that it was checked against, which declares the keys that can be read.
    var form: Form
    var origin: Origin
    var path: String
    /// Whether the scenario states it, as against a default.
    var isStated = true

    var isAbsent: Bool { if case .absent = content { true } else { false } }
    /// Whether it and all in it are right.
    var isValid: Bool {
        switch content {
        case .invalid: false
        case .list(let items): items.allSatisfy(\.isValid)
        case .mapping(let fields): fields.allSatisfy { $0.value.isValid }
        default: true
        }
    }

    // MARK: Reading. A content of another kind is wrong code, not wrong input, and so is a key that the form does not
    // declare.

    /// The value at a key of the form; absent or invalid if the whole is.
    subscript(key: String) -> CheckedValue {
        let lacking: Content
        var chosen: String?
        switch content {
        case .mapping(let fields):
            if let field = fields.first(where: { $0.key == key }) { return field.value }
            lacking = .absent
            if case .text(let name)? = fields.first?.value.content { chosen = name }
        case .invalid, .absent: lacking = content
        default: wrongKind("a mapping")
        }
        guard let form = form.form(of: key, chosen: chosen) else {
            preconditionFailure("\(path) is read for '\(key)', which its form does not declare")
        }
        return CheckedValue(content: lacking, form: form, origin: origin, path: joined(path, key), isStated: false)
    }

    var fields: [(key: String, value: CheckedValue)] {
        if case .absent = content { return [] }
        return read("a mapping", or: []) { if case .mapping(let fields) = $0 { fields } else { nil } }
    }

    var items: [CheckedValue] {
        if case .absent = content { return [] }
        return read("a list", or: []) { if case .list(let items) = $0 { items } else { nil } }
    }

    /// The items of a list; of any other value itself.
    var itemsOrSelf: [CheckedValue] { isList ? items : [self] }
    /// The last key of its path.
    var key: String { path.split(separator: ".").last.map(String.init) ?? "" }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
    var isList: Bool { if case .list = content { true } else { false } }

    var duration: Duration {
        read("a duration", or: .hours(1)) { if case .duration(let value) = $0 { value } else { nil } }
    }

    var count: Int { read("a count", or: 1) { if case .count(let value) = $0 { Int(value) } else { nil } } }

    /// A limit; nil for none.
    var limit: Int? {
        if case .text = content { return nil }
        return count
    }

    var bytes: Int64 { read("a size", or: 1) { if case .bytes(let value) = $0 { value } else { nil } } }
    var number: Double { read("a number", or: 1) { if case .number(let value) = $0 { value } else { nil } } }
    /// Millionths.
    var amount: Int64 { read("an amount", or: 1_000_000) { if case .amount(let value) = $0 { value } else { nil } } }
    var flag: Bool { read("true or false", or: false) { if case .flag(let value) = $0 { value } else { nil } } }
    var text: String { read("a text", or: "") { if case .text(let value) = $0 { value } else { nil } } }

    /// Nil for one that is wrong.
    var instant: InstantValue? {
        read("an instant", or: nil) { if case .instant(let value) = $0 { .some(value) } else { nil } }
    }

    var clock: ClockTime {
        read("a clock time", or: ClockTime(hour: 12, minute: 0)) {
            if case .clock(let value) = $0 { value } else { nil }
        }
    }

    var date: CivilDate {
        read("a date", or: CivilDate(dayNumber: 0)) { if case .date(let value) = $0 { value } else { nil } }
    }

    var millimetres: Int64 {
        read("a distance", or: 1_000_000) { if case .distance(let value) = $0 { value } else { nil } }
    }

    var metresPerSecond: Double { read("a speed", or: 1) { if case .speed(let value, _) = $0 { value } else { nil } } }
    var bound: BoundText {
        read("a bound", or: BoundText("1")!) { if case .bound(let value) = $0 { value } else { nil } }
    }

    var statedDistribution: StatedDistribution {
        read(
            "a distribution",
            or: StatedDistribution(
                subject: .duration, shape: .constant(StatedDistribution.Quantity(value: 1, text: "1s")))
        ) { if case .distribution(let value) = $0 { value } else { nil } }
    }

    var node: RawNode {
        read("a value of any kind", or: RawNode(content: .scalar("", isPlain: true), origin: origin)) {
            if case .node(let value) = $0 { value } else { nil }
        }
    }

    /// The value of a content of one kind; what stands in for it where the content is wrong.
    private func read<Value>(
        _ expected: String, or standIn: @autoclosure () -> Value, _ value: (Content) -> Value?
    ) -> Value {
        if case .invalid = content { return standIn() }
        guard let value = value(content) else { wrongKind(expected) }
        return value
    }

    private func wrongKind(_ expected: String) -> Never {
        preconditionFailure("\(path) is read as \(expected), its content is \(content)")
    }
}

extension ProblemLog {
    /// Reports a value where it stands.
    func report(
        _ value: CheckedValue, expected: String, found: String, nearest: @autoclosure () -> String? = nil
    ) {
        report(value.origin, value.path, expected: expected, found: found, nearest: nearest())
    }

    /// Reports a name that is none of those known: a value, or the key under which it stands.
    func refuse(_ value: CheckedValue, key: String? = nil, expected: String, among known: [String]) {
        let name = key ?? value.text
        report(value, expected: expected, found: RawNode.quoted(name), nearest: Nearest.name(to: name, among: known))
    }
}

/// A word of several that a scenario can choose. The catalogue lists the cases and the assembly switches over them, so
/// that a further case has no place that does not know it.
protocol Choice: NamedCase, CaseIterable, Equatable, Sendable, ScenarioValue {
    /// The value that stands in for a wrong choice, so that checking can continue.
    static var standIn: Self { get }
}

extension Choice {
    static var standIn: Self { allCases.first! }
    static var names: [String] { allCases.map(\.name) }
}

extension Form {
    static func choice(_ type: (some Choice).Type) -> Form { .choice(type.names) }

    /// A mapping with exactly one of the keys that the cases name, each described by its entry.
    static func oneOf<Sort: Choice>(_ sort: Sort.Type, entry: (Sort) -> KeyEntry) -> Form {
        .oneOf(
            sort.allCases.map { each in
                let entry = entry(each)
                precondition(entry.name == each.name, "the entry of \(each.name) is called \(entry.name)")
                return entry
            })
    }
}

extension Form.Variants {
    /// - Parameters:
    ///   - defaultValue: the case of a mapping that states none; nil if it is required.
    ///   - entries: the keys of a case.
    init<Sort: Choice>(
        of sort: Sort.Type, key: String, meaning: String, defaultValue: Sort?, common: [KeyEntry] = [],
        entries: (Sort) -> [KeyEntry]
    ) {
        self.init(
            key: key, meaning: meaning, defaultValue: defaultValue?.name,
            cases: sort.allCases.map { ($0.name, entries($0)) },
            common: common)
    }
}

extension CheckedValue {
    /// The case that is chosen.
    func choice<Value: Choice>(_ type: Value.Type = Value.self) -> Value {
        if case .invalid = content { return Value.standIn }
        let text = text
        guard let chosen = Value.allCases.first(where: { $0.name == text }) else {
            preconditionFailure("\(path) is read as one of \(Value.names), its text is '\(text)'")
        }
        return chosen
    }

    /// The one key of a mapping that has exactly one, and its value; nil if it is wrong.
    func only<Sort: Choice>(_ type: Sort.Type = Sort.self) -> (sort: Sort, value: CheckedValue)? {
        guard let field = fields.first else { return nil }
        guard let sort = Sort.allCases.first(where: { $0.name == field.key }) else {
            preconditionFailure("\(path) is read as one of \(Sort.names), its key is '\(field.key)'")
        }
        return (sort, field.value)
    }
}
