import Basics
import ScenarioModel
import WidgetPlatform

extension LiveKind.Start: Choice {}
extension LiveKind.ChannelStorage: Choice {}

/// Live Activities, and the server that sends pushes to them and to widgets (O1–O6).
extension KeyCatalogue {
    static let liveActivities = Form.Block(entries: [
        KeyEntry(
            "kinds", .list(.block(liveKind), counts: 1...LivePlan.mostKinds, identifiedBy: "id"), .required, "O1",
            "The kinds of Live Activity."),
        KeyEntry("limits", .block(liveLimits), "{}", "O1–O6", "The system's limits, most of them unpublished."),
    ])

    static let liveKind = Keys<LiveKind> {
        Key("id", \.id, .name, .required, "O1", "The kind's name in tables and metrics.")
        Key("app", .name, "app", "O1", "Its app: the system's limits are those of an app on a device.")
        Key(
            "events",
            .either([
                .list(
                    .block([
                        KeyEntry("start", .instant(afterStart: true), .required, "O1", "When the event begins."),
                        KeyEntry("end", .instant(afterStart: true), .required, "O1", "When it ends."),
                        KeyEntry(
                            "updates", .list(.instant(afterStart: true), counts: 0...10_000), "[]", "O1",
                            "Its updates, between the two."),
                    ]), counts: 1...10_000),
                .block([
                    KeyEntry(
                        "starts", events("beginnings"), .required, "O1",
                        "When events begin: a list of instants, or clock times."),
                    KeyEntry(
                        "length", .duration(least: .seconds(1), most: .days(7)), .required, "O1",
                        "How long each of them is."),
                    KeyEntry(
                        "updates", .count(0...10_000), .required, "O1",
                        "Updates of each, at random instants that are the same for all people."),
                ]),
            ]), .none, "O1",
            "Events that people share, such as games: each with its updates, or of one length with updates at random. Exactly one of `events` and `own` is given."
        )
        Key(
            "own",
            .block(ownEvents), .none, "O1", "Events of each person's own, such as deliveries and flights.")
        Key(
            "followers", \.followers, share, "1", "O1", "The share of the people with a phone who follow the events.",
            sweep: "0.01 to 1", evidence: "assumption: all of them")
        Key(
            "attendance", share, "1", "O1", "The share of the shared events that a follower follows.",
            sweep: "0.1 to 1", evidence: "assumption: all of them")
        Key(
            "start", \.start, .choice(LiveKind.Start.self), "push", "O1",
            "`push`: the server begins the activity as the event begins. `app`: the app begins it in the person's first session from `lead` before the event to its end."
        )
        Key(
            "lead", \.lead, .duration(most: LiveKind.longestLead), "1h", "O1",
            "How long before a shared event its app can begin the activity.", sweep: "0 to 3 h")
        Key(
            "important", \.importantShare, share, "1", "O5",
            "The share of updates sent with priority 10, the others with 5. Beginnings and ends are sent with 10.",
            sweep: "0 to 1", evidence: "assumption; it is the app's own choice")
        Key(
            "stale_after", \.staleAfter, .duration(least: .seconds(1), most: .hours(12)), .none, "O6",
            "So long after an update the system marks what it shows as stale; absent, never.")
        Key(
            "stays", \.staysFor, .duration(most: .hours(12)), "4h", "O2",
            "How long an activity stays on the lock screen after its event, at most as long as the system lets it.")
        Key(
            "dismissed_active", \.dismissedActive, share, "0", "O2",
            "The probability that a person who sees it on the lock screen while it is active removes it.",
            sweep: "0 to 0.05", evidence: "assumption: nobody does")
        Key(
            "dismissed_ended", \.dismissedEnded, share, "0.3", "O2",
            "The probability that a person who sees it after its end removes it.", sweep: "0 to 1")
        Key(
            "frequent", \.isFrequent, .boolean, "false", "O5",
            "Whether the app asks for frequent updates, which have a larger budget; it holds for all kinds of the app.")
        Key(
            "channel", \.isBroadcast, .boolean, "false", "O3",
            "Whether updates and ends go to a broadcast channel: the server sends one push, and the push service hands it to every device."
        )
        Key(
            "channel_storage", \.channelStorage, .choice(LiveKind.ChannelStorage.self), "last", "O3",
            "Which pushes of its channel the push service stores for activities that begin later: the last one, or none.",
            sweep: "both", evidence: "assumption; it is the app's own choice, a storage policy of the channel [APNS]")
        Key(
            "expiry", \.expiry, .duration(most: .days(30)), "1h", "O4",
            "How long the push service keeps a push for a device without a connection.", sweep: "0 to 4 h",
            evidence: "assumption; it is the app's own choice")
        Key(
            "delay", \.delay, .distribution(.duration), "{median: 1s, p95: 5s}", "O4",
            "The time from the sending of a push to its arrival.", sweep: "p95 2 s to 1 min")
    }

    static let ownEvents = Keys<OwnEvents> {
        Key("per_day", \.perDay, .number(0...1_000), .required, "O1", "Events of a follower a day, at random.")
        Key("length", \.length, .distribution(.duration), .required, "O1", "How long they are.")
        Key("updates", \.updates, .count(0...1_000), .required, "O1", "Updates of each, at random instants.")
    }

    static let liveLimits = Keys<LiveActivityLimits> {
        Key(
            "longest", \.longest, .duration(least: .minutes(1), most: .days(7)), "8h", "O2",
            "How long an activity is active at most.",
            evidence: "documented [Apple, Displaying live data with Live Activities]")
        Key(
            "linger", \.linger, .duration(most: .days(7)), "4h", "O2",
            "How long one that has ended stays on the lock screen at most.",
            evidence: "documented [Apple, Displaying live data with Live Activities]")
        Key(
            "starts_per_day", \.startsPerDay, .count(1...1_000), "10", "O1",
            "Beginnings by push of one app on a device in 24 hours.", sweep: "5 to 20",
            evidence: "observed by developers: about ten")
        Key(
            "at_once", \.atOnce, .count(1...1_000), "5", "O1", "Active ones of one app on a device at once.",
            sweep: "5 to 10",
            evidence: "observed by developers: about five")
        Key(
            "budget", \.budget.perHour, .count(1...3_600), "30", "O5",
            "Pushes of priority 10 an hour to one app on a device.", sweep: "15 to 60",
            evidence: "assumption; that there is a budget is documented")
        Key(
            "budget_burst", \.budget.burst, .count(1...3_600), .sometimes("as many as an hour brings"),
            "O5", "How many of them the budget holds at most, and at first.", sweep: "5 to 60")
        Key(
            "excess", \.budget.excess, .choice(HourlyPushLimit.Excess.self), "late", "O5",
            "A push beyond the budget is shown as soon as there is some again, the newest of an activity alone, or dropped.",
            sweep: "both", evidence: "assumption; it is throttled, the documentation says")
        Key(
            "frequent_factor", .number(1...20), "3", "O5", "How many times larger the budget is with frequent updates.",
            sweep: "2 to 5", evidence: "assumption; that it is larger is documented")
        Key(
            "frequent_off", \.frequentOff, share, "0.1", "O5",
            "The share of people who have switched frequent updates off.",
            sweep: "0 to 0.5", evidence: "assumption; that there is a switch is documented")
        Key(
            "display_gap", \.displayGap, .duration(most: .minutes(5)), "10s", "O6",
            "What an activity shows changes at most once in so long.", sweep: "5 to 15 s",
            evidence: "observed by developers: 5 to 15 s")
        Key(
            "low_priority_delay", \.lowPriorityDelay, .distribution(.duration), "{median: 1m, p95: 15m}", "O5",
            "How long a push of priority 5 waits on a device that is not used; one that is used gets it at once.",
            sweep: "median 0 to 10 min")
        Key(
            "dynamic_island", \.islandShare, share, "0.7", "O6", "The share of phones with a Dynamic Island.",
            sweep: "0.3 to 1")
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
