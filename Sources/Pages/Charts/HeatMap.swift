import Basics

/// Values of two axes as cells whose shade says how much, with the value in the cell where it has room.
struct HeatMap: RowDrawing {
    private let columns, rows: [String]
    /// By rows, then columns; nil where there is none.
    private let values: [[Double?]]
    /// Half of each value's interval; nil where there is none.
    private let reaches: [[Double?]]
    private let measure: Measure
    private let low, high: Double

    /// Rows by the frame's names, columns by the texts of its first column, in the order in which they come.
    init(_ frame: Frame) {
        let (rows, columns) = (frame.names.uniqued, frame.columns[0].cells.uniqued)
        var values = rows.map { _ in columns.map { _ in nil as Double? } }
        var reaches = values
        let shown = frame.painted[0]
        for place in frame.names.indices {
            let column = columns.firstIndex(of: frame.columns[0].cells[place])!
            let row = rows.firstIndex(of: frame.names[place])!
            values[row][column] = shown.values[place]
            reaches[row][column] = frame.interval(place).map { ($0.upperBound - $0.lowerBound) / 2 }
        }
        (self.columns, self.rows, self.values, self.reaches) = (columns, rows, values, reaches)
        measure = shown.measure
        cellHeight = reaches.contains { $0.contains { $0 != nil } } ? 46 : 30
        // From nothing on: values that differ by chance alone have the same shade.
        let found = shown.values.compactMap { $0 }
        (low, high) = (min(0, found.min() ?? 0), max(0, found.max() ?? 0))
    }

    /// The ends of the shades, for the legend.
    var legend: [(name: String, paint: Paint)] {
        [("from \(FigureLabel.text(low, measure))", .step(0)), ("to \(FigureLabel.text(high, measure))", .step(6))]
    }

    /// With intervals a cell has two lines.
    private let cellHeight: Double

    /// Which of the seven steps a value has.
    private func step(_ value: Double) -> Int { high > low ? min(6, Int((value - low) / (high - low) * 7)) : 0 }

    var style: String { "plot heat" }
    var margin: Chart.Margin { .names }
    var height: Double { base + 26 }
    /// The place of the axis.
    private var base: Double { Double(rows.count) * cellHeight }

    var marks: String {
        var svg = "<g aria-hidden=\"true\">"
        let width = 1 / Double(max(1, columns.count))
        for (r, name) in rows.enumerated() {
            let top = Double(r) * cellHeight
            let fitted = TextWidth.fitted(name, into: Self.nameRoom)
            svg +=
                "<text class=\"name\" x=\"-8\" y=\"\(Markup.place(top + cellHeight / 2 + 4))\" "
                + "text-anchor=\"end\">\(Markup.whole(fitted == name ? nil : name))\(Markup.escaped(fitted))</text>"
            for c in columns.indices { svg += cell(values[r][c], reaches[r][c], left: Double(c) * width, width, top) }
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

    private func cell(_ value: Double?, _ reach: Double?, left: Double, _ width: Double, _ top: Double) -> String {
        let paint = value.map { Paint.step(step($0)) } ?? .none
        var svg =
            "<rect class=\"cell \(paint.name)\" x=\"\(Markup.share(left))\" y=\"\(Markup.place(top))\" width=\"\(Markup.share(width))\" "
            + "height=\"\(Markup.place(cellHeight))\"/>"
        guard let value else { return svg }
        let lines = [FigureLabel.text(value, measure)] + (reach.map { ["± " + FigureLabel.text($0, measure)] } ?? [])
        let need = lines.map { TextWidth.of($0, size: 11.5) }.max()! + 6
        if let classes = WidthClass.classes("in t-\(paint.name)", needing: need, in: width) {
            for (number, line) in lines.enumerated() {
                svg +=
                    "<text class=\"\(classes)\" x=\"\(Markup.share(left + width / 2))\" "
                    + "y=\"\(Markup.place(top + 19 + Double(number) * 17))\" text-anchor=\"middle\">\(Markup.escaped(line))</text>"
            }
        }
        return svg
    }

    /// Pixels for the names of rows.
    static let nameRoom = 88.0
}
