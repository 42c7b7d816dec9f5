import Basics
import Statistics

/// How people move between home, work, other places and other cities (L1).
public struct MovementHabits: Sendable {
    public var commute: Commute
    public var outings: Outings
    public var places: Places
    public var trips: Trips
    public var travel: Travel

    /// The trip to work and back on workdays.
    public struct Commute: Sendable {
        /// The share of people who commute on workdays.
        public var share: Double
        /// A person's usual local clock time of leaving for work, seconds from midnight.
        public var departure: Distribution
        /// The standard deviation of a day's departure round the usual one, seconds (normal).
        public var departureSpread: Double
        /// A person's usual time one way, seconds: it tells how far work is from home.
        public var time: Distribution
        /// Seconds from arrival at work to leaving it.
        public var stay: Distribution
        /// Nobody leaves earlier than this after the wake-up.
        public var readyAfter: Duration
        /// A person who would leave later than this after the day's departure stays at home.
        public var mostDelay: Duration

        public init(
            share: Double, departure: Distribution, departureSpread: Double, time: Distribution, stay: Distribution,
            readyAfter: Duration,
            mostDelay: Duration
        ) {
            self.share = share
            self.departure = departure
            self.departureSpread = departureSpread
            self.time = time
            self.stay = stay
            self.readyAfter = readyAfter
            self.mostDelay = mostDelay
        }
    }

    /// Trips from home to other places and back.
    public struct Outings: Sendable {
        /// The mean number a day, on days without and with a commute.
        public var perDay, perCommuteDay: Double
        /// The spreads of a person's and of a day's mean: σ of the logarithm; the means of both factors are 1.
        public var personSigma, daySigma: Double
        /// None begins later than this before bedtime.
        public var lastBeforeBed: Duration
        /// The probability that a stay, at a place or at work, is followed by a trip to another place and not home.
        public var onwardShare: Double
        /// Seconds at a place, cut so that the person is home at bedtime.
        public var stay: Distribution

        public init(
            perDay: Double, perCommuteDay: Double, personSigma: Double, daySigma: Double, lastBeforeBed: Duration,
            onwardShare: Double,
            stay: Distribution
        ) {
            self.perDay = perDay
            self.perCommuteDay = perCommuteDay
            self.personSigma = personSigma
            self.daySigma = daySigma
            self.lastBeforeBed = lastBeforeBed
            self.onwardShare = onwardShare
            self.stay = stay
        }
    }

    /// Which places people go to: exploration and preferential return (Song 2010).
    public struct Places: Sendable {
        /// How many places beside home and work a person knows at the start.
        public var known: Distribution
        /// A person who knows S places goes to a new one with probability rate · S^−decay.
        public var explorationRate, explorationDecay: Double
        /// A person who returns goes to the place of rank r with a weight of r^−exponent.
        public var returnExponent: Double
        /// How far a new place lies from home, kilometres.
        public var distance: Distribution
        /// The spread of a person's distances: σ of the logarithm of a factor with median 1.
        public var personSigma: Double

        public init(
            known: Distribution, explorationRate: Double, explorationDecay: Double, returnExponent: Double,
            distance: Distribution,
            personSigma: Double
        ) {
            self.known = known
            self.explorationRate = explorationRate
            self.explorationDecay = explorationDecay
            self.returnExponent = returnExponent
            self.distance = distance
            self.personSigma = personSigma
        }
    }

    /// How long a trip takes, and when on it the person gets on.
    public struct Trips: Sendable {
        /// Metres a second from door to door in a straight line: that of 5 km, from which it grows with the root of the
        /// distance, and its bounds.
        public var speed, slowest, fastest: Double
        /// The spread of a trip's time round its distance's: σ of the logarithm of a factor with mean 1.
        public var timeSigma: Double
        /// At each end of a trip the person hardly gets on: on foot, on a platform, parking. For this time and a share
        /// of the trip's, since on longer trips there is more to wait for, but never for more than a further share of
        /// it.
        public var slowTime: Duration
        public var slowShare, mostSlow: Double

        public init(
            speed: Double, slowest: Double, fastest: Double, timeSigma: Double, slowTime: Duration, slowShare: Double,
            mostSlow: Double
        ) {
            self.speed = speed
            self.slowest = slowest
            self.fastest = fastest
            self.timeSigma = timeSigma
            self.slowTime = slowTime
            self.slowShare = slowShare
            self.mostSlow = mostSlow
        }
    }

    /// Trips to other cities.
    public struct Travel: Sendable {
        /// Round trips a year, the mean over people.
        public var perYear: Double
        /// A person's rate is a gamma draw of this shape: the smaller, the fewer people do most of the travelling.
        public var clustering: Double
        /// Seconds in the other city.
        public var stay: Distribution

        public init(perYear: Double, clustering: Double, stay: Distribution) {
            self.perYear = perYear
            self.clustering = clustering
            self.stay = stay
        }
    }

    /// Nobody leaves home.
    public static let still: MovementHabits = {
        let nothing = Distribution(.constant(0))
        return MovementHabits(
            commute: Commute(
                share: 0, departure: nothing, departureSpread: 0, time: nothing, stay: nothing, readyAfter: .zero,
                mostDelay: .zero),
            outings: Outings(
                perDay: 0, perCommuteDay: 0, personSigma: 0, daySigma: 0, lastBeforeBed: .zero, onwardShare: 0,
                stay: nothing),
            places: Places(
                known: nothing, explorationRate: 0, explorationDecay: 0, returnExponent: 0, distance: nothing,
                personSigma: 0),
            trips: Trips(speed: 1, slowest: 1, fastest: 1, timeSigma: 0, slowTime: .zero, slowShare: 0, mostSlow: 0),
            travel: Travel(perYear: 0, clustering: 1, stay: nothing))
    }()

    public init(commute: Commute, outings: Outings, places: Places, trips: Trips, travel: Travel) {
        self.commute = commute
        self.outings = outings
        self.places = places
        self.trips = trips
        self.travel = travel
    }
}
