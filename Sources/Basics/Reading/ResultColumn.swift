/// A column of a table of finished results as a reader needs it: its name, and the kind of its cells.
///
/// Whoever can write into a folder can write its hashes too. So no reader of a folder trusts a cell because the
/// manifest vouches for it: `check` is the one place where cells are read for the first time, and later code computes
/// with numbers in known bounds.
package struct ResultColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    package enum Kind: Hashable, Sendable {
        /// Any text.
        case text
        /// A number, or nothing where it is not defined.
        case number
        /// A number, 0 or more.
        case amount
        /// A whole number, 0 or more.
        case count
        /// `true` or `false`.
        case flag
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    package init(stringLiteral name: String) { self.init(name, .text) }

    package static func number(_ name: String) -> ResultColumn { ResultColumn(name, .number) }
    package static func amount(_ name: String) -> ResultColumn { ResultColumn(name, .amount) }
    package static func count(_ name: String) -> ResultColumn { ResultColumn(name, .count) }
    package static func flag(_ name: String) -> ResultColumn { ResultColumn(name, .flag) }

    /// The sizes of numbers that are reckoned with: sums and squares of these, and quotients of two, are finite. A
    /// probability can be smaller, and is as good as 0.
    private static let sizes = 1e-100...1e100
    /// The most that a count may be, and that the counts of one column may sum to: sums over a few columns fit into 64
    /// bits, a hundredfold too.
    package static let mostCounted: Int64 = 1_000_000_000_000_000

    /// A number of a size that can be reckoned with, 0 for a smaller one; nil for anything else.
    package static func number(in text: String) -> Double? {
        if let count = plainCount(in: text) { return count }
        guard let value = Double(text), value.magnitude <= sizes.upperBound else { return nil }
        return value.magnitude < sizes.lowerBound ? 0 : value
    }

    /// The value of a few digits without anything else, as most cells are; nil for any other text. It is that of
    /// `Double(text)`, which takes eight times as long.
    private static func plainCount(in text: String) -> Double? {
        let digits = text.utf8
        if digits.isEmpty || digits.count > 15 { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return Double(value)
    }

    /// A count that can be added to others; nil for anything else.
    package static func count(in text: String) -> Int64? {
        guard let value = Int64(text), (0...mostCounted).contains(value) else { return nil }
        return value
    }

    private func holds(_ cell: String) -> Bool {
        switch kind {
        case .text: true
        case .number: cell.isEmpty || Self.number(in: cell) != nil
        case .amount: cell.isEmpty || Self.number(in: cell).map { $0 >= 0 } == true
        case .count: Self.count(in: cell) != nil
        case .flag: cell == "true" || cell == "false"
        }
    }

    private var expected: String {
        switch kind {
        case .text: "a text"
        case .number: "a number, or nothing"
        case .amount: "a number of 0 or more, or nothing"
        case .count: "a whole number from 0 to \(Self.mostCounted)"
        case .flag: "true or false"
        }
    }

    /// Throws unless a table has the columns, and each of their cells the kind that is expected.
    ///
    /// - Parameters:
    ///   - columns: those that are read.
    ///   - file: the name that problems show.
    package static func check(_ table: CSVTable, _ columns: [ResultColumn], file: String) throws(CSVProblem) {
        for column in columns {
            guard let place = table.header.firstIndex(of: column.name) else {
                throw CSVProblem(
                    description: "\(file): expected a column \(column.name), found \(listed(table.header))")
            }
            if column.kind == .text { continue }
            var sum: Int64 = 0
            for (index, row) in table.rows.enumerated() {
                func fault(_ expected: String, _ found: String) -> CSVProblem {
                    CSVProblem(
                        description:
                            "\(file): row \(index + 1), column \(column.name): expected \(expected), found \(found)")
                }
                guard column.holds(row[place]) else { throw fault(column.expected, "'\(row[place].prefix(100))'") }
                if column.kind == .count {
                    sum += count(in: row[place]) ?? 0
                    if sum > mostCounted {
                        throw fault("counts that sum to at most \(mostCounted)", "more from here on")
                    }
                }
            }
        }
    }

    private static func listed(_ names: [String]) -> String {
        names.prefix(30).joined(separator: ", ") + (names.count > 30 ? " and \(names.count - 30) more" : "")
    }
}

extension CSVTable {
    /// Reads a table of finished results whose cells have the forms that its reader needs.
    package static func read(file: String, columns: [ResultColumn]) throws(CSVProblem) -> ResultTable {
        try ResultTable(read(file: file), columns, file: file)
    }
}

/// A table of finished results whose columns were checked. Cells are reached by the columns that were read and by
/// nothing else.
package struct ResultTable: Sendable {
    /// A row of it.
    package struct Row: Sendable {
        fileprivate let cells: [String]
        fileprivate let places: [ResultColumn: Int]

        /// The cell of a column that was read; another one is a mistake of the program.
        package subscript(_ column: ResultColumn) -> String {
            guard let place = places[column] else { preconditionFailure("the column \(column.name) was not read") }
            return cells[place]
        }

        /// The value of a number or an amount; nil where it is not defined.
        package func number(_ column: ResultColumn) -> Double? { ResultColumn.number(in: self[column]) }
        package func holds(_ column: ResultColumn) -> Bool { self[column] == "true" }
    }

    package let header: [String]
    package let rows: [Row]
    private let places: [ResultColumn: Int]

    /// - Parameter file: the name that problems show.
    package init(_ table: CSVTable, _ columns: [ResultColumn], file: String) throws(CSVProblem) {
        try ResultColumn.check(table, columns, file: file)
        header = table.header
        var places: [ResultColumn: Int] = [:]
        for column in columns { places[column] = table.header.firstIndex(of: column.name) }
        self.places = places
        rows = table.rows.map { Row(cells: $0, places: places) }
    }

    /// All cells of a column that was read, which is looked up once.
    package func cells(_ column: ResultColumn) -> [String] {
        guard let place = places[column] else { preconditionFailure("the column \(column.name) was not read") }
        return rows.map { $0.cells[place] }
    }
}
