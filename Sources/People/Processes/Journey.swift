import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// A person's trips (L1): to work and back, to other places by exploration and preferential return, and now and then to
/// another city.
///
/// A day is planned at the wake-up: whether the person commutes or travels, and how many outings there are; when each
/// begins is drawn when the one before is over. Every draw is looked up by the day, the trip or the place that it
/// belongs to, so that no decision shifts another.
struct Journey {
    /// The next departure or arrival.
    var nextAt: Instant = .never
    /// Trips begun so far.
    var legNumber: UInt64 = 0
    /// The trip that is under way, or the last one.
    var leg: Leg
    /// The city in which the person is, as an index of the plan: the new one from the arrival on.
    var city: Int
    var phase = Phase.home

    /// At home, which in another city is the lodging; on a trip; at a stay.
    enum Phase: UInt8 { case home, toWork, work, toPlace, place, toHome, travelling }

    // The day.
    var day: UInt64 = 0
    var isAsleep = false
    var bedtime: Instant = .never
    var commuteAt: Instant = .never
    var outingAt: Instant = .never
    var travelAt: Instant = .never
    var outingsLeft: UInt64 = 0
    var outingsPlanned: UInt64 = 0

    // Places.

    /// Places known here, and at home while the person is away. A place is a number: the fewer before it, the better
    /// known.
    var known, knownAtHome: Int
    /// The number of the place of the present stay or the trip to it.
    var place = 0
    /// Home, or the lodging.
    var base: Point
    let ownHome, work: Point
    let ownCity: Int

    // Travel.

    /// Travels begun so far; at home, places are those of visit 0.
    var travels: UInt64 = 0
    var returnAt: Instant = .never
    var destination = 0

    // The person.
    let isCommuter: Bool
    /// From midnight.
    let usualDeparture: Duration
    let outingLevel, distanceLevel: Double
    /// The probability that a travel begins on a day at home.
    let travelsPerDay: Double
    let habits: UnsafePointer<PreparedSegment>
    let cities: UnsafePointer<PreparedCity>
    let streams: RandomStreams

    /// Draws of one day have indices of their own: a day has fewer outings than this.
    static let mostOutings: UInt64 = 64
    /// A person who knows more places than this does not know them apart: a distribution of places with a heavy tail
    /// can draw any number.
    static let mostKnown = 1e9
    static let daysPerYear = 365.25
    /// The least stay at a place, however late it is. Assumption.
    static let leastStay = Duration.minutes(5)
    /// No trip takes less, however near its end is. Assumption.
    static let shortestWay = Duration.minutes(1)

    init(_ traits: PersonTraits, _ habits: UnsafePointer<PreparedSegment>, cities: UnsafePointer<PreparedCity>) {
        let streams = traits.streams
        self.habits = habits
        self.cities = cities
        self.streams = streams
        ownHome = traits.home
        base = traits.home
        ownCity = traits.city
        city = traits.city
        leg = .stay(at: traits.home)
        isCommuter = traits.isCommuter
        let movement = habits.pointee.movement
        usualDeparture = movement.departure.draw(streams.number(.usualDeparture))
        let commute = movement.speed.distance(movement.commuteTime.draw(streams.number(.usualCommute)).inSeconds)
        work = traits.home.moved(by: min(commute, Self.farthestPlace), direction: streams.number(.workPlace))
        outingLevel = movement.outingLevel.draw(streams.number(.outingLevel))
        distanceLevel = movement.distanceLevel.draw(streams.number(.distanceLevel))
        known = Int(min(max(0, movement.knownPlaces.draw(streams.number(.knownPlaces))), Self.mostKnown))
        knownAtHome = known
        let travels = cities[traits.city].destinations != nil
        travelsPerDay = travels ? movement.travelRate.draw(streams.number(.travelRate)) / Self.daysPerYear : 0
    }

    /// The part of the journey ahead that the use of apps must know. Nobody navigates to another city.
    var ahead: JourneyChange {
        let isStay = phase == .home || phase == .work || phase == .place
        return JourneyChange(nextAt: nextAt, nextIsDeparture: isStay && nextAt != travelAt, legNumber: legNumber)
    }

    mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        leg.farInstant(from: instant, changes)
    }

    func draw(_ purpose: Purpose, _ index: UInt64) -> UInt64 {
        streams.number(purpose, at: index)
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, onset: Instant, cityCount: Int) {
        coder.code(&phase)
        coder.code(&legNumber)
        coder.code(&nextAt)
        codeLeg(&coder)
        coder.code(&city, in: 0...cityCount - 1, "an unknown city")
        coder.code(&day)
        if !coder.holds(day < 1 << 32, "a day after all days") { day = 0 }
        coder.code(&isAsleep)
        coder.code(&bedtime, near: onset)
        coder.code(&commuteAt, near: nextAt)
        coder.code(&outingAt, near: nextAt)
        coder.code(&travelAt, near: nextAt)
        if Coder.isChecked {
            let canTravel = travelAt == .never || cities[city].destinations != nil
            if !coder.holds(canTravel, "a travel from the plan's only city") { travelAt = .never }
        }
        coder.code(&outingsLeft)
        coder.code(&outingsPlanned)
        coder.code(&known, in: 0...Int(Self.mostKnown) << 1, "more places than anybody knows")
        coder.code(&place)
        codeTravel(&coder, cityCount)
    }

    /// A trip that is over leaves only where it led to: to home, mostly.
    private mutating func codeLeg<Coder: StateCoder>(_ coder: inout Coder) {
        var isHome = leg.to == ownHome
        coder.code(&isHome)
        if isHome { leg.to = ownHome } else { coder.code(&leg.to) }
        var isOver = leg.end <= coder.base
        coder.code(&isOver)
        if isOver {
            if Coder.isReading { leg = .stay(at: leg.to) }
            return
        }
        coder.code(&leg.from)
        coder.code(&leg.start)
        coder.code(&leg.end, near: leg.start)
    }

    private mutating func codeTravel<Coder: StateCoder>(_ coder: inout Coder, _ cityCount: Int) {
        var hasTravelled = travels > 0
        coder.code(&hasTravelled)
        guard hasTravelled else {
            if Coder.isReading { knownAtHome = known }
            return
        }
        coder.code(&travels)
        coder.code(&knownAtHome, in: 0...Int(Self.mostKnown) << 1, "more places than anybody knows")
        coder.code(&destination, in: 0...cityCount - 1, "an unknown city")
        if Coder.isChecked {
            let isFar = city == destination || cities[city].kilometres(to: cities[destination]) != nil
            if !coder.holds(isFar, "a travel to a place unknown") { destination = city }
        }
        coder.code(&returnAt)
        coder.code(&base)
    }
}

/// The next change of a journey.
struct JourneyChange {
    let nextAt: Instant
    let nextIsDeparture: Bool
    /// Trips begun so far.
    let legNumber: UInt64
}

// MARK: The day

extension Journey {
    /// The person wakes up and plans the day.
    ///
    /// - Parameters:
    ///   - date: the local date of the day.
    ///   - bedtime: when the person falls asleep next.
    ///   - zone: that of the city where the person is.
    mutating func wake(at now: Instant, date: CivilDate, bedtime: Instant, zone: UnsafePointer<ZoneTable>) {
        day += 1
        isAsleep = false
        self.bedtime = bedtime
        (commuteAt, outingAt, travelAt) = (.never, .never, .never)
        (outingsLeft, outingsPlanned) = (0, 0)
        // A person who spent the night elsewhere finishes that first.
        let isHome = phase == .home
        if isHome && travelsToday(now) {
            travelAt = travelDeparture(now)
            nextAt = travelAt
            return
        }
        if isHome && isCommuter && city == ownCity && date.isWorkday { commuteAt = commuteDeparture(now, date, zone) }
        planOutings()
        if isHome { plan(from: now) }
    }

    /// The person falls asleep: what was planned at home for later is not done.
    mutating func sleep() {
        isAsleep = true
        guard phase == .home else { return }
        (commuteAt, outingAt, travelAt) = (.never, .never, .never)
        nextAt = .never
    }

    /// At the drawn time, or as soon as the person is ready; who is too late for that stays at home.
    func commuteDeparture(_ now: Instant, _ date: CivilDate, _ zone: UnsafePointer<ZoneTable>) -> Instant {
        let movement = habits.pointee.movement
        let drawn = zone.pointee.instant(
            of: date, fromMidnight: usualDeparture + movement.departureSpread.draw(draw(.commuteDeparture, day)))
        let at = max(drawn, now + movement.readyAfter)
        return at - drawn <= movement.mostDelay && at < bedtime ? at : .never
    }

    /// How many outings the day has: the mean number, rounded up or down at random, so that days differ little by
    /// chance alone.
    mutating func planOutings() {
        let movement = habits.pointee.movement
        let mean = commuteAt < .never ? movement.outingsPerCommuteDay : movement.outingsPerDay
        let level = outingLevel * movement.outingDay.draw(draw(.outingDay, day))
        let count = mean * level + RandomStream.uniform(draw(.outingCount, day))
        outingsLeft = UInt64(min(max(0, count), Double(Self.mostOutings - 1)))
        outingsPlanned = outingsLeft
    }

    /// Plans the next journey from home: the commute first, else the next of the day's outings. Their beginnings are
    /// spread evenly over what is left of the day, so the next one is the first of that many even draws.
    mutating func plan(from now: Instant) {
        outingAt = .never
        if commuteAt < now { commuteAt = .never }
        let rest = (bedtime - habits.pointee.movement.lastBeforeBed - now).inSeconds
        if commuteAt == .never && outingsLeft > 0 && rest > 0 {
            let u = RandomStream.uniform(draw(.outingDeparture, day * Self.mostOutings + outingsPlanned - outingsLeft))
            outingAt =
                now
                + max(.microsecond, Duration(seconds: rest * (1 - DeterministicMath.pow(u, 1 / Double(outingsLeft)))))
        }
        nextAt = min(commuteAt, outingAt)
    }

    /// Takes the next change at its instant.
    mutating func advance() {
        let now = nextAt
        switch phase {
        case .home:
            if now == travelAt {
                leave(at: now)
            } else if now == commuteAt {
                commuteAt = .never
                depart(to: work, at: now, .toWork)
            } else {
                outingsLeft -= 1
                place = chosenPlace()
                depart(to: point(of: place), at: now, .toPlace)
            }
        case .toWork:
            phase = .work
            nextAt = now + habits.pointee.movement.workStay.draw(draw(.workStay, day))
        case .toPlace:
            phase = .place
            nextAt = endOfStay(from: now)
        case .work, .place: resume(at: now)
        case .toHome: comeHome(at: now)
        case .travelling: arrive(at: now)
        }
    }

    mutating func comeHome(at now: Instant) {
        phase = .home
        if isAsleep {
            // Home late, to bed: the next trip is planned at the wake-up.
            (commuteAt, outingAt, nextAt) = (.never, .never, .never)
        } else {
            plan(from: now)
        }
    }

    /// A stay is cut so that the person is home at bedtime.
    func endOfStay(from now: Instant) -> Instant {
        let stay = habits.pointee.movement.stay.draw(draw(.tripStay, legNumber))
        let wayHome = Duration(seconds: habits.pointee.movement.speed.seconds(leg.to.distance(to: base)))
        return min(now + stay, max(bedtime - wayHome, now + Self.leastStay))
    }

    /// After a stay: on to another place, or home.
    mutating func resume(at now: Instant) {
        let movement = habits.pointee.movement
        let hasTime = !isAsleep && now + movement.lastBeforeBed < bedtime
        if hasTime && movement.onward.holds(draw(.onward, legNumber)) {
            let last = phase == .place ? place : -1
            place = chosenPlace()
            // A person who would go where they are goes home.
            if place != last {
                depart(to: point(of: place), at: now, .toPlace)
                return
            }
        }
        depart(to: base, at: now, .toHome)
    }

    /// A trip begins: straight to its end, in the time of its distance, with a slow part at each end.
    mutating func depart(to place: Point, at now: Instant, _ phase: Phase) {
        let movement = habits.pointee.movement
        let seconds =
            movement.speed.seconds(leg.to.distance(to: place)) * movement.tripTime.draw(draw(.tripTime, legNumber))
        let time = max(Self.shortestWay, Duration(seconds: seconds))
        let slow = Duration(
            seconds: min(movement.slowTime + time.inSeconds * movement.slowShare, time.inSeconds * movement.mostSlow))
        leg = Leg(from: leg.to, to: place, start: now + slow, end: now + time - slow)
        legNumber += 1
        self.phase = phase
        nextAt = now + time
    }
}

extension Journey {
    /// The place that the next trip leads to: a new one, or a known one by its rank (Song 2010).
    mutating func chosenPlace() -> Int {
        let movement = habits.pointee.movement
        let isNew =
            known == 0
            || RandomStream.uniform(draw(.exploration, legNumber))
                < movement.explorationRate * DeterministicMath.pow(Double(known), -movement.explorationDecay)
        if isNew {
            known += 1
            return known - 1
        }
        return Self.priority(
            RandomStream.uniform(draw(.knownPlace, legNumber)), of: known, exponent: movement.returnExponent)
    }

    /// A rank from 0 to `count` − 1 with weights that fall like (rank + 1)^−exponent: the whole part of a continuous
    /// power law's draw.
    static func priority(_ u: Double, of count: Int, exponent: Double) -> Int {
        let most = Double(count + 1)
        let power = 1 - exponent
        let x =
            power.magnitude < 1e-9
            ? DeterministicMath.pow(most, u)
            : DeterministicMath.pow(1 + u * (DeterministicMath.pow(most, power) - 1), 1 / power)
        return min(max(1, Int(x)), count) - 1
    }

    /// Where a place lies: the same whenever the person goes there.
    func point(of place: Int) -> Point {
        // Places of another city are those of one visit.
        let visit = Int(UInt16(truncatingIfNeeded: city == ownCity ? 0 : travels))
        let millimetres =
            habits.pointee.movement.placeDistance.draw(streams.number(.placeDistance, sub: visit, at: UInt64(place)))
            * distanceLevel * 1e6
        return base.moved(
            by: min(max(0, millimetres), Self.farthestPlace),
            direction: streams.number(.placeDirection, sub: visit, at: UInt64(place)))
    }

    /// Millimetres, 1,000 km: a place lies in its city's plane.
    static let farthestPlace = 1e9
}

extension Journey {
    /// Whether the person leaves for another city today, or for home.
    func travelsToday(_ now: Instant) -> Bool {
        if city != ownCity { return returnAt < bedtime }
        return travelsPerDay > 0 && RandomStream.uniform(draw(.travelDay, day)) < travelsPerDay
    }

    /// In the first half of what is left of the day. Assumption.
    func travelDeparture(_ now: Instant) -> Instant {
        let ready = now + habits.pointee.movement.readyAfter
        let rest = max(0, (bedtime - ready).inSeconds)
        let at =
            ready + max(.microsecond, Duration(seconds: rest / 2 * RandomStream.uniform(draw(.travelDeparture, day))))
        return at < bedtime ? at : .never
    }

    /// The person leaves for another city. Nothing is reported on the trip: the device is at its beginning until the
    /// arrival.
    mutating func leave(at now: Instant) {
        let isReturn = city != ownCity
        if isReturn {
            destination = ownCity
        } else {
            travels += 1
            guard let destinations = cities[city].destinations else {
                preconditionFailure("a travel from the plan's only city")
            }
            destination = destinations.index(draw(.travelDestination, travels))
        }
        guard let kilometres = cities[city].kilometres(to: cities[destination]) else {
            preconditionFailure("a travel to a place unknown")
        }
        let arrival = now + max(.microsecond, Self.travelTime(kilometres))
        let lodging = cities[destination].point(draw(.lodging, 2 * travels), draw(.lodging, 2 * travels + 1))
        leg = Leg(from: leg.to, to: isReturn ? ownHome : lodging, start: arrival, end: arrival)
        legNumber += 1
        travelAt = .never
        phase = .travelling
        nextAt = arrival
    }

    /// By road up to 300 km, else by air, from door to door. Assumption.
    static func travelTime(_ kilometres: Double) -> Duration {
        Duration(seconds: kilometres <= 300 ? kilometres * 45 : 10_800 + kilometres * 4.8)
    }

    /// The arrival in the other city, or back. The rest of the day is spent there at home.
    mutating func arrive(at now: Instant) {
        if destination == ownCity {
            known = knownAtHome
            returnAt = .never
        } else {
            knownAtHome = known
            known = 0
            returnAt = now + habits.pointee.movement.travelStay.draw(draw(.travelStay, travels))
        }
        city = destination
        base = leg.to
        phase = .home
        outingsLeft = 0
        nextAt = .never
    }
}
