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
        var resources = tables.map { table in
            guard let file = files.first(where: { $0.name == table.fileName }) else {
                preconditionFailure("\(table.fileName) is not written")
            }
            return JSONText.object([
                "name": table.name, "path": file.name, "profile": "tabular-data-resource", "description": table.meaning,
                "format": "csv", "mediatype": "text/csv", "encoding": "utf-8",
                "dialect": JSONText.object([
                    "delimiter": ",", "lineTerminator": "\n", "doubleQuote": true, "header": true,
                ]),
                "bytes": file.bytes, "hash": "sha256:" + file.sha256, "schema": schema(of: table),
            ])
        }
        if hasPage { resources.append(page) }
        return JSONText.object([
            // A tabular package has tables alone, and the page is none.
            "profile": hasPage ? "data-package" : "tabular-data-package",
            "name": name, "title": title, "resources": resources,
        ]).text
    }

    /// The description of the page; its size and hash stand in the manifest, because the page shows the descriptions of
    /// the tables here.
    private static var page: JSONText {
        .object([
            "name": "report", "path": OutputFolder.pageName, "profile": "data-resource",
            "description": "The results as one page to look at, made from the tables.", "format": "html",
            "mediatype": "text/html", "encoding": "utf-8",
        ])
    }

    private static func schema(of table: TableDeclaration) -> JSONText {
        .object([
            "fields": table.columns.map(field), "missingValues": [""], "primaryKey": table.primaryKey,
        ])
    }

    private static func field(of column: Column) -> JSONText {
        var members: JSONMembers = [
            "name": column.name, "type": column.type.rawValue, "description": column.meaning,
        ]
        members.add("unit", column.unit)
        members.add("adds", column.adds.rawValue)
        if !column.isOptional { members.add("constraints", JSONText.object(["required": true])) }
        return .object(members)
    }
}
