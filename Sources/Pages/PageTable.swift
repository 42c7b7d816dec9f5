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
        let parts =
            index.parts[columns] ?? Dictionary(grouping: rows.indices) { number in columns.map { rows[number][$0] } }
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

    fileprivate init(file: String, cells: [String], places: [String: Int]) {
        (self.file, self.cells, self.places) = (file, cells, places)
    }

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
