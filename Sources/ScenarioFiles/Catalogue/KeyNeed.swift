import ScenarioModel
import WidgetPlatform

/// Keys that have an effect only beside another one: where that is missing, a scenario that sets one of them otherwise
/// than its default is right, and its reader is warned. [docs/errors.md](../../../docs/errors.md) lists all of them.
///
/// In a replay everything is taken to be there that only the events of its record could show.
struct KeyNeed: Sendable {
    /// The keys by their paths below `block`; the name of a mapping stands for what it is set to as a whole.
    let keys: [String]
    let block: Block
    /// The word for what has no effect: the key, or something that it says besides.
    let subject: String
    /// The words that follow "because".
    let reason: String
    private let isMet: @Sendable (KeyUse) -> Bool

    enum Block: String, Sendable {
        /// The keys stand once, or in each kind.
        case parameters, kinds
    }

    init(
        _ keys: [String], in block: Block = .parameters, _ subject: String = "it", because reason: String,
        unless isMet: @escaping @Sendable (KeyUse) -> Bool
    ) {
        (self.keys, self.block, self.subject, self.reason, self.isMet) = (keys, block, subject, reason, isMet)
    }

    /// The fleet's kind, and the reader of a default.
    typealias Check = (isReplay: Bool, value: (RawNode, Form, String) -> CheckedValue)

    /// The warnings of a scenario.
    static func warnings(_ root: StatedScenario, _ plan: FleetPlan, _ check: Check) -> [String] {
        var use = KeyUse(plan)
        var warnings = table(.parameters, root.parameters, use, check)
        for (index, kind) in root.kinds.items.enumerated() where plan.kinds.indices.contains(index) {
            use.kind = index
            warnings += table(.kinds, kind, use, check)
        }
        return warnings
    }

    /// - Returns: one warning a key, for the first need that nothing meets.
    private static func table(_ block: Block, _ value: CheckedValue, _ use: KeyUse, _ check: Check) -> [String] {
        var warned: Set<String> = []
        return all.filter { $0.block == block }.flatMap { need -> [String] in
            let set = need.keys.compactMap { value.descendant($0, setBy: check) }
            if set.isEmpty || need.isMet(use) { return [] }
            return set.filter { warned.insert($0.path).inserted }
                .map { "\($0.path): \(need.subject) has no effect, because \(need.reason)" }
        }
    }
}

/// The parts of a plan that keys depend on.
struct KeyUse {
    let plan: FleetPlan
    /// The kind whose keys are looked at.
    var kind = 0
    let isReplay: Bool
    private let placements: [(platform: Platform, device: DeviceKind, placement: Placement)]

    init(_ plan: FleetPlan) {
        self.plan = plan
        isReplay = !plan.replay.isEmpty
        placements =
            plan.segments.flatMap(\.devices).flatMap { device in
                device.allPlacements.map { (device.platform, device.kind, $0) }
            }
            + plan.replay.flatMap { device in device.instances.map { (device.platform, device.kind, $0.placement) } }
    }

    func hasPlacement(where holds: (Placement) -> Bool) -> Bool { placements.contains { holds($0.placement) } }

    /// Whether the kind has an instance of which something holds.
    func isPlaced(where holds: (Placement) -> Bool) -> Bool {
        placements.contains { $0.placement.kind == kind && holds($0.placement) }
    }

    /// Whether the kind has an instance on a device of Apple's.
    var isWidget: Bool { placements.contains { $0.platform != .android && $0.placement.kind == kind } }

    // Android.

    /// Whether the kind has an instance on a phone or tablet with Android, or as a tile.
    var isProvider: Bool { isOnAndroid(kind, asTile: false) }
    var isTile: Bool { isOnAndroid(kind, asTile: true) }

    private func isOnAndroid(_ kind: Int, asTile: Bool) -> Bool {
        placements.contains {
            $0.platform == .android && $0.placement.kind == kind && ($0.placement.surface == .tile) == asTile
        }
    }

    /// Whether phones or tablets run Android.
    var hasProviders: Bool { plan.kinds.indices.contains { isOnAndroid($0, asTile: false) } }
    var hasTiles: Bool { plan.kinds.indices.contains { isOnAndroid($0, asTile: true) } }

    /// Whether any kind with a provider on Android is such.
    func hasProvider(where holds: (WidgetKind, AndroidRefresh) -> Bool) -> Bool {
        plan.kinds.indices.contains { index in
            let kind = plan.kinds[index]
            return isOnAndroid(index, asTile: false) && holds(kind, kind.android ?? AndroidRefresh(period: .none))
        }
    }

    /// Whether any kind on Android takes messages that are such.
    func hasMessages(where holds: (AndroidRefresh.Messages) -> Bool) -> Bool {
        plan.kinds.indices.contains { index in
            let kind = plan.kinds[index]
            let isThere = isOnAndroid(index, asTile: false) || isOnAndroid(index, asTile: true)
            return isThere && kind.takesMessages && holds(kind.android?.messages ?? .init())
        }
    }

    /// Whether an app can be in a bucket but for the foreground.
    func isReached(_ bucket: StandbyBucket) -> Bool {
        guard let android = plan.android else { return false }
        if bucket == .restricted && android.restrictedShare > 0 { return true }
        return android.widgetBucket == .byUse || android.widgetBucket == .always(bucket)
    }

    /// Whether jobs of a kind run.
    func hasJobs(_ kind: WidgetKind, _ refresh: AndroidRefresh) -> Bool {
        if case .work = refresh.period { return true }
        return kind.takesMessages && refresh.messages.handler != .direct || kind.wakeUpsPerDay > 0 || isReplay
    }
}

extension WidgetKind {
    /// Whether its server sends it pushes, or its app.
    fileprivate var takesMessages: Bool { takesPushes || contentPushes != nil }
}

extension AndroidRefresh.Period {
    /// Whether it is an alarm that is to be exact.
    var isToBeExact: Bool {
        switch self {
        case .idleAlarm, .clock(_, isExact: true, _): true
        case .none, .alarm, .clock, .work: false
        }
    }
}

extension CheckedValue {
    /// The value at a path below a mapping, if the scenario sets it otherwise than its default.
    fileprivate func descendant(_ path: String, setBy check: KeyNeed.Check) -> CheckedValue? {
        var value = self
        for key in path.split(separator: ".").map(String.init) {
            guard value.isMapping, value.form.form(of: key, chosen: nil) != nil else { return nil }
            let next = value[key]
            if !next.isStated || next.isAbsent || !next.isValid || value.hasDefault(at: key, check) { return nil }
            value = next
        }
        return value
    }

    /// Whether the value at a key is what stands for it where the scenario states none.
    private func hasDefault(at key: String, _ check: KeyNeed.Check) -> Bool {
        guard let entry = form.entry(key) else { return false }
        let text: String? =
            switch entry.defaultValue {
            case .value(let text), .unless(_, let text): text
            case .byFleet(let drawn, let replay): check.isReplay ? replay : drawn
            case .computed(_, let compute), .sometimes(_, let compute): compute(self)
            case .required, .none, .fileName: nil
            }
        guard let text else { return false }
        let value = self[key]
        return check.value(NodeComposition.ownRoot(of: text), entry.form, value.path).canonicalText
            == value.canonicalText
    }
}

extension Form {
    /// The entry of a key in a mapping of this form.
    fileprivate func entry(_ key: String) -> KeyEntry? {
        switch structure {
        case .block(let block): block.entries.first { $0.name == key }
        case .either(let forms): forms.lazy.compactMap { $0.entry(key) }.first
        case .scalar, .distribution, .span, .anything, .list, .table, .variants, .oneOf: nil
        }
    }
}

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
        KeyNeed(["push"], in: .kinds, because: "nobody sends it pushes: pushes and push_on_version do") { use in
            let kind = use.plan.kinds[use.kind]
            return use.isReplay || kind.contentPushes != nil
                || use.plan.pushCampaigns.contains { $0.app == kind.app }
        },
        KeyNeed(
            ["policy.after"], in: .kinds, "a time below parameters.min_gap",
            because: "the system keeps reloads of a widget that far apart (G2)"
        ) { use in
            let (parameters, kind) = (use.plan.parameters, use.plan.kinds[use.kind])
            return parameters.gatesOpen || !use.isWidget
                || kind.dates.policy.rule.fixedLength.map { $0 >= parameters.minGap } ?? true
        },
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

/// Settings that are right one by one and do nothing together: sentences for the person who expects something of them.
enum IdleSettings {
    static func warnings(in plan: FleetPlan) -> [String] {
        let placements =
            plan.segments.flatMap(\.devices).flatMap(\.allPlacements)
            + plan.replay.flatMap(\.instances).map(\.placement)
        let suggested = Set(placements.filter { $0.surface == .smartStack }.map(\.kind))
        let stacked = suggested.union(placements.filter { $0.stack != nil }.map(\.kind))
        var warnings: [String] = []
        for (index, kind) in plan.kinds.enumerated() {
            if kind.relevance.clues != .init() && stacked.contains(index) && !suggested.contains(index) {
                warnings.append(
                    "kinds.\(kind.id).relevance: its clues have no effect, because none of the kind's instances is on smart_stack"
                )
            }
        }
        if !plan.replay.isEmpty { return warnings }
        for (index, app) in plan.apps.enumerated()
        where !plan.kinds.contains(where: { $0.app == index && $0.needsSignIn }) {
            if plan.segments.contains(where: { $0.habits.apps[index].signedInShare < 1 }) {
                warnings.append(
                    "population.apps.\(app).signed_in: it has no effect, because no kind of the app has needs_sign_in: true"
                )
            }
        }
        let owned = Set(plan.segments.flatMap(\.devices).filter { $0.habits.share > 0 }.map(\.kind))
        for release in plan.releases where release.app == nil && owned.isDisjoint(with: release.devices) {
            warnings.append("os_releases.\(release.name).devices: nobody has such a device")
        }
        for segment in plan.segments {
            for placement in segment.devices.flatMap(\.placements)
            where placement.editsPerYear > 0 && choiceCount(placement) < 2 {
                warnings.append(
                    "segment \(segment.name), instance \(placement.id): edits_per_year has no effect without a second choice"
                )
            }
            for device in segment.devices
            where device.habits.alwaysOn.share == 0 && device.habits.alwaysOn.looksPerDay > 0 && device.kind != .watch {
                warnings.append(
                    "segment \(segment.name), \(device.kind.name): nobody looks at a dimmed display, because always_on has a share of 0"
                )
            }
        }
        return warnings
    }

    private static func choiceCount(_ placement: Placement) -> Int {
        if case .chosen(let names, _) = placement.location { names.count } else { 0 }
    }
}
