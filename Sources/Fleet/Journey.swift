import SimulatedTime
import Stochastics
import WidgetPlatform

/// A person's way between home, work and elsewhere (L1): straight legs at one speed, and stays between them.
struct Journey {
    /// The next departure or arrival.
    private(set) var nextAt: Instant = .never
    /// Legs begun so far.
    private(set) var legNumber: UInt64 = 0
    /// The leg under way, or the last one.
    private(set) var leg: Leg

    struct Leg {
        var from, to: Point
        var start, end: Instant

        /// Where the traveller is; the ends of the leg before and after it.
        func point(at instant: Instant) -> Point {
            if instant >= end { return to }
            if instant <= start { return from }
            let share = Double((instant - start).microseconds) / Double((end - start).microseconds)
            return Point(x: from.x + Int64(Double(to.x - from.x) * share), y: from.y + Int64(Double(to.y - from.y) * share))
        }
    }

    private enum Phase { case home, toWork, work, toPlace, place, toHome }
    private var phase = Phase.home
    private var isAsleep = false
    private var commuteAt: Instant = .never
    private var tripAt: Instant = .never
    private let home, work: Point
    private let isCommuter: Bool
    private let habits: UnsafePointer<PreparedSegment>
    private var departures, commuteTimes, workStays, tripGaps, tripTimes, tripStays, directions: RandomStream

    init(_ traits: PersonTraits, _ habits: UnsafePointer<PreparedSegment>, seed: UInt64) {
        func stream(_ purpose: Purpose) -> RandomStream { RandomStream(seed: seed, person: traits.number, purpose: purpose) }
        self.habits = habits
        home = traits.home
        isCommuter = traits.isCommuter
        departures = stream(.commuteDeparture)
        commuteTimes = stream(.commuteDuration)
        workStays = stream(.workStay)
        tripGaps = stream(.tripGap)
        tripTimes = stream(.tripDistance)
        tripStays = stream(.tripStay)
        directions = stream(.tripDirection)
        var workDirections = stream(.workPlace)
        let commute = habits.pointee.commuteTime.draw(workDirections.next())
        work = Self.point(from: home, distance: commute * habits.pointee.speed, &workDirections)
        leg = Leg(from: home, to: home, start: .longAgo, end: .longAgo)
    }

    /// Whether the next change is a departure.
    private var nextIsDeparture: Bool { phase == .home || phase == .work || phase == .place }

    /// What the use of apps must know of the way ahead.
    var ahead: Way { Way(nextAt: nextAt, nextIsDeparture: nextIsDeparture, legNumber: legNumber) }

    /// The person wakes up at home and plans the day: a commute on a workday, and trips with exponential gaps between them.
    mutating func wake(at instant: Instant, date: CivilDate, wakingSeconds: Double, zone: ZoneTable) {
        if isCommuter && date.isWorkday {
            let clock = habits.pointee.departure.draw(departures.next())
            let at = zone.instant(of: date, at: ClockTime(microseconds: min(max(0, Int64(clock * 1e6)), ClockTime.microsecondsPerDay - 1)))
            commuteAt = at > instant ? at : .never
        } else {
            commuteAt = .never
        }
        isAsleep = false
        guard phase == .home else { return }
        planTrip(from: instant, wakingSeconds: wakingSeconds)
    }

    /// The person falls asleep: what was planned at home for later is not done.
    mutating func sleep() {
        isAsleep = true
        if phase == .home {
            tripAt = .never
            commuteAt = .never
            nextAt = .never
        }
    }

    private mutating func planTrip(from instant: Instant, wakingSeconds: Double) {
        let perDay = habits.pointee.tripsPerDay
        let gap = habits.pointee.exponential.draw(tripGaps.next())
        tripAt = perDay > 0 ? instant + Self.duration(gap * wakingSeconds / perDay) : .never
        nextAt = min(commuteAt, tripAt)
    }

    /// Takes the next change at its instant.
    mutating func advance(wakingSeconds: Double) {
        let now = nextAt
        switch phase {
        case .home:
            if commuteAt <= tripAt {
                commuteAt = .never
                depart(to: work, seconds: habits.pointee.commuteTime.draw(commuteTimes.next()), at: now, .toWork)
            } else {
                let seconds = habits.pointee.tripTime.draw(tripTimes.next())
                depart(
                    to: Self.point(from: home, distance: seconds * habits.pointee.speed, &directions), seconds: seconds, at: now, .toPlace)
            }
        case .toWork:
            phase = .work
            nextAt = now + Self.duration(habits.pointee.workStay.draw(workStays.next()))
        case .toPlace:
            phase = .place
            nextAt = now + Self.duration(habits.pointee.tripStay.draw(tripStays.next()))
        case .work:
            depart(to: home, seconds: habits.pointee.commuteTime.draw(commuteTimes.next()), at: now, .toHome)
        case .place:
            depart(to: home, seconds: (leg.end - leg.start).inSeconds, at: now, .toHome)
        case .toHome:
            phase = .home
            if commuteAt <= now || isAsleep { commuteAt = .never }
            if isAsleep {
                // Home late, to bed: the next trip is planned at the wake-up.
                tripAt = .never
                nextAt = .never
            } else {
                planTrip(from: now, wakingSeconds: wakingSeconds)
            }
        }
    }

    private mutating func depart(to place: Point, seconds: Double, at now: Instant, _ phase: Phase) {
        leg = Leg(from: leg.to, to: place, start: now, end: now + Self.duration(seconds))
        legNumber += 1
        self.phase = phase
        nextAt = leg.end
    }

    /// At least a microsecond, at most ten days.
    static func duration(_ seconds: Double) -> Duration { Duration(microseconds: Int64(min(max(seconds * 1e6, 1), 864_000_000_000))) }

    /// A point in a direction drawn evenly: a point of the unit disc, by rejection, set to length 1.
    private static func point(from origin: Point, distance: Double, _ stream: inout RandomStream) -> Point {
        var (x, y, square) = (1.0, 0.0, 1.0)
        // Eight pairs fail together once in 200,000 times; the direction is then east.
        for _ in 0..<8 {
            let dx = 2 * RandomStream.uniform(stream.next()) - 1
            let dy = 2 * RandomStream.uniform(stream.next()) - 1
            let s = dx * dx + dy * dy
            if s <= 1 && s > 1e-6 {
                (x, y, square) = (dx, dy, s)
                break
            }
        }
        let scale = distance / square.squareRoot()
        return Point(x: origin.x + Int64(x * scale), y: origin.y + Int64(y * scale))
    }

    /// The first instant from `instant` on at which the traveller is far from the last reported place; `never` on this leg or stay if not.
    ///
    /// Points are whole millimetres, so on an oblique leg the distance steps: the instant is exact to the time of 2 mm, and the microsecond
    /// before it is not far.
    func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        if changes.isFar(leg.point(at: instant)) { return instant }
        // The distance from a point along a straight line is convex: if neither end is far, nothing between them is.
        guard instant < leg.end, changes.isFar(leg.to) else { return .never }
        var (near, far) = (max(instant, leg.start), leg.end)
        while (far - near).microseconds > 1 {
            let middle = Instant(microseconds: near.microseconds + (far - near).microseconds / 2)
            if changes.isFar(leg.point(at: middle)) { far = middle } else { near = middle }
        }
        return far
    }
}

/// The next change of a journey.
struct Way {
    let nextAt: Instant
    let nextIsDeparture: Bool
    /// Legs begun so far.
    let legNumber: UInt64
}
