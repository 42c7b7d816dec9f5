import Fleet
import SimulatedTime
import WidgetPlatform

/// How often a day a device is used, on average.
struct ExpectedUse {
    let unlocks, pickups: Double
    /// Looks at the dimmed display, and at a phone in standby.
    let looks, standbyLooks: Double
    private let shown: [Double]

    init(of device: DevicePlan, in segment: Segment) {
        let habits = device.habits.pickups ?? segment.habits.pickups
        unlocks = ScenarioEstimate.mean(habits.unlocksPerDay)
        pickups = unlocks * (1 + habits.glancesPerUnlock)
        looks = device.habits.alwaysOn.share * device.habits.alwaysOn.looksPerDay
        standbyLooks = device.habits.standby.share * device.habits.standby.nightShare * device.habits.standby.looksPerNight
        shown = habits.surfaceShown
    }

    /// Views a day of an instance on a surface; one in a stack has fewer.
    func views(on surface: Surface) -> Double {
        switch surface {
        case .lockScreen, .watchFace: pickups + looks
        case .standby: standbyLooks
        case .homeFirst, .homeOther, .todayView: unlocks * shown[Int(surface.rawValue)]
        }
    }
}

/// Background reloads of one instance.
extension ScenarioEstimate {
    /// The kinds whose calls reload the instances of a kind: itself, and those of its app that call for all.
    static func callers(of kind: Int, _ plan: FleetPlan) -> [WidgetKind] {
        plan.kinds.enumerated().filter { index, other in
            index == kind || (other.app == plan.kinds[kind].app && other.reloadCall == .all)
        }.map(\.element)
    }

    /// Background reloads that the policy, pushes and wake-ups ask for and the budget pays, a day.
    static func background(_ plan: FleetPlan, _ index: Int, on surface: Surface, days: Double) -> Double {
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
    private static func pushes(to kind: WidgetKind, _ plan: FleetPlan, days: Double) -> Double {
        let own = kind.contentPushes?.route == .widgets ? contentPushes(of: kind, days: days) : 0
        return plan.pushCampaigns.filter { $0.app == kind.app }.reduce(own) { sum, campaign in
            switch campaign.times {
            case .listed(let instants): sum + campaign.share * Double(instants.count) / days
            case .clock(let schedule): sum + campaign.share * Double(schedule.times.count)
            }
        }
    }

    private static func contentPushes(of kind: WidgetKind, days: Double) -> Double {
        kind.contentPushes.map { $0.share * kind.versions.perDay(over: days) } ?? 0
    }
}
