/// The name of a row above its mark, with a figure at the end of its line, or of the line below.
enum RowName {
    private static let size = 13.0
    /// Pixels from one line to the next.
    static let lineHeight = 16.0

    /// How many pixels a name has beside a figure.
    private static func room(beside figure: String, in width: WidthClass) -> Double {
        max(48, width.leastPlot + 40 - TextWidth.of(figure, size: size) * 1.1 - 16)
    }

    /// Whether a name has room beside its figure on every screen.
    static func fits(_ name: String, beside figure: String) -> Bool {
        TextWidth.of(name, size: size) <= room(beside: figure, in: .narrow)
    }

    /// - Parameters:
    ///   - y: the base of the first line.
    ///   - hasTwoLines: whether the figure stands below the name, beside what is too long for one line of it.
    static func svg(_ name: String, beside figure: String, y: Double, hasTwoLines: Bool) -> String {
        if hasTwoLines {
            let (first, rest) = broken(name, into: WidthClass.narrow.leastPlot + 40)
            let below = y + lineHeight
            return text(first, y, nil)
                + (rest.isEmpty ? "" : text(rest, of: name, into: room(beside: figure, in: .narrow), below, nil))
                + end(figure, below)
        }
        let names = WidthClass.allCases.map { TextWidth.fitted(name, into: room(beside: figure, in: $0), size: size) }
        let shown =
            Set(names).count == 1
            ? text(name, of: name, into: room(beside: figure, in: .narrow), y, nil)
            : WidthClass.allCases.map { text(name, of: name, into: room(beside: figure, in: $0), y, $0.onlyClass) }
                .joined()
        return shown + end(figure, y)
    }

    /// A name in two lines, the first as long as there is room for; the second is empty if it is not needed.
    private static func broken(_ name: String, into width: Double) -> (first: String, rest: String) {
        if TextWidth.of(name, size: size) <= width { return (name, "") }
        // A blank is the better place for a line to end.
        for marks in [" ", "_.,/-"] {
            let ends = name.indices.filter { marks.contains(name[$0]) }.map { name.index(after: $0) }
            if let place = ends.last(where: { TextWidth.of(String(name[..<$0]), size: size) <= width }) {
                return (String(name[..<place]), String(name[place...]))
            }
        }
        return ("", name)
    }

    /// A text cut to its room, with the whole name to be read where it is cut.
    private static func text(_ part: String, of name: String, into width: Double, _ y: Double, _ shown: String?)
        -> String
    {
        let fitted = TextWidth.fitted(part, into: width, size: size)
        return text(fitted, y, shown, whole: fitted == part ? nil : name)
    }

    private static func text(_ name: String, _ y: Double, _ shown: String?, whole: String? = nil) -> String {
        "<text class=\"name\(shown.map { " " + $0 } ?? "")\" y=\"\(Markup.place(y))\">\(Markup.whole(whole))\(Markup.escaped(name))</text>"
    }

    private static func end(_ figure: String, _ y: Double) -> String {
        "<text class=\"figure\" x=\"100%\" y=\"\(Markup.place(y))\" text-anchor=\"end\">\(Markup.escaped(figure))</text>"
    }
}
