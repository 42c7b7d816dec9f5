/// Values that a process makes once for each key and shares among its runs, from any thread.
///
/// A value must follow from its key alone. A thread that wants one which another thread is making waits for it.
public final class SharedValues<Key: Hashable, Value>: Sendable {
    private let store = LockedValue<[Key: Value]>([:])
    private let most: Int

    /// - Parameter most: values kept at a time. One more, and all are forgotten: whoever has one keeps it.
    public init(most: Int) { self.most = most }

    /// The value of a key, made if it is not there. `make` may not ask these values for another one.
    public func value<Problem>(of key: Key, _ make: () throws(Problem) -> Value) throws(Problem) -> Value {
        try store.withLock { values throws(Problem) in
            if let value = values[key] { return value }
            let value = try make()
            if values.count >= most { values.removeAll() }
            values[key] = value
            return value
        }
    }
}
