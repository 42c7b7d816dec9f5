import ArgumentParser

/// In what form a command prints a table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument { case table, csv }

/// In what form a comparison is printed.
enum ComparisonFormat: String, CaseIterable, ExpressibleByArgument { case table, markdown, csv }
