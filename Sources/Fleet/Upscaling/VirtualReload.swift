import Basics
import CWords
import Statistics

/// A reload under way, as much of `InFlightReload` as clients without devices need: one line of the cache, since a run
/// of millions waits for little else.
struct VirtualReload: BitwiseCopyable {
    let begunAt: Instant
    /// When the client gives its present try up; `never` of one that stays for the answer, and between tries.
    private(set) var deadline = Instant.never
    let person: UInt32
    /// Its place in the sample.
    let place: UInt32
    var tries = ClientTries()
    /// The draw of what it asks for (`CopiedContent`).
    let draw: UInt8
    /// The ways of its present try, out and back, in microseconds; ways longer than any client waits are as good as
    /// the longest.
    private(set) var legs: UInt32 = 0

    mutating func beginTry(_ requests: UInt8, first: UInt32, at now: Instant, endsFrom: Instant, deadline: Instant) {
        tries.begin()
        tries.send(Int(requests), first: first, endsFrom: endsFrom, deadline: deadline)
        self.deadline = deadline
        legs = UInt32(clamping: (endsFrom - now).microseconds)
    }

    mutating func stay() { deadline = .never }

    /// The present try has failed; returns when the next one follows.
    mutating func awaitRetry(after delay: Duration, at now: Instant) -> Instant {
        deadline = .never
        return tries.awaitNext(after: delay, at: now)
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
