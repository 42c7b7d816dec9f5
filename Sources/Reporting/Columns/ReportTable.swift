/// One CSV file of a run, declared once: what a row states, and its columns in their order.
public struct ReportTable: Hashable, Sendable {
    /// The file's name without its ending.
    public let name: String
    /// What one row states, and which rows there are: whole sentences.
    public let meaning: String
    public let columns: [Column]

    init(_ name: String, _ meaning: String, _ columns: [Column]) {
        self.name = name
        self.meaning = meaning
        self.columns = columns
    }

    /// What most tables are about, in words: the instances behind the columns `Column.line`.
    static let line = "one segment's instances of one kind on one kind of device"

    public var fileName: String { name + ".csv" }
    public var header: String { columns.map(\.name).joined(separator: ",") }
    /// The columns that tell rows apart.
    public var primaryKey: [String] { columns.filter { $0.adds == .key }.map(\.name) }
}
