import Basics
import DeviceStorage

/// The pickups ahead of a person, drawn a block at a time: first the numbers of all, then their places in the day.
///
/// Nothing on the device moves a pickup. The end of the hours of use does, which is bedtime, or the end of a Mac's day:
/// then what has not been taken is drawn again.
@usableFromInline struct PickupBuffer {
    /// The next pickup, or the lock of the session under way; `never` if the day has no further one.
    private(set) var nextAt: Instant = .never
    private(set) var inSession = false
    /// Stands behind the last pickup of the block, or in a session that has moved.
    private var process: PickupProcess
    /// Where it stood before the first pickup of the block.
    private var start: PickupProcess.Mark
    @usableFromInline var block = PickupBlock()
    /// Pickups of the block that have been taken.
    @usableFromInline var taken = 0
    /// How many the next block has, and how many any may have.
    private var size: Int
    private let mostAhead: Int

    /// - Parameter mostAhead: how many pickups are drawn at once, up to `PickupBlock.most`: few for a device that is
    ///   suspended often, whose memory is to be small.
    init(_ process: PickupProcess, mostAhead: Int = PickupBlock.most) {
        precondition((1...PickupBlock.most).contains(mostAhead), "\(mostAhead) pickups at once")
        self.process = process
        self.mostAhead = mostAhead
        size = mostAhead
        start = process.mark
    }

    /// A waking day begins; see `PickupProcess.wake`.
    mutating func wake(at instant: Instant, date: CivilDate, onset: Instant, part: Double = 1) {
        goBack()
        process.wake(at: instant, date: date, onset: onset, part: part)
        resume()
    }

    /// See `PickupProcess.move`.
    mutating func move(onset: Instant, at now: Instant) -> Instant {
        goBack()
        defer { resume() }
        return process.move(onset: onset, at: now)
    }

    /// See `PickupProcess.end`.
    mutating func end(by onset: Instant) -> Instant {
        goBack()
        defer { resume() }
        return process.end(by: onset)
    }

    mutating func sleep() {
        goBack()
        process.sleep()
        resume()
    }

    /// Takes the next pickup or lock.
    mutating func advance() -> WorldEvent {
        if inSession {
            lock()
            return .lock
        }
        let pickup = takePickup()
        return pickup.isGlance ? .glance : .pickup(shown: pickup.surfaces)
    }

    /// How many pickups are at hand, at least one. No session is under way, and there is a pickup ahead.
    @inline(__always) mutating func countAhead() -> Int {
        drawIfNeeded()
        return block.count - taken
    }

    /// One of the pickups at hand, counted from 0.
    @inlinable subscript(ahead index: Int) -> Pickup {
        @inline(__always) mutating get { block[taken &+ index] }
    }

    /// The first pickup that is not known to be idle: its session follows so many others, something is set otherwise in
    /// it, or it is not drawn yet. `never` if there is none in the waking day.
    mutating func firstBusy(afterIdle idleSessions: UInt64, settingDue: Instant) -> Instant {
        if process.inSession { return nextAt }
        // A session under way is the last of the block that was taken.
        if !inSession && nextAt < .never { drawIfNeeded() }
        var sessions: UInt64 = 0
        for place in taken..<block.count where !block[place].isGlance {
            if sessions >= idleSessions || settingDue <= block[place].at { return block[place].at }
            sessions += 1
        }
        return process.nextAt
    }

    /// The first pickup after an instant; nil if the waking day has none.
    mutating func nextPickup(after now: Instant) -> Instant? {
        for place in taken..<block.count where block[place].at > now { return block[place].at }
        // How many pickups are drawn ahead must not matter: what follows a session that the process is in is told by
        // another one that has left it.
        var process = process
        if process.inSession { _ = process.advance() }
        return process.nextAt == .never ? nil : process.nextAt
    }

    /// Takes the first pickups at hand; the last one's session can be under way.
    mutating func take(_ count: Int, isInSession: Bool) {
        taken += count
        inSession = isInSession
        if isInSession { nextAt = block[taken - 1].until } else { findPickup() }
    }

    /// Takes the next pickup, of which there is one; no session is under way. The next event of a session is its lock.
    @inline(__always) mutating func takePickup() -> Pickup {
        drawIfNeeded()
        let pickup = block[taken]
        taken += 1
        if pickup.isGlance {
            findPickup()
        } else {
            inSession = true
            nextAt = pickup.until
        }
        return pickup
    }

    /// Takes the lock of the session under way.
    @inline(__always) mutating func lock() {
        if process.inSession { _ = process.advance() }
        inSession = false
        findPickup()
    }

    @inline(__always) private mutating func findPickup() {
        nextAt = taken < block.count ? block[taken].at : process.nextAt
    }

    @inline(__always) private mutating func drawIfNeeded() { if taken == block.count { draw() } }

    private mutating func draw() {
        start = process.mark
        process.draw(size, into: &block)
        taken = 0
        size = min(mostAhead, 2 * size)
    }

    /// Brings the process back to what has been taken of it.
    private mutating func goBack() {
        // Nothing is ahead of it then.
        if process.inSession || (taken == block.count && !inSession) { return }
        process.go(back: start)
        for place in 0..<taken {
            _ = process.advance()
            let isUnderWay = inSession && place == taken - 1
            if process.inSession && !isUnderWay { _ = process.advance() }
        }
    }

    /// Continues from where the process stands.
    private mutating func resume() {
        block.count = 0
        taken = 0
        inSession = process.inSession
        nextAt = process.nextAt
    }

    /// The pickups ahead are drawn again, a few at first: a device that is suspended often does so before it has taken
    /// many.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, onset: Instant) {
        goBack()
        process.code(&coder, onset: onset)
        resume()
        size = Self.sizeWhenSuspended
    }

    private static let sizeWhenSuspended = 2
}

/// One time that a device is taken in hand (D3).
@usableFromInline package struct Pickup: BitwiseCopyable {
    /// When it begins, and when its session is locked; a glance ends as it begins.
    @usableFromInline package let at, until: Instant
    @usableFromInline let kind: UInt8

    @inlinable @inline(__always) init(at: Instant, until: Instant, kind: UInt8) {
        (self.at, self.until, self.kind) = (at, until, kind)
    }

    @inlinable package var isGlance: Bool { Int(kind) == PreparedPickups.glanceKind }
    /// The home pages and the today view that the session shows at once.
    @inlinable package var surfaces: SurfaceSet { SurfaceSet(rawValue: UInt16(kind)) }
}

/// The conditions under which nothing else of the world comes with pickups ahead of a device (`DrawnWorld.plainUse`).
@usableFromInline package struct PlainUse: BitwiseCopyable {
    /// How many pickups are at hand, plain or not.
    package var count = 0
    /// The next event of the world that is no pickup.
    package var limit = Instant.never
    /// How many of the next sessions use no app, and from when on something is set otherwise in one.
    package var idleSessions: UInt64 = 0
    package var settingDue = Instant.never

    /// None.
    package init() {}
}

/// Pickups side by side.
@usableFromInline struct PickupBlock: BitwiseCopyable {
    @usableFromInline static var most: Int { 16 }

    @usableFromInline var count = 0
    @usableFromInline var at = SIMD16<Int64>()
    @usableFromInline var until = SIMD16<Int64>()
    @usableFromInline var kinds = SIMD16<UInt8>()

    init() {}

    // In place: a subscript of a vector that is not a constant has the whole vector written to memory first.
    @inlinable subscript(place: Int) -> Pickup {
        @inline(__always) mutating get {
            assert(place < count)
            return Pickup(
                at: Instant(
                    microseconds: withUnsafeBytes(of: &at) { $0.load(fromByteOffset: 8 * place, as: Int64.self) }),
                until: Instant(
                    microseconds: withUnsafeBytes(of: &until) { $0.load(fromByteOffset: 8 * place, as: Int64.self) }),
                kind: withUnsafeBytes(of: &kinds) { $0.load(fromByteOffset: place, as: UInt8.self) })
        }
    }

    @inline(__always) mutating func append(_ pickup: Pickup) {
        let place = count
        count = place + 1
        withUnsafeMutableBytes(of: &at) {
            $0.storeBytes(of: pickup.at.microseconds, toByteOffset: 8 * place, as: Int64.self)
        }
        withUnsafeMutableBytes(of: &until) {
            $0.storeBytes(of: pickup.until.microseconds, toByteOffset: 8 * place, as: Int64.self)
        }
        withUnsafeMutableBytes(of: &kinds) { $0.storeBytes(of: pickup.kind, toByteOffset: place, as: UInt8.self) }
    }
}
