/// Horizontal bars, each below its name, in one or more parts. Names stand above their bars, so that they have room on
/// every screen.
package struct BarRows: RowDrawing, Sendable {
    package struct Part: Hashable, Sendable {
        package let value: Double
        package let paint: Paint
        /// The text in the part, shown where it has room.
        package let label: String

        package init(_ value: Double, _ paint: Paint, label: String = "") {
            (self.value, self.paint, self.label) = (value, paint, label)
        }
    }

    package struct Row: Hashable, Sendable {
        package let name: String
        /// The figure at the end of the name's line.
        package let figure: String
        package let parts: [Part]
        /// The ends of an interval of the sum.
        package let interval: ClosedRange<Double>?

        package init(_ name: String, figure: String, _ parts: [Part], interval: ClosedRange<Double>? = nil) {
            (self.name, self.figure, self.parts, self.interval) = (name, figure, parts, interval)
        }
    }

    private let rows: [Row]
    /// The value at the right end.
    private let most: Double

    /// - Parameter reach: the value at the right end, if no bar is longer.
    package init(_ rows: [Row], reach: Double = 0) {
        self.rows = rows
        let ends = rows.map { row in max(row.parts.reduce(0) { $0 + max(0, $1.value) }, row.interval?.upperBound ?? 0) }
        let longest = max(reach, ends.max() ?? 0)
        most = longest > 0 ? longest : 1
    }

    private static let rowHeight = 40.0

    package var height: Double { Double(rows.count) * Self.rowHeight + 4 }
    package var marks: String {
        rows.enumerated().map { row($1, top: Double($0) * Self.rowHeight) }.joined()
    }

    private func row(_ row: Row, top: Double) -> String {
        var svg = "<g aria-hidden=\"true\">"
        svg += RowName.svg(row.name, beside: row.figure, y: top + 14)
        svg +=
            "<text class=\"figure\" x=\"100%\" y=\"\(Markup.place(top + 14))\" text-anchor=\"end\">\(Markup.escaped(row.figure))</text>"
        svg += "<rect class=\"track\" y=\"\(Markup.place(top + 20))\" width=\"100%\" height=\"14\"/>"
        var left = 0.0
        for part in row.parts where part.value > 0 {
            let share = part.value / most
            svg +=
                "<rect class=\"fill \(part.paint.name)\" x=\"\(Markup.share(left))\" y=\"\(Markup.place(top + 20))\" width=\"\(Markup.share(share))\" "
                + "height=\"14\"/>"
            svg += label(part, from: left, share: share, top: top)
            left += share
        }
        if let interval = row.interval {
            let (low, high) = (
                Markup.share(min(1, max(0, interval.lowerBound / most))),
                Markup.share(min(1, max(0, interval.upperBound / most)))
            )
            svg +=
                "<line class=\"whisker ink\" x1=\"\(low)\" x2=\"\(high)\" y1=\"\(Markup.place(top + 27))\" y2=\"\(Markup.place(top + 27))\"/>"
            for end in [low, high] {
                svg +=
                    "<line class=\"whisker ink\" x1=\"\(end)\" x2=\"\(end)\" y1=\"\(Markup.place(top + 23))\" y2=\"\(Markup.place(top + 31))\"/>"
            }
        }
        return svg + "</g>"
    }

    /// The label of a part, shown from the class on in which it has room.
    private func label(_ part: Part, from left: Double, share: Double, top: Double) -> String {
        if part.label.isEmpty { return "" }
        let need = TextWidth.of(part.label, size: 11) + 10
        guard let room = WidthClass.allCases.first(where: { ($0.leastPlot + 40) * share >= need }) else { return "" }
        let shown = room.fromClass.map { " " + $0 } ?? ""
        return
            "<text class=\"in t-\(part.paint.name)\(shown)\" x=\"\(Markup.share(left))\" dx=\"5\" "
            + "y=\"\(Markup.place(top + 31))\">\(Markup.escaped(part.label))</text>"
    }
}
