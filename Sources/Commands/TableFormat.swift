import ArgumentParser

/// In what form a command prints a table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument { case table, csv }

/// In what form a comparison or a plan is printed.
enum ComparisonFormat: String, CaseIterable, ExpressibleByArgument { case table, markdown, csv }

/// In what form the points of a sweep are printed.
enum PointFormat: String, CaseIterable, ExpressibleByArgument { case table, markdown, csv, json }
