import Basics
import ScenarioModel
import WidgetPlatform

extension LiveKind.Start: Choice {}
extension LiveKind.ChannelStorage: Choice {}

/// Live Activities, and the server that sends pushes to them and to widgets (O1–O6).
extension KeyCatalogue {
    static let liveActivities = Keys<StatedLive> {
        Key(
            "kinds", \.kinds,
            .items(liveKind, over: StatedLiveKind(), counts: 1...LivePlan.mostKinds, identifiedBy: "id"),
            .required, "O1", "The kinds of Live Activity.")
        Key("limits", \.limits, liveLimits, "{}", "O1–O6", "The system's limits, most of them unpublished.")
    } check: { live, scenario in
        let asks = live.kinds.contains { $0[\.kind.isFrequent].isValid && $0.kind.isFrequent }
        let most = Double(max(live.limits.limits.budget.perHour, live.limits.limits.budget.burst))
        let (limits, raised) = (live[\.limits], most * live.limits.frequentFactor)
        if asks && limits.isValid && raised > Double(HourlyPushLimit.most) {
            scenario.report(
                liveLimits[\.frequentFactor, of: limits],
                "a budget of at most \(HourlyPushLimit.most) pushes an hour with frequent updates",
                DecimalText.text(rounded: raised))
        }
    }

    private static let liveKind = Keys<StatedLiveKind> {
        Key("id", \.kind.id, .name, .required, "O1", "The kind's name in tables and metrics.")
        Key(
            "app", \.kind.openedApp, .name, "app", "O1", "Its app: the system's limits are those of an app on a device."
        ) { $1.apps.firstIndex(of: $0.text) }
        Key(
            "events", \.shared,
            .either(
                Cases.items(listedEvent, over: LiveEvent.instantaneous, counts: 1...10_000)
                    .map {
                        .listed($0.filter(\.mapping.isMapping).map(\.value))
                    },
                .keys(drawnEvents, over: DrawnEvents()) { events, _ in
                    .drawn(starts: events.starts, length: events.length, updates: events.updates)
                }), .none, "O1",
            "Events that people share, such as games: each with its updates, or of one length with updates at random. Exactly one of `events` and `own` is given."
        )
        Key(
            "own", \.own, ownEvents, over: OwnEvents(), .none, "O1",
            "Events of each person's own, such as deliveries and flights.")
        Key(
            "followers", \.kind.followers, share, "1", "O1",
            "The share of the people with a phone who follow the events.",
            sweep: "0.01 to 1", evidence: "assumption: all of them")
        Key(
            "attendance", \.attendance, share, "1", "O1", "The share of the shared events that a follower follows.",
            sweep: "0.1 to 1", evidence: "assumption: all of them")
        Key(
            "start", \.kind.start, .choice(LiveKind.Start.self), "push", "O1",
            "`push`: the server begins the activity as the event begins. `app`: the app begins it in the person's first session from `lead` before the event to its end."
        )
        Key(
            "lead", \.kind.lead, .duration(most: LiveKind.longestLead), "1h", "O1",
            "How long before a shared event its app can begin the activity.", sweep: "0 to 3 h")
        Key(
            "important", \.kind.importantShare, share, "1", "O5",
            "The share of updates sent with priority 10, the others with 5. Beginnings and ends are sent with 10.",
            sweep: "0 to 1", evidence: "assumption; it is the app's own choice")
        Key(
            "stale_after", \.kind.staleAfter, .duration(least: .seconds(1), most: .hours(12)), .none, "O6",
            "So long after an update the system marks what it shows as stale; absent, never.")
        Key(
            "stays", \.kind.staysFor, .duration(most: .hours(12)), "4h", "O2",
            "How long an activity stays on the lock screen after its event, at most as long as the system lets it.")
        Key(
            "dismissed_active", \.kind.dismissedActive, share, "0", "O2",
            "The probability that a person who sees it on the lock screen while it is active removes it.",
            sweep: "0 to 0.05", evidence: "assumption: nobody does")
        Key(
            "dismissed_ended", \.kind.dismissedEnded, share, "0.3", "O2",
            "The probability that a person who sees it after its end removes it.", sweep: "0 to 1")
        Key(
            "frequent", \.kind.isFrequent, .boolean, "false", "O5",
            "Whether the app asks for frequent updates, which have a larger budget; it holds for all kinds of the app.")
        Key(
            "channel", \.kind.isBroadcast, .boolean, "false", "O3",
            "Whether updates and ends go to a broadcast channel: the server sends one push, and the push service hands it to every device."
        )
        Key(
            "channel_storage", \.kind.channelStorage, .choice(LiveKind.ChannelStorage.self), "last", "O3",
            "Which pushes of its channel the push service stores for activities that begin later: the last one, or none.",
            sweep: "both", evidence: "assumption; it is the app's own choice, a storage policy of the channel [APNS]")
        Key(
            "expiry", \.kind.expiry, .duration(most: .days(30)), "1h", "O4",
            "How long the push service keeps a push for a device without a connection.", sweep: "0 to 4 h",
            evidence: "assumption; it is the app's own choice")
        Key(
            "delay", \.kind.delay, .distribution(.duration), "{median: 1s, p95: 5s}", "O4",
            "The time from the sending of a push to its arrival.", sweep: "p95 2 s to 1 min")
    } check: { stated, scenario in
        let (shared, own, storage) = (stated[\.shared], stated[\.own], stated[\.kind.channelStorage])
        let app = stated[\.kind.openedApp]
        if app.isValid && stated.kind.start == .app && stated.kind.openedApp == nil && !shared.isAbsent {
            scenario.report(
                app, "the app of one of kinds, as whose openings begin the activities", RawNode.quoted(app.text))
        }
        if storage.isStated && storage.isValid && !stated.kind.isBroadcast {
            scenario.warn(storage, "it has no effect without channel: true")
        }
        if shared.isAbsent == own.isAbsent {
            scenario.report(
                stated.mapping, "exactly one of events and own", own.isAbsent ? "neither" : "both")
        } else if let events = stated.own {
            if stated.kind.isBroadcast {
                scenario.report(
                    stated[\.kind.isBroadcast], "events that people share beside a channel", "own events")
            }
            let days = (scenario.end - .start).inSeconds / 86_400
            let pushes = events.perDay * Double(events.updates + 2) * days
            if own.isValid && pushes > Double(LiveKind.mostPushes) {
                scenario.report(
                    own, "events with at most \(LiveKind.mostPushes) pushes to a follower in the whole run",
                    DecimalText.text(rounded: pushes))
            }
            stated.kind.events = .own(events)
        } else if let events = stated.shared {
            let pushes = shared.isValid ? events.pushes(scenario.zones, until: scenario.end) : 0
            if pushes > LiveKind.mostPushes {
                scenario.report(
                    shared, "events with at most \(LiveKind.mostPushes) pushes to a device that follows all",
                    "\(pushes)")
            }
            stated.kind.events = .shared(events, attendance: stated.attendance)
        }
    }

    private static let listedEvent = Keys<LiveEvent> {
        Key("start", \.start, .instant(afterStart: true), .required, "O1", "When the event begins.")
        Key("end", \.end, .instant(afterStart: true), .required, "O1", "When it ends.")
        Key(
            "updates", \.updates, .list(.instant(afterStart: true), counts: 0...10_000), "[]", "O1",
            "Its updates, between the two.")
    } check: { event, scenario in
        let (first, last) = (event[\.start], event[\.end])
        if first.isValid && last.isValid {
            if event.end <= event.start { scenario.report(last, "an end after the start", last.canonicalText) }
            for update in event[\.updates].items where update.isValid {
                let at = scenario.instant(update)
                if at > event.start && at < event.end { continue }
                scenario.report(
                    update, "an update between the start and the end of its event", update.canonicalText)
            }
        }
        event.updates = Set(event.updates).sorted()
    }

    private struct DrawnEvents {
        var starts = EventTimes.listed([])
        var length = Duration.zero
        var updates = 0
    }

    private static let drawnEvents = Keys<DrawnEvents> {
        Key(
            "starts", \.starts, events("beginnings"), .required, "O1",
            "When events begin: a list of instants, or clock times.")
        Key(
            "length", \.length, .duration(least: .seconds(1), most: .days(7)), .required, "O1",
            "How long each of them is.")
        Key(
            "updates", \.updates, .count(0...10_000), .required, "O1",
            "Updates of each, at random instants that are the same for all people.")
    }

    private static let ownEvents = Keys<OwnEvents> {
        Key("per_day", \.perDay, .number(0...1_000), .required, "O1", "Events of a follower a day, at random.")
        Key("length", \.length, .distribution(.duration), .required, "O1", "How long they are.")
        Key("updates", \.updates, .count(0...1_000), .required, "O1", "Updates of each, at random instants.")
    }

    private static let liveLimits = Keys<StatedLimits> {
        Key(
            "longest", \.limits.longest, .duration(least: .minutes(1), most: .days(7)), "8h", "O2",
            "How long an activity is active at most.",
            evidence: "documented [Apple, Displaying live data with Live Activities]")
        Key(
            "linger", \.limits.linger, .duration(most: .days(7)), "4h", "O2",
            "How long one that has ended stays on the lock screen at most.",
            evidence: "documented [Apple, Displaying live data with Live Activities]")
        Key(
            "starts_per_day", \.limits.startsPerDay, .count(1...1_000), "10", "O1",
            "Beginnings by push of one app on a device in 24 hours.", sweep: "5 to 20",
            evidence: "observed by developers: about ten")
        Key(
            "at_once", \.limits.atOnce, .count(1...1_000), "5", "O1", "Active ones of one app on a device at once.",
            sweep: "5 to 10",
            evidence: "observed by developers: about five")
        Key(
            "budget", \.limits.budget.perHour, .count(1...3_600), "30", "O5",
            "Pushes of priority 10 an hour to one app on a device.", sweep: "15 to 60",
            evidence: "assumption; that there is a budget is documented")
        Key(
            "budget_burst", \.limits.budget.burst, .count(1...3_600), .sometimes("as many as an hour brings"),
            "O5", "How many of them the budget holds at most, and at first.", sweep: "5 to 60")
        Key(
            "excess", \.limits.budget.excess, .choice(HourlyPushLimit.Excess.self), "late", "O5",
            "A push beyond the budget is shown as soon as there is some again, the newest of an activity alone, or dropped.",
            sweep: "both", evidence: "assumption; it is throttled, the documentation says")
        Key(
            "frequent_factor", \.frequentFactor, .number(1...20), "3", "O5",
            "How many times larger the budget is with frequent updates.",
            sweep: "2 to 5", evidence: "assumption; that it is larger is documented")
        Key(
            "frequent_off", \.limits.frequentOff, share, "0.1", "O5",
            "The share of people who have switched frequent updates off.",
            sweep: "0 to 0.5", evidence: "assumption; that there is a switch is documented")
        Key(
            "display_gap", \.limits.displayGap, .duration(most: .minutes(5)), "10s", "O6",
            "What an activity shows changes at most once in so long.", sweep: "5 to 15 s",
            evidence: "observed by developers: 5 to 15 s")
        Key(
            "low_priority_delay", \.limits.lowPriorityDelay, .distribution(.duration), "{median: 1m, p95: 15m}", "O5",
            "How long a push of priority 5 waits on a device that is not used; one that is used gets it at once.",
            sweep: "median 0 to 10 min")
        Key(
            "dynamic_island", \.limits.islandShare, share, "0.7", "O6", "The share of phones with a Dynamic Island.",
            sweep: "0.3 to 1")
    } check: { stated, _ in
        if stated[\.limits.budget.burst].isAbsent { stated.limits.budget.burst = stated.limits.budget.perHour }
        let (budget, factor) = (stated.limits.budget, stated.frequentFactor)
        func raised(_ pushes: Int) -> Int {
            min(HourlyPushLimit.most, Int(cutting: (Double(pushes) * factor).rounded()))
        }
        stated.limits.frequentBudget = HourlyPushLimit(
            perHour: raised(budget.perHour), burst: raised(budget.burst), excess: budget.excess)
    }

    static let pushSender = Keys<PushSender> {
        Key(
            "rate", \.rate, .number(0.001...1e9), .none, "O3",
            "Pushes a second that it sends at most, refused tries among them; absent, all at once.",
            sweep: "what the servers can do")
        Key(
            "project_limit", \.projectLimit, .count(1...1_000_000_000), "600000", "N10",
            "Pushes to devices with Android that the push service takes in each of its minutes. It refuses more, which are sent again from its next minute on.",
            evidence: "documented [FCM]"
        ) { value, _ in Double(value.count) }
        Key(
            "waves", \.waves, .count(1...100), "1", "O3",
            "Pushes to many devices go out in so many equal parts of the devices.")
        Key("wave_gap", \.waveGap, .duration(most: .days(1)), "0s", "O3", "The time from one part to the next.")
        Key(
            "refused", \.refused, share, "0", "O3", "The share of pushes that the push service refuses for now.",
            sweep: "0 to 0.1", evidence: "assumption: none")
        Key("retries", \.retries, .count(0...20), "3", "O3", "How often a refused push is tried again.")
        Key(
            "retry_delay", \.retryDelay, .distribution(.duration), "10s", "O3",
            "The least time from a refusal to the next try.",
            sweep: "1 s to 1 min",
            evidence: "assumption; it is the server's own choice")
    }
}

extension LiveKind {
    /// Pushes about all events of a kind.
    fileprivate static let mostPushes = 100_000
}
