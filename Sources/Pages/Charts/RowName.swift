/// The name of a row above its mark, cut where the screen has no room for it beside the figure at the end of its line.
enum RowName {
    private static let size = 13.0

    static func svg(_ name: String, beside figure: String, y: Double) -> String {
        let names = WidthClass.allCases.map { room in
            TextWidth.fitted(
                name, into: max(48, room.leastPlot + 40 - TextWidth.of(figure, size: size) * 1.1 - 16), size: size)
        }
        let shown =
            Set(names).count == 1
            ? text(names[0], y, nil) : zip(names, WidthClass.allCases).map { text($0, y, $1.onlyClass) }.joined()
        return shown
            + "<text class=\"figure\" x=\"100%\" y=\"\(Markup.place(y))\" text-anchor=\"end\">\(Markup.escaped(figure))</text>"
    }

    private static func text(_ name: String, _ y: Double, _ shown: String?) -> String {
        "<text class=\"name\(shown.map { " " + $0 } ?? "")\" y=\"\(Markup.place(y))\">\(Markup.escaped(name))</text>"
    }
}
