import Basics
import Synchronization

/// The quantile tables of a run: the exponential and the normal, and one for each further shape that the scenario asks
/// for.
///
/// Filled at set-up through `table(for:)` and only read afterwards. A table depends on its shape alone, so all bundles
/// of a process share it: it is made once and never freed.
public struct StandardTables: Sendable {
    /// A table with what a manifest says about it.
    public struct Entry: Sendable {
        public let shape: StandardShape
        public let table: QuantileTable
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
        let entry = try Self.made.value(of: shape) { () throws(DistributionProblem) in try Self.make(shape) }
        entries.append(entry)
        return entry.table
    }

    /// The table of `shape` by normal score, made if it is not there yet.
    public mutating func scores(for shape: StandardShape) throws(DistributionProblem) -> ScoreTable {
        if let known = scoreTables.first(where: { $0.shape == shape }) { return known.table }
        let table = try Self.madeScores.value(of: shape) { () throws(DistributionProblem) in try ScoreTable(shape) }
        scoreTables.append((shape, table))
        return table
    }

    /// A hash over all tables, by name, so that the order in which they were asked for does not matter.
    public var fingerprint: UInt64 {
        var hash = FNV1a()
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

    /// The bundle with a lognormal's table that goes again: for one that is tried and not kept. Its draws are those of
    /// one that stays.
    ///
    /// - Parameters:
    ///   - sigma: of the natural logarithm; one that has no table of its own (`Distribution.prepared(with:)`) gets
    ///     none.
    ///   - body: keeps nothing that draws from the bundle.
    public func withPassingLognormal<Result, Problem>(
        sigma: Double, _ body: (inout StandardTables) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        var bundle = self
        let shape = StandardShape.lognormal(sigma: sigma)
        guard StandardShape.sigmaRange.contains(sigma), !entries.contains(where: { $0.shape == shape }) else {
            return try body(&bundle)
        }
        let cells = QuantileTable.lognormalCells(sigma: sigma, from: normal)
        let memory = UnsafeMutableBufferPointer<QuantileTable.Cell>.allocate(capacity: cells.count)
        defer { memory.deallocate() }
        _ = memory.initialize(from: cells)
        bundle.entries.append(
            Entry(shape: shape, table: QuantileTable(in: UnsafePointer(memory.baseAddress!)), hash: 0))
        return try body(&bundle)
    }

    /// Adds the tables of another bundle that are not there yet.
    public mutating func add(_ other: StandardTables) {
        for entry in other.entries where !entries.contains(where: { $0.shape == entry.shape }) { entries.append(entry) }
        for scores in other.scoreTables where !scoreTables.contains(where: { $0.shape == scores.shape }) {
            scoreTables.append(scores)
        }
    }

    /// Every table with parameters that the process has made. They are never freed, so none is forgotten.
    private static let made = SharedValues<StandardShape, Entry>(most: .max)
    private static let madeScores = SharedValues<StandardShape, ScoreTable>(most: .max)

    /// Makes a table beside those that the process shares, as the first of its shape is made. Never freed, so it is for
    /// measuring.
    public static func make(_ shape: StandardShape) throws(DistributionProblem) -> Entry {
        try shape.check()
        let table: QuantileTable
        switch shape {
        case .lognormal(let sigma): table = QuantileTable.lognormal(sigma: sigma, from: first[1].table)
        case .quantiles(let curve): table = QuantileTable(cells: curve.cells(from: first[1].table))
        case .exponential, .normal, .studentT, .gamma: table = try QuantileTable.make(shape).table
        }
        return Entry(shape: shape, table: table, hash: table.hash)
    }

    /// For shapes without parameters there is no wrong input: a failure is an error of the code.
    private static func madeWithoutParameters(_ shape: StandardShape) -> Entry {
        do { return try make(shape) } catch { preconditionFailure("the standard table cannot be made: \(error)") }
    }
}

/// Memory that is written once at set-up, only read afterwards, and never freed.
///
/// The device loop reads tables through bare pointers: no reference count to touch, which threads would fight over, no
/// bounds check, no owner that could go away first. The price is that a table stays until the process ends, so a table
/// is made once for each shape and not for each use.
enum SetUpMemory {
    /// A copy of `values` that starts on a cache line.
    static func keep<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
        SetUpCount.current?.add()
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, values.count * MemoryLayout<Value>.stride), alignment: 64)
        let kept = bytes.bindMemory(to: Value.self, capacity: values.count)
        for (index, value) in values.enumerated() { (kept + index).initialize(to: value) }
        return UnsafePointer(kept)
    }
}

/// How many tables and solutions were made at set-up while it was current: for tests that a second run makes none.
public final class SetUpCount: Sendable {
    @TaskLocal public static var current: SetUpCount?

    private let count = Atomic<Int>(0)

    public init() {}

    public var made: Int { count.load(ordering: .relaxed) }
    public func add() { count.add(1, ordering: .relaxed) }
}
