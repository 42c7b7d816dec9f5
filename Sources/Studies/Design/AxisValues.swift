import Basics
import Statistics

/// The values that an axis can take: some, one by one, or all between two.
package struct AxisValues: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// Each as an override writes it.
        case listed([String])
        case interval(from: Quantity, to: Quantity, isLogarithmic: Bool)
    }

    let content: Content

    /// More values than these are no axis but a mistake.
    static let most = 100_000

    /// Values one by one, each as an override writes it; at least one.
    package init(_ values: [String]) {
        precondition(!values.isEmpty, "an axis without values")
        content = .listed(values)
    }

    private init(_ content: Content) { self.content = content }

    /// Reads `a, b, c`, `range(from, to, step)`, `log(from, to, n)`, or, for designs that fill a space, `range(from,
    /// to)` and `log(from, to)`.
    ///
    /// Both ends are included; a range whose step does not meet its end stops before it. Where both ends are whole
    /// numbers all values are: `1.0` has decimals. Commas within brackets or quotes divide nothing.
    ///
    /// - Parameter place: where the text stands, for the problem.
    package static func read(_ text: String, at place: String) throws(StudyProblem) -> AxisValues {
        let text = text.trimmed
        for (name, isLogarithmic) in [("range", false), ("log", true)] where text.hasPrefix(name + "(") {
            guard text.hasSuffix(")") else {
                throw StudyProblem(place, expected: "a ')' at the end of \(name)(", found: "'\(text)'")
            }
            let inner = String(text.dropFirst(name.count + 1).dropLast())
            return AxisValues(try span(name, divided(inner), isLogarithmic: isLogarithmic, text, place))
        }
        let values = divided(text)
        guard !values.contains("") else {
            throw StudyProblem(place, expected: "values with commas between them", found: "'\(text)'")
        }
        try refuseDoubled(values, place)
        return AxisValues(.listed(values))
    }

    /// Values that a file lists.
    ///
    /// A quoted length or size, as JSON has them, is the same without its quotes.
    static func listed(_ values: [String], at place: String) throws(StudyProblem) -> AxisValues {
        let values = values.map { value in
            guard let quantity = Quantity(unquoted(value)), quantity.kind != .number else { return value }
            return unquoted(value)
        }
        try refuseDoubled(values, place)
        return AxisValues(values)
    }

    private static func refuseDoubled(_ values: [String], _ place: String) throws(StudyProblem) {
        var seen: Set<String> = []
        for value in values where !seen.insert(value).inserted {
            throw StudyProblem(place, expected: "each value once", found: "'\(value)' twice")
        }
    }

    private static func span(_ name: String, _ words: [String], isLogarithmic: Bool, _ text: String, _ place: String)
        throws(StudyProblem) -> Content
    {
        let form = isLogarithmic ? "log(from, to, n) or log(from, to)" : "range(from, to, step) or range(from, to)"
        guard (2...3).contains(words.count), let from = Quantity(words[0]), let to = Quantity(words[1]) else {
            let short = words.contains { Quantity($0) == nil && WholeNumberText.readShort($0) != nil }
            throw StudyProblem(
                place, expected: "\(form) with numbers and units" + (short ? " (1000 or 1e3, not 1k)" : ""),
                found: "'\(text)'")
        }
        guard from.kind == to.kind else {
            throw StudyProblem(
                place, expected: "two ends of one kind", found: "\(from.kind.words) and \(to.kind.words) in '\(text)'")
        }
        if isLogarithmic && (from.parts <= 0 || to.parts <= 0) {
            throw StudyProblem(place, expected: "ends above 0", found: "'\(text)'")
        }
        guard from.parts < to.parts || words.count == 3 && from.parts == to.parts else {
            throw StudyProblem(place, expected: "a first end below the second", found: "the empty range '\(text)'")
        }
        if words.count == 2 {
            if from.isWhole && to.isWhole && to.parts - from.parts < 2_000_000_000 {
                let ends = "\(from.text).0, \(to.text).0"
                throw StudyProblem(
                    place, expected: "ends with decimals, as in \(name)(\(ends))",
                    found: "'\(text)', which has two whole numbers")
            }
            return .interval(from: from, to: to, isLogarithmic: isLogarithmic)
        }
        return .listed(
            isLogarithmic
                ? try steps(from, to, count: words[2], text, place) : try steps(from, to, step: words[2], text, place))
    }

    private static func steps(_ from: Quantity, _ to: Quantity, step: String, _ text: String, _ place: String)
        throws(StudyProblem)
        -> [String]
    {
        guard let step = Quantity(step), step.kind == from.kind, step.parts > 0 else {
            throw StudyProblem(
                place, expected: "a step above 0 of the same kind as the ends", found: "'\(step)' in '\(text)'")
        }
        let count = (to.parts - from.parts) / step.parts + 1
        guard count <= most else {
            throw StudyProblem(place, expected: "at most \(most) values", found: "\(count) in '\(text)'")
        }
        return (0..<count).map { Quantity(kind: from.kind, parts: from.parts + $0 * step.parts).text }
    }

    private static func steps(_ from: Quantity, _ to: Quantity, count: String, _ text: String, _ place: String)
        throws(StudyProblem)
        -> [String]
    {
        guard let count = Int(count), (2...most).contains(count) else {
            throw StudyProblem(
                place, expected: "a number of values from 2 to \(most)", found: "'\(count)' in '\(text)'")
        }
        let interval = AxisValues(.interval(from: from, to: to, isLogarithmic: true))
        var values: [String] = []
        for i in 0..<count {
            let value =
                i == 0 ? from.text : i == count - 1 ? to.text : interval.value(at: Double(i) / Double(count - 1))
            // Whole numbers near 1 may come twice.
            if values.last != value { values.append(value) }
        }
        return values
    }

    /// The values one by one; nil if they are all between two.
    var list: [String]? { if case .listed(let values) = content { values } else { nil } }

    /// The value at a share of the way, 0 to 1: of a list each has an equal part.
    func value(at share: Double) -> String {
        switch content {
        case .listed(let values): return values[min(values.count - 1, Int(share * Double(values.count)))]
        case .interval(let from, let to, let isLogarithmic):
            let (a, b) = (Double(from.parts), Double(to.parts))
            // Whole numbers are equally likely, those at the ends too.
            if from.isWhole && to.isWhole && !isLogarithmic {
                let one = Quantity("1")!.parts
                let count = Double((to.parts - from.parts) / one + 1)
                return Quantity(
                    kind: from.kind, parts: min(to.parts, from.parts + Int128(share * count) * one), isWhole: true
                ).text
            }
            let parts =
                isLogarithmic
                ? DeterministicMath.exp(
                    DeterministicMath.log(a) + share * (DeterministicMath.log(b) - DeterministicMath.log(a)))
                : a + share * (b - a)
            return Quantity.rounded(parts, from.kind, isWhole: from.isWhole && to.isWhole).text
        }
    }

    /// The value at a place between the ends, 0 to 1, that are themselves taken; whole numbers are rounded. For grids;
    /// of a list as `value(at:)`.
    func value(onGrid place: Double) -> String {
        guard let width = wholeWidth, case .interval(let from, _, _) = content else { return value(at: place) }
        let one = Quantity("1")!.parts
        return Quantity(
            kind: from.kind, parts: from.parts + Int128((place * Double(width)).rounded()) * one, isWhole: true
        ).text
    }

    /// How far the ends are apart where all values between them are whole numbers; nil if they are not.
    var wholeWidth: Int? {
        guard case .interval(let from, let to, isLogarithmic: false) = content, from.isWhole, to.isWhole else {
            return nil
        }
        return Int((to.parts - from.parts) / Quantity("1")!.parts)
    }

    /// A text without the quotes round it, if it has some.
    static func unquoted(_ text: String) -> String {
        guard let quote = text.first, quote == "\"" || quote == "'", text.count >= 2, text.last == quote else {
            return text
        }
        let inner = text.dropFirst().dropLast()
        return quote == "'"
            ? String(inner).replacing("''", with: "'")
            : String(inner).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }

    /// The parts between commas that stand in no brackets or quotes, without blanks round them.
    static func divided(_ text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "[{(".contains(character) {
                depth += 1
            } else if "]})".contains(character) {
                depth -= 1
            } else if character == "," && depth == 0 {
                parts.append(part.trimmed)
                part = ""
                continue
            }
            part.append(character)
        }
        return parts + [part.trimmed]
    }
}
