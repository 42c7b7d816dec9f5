/// A chart in a page: a title that states the finding, the drawing of a frame, a legend, and a table of the same frame.
struct Chart: Sendable {
    /// A name that no other chart of the page has: letters, digits and hyphens.
    let id: String
    /// The finding, in one sentence.
    let title: String
    /// A description for readers who do not see the drawing; it stands below the title too.
    let description: String
    /// Whether it takes the whole width of the page.
    let isWide: Bool
    private let legend: [(name: String, paint: Paint)]
    private let margin: Margin
    /// The names that stand at the right ends where there is room.
    private let endLabels: [String]
    /// The drawing, which has the identifier, title and description in it.
    private let drawing: String
    private let frame: Frame

    /// The room for labels at the left of a plot, in pixels; one of a few, because the page allows no styles but those
    /// of its sheet.
    enum Margin: Int, CaseIterable, Sendable {
        case none = 0, small = 40, middle = 56, large = 76, names = 100

        /// The least that holds the labels of an axis.
        static func holding(_ ticks: [Tick]) -> Margin {
            let width = (ticks.map { TextWidth.of($0.label) }.max() ?? 0) + 10
            return allCases.first { $0 != .none && Double($0.rawValue) >= width } ?? .names
        }
    }

    /// The parts of a drawing that are not marks of its frame.
    struct Extras {
        /// Behind the marks and in front of them.
        var behind: [PlotLayer] = []
        var front: [PlotLayer] = []
        var flags: [PlotFlag] = []
        /// Names of the layers in front, for the legend.
        var legend: [(name: String, paint: Paint)] = []
        /// The value that the upright axis holds at least; nil for the largest mark's.
        var reach: Double?
        var isLogarithmic = false
        /// The place of a line from which values are seen, such as that of no difference.
        var line: Double?
        /// The figure at the end of a row's line; nil for what is drawn.
        var figure: ((Frame.Row) -> String)?

        init() {}
    }

    /// - Parameters:
    ///   - description: what is shown, whatever the numbers are.
    ///   - title: the finding.
    ///   - extras: sets what the drawing has besides.
    init(
        _ id: String, _ frame: Frame, _ mark: Mark, says description: String, finding title: String,
        isWide: Bool = false, extras: (inout Extras) -> Void = { _ in }
    ) {
        var more = Extras()
        extras(&more)
        (self.id, self.title, self.description, self.isWide, self.frame) = (id, title, description, isWide, frame)
        let painted = frame.painted
        let areParts = mark == .bars || mark == .stack
        // A single column is what the title speaks of, unless it is all of several that could be there; quantiles are
        // told apart by their marks.
        let isTold =
            mark == .quantiles || painted.count < 2 && !(areParts && painted.first?.measure == .share)
        let named =
            frame.groups?.paints
            ?? (isTold && more.legend.isEmpty
                ? [] : painted.map { ($0.name, $0.paint!) } + more.legend)
        let drawn: any ChartDrawing
        switch (frame.axis, mark) {
        case (.names, .quantiles), (.names, .estimates): drawn = IntervalRows(frame, mark, more)
        case (_, .cells): drawn = HeatMap(frame)
        case (.names, _): drawn = BarRows(frame, figure: more.figure)
        default: drawn = PlotChart(frame, mark, more).plot(isWide: isWide)
        }
        (margin, endLabels) = (drawn.margin, drawn.endNames)
        legend = (drawn as? HeatMap)?.legend ?? named
        drawing = drawn.svg(id: id, title: title, description: description)
    }

    var html: String {
        var html =
            "<figure class=\"chart\" id=\"\(id)\"><figcaption><h3>\(Markup.escaped(title))</h3><p>\(Markup.escaped(description))</p></figcaption>"
        // A name at an end needs no legend where it is shown.
        let ends = Set(endLabels)
        html +=
            legend.isEmpty
            ? ""
            : "<ul class=\"legend\(legend.allSatisfy { ends.contains($0.name) } ? " named" : "")\">"
                + legend.map { name, paint in
                    "<li\(ends.contains(name) ? " class=\"named\"" : "")><svg width=\"14\" height=\"10\" aria-hidden=\"true\"><rect class=\"key \(paint.name)\" width=\"14\" height=\"10\" rx=\"2\"/>"
                        + "</svg>\(Markup.escaped(name))</li>"
                }.joined() + "</ul>"
        html += "<div class=\"draw m\(margin.rawValue)\(endLabels.isEmpty ? "" : " ends")\">\(drawing)</div>"
        return html + frame.table(of: id, title: title) + "</figure>"
    }

    /// The style rules for the margins beside plots.
    static var css: String {
        Margin.allCases.map { ".m\($0.rawValue){padding-left:\($0.rawValue)px}" }.joined()
            + "@container (min-width:\(WidthClass.leastChartWithEnds)px){.draw.ends{padding-right:\(Int(Plot.endRoom))px}.legend.named,.legend .named{display:none}}"
    }
}

/// The drawing of a chart, which is as wide as the page lets it be.
protocol ChartDrawing {
    var margin: Chart.Margin { get }
    /// The names at its right end.
    var endNames: [String] { get }
    /// - Parameters:
    ///   - id: of the title and description in the page.
    ///   - description: what the chart shows, for those who do not see it.
    func svg(id: String, title: String, description: String) -> String
}

extension Plot: ChartDrawing {
    var margin: Chart.Margin { .holding(yTicks) }
    var endNames: [String] { endLabels.map(\.text) }
}

/// A drawing of rows, one below the other.
protocol RowDrawing: ChartDrawing {
    /// The classes of its style, by their names.
    var style: String { get }
    /// Pixels of the whole.
    var height: Double { get }
    /// All that is drawn.
    var marks: String { get }
    /// A drawing with the figure of each row below its name, for screens on which the two have no room beside each
    /// other; nil if every row has room on every screen.
    var narrow: (any RowDrawing)? { get }
}

extension RowDrawing {
    var style: String { "bars" }
    var margin: Chart.Margin { .none }
    var endNames: [String] { [] }
    var narrow: (any RowDrawing)? { nil }

    func svg(id: String, title: String, description: String) -> String {
        // Printed smaller, and then as on a wider screen, so that it stands on one page with its title.
        let style = style + ((narrow ?? self).height > 900 ? " tall" : "")
        // Rows differ in height, which no style changes, so a screen shows one of two drawings.
        let below = narrow.map {
            $0.svg(id: id + "-n", title, description, [style, WidthClass.narrow.onlyClass])
        }
        let beside = svg(id: id, title, description, [style, below == nil ? nil : WidthClass.middle.fromClass])
        return (below ?? "") + beside
    }

    private func svg(id: String, _ title: String, _ description: String, _ styles: [String?]) -> String {
        Markup.drawing(styles.compactMap { $0 }.joined(separator: " "), height: height, id: id, title, description)
            + marks + "</svg>"
    }
}
