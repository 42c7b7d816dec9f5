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
