/// The declaration of one table: what a row states, and its columns in their order.
package struct TableDeclaration: Hashable, Sendable {
    /// The file's name without its ending.
    package let name: String
    /// The meaning of one row, and which rows there are: whole sentences.
    package let meaning: String
    package let columns: [Column]

    package var fileName: String { name + ".csv" }
    package var header: String { columns.map(\.name).joined(separator: ",") }
    /// The columns that tell rows apart.
    package var primaryKey: [String] { columns.filter { $0.adds == .key }.map(\.name) }
}
