import Basics
import ScenarioModel
import WidgetPlatform

/// The timelines of a kind's provider, as a scenario states them.
struct StatedTimeline: Sendable {
    var shape = TimelineShape.single
    /// How long the last entry stays valid; nil for as long as the shape says.
    var validFor: Duration?
}

extension WidgetKind {
    var timeline: StatedTimeline {
        get { StatedTimeline(shape: shape, validFor: validFor) }
        set { (shape, validFor) = (newValue.shape, newValue.validFor) }
    }
}

extension KeyCatalogue {
    /// The container app of a kind that names none.
    static let defaultApp = "app"

    /// Days of the week: a word for several, or a list. Bit 0 is Monday.
    static let days = Cases.either(dayCases { $0 })

    private static func dayCases<Days>(_ make: @escaping @Sendable (UInt8) -> Days) -> [Cases<Days>] {
        [
            .word(DayGroup.self) { make($0.mask) },
            .value(.list(.choice(DayName.self), counts: 1...7)) { (days: [DayName]) in make(DayName.mask(of: days)) },
        ]
    }

    /// The parameters of code of a user's own.
    static func userParameters(_ rules: String) -> KeyEntry {
        KeyEntry(
            "with", .table(.init(keys: .parameters, value: .text)), .none, rules,
            "Parameters of that code: lengths of time, numbers, texts and flags by keys that it knows.")
    }
    static let step = Form.duration(least: .seconds(1))

    static let kind = Keys<WidgetKind>(unavailable: [
        "redacts_whole":
            "a kind is hidden as a whole unless it marks views, so leave it out, or write sensitive: true for marked views"
    ]) {
        Key("id", \.id, .name, .required, "", "The kind's name.")
        Key("app", \.app, .name, .value(defaultApp), "F1", "The container app.") { $1.index(of: $0, .app) ?? 0 }
        Key(
            "endpoint", \.endpoint, .name, .computed("the kind's `id`", { $0["id"].isValid ? $0["id"].text : nil }),
            "S1",
            "The endpoint that its requests go to."
        ) { $1.endpointIndex($0.text) }
        Key("timeline", \.timeline, timeline, "{}", "P1, P2", "The timelines that its provider returns.")
        Key("policy", \.dates, policy, .required, "P3–P6", "When its timelines ask to be replaced.")
        Key(
            "content", \.readsApp, is: ContentOrigin.app, .sometimes("`origin`"), "C6",
            "Where its provider gets its content: by requests of its own to the `origin`, or from what its `app` has left for it, as in an App Group, without any."
        )
        Key(
            "reload_on_open", \.reloadOnOpen, .choice(WidgetKind.ReloadOnOpen.self), "never", "F1",
            "Whether an opening of the app reloads it; `if_changed` only if a version was missed.")
        Key(
            "reload_on_close", \.reloadsOnClose, .boolean, "false", "F1",
            "Whether the app calls for its reload once as it leaves the foreground.",
            evidence: "advised to apps [W26]")
        Key(
            "session_rhythm", \.sessionRhythm, step, .none, "F2",
            "How often the app reloads it in a navigation or audio session.")
        Key("push", \.takesPushes, .boolean, "false", "B7", "Whether it takes pushes.")
        Key(
            "push_on_version", \.contentPushes, pushOnVersion,
            over: WidgetKind.ContentPushes.toWidgets, .none, "B7",
            "The pushes that its server sends when its content has a new version; absent, it sends none.",
            fleet: .drawn)
        Key(
            "wake_ups_per_day", \.wakeUpsPerDay, .number(0...1000), "0", "B1",
            "How often a day its app is woken up in the background, at random, and calls for a reload.",
            sweep: "0 to 24",
            evidence: "assumption: never", fleet: .drawn)
        Key(
            "reload_call", \.reloadCall, .choice(WidgetKind.ReloadCall.self), "of_kind", "F1",
            "The call that its app makes when it wants the kind reloaded: `all_timelines` reloads every instance of the app."
        )
        Key(
            "control", \.control, .choice(WidgetKind.ControlPlace.self), .none, "V10, F9",
            "Where it stands if it is a control, which shows one value without a timeline: on the lock screen, in Control Center, or on the action button; absent, it is a widget."
        ) { value, _ in value.isValid ? value.choice() : nil }
        Key(
            "sensitive", \.isSensitive, .boolean, "false", "R3",
            "Whether any of its views is marked sensitive: then hiding hides just those, and otherwise all of it.")
        Key(
            "needs_sign_in", \.needsSignIn, .boolean, "false", "P8",
            "Whether it shows a placeholder until the person opens the app.")
        Key(
            "data_protection", \.isProtected, is: DataProtection.complete, "none", "G4, R3",
            "Whether it is kept from reloading and hidden while the device is locked.")
        Key(
            "without_fix", \.withoutFix, .choice(WidgetKind.ContentWithoutFix.self), "prior", "L6",
            "The content that it shows when no location can be had.")
        Key(
            "without_place", \.withoutPlace, .choice(WidgetKind.RequestWithoutPlace.self), "none", "L6, S1",
            "Whether a reload whose content belongs to no place makes requests: `none`, or `request` for the app's default place, one key for all.",
            sweep: "both", evidence: "assumption: a provider that knows no place has nothing to ask for")
        Key(
            "requests_per_reload", \.requestsPerReload, .count(0...100),
            .computed(
                "1, and 0 with `content: app`",
                { kind in
                    let content = kind["content"]
                    return content.isValid ? readsApp(content) ? "0" : "1" : nil
                }), "S1, C6", "Requests that a reload makes; 0 for content of the app alone.")
        Key(
            "publish_on_open", \.publication, publishOnOpen,
            .sometimes("its keys' defaults with `content: app`") { readsApp($0["content"]) ? "{}" : nil }, "C6",
            "How an app that is opened fetches content and leaves it for its widgets.")
        Key(
            "reload_on_publish", \.publication.reload, .choice(WidgetKind.Publication.Reload.self),
            .sometimes("`if_changed` with `content: app`") { readsApp($0["content"]) ? "if_changed" : nil }, "C6",
            "Whether the app calls for a reload as it has left content; `if_changed` only if that has a version that what it left before had not."
        )
        Key(
            "retries", \.retries, byFailure(tries, otherwise: "the service's"), .sometimes("that of `service`"), "S3",
            "In place of `service.retries` for its reloads.")
        Key(
            "failure_after", \.failureAfter, byFailure(failureDelay, otherwise: "the service's"),
            .sometimes("that of `service`"), "S3", "In place of `service.failure_after` for its reloads.")
        Key(
            "snapshot_requests", \.snapshotRequests, .count(0...100), "0", "F7",
            "Requests that the extension makes for a new instance's preview, before its first timeline; they are no reload.",
            sweep: "0 to 2", evidence: "assumption: previews show sample content")
        KeyEntry(
            "fetch", .choice(FetchWay.self), .sometimes("`inline`"), "S8",
            "Whether its extension waits for the answers to its requests, or hands these to the system, which transfers them in the `background` and wakes it for a second reload."
        )
        Key(
            "transfer", \.transfer, transfer, over: .charged,
            .sometimes("its keys' defaults with `fetch: background`") { kind in
                let fetch = kind["fetch"]
                return fetch.isAbsent || !fetch.isValid || fetch.choice(FetchWay.self) == .inline ? nil : "{}"
            }, "S8", "How the system transfers them.")
        Key(
            "content_key", \.isPersonal, is: ContentOwner.user, .sometimes("`shared`"), "S1, S2",
            "The owner of its content: `shared` by all who look at the same place or symbol, or the `user`'s own, which no edge keeps."
        )
        Key(
            "interactions_per_view", \.interactionShare, share, "0", "V5",
            "The share of views in a session that lead to the use of one of its buttons.",
            sweep: "0 to 0.1", evidence: "assumption: it has no buttons", fleet: .drawn)
        Key(
            "taps_per_view", \.tapShare, share, "0", "V5",
            "The share of views in a session that lead to a tap on it, which opens its app.",
            sweep: "0 to 0.2", evidence: "assumption: nobody taps it", fleet: .drawn)
        Key(
            "action_time", \.actionTime, .duration(most: .hours(1)), "0s", "F6",
            "The time from the use of a button to the return of its action.")
        KeyEntry(
            "accuracy", .choice(FixAccuracy.self), "hundred_metres", "L5",
            "The accuracy that its provider asks of a location fix, from which the default of `fix_time` follows.",
            fleet: .drawn)
        Key(
            "fix_time", \.fixTime, .distribution(.duration),
            .computed(
                "by `accuracy`: "
                    + FixAccuracy.allCases.map { "`\($0.usualTime)` for `\($0.name)`" }.joined(separator: ", ")
                    + "; in a replay `0s`",
                { kind in
                    let accuracy = kind["accuracy"]
                    if accuracy.isAbsent { return "0s" }
                    return accuracy.isValid ? accuracy.choice(FixAccuracy.self).usualTime : nil
                }), "L5",
            "The time from the start of a reload to its location fix.",
            sweep: "median 0.1 to 10 s")
        Key("fix_failure", \.fixFailure, .number(0...1), "0", "L5", "The share of fixes that fail.", sweep: "0 to 0.2")
        Key(
            "versions", \.statedVersions, versions, "{source: manual}", "C1",
            "When its origin publishes new versions: a list of instants, or a source.")
        Key(
            "forecast", \.forecast, forecast, over: ForecastAccuracy(errorAtOneHour: 1, exponent: 1, unit: ""), .none,
            "C4",
            "How the error of its content grows with the lead time; absent, it is not a forecast.")
        Key(
            "relevance", \.relevance, relevance, .none, "V3",
            "How relevant its provider says its entries are, by which the system turns stacks; absent, they never are."
        )
        KeyEntry(
            "android", .block(androidRefresh),
            .sometimes(
                "a periodic job of the length of its `policy`, at least 15m, and as a tile a freshness of that length; nothing for `never`; required for dates by the clock and for `at_end` with one entry, where a device with Android has the kind"
            ), "N1, N2, N10, N13",
            "How its provider is refreshed on Android, where no policy counts: by an alarm or a job, by messages, and as a tile."
        )
    }

    /// Whether a kind's `content` is its app's.
    private static func readsApp(_ content: CheckedValue) -> Bool {
        content.isValid && !content.isAbsent && content.choice() == ContentOrigin.app
    }

    private static let publishOnOpen = Keys<WidgetKind.Publication> {
        Key(
            "share", \.openingShare, share, "1", "C6", "The share of the app's openings at which it fetches.",
            sweep: "0.2 to 1", evidence: "assumption: at all of them")
        Key(
            "delay", \.delay, .distribution(.duration), .byFleet(drawn: "{median: 1s, p95: 5s}", replay: "0s"), "C6",
            "The time from the opening to the content; without a connection then it comes to nothing.",
            sweep: "median 0.3 to 5 s", evidence: "assumption: one request and its answer")
    }

    private static let forecast = Keys<ForecastAccuracy> {
        Key(
            "error_at_1h", \.errorAtOneHour, .number(0...1_000_000, isOpenBelow: true), .required, "C4",
            "The mean absolute error of a forecast for one hour ahead, in `unit`.")
        Key(
            "exponent", \.exponent, .number(0...3), "0.5", "C4",
            "The power of the lead time in hours that the error grows with.",
            sweep: "0.3 to 1")
        Key("unit", \.unit, .label, .required, "C4", "The unit of the content, such as °C.")
    }

    private static let timeline = Cases<StatedTimeline>.variants(
        of: TimelineKind.self, key: "shape", meaning: "The shape of its timelines.", defaultValue: .single,
        common: Keys {
            Key(
                "valid_for", \.validFor, .duration(), .none, "P2",
                "How long the last entry stays valid from its date, in place of the shape's own.")
        }
    ) { kind in
        switch kind {
        case .single: .plain(StatedTimeline())
        case .series:
            .keys(series, over: Series()) { series, scenario in
                let (count, spacing) = (series[\.count], series[\.spacing])
                if count.isValid && spacing.isValid && series.spacing * Int64(series.count) > .days(3660) {
                    scenario.report(
                        count, "entries that end within 3660d",
                        "\(series.count) of \(TimeText.duration(series.spacing))")
                }
                // One entry has none beside it.
                if count.isValid && series.count > 1 { warnOfCloseEntries(spacing, scenario) }
                return StatedTimeline(shape: .series(count: series.count, spacing: series.spacing))
            }
        case .untilMidnight:
            .keys(
                Keys<Duration> {
                    Key(
                        "spacing", \.self, step, .required, "P2",
                        "The time from one entry to the next, up to the end of the local day.")
                }, over: .zero
            ) { spacing, scenario in
                warnOfCloseEntries(spacing[\.self], scenario)
                return StatedTimeline(shape: .untilMidnight(spacing: spacing.value))
            }
        case .selfUpdating:
            .keys(
                Keys<Duration> {
                    Key(
                        "good_for", \.self, step, .required, "P2", "How long the one entry stays good by itself.")
                }, over: .zero
            ) { good, _ in StatedTimeline(shape: .selfUpdating(goodFor: good.value)) }
        }
    }

    private struct Series {
        var count = 1
        var spacing = Duration.zero
    }

    private static let series = Keys<Series> {
        Key("count", \.count, .count(1...10_000), .required, "P2", "Entries of a timeline.")
        Key("spacing", \.spacing, step, .required, "P2", "The time from one entry to the next.")
    }

    /// The platform asks for entries at least five minutes apart [KUTD]; what it does with closer ones is not
    /// published, and no rule drops any (P2).
    private static func warnOfCloseEntries(_ spacing: CheckedValue, _ scenario: ScenarioAssembly) {
        guard spacing.isValid, spacing.duration < .minutes(5) else { return }
        scenario.log.warn(
            "\(spacing.path): entries \(TimeText.duration(spacing.duration)) apart; the platform asks for at least 5m (P2), or for shape: self_updating"
        )
    }

    static let schedule = schedule {}

    /// Clock times (P5), and what is said of them besides.
    static func schedule(@KeyListBuilder<StatedSchedule> further: () -> [Key<StatedSchedule>]) -> Keys<StatedSchedule> {
        Keys(
            alternatives: ["at", "every"], requiresAlternative: true,
            unavailable: [
                "on": "write days: weekdays, since other YAML programs read 'on' as true",
                "aligned": "write after: {every: 1h}",
            ]
        ) {
            Key(
                "every", \.every, .duration(least: .seconds(1), most: .days(1)), .sometimes("required without `at`"),
                "P5",
                "Clock times at this distance, in place of a list: from midnight, then a part of a day such as `15m` or `1h`, or from the first time of `between`. Below a minute only in `zone: UTC`."
            )
            Key(
                "between", \.between, .list(.clock, counts: 2...2), .none, "P5",
                "The first and the last clock time that `every` may have, both included, such as `[\"09:30\", \"16:00\"]`."
            )
            Key(
                "offset", \.offset, .duration(most: .days(1)), .none, "P5",
                "How much later than midnight or the first time `every` begins; less than `every`.")
            Key(
                "at", \.listed, .list(.clock, counts: 1...1440), .sometimes("required without `every`"), "P5",
                "Clock times.")
            Key(
                "zone", \.zone, .zone(allowsLocal: true), "local", "P5", "Whose clock: `local` for the device's own.")
            Key(
                "days", \.days,
                .either(dayCases { .weekdays($0) } + [.oneOf(tradingDays, over: .weekdays(AlignedSchedule.allDays))]),
                "all", "P5",
                "The days of the week that count, or those of an exchange, by its own `zone`: without its holidays, and on half days without the times"
                    + " from the early close to the usual one.")
            further()
        }
    }
    private static let tradingDays = Keys<StatedSchedule.Days> {
        Key("exchange", \.self, exchange, .none, "C1, P5", "An exchange by name.") { name, _ in .exchange(name) }
    }
}
