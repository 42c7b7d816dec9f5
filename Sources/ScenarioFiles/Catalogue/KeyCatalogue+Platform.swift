import Basics
import ScenarioModel
import WidgetPlatform

extension KeyCatalogue {
    private static let token = AllowanceRule.token

    private static func isReset(_ parameters: CheckedValue) -> Bool {
        parameters["accrual"].isValid && parameters["accrual"].choice() == PlatformParameters.Accrual.reset
    }

    /// The platform's parameters (section 14).
    static let parameters = Keys<PlatformParameters>(rising: [["a_min", "a_max"]]) {
        Key(
            "min_gap", \.minGap, .duration(most: .days(1)), "5m", "G2",
            "The least time between two background reloads of an instance.",
            sweep: "0 to 15 min",
            evidence:
                "assumption; a minimum exists [KUTD], dates a minute or so away are allowed in narrow windows [W21]"
        )
        Key(
            "idle_after", \.idleAfter, .duration(most: .days(366)), "2h", "G3",
            "A device that nobody has used for longer than this is idle: its reloads wait for the next pickup.",
            sweep: "1 to 4 h")
        Key(
            "stale_grace", \.staleGrace, .duration(most: .days(366)), "30m", "F5",
            "How far past its date a rarely viewed timeline may be before a view reloads it, free.",
            sweep: "0 to 2 h")
        Key(
            "rarely_viewed", \.rarelyViewed, .amount(0...1_000 * token), "4", "F5",
            "Views a day below which an instance counts as rarely viewed.",
            sweep: "1 to 10")
        Key(
            "rare_reload_share", \.rareReloadShare, .number(0...1), "1", "F5",
            "The share of such views for which the system does reload.",
            sweep: "0.3 to 1", evidence: "assumption: all of them; the source says that it can happen [W21]")
        Key(
            "rare_needs_stale", \.rareNeedsStale, is: StaleCondition.yes, "yes", "F5",
            "Whether such a view reloads a stale timeline only, or any.",
            sweep: "both",
            evidence: "assumption; the source asks only for a view of a widget that is seldom seen [W21]")
        Key(
            "coalesce_within", \.coalesceWithin, .duration(most: .hours(1)), "60s", "G7",
            "A background reload takes those with it that fall due within this time.",
            sweep: "0 to 5 min")
        Key(
            "dispatch_delay", \.dispatchDelay, .distribution(.duration),
            .byFleet(drawn: "{median: 10s, p95: 60s}", replay: "0s"),
            "G6",
            "The system's delay from the grant of a reload to its run.",
            sweep: "median 2 to 30 s", evidence: "assumption; 2 to 27 s observed in the field")
        Key(
            "free_delay", \.freeDelay, .distribution(.duration),
            .byFleet(drawn: "{median: 5s, p95: 20s}", replay: "0s"),
            "F1, F2, F4, F8",
            "The system's delay from the cause of a free reload to its run; one at a view or of a new instance has none.",
            sweep: "0 s to median 15 s",
            evidence: "assumption, from 2 to 27 s observed after direct calls of `WidgetCenter`")
        Key(
            "interaction_delay", \.interactionDelay, .distribution(.duration),
            .byFleet(drawn: "{median: 300ms, p95: 1s}", replay: "0s"), "F6",
            "The same from the return of a button's action.", sweep: "0 s to median 2 s")
        Key(
            "environment_spread", \.environmentSpread, .distribution(.duration),
            .byFleet(drawn: "{min: 0s, max: 60s}", replay: "0s"),
            "F4",
            "How much later than the first a change of the environment reaches an instance of the device, before `free_delay`.",
            sweep: "0 s to 5 min")
        Key(
            "session_reloads", \.sessionReloadsAreFree, is: SessionReloads.free, "free", "F1, F2",
            "The reloads that cost no token because their app is in the foreground, navigates or plays audio: `free` for all that are granted meanwhile, or"
                + " `calls_only` for the app's own calls.",
            sweep: "both", evidence: "documented: `free` [KUTD], `calls_only` [W21]")
        Key(
            "workout_reloads", \.workoutReloadsAreFree, is: WorkoutReloads.free, "charged", "F1",
            "Whether reloads on a watch that are granted during a workout cost a token, or none: `free`.",
            sweep: "both", evidence: "assumption: they do; one answer in a forum says that they do not")
        Key(
            "foreground_gap", \.foregroundGap, .duration(most: .minutes(10)), "0s", "F1",
            "When an app in the foreground calls within this time after a call that went through, the last such call runs at its end.",
            sweep: "0 to 60 s", evidence: "assumption; frequent calls in the foreground might be throttled [W26]")
        Key(
            "dimmed_cadence", \.dimmedCadence, .duration(most: .minutes(15)), .byFleet(drawn: "1m", replay: "0s"), "R4",
            "On a dimmed display the next entry of a timeline appears at the next whole multiple of this, counted from the UTC minute in which the run"
                + " starts; 0s for at its date.",
            sweep: "0 to 15 min", evidence: "assumption; a lower cadence of updates is documented [W22]")
        Key(
            "widget_location_grace", \.widgetLocationGrace, .duration(most: .days(1)), "15m", "L4",
            "How long after a view of one of its widgets an app in mode `while_using_or_widgets` may ask for a location.",
            evidence: "documented [W21]")
        Key(
            "a_min", \.allowance.least, .amount(0...10_000 * token), "6", "B2",
            "The daily allowance of an instance that nobody views.", sweep: "0 to 20")
        Key(
            "a_max", \.allowance.most, .amount(0...10_000 * token), "75", "B2",
            "The daily allowance that many views approach; at least `a_min`.",
            sweep: "50 to 100",
            evidence: "assumption, so that 25 to 200 views a day give the documented 40 to 70 [W21, KUTD]")
        Key(
            "v_half", \.allowance.halfAtViews, .amount(0...10_000 * token, isOpenBelow: true), "24", "B2",
            "Views a day at which half of the span from `a_min` to `a_max` is reached.", sweep: "10 to 50")
        Key(
            "app_use_weight", \.appUseWeight, .amount(0...1_000 * token), "0", "B2",
            "How many views an opening of the app counts as, for each of its instances on the device; a part of a view counts on the next day.",
            sweep: "0 to 2",
            evidence: "assumption; whether the app is active matters, how much is not published [KUTD]")
        Key(
            "window_days", \.allowance.windowDays, .count(1...31), "7", "B2",
            "Complete device-days over which views are averaged.",
            sweep: "3 to 14")
        Key(
            "learning_days", \.allowance.learningDays, .count(0...31), "3", "B3",
            "Complete device-days in which the system learns.",
            sweep: "3 to 7",
            evidence: "assumption; the learning itself is documented [KUTD]")
        Key(
            "learning_allowance", \.allowance.whileLearning, .amount(0...10_000 * token),
            .computed("`a_max`", { $0["a_max"].isValid ? DecimalText.text(millionths: $0["a_max"].amount) : nil }),
            "B3",
            "The daily allowance while it learns.", sweep: "40 to 150",
            evidence: "assumption; there may be more reloads than normal meanwhile [KUTD]")
        Key(
            "watch_allowance", \.allowance.onWatchFace, .amount(0...10_000 * token),
            .computed("`a_max`", { $0["a_max"].isValid ? DecimalText.text(millionths: $0["a_max"].amount) : nil }),
            "V4",
            "The daily allowance of an instance on a watch face, which always counts as viewed.",
            sweep: "40 to 100",
            evidence: "documented: up to 75 a day [Apple, Converting a ClockKit app]")
        Key(
            "burst_share", \.allowance.burstShare, .amount(0...10 * token), "0.25", "B5",
            "The cap of the balance as a share of the daily allowance; the cap is at least 3.", sweep: "0.1 to 1")
        Key(
            "accrual", \.accrual, .choice(PlatformParameters.Accrual.self), "even", "B4",
            "Whether the allowance accrues evenly over the usual waking hours, by the usual views of each hour, or begins again at a time of the day.",
            sweep: "all")
        Key(
            "reset_at", \.resetAt, .clock,
            .sometimes(
                "`\"00:00\"` with `accrual: reset`",
                { isReset($0) ? "\"00:00\"" : nil }), "B4",
            "When it begins again, by the device's clock; the rest of the day before is lost.")
        Key(
            "push_budget", \.pushBudget,
            .word(PushBudgetKind.self) { $0 == .shared ? .shared : .separate(allowance: nil) }, "shared", "B7",
            "The account that pays for pushed reloads: the instance's own, or a second one with the same rules.",
            sweep: "both")
        Key(
            "push_allowance", \.pushBudget.allowance, .amount(0...10_000 * token), .none, "B7",
            "The daily allowance of the second account; absent, it is as much as the instance's own.",
            sweep: "5 to 75")
        Key(
            "silent_push_limit", \.silentPushes, .limit(1...3_600), "3", "B7",
            "Silent pushes an hour that the system delivers to an app on a device.", sweep: "2 to 4, or unlimited",
            evidence:
                "documented as two or three an hour [Apple, Pushing background updates to your App]; a bucket is an assumption"
        )
        Key(
            "silent_push_burst", \.silentBurst, .count(1...1_000), "3", "B7",
            "How many of them it delivers at once after a while without any.", sweep: "1 to 5")
        Key(
            "silent_push_excess", \.silentExcess, .choice(HourlyPushLimit.Excess.self), "late", "B7",
            "A silent push beyond the limit is delivered as soon as the limit lets it, the newest of an app alone, or dropped.",
            sweep: "both",
            evidence: "assumption; delivery is not guaranteed [Apple, Pushing background updates to your App]")
        Key(
            "control_reloads", \.controlsAreCharged, is: ControlReloads.charged, .sometimes("`free`"), "F9",
            "Whether a control's reloads by a push, or by a call of its app in the background, are free and run at once, or are `charged` and wait at the gates as a widget's.",
            sweep: "both", evidence: "assumption: free, as reloads after interactions are; no budget is published")
        Key(
            "dst_events", \.dstEvents, .boolean, "true", "F4",
            "Whether a change of the clocks by the zone's rules is an environment change that reloads every instance.",
            sweep: "both",
            evidence:
                "assumption; the system can refresh at significant time changes [W21], which list changes of the clocks [SIG]"
        )
        Key(
            "midnight", \.reloadsAtMidnight, is: ReloadEffect.reload, "none", "F4",
            "The same of the change of the day, at each local midnight.", sweep: "both",
            evidence:
                "assumption; the system can refresh at significant time changes [W21], which list midnight as well [SIG]"
        )
        Key(
            "permission_change_reload", \.reloadsOnPermissionChange, is: ReloadEffect.reload, "none", "L3",
            "Whether a changed location permission of an app is an environment change of its instances that follow the person.",
            sweep: "both",
            evidence: "assumption; one report says that the system reloads them")
        Key(
            "content_cell", \.contentCell, .distance(100_000...1_000_000_000), "10km", "L8",
            "The side of the cells that a place's content is keyed by; a replay's named places are their own cells.",
            sweep: "1 to 50 km")
        Key(
            "suggestions", \.suggestions, .count(1...10), "3", "V7",
            "How many widgets of a watch's Smart Stack are seen as it is opened, the most relevant first.",
            sweep: "1 to 6")
        Key(
            "gates", \.gatesOpen, is: GateProfile.open, "all", "G1–G5",
            "`none` opens all gates and charges nothing: a profile for tests of ages.")
        KeyEntry(
            "android", .block(androidParameters),
            .sometimes("its keys' defaults where any device has `platform: android`"), "N1–N13",
            "The parameters of Android.")
    } check: { parameters, scenario in
        let (budget, allowance) = (parameters[\.pushBudget], parameters[\.pushBudget.allowance])
        if budget.isValid && !allowance.isAbsent && parameters.pushBudget == .shared {
            scenario.report(allowance, "push_budget: separate beside push_allowance", "push_budget: shared")
        }
        let isReset = parameters.accrual == .reset
        parameters.allowance.isReset = isReset
        let idle = isReset ? parameters[\.allowance.burstShare] : parameters[\.resetAt]
        if idle.isStated { scenario.warn(idle, "it has no effect with\(isReset ? "" : "out") accrual: reset") }
    }
}

extension PlatformParameters {
    fileprivate var silentPushes: Int? {
        get { silentPushLimit?.perHour }
        set { silentPushLimit = newValue.map { HourlyPushLimit(perHour: $0) } }
    }

    fileprivate var silentBurst: Int {
        get { silentPushLimit?.burst ?? 0 }
        set { silentPushLimit?.burst = newValue }
    }

    fileprivate var silentExcess: HourlyPushLimit.Excess {
        get { silentPushLimit?.excess ?? .late }
        set { silentPushLimit?.excess = newValue }
    }
}

extension PlatformParameters.PushBudget {
    /// That of an account of the pushes' own.
    fileprivate var allowance: Int64? {
        get { if case .separate(let allowance) = self { allowance } else { nil } }
        set { if case .separate = self { self = .separate(allowance: newValue) } }
    }
}
