import ScenarioModel
import WidgetPlatform

extension KeyNeed {
    /// All of them; of several for one key the first that is not met counts.
    static let all: [KeyNeed] = ofWidgets + ofKinds + ofAndroid + ofBuckets + ofMessages + ofAndroidKinds

    private static let ofWidgets: [KeyNeed] = [
        KeyNeed(["stale_grace", "rarely_viewed", "rare_needs_stale"], because: "rare_reload_share is 0") {
            $0.plan.parameters.rareReloadShare > 0
        },
        KeyNeed(["min_gap", "idle_after", "burst_share", "accrual"], because: "gates is none") {
            !$0.plan.parameters.gatesOpen
        },
        KeyNeed(["push_budget", "push_allowance"], because: "no kind takes pushes") { use in
            use.plan.kinds.contains { $0.takesPushes || $0.contentPushes?.route == .widgets }
        },
        KeyNeed(
            ["silent_push_limit", "silent_push_burst", "silent_push_excess"], because: "no server sends silent pushes"
        ) { use in
            use.isReplay || use.plan.kinds.contains { $0.contentPushes?.route == .app }
        },
        KeyNeed(["silent_push_burst", "silent_push_excess"], because: "silent_push_limit is unlimited") {
            $0.plan.parameters.silentPushLimit != nil
        },
        KeyNeed(["learning_allowance"], because: "learning_days is 0") {
            $0.plan.parameters.allowance.learningDays > 0
        },
        KeyNeed(["watch_allowance"], because: "no instance is on watch_face") {
            $0.hasPlacement { $0.surface == .watchFace }
        },
        KeyNeed(["widget_location_grace", "content_cell"], because: "no instance follows the person") {
            $0.hasPlacement { $0.location == .current }
        },
        KeyNeed(["control_reloads"], because: "no kind is a control") { use in
            use.plan.kinds.contains { $0.control != nil }
        },
        KeyNeed(["workout_reloads"], because: "nobody has a watch") {
            ($0.plan.segments.flatMap(\.devices).map(\.kind) + $0.plan.replay.map(\.kind)).contains(.watch)
        },
        KeyNeed(["suggestions"], because: "no instance is on smart_stack") {
            $0.hasPlacement { $0.surface == .smartStack }
        },
    ]

    private static let ofKinds: [KeyNeed] = [
        KeyNeed(["relevance"], in: .kinds, because: "none of the kind's instances lies in a stack") {
            $0.isPlaced { $0.stack != nil || $0.surface == .smartStack }
        },
        KeyNeed(
            ["accuracy", "fix_time", "fix_failure", "without_fix", "without_place"], in: .kinds,
            because: "none of the kind's instances follows the person"
        ) { $0.isPlaced { $0.location == .current } },
        KeyNeed(["publish_on_open", "reload_on_publish"], in: .kinds, because: "content is origin") {
            $0.plan.kinds[$0.kind].readsApp
        },
        KeyNeed(["action_time"], in: .kinds, because: "nobody uses a button of the kind") {
            let kind = $0.plan.kinds[$0.kind]
            return $0.isReplay || kind.interactionShare > 0 || kind.control != nil
        },
        KeyNeed(["session_rhythm"], in: .kinds, because: "nobody has a navigation or audio session of its app") { use in
            let app = use.plan.kinds[use.kind].app
            return use.isReplay
                || use.plan.segments.contains {
                    $0.habits.apps[app].navigationShare > 0 || $0.habits.apps[app].audioPerDay > 0
                }
        },
        KeyNeed(["reload_call"], in: .kinds, because: "its app never calls for the kind") {
            let kind = $0.plan.kinds[$0.kind]
            return $0.isReplay || kind.reloadOnOpen != .never || kind.reloadsOnClose || kind.sessionRhythm != nil
                || kind.wakeUpsPerDay > 0 || kind.contentPushes?.route == .app || kind.needsSignIn || kind.readsApp
        },
    ]

    private static let ofAndroid: [KeyNeed] = [
        KeyNeed(["android"], because: "no device runs Android") { $0.hasProviders || $0.hasTiles },
        KeyNeed(
            [
                "android.widget_bucket", "android.restricted", "android.doze", "android.killers",
                "android.update_every",
                "android.job_time",
            ], because: "no phone or tablet runs Android"
        ) { $0.hasProviders },
        KeyNeed(["android.update_every"], because: "recorded apps have their own updates") { !$0.isReplay },
        KeyNeed(["android.tile_request_gap"], because: "no instance is a tile") { $0.hasTiles },
        KeyNeed(["android.demotion"], because: "widget_bucket is not by_use") {
            $0.plan.android?.widgetBucket == .byUse
        },
        KeyNeed(["android.exact_alarms", "android.idle_alarms", "android.idle_alarms_exempt"], because: noExactAlarm) {
            $0.hasProvider { $1.period.isToBeExact }
        },
        KeyNeed(["android.idle_alarms", "android.idle_alarms_exempt"], because: "exact_alarms is 0") {
            $0.plan.android?.exactAlarmShare != 0
        },
        KeyNeed(["android.alarm_delay"], because: "no kind has an alarm that is not exact") { use in
            use.hasProvider { _, refresh in
                if case .alarm = refresh.period { return true }
                return refresh.period.isToBeExact && use.plan.android?.exactAlarmShare != 1
            }
        },
        KeyNeed(["android.alarm_quota"], because: "no kind's app sets alarms of its own") {
            $0.hasProvider { $1.period.isOwnAlarm }
        },
        KeyNeed(["android.job_delay"], because: "no kind has a periodic job") {
            $0.hasProvider {
                if case .work = $1.period { true } else { false }
            }
        },
        KeyNeed(["android.job_quota", "android.job_counts", "android.job_sessions"], because: "no kind has jobs") {
            use in use.hasProvider { use.hasJobs($0, $1) }
        },
        KeyNeed(["android.expedited_quota"], because: "no kind has handler: expedited") {
            $0.hasProvider { $1.messages.handler == .expedited }
        },
    ]

    private static let ofBuckets: [KeyNeed] = [StandbyBucket.workingSet, .frequent, .rare, .restricted].map { bucket in
        let quotas = bucket == .restricted ? [] : ["job_quota", "job_sessions", "alarm_quota"]
        return KeyNeed(
            (quotas + ["expedited_quota"]).map { "android.\($0).\(bucket.name)" },
            because: "no app is ever in bucket \(bucket.name)"
        ) { $0.isReached(bucket) }
    }

    private static let ofMessages: [KeyNeed] = [
        KeyNeed(
            ["android.messages_per_hour", "android.messages_burst"],
            because: "no kind takes messages that are collapsible"
        ) { $0.hasMessages { $0.areCollapsible && $0.areStored } },
        KeyNeed(
            ["android.device_messages_per_minute", "android.device_messages_per_hour"],
            because: "no kind on a device with Android takes pushes"
        ) { $0.hasMessages { _ in true } },
        KeyNeed(["android.lowered"], because: "no kind has message: high") {
            $0.hasProvider { $1.messages.isUrgent }
        },
    ]

    private static let ofAndroidKinds: [KeyNeed] = [
        KeyNeed(
            [
                "android.alarm", "android.alarm_does", "android.idle_alarm", "android.work", "android.flex",
                "android.message", "android.handler", "android.back_off",
            ], in: .kinds, because: "no phone or tablet with Android has the kind"
        ) { $0.isProvider },
        KeyNeed(["android.collapsible", "android.stored"], in: .kinds, because: "no device with Android has the kind") {
            $0.isProvider || $0.isTile
        },
        KeyNeed(["android.freshness"], in: .kinds, because: "none of the kind's instances is a tile") { $0.isTile },
        KeyNeed(["android.alarm.exact"], in: .kinds, because: noPermission, unless: mayBeExact),
        KeyNeed(["android.idle_alarm"], in: .kinds, "its exactness", because: noPermission, unless: mayBeExact),
        KeyNeed(["android.back_off"], in: .kinds, because: "the kind has no jobs") { use in
            use.hasProvider { $0.id == use.plan.kinds[use.kind].id && use.hasJobs($0, $1) }
        },
    ]

    private static let noExactAlarm = "no kind has idle_alarm or an exact alarm"
    private static let noPermission = "parameters.android.exact_alarms is 0, so that no app may set exact alarms"
    private static let mayBeExact: @Sendable (KeyUse) -> Bool = { $0.plan.android?.exactAlarmShare != 0 }
}
