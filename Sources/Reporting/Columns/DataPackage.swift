import PlainText
import RunFiles

/// The description of a run's tables as a Frictionless data package: a Table Schema for each, from the declared columns.
enum DataPackage {
    static let fileName = "datapackage.json"

    /// The package of the tables, all of them among the written files.
    static func text(of tables: [TableDeclaration], in files: [OutputFolder.WrittenFile], name: String, title: String) -> String {
        let resources = tables.map { table -> JSONText in
            guard let file = files.first(where: { $0.name == table.fileName }) else {
                preconditionFailure("\(table.fileName) is not written")
            }
            return .object([
                ("name", .string(table.name)),
                ("path", .string(file.name)),
                ("profile", .string("tabular-data-resource")),
                ("description", .string(table.meaning)),
                ("format", .string("csv")),
                ("mediatype", .string("text/csv")),
                ("encoding", .string("utf-8")),
                (
                    "dialect",
                    .object([
                        ("delimiter", .string(",")), ("lineTerminator", .string("\n")), ("doubleQuote", .boolean(true)),
                        ("header", .boolean(true)),
                    ])
                ),
                ("bytes", .integer(Int64(file.bytes))),
                ("hash", .string("sha256:" + file.sha256)),
                ("schema", schema(of: table)),
            ])
        }
        return JSONText.object([
            ("profile", .string("tabular-data-package")),
            ("name", .string(name)),
            ("title", .string(title)),
            ("resources", .array(resources)),
        ]).text
    }

    private static func schema(of table: TableDeclaration) -> JSONText {
        .object([
            ("fields", .array(table.columns.map(field))),
            ("missingValues", .array([.string("")])),
            ("primaryKey", .array(table.primaryKey.map { .string($0) })),
        ])
    }

    private static func field(of column: Column) -> JSONText {
        var members: [(String, JSONText)] = [
            ("name", .string(column.name)), ("type", .string(column.type.rawValue)), ("description", .string(column.meaning)),
        ]
        if let unit = column.unit { members.append(("unit", .string(unit))) }
        members.append(("adds", .string(column.adds.rawValue)))
        if !column.isOptional { members.append(("constraints", .object([("required", .boolean(true))]))) }
        return .object(members)
    }
}
