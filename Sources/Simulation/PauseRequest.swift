import Synchronization

/// A wish that threads pause where they can.
public final class PauseRequest: Sendable {
    private let flag = Atomic<Bool>(false)

    public init() {}

    public var isMade: Bool { flag.load(ordering: .relaxed) }
    public func make() { flag.store(true, ordering: .relaxed) }
    public func withdraw() { flag.store(false, ordering: .relaxed) }
}
