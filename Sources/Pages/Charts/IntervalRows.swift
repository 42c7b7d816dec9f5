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
