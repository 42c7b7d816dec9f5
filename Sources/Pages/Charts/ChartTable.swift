/// The table behind a chart, folded away until the reader opens it.
package struct ChartTable: Sendable {
    package let columns: [String]
    /// Each with a text for every column; the first names the row.
    package let rows: [[String]]
    /// The file that the figures come from.
    package let source: String
    /// Whether the rows are the plot's columns in their order from left to right, so that a crosshair can read them.
    package let followsPlot: Bool

    package init(columns: [String], rows: [[String]], source: String, followsPlot: Bool = false) {
        precondition(
            rows.allSatisfy { $0.count == columns.count }, "rows of a table with more or fewer cells than \(columns)")
        (self.columns, self.rows, self.source, self.followsPlot) = (columns, rows, source, followsPlot)
    }

    /// Without the tags at the ends of rows and cells, which HTML does not need: half of a long table would be those.
    ///
    /// - Parameter title: of its chart.
    func html(of id: String, title: String) -> String {
        var html =
            "<details\(followsPlot ? " class=\"cross\"" : "")><summary>Table <span>from \(Markup.escaped(source))</span></summary>"
        html +=
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: \(Markup.escaped(title))\"><table id=\"\(id)-table\"><thead><tr>"
        for column in columns { html += "<th scope=\"col\">\(Markup.escaped(column))" }
        html += "<tbody>"
        for row in rows {
            html += "<tr><th scope=\"row\">\(Markup.escaped(row[0]))"
            for cell in row.dropFirst() { html += "<td>\(Markup.escaped(cell))" }
        }
        return html + "</table></div></details>"
    }
}
