/// Estimates with their intervals, one below the other over one axis: a forest plot.
package struct IntervalRows: RowDrawing, Sendable {
    package struct Row: Hashable, Sendable {
        package let name: String
        package let figure: String
        package let value: Double
        /// Nil if there is none.
        package let interval: ClosedRange<Double>?
        /// A wider range, such as to a quantile nearer to the end; nil if there is none.
        package let reach: ClosedRange<Double>?
        package let paint: Paint

        package init(
            _ name: String, figure: String, value: Double, interval: ClosedRange<Double>?,
            reach: ClosedRange<Double>? = nil, paint: Paint
        ) {
            (self.name, self.figure, self.value, self.interval, self.reach, self.paint) = (
                name, figure, value, interval, reach, paint
            )
        }
    }

    private let rows: [Row]
    private let scale: Scale
    private let ticks: [WidthClass: [Tick]]
    /// Where a line stands, such as that of no difference; nil for none.
    private let line: Double?

    /// - Parameter line: where the line stands from which values are seen, such as that of no difference.
    package init(_ rows: [Row], measure: Measure, line: Double? = nil, isLogarithmic: Bool = false) {
        self.rows = rows
        self.line = line
        let ends = rows.flatMap { row in
            [row.interval, row.reach].compactMap { $0 }.flatMap { [$0.lowerBound, $0.upperBound] }
        }
        let values: [Double] = rows.map(\.value) + ends + (line.map { [$0] } ?? [])
        let (low, high) = (values.min() ?? 0, values.max() ?? 1)
        if isLogarithmic {
            // Nothing has no place on such an axis: it stands at its beginning.
            let least = values.filter { $0 > 0 }.min() ?? 1
            scale = Scale.logarithmic(Swift.max(least, high / 1e6) / 1.25, max(high, least) * 1.25)
            let ticks =
                measure == .duration
                ? Ticks.durations(scale.low, scale.high) : Ticks.logarithmic(scale.low, scale.high, measure)
            self.ticks = Plot.thinned(ticks, on: scale)
        } else {
            let margin = (high - low) * 0.04
            scale = Scale.linear(low - margin, high + margin)
            ticks = Plot.thinned(Ticks.between(scale.low, scale.high, measure, about: 6), on: scale)
        }
    }

    private static let rowHeight = 38.0

    package var style: String { "bars forest" }
    package var height: Double { base + 26 }
    /// The place of the axis.
    private var base: Double { Double(rows.count) * Self.rowHeight + 4 }

    package var marks: String {
        var svg = ""
        if let line {
            let place = Markup.share(scale.place(line))
            svg += "<line class=\"zero\" x1=\"\(place)\" x2=\"\(place)\" y2=\"\(Markup.place(base))\"/>"
        }
        for (index, row) in rows.enumerated() { svg += self.row(row, top: Double(index) * Self.rowHeight) }
        svg +=
            "<g class=\"axis\" aria-hidden=\"true\"><line x2=\"100%\" y1=\"\(Markup.place(base))\" y2=\"\(Markup.place(base))\"/>"
        for room in WidthClass.allCases {
            svg +=
                "<g class=\"\(room.onlyClass)\">" + (ticks[room] ?? []).map { tick($0, base, room) }.joined() + "</g>"
        }
        return svg + "</g>"
    }

    private func tick(_ tick: Tick, _ base: Double, _ room: WidthClass) -> String {
        let place = scale.place(tick.value)
        let half = TextWidth.of(tick.label) / 2 / room.leastPlot
        let anchor = place - half < 0 ? "start" : place + half > 1 ? "end" : "middle"
        return
            "<text x=\"\(Markup.share(place))\" y=\"\(Markup.place(base + 18))\" text-anchor=\"\(anchor)\">\(Markup.escaped(tick.label))</text>"
    }

    private func row(_ row: Row, top: Double) -> String {
        let y = Markup.place(top + 25)
        var svg = "<g aria-hidden=\"true\">" + RowName.svg(row.name, beside: row.figure, y: top + 13)
        if let reach = row.reach {
            let (low, high) = (Markup.share(scale.place(reach.lowerBound)), Markup.share(scale.place(reach.upperBound)))
            svg +=
                "<line class=\"whisker reach \(row.paint.name)\" x1=\"\(low)\" x2=\"\(high)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        svg +=
            "<text class=\"figure\" x=\"100%\" y=\"\(Markup.place(top + 13))\" text-anchor=\"end\">\(Markup.escaped(row.figure))</text>"
        if let interval = row.interval {
            let (low, high) = (
                Markup.share(scale.place(interval.lowerBound)), Markup.share(scale.place(interval.upperBound))
            )
            svg += "<line class=\"interval \(row.paint.name)\" x1=\"\(low)\" x2=\"\(high)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        svg +=
            "<circle class=\"dot \(row.paint.name)\" cx=\"\(Markup.share(scale.place(row.value)))\" cy=\"\(y)\" r=\"5\"/>"
        return svg + "</g>"
    }
}
