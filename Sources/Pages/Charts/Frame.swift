/// The data of one chart: numbers in named columns over named rows. The marks, the legend, the axes and the table below
/// the drawing come from it, so none of them can have what another lacks.
struct Frame: Sendable {
    /// A number for every row.
    struct Column: Sendable {
        let name: String
        let measure: Measure
        /// How its marks are painted; nil for a column that stands in the table alone.
        let paint: Paint?
        /// How it is drawn if not by the chart's mark.
        let mark: Mark?
        /// The numbers that are drawn; nil where there is none.
        fileprivate(set) var values: [Double?]
        /// The texts in the table, for the same rows.
        fileprivate(set) var cells: [String]

        /// - Parameter cells: nil for the values as the measure has them.
        init(
            _ name: String, _ values: [Double?], _ measure: Measure = .number, _ paint: Paint? = nil,
            as mark: Mark? = nil, cells: [String]? = nil
        ) {
            (self.name, self.measure, self.paint, self.mark, self.values) = (name, measure, paint, mark, values)
            self.cells =
                cells
                ?? values.map { value in
                    value.map { measure == .share ? FigureLabel.text($0, .share) : FigureLabel.significant($0) } ?? ""
                }
            precondition(self.cells.count == values.count, "\(values.count) values with \(self.cells.count) cells")
        }

        /// Counts, whose cells have all of their digits.
        static func counts(
            _ name: String, _ counts: [Double?], drawn values: [Double?]? = nil, _ paint: Paint? = nil,
            as mark: Mark? = nil
        ) -> Column {
            Column(
                name, values ?? counts, .number, paint, as: mark,
                cells: counts.map { $0.map { FigureLabel.grouped($0, decimals: 0) } ?? "" })
        }

        /// Texts, of which nothing is drawn.
        static func texts(_ name: String, _ cells: [String]) -> Column {
            Column(name, cells.map { _ in nil }, cells: cells)
        }

        /// The heading of the table; its cells are plain numbers.
        fileprivate var heading: String { measure == .duration ? name + ", s" : name }
    }

    /// One row of a frame.
    struct Row {
        fileprivate let frame: Frame
        let place: Int

        var name: String { frame.names[place] }
        /// The sum of what is drawn.
        var sum: Double { frame.painted.reduce(0) { $0 + ($1.values[place] ?? 0) } }
        /// The number that a column draws; 0 where there is none.
        subscript(_ column: String) -> Double { value(column) ?? 0 }
        func value(_ column: String) -> Double? { frame[column].values[place] }
        func cell(_ column: String) -> String { frame[column].cells[place] }
        func text(_ column: String) -> String { FigureLabel.text(self[column], frame[column].measure) }
    }

    /// Where rows stand.
    enum Axis: Sendable {
        /// One below the other.
        case names
        /// Columns of one width beside each other, over the whole axis.
        case columns(Scale, [WidthClass: [Tick]])
        /// Each at a value of its own.
        case values([Double], Scale, [WidthClass: [Tick]])
    }

    /// Rows that are told apart by their paint.
    struct Groups: Sendable {
        let name: String
        let paints: [(name: String, paint: Paint)]
        /// The group of each row.
        fileprivate(set) var places: [Int]
    }

    /// The heading of the rows' names.
    let key: String
    private(set) var names: [String]
    private(set) var columns: [Column]
    private(set) var axis: Axis
    private(set) var groups: Groups?
    /// The files that the figures come from.
    let source: String

    init(_ key: String, _ names: [String], _ columns: [Column], axis: Axis = .names, source: String) {
        precondition(columns.allSatisfy { $0.values.count == names.count }, "columns of other lengths than \(key)")
        (self.key, self.names, self.columns, self.axis, self.source) = (key, names, columns, axis, source)
    }

    var rows: [Row] { names.indices.map { Row(frame: self, place: $0) } }
    var isEmpty: Bool { names.isEmpty }

    /// The columns of the drawing. Ends of intervals, which have no paint of their own, are not among them.
    var painted: [Column] { columns.filter { $0.paint != nil } }

    /// The first column of a name that the code gives it.
    subscript(_ name: String) -> Column {
        guard let column = columns.first(where: { $0.name == name }) else {
            preconditionFailure("a chart without a column \(name)")
        }
        return column
    }

    func sum(_ column: String) -> Double { self[column].values.reduce(0) { $0 + ($1 ?? 0) } }

    /// The row with most of a column, the first of equal ones; nil without rows.
    func most(_ column: String) -> Row? { rows.max { ($0[column], $1.place) < ($1[column], $0.place) } }
    func least(_ column: String) -> Row? { rows.min { ($0[column], $0.place) < ($1[column], $1.place) } }

    // MARK: Other frames

    private func picking(_ places: [Int]) -> Frame {
        var frame = self
        frame.names = places.map { names[$0] }
        for column in columns.indices {
            frame.columns[column].values = places.map { columns[column].values[$0] }
            frame.columns[column].cells = places.map { columns[column].cells[$0] }
        }
        if let groups { frame.groups?.places = places.map { groups.places[$0] } }
        if case .values(let values, let scale, let ticks) = axis {
            frame.axis = .values(places.map { values[$0] }, scale, ticks)
        }
        return frame
    }

    func filter(_ keep: (Row) -> Bool) -> Frame { picking(rows.filter(keep).map(\.place)) }

    /// The largest first, equal ones by name.
    func sorted(by size: (Row) -> Double = { $0.sum }) -> Frame {
        picking(rows.map { ($0, size($0)) }.sorted { ($1.1, $0.0.name) < ($0.1, $1.0.name) }.map(\.0.place))
    }

    func adding(_ column: Column) -> Frame {
        Frame(key, names, columns + [column], axis: axis, source: source)
    }

    /// With a column that is computed from the others.
    func adding(
        _ name: String, _ measure: Measure = .number, _ paint: Paint? = nil, as mark: Mark? = nil,
        _ value: (Row) -> Double?
    ) -> Frame { adding(Column(name, rows.map(value), measure, paint, as: mark)) }

    /// The same cells, drawn as parts of a column, or else of all that is drawn of the row. Columns without anything
    /// are left out, unless they are told against a whole.
    func shares(of whole: String? = nil) -> Frame {
        let sums = rows.map { row in whole.map { row[$0] } ?? row.sum }
        let columns = columns.compactMap { column -> Column? in
            guard let paint = column.paint else { return column }
            if whole == nil, !column.values.contains(where: { $0 ?? 0 != 0 }) { return nil }
            let shares = zip(column.values, sums).map { $1 == 0 ? 0 : ($0 ?? 0) / $1 }
            return Column(column.name, shares, .share, paint, as: column.mark, cells: column.cells)
        }
        return Frame(key, names, columns, axis: axis, source: source)
    }

    /// With each row at a value of its own along an axis.
    func at(_ values: [Double], _ scale: Scale, _ ticks: [Tick]) -> Frame {
        precondition(values.count == names.count, "\(values.count) places for \(names.count) rows")
        var frame = self
        frame.axis = .values(values, scale, Plot.thinned(ticks, on: scale))
        return frame
    }

    /// With some rows in the table alone.
    func drawing(_ isDrawn: (Row) -> Bool) -> Frame {
        var frame = self
        for row in rows where !isDrawn(row) {
            for column in columns.indices { frame.columns[column].values[row.place] = nil }
        }
        return frame
    }

    /// With rows painted by what they are, which stands in the last column of the table.
    func grouped(_ name: String, _ paints: [(String, Paint)], _ group: (Row) -> Int) -> Frame {
        var frame = self
        frame.groups = Groups(name: name, paints: paints, places: rows.map(group))
        return frame
    }

    // MARK: The table

    /// As many rows as a plot has columns.
    private static let mostRows = 720

    /// Whether the rows are the drawing's columns from left to right, so that a crosshair can read them.
    private var followsDrawing: Bool { if case .columns = axis { true } else { false } }

    /// The table, folded away until the reader opens it. It is without the tags at the ends of rows and cells, which
    /// HTML does not need: half of a long table would be those.
    ///
    /// - Parameter title: of its chart.
    func table(of id: String, title: String) -> String {
        let headings = [key] + columns.map(\.heading) + (groups.map { [$0.name] } ?? [])
        var html =
            "<details\(followsDrawing ? " class=\"cross\"" : "")><summary>Table <span>from \(Markup.escaped(source))</span></summary>"
        html +=
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: \(Markup.escaped(title))\"><table id=\"\(id)-table\"><thead><tr>"
        for heading in headings { html += "<th scope=\"col\">\(Markup.heading(heading))" }
        html += "<tbody>"
        for row in names.indices.prefix(Self.mostRows) {
            html += "<tr><th scope=\"row\">\(Markup.escaped(names[row]))"
            for column in columns { html += "<td>\(Markup.escaped(column.cells[row]))" }
            if let groups { html += "<td>\(Markup.escaped(groups.paints[groups.places[row]].name))" }
        }
        let rest = names.count - Self.mostRows
        let more = rest > 0 ? "<p>\(rest) more rows stand in the file.</p>" : ""
        return html + "</table></div>\(more)</details>"
    }
}
