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

    /// The warnings of a scenario.
    static func warnings(_ root: CheckedValue, _ plan: FleetPlan, isReplay: Bool) -> [String] {
        let check = FormCheck(log: ProblemLog(file: ""), isReplay: isReplay, fileName: "")
        var use = KeyUse(plan)
        var warnings = table(.parameters, root["parameters"], use, check)
        for (index, kind) in root["kinds"].items.enumerated() where plan.kinds.indices.contains(index) {
            use.kind = index
            warnings += table(.kinds, kind, use, check)
        }
        return warnings
    }

    /// - Returns: one warning a key, for the first need that nothing meets.
    private static func table(_ block: Block, _ value: CheckedValue, _ use: KeyUse, _ check: FormCheck) -> [String] {
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
    fileprivate func descendant(_ path: String, setBy check: FormCheck) -> CheckedValue? {
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
    private func hasDefault(at key: String, _ check: FormCheck) -> Bool {
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
        return check.check(NodeComposition.ownRoot(of: text), entry.form, value.path).canonicalText
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
