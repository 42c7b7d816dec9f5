import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes the Live Activities (O1–O6).
struct LiveAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    private var log: ProblemLog { scenario.log }

    /// Nil for a scenario without any.
    var plan: LivePlan? {
        guard value.isMapping else { return nil }
        var apps: [String] = []
        let kinds = value["kinds"].items.filter(\.isMapping).map { kind(of: $0, &apps) }
        return LivePlan(kinds: kinds, apps: apps, limits: limits)
    }

    private func kind(of item: CheckedValue, _ apps: inout [String]) -> LiveKind {
        let opened = scenario.appIndex(item["app"].text)
        let start: LiveKind.Start = item["start"].choice()
        if item["app"].isValid && start == .app && opened == nil && !item["events"].isAbsent {
            log.report(
                item["app"], expected: "the app of one of kinds, as whose openings begin the activities",
                found: RawNode.quoted(item["app"].text))
        }
        var kind = scenario.read(KeyCatalogue.liveKind, of: item, over: LiveKind())
        kind.app = scenario.index(of: item["app"].text, in: &apps)
        kind.openedApp = opened
        kind.events = events(of: item)
        return kind
    }

    // MARK: Events

    private func events(of item: CheckedValue) -> LiveKind.Events {
        let (shared, own) = (item["events"], item["own"])
        let none = LiveKind().events
        if shared.isAbsent == own.isAbsent {
            log.report(
                item.origin, item.path, expected: "exactly one of events and own",
                found: own.isAbsent ? "neither" : "both")
            return none
        }
        if !own.isAbsent {
            guard own.isMapping else { return none }
            if item["channel"].isValid && item["channel"].flag {
                log.report(item["channel"], expected: "events that people share beside a channel", found: "own events")
            }
            let events = scenario.read(KeyCatalogue.ownEvents, of: own, over: OwnEvents())
            let days = (scenario.end - .start).inSeconds / 86_400
            let pushes = events.perDay * Double(events.updates + 2) * days
            if own.isValid && pushes > Double(Self.mostPushes) {
                log.report(
                    own, expected: "events with at most \(Self.mostPushes) pushes to a follower in the whole run",
                    found: DecimalText.text(rounded: pushes))
            }
            return .own(events)
        }
        let events = shared.isList ? listed(shared) : drawn(shared)
        if shared.isValid, case let count = events.pushes(scenario.zones, until: scenario.end), count > Self.mostPushes
        {
            log.report(
                shared, expected: "events with at most \(Self.mostPushes) pushes to a device that follows all",
                found: "\(count)")
        }
        return .shared(events, attendance: item["attendance"].number)
    }

    /// Pushes about all events of a kind.
    private static let mostPushes = 100_000

    private func listed(_ list: CheckedValue) -> SharedEvents {
        .listed(
            list.items.filter(\.isMapping).map { item in
                let (start, end) = (scenario.instant(item["start"]), scenario.instant(item["end"]))
                if item["start"].isValid && item["end"].isValid && end <= start {
                    log.report(item["end"], expected: "an end after the start", found: item["end"].canonicalText)
                }
                let updates = item["updates"].items
                for update in updates where update.isValid && item["start"].isValid && item["end"].isValid {
                    let at = scenario.instant(update)
                    if at <= start || at >= end {
                        log.report(
                            update, expected: "an update between the start and the end of its event",
                            found: update.canonicalText)
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
        let budget = value["budget"].count
        let burst = value["budget_burst"].isAbsent ? budget : value["budget_burst"].count
        let excess: HourlyPushLimit.Excess = value["excess"].choice()
        limits.budget = HourlyPushLimit(perHour: budget, burst: burst, excess: excess)
        let factor = value["frequent_factor"].number
        let asks = self.value["kinds"].items.contains { $0.isMapping && $0["frequent"].isValid && $0["frequent"].flag }
        if asks && value.isValid && Double(max(budget, burst)) * factor > Double(HourlyPushLimit.most) {
            log.report(
                value["frequent_factor"],
                expected: "a budget of at most \(HourlyPushLimit.most) pushes an hour with frequent updates",
                found: "\(DecimalText.text(rounded: Double(max(budget, burst)) * factor))")
        }
        limits.frequentBudget = HourlyPushLimit(
            perHour: min(HourlyPushLimit.most, Int(cutting: (Double(budget) * factor).rounded())),
            burst: min(HourlyPushLimit.most, Int(cutting: (Double(burst) * factor).rounded())), excess: excess)
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
            scenario.log.report(
                value["rate"],
                expected:
                    "more than the \(DecimalText.text(rounded: needed)) pushes a second about people's own events, places and symbols",
                found: "'\(value["rate"].canonicalText)'")
        }
    }

    /// Pushes that come one by one must fit into the project's limit.
    func checkLimit(of plan: FleetPlan) {
        guard let sender = plan.pushSender, value.isValid else { return }
        let needed = 60 * PushClasses(plan, sender).androidFlow
        if needed >= sender.projectLimit {
            scenario.log.report(
                value["project_limit"].isStated ? value["project_limit"] : value,
                expected:
                    "a project_limit of more than the \(DecimalText.text(rounded: needed)) pushes a minute to Android about places and symbols",
                found: "'\(value["project_limit"].canonicalText)'")
        }
    }

    /// The bursts of a sender, each in all its waves, have a bound.
    private static let mostParts = 1e7

    func checkWaves(of plan: FleetPlan) {
        guard let sender = plan.pushSender, value.isValid else { return }
        let parts = PushClasses(plan, sender).burstCount * Double(sender.waves)
        if parts > Self.mostParts {
            scenario.log.report(
                value["waves"].isStated ? value["waves"] : value,
                expected: "bursts and waves that make at most \(DecimalText.text(rounded: Self.mostParts)) parts",
                found: DecimalText.text(rounded: parts))
        }
    }
}
