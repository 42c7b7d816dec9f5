import Basics
import DeviceStorage

/// Changes of one sort that an instance has a pending reload for: at its next view (F3), the next pickup (F4) or the
/// next unlock (D9).
///
/// They become one reload. It runs after a reload in flight if any of them came later than its first
/// request (G8), so the instant of the latest speaks for all.
struct PendingChanges: BitwiseCopyable {
    private(set) var count: Int32 = 0
    private(set) var latest: Instant = .longAgo

    mutating func add(_ instant: Instant) {
        count += 1
        latest = instant
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var isPending = count > 0
        coder.code(&isPending)
        if isPending {
            coder.code(&count, in: 1...1 << 30, "no pending change")
            coder.code(&latest)
        } else if Coder.isReading {
            self = PendingChanges()
        }
    }
}

/// A few instants that are still to come, in order: actions of buttons that have not returned (F6), pushes on their way
/// (B7). Beyond eight at once the latest stands for those after it.
struct PendingInstants: BitwiseCopyable {
    private var instants = SIMD8<Int64>(repeating: .max)

    /// The first of them; `never` if there is none.
    var first: Instant { Instant(microseconds: instants[0]) }

    /// Adds one; returns whether there was room for it.
    mutating func add(_ instant: Instant) -> Bool {
        if instants[7] < .max { return false }
        var place = 7
        while place > 0 && instants[place - 1] > instant.microseconds {
            instants[place] = instants[place - 1]
            place -= 1
        }
        instants[place] = instant.microseconds
        return true
    }

    /// Takes the first of them if it has come; returns whether it has.
    mutating func take(at now: Instant) -> Bool {
        if first > now { return false }
        for place in 0..<7 { instants[place] = instants[place + 1] }
        instants[7] = .max
        return true
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var count = 0
        while count < 8 && instants[count] < .max { count += 1 }
        coder.code(&count, in: 0...8, "more instants than there is room for")
        for place in 0..<count {
            var instant = Instant(microseconds: instants[place])
            coder.code(&instant)
            if Coder.isReading { instants[place] = instant.microseconds }
        }
    }
}
