/// The axis below rows that share one: a line, and numbers that have room in each width.
enum RowAxis {
    /// Pixels below the line, with it.
    static let height = 26.0

    static func svg(_ ticks: [WidthClass: [Tick]], on scale: Scale, base: Double) -> String {
        let y = Markup.place(base)
        var svg = "<g class=\"axis\" aria-hidden=\"true\"><line x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/>"
        for room in WidthClass.allCases {
            svg +=
                "<g class=\"\(room.onlyClass)\">"
                + (ticks[room] ?? []).map { tick($0, on: scale, base, room) }.joined() + "</g>"
        }
        return svg + "</g>"
    }

    private static func tick(_ tick: Tick, on scale: Scale, _ base: Double, _ room: WidthClass) -> String {
        let place = scale.place(tick.value)
        let half = TextWidth.of(tick.label) / 2 / room.leastPlot
        let anchor = place - half < 0 ? "start" : place + half > 1 ? "end" : "middle"
        return
            "<text x=\"\(Markup.share(place))\" y=\"\(Markup.place(base + 18))\" text-anchor=\"\(anchor)\">\(Markup.escaped(tick.label))</text>"
    }
}
