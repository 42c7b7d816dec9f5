import ArgumentParser

/// In what form a command prints a table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument { case table, csv }
