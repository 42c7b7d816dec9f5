import Fleet
import People
import RefreshService
import SimulatedTime
import Stochastics
import WidgetPlatform

/// How often a day a device is used, on average.
struct ExpectedUse {
    let unlocks, pickups: Double
    /// Looks at the dimmed display, or at a Mac's desktop, and at a phone in standby.
    let looks, standbyLooks: Double
    private let notificationCenters: Double
    private let shown: [Double]
    private let todayViewGlances: Double

    init(of device: DevicePlan, in segment: Segment) {
        let habits = device.habits.pickups ?? segment.habits.pickups
        let isMac = device.kind == .mac
        let desk = device.habits.desk
        unlocks = ScenarioEstimate.mean(habits.unlocksPerDay) * (isMac ? desk.daysShare : 1)
        notificationCenters = unlocks * desk.notificationCenterShare
        pickups = unlocks * (1 + habits.glancesPerUnlock)
        looks =
            isMac
            ? unlocks * ScenarioEstimate.mean(habits.sessionLength) / 3_600 * desk.looksPerHour
            : device.habits.alwaysOn.share * device.habits.alwaysOn.looksPerDay
        standbyLooks = device.habits.standby.share * device.habits.standby.nightShare * device.habits.standby.looksPerNight
        shown = habits.surfaceShown
        todayViewGlances = (pickups - unlocks) * habits.todayViewGlances
    }

    /// Views a day of an instance on a surface; one in a stack has fewer.
    func views(on surface: Surface) -> Double {
        switch surface {
        case .lockScreen, .watchFace: pickups + looks
        case .standby: standbyLooks
        case .homeFirst, .homeOther: unlocks * shown[Int(surface.rawValue)]
        case .todayView: unlocks * shown[Int(surface.rawValue)] + todayViewGlances
        case .notificationCenter: notificationCenters
        case .desktop: looks
        }
    }
}

/// What decides how often an instance of a placement on a device of a segment reloads, whoever the person is. Seconds, and times a day.
struct InstanceHabits {
    let plan: FleetPlan
    let kind: WidgetKind
    let surface: Surface
    let end: Double
    /// The delay of a dispatch (G6), and the time from a run to the answer.
    let dispatch, latency: Double
    let gap, idleAfter, staleGrace: Double
    /// Views a day.
    let rarelyViewed: Double
    let jitter, askedLife, goodFor, failureAfter: Double
    let sessionSeconds, sessionShare: Double
    /// Openings of its app and of those that call for it, and what they call for.
    let openings: Double
    let onOpen: WidgetKind.ReloadOnOpen
    let versionsPerDay, callsPerDay, pushesPerDay, rhythmPerDay: Double
    /// The share of devices with background refresh on, times that of the time in which power is not low.
    let kept: Double
    /// Whether protected content is out of reach between sessions: a worn watch is unlocked (D6).
    let isHeldByLock: Bool
    private let tripsPerSecond: Double
    private let environmentPerDay: Double
    private let shown: Double
    private let inStack: Double
    private let looksPerDay: Double
    private let glances: Double
    /// The share of glances that show the surface.
    private let glancesShown: Double
    private let failing: [(from: Double, to: Double)]

    init(
        _ placement: Placement, on device: DevicePlan, in segment: Segment, _ plan: FleetPlan, end: Double, trips: Double,
        failing: [(from: Double, to: Double)]
    ) {
        let kind = plan.kinds[placement.kind]
        let parameters = plan.parameters
        let habits = device.habits.pickups ?? segment.habits.pickups
        let days = end / 86_400
        self.plan = plan
        self.kind = kind
        surface = placement.surface
        self.end = end
        self.failing = failing
        let ways = ScenarioEstimate.mean(plan.requests.legs.out) + ScenarioEstimate.mean(plan.requests.legs.back)
        latency = ways + (placement.location == .current ? ScenarioEstimate.mean(kind.fixTime) : 0)
        dispatch = parameters.gatesOpen ? 0 : ScenarioEstimate.mean(parameters.dispatchDelay)
        gap = parameters.minGap.inSeconds
        idleAfter = parameters.idleAfter.inSeconds
        staleGrace = parameters.staleGrace.inSeconds
        rarelyViewed = Double(parameters.rarelyViewed) / 1e6
        jitter = kind.jitter.map(ScenarioEstimate.mean) ?? 0
        askedLife = kind.policy.askedLife(of: kind.shape).inSeconds
        let shape: (last: Double, valid: Double) =
            switch kind.shape {
            case .single: (0, .infinity)
            case .series(let count, let spacing): (spacing.inSeconds * Double(count - 1), spacing.inSeconds)
            case .untilMidnight: (0, .infinity)
            case .selfUpdating(let goodFor): (0, goodFor.inSeconds)
            }
        goodFor = shape.last + (kind.validFor?.inSeconds ?? shape.valid)
        failureAfter = max(1, ScenarioEstimate.mean(plan.requests.failureAfter))
        sessionSeconds = min(3_600, ScenarioEstimate.mean(habits.sessionLength))
        glances = habits.glancesPerUnlock
        sessionShare = 1 / (1 + glances)

        let app = segment.habits.apps[kind.app]
        let callers = ScenarioEstimate.callers(of: placement.kind, plan)
        let calls = callers.map(\.reloadOnOpen)
        onOpen = calls.contains(.always) || callers.contains(where: \.reloadsOnClose) ? .always : calls.contains(.ifChanged) ? .ifChanged : .never
        // An app that calls as it closes does so once for each opening as well; taps open it besides.
        let ownOpenings = ScenarioEstimate.mean(app.openingsPerDay) + kind.tapShare * ExpectedUse(of: device, in: segment).views(on: placement.surface)
        let callsPerOpening = (onOpen == .never ? 0.0 : 1) + (callers.contains(where: \.reloadsOnClose) ? 1 : 0)
        openings = ownOpenings * callsPerOpening
        if case .manual = kind.versions {
            versionsPerDay = kind.changeShare * ScenarioEstimate.mean(app.openingsPerDay)
        } else {
            versionsPerDay = kind.versions.perDay(over: days)
        }
        rhythmPerDay = callers.compactMap(\.sessionRhythm).reduce(0) { sum, rhythm in
            let inSession =
                app.audioPerDay * ScenarioEstimate.mean(app.audioLength)
                + app.navigationShare * trips * ScenarioEstimate.mean(segment.habits.movement.commute.time)
            return sum + inSession / max(1, rhythm.inSeconds)
        }
        callsPerDay = callers.reduce(0) {
            $0 + $1.wakeUpsPerDay + ($1.contentPushes?.route == .app ? ScenarioEstimate.contentPushes(of: $1, days: days) : 0)
        }
        pushesPerDay = kind.takesPushes ? ScenarioEstimate.pushes(to: kind, plan, days: days) : 0
        let low = min(1, segment.habits.power.lowPower.perDay * ScenarioEstimate.mean(segment.habits.power.lowPower.length) / 86_400)
        kept = (1 - segment.habits.power.refreshOffShare) * (1 - low)
        let environment = segment.habits.environment
        environmentPerDay =
            (environment.textSizePerYear + environment.accessibilityPerYear + environment.languagePerYear + environment.regionPerYear
                + environment.accountPerYear) / 365 + environment.rebootsPerDay + placement.editsPerYear / 365
            + (parameters.reloadsAtMidnight ? 1 : 0)
        isHeldByLock = kind.isProtected && device.kind != .watch
        tripsPerSecond = placement.location == .current ? trips / 57_600 : 0
        shown =
            switch surface {
            case .homeFirst, .homeOther, .todayView: habits.surfaceShown[Int(surface.rawValue)]
            case .notificationCenter: device.habits.desk.notificationCenterShare
            case .desktop: ScenarioEstimate.mean(habits.sessionLength) / 3_600 * device.habits.desk.looksPerHour
            case .lockScreen, .watchFace, .standby: 0
            }
        glancesShown = surface == .todayView ? habits.todayViewGlances : 0
        if let stack = placement.stack {
            let others = device.placements.reduce(0) { $0 + ($1.stack == stack ? $1.share : 0) }
            inStack = min(1, (1 + device.stacks[stack].flipShare) / max(1, others))
        } else {
            inStack = 1
        }
        let habitsOfDevice = device.habits
        looksPerDay =
            surface == .standby
            ? habitsOfDevice.standby.share * habitsOfDevice.standby.nightShare * habitsOfDevice.standby.looksPerNight
            : habitsOfDevice.alwaysOn.share * habitsOfDevice.alwaysOn.looksPerDay
    }

    /// Views a day of the instance of a person.
    func views(unlocks: Double) -> Double {
        switch surface {
        case .lockScreen, .watchFace: inStack * (unlocks * (1 + glances) + looksPerDay)
        case .standby: inStack * looksPerDay
        case .homeFirst, .homeOther, .todayView, .notificationCenter, .desktop: inStack * unlocks * (shown + glances * glancesShown)
        }
    }

    /// The probability that a use shows it.
    func viewsPerUse(unlocks: Double, isSession: Bool) -> Double {
        switch surface {
        case .lockScreen, .watchFace: inStack
        case .standby: min(1, looksPerDay / max(1e-9, unlocks * (1 + glances)))
        case .homeFirst, .homeOther, .todayView, .notificationCenter, .desktop: inStack * min(1, isSession ? shown : glancesShown)
        }
    }

    /// Changes of the place that a view of its own follows, while awake. A trip has some 3.3 of them [CAL §4], five minutes apart and more: those between two views
    /// are one reload.
    func movesPerSecond(unlocks: Double) -> Double {
        tripsPerSecond == 0 ? 0 : tripsPerSecond * (1 + 2.3 * min(1, views(unlocks: unlocks) * 300 / 57_600))
    }

    func environmentPerUse(_ use: TypicalUse) -> Double { environmentPerDay * use.sincePrevious / 57_600 }

    func fails(at now: Double) -> Bool { failing.contains { $0.from <= now && now < $0.to } }
}

extension ScenarioEstimate {
    /// Reloads and tries of one instance over the run, on average over people who stand for the segment.
    struct PerInstance {
        var reloads = 0.0
        var tries = 0.0
    }

    /// The longest that a typical person is lived through; more of the same is reckoned from it.
    private static let longest = 21.0 * 86_400
    /// Days that the people who stand for a segment live together, at least.
    private static let days = 50.0
    private static let people = 10...100

    static func perInstance(
        _ placement: Placement, on device: DevicePlan, in segment: Segment, _ scenario: Scenario, trips: Double
    ) -> PerInstance {
        let plan = scenario.plan
        let span = (plan.end - .start).inSeconds
        let end = min(span, longest)
        let habits = InstanceHabits(
            placement, on: device, in: segment, plan, end: end, trips: trips,
            failing: failing(scenario, endpoint: plan.kinds[placement.kind].endpoint))
        let count = min(max(people.lowerBound, Int(cutting: days / (end / 86_400)) / 5 * 5), people.upperBound)
        var sum = PerInstance()
        for number in 0..<count {
            let person = TypicalPerson(number, of: segment, device, app: plan.kinds[placement.kind].app, plan, end: end)
            var instance = TypicalInstance(habits, person)
            instance.live()
            let lost = instance.charged * (1 - habits.kept)
            sum.reloads += instance.reloads - lost
            sum.tries += instance.tries - lost
        }
        let scale = span / end / Double(count)
        return PerInstance(reloads: sum.reloads * scale, tries: sum.tries * scale)
    }

    /// When every request to an endpoint fails: the spans of the origin, and outages of its pool.
    private static func failing(_ scenario: Scenario, endpoint: Int) -> [(from: Double, to: Double)] {
        func seconds(_ instant: Instant) -> Double { (instant - .start).inSeconds }
        var spans = scenario.plan.requests.failing.map { (from: seconds($0.from), to: seconds($0.to)) }
        if let service = scenario.service {
            let pool = service.endpoints[endpoint].pool
            for event in service.events {
                if case .outage(let its, _) = event.happening, its == nil || its == pool {
                    spans.append((from: seconds(event.from), to: seconds(event.to)))
                }
            }
        }
        return spans
    }

    /// The kinds whose calls reload the instances of a kind: itself, and those of its app that call for all.
    static func callers(of kind: Int, _ plan: FleetPlan) -> [WidgetKind] {
        plan.kinds.enumerated().filter { index, other in
            index == kind || (other.app == plan.kinds[kind].app && other.reloadCall == .all)
        }.map(\.element)
    }

    // MARK: Recorded devices

    /// Background reloads a day of a recorded instance at most: what its policy, pushes and wake-ups ask for and the largest budget pays.
    static func atMost(_ plan: FleetPlan, _ index: Int, on surface: Surface, days: Double) -> Double {
        let kind = plan.kinds[index]
        let called = callers(of: index, plan).reduce(0) {
            $0 + $1.wakeUpsPerDay + ($1.contentPushes?.route == .app ? contentPushes(of: $1, days: days) : 0)
        }
        let pushed = kind.takesPushes ? pushes(to: kind, plan, days: days) : 0
        let rule = plan.parameters.allowance
        let allowance = surface == .watchFace ? rule.onWatchFace : max(rule.most, rule.whileLearning)
        let granted = Double(allowance) / Double(AllowanceRule.token)
        let asked = asked(by: kind)
        // With the gates open, a single entry at its end has no date of its own.
        if plan.parameters.gatesOpen { return (asked.isFinite ? asked : granted) + called + pushed }
        guard case .separate(let own) = plan.parameters.pushBudget else { return min(asked + called + pushed, granted) }
        let grantedToPushes = own.map { Double($0) / Double(AllowanceRule.token) } ?? granted
        return min(asked + called, granted) + min(pushed, grantedToPushes)
    }

    private static func asked(by kind: WidgetKind) -> Double {
        switch kind.policy {
        case .never: return 0
        case .after(let time): return 86_400 / max(1e-6, time.inSeconds)
        case .aligned(let schedule): return Double(schedule.times.count)
        case .atEnd:
            switch kind.shape {
            case .series(let count, let spacing) where count > 1: return 86_400 / (spacing.inSeconds * Double(count - 1))
            case .untilMidnight: return 1
            case .single, .series, .selfUpdating: return .infinity
            }
        }
    }

    // MARK: Pushes

    /// Pushes a day to the widgets of a kind: its own server's, and its app's campaigns.
    static func pushes(to kind: WidgetKind, _ plan: FleetPlan, days: Double) -> Double {
        let own = kind.contentPushes?.route == .widgets ? contentPushes(of: kind, days: days) : 0
        return plan.pushCampaigns.filter { $0.app == kind.app }.reduce(own) { sum, campaign in
            switch campaign.times {
            case .listed(let instants): sum + campaign.share * Double(instants.count) / days
            case .clock(let schedule): sum + campaign.share * Double(schedule.times.count)
            }
        }
    }

    static func contentPushes(of kind: WidgetKind, days: Double) -> Double {
        kind.contentPushes.map { $0.share * kind.versions.perDay(over: days) } ?? 0
    }
}
