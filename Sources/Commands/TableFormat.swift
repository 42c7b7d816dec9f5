import ArgumentParser

/// In what form a command prints a table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument { case table, csv }

/// In what form a comparison or a plan is printed.
enum ComparisonFormat: String, CaseIterable, ExpressibleByArgument { case table, markdown, csv }
