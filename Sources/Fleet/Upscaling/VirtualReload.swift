import Basics
import CWords
import RefreshService
import Statistics

/// A reload under way, as much of `InFlightReload` as clients without devices need: one line of the cache, since a run
/// of millions waits for little else.
struct VirtualReload: BitwiseCopyable {
    let begunAt: Instant
    /// When the client gives its present try up; `never` of one that stays for the answer, and between tries.
    private(set) var deadline = Instant.never
    /// The last answer to the present try that is known.
    private(set) var answeredAt = Instant.longAgo
    /// The client's delay before the present try, if it is not the first (S3).
    private(set) var lastDelay = Duration.zero
    /// How long an error of the present try told it to wait, in microseconds; without an error, when the content of its
    /// last answer was made.
    private var heard: Int64 = 0
    let person: UInt32
    /// Its place in the sample.
    let place: UInt32
    /// The number of the present try's first request.
    private(set) var first: UInt32 = 0
    /// The ways of its present try, out and back, in microseconds; ways longer than any client waits are as good as
    /// the longest.
    private(set) var legs: UInt32 = 0
    /// Tries so far.
    private(set) var tries: UInt32 = 0
    /// Requests of the present try whose outcomes are not known, and those of which the client has heard nothing.
    private(set) var undecided: UInt8 = 0
    private(set) var unheard: UInt8 = 0
    /// Whether any answer of the present try is an error (S5), and whether all of them are those of limits.
    private var errors = Errors.none
    private enum Errors: UInt8 { case none, refusals, others }
    /// The draw of what it asks for (`CopiedContent`).
    let draw: UInt8

    init(person: UInt32, place: UInt32, draw: UInt8, begunAt: Instant) {
        (self.person, self.place, self.draw, self.begunAt) = (person, place, draw, begunAt)
    }

    mutating func beginTry(_ requests: UInt8, first: UInt32, at now: Instant, endsFrom: Instant, deadline: Instant) {
        tries += 1
        (self.first, self.deadline) = (first, deadline)
        legs = UInt32(clamping: (endsFrom - now).microseconds)
        (answeredAt, heard, errors) = (.longAgo, 0, .none)
        // A reload that cannot be answered in time waits for nothing but the time-out.
        (undecided, unheard) = (endsFrom > deadline ? 0 : requests, requests)
    }

    var hasError: Bool { errors != .none }
    /// How its present try failed, if any answer of it is an error.
    var failure: TryFailure { errors == .refusals ? .refused : .failed }
    /// How long an error of the present try told it to wait.
    var retryAfter: Duration { hasError ? Duration(microseconds: heard) : .zero }
    /// When the content of the present try was made, which went well.
    var madeAt: Instant { Instant(microseconds: heard) }

    mutating func stay() { deadline = .never }

    /// The present try has failed.
    mutating func awaitRetry(after delay: Duration) { (lastDelay, deadline, undecided) = (delay, .never, 0) }

    /// As `InFlightReload` receives an answer.
    mutating func receive(_ answer: ServiceAnswer, requests: UInt8, heedsRetryAfter: Bool) -> InFlightReload.Hearing {
        guard undecided > 0, answer.sequence &- first < UInt32(requests) else { return .ofAnotherTry }
        if !answer.followsNotice { unheard -= 1 }
        if answer.isNotice { return .some }
        undecided -= 1
        let isLast = answer.at >= answeredAt
        answeredAt = max(answeredAt, answer.at)
        if answer.isError {
            let longest = heedsRetryAfter ? max(retryAfter, answer.retryAfter) : .zero
            errors = answer.isRefusal && errors != .others ? .refusals : .others
            heard = longest.microseconds
        } else if isLast && !hasError {
            heard = answer.madeAt.microseconds
        }
        return undecided > 0 ? .some : .allAnswered
    }
}

/// The reloads under way, in one block that grows; a place that is free again is taken first.
struct ReloadTable: ~Copyable {
    private var places: UnsafeMutablePointer<VirtualReload>
    private var capacity = 1_024
    private var used = 0
    private var free = LargeList<UInt32>(for: ReloadTable.what)
    /// A bit for each place that holds one: most tries that are due are over, and need no look at their reloads.
    private var held = LargeList<UInt64>(for: ReloadTable.what)

    /// The place of none.
    static let none = UInt32.max

    private static let what: StaticString = "the reloads under way"

    init() {
        places = .large(capacity: capacity, for: Self.what)
        for _ in 0..<capacity / 64 { held.append(0) }
    }

    deinit { LargeMemory.free(places) }

    /// A place for a reload, to be written.
    mutating func insert() -> UInt32 {
        if free.isEmpty && used == capacity { grow() }
        let index = free.popLast() ?? UInt32(used)
        if free.count >= Self.ahead { expect(free[free.count - Self.ahead]) }
        if Int(index) == used { used += 1 }
        held[Int(index >> 6)] |= 1 << UInt64(index & 63)
        return index
    }

    private mutating func grow() {
        for _ in 0..<capacity / 64 { held.append(0) }
        places.doubleLarge(&capacity, count: used, for: Self.what)
    }

    mutating func remove(_ index: UInt32) {
        held[Int(index >> 6)] &= ~(1 << UInt64(index & 63))
        free.append(index)
    }

    /// Asks for the memory of a place; nothing comes of `none`.
    func expect(_ index: UInt32) { words_prefetch(places + Int(index), 1) }

    /// The memory of a free place is asked for so many insertions before.
    private static let ahead = 8

    func holds(_ index: UInt32) -> Bool { Int(index) < used && held[Int(index >> 6)] >> UInt64(index & 63) & 1 != 0 }

    subscript(index: UInt32) -> VirtualReload {
        @inline(__always) unsafeAddress { UnsafePointer(places + Int(index)) }
        @inline(__always) unsafeMutableAddress { places + Int(index) }
    }
}
