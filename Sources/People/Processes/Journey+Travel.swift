import Basics
import Statistics

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
