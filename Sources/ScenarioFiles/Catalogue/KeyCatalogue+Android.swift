import Basics
import People
import ScenarioModel
import WidgetPlatform

/// The keys of devices with Android (section 13).
extension KeyCatalogue {
    static let platform = KeyEntry(
        "platform", .choice(Platform.self), .sometimes("`ios`"), "N1",
        "Its system: `ios` for the rules of WidgetKit, `android` for those of section 13. Phones and tablets run Android with widgets on home pages, watches with tiles, and all devices of a kind in a segment have one platform."
    )

    /// How a kind is refreshed there.
    static let androidRefresh = Keys<AndroidRefresh>(alternatives: ["alarm", "idle_alarm", "work"]) {
        Key(
            "alarm", \.period,
            .either(
                .value(.duration(least: ProviderAlarm.leastPeriod)) { .alarm(every: $0) },
                .keys(clockAlarm, over: StatedSchedule()) { alarm, scenario in
                    guard let schedule = alarm.schedule(scenario) else { return .none }
                    return .clock(schedule, isExact: alarm.isExact, window: alarm.isExact ? .zero : alarm.window)
                }), .none, "N1, N6",
            "The provider's `updatePeriodMillis`, one inexact alarm for all instances; or, as a mapping, an alarm of the app's own at clock times."
        )
        Key(
            "alarm_does", \.alarmFetches, is: AlarmReaction.fetch, "job", "N1",
            "What the app does as `updatePeriodMillis` goes off: leaves the fetch to what waits for the end of Doze, or fetches at once, in Doze without a network."
        )
        Key(
            "idle_alarm", \.period,
            .value(.duration(least: .minutes(1))) { .idleAlarm(every: $0) }, .none, "N6",
            "The period of an exact alarm of the app's own that goes off in Doze too, with the permission for it (`exact_alarms`)."
        )
        Key(
            "work", \.period.job,
            .value(.duration(least: PeriodicJob.leastPeriod)) { .work(every: $0, flex: $0) }, .none, "N2",
            "The period of a periodic job, from the end of one run to the next.")
        Key(
            "flex", \.period.flex, .duration(least: PeriodicJob.leastFlex),
            .sometimes(
                "as `work`",
                { $0["work"].isAbsent || !$0["work"].isValid ? nil : TimeText.duration($0["work"].duration) }),
            "N2",
            "The first job after an instance comes by so much earlier; at most `work`.")
        Key(
            "freshness", \.freshness, .duration(least: AndroidRefresh.leastFreshness, most: .days(366)), .none, "N13",
            "How long a tile is fresh; absent, the system asks for none by itself.")
        Key(
            "message", \.messages.isUrgent, is: MessagePriority.high, "normal", "N10",
            "The priority of its server's messages, if it takes pushes.")
        Key(
            "handler", \.messages.handler, .choice(AndroidRefresh.Handler.self), "direct", "N10, N5",
            "What its app does as a message comes: fetches by itself, or leaves that to a job, or to an expedited one, for which messages are `high`."
        )
        Key(
            "collapsible", \.messages.areCollapsible, .boolean, "true", "N10",
            "Whether the push service keeps the newest alone of its messages that wait, and limits them for each app on a device."
        )
        Key(
            "stored", \.messages.areStored, .boolean, "true", "N10, D8",
            "Whether the push service stores its messages for a device without a connection; `false` is a time to live of 0, and such messages have no limit for each app."
        )
        Key(
            "back_off", \.backOff,
            Keys(evidence: "documented") {
                Key(
                    "form", \.form, .choice(WorkBackOff.Form.self), "exponential", "N2",
                    "`exponential`: each delay is twice the one before. `linear`: each is longer by the first.")
                Key(
                    "first", \.first, .duration(least: WorkBackOff.least, most: WorkBackOff.most), "30s", "N2",
                    "The delay after the first failure; none is longer than 5 h.")
            }, over: WorkBackOff(), .none, "N2",
            "Its jobs that fail are tried again, each after a delay that grows with the failures in a row; absent, none is. `{}` is WorkManager's default."
        )
    } check: { refresh, scenario in
        let (work, flex) = (refresh[\.period.job], refresh[\.period.flex])
        if work.isAbsent && !flex.isAbsent {
            scenario.report(flex, "work beside flex, whose periods it is a part of", "none")
        } else if case .work(let every, let first) = refresh.period, flex.isValid, work.isValid, first > every {
            scenario.report(flex, "at most work, \(TimeText.duration(every))", "'\(TimeText.duration(first))'")
        }
        if refresh.isValid && refresh.messages.handler == .expedited && !refresh.messages.isUrgent {
            scenario.report(
                refresh[\.messages.handler], "message: high beside handler: expedited", "message: normal")
        }
        if case .alarm = refresh.period { return }
        if refresh.alarmFetches {
            scenario.report(refresh[\.alarmFetches], "alarm: with a period beside alarm_does", "none")
        }
    }

    /// An alarm of the app's own at clock times.
    private static let clockAlarm = schedule {
        Key(
            "exact", \.isExact, .boolean, "false", "N6",
            "Whether it is to go off at its time and in Doze, for which the app needs a permission (`exact_alarms`).")
        Key(
            "window", \.window, .duration(most: .days(1)), .byFleet(drawn: "10m", replay: "0s"), "N6",
            "How long after its time an alarm may go off that is not exact.", sweep: "10 min to 1 h")
    }

    /// How a device charges and is moved.
    static let handling = Keys<ChargingHabits> {
        Key(
            "nights", \.nights, share, "0.8", "N9", "The share of nights that it lies on its charger.",
            sweep: "0.3 to 1")
        Key("car", \.car, share, "0.3", "N9", "The share of people whose device charges on trips.", sweep: "0 to 0.7")
        Key(
            "desk", \.desk, share, "0.3", "N9",
            "The share of days with a charge by day, which begins in the ten hours after the wake-up.", sweep: "0 to 1")
        Key(
            "desk_time", \.deskTime, .distribution(.duration), "{median: 60m, sigma: 0.7, clip: [5m, 8h]}", "N9",
            "How long that takes.", sweep: "median 20 min to 4 h")
        Key(
            "motions_per_hour", \.motionsPerHour, .number(0...3_600), "4", "N8",
            "How often an hour it is moved while its person is up and nobody looks at it, at random.", sweep: "0 to 30")
    }

    static let androidParameters = Keys<AndroidParameters> {
        Key(
            "widget_bucket", \.widgetBucket, .choice(WidgetBucketWord.self), "active", "N3",
            "The bucket of an app with a placed widget, or `by_use` for that of an app without.",
            sweep: "active, working_set, by_use",
            evidence: "the system's sources keep an app with a placed widget in `active`"
        ) { value, _ in value.choice(WidgetBucketWord.self).bucket }
        Key(
            "demotion", \.ages,
            Keys<StandbyBucket.Ages>(rising: [["working_set", "frequent", "rare", "restricted"]], evidence: sources) {
                Key("working_set", \.workingSet, ages, "12h", "N3", "Unused for so long, an app is in `working_set`.")
                Key("frequent", \.frequent, ages, "24h", "N3", "The same of `frequent`.")
                Key("rare", \.rare, ages, "48h", "N3", "The same of `rare`.")
                Key("restricted", \.restricted, ages, "8d", "N3", "The same of `restricted`.")
                Key(
                    "screen", \.screen,
                    Keys<StandbyBucket.ScreenTimes>(rising: [["frequent", "rare", "restricted"]], evidence: sources) {
                        Key("frequent", \.frequent, screen, "1h", "N3", "On for so long, an app can be in `frequent`.")
                        Key("rare", \.rare, screen, "2h", "N3", "The same of `rare`.")
                        Key("restricted", \.restricted, screen, "6h", "N3", "The same of `restricted`.")
                    }, "{}", "N3", "How long the screen has been on since the last use besides; in rising order.")
            }, "{}", "N3", "When an app without a widget is taken down, with `widget_bucket: by_use`; in rising order.")
        Key(
            "restricted", \.restrictedShare, share, "0", "N3",
            "The share of apps on a device whose person has restricted what they do in the background.",
            sweep: "0 to 0.1")
        Key(
            "alarm_delay", \.alarmDelay, .distribution(.duration), .byFleet(drawn: "{min: 0s, max: 15m}", replay: "0s"),
            "N1",
            "How much later than its instant an inexact alarm goes off.", sweep: "0 s to 1 h")
        Key(
            "job_delay", \.jobDelay, .distribution(.duration), .byFleet(drawn: "{min: 0s, max: 5m}", replay: "0s"),
            "N2",
            "How long after its period a periodic job runs.", sweep: "0 s to 15 min")
        Key(
            "job_time", \.jobTime, .distribution(.duration), .byFleet(drawn: "{median: 5s, p95: 30s}", replay: "10s"),
            "N4",
            "How long a job runs, which counts against its quota.", sweep: "median 1 s to 5 min")
        Key(
            "job_quota", \.jobs,
            Keys<JobLimits>(evidence: "documented") {
                Key("active", \.active.time, quota, "20m", "N4", "In any hour, in bucket `active`.")
                Key("working_set", \.workingSet.time, quota, "10m", "N4", "In any 4 hours, in bucket `working_set`.")
                Key("frequent", \.frequent.time, quota, "10m", "N4", "In any 12 hours, in bucket `frequent`.")
                Key("rare", \.rare.time, quota, "10m", "N4", "In any 24 hours, in bucket `rare`.")
            }, "{}", "N4", "The run time of an app's jobs, by its bucket.")
        Key(
            "job_counts", \.jobs,
            Keys<JobLimits>(evidence: sources) {
                Key("active", \.runsOfHour, .count(1...10_000), "75", "N4", "In any hour, in bucket `active`.")
                Key("minute", \.runsOfMinute, .count(1...10_000), "20", "N4", "In any minute, in any bucket.")
            }, "{}", "N4", "How many of an app's jobs may begin.")
        Key(
            "job_sessions", \.jobs,
            Keys<JobLimits>(evidence: sources) {
                Key("active", \.sessionsActive, sessions, "75", "N4", "In any hour, in bucket `active`.")
                Key(
                    "working_set", \.sessionsWorkingSet, sessions, "10", "N4",
                    "In any 4 hours, in bucket `working_set`.")
                Key("frequent", \.sessionsFrequent, sessions, "8", "N4", "In any 12 hours, in bucket `frequent`.")
                Key("rare", \.sessionsRare, sessions, "3", "N4", "In any 24 hours, in bucket `rare`.")
            }, "{}", "N4", "Sessions of an app's jobs, by its bucket: runs within 5 s of one another are one.")
        Key(
            "expedited_quota", \.jobs,
            Keys<JobLimits>(evidence: "documented") {
                Key("active", \.expeditedActive, quota, "30m", "N5", "In bucket `active`.")
                Key("working_set", \.expeditedWorkingSet, quota, "15m", "N5", "In bucket `working_set`.")
                Key("frequent", \.expeditedFrequent, quota, "10m", "N5", "In bucket `frequent`.")
                Key("rare", \.expeditedRare, quota, "10m", "N5", "In bucket `rare`.")
                Key("restricted", \.expeditedRestricted, quota, "5m", "N5", "In bucket `restricted`.")
            }, "{}", "N5", "The run time of an app's expedited work in any 24 hours, by its bucket.")
        Key(
            "idle_alarms", \.idleAlarms, .count(1...Int64(AlarmLog.most)), "72", "N6",
            "Exact alarms of an app that go off in Doze in any hour; 7 before Android 12.", evidence: sources)
        Key(
            "exact_alarms", \.exactAlarmShare, share, .byFleet(drawn: "0", replay: "1"), "N6",
            "The share of apps on a device with the permission for exact alarms.", sweep: "0 to 1",
            evidence: "documented: denied by default since Android 14")
        Key(
            "idle_alarms_exempt", \.areIdleAlarmsExempt, .boolean, "false", "N6",
            "Whether no bucket holds or counts exact alarms that go off in Doze.", sweep: "both",
            evidence: "the system's sources exempt them in some versions"
        )
        Key(
            "alarm_quota", \.alarmQuota,
            Keys<AlarmQuota>(evidence: sources) {
                Key("working_set", \.workingSet, alarms, "10", "N6", "In bucket `working_set`.")
                Key("frequent", \.frequent, alarms, "2", "N6", "In bucket `frequent`.")
                Key("rare", \.rare, alarms, "1", "N6", "In bucket `rare`.")
            }, "{}", "N6", "Alarms of an app's own in any hour, by its bucket.")
        Key("doze", \.doze, doze, "{}", "N7, N8", "The lengths of Doze.")
        Key(
            "messages_per_hour", \.messages.collapsible.perHour, .count(1...3_600), "20", "N10",
            "Collapsible messages an hour to an app on a device.", evidence: "documented: one each 3 min")
        Key(
            "messages_burst", \.messages.collapsible.burst, .count(1...1_000), "20", "N10",
            "How many of them at once after a while without any.",
            evidence: "documented")
        Key(
            "device_messages_per_minute", \.messages.perMinute, .count(1...1_000_000), "240", "N10",
            "Messages to a device in a minute.",
            evidence: "documented")
        Key(
            "device_messages_per_hour", \.messages.perHour, .count(1...1_000_000), "5000", "N10",
            "Messages to a device in an hour.",
            evidence: "documented")
        Key(
            "tile_request_gap", \.tileRequestGap, .duration(most: .days(1)), "20s", "N13",
            "The least time between two requests of an app for an update of a tile.", sweep: "0 s to 5 min",
            evidence: "assumption; that the system may slow them down is documented")
        Key(
            "lowered", \.loweredShare, share, .byFleet(drawn: "0.5", replay: "0"), "N10",
            "The share of `high` messages that are delivered as `normal` ones, because they show no notification.",
            sweep: "0 to 1", evidence: "assumption; that it happens is documented")
        Key(
            "update_every", \.updateEvery, .duration(least: .hours(1), most: .days(366)), .none, "N1",
            "The mean time between two updates of an app on a drawn device, at random. Each is installed as the device charges, with its screen off and a connection, and refreshes the app's widgets. Absent, none comes.",
            sweep: "5 to 60 d", evidence: "assumption: none")
        Key(
            "killers", \.killerShare, share, "0", "N11", "The share of devices with a killer of their maker's own.",
            sweep: "0 to 0.4", evidence: "assumption: none; seen on several makers' devices")
    }

    private static let screen = Form.duration(most: .days(30))
    private static let ages = Form.duration(least: .minutes(1), most: .days(366))
    private static let sessions = Form.count(1...10_000)
    private static let alarms = Form.count(1...Int64(AlarmLog.most))
    private static let quota = Form.duration(least: .seconds(1), most: .days(1))
    private static let length = Form.duration(least: .seconds(1), most: .days(30))
    private static let sources = "from the system's sources; can be changed from afar"

    private static let doze = Keys<DozeTimes>(
        rising: [
            ["light_idle", "light_idle_most"], ["deep_idle", "deep_idle_most"],
            ["light_window_least", "light_window"], ["deep_window_least", "deep_window", "deep_window_most"],
            ["still", "deep_after"], ["still", "deep_after_motion"],
        ], evidence: sources
    ) {
        Key("light_after", \.lightAfter, length, "4m", "N7", "From the screen's end to the first light idleness.")
        Key("light_idle", \.lightIdle, length, "5m", "N7", "The first light idleness; each later one is twice as long.")
        Key(
            "light_idle_most", \.longestLightIdle, length, "15m", "N7",
            "The longest light idleness; at least `light_idle`.")
        Key("light_window", \.lightWindow, length, "1m", "N7", "The longest window after each.", sweep: "1 to 5 min")
        Key("light_window_least", \.leastLightWindow, length, "5s", "N7", "The shortest; at most `light_window`.")
        Key(
            "wait_for_unlock", \.waitsForUnlock, .boolean, "true", "N7",
            "Whether a screen that is on and locked leaves Doze as it is.")
        Key(
            "deep_after", \.deepAfter, length, "60m", "N8", "From the screen's end to deep Doze.", sweep: "60 to 65 min"
        )
        Key("deep_after_motion", \.deepAfterMotion, length, "40m", "N8", "From a motion that is watched to deep Doze.")
        Key("still", \.still, length, "30m", "N8", "The last part of both, in which motion is watched; at most either.")
        Key("deep_idle", \.deepIdle, length, "60m", "N8", "The first deep idleness; each later one is twice as long.")
        Key("deep_idle_most", \.longestDeepIdle, length, "6h", "N8", "The longest deep idleness; at least `deep_idle`.")
        Key(
            "deep_window", \.deepWindow, length, "5m", "N8",
            "The longest window after the first; for each later one twice as long.")
        Key(
            "deep_window_most", \.longestDeepWindow, length, "10m", "N8",
            "The longest window of deep Doze; at least `deep_window`.")
        Key("deep_window_least", \.leastDeepWindow, length, "30s", "N8", "The shortest; at most `deep_window`.")
    }
}

extension AndroidRefresh.Period {
    /// A periodic job, or none.
    fileprivate var job: Self {
        get { self }
        set { self = newValue }
    }

    /// How much earlier the first job comes; of what is no job, nothing.
    fileprivate var flex: Duration {
        get { if case .work(_, let flex) = self { flex } else { .zero } }
        set { if case .work(let every, _) = self { self = .work(every: every, flex: newValue) } }
    }
}
