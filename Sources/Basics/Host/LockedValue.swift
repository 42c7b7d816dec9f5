import Foundation

/// A value that threads share, and that one of them at a time reads or changes.
///
/// It is `Mutex` with another lock inside: the thread sanitizer does not see the lock of the standard library and
/// reports what it guards, sometimes, as a race.
public final class LockedValue<Value>: @unchecked Sendable {
    // Safety: the value is reached in `withLock` alone.
    private let lock = NSLock()
    private var value: Value

    public init(_ value: Value) { self.value = value }

    /// Does something with the value while no other thread does. Calls may not be nested.
    public func withLock<Result, Problem>(_ body: (inout Value) throws(Problem) -> Result) throws(Problem) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

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

/// The work of a thread, as its start passes it on.
final class ThreadWork: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
