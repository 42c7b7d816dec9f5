/// Values of two axes as cells whose shade says how much, with the value in the cell where it has room.
package struct HeatMap: RowDrawing, Sendable {
    private let columns, rows: [String]
    /// By rows, then columns; nil where there is none.
    private let values: [[Double?]]
    private let measure: Measure
    private let low, high: Double

    package init(columns: [String], rows: [String], values: [[Double?]], measure: Measure) {
        precondition(
            values.count == rows.count && values.allSatisfy { $0.count == columns.count },
            "\(values.count) rows of cells for \(rows.count) names")
        (self.columns, self.rows, self.values, self.measure) = (columns, rows, values, measure)
        let all = values.flatMap { $0 }.compactMap { $0 }
        (low, high) = (all.min() ?? 0, all.max() ?? 0)
    }

    private static let cellHeight = 30.0

    /// Which of the seven steps a value has.
    private func step(_ value: Double) -> Int { high > low ? min(6, Int((value - low) / (high - low) * 7)) : 3 }

    package var style: String { "plot heat" }
    package var margin: Chart.Margin { .names }
    package var height: Double { base + 26 }
    /// The place of the axis.
    private var base: Double { Double(rows.count) * Self.cellHeight }

    package var marks: String {
        var svg = "<g aria-hidden=\"true\">"
        let width = 1 / Double(max(1, columns.count))
        for (r, name) in rows.enumerated() {
            let top = Double(r) * Self.cellHeight
            svg +=
                "<text class=\"name\" x=\"-8\" y=\"\(Markup.place(top + 19))\" "
                + "text-anchor=\"end\">\(Markup.escaped(TextWidth.fitted(name, into: Self.nameRoom)))</text>"
            for c in columns.indices { svg += cell(values[r][c], left: Double(c) * width, width, top) }
        }
        let scale = Scale.linear(0, Double(max(1, columns.count)))
        let ticks = Plot.thinned(columns.enumerated().map { Tick(Double($0) + 0.5, $1) }, on: scale)
        for room in WidthClass.allCases {
            svg +=
                "<g class=\"axis \(room.onlyClass)\">"
                + (ticks[room] ?? []).map { tick in
                    "<text x=\"\(Markup.share(scale.place(tick.value)))\" y=\"\(Markup.place(base + 18))\" "
                        + "text-anchor=\"middle\">\(Markup.escaped(tick.label))</text>"
                }.joined() + "</g>"
        }
        return svg + "</g>"
    }

    private func cell(_ value: Double?, left: Double, _ width: Double, _ top: Double) -> String {
        let paint = value.map { Paint.step(step($0)) } ?? .none
        var svg =
            "<rect class=\"cell \(paint.name)\" x=\"\(Markup.share(left))\" y=\"\(Markup.place(top))\" width=\"\(Markup.share(width))\" "
            + "height=\"\(Markup.place(Self.cellHeight))\"/>"
        guard let value else { return svg }
        let text = FigureLabel.text(value, measure)
        if let room = WidthClass.allCases.first(where: { $0.leastPlot * width >= TextWidth.of(text, size: 11.5) + 6 }) {
            let shown = room.fromClass.map { " " + $0 } ?? ""
            svg +=
                "<text class=\"in t-\(paint.name)\(shown)\" x=\"\(Markup.share(left + width / 2))\" y=\"\(Markup.place(top + 19))\" "
                + "text-anchor=\"middle\">\(Markup.escaped(text))</text>"
        }
        return svg
    }

    /// Pixels for the names of rows.
    package static let nameRoom = 88.0
}
