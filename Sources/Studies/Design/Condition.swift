import Basics

/// A condition on the values of a point, such as `ttl <= jitter and people * 2 < 1e6`: for the points of a design, and
/// to choose among its runs.
///
/// Names of axes stand for their values. There are `+ - * /` on quantities, the comparisons `== != < <= > >=`, `and`,
/// `or`, `not` and parentheses; a minus has blanks round it, since names may have one inside. A value that is no
/// quantity can be compared with `==` and `!=` alone. `m` is a minute.
package struct Condition: Sendable {
    package let text: String
    private let root: Node

    /// - Parameters:
    ///   - names: what may stand for a value.
    ///   - place: where the text stands, for the problem.
    package init(_ text: String, names: [String], at place: String) throws(StudyProblem) {
        self.text = text
        var parser = Parser(tokens: try Self.tokens(of: text, place), names: names, text: text, place: place)
        root = try parser.expression()
        if let rest = parser.next { throw parser.problem("the end", rest.found) }
        guard root.isLogical else { throw StudyProblem(place, expected: "a comparison", found: "'\(text)'") }
    }

    /// Whether it holds.
    ///
    /// - Parameter value: of a name, as an override writes it.
    /// - Throws: a comparison of different kinds, such as a duration with a number.
    package func holds(_ value: (String) -> String) throws(StudyProblem) -> Bool {
        try root.evaluated(value, text).isTrue
    }

    // MARK: Values

    private enum Value {
        case quantity(Double, Quantity.Kind)
        case text(String)
        case truth(Bool)

        var isTrue: Bool { if case .truth(let truth) = self { truth } else { preconditionFailure("no truth value") } }

        init(_ text: String) {
            let text = AxisValues.unquoted(text)
            if let quantity = Quantity(text) {
                self = .quantity(quantity.double, quantity.kind)
            } else {
                self = .text(text)
            }
        }
    }

    private indirect enum Node: Sendable {
        case name(String)
        case literal(String)
        case not(Node)
        case both(String, Node, Node)

        var isLogical: Bool {
            switch self {
            case .name, .literal: false
            case .not: true
            case .both(let op, _, _): !["+", "-", "*", "/"].contains(op)
            }
        }

        func evaluated(_ value: (String) -> String, _ text: String) throws(StudyProblem) -> Value {
            switch self {
            case .name(let name): return Value(value(name))
            case .literal(let literal): return Value(literal)
            case .not(let node): return .truth(!(try node.evaluated(value, text).isTrue))
            case .both(let op, let a, let b) where ["and", "or"].contains(op):
                // Both sides are looked at, so that a wrong one shows at every point.
                let (left, right) = (try a.evaluated(value, text).isTrue, try b.evaluated(value, text).isTrue)
                return .truth(op == "and" ? left && right : left || right)
            case .both(let op, let a, let b):
                return try Self.combined(op, try a.evaluated(value, text), try b.evaluated(value, text), text)
            }
        }

        private static func combined(_ op: String, _ a: Value, _ b: Value, _ text: String) throws(StudyProblem) -> Value
        {
            switch (a, b) {
            case (.text(let a), .text(let b)) where op == "==": return .truth(a == b)
            case (.text(let a), .text(let b)) where op == "!=": return .truth(a != b)
            case (.text, .quantity), (.quantity, .text):
                if op == "==" { return .truth(false) }
                if op == "!=" { return .truth(true) }
            case (.quantity(let a, let kind), .quantity(let b, let other)):
                if let value = try arithmetic(op, a, kind, b, other, text) { return value }
            default: break
            }
            throw StudyProblem("the condition '\(text)' compares or computes with what is no quantity")
        }

        private static func arithmetic(
            _ op: String, _ a: Double, _ kind: Quantity.Kind, _ b: Double, _ other: Quantity.Kind, _ text: String
        )
            throws(StudyProblem) -> Value?
        {
            if op == "/" && b == 0 { throw StudyProblem("the condition '\(text)' divides by zero") }
            switch op {
            case "*" where kind == .number: return .quantity(a * b, other)
            case "*" where other == .number: return .quantity(a * b, kind)
            case "/" where other == .number: return .quantity(a / b, kind)
            case "/" where other == kind: return .quantity(a / b, .number)
            default: break
            }
            guard kind == other else {
                throw StudyProblem("the condition '\(text)' brings \(kind.words) and \(other.words) together")
            }
            return switch op {
            case "+": .quantity(a + b, kind)
            case "-": .quantity(a - b, kind)
            case "==": .truth(a == b)
            case "!=": .truth(a != b)
            default: Threshold.Comparison(rawValue: op).map { .truth($0.holds(a, b)) }
            }
        }
    }

    // MARK: Reading

    private enum Token: Equatable {
        case word(String)
        case quoted(String)
        case sign(String)

        var found: String {
            switch self {
            case .word(let text), .quoted(let text), .sign(let text): "'\(text)'"
            }
        }
    }

    private static func tokens(of text: String, _ place: String) throws(StudyProblem) -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == " " {
                rest = rest.dropFirst()
            } else if first == "\"" || first == "'" {
                let inner = rest.dropFirst().prefix { $0 != first }
                guard inner.endIndex < rest.endIndex else {
                    throw StudyProblem(place, expected: "a closing \(first)", found: "'\(text)'")
                }
                tokens.append(.quoted(String(inner)))
                rest = rest[rest.index(after: inner.endIndex)...]
            } else if let sign = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "(", ")"].first(where: {
                rest.hasPrefix($0)
            }) {
                tokens.append(.sign(sign))
                rest = rest.dropFirst(sign.count)
            } else {
                let word = rest.prefix { $0.isLetter || $0.isNumber || "._-:".contains($0) }
                guard !word.isEmpty else {
                    throw StudyProblem(
                        place, expected: "names, quantities and comparisons", found: "'\(first)' in '\(text)'")
                }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return tokens
    }

    /// By descent: or, and, not, comparison, sum, product, one value.
    private struct Parser {
        var tokens: [Token]
        let names: [String]
        let text, place: String
        var at = 0
        /// How deep the parentheses and `not` go.
        var depth = 0
        private static let mostDepth = 100

        var next: Token? { at < tokens.count ? tokens[at] : nil }

        func problem(_ expected: String, _ found: String) -> StudyProblem {
            StudyProblem(place, expected: expected, found: "\(found) in '\(text)'")
        }

        private mutating func take(_ options: [Token]) -> String? {
            guard let token = next, options.contains(token) else { return nil }
            at += 1
            switch token {
            case .word(let text), .quoted(let text), .sign(let text): return text
            }
        }

        mutating func expression() throws(StudyProblem) -> Node {
            try enter()
            defer { depth -= 1 }
            var node = try conjunction()
            while take([.word("or")]) != nil { node = .both("or", try logical(node), try logical(try conjunction())) }
            return node
        }

        private mutating func enter() throws(StudyProblem) {
            depth += 1
            if depth > Self.mostDepth { throw problem("at most \(Self.mostDepth) parentheses in each other", "more") }
        }

        private mutating func conjunction() throws(StudyProblem) -> Node {
            var node = try negation()
            while take([.word("and")]) != nil { node = .both("and", try logical(node), try logical(try negation())) }
            return node
        }

        private func logical(_ node: Node) throws(StudyProblem) -> Node {
            if !node.isLogical {
                throw StudyProblem(place, expected: "comparisons round 'and', 'or' and 'not'", found: "'\(text)'")
            }
            return node
        }

        private mutating func negation() throws(StudyProblem) -> Node {
            if take([.word("not")]) != nil {
                try enter()
                defer { depth -= 1 }
                return .not(try logical(try negation()))
            }
            return try comparison()
        }

        private mutating func comparison() throws(StudyProblem) -> Node {
            let left = try sum()
            guard let op = take(["==", "!=", "<=", ">=", "<", ">"].map { .sign($0) }) else { return left }
            return .both(op, left, try sum())
        }

        private mutating func sum() throws(StudyProblem) -> Node {
            var node = try product()
            while let op = take([.sign("+"), .sign("-")]) { node = .both(op, node, try product()) }
            return node
        }

        private mutating func product() throws(StudyProblem) -> Node {
            var node = try value()
            while let op = take([.sign("*"), .sign("/")]) { node = .both(op, node, try value()) }
            return node
        }

        private mutating func value() throws(StudyProblem) -> Node {
            guard let token = next else { throw problem("a value", "the end") }
            at += 1
            switch token {
            case .quoted(let text): return .literal(text)
            case .sign("("):
                let node = try expression()
                guard take([.sign(")")]) != nil else { throw problem("a ')'", next?.found ?? "the end") }
                return node
            case .sign("-"):
                guard case .word(let word)? = next, Quantity(word) != nil else {
                    throw problem("a quantity after '-'", next?.found ?? "the end")
                }
                at += 1
                return .literal("-" + word)
            case .sign: throw problem("a value", token.found)
            case .word(let word):
                if names.contains(word) { return .name(word) }
                if Quantity(word) != nil || ["true", "false"].contains(word) { return .literal(word) }
                throw problem("a name of \(names.joined(separator: ", ")), a quantity or a text in quotes", token.found)
            }
        }
    }
}
