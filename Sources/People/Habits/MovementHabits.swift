import Basics
import Statistics

/// How people move between home, work, other places and other cities (L1).
public struct MovementHabits: Sendable {
    public var commute = Commute()
    public var outings = Outings()
    public var places = Places()
    public var trips = Trips()
    public var travel = Travel()

    /// The trip to work and back on workdays.
    public struct Commute: Sendable {
        /// The share of people who commute on workdays.
        public var share = 0.0
        /// A person's usual local clock time of leaving for work, seconds from midnight.
        public var departure = Distribution.zero
        /// The standard deviation of a day's departure round the usual one, seconds (normal).
        public var departureSpread = 0.0
        /// A person's usual time one way, seconds: it tells how far work is from home.
        public var time = Distribution.zero
        /// Seconds from arrival at work to leaving it.
        public var stay = Distribution.zero
        /// Nobody leaves earlier than this after the wake-up.
        public var readyAfter = Duration.zero
        /// A person who would leave later than this after the day's departure stays at home.
        public var mostDelay = Duration.zero
        public init() {}
    }

    /// Trips from home to other places and back.
    public struct Outings: Sendable {
        /// The mean number a day, on days without and with a commute.
        public var perDay = 0.0, perCommuteDay = 0.0
        /// The spreads of a person's and of a day's mean: σ of the logarithm; the means of both factors are 1.
        public var personSigma = 0.0, daySigma = 0.0
        /// None begins later than this before bedtime.
        public var lastBeforeBed = Duration.zero
        /// The probability that a stay, at a place or at work, is followed by a trip to another place and not home.
        public var onwardShare = 0.0
        /// Seconds at a place, cut so that the person is home at bedtime.
        public var stay = Distribution.zero
        public init() {}
    }

    /// Which places people go to: exploration and preferential return (Song 2010).
    public struct Places: Sendable {
        /// How many places beside home and work a person knows at the start.
        public var known = Distribution.zero
        /// A person who knows S places goes to a new one with probability rate · S^−decay.
        public var explorationRate = 0.0, explorationDecay = 0.0
        /// A person who returns goes to the place of rank r with a weight of r^−exponent.
        public var returnExponent = 0.0
        /// How far a new place lies from home, kilometres.
        public var distance = Distribution.zero
        /// The spread of a person's distances: σ of the logarithm of a factor with median 1.
        public var personSigma = 0.0
        public init() {}
    }

    /// How long a trip takes, and when on it the person gets on.
    public struct Trips: Sendable {
        /// Metres a second from door to door in a straight line: that of 5 km, from which it grows with the root of the
        /// distance, and its bounds.
        public var speed = 1.0, slowest = 1.0, fastest = 1.0
        /// The spread of a trip's time round its distance's: σ of the logarithm of a factor with mean 1.
        public var timeSigma = 0.0
        /// At each end of a trip the person hardly gets on: on foot, on a platform, parking. For this time and a share
        /// of the trip's, since on longer trips there is more to wait for, but never for more than a further share of
        /// it.
        public var slowTime = Duration.zero
        public var slowShare = 0.0, mostSlow = 0.0
        public init() {}
    }

    /// Trips to other cities.
    public struct Travel: Sendable {
        /// Round trips a year, the mean over people.
        public var perYear = 0.0
        /// A person's rate is a gamma draw of this shape: the smaller, the fewer people do most of the travelling.
        public var clustering = 1.0
        /// Seconds in the other city.
        public var stay = Distribution.zero
        public init() {}
    }

    /// Nobody leaves home.
    public static let still = Self()
    public init() {}
}
