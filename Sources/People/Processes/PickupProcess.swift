import Basics
import DeviceStorage
import Statistics

/// When a person picks a device up (D3): gaps from lock to pickup that run through the waking day's rhythm, sessions
/// and glances.
///
/// The pickups expected on a day are the person's own mean times the day's level and their weekday's factor; they are
/// spread over that day's own waking hours.
struct PickupProcess {
    /// The next pickup, or the lock of the session under way.
    private(set) var nextAt: Instant = .never
    private(set) var inSession = false
    private var draws = DrawCount()
    /// When the person falls asleep: a session ends there at the latest.
    private var onset: Instant = .never
    /// Waking days so far, and whether the present one has any pickups.
    private var day: UInt64 = 0
    private var hasPickups = false
    private var dayScore = 0.0
    private var rhythm: WakingRhythm
    private let unlocksPerDay: Double
    private let sessionScale: Double
    private let days: DayLevels
    private let device: UnsafePointer<PreparedDeviceHabits>
    /// The gap after the present pickup, in mean gaps.
    private var gapAfter = 0.0
    private let streams: RandomStreams
    /// Crossings into other zones so far.
    private var moves: UInt64 = 0

    init(_ streams: RandomStreams, _ traits: PickupTraits, _ device: UnsafePointer<PreparedDeviceHabits>) {
        self.device = device
        unlocksPerDay = traits.unlocksPerDay
        (sessionScale, days) = (traits.levels.sessionScale, traits.levels.days)
        let pickups = device.pointee.pickups
        rhythm = WakingRhythm(
            device.pointer(to: \.pickups.rhythm)!, traits.levels.spread,
            meanUse: pickups.meanSession * sessionScale / (1 + pickups.glancesPerUnlock))
        self.streams = streams
    }

    private var habits: PreparedPickups {
        @inline(__always) _read { yield device.pointee.pickups }
    }

    /// The person's own factor of a weekday: looked up once a day, so that no device keeps a week of them.
    private func weekdayFactor(on date: CivilDate) -> Double {
        let owner = device.pointee.hasOwnPickups ? streams : RandomStreams(seed: streams.seed, person: streams.person)
        return WeekProfile(of: habits, owner).factors[date.weekday]
    }

    /// A waking day begins: its level, and the first gap from the wake-up on.
    ///
    /// - Parameter part: how much of a waking day it is; less than 1 for the rest of the day on which a run begins.
    mutating func wake(at instant: Instant, date: CivilDate, onset: Instant, part: Double = 1) {
        self.onset = onset
        let fresh = habits.normal.draw(streams[.dayLevel].value(at: day))
        // The first day's level is as wide as any.
        dayScore = day == 0 ? fresh : days.score(after: dayScore, fresh)
        let level =
            days.level(score: dayScore, isQuiet: days.isQuiet(day, streams[.quietDay])) * weekdayFactor(on: date)
        let isUsed = habits.usedDay.holds(streams[.usedDay].value(at: day))
        let pickups = unlocksPerDay * level * habits.usedDayFactor * (1 + habits.glancesPerUnlock) * part
        day += 1
        inSession = false
        hasPickups = isUsed && pickups > 0 && onset > instant
        guard hasPickups else {
            nextAt = .never
            return
        }
        rhythm.begin(at: instant, end: onset, pickups: pickups, day: day, levels: streams[.hourLevel])
        pickUp(after: habits.gap.first(streams[.firstPickup].pair(at: day)), from: instant)
    }

    /// The person has come to another zone, and falls asleep at another time: a session under way is locked by then.
    ///
    /// - Returns: when a session under way is locked; `never` if there is none.
    mutating func move(onset: Instant, at now: Instant) -> Instant {
        self.onset = onset
        guard hasPickups else { return .never }
        rhythm.moveEnd(to: onset)
        if inSession {
            nextAt = min(nextAt, onset - Duration(microseconds: 1))
            return nextAt
        }
        if nextAt == .never {
            moves += 1
            pickUp(after: habits.gap.first(streams[.firstPickup].pair(at: Self.firstOfMoves + moves)), from: now)
        }
        if nextAt >= onset - Duration(microseconds: 2) { nextAt = .never }
        return .never
    }

    /// The person falls asleep at another time, and picks the device up within the same hours as far as they last.
    ///
    /// - Returns: when a session under way is locked; `never` if there is none.
    mutating func end(by onset: Instant) -> Instant {
        self.onset = min(self.onset, onset)
        let last = self.onset - Duration(microseconds: 1)
        guard nextAt < .never else { return .never }
        if inSession {
            nextAt = min(nextAt, last)
            return nextAt
        }
        if nextAt >= last - Duration(microseconds: 1) { nextAt = .never }
        return .never
    }

    /// The person is asleep: no pickups until the wake-up.
    mutating func sleep() {
        inSession = false
        nextAt = .never
    }

    /// Takes the next pickup or lock.
    mutating func advance() -> WorldEvent {
        let now = nextAt
        if inSession {
            inSession = false
            pickUp(after: gapAfter, from: now)
            return .lock
        }
        let numbers = PickupNumbers(draws.nextPair(of: streams[.pickup]))
        gapAfter = device.pointee.pickups.gap.next(numbers.gap)
        let kind = device.pointee.pickups.kind.index(numbers.kind)
        if kind == PreparedPickups.glanceKind {
            pickUp(after: gapAfter, from: now)
            return .glance
        }
        let length = device.pointee.pickups.sessionLength.draw(numbers.length, times: sessionScale)
        inSession = true
        // The sleep at the onset comes first, so the session is locked a microsecond before it at the latest.
        nextAt = min(now + length, onset - Duration(microseconds: 1))
        return .pickup(shown: SurfaceSet(rawValue: UInt16(truncatingIfNeeded: kind)))
    }

    /// Takes the next pickups with their locks, as `advance` would one by one: up to `most`, or to the end of the day.
    /// No session is under way.
    mutating func draw(_ most: Int, into block: inout PickupBlock) {
        let habits = device
        let first = draws.position / 2
        let stream = streams[.pickup]
        var gaps = SIMD16<Double>(), lengths = SIMD16<Int64>(), kinds = SIMD16<UInt8>()
        withUnsafeMutableBytes(of: &gaps) { gaps in
            withUnsafeMutableBytes(of: &lengths) { lengths in
                withUnsafeMutableBytes(of: &kinds) { kinds in
                    for place in 0..<most {
                        let numbers = PickupNumbers(stream.pair(at: first + UInt64(place)))
                        gaps.storeBytes(
                            of: habits.pointee.pickups.gap.next(numbers.gap), toByteOffset: 8 * place, as: Double.self)
                        let kind = habits.pointee.pickups.kind.index(numbers.kind)
                        kinds.storeBytes(of: UInt8(truncatingIfNeeded: kind), toByteOffset: place, as: UInt8.self)
                        let length = habits.pointee.pickups.sessionLength.draw(numbers.length, times: sessionScale)
                        lengths.storeBytes(
                            of: kind == PreparedPickups.glanceKind ? 0 : length.microseconds, toByteOffset: 8 * place,
                            as: Int64.self)
                    }
                    let last = onset - .microsecond
                    var at = nextAt
                    block.count = 0
                    while block.count < most && at < .never {
                        let place = block.count
                        let length = lengths.load(fromByteOffset: 8 * place, as: Int64.self)
                        let until = length == 0 ? at : min(at + Duration(microseconds: length), last)
                        block.append(
                            Pickup(at: at, until: until, kind: kinds.load(fromByteOffset: place, as: UInt8.self)))
                        at = pickup(after: gaps.load(fromByteOffset: 8 * place, as: Double.self), from: until)
                    }
                    nextAt = at
                    draws.move(to: 2 * (first + UInt64(block.count)))
                }
            }
        }
    }

    /// Where it stands between two sessions.
    struct Mark: BitwiseCopyable {
        fileprivate let nextAt: Instant
        fileprivate let position: UInt64
        fileprivate let rhythm: WakingRhythm.Mark
    }

    var mark: Mark { Mark(nextAt: nextAt, position: draws.position, rhythm: rhythm.mark) }

    /// Goes back to a mark of this waking day whose end has not moved since.
    mutating func go(back mark: Mark) {
        (nextAt, inSession) = (mark.nextAt, false)
        draws.move(to: mark.position)
        if hasPickups { rhythm.go(back: mark.rhythm, day: day) }
    }

    /// Draws after crossings have addresses beyond those of wake-ups.
    private static let firstOfMoves: UInt64 = 1 << 32

    private mutating func pickUp(after units: Double, from instant: Instant) {
        nextAt = pickup(after: units, from: instant)
    }

    private mutating func pickup(after units: Double, from instant: Instant) -> Instant {
        let at = rhythm.instant(after: units, from: instant, levels: streams[.hourLevel])
        // A pickup needs room for its lock before sleep.
        return at < onset - Duration(microseconds: 2) ? at : .never
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, onset sleepOnset: Instant) {
        coder.code(&nextAt)
        coder.code(&inSession)
        coder.code(&onset, near: sleepOnset)
        coder.code(&day)
        if !coder.holds(day < 1 << 32, "a day after all days") { day = 0 }
        coder.code(&hasPickups)
        coder.code(&dayScore)
        coder.code(&draws)
        coder.code(&moves)
        if hasPickups { rhythm.code(&coder, day: day) }
        if Coder.isReading {
            if inSession && coder.holds(draws.position >= 2, "a session before the first draw") {
                gapAfter = habits.gap.next(PickupNumbers(streams[.pickup].pair(at: draws.position / 2 - 1)).gap)
            }
        }
    }
}
