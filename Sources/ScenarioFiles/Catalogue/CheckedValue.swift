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
        case .absent, .duration, .count, .number, .amount, .flag, .text, .instant, .clock, .date, .distance, .speed,
            .bytes, .bound, .place, .distribution,
            .node:
            true
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
        switch content {
        case .mapping(let fields): fields
        case .invalid, .absent: []
        default: wrongKind("a mapping")
        }
    }

    var items: [CheckedValue] {
        switch content {
        case .list(let items): items
        case .invalid, .absent: []
        default: wrongKind("a list")
        }
    }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
    var isList: Bool { if case .list = content { true } else { false } }

    var duration: Duration {
        switch content {
        case .duration(let value): value
        case .invalid: .hours(1)
        default: wrongKind("a duration")
        }
    }

    var count: Int {
        switch content {
        case .count(let value): Int(value)
        case .invalid: 1
        default: wrongKind("a count")
        }
    }

    /// A limit; nil for none.
    var limit: Int? {
        if case .text = content { return nil }
        return count
    }

    var bytes: Int64 {
        switch content {
        case .bytes(let value): value
        case .invalid: 1
        default: wrongKind("a size")
        }
    }

    var number: Double {
        switch content {
        case .number(let value): value
        case .invalid: 1
        default: wrongKind("a number")
        }
    }

    var amount: Int64 {
        switch content {
        case .amount(let value): value
        case .invalid: 1_000_000
        default: wrongKind("an amount")
        }
    }

    var flag: Bool {
        switch content {
        case .flag(let value): value
        case .invalid: false
        default: wrongKind("true or false")
        }
    }

    var text: String {
        switch content {
        case .text(let value): value
        case .invalid: ""
        default: wrongKind("a text")
        }
    }

    /// Nil for one that is wrong.
    var instant: InstantValue? {
        switch content {
        case .instant(let value): value
        case .invalid: nil
        default: wrongKind("an instant")
        }
    }

    var clock: ClockTime {
        switch content {
        case .clock(let value): value
        case .invalid: ClockTime(hour: 12, minute: 0)
        default: wrongKind("a clock time")
        }
    }

    var date: CivilDate {
        switch content {
        case .date(let value): value
        case .invalid: CivilDate(dayNumber: 0)
        default: wrongKind("a date")
        }
    }

    var millimetres: Int64 {
        switch content {
        case .distance(let value): value
        case .invalid: 1_000_000
        default: wrongKind("a distance")
        }
    }

    var metresPerSecond: Double {
        switch content {
        case .speed(let value, _): value
        case .invalid: 1
        default: wrongKind("a speed")
        }
    }

    var bound: BoundText {
        switch content {
        case .bound(let bound): bound
        case .invalid: BoundText("1")!
        default: wrongKind("a bound")
        }
    }

    var statedDistribution: StatedDistribution {
        switch content {
        case .distribution(let distribution): distribution
        case .invalid:
            StatedDistribution(subject: .duration, shape: .constant(StatedDistribution.Quantity(value: 1, text: "1s")))
        default: wrongKind("a distribution")
        }
    }

    var node: RawNode {
        switch content {
        case .node(let node): node
        case .invalid: RawNode(content: .scalar("", isPlain: true), origin: origin)
        default: wrongKind("a value of any kind")
        }
    }

    private func wrongKind(_ expected: String) -> Never {
        preconditionFailure("\(path) is read as \(expected), its content is \(content)")
    }
}
