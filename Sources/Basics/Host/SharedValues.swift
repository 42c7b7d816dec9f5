/// Values that a process makes once for each key and shares among its runs, from any thread.
///
/// A value must follow from its key alone. A thread that wants one which another thread is making waits for it.
public final class SharedValues<Key: Hashable, Value>: Sendable {
    private struct Store {
        var values: [Key: Value] = [:]
        var made = 0
    }

    private let store = LockedValue(Store())
    private let most: Int

    /// - Parameter most: values kept at a time. One more, and all are forgotten: whoever has one keeps it.
    public init(most: Int) { self.most = most }

    /// How many were made.
    public var made: Int { store.withLock { $0.made } }

    /// The value of a key, made if it is not there. `make` may not ask these values for another one.
    public func value<Problem>(of key: Key, _ make: () throws(Problem) -> Value) throws(Problem) -> Value {
        try store.withLock { store throws(Problem) in
            if let value = store.values[key] { return value }
            let value = try make()
            if store.values.count >= most { store.values.removeAll() }
            store.values[key] = value
            store.made += 1
            return value
        }
    }
}
