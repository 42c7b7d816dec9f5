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
        _ id: String, title: String, description: String, _ drawing: some ChartDrawing,
        legend: [(String, Paint)] = [], table: ChartTable
    ) {
        (self.id, self.title, self.description, self.legend, self.table) = (id, title, description, legend, table)
        (margin, hasEndLabels) = (drawing.margin, drawing.hasEndLabels)
        self.drawing = drawing.svg(id: id, title: title, description: description)
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

/// The drawing of a chart, which is as wide as the page lets it be.
package protocol ChartDrawing {
    var margin: ChartFigure.Margin { get }
    var hasEndLabels: Bool { get }
    /// - Parameters:
    ///   - id: of the title and description in the page.
    ///   - description: what the chart shows, for those who do not see it.
    func svg(id: String, title: String, description: String) -> String
}

extension Plot: ChartDrawing {
    package var margin: ChartFigure.Margin { .holding(yTicks) }
    package var hasEndLabels: Bool { !endLabels.isEmpty }
}

/// A drawing of rows, one below the other.
package protocol RowDrawing: ChartDrawing {
    /// The classes of its style, by their names.
    var style: String { get }
    /// Pixels of the whole.
    var height: Double { get }
    /// All that is drawn.
    var marks: String { get }
}

extension RowDrawing {
    package var style: String { "bars" }
    package var margin: ChartFigure.Margin { .none }
    package var hasEndLabels: Bool { false }

    package func svg(id: String, title: String, description: String) -> String {
        "<svg class=\"\(style)\" role=\"img\" height=\"\(Markup.place(height))\" aria-labelledby=\"\(id)-t \(id)-d\">"
            + "<title id=\"\(id)-t\">\(Markup.escaped(title))</title><desc id=\"\(id)-d\">\(Markup.escaped(description))</desc>"
            + marks + "</svg>"
    }
}
