/// Rows of words in columns that stand under each other, numbers to the right.
package struct AlignedTable {
    private var rows: [[String]]
    private let toTheLeft: Set<Int>

    /// - Parameter toTheLeft: the columns of words.
    package init(header: [String], toTheLeft: Set<Int>) {
        rows = [header.map { VisibleText.of($0) }]
        self.toTheLeft = toTheLeft
    }

    package mutating func add(_ row: [String]) {
        precondition(row.count == rows[0].count, "a row of \(row.count) cells in a table of \(rows[0].count) columns")
        rows.append(row.map { VisibleText.of($0) })
    }

    package var text: String {
        let widths = rows[0].indices.map { column in rows.reduce(0) { max($0, $1[column].count) } }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                line += (column == 0 ? "" : "  ") + (toTheLeft.contains(column) ? cell + space : space + cell)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// The rows as a table of GitHub's Markdown.
    package var markdown: String {
        let lines = rows.map { "| " + $0.map(Self.markdownCell).joined(separator: " | ") + " |\n" }
        let rule = "|" + rows[0].indices.map { toTheLeft.contains($0) ? " --- |" : " ---: |" }.joined() + "\n"
        return lines[0] + rule + lines.dropFirst().joined()
    }

    /// A text that Markdown shows as it is: names have underscores, and a line would end the cell.
    ///
    /// A sign makes nothing of what follows a space without width: neither a mention nor a reference nor a link.
    package static func markdownCell(_ text: String) -> String {
        let escaped = String(VisibleText.of(text).flatMap { "\\|*_`<>[]&@#~$".contains($0) ? ["\\", $0] : [$0] })
        return escaped.replacing(/[@#]|:(?=\/\/)|\b[wW]{3}(?=\.)/) { "\($0.output)&#8203;" }
    }
}
