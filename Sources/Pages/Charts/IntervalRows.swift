/// Values with their intervals, one below the other over one axis: a forest plot.
struct IntervalRows: RowDrawing {
    /// A point, a thick line and a thin one.
    private struct Row {
        let row: Frame.Row
        let figure: String
        let value: Double
        let interval, reach: ClosedRange<Double>?
        let paint: Paint
    }

    private let rows: [Row]
    private let scale: Scale
    private let ticks: [WidthClass: [Tick]]
    /// Where a line stands from which values are seen, such as that of no difference; nil for none.
    private let line: Double?
    /// Whether figures stand below their names.
    private var hasTwoLines = false

    init(_ frame: Frame, _ mark: Mark, _ extras: Chart.Extras) {
        let columns = frame.painted
        let measure = columns[0].measure
        line = extras.line
        rows = frame.rows.compactMap { row in
            guard let value = columns[0].values[row.place] else { return nil }
            let paint = frame.paint(of: columns[0], row.place)
            let text = FigureLabel.text(value, measure)
            if mark == .quantiles {
                let ends = columns.dropFirst().map { max(value, row.value(of: $0)) }
                let figure = "\(text) · \(columns[1].name): \(FigureLabel.text(row.value(of: columns[1]), measure))"
                return Row(
                    row: row, figure: figure, value: value, interval: value...ends[0],
                    reach: ends.count > 1 ? value...ends[1] : nil, paint: paint)
            }
            // Without an interval the line leads from where values are seen to the point.
            let interval = frame.interval(row.place) ?? extras.line.map { min($0, value)...max($0, value) }
            return Row(
                row: row, figure: extras.figure?(row) ?? text, value: value, interval: interval, reach: nil,
                paint: paint)
        }
        let ends = rows.flatMap { row in
            [row.interval, row.reach].compactMap { $0 }.flatMap { [$0.lowerBound, $0.upperBound] }
        }
        let values: [Double] = rows.map(\.value) + ends + (line.map { [$0] } ?? [])
        let (low, high) = (values.min() ?? 0, values.max() ?? 1)
        if mark == .quantiles || extras.isLogarithmic {
            // Nothing has no place on such an axis: it stands at its beginning.
            let least = values.filter { $0 > 0 }.min() ?? 1
            scale = Scale.logarithmic(max(least, high / 1e6) / 1.25, max(high, least) * 1.25)
            ticks = Plot.thinned(Ticks.logarithmic(on: scale, measure), on: scale)
        } else {
            let margin = (high - low) * 0.04
            scale = Scale.linear(low - margin, high + margin)
            ticks = Plot.thinned(Ticks.between(scale.low, scale.high, measure, about: 6), on: scale)
        }
    }

    private var rowHeight: Double { 38 + (hasTwoLines ? RowName.lineHeight : 0) }

    var narrow: (any RowDrawing)? {
        if rows.allSatisfy({ RowName.fits($0.row.name, beside: $0.figure) }) { return nil }
        var drawing = self
        drawing.hasTwoLines = true
        return drawing
    }

    var style: String { "bars forest" }
    var height: Double { base + RowAxis.height }
    /// The place of the axis.
    private var base: Double { Double(rows.count) * rowHeight + 4 }

    var marks: String {
        var svg = ""
        if let line {
            let place = Markup.share(scale.place(line))
            svg += "<line class=\"zero\" x1=\"\(place)\" x2=\"\(place)\" y2=\"\(Markup.place(base))\"/>"
        }
        for (index, row) in rows.enumerated() { svg += self.row(row, top: Double(index) * rowHeight) }
        return svg + RowAxis.svg(ticks, on: scale, base: base)
    }

    private func row(_ row: Row, top: Double) -> String {
        let y = Markup.place(top + rowHeight - 13)
        var svg =
            "<g aria-hidden=\"true\">"
            + RowName.svg(row.row.name, beside: row.figure, y: top + 13, hasTwoLines: hasTwoLines)
        for (range, style) in [(row.reach, "whisker reach"), (row.interval, "interval")] {
            guard let range else { continue }
            let (low, high) = (Markup.share(scale.place(range.lowerBound)), Markup.share(scale.place(range.upperBound)))
            svg += "<line class=\"\(style) \(row.paint.name)\" x1=\"\(low)\" x2=\"\(high)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        svg +=
            "<circle class=\"dot \(row.paint.name)\" cx=\"\(Markup.share(scale.place(row.value)))\" cy=\"\(y)\" r=\"5\"/>"
        return svg + "</g>"
    }
}
