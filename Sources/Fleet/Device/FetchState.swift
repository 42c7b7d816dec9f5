import Basics
import DeviceStorage
import Statistics

/// The background fetches of an app on one device (B8).
struct FetchState: BitwiseCopyable {
    /// The next fetch; `never` if the app does not fetch here.
    private(set) var at: Instant = .never
    /// How many came before it.
    private(set) var number: UInt64 = 0

    /// Sets the first fetch, if the app fetches on this device.
    mutating func begin(_ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams, at now: Instant) {
        if plan.pointee.isPresent.holds(streams.number(.fetchPresence, sub: plan.pointee.app)) {
            find(plan, streams, at: now)
        }
    }

    /// A fetch is over, and the next one comes: none overtakes the one before it.
    mutating func advance(_ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams, at now: Instant) {
        number += 1
        find(plan, streams, at: now)
    }

    private mutating func find(_ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams, at now: Instant) {
        let (app, every) = (plan.pointee.app, plan.pointee.every)
        let delay = plan.pointee.spread.draw(streams.number(.fetchDelay, sub: app, at: number))
        var due = every.microseconds * Int64(number)
        if !plan.pointee.isAligned {
            due += Int64(RandomStream.index(streams.number(.fetchPhase, sub: app), below: every.magnitude))
        }
        at = max(now, .start + Duration(microseconds: due) + delay)
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&at)
        coder.code(&number)
    }
}

/// The background fetches of the apps on a device, by their plans in its segment.
struct DeviceFetches {
    let plans: UnsafeBufferPointer<PreparedFetch>
    private(set) var states: UnsafeMutablePointer<FetchState>

    var count: Int { plans.count }

    init(_ plans: UnsafeBufferPointer<PreparedFetch>, _ memory: DeviceMemory) {
        (self.plans, states) = (plans, memory.fetches)
        for fetch in 0..<count { states[fetch] = FetchState() }
    }

    mutating func adopt(_ memory: DeviceMemory) { states = memory.fetches }

    /// The earliest of them.
    var nextAt: Instant {
        mutating get {
            var next = Instant.never
            for fetch in 0..<count { next = min(next, states[fetch].at) }
            return next
        }
    }
}
