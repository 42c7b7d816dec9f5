import Basics
import People
import Statistics
import WidgetPlatform

/// All that a person's life is computed from: the checked scenario without its name, its thresholds and the number of
/// people.
///
/// A plan that exists is one that can be simulated: the scenario reader has checked every range and every index.
public struct FleetPlan: Sendable {
    public var seed: UInt64
    public var clock: ScenarioClock
    /// The time before the reported span (T4), with `lead`.
    public var warmup: Duration
    /// The time before the scenario's own start that drawn devices live through, so that none of them is cold (T4): the
    /// origin answers them, no service has begun, and no trace shows it.
    public var lead = Duration.zero
    /// The scenario's own start.
    public var begin: Instant { .start + lead }
    /// The end of the run, exclusive; the run covers [0, end) and reports [warmup, end).
    public var end: Instant
    public var parameters: PlatformParameters
    public var requests: RequestPlan
    /// Every zone that the run can meet. A zone is named by its index here.
    public var zones: [ZoneTable]
    /// The cities that people of a drawn fleet live in and travel to, of zones and regions of the plan. A city is named
    /// by its index here.
    public var cities: [City]
    /// Where requests come from, as reports name it: the edge regions of the cities. A replay knows no cities: each of
    /// its zones is a region.
    public var regions: [String]
    public var apps: [String]
    public var endpoints: [String]
    public var kinds: [WidgetKind]
    /// The segments of a drawn fleet; a replay has one, which only names it.
    public var segments: [Segment]
    public var pushCampaigns: [PushCampaign]
    public var releases: [Release]
    /// Live Activities and what sends to them; nil for none.
    public var live: LivePlan?
    /// The server that sends pushes; nil for one that sends all at once.
    public var pushSender: PushSender?
    /// The recorded devices; empty for a drawn fleet.
    public var replay: [ReplayDevice]
    /// Whether the main traits are spread evenly over people (`StratifiedTrait`), and not at random.
    public var hasStratifiedTraits: Bool
    /// The parameters of Android; nil if no device runs it.
    public var android: AndroidParameters?

    public init(
        seed: UInt64, clock: ScenarioClock, warmup: Duration, end: Instant, parameters: PlatformParameters,
        requests: RequestPlan,
        zones: [ZoneTable], cities: [City], apps: [String], endpoints: [String], kinds: [WidgetKind],
        segments: [Segment],
        pushCampaigns: [PushCampaign] = [], releases: [Release] = [], replay: [ReplayDevice],
        hasStratifiedTraits: Bool = false, android: AndroidParameters? = nil
    ) {
        self.seed = seed
        self.clock = clock
        self.warmup = warmup
        self.end = end
        self.parameters = parameters
        self.requests = requests
        self.zones = zones
        self.cities = cities
        let known = Set(cities.map(\.region))
        regions = cities.isEmpty ? zones.map(\.name) : CityTable.regions.filter(known.contains)
        self.apps = apps
        self.endpoints = endpoints
        self.kinds = kinds
        self.segments = segments
        self.pushCampaigns = pushCampaigns
        self.releases = releases
        self.replay = replay
        self.hasStratifiedTraits = hasStratifiedTraits
        self.android = android
    }

    /// Adds regions in which nobody lives, for others to fail over to. A replay has those of its zones.
    public mutating func add(regions names: [String]) {
        if cities.isEmpty { return }
        let known = Set(regions + names)
        regions = CityTable.regions.filter(known.contains)
    }

    /// How many of its people, or of recorded devices, live in each region, by weight.
    package var peopleByRegion: [Double] {
        if !replay.isEmpty || cities.isEmpty { return regions.map { _ in 1 } }
        var weights = regions.map { _ in 0.0 }
        for segment in segments {
            let total = segment.habits.cityShares.reduce(0, +)
            for (city, share) in zip(cities, segment.habits.cityShares) {
                guard let region = regions.firstIndex(of: city.region) else { continue }
                weights[region] += segment.habits.share * share / max(total, .leastNormalMagnitude)
            }
        }
        return weights
    }

    /// The plan without its widgets and their service; of recorded devices, its zones.
    package var population: PopulationPlan {
        PopulationPlan(
            seed: seed, end: end, zones: zones, cities: cities, regions: regions,
            segments: replay.isEmpty ? segments.map(\.ofPopulation) : [],
            releases: releases, hasStratifiedTraits: hasStratifiedTraits)
    }
}

/// The platform's parameters (section 14): assumptions with a default and a range worth sweeping.
public struct PlatformParameters: Sendable {
    /// G2: 5 min; sweep 0 to 15 min.
    public var minGap = Duration.minutes(5)
    /// G3: 2 h; sweep 1 to 4 h.
    public var idleAfter = Duration.hours(2)
    /// F5: 30 min; sweep 0 to 2 h.
    public var staleGrace = Duration.minutes(30)
    /// F5: views a day, in millionths; sweep 1 to 10 views.
    public var rarelyViewed: Int64 = 4_000_000
    /// F5: the share of such views that the system does reload for, 0 to 1; sweep .3 to 1.
    public var rareReloadShare = 1.0
    /// F5: whether only stale timelines are.
    public var rareNeedsStale = true
    /// G7: 60 s; sweep 0 to 5 min.
    public var coalesceWithin = Duration.seconds(60)
    /// G6: seconds.
    public var dispatchDelay = Distribution.zero
    /// F1, F2, F4, F8: seconds from the cause of a free reload to its run.
    public var freeDelay = Distribution.zero
    /// F6: seconds from the return of a button's action to the run.
    public var interactionDelay = Distribution.zero
    /// F4: seconds by which a change of the environment reaches an instance later than the first of them.
    public var environmentSpread = Distribution.zero
    /// F1: of the calls from the foreground within this time after one that went through, the last runs at its end; 0
    /// to 60 s.
    public var foregroundGap = Duration.zero
    /// Whether each local midnight is a significant time change that reloads widgets (F4).
    public var reloadsAtMidnight = false
    /// Whether reloads that are granted while their app is in the foreground, navigates or plays audio are charged
    /// nothing, whatever their cause (F1, F2).
    public var sessionReloadsAreFree = true
    /// Whether reloads on a watch that are granted during a workout are charged nothing (F1).
    public var workoutReloadsAreFree = false
    /// Whether a changed location permission of an app reloads its instances that follow the person (L3).
    public var reloadsOnPermissionChange = false
    /// B2: the views that an opening of the app counts as, in millionths; sweep 0 to 2 views.
    public var appUseWeight: Int64 = 0
    /// B7: nil for no limit.
    public var silentPushLimit: HourlyPushLimit? = HourlyPushLimit()
    /// Whether controls pay for pushed reloads and for those that their app calls for in the background (F9).
    public var controlsAreCharged = false
    /// R4: 1 min; sweep 0 to 15 min; zero if a dimmed display shows every entry at its date.
    public var dimmedCadence = Duration.minutes(1)
    /// V7: how many widgets of the Smart Stack are seen as it is opened; sweep 1 to 6.
    public var suggestions = Self.usualSuggestions
    public static let usualSuggestions = 3
    /// L4: 15 min (W21).
    public var widgetLocationGrace = Duration.minutes(15)
    public var allowance = AllowanceRule()
    public var accrual = Accrual.even
    /// The time of the day at which the allowance begins again, with `Accrual.reset` (B4).
    public var resetAt = ClockTime(hour: 0, minute: 0)

    /// The hours in which budgets accrue on a device with these usual waking hours (B4).
    public func accrualHours(_ usual: UsualWaking) -> UsualWaking {
        guard accrual == .reset else { return usual }
        // All of it in one microsecond, up to a cap that is no more than it.
        let span = ClockSpan(from: resetAt, to: ClockTime(microseconds: resetAt.microseconds + 1))
        return UsualWaking(workday: span, freeDay: span)
    }
    /// Which account pays for pushed reloads (B7).
    public var pushBudget = PushBudget.shared
    /// Whether changes of the clocks by the zone's rules are significant time changes that reload widgets (F4).
    public var dstEvents = true
    /// L8: the side of a content cell in millimetres; in a replay each named place is its own cell.
    public var contentCell: Int64 = 10_000_000
    /// Whether the gates stand open (a profile for tests of ages, see the model's oracles): every due reload runs at
    /// once and is charged nothing: it counts as free everywhere.
    public var gatesOpen = false

    public enum Accrual: UInt8, CaseIterable, Sendable { case even, byViews, reset }

    public enum PushBudget: Hashable, Sendable {
        /// The instance's own.
        case shared
        /// One of their own with the same rules; its allowance in microtokens a day, nil for as much as the instance's
        /// own.
        case separate(allowance: Int64?)
    }
    public init() {}
}
