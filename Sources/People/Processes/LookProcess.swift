import Basics
import DeviceStorage
import Statistics

/// Looks at an always-on display that nobody wakes (R4), at random over the waking day.
struct LookProcess {
    private(set) var nextAt: Instant = .never
    private let arrivals: RandomArrivals
    private var looks = DrawCount()

    /// - Parameters:
    ///   - perDay: looks in a waking day.
    ///   - waking: the usual waking day.
    init(perDay: Double, waking: Duration, exponential: QuantileTable) {
        arrivals = RandomArrivals(meanGap: perDay > 0 ? waking.inSeconds / perDay : .infinity, exponential)
    }

    private mutating func findNext(after instant: Instant, _ stream: RandomStream) {
        guard arrivals.everCome else { return }
        nextAt = arrivals.next(after: instant, looks.next(of: stream))
    }

    mutating func wake(at now: Instant, _ stream: RandomStream) { findNext(after: now, stream) }

    mutating func sleep() { nextAt = .never }

    mutating func advance(_ stream: RandomStream) { findNext(after: nextAt, stream) }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard arrivals.everCome else { return }
        coder.code(&nextAt)
        coder.code(&looks)
    }
}
