import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes the Live Activities (O1–O6).
struct LiveAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    /// Nil for a scenario without any.
    var plan: LivePlan? {
        guard value.isMapping else { return nil }
        var apps: [String] = []
        let kinds = value["kinds"].items.filter(\.isMapping).map { kind(of: $0, &apps) }
        return LivePlan(kinds: kinds, apps: apps, limits: limits)
    }

    private func kind(of item: CheckedValue, _ apps: inout [String]) -> LiveKind {
        var kind = scenario.read(KeyCatalogue.liveKind, of: item, over: LiveKind())
        let app = item["app"]
        kind.app = scenario.index(of: app.text, in: &apps)
        kind.openedApp = scenario.appIndex(app.text)
        if app.isValid && kind.start == .app && kind.openedApp == nil && !item["events"].isAbsent {
            scenario.report(
                app, "the app of one of kinds, as whose openings begin the activities", RawNode.quoted(app.text))
        }
        let storage = item["channel_storage"]
        if storage.isStated && storage.isValid && !kind.isBroadcast {
            scenario.log.warn("\(storage.path): it has no effect without channel: true")
        }
        kind.events = events(of: item)
        return kind
    }

    // MARK: Events

    private func events(of item: CheckedValue) -> LiveKind.Events {
        let (shared, own) = (item["events"], item["own"])
        let none = LiveKind().events
        if shared.isAbsent == own.isAbsent {
            scenario.log.report(
                item.origin, item.path, expected: "exactly one of events and own",
                found: own.isAbsent ? "neither" : "both")
            return none
        }
        if !own.isAbsent {
            guard own.isMapping else { return none }
            let channel = item["channel"]
            if channel.isValid && channel.flag {
                scenario.report(channel, "events that people share beside a channel", "own events")
            }
            let events = scenario.read(KeyCatalogue.ownEvents, of: own, over: OwnEvents())
            let days = (scenario.end - .start).inSeconds / 86_400
            let pushes = events.perDay * Double(events.updates + 2) * days
            if own.isValid && pushes > Double(Self.mostPushes) {
                scenario.report(
                    own, "events with at most \(Self.mostPushes) pushes to a follower in the whole run",
                    DecimalText.text(rounded: pushes))
            }
            return .own(events)
        }
        let events = shared.isList ? listed(shared) : drawn(shared)
        if shared.isValid, case let count = events.pushes(scenario.zones, until: scenario.end), count > Self.mostPushes
        {
            scenario.report(
                shared, "events with at most \(Self.mostPushes) pushes to a device that follows all", "\(count)")
        }
        return .shared(events, attendance: item["attendance"].number)
    }

    /// Pushes about all events of a kind.
    private static let mostPushes = 100_000

    private func listed(_ list: CheckedValue) -> SharedEvents {
        .listed(
            list.items.filter(\.isMapping).map { item in
                let (first, last) = (item["start"], item["end"])
                let (start, end) = (scenario.instant(first), scenario.instant(last))
                if first.isValid && last.isValid && end <= start {
                    scenario.report(last, "an end after the start", last.canonicalText)
                }
                let updates = item["updates"].items
                for update in updates where update.isValid && first.isValid && last.isValid {
                    let at = scenario.instant(update)
                    if at <= start || at >= end {
                        scenario.report(
                            update, "an update between the start and the end of its event", update.canonicalText)
                    }
                }
                return LiveEvent(start: start, end: end, updates: Set(updates.map(scenario.instant)).sorted())
            })
    }

    private func drawn(_ value: CheckedValue) -> SharedEvents {
        .drawn(
            starts: VersionsAssembly(scenario: scenario, value: value).events(value["starts"]),
            length: value["length"].duration, updates: value["updates"].count)
    }

    // MARK: The system

    private var limits: LiveActivityLimits {
        let value = value["limits"]
        var limits = scenario.read(KeyCatalogue.liveLimits, of: value, over: LiveActivityLimits())
        let factor = value["frequent_factor"]
        if value["budget_burst"].isAbsent { limits.budget.burst = limits.budget.perHour }
        let (budget, burst) = (limits.budget.perHour, limits.budget.burst)
        let asks = self.value["kinds"].items.contains { $0.isMapping && $0["frequent"].isValid && $0["frequent"].flag }
        if asks && value.isValid && Double(max(budget, burst)) * factor.number > Double(HourlyPushLimit.most) {
            scenario.report(
                factor, "a budget of at most \(HourlyPushLimit.most) pushes an hour with frequent updates",
                "\(DecimalText.text(rounded: Double(max(budget, burst)) * factor.number))")
        }
        func raised(_ pushes: Int) -> Int {
            min(HourlyPushLimit.most, Int(cutting: (Double(pushes) * factor.number).rounded()))
        }
        limits.frequentBudget = HourlyPushLimit(
            perHour: raised(budget), burst: raised(burst), excess: limits.budget.excess)
        return limits
    }
}

/// Makes the server that sends pushes (O3).
struct SenderAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    /// Nil for a scenario without one.
    ///
    /// - Parameters:
    ///   - people: whom it sends to.
    ///   - simulated: those of the run, who may stand for more.
    func sender(people: Int, simulated: Int) -> PushSender? {
        guard value.isMapping else { return nil }
        var sender = scenario.read(KeyCatalogue.pushSender, of: value, over: PushSender())
        (sender.people, sender.simulated) = (people, simulated)
        return sender
    }

    /// A sender that cannot keep up with people's own events would fall behind for ever.
    func checkRate(of plan: FleetPlan) {
        guard let sender = plan.pushSender, let rate = sender.rate, value.isValid else { return }
        let needed = PushClasses(plan, sender).flow
        if needed >= rate {
            scenario.report(
                value["rate"],
                "more than the \(DecimalText.text(rounded: needed)) pushes a second about people's own events, places and symbols",
                "'\(value["rate"].canonicalText)'")
        }
    }

    /// Pushes that come one by one must fit into the project's limit.
    func checkLimit(of plan: FleetPlan) {
        guard let sender = plan.pushSender, value.isValid else { return }
        let (limit, needed) = (value["project_limit"], 60 * PushClasses(plan, sender).androidFlow)
        if needed >= sender.projectLimit {
            scenario.report(
                limit.isStated ? limit : value,
                "a project_limit of more than the \(DecimalText.text(rounded: needed)) pushes a minute to Android about places and symbols",
                "'\(limit.canonicalText)'")
        }
    }

    /// The bursts of a sender, each in all its waves, have a bound.
    private static let mostParts = 1e7

    func checkWaves(of plan: FleetPlan) {
        guard let sender = plan.pushSender, value.isValid else { return }
        let (waves, parts) = (value["waves"], PushClasses(plan, sender).burstCount * Double(sender.waves))
        if parts > Self.mostParts {
            scenario.report(
                waves.isStated ? waves : value,
                "bursts and waves that make at most \(DecimalText.text(rounded: Self.mostParts)) parts",
                DecimalText.text(rounded: parts))
        }
    }
}
