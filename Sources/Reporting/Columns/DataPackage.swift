import ResultFiles
import Basics

/// The description of a run's tables as a Frictionless data package: a Table Schema for each, from the declared
/// columns.
enum DataPackage {
    static let fileName = "datapackage.json"

    /// The package of the tables, all of them among the written files.
    ///
    /// - Parameter hasPage: whether a page stands beside the tables, which is made from them and from this.
    static func text(
        of tables: [TableDeclaration], in files: [OutputFolder.WrittenFile], name: String, title: String, hasPage: Bool
    ) -> String {
        var resources = tables.map { table -> JSONText in
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
        if hasPage { resources.append(page) }
        return JSONText.object([
            // A tabular package has tables alone, and the page is none.
            ("profile", .string(hasPage ? "data-package" : "tabular-data-package")),
            ("name", .string(name)),
            ("title", .string(title)),
            ("resources", .array(resources)),
        ]).text
    }

    /// The description of the page; its size and hash stand in the manifest, because the page shows the descriptions of
    /// the tables here.
    private static var page: JSONText {
        .object([
            ("name", .string("report")),
            ("path", .string(OutputFolder.pageName)),
            ("profile", .string("data-resource")),
            ("description", .string("The results as one page to look at, made from the tables.")),
            ("format", .string("html")),
            ("mediatype", .string("text/html")),
            ("encoding", .string("utf-8")),
        ])
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
            ("name", .string(column.name)), ("type", .string(column.type.rawValue)),
            ("description", .string(column.meaning)),
        ]
        if let unit = column.unit { members.append(("unit", .string(unit))) }
        members.append(("adds", .string(column.adds.rawValue)))
        if !column.isOptional { members.append(("constraints", .object([("required", .boolean(true))]))) }
        return .object(members)
    }
}
