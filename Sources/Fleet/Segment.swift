import SimulatedTime
import Stochastics
import WidgetPlatform

/// A part of the fleet whose people share habits (D1). Each person draws their segment by its share.
public struct Segment: Sendable {
    public var name: String
    /// The share of all people, 0 to 1; the shares of a scenario add up to 1.
    public var share: Double
    /// The share of each zone of the plan's tables; they add up to 1.
    public var zoneShares: [Double]
    public var sleep: SleepHabits
    public var pickups: PickupHabits
    public var movement: MovementHabits
    /// One for each app of the plan.
    public var apps: [AppHabits]
    public var devices: [DevicePlan]

    public init(
        name: String, share: Double, zoneShares: [Double], sleep: SleepHabits, pickups: PickupHabits, movement: MovementHabits,
        apps: [AppHabits],
        devices: [DevicePlan]
    ) {
        self.name = name
        self.share = share
        self.zoneShares = zoneShares
        self.sleep = sleep
        self.pickups = pickups
        self.movement = movement
        self.apps = apps
        self.devices = devices
    }
}

/// When people sleep (D2). Each person draws usual times, each night draws round them.
public struct SleepHabits: Sendable {
    /// The usual times, with their spread over people, before workdays and before free days.
    public var workday, freeDay: UsualNight
    /// The spread of a night round the person's usual times, seconds (normal).
    public var onsetNightSpread, wakeNightSpread: Double

    public struct UsualNight: Sendable {
        /// Seconds from midnight, of the mean over people; the onset lies between noon and noon, so that 23:04 is −3,360.
        public var onset, wake: Double
        /// The standard deviation over people, seconds.
        public var onsetSpread, wakeSpread: Double

        public init(onset: Double, wake: Double, onsetSpread: Double, wakeSpread: Double) {
            self.onset = onset
            self.wake = wake
            self.onsetSpread = onsetSpread
            self.wakeSpread = wakeSpread
        }
    }

    /// A night lasts at least and at most this long; what is drawn outside is cut and counted (D2).
    public static let shortestNight = Duration.hours(3)
    public static let longestNight = Duration.hours(14)

    public init(workday: UsualNight, freeDay: UsualNight, onsetNightSpread: Double, wakeNightSpread: Double) {
        self.workday = workday
        self.freeDay = freeDay
        self.onsetNightSpread = onsetNightSpread
        self.wakeNightSpread = wakeNightSpread
    }
}

/// How people pick their device up (D3) and what they look at (V2).
public struct PickupHabits: Sendable {
    /// A person's mean unlocks a day.
    public var unlocksPerDay: Distribution
    /// The spread of a day's level round the person's mean: σ of its logarithm; the mean of the level is 1.
    public var dayLevelSigma: Double
    /// Factors of Monday to Sunday.
    public var weekdayFactors: [Double]
    /// Pickups that never unlock, for each that does.
    public var glancesPerUnlock: Double
    /// Seconds.
    public var sessionLength: Distribution
    /// The probability that a session shows the surface, by `Surface.rawValue`; lock-screen instances are seen at every pickup.
    public var surfaceShown: [Double]
    /// The share of devices with a passcode (D6).
    public var passcodeShare: Double

    public init(
        unlocksPerDay: Distribution, dayLevelSigma: Double, weekdayFactors: [Double], glancesPerUnlock: Double, sessionLength: Distribution,
        surfaceShown: [Double], passcodeShare: Double
    ) {
        self.unlocksPerDay = unlocksPerDay
        self.dayLevelSigma = dayLevelSigma
        self.weekdayFactors = weekdayFactors
        self.glancesPerUnlock = glancesPerUnlock
        self.sessionLength = sessionLength
        self.surfaceShown = surfaceShown
        self.passcodeShare = passcodeShare
    }
}

/// How people move between home, work and elsewhere (L1), on a plane of their own round their home.
public struct MovementHabits: Sendable {
    /// The share of people who commute on workdays.
    public var commuterShare: Double
    /// The local clock time of leaving for work, seconds from midnight.
    public var departure: Distribution
    /// Seconds one way.
    public var commuteTime: Distribution
    /// Seconds from arrival at work to leaving it.
    public var workStay: Distribution
    /// Other trips from home and back, a day.
    public var tripsPerDay: Double
    /// Seconds one way.
    public var tripTime: Distribution
    /// Seconds at the destination.
    public var tripStay: Distribution
    /// Metres a second on the way.
    public var speed: Double

    public init(
        commuterShare: Double, departure: Distribution, commuteTime: Distribution, workStay: Distribution, tripsPerDay: Double,
        tripTime: Distribution, tripStay: Distribution, speed: Double
    ) {
        self.commuterShare = commuterShare
        self.departure = departure
        self.commuteTime = commuteTime
        self.workStay = workStay
        self.tripsPerDay = tripsPerDay
        self.tripTime = tripTime
        self.tripStay = tripStay
        self.speed = speed
    }
}

/// How people use one app (D4, D5) and what they let it know (L3).
public struct AppHabits: Sendable {
    /// Openings a day; each session is one of them with the matching probability.
    public var openingsPerDay: Double
    /// Seconds in the foreground, at most to the lock.
    public var foregroundTime: Distribution
    /// The share of trips on which the app navigates.
    public var navigationShare: Double
    /// Audio sessions a day, each begun in a session with the matching probability, and their length in seconds.
    public var audioPerDay: Double
    public var audioLength: Distribution
    /// The shares of the permission modes, by `LocationMode.rawValue`; they add up to 1.
    public var modeShares: [Double]
    /// The share of people with precise location off for it.
    public var reducedAccuracyShare: Double

    public init(
        openingsPerDay: Double, foregroundTime: Distribution, navigationShare: Double, audioPerDay: Double, audioLength: Distribution,
        modeShares: [Double], reducedAccuracyShare: Double
    ) {
        self.openingsPerDay = openingsPerDay
        self.foregroundTime = foregroundTime
        self.navigationShare = navigationShare
        self.audioPerDay = audioPerDay
        self.audioLength = audioLength
        self.modeShares = modeShares
        self.reducedAccuracyShare = reducedAccuracyShare
    }
}

/// A device that people of a segment may carry, with the instances on it (D1).
public struct DevicePlan: Sendable {
    public var kind: DeviceKind
    /// The share of the segment's people who have it.
    public var share: Double
    public var placements: [Placement]

    public init(kind: DeviceKind, share: Double, placements: [Placement]) {
        self.kind = kind
        self.share = share
        self.placements = placements
    }
}

/// An instance that devices may carry: a kind on a surface (V1), following the person or set to a place (L7).
public struct Placement: Sendable {
    public var id: String
    /// The index in `FleetPlan.kinds`.
    public var kind: Int
    public var surface: Surface
    public var family: WidgetFamily
    public var location: LocationChoice
    /// The share of such devices that have it.
    public var share: Double

    public init(id: String, kind: Int, surface: Surface, family: WidgetFamily, location: LocationChoice, share: Double) {
        self.id = id
        self.kind = kind
        self.surface = surface
        self.family = family
        self.location = location
        self.share = share
    }
}

/// What an instance's content is keyed by (L7, R5).
public enum LocationChoice: Hashable, Sendable {
    /// Nothing: the same content for everybody.
    case none
    /// The place where the person is.
    case current
    /// One of some places or symbols, drawn with equal shares.
    case chosen([String])
}
