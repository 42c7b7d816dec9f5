import Synchronization

/// A wish that threads pause where they can.
package final class PauseRequest: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isMade: Bool { flag.load(ordering: .relaxed) }
    package func make() { flag.store(true, ordering: .relaxed) }
    package func withdraw() { flag.store(false, ordering: .relaxed) }
}
