import Basics

/// A small table whose cells are looked up by the names of columns.
struct PageTable {
    let file: String
    let header: [String]
    private(set) var rows: [PageRow] { didSet { index = PageIndex() } }
    fileprivate let places: [String: Int]
    private var index = PageIndex()

    init(file: String, _ table: CSVTable) {
        self.file = file
        header = table.header
        let places = Dictionary(uniqueKeysWithValues: table.header.enumerated().map { ($1, $0) })
        self.places = places
        rows = table.rows.map { PageRow(file: file, cells: $0, places: places) }
    }

    func filtered(_ keep: (PageRow) -> Bool) -> PageTable {
        var table = self
        table.rows = rows.filter(keep)
        return table
    }

    func has(_ column: String) -> Bool { places[column] != nil }

    /// The rows with these cells. A table is asked for many parts of it, so each set of columns is looked up in an
    /// index.
    func rows(_ conditions: KeyValuePairs<String, String>) -> [PageRow] { numbers(conditions).map { rows[$0] } }

    /// The one row with these cells; nil if there is none.
    func row(_ conditions: KeyValuePairs<String, String>) -> PageRow? {
        numbers(conditions).first.map { number in
            var row = rows[number]
            row.address = conditions.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
            return row
        }
    }

    private func numbers(_ conditions: KeyValuePairs<String, String>) -> [Int] {
        let columns = conditions.map(\.key)
        let places = columns.map { self.places[$0] }
        let parts =
            index.parts[columns]
            ?? Dictionary(grouping: rows.indices) { number in
                places.map { $0.map { rows[number].cells[$0] } ?? "" }
            }
        index.parts[columns] = parts
        return parts[conditions.map(\.value)] ?? []
    }

    /// The different cells of a column, in the order in which they come.
    ///
    /// - Parameter some: the rows; nil for all.
    func values(_ column: String, of some: [PageRow]? = nil) -> [String] {
        (some ?? rows).map { $0[column] }.uniqued
    }

    static func sum(_ rows: some Sequence<PageRow>, _ column: String) -> Double {
        rows.reduce(0) { $0 + ($1.number(column) ?? 0) }
    }
}

/// The numbers of a table's rows by their cells in the columns that were asked for.
private final class PageIndex {
    var parts: [[String]: [[String]: [Int]]] = [:]
}

struct PageRow {
    let file: String
    let cells: [String]
    fileprivate let places: [String: Int]
    /// The text that tells the row apart, as the notes of figures have it; empty if it was not looked up.
    fileprivate(set) var address = ""

    /// The text of a cell; empty if the table has no such column.
    subscript(_ column: String) -> String { places[column].map { cells[$0] } ?? "" }

    /// Nil if the cell is empty, or no number.
    func number(_ column: String) -> Double? { ResultColumn.number(in: self[column]) }
    func number(at place: Int) -> Double? { ResultColumn.number(in: cells[place]) }

    /// The place of a column in all rows of the table; nil if it has none.
    func place(_ column: String) -> Int? { places[column] }

    /// A number of 0 or more.
    func amount(_ column: String) -> Double? { number(column).flatMap { $0 >= 0 ? $0 : nil } }

    func count(_ column: String) -> Int64 { ResultColumn.count(in: self[column]) ?? 0 }

    /// A cell of a row that was looked up, as the page shows it; nil if it is empty.
    func figure(_ column: String, _ measure: Measure = .number) -> Figure? {
        guard let number = number(column) else { return nil }
        return Figure(
            text: FigureLabel.text(number, measure), value: self[column], source: "\(file): \(column) where \(address)")
    }
}

/// A column of a frame as it is read from a table: of each group of rows its sum, or the cell of the first one.
struct Series {
    /// The column of the table, with the form that its cells must have.
    let source: ResultColumn
    let name: String
    let measure: Measure
    let paint: Paint?
    let mark: Mark?
    private let isSum: Bool

    private init(
        _ source: ResultColumn, _ name: String, _ measure: Measure, _ paint: Paint?, _ mark: Mark?, isSum: Bool
    ) {
        (self.source, self.name, self.measure, self.paint) = (source, name, measure, paint)
        (self.mark, self.isSum) = (mark, isSum)
    }

    /// Counts that are added up.
    static func count(_ column: String, _ name: String, _ paint: Paint? = nil, as mark: Mark? = nil) -> Series {
        Series(.count(column), name, .number, paint, mark, isSum: true)
    }

    /// Amounts that are added up.
    static func amount(
        _ column: String, _ name: String, _ measure: Measure = .number, _ paint: Paint? = nil, as mark: Mark? = nil
    ) -> Series { Series(.amount(column), name, measure, paint, mark, isSum: true) }

    /// A number of 0 or more that stands in one row, in the digits that it has there.
    static func cell(
        _ column: String, _ name: String, _ measure: Measure = .number, _ paint: Paint? = nil, as mark: Mark? = nil
    ) -> Series { Series(.amount(column), name, measure, paint, mark, isSum: false) }

    /// A cell of each row.
    func column(of rows: [PageRow]) -> Frame.Column { column(of: rows.map { [$0] }) }

    func column(of groups: [[PageRow]]) -> Frame.Column {
        if !isSum {
            return Frame.Column(
                name, groups.map { $0.first?.number(source.name) }, measure, paint, as: mark,
                cells: groups.map { $0.first?[source.name] ?? "" })
        }
        let sums = groups.map { PageTable.sum($0, source.name) }
        if source.kind == .count { return .counts(name, sums, paint, as: mark) }
        return Frame.Column(
            name, sums, measure, paint, as: mark, cells: sums.map { FigureLabel.grouped($0, decimals: 1) })
    }
}

extension PageTable {
    /// A frame with a row for each different cell of a column, in the order in which they come.
    ///
    /// - Parameters:
    ///   - key: the heading of the rows' names; nil for the column's name.
    ///   - rows: nil for all.
    ///   - words: what the page calls a cell.
    func frame(
        by column: String, as key: String? = nil, of rows: [PageRow]? = nil, _ series: [Series],
        words: (String) -> String = { $0 }
    ) -> Frame {
        let rows = rows ?? self.rows
        let groups = Dictionary(grouping: rows) { $0[column] }
        let names = values(column, of: rows)
        return Frame(
            key ?? column, names.map(words), series.map { $0.column(of: names.map { groups[$0] ?? [] }) }, source: file)
    }

    /// A frame with a row for each of some rows.
    func frame(_ key: String, of rows: [PageRow], _ series: [Series], name: (PageRow) -> String) -> Frame {
        Frame(key, rows.map(name), series.map { $0.column(of: rows) }, source: file)
    }

    func hours(of rows: [PageRow]? = nil, _ series: [Series]) -> Frame {
        let groups = Dictionary(grouping: rows ?? self.rows) { $0["local_hour"] }
        let hours = (0..<24).map { groups["\($0)"] ?? [] }
        return Frame.hours("local hour", series.map { $0.column(of: hours) }, source: file)
    }
}

extension Frame {
    /// The hours of a day beside each other.
    static func hours(_ key: String, _ columns: [Column], source: String) -> Frame {
        let x = Scale.linear(0, 24)
        let ticks = stride(from: 0, through: 24, by: 3).map { Tick(Double($0), hour($0 % 24)) }
        return Frame(
            key, (0..<24).map(hour), columns, axis: .columns(x, Plot.thinned(ticks, on: x)), source: source)
    }

    private static func hour(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour):00" }
}
