/// A chart in a page: a title that states the finding, the drawing, a legend, and a table of its data.
package struct ChartFigure: Sendable {
    /// A name that no other chart of the page has: letters, digits and hyphens.
    package let id: String
    /// The finding, in one sentence.
    package let title: String
    /// A description for readers who do not see the drawing; it stands below the title too.
    package let description: String
    /// How wide the labels at the left are.
    package let margin: Margin
    /// Whether names stand at the right ends.
    package let hasEndLabels: Bool
    package let legend: [(String, Paint)]
    package let table: ChartTable
    /// The drawing, which has the identifier, title and description in it.
    package let drawing: String

    /// The room for labels at the left of a plot, in pixels; one of a few, because the page allows no styles but those
    /// of its sheet.
    package enum Margin: Int, CaseIterable, Sendable {
        case none = 0, small = 40, middle = 56, large = 76, names = 100

        /// The least that holds the labels of an axis.
        package static func holding(_ ticks: [Tick]) -> Margin {
            let width = (ticks.map { TextWidth.of($0.label) }.max() ?? 0) + 10
            return allCases.first { $0 != .none && Double($0.rawValue) >= width } ?? .names
        }
    }

    package init(
        _ id: String, title: String, description: String, _ plot: Plot, legend: [(String, Paint)] = [],
        table: ChartTable
    ) {
        (self.id, self.title, self.description, self.legend, self.table) = (id, title, description, legend, table)
        margin = Margin.holding(plot.yTicks)
        hasEndLabels = !plot.endLabels.isEmpty
        drawing = plot.svg(id: id, title: title, description: description)
    }

    package init(
        _ id: String, title: String, description: String, _ rows: BarRows, legend: [(String, Paint)] = [],
        table: ChartTable
    ) {
        (self.id, self.title, self.description, self.legend, self.table) = (id, title, description, legend, table)
        (margin, hasEndLabels) = (.none, false)
        drawing = rows.svg(id: id, title: title, description: description)
    }

    package init(
        _ id: String, title: String, description: String, _ rows: IntervalRows, legend: [(String, Paint)] = [],
        table: ChartTable
    ) {
        (self.id, self.title, self.description, self.legend, self.table) = (id, title, description, legend, table)
        (margin, hasEndLabels) = (.none, false)
        drawing = rows.svg(id: id, title: title, description: description)
    }

    package init(
        _ id: String, title: String, description: String, _ map: HeatMap, legend: [(String, Paint)] = [],
        table: ChartTable
    ) {
        (self.id, self.title, self.description, self.legend, self.table) = (id, title, description, legend, table)
        (margin, hasEndLabels) = (.names, false)
        drawing = map.svg(id: id, title: title, description: description)
    }

    package var html: String {
        var html =
            "<figure class=\"chart\" id=\"\(id)\"><figcaption><h3>\(Markup.escaped(title))</h3><p>\(Markup.escaped(description))</p></figcaption>"
        html +=
            legend.isEmpty
            ? ""
            : "<ul class=\"legend\(hasEndLabels ? " short" : "")\">"
                + legend.map { name, paint in
                    "<li><svg width=\"14\" height=\"10\" aria-hidden=\"true\"><rect class=\"key \(paint.name)\" width=\"14\" height=\"10\" rx=\"2\"/>"
                        + "</svg>\(Markup.escaped(name))</li>"
                }.joined() + "</ul>"
        html += "<div class=\"draw m\(margin.rawValue)\(hasEndLabels ? " ends" : "")\">\(drawing)</div>"
        return html + table.html(of: id, title: title) + "</figure>"
    }

    /// The style rules for the margins beside plots.
    package static var css: String {
        Margin.allCases.map { ".m\($0.rawValue){padding-left:\($0.rawValue)px}" }.joined()
            + "@container (min-width:\(WidthClass.leastChartWithEnds)px){.draw.ends{padding-right:\(Int(Plot.endRoom))px}.legend.short{display:none}}"
    }
}
