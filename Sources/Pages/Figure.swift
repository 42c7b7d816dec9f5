/// A number of a page: as people read it, and as its table has it.
struct Figure: Hashable, Sendable {
    let text: String
    /// The text of the table's cell; nil for what is computed from several cells.
    private(set) var value: String?
    /// The cell, in words: `FILE: COLUMN where KEY=VALUE, …`.
    private(set) var source: String?

    /// A figure that is computed from several cells.
    static func derived(_ value: Double, _ measure: Measure = .number) -> Figure {
        Figure(text: FigureLabel.text(value, measure))
    }

    var html: String {
        guard let value, let source else { return Markup.escaped(text) }
        return
            "<data value=\"\(Markup.escaped(value))\" title=\"\(Markup.escaped(source))\">\(Markup.escaped(text))</data>"
    }
}

/// A sentence with figures in it, as plain text and as HTML.
struct Phrase: ExpressibleByStringInterpolation, Sendable {
    private(set) var plain: String
    private(set) var html: String

    /// As a paragraph of what a page says.
    var said: String { "<p class=\"say\">\(html)</p>" }

    init(stringLiteral text: String) { (plain, html) = (text, Markup.escaped(text)) }
    init(_ text: String) { self.init(stringLiteral: text) }
    init(stringInterpolation: StringInterpolation) { self = stringInterpolation.phrase }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var phrase: Phrase = ""

        init(literalCapacity: Int, interpolationCount: Int) {}
        mutating func appendLiteral(_ text: String) { phrase += Phrase(text) }
        mutating func appendInterpolation(_ text: String) { phrase += Phrase(text) }
        mutating func appendInterpolation(_ count: Int) {
            phrase += Phrase(FigureLabel.grouped(Double(count), decimals: 0))
        }
        mutating func appendInterpolation(_ figure: Figure) { phrase.add(plain: figure.text, html: figure.html) }
        mutating func appendInterpolation(_ phrase: Phrase) { self.phrase += phrase }
    }

    private mutating func add(plain: String, html: String) {
        self.plain += plain
        self.html += html
    }

    static func += (a: inout Phrase, b: Phrase) { a.add(plain: b.plain, html: b.html) }
    static func + (a: Phrase, b: Phrase) -> Phrase {
        var sum = a
        sum += b
        return sum
    }

    var isEmpty: Bool { plain.isEmpty }
}
