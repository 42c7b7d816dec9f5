import SimulatedTime
import Stochastics

/// Looks at an always-on display that nobody wakes (R4), at random over the waking day.
struct LookProcess {
    private(set) var nextAt: Instant = .never
    /// Seconds between two on average; infinite for never.
    private let gap: Double
    private let exponential: PreparedDistribution
    private var looks: RandomStream

    /// - Parameters:
    ///   - perDay: looks in a waking day.
    ///   - waking: seconds of the usual waking day.
    init(perDay: Double, waking: Double, looks: RandomStream, exponential: PreparedDistribution) {
        gap = perDay > 0 ? waking / perDay : .infinity
        self.looks = looks
        self.exponential = exponential
    }

    private mutating func findNext(after instant: Instant) {
        guard gap < .infinity else { return }
        nextAt = instant + Journey.duration(gap * exponential.draw(looks.next()))
    }

    mutating func wake(at now: Instant) { findNext(after: now) }

    mutating func sleep() { nextAt = .never }

    mutating func advance() { findNext(after: nextAt) }
}

// MARK: At rest

extension LookProcess {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard gap < .infinity else { return }
        coder.code(&nextAt)
        coder.code(&looks)
    }
}
