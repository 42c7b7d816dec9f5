import Statistics

/// Values by a number, as a limit by client: a table that grows, and writes itself down for a checkpoint in the order
/// of its numbers, whatever the order in which it keeps them.
///
/// A number that is not there has the initial value.
public struct KeyedTable<Value: BitwiseCopyable & Sendable>: Sendable {
    private var values: [Int64: Value] = [:]
    private let initial: Value

    /// - Parameter initial: the value of a number that was never set.
    public init(_ initial: Value) { self.initial = initial }

    public subscript(key: some BinaryInteger) -> Value {
        get { values[Int64(key)] ?? initial }
        _modify {
            let initial = initial
            yield &values[Int64(key), default: initial]
        }
    }

    /// How many numbers have a value of their own.
    public var count: Int { values.count }

    /// Forgets all values.
    public mutating func removeAll() { values.removeAll() }

    public mutating func code(_ state: StateStream) throws(StateProblem) {
        var keys = values.keys.sorted()
        var list = keys.map { values[$0]! }
        try state.code(&keys)
        try state.code(&list)
        try state.require(
            keys.count == list.count && zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "a table of a server")
        if state.isReading { values = Dictionary(uniqueKeysWithValues: zip(keys, list)) }
    }
}
