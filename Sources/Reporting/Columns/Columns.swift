/// One column of a table with the value that it has in a row, or several that stand side by side.
///
/// The columns of a table: each is declared together with where its value comes from, so no value can stand in the
/// column of another.
package struct Columns<Row>: Sendable {
    let columns: [Column]
    /// Adds the cells of a row, with commas between them.
    let append: @Sendable (Row, inout [UInt8]) -> Void

    /// Whether there is no column at all, such as the axes of a study that varies nothing.
    var isEmpty: Bool { columns.isEmpty }

    init(_ columns: [Column], append: @escaping @Sendable (Row, inout [UInt8]) -> Void) {
        self.columns = columns
        self.append = append
    }

    private init<Value: CellValue>(
        _ name: String, unit: String?, adds: Column.Aggregation, _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Value
    ) {
        let column = Column(
            name: name, type: Value.columnType, unit: unit, meaning: meaning, adds: adds, isOptional: Value.isOptional)
        self.init([column]) { row, bytes in value(row).append(to: &bytes) }
    }

    /// A column that tells rows apart.
    package static func key<Value: CellValue>(
        _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit: unit, adds: .key, meaning, value)
    }

    /// A column of values that add up: counts, and amounts with a unit.
    static func sum<Value: CellValue>(
        _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit: unit, adds: .sum, meaning, value)
    }

    /// A column that does not add up: a share, a mean, a quantile, an instant.
    package static func derived<Value: CellValue>(
        _ name: String, unit: String? = nil, adds: Column.Aggregation = .none, _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit: unit, adds: adds, meaning, value)
    }

    /// Columns of another table, as its file writes them.
    ///
    /// - Parameter cells: one for each column.
    package static func written(_ columns: [Column], _ cells: @escaping @Sendable (Row) -> [String]) -> Self {
        Self(columns) { row, bytes in
            for (index, cell) in cells(row).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                cell.append(to: &bytes)
            }
        }
    }

    /// The columns of what many rows share, whose cells are made once.
    package static func shared<Part>(
        _ columns: [Columns<Part>], _ cells: @escaping @Sendable (Row) -> PreparedCells<Part>
    ) -> Self {
        Self(columns.flatMap(\.columns)) { row, bytes in bytes.append(contentsOf: cells(row).text) }
    }

    /// Columns that were put together before.
    package static func several(_ columns: [Columns]) -> Self { part({ $0 }, columns) }

    package static func part<Part>(_ part: @escaping @Sendable (Row) -> Part, _ columns: [Columns<Part>]) -> Self {
        let present = columns.filter { !$0.isEmpty }
        return Self(present.flatMap(\.columns)) { row, bytes in present.append(part(row), to: &bytes) }
    }
}

/// A row of which two parts have cells that many rows share, and which has one value of its own: for tables of millions
/// of rows.
struct PreparedRow<First, Second, Value: CellValue> {
    let first: PreparedCells<First>
    let second: PreparedCells<Second>
    let value: Value
}

extension Columns {
    /// All columns of a prepared row, written by one function.
    ///
    /// - Parameter last: what is said of the value.
    static func prepared<First, Second, Value: CellValue>(
        _ first: [Columns<First>], _ second: [Columns<Second>], _ last: Columns<Value>
    ) -> Self where Row == PreparedRow<First, Second, Value> {
        Self(first.flatMap(\.columns) + second.flatMap(\.columns) + last.columns) { row, bytes in
            bytes.append(contentsOf: row.first.text)
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: row.second.text)
            bytes.append(UInt8(ascii: ","))
            row.value.append(to: &bytes)
        }
    }
}

/// The cells of what many rows share.
package struct PreparedCells<Part>: Sendable {
    fileprivate let text: [UInt8]

    package init(_ part: Part, _ columns: [Columns<Part>]) {
        var text: [UInt8] = []
        columns.filter { !$0.isEmpty }.append(part, to: &text)
        self.text = text
    }
}

extension Array {
    /// Adds the cells of a row, with commas between them.
    func append<Row>(_ row: Row, to bytes: inout [UInt8]) where Element == Columns<Row> {
        // `enumerated` looks up its types at every element here, which took most of the time of a table.
        for index in indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            self[index].append(row, &bytes)
        }
    }
}
