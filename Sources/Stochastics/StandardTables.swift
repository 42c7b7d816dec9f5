/// The quantile tables of a run: the exponential and the normal, and one for each further shape that the scenario asks for.
///
/// Filled at set-up through `table(for:)` and only read afterwards. Copies share the tables. Keep one bundle through a process, and set every
/// scenario up with it: tables are never freed, and a shape already there costs nothing.
public struct StandardTables: Sendable {
    /// A table with what a manifest says about it.
    public struct Entry: Sendable {
        public let shape: StandardShape
        public let table: QuantileTable
        /// Significant bits, after the leading one, of the quantiles in the table: 30, or 29 or 28 where GSL's values lie near a rounding boundary.
        public let fractionBits: Int
        /// The hash of the table's numbers.
        public let hash: UInt64
    }

    /// In the order in which they were asked for.
    public private(set) var entries: [Entry]
    private var scoreTables: [(shape: StandardShape, table: ScoreTable)] = []
    public let exponential: QuantileTable
    public let normal: QuantileTable

    private static let first = [Self.madeWithoutParameters(.exponential), Self.madeWithoutParameters(.normal)]

    /// A bundle with the exponential and the normal.
    public init() {
        entries = Self.first
        exponential = entries[0].table
        normal = entries[1].table
    }

    /// The table of `shape`, made if it is not there yet.
    public mutating func table(for shape: StandardShape) throws(DistributionProblem) -> QuantileTable {
        if let entry = entries.first(where: { $0.shape == shape }) { return entry.table }
        let entry = try Self.made(shape)
        entries.append(entry)
        return entry.table
    }

    /// The table of `shape` by normal score, made if it is not there yet.
    public mutating func scores(for shape: StandardShape) throws(DistributionProblem) -> ScoreTable {
        if let known = scoreTables.first(where: { $0.shape == shape }) { return known.table }
        let table = try ScoreTable(shape)
        scoreTables.append((shape, table))
        return table
    }

    /// A hash over all tables, by name, so that the order in which they were asked for does not matter.
    public var fingerprint: UInt64 {
        var hash = TableHash()
        for entry in entries.sorted(by: { $0.shape.name < $1.shape.name }) {
            for byte in entry.shape.name.utf8 { hash.add(byte) }
            hash.add(entry.hash)
        }
        for scores in scoreTables.sorted(by: { $0.shape.name < $1.shape.name }) {
            for byte in "scores of \(scores.shape.name)".utf8 { hash.add(byte) }
            hash.add(scores.table.hash)
        }
        return hash.value
    }

    private static func made(_ shape: StandardShape) throws(DistributionProblem) -> Entry {
        let (table, grid) = try QuantileTable.make(shape)
        return Entry(shape: shape, table: table, fractionBits: Int(grid.fractionBits), hash: table.hash)
    }

    /// For shapes without parameters there is no wrong input: a failure is an error of the code.
    private static func madeWithoutParameters(_ shape: StandardShape) -> Entry {
        do { return try made(shape) } catch { preconditionFailure("the standard table cannot be made: \(error)") }
    }
}
