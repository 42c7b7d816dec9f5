/// Horizontal bars, each below its name, in one or more parts. Names stand above their bars, so that they have room on
/// every screen.
struct BarRows: RowDrawing {
    private let frame: Frame
    /// The figure at the end of a row's line.
    private let figure: (Frame.Row) -> String
    /// The value at the right end: the longest bar's, or the whole of shares.
    private let most: Double
    /// The ticks of the axis below rows with intervals, whose ends no label tells; empty without intervals.
    private let ticks: [WidthClass: [Tick]]
    /// Whether figures stand below their names.
    private var hasTwoLines = false

    init(_ frame: Frame, figure: ((Frame.Row) -> String)?) {
        self.frame = frame
        let measure = frame.painted[0].measure
        self.figure = figure ?? { FigureLabel.text($0.sum, measure) }
        let ends = frame.rows.map { row in
            max(frame.painted.reduce(0) { $0 + max(0, row.value(of: $1)) }, frame.interval(row.place)?.upperBound ?? 0)
        }
        let longest = max(measure == .share ? 1 : 0, ends.max() ?? 0)
        most = longest > 0 ? longest : 1
        let hasIntervals = frame.rows.contains { frame.interval($0.place) != nil }
        let scale = Scale.linear(0, most)
        ticks = hasIntervals ? Plot.thinned(Ticks.between(0, most, measure, about: 4), on: scale) : [:]
    }

    private var line: Double { hasTwoLines ? RowName.lineHeight : 0 }
    private var rowHeight: Double { 40 + line }

    var narrow: (any RowDrawing)? {
        if frame.rows.allSatisfy({ RowName.fits($0.name, beside: figure($0)) }) { return nil }
        var drawing = self
        drawing.hasTwoLines = true
        return drawing
    }

    private var base: Double { Double(frame.rows.count) * rowHeight + 2 }
    var height: Double { base + (ticks.isEmpty ? 2 : RowAxis.height) }
    var marks: String {
        frame.rows.map { row($0, top: Double($0.place) * rowHeight) }.joined()
            + (ticks.isEmpty ? "" : RowAxis.svg(ticks, on: .linear(0, most), base: base))
    }

    private func row(_ row: Frame.Row, top: Double) -> String {
        var svg =
            "<g aria-hidden=\"true\">"
            + RowName.svg(row.name, beside: figure(row), y: top + 14, hasTwoLines: hasTwoLines)
        let top = top + line
        svg += "<rect class=\"track\" y=\"\(Markup.place(top + 20))\" width=\"100%\" height=\"14\"/>"
        var left = 0.0
        for column in frame.painted where row.value(of: column) > 0 {
            let paint = frame.paint(of: column, row.place)
            let share = row.value(of: column) / most
            svg +=
                "<rect class=\"fill \(paint.name)\" x=\"\(Markup.share(left))\" y=\"\(Markup.place(top + 20))\" width=\"\(Markup.share(share))\" "
                + "height=\"14\"/>"
            // A label would lie below the interval.
            if column.measure == .share, frame.interval(row.place) == nil {
                let text = "\(column.name) \(FigureLabel.text(row.value(of: column), .share))"
                svg += label(text, paint, from: left, share: share, top: top)
            }
            left += share
        }
        if let interval = frame.interval(row.place) {
            let (low, high) = (
                Markup.share(min(1, max(0, interval.lowerBound / most))),
                Markup.share(min(1, max(0, interval.upperBound / most)))
            )
            for (from, to, above) in [(low, high, 0.0), (low, low, 4), (high, high, 4)] {
                svg +=
                    "<line class=\"whisker ink\" x1=\"\(from)\" x2=\"\(to)\" y1=\"\(Markup.place(top + 27 - above))\" y2=\"\(Markup.place(top + 27 + above))\"/>"
            }
        }
        return svg + "</g>"
    }

    /// The label of a part, shown from the class on in which it has room.
    private func label(_ text: String, _ paint: Paint, from left: Double, share: Double, top: Double) -> String {
        let need = TextWidth.of(text, size: 11) + 10
        guard let classes = WidthClass.classes("in t-\(paint.name)", needing: need, in: share, margin: 40) else {
            return ""
        }
        return
            "<text class=\"\(classes)\" x=\"\(Markup.share(left))\" dx=\"5\" "
            + "y=\"\(Markup.place(top + 31))\">\(Markup.escaped(text))</text>"
    }
}

extension Frame.Row {
    /// 0 where it is not defined.
    func value(of column: Frame.Column) -> Double { column.values[place] ?? 0 }
}
