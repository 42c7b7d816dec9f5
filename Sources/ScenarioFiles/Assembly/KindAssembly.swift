import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes one widget kind.
struct KindAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    var kind: WidgetKind {
        var kind = scenario.read(KeyCatalogue.kind, of: value, over: WidgetKind())
        kind.app = scenario.appIndex(value["app"].text) ?? 0
        kind.versions = VersionsAssembly(scenario: scenario, value: value["versions"]).source
        kind.changeShare = changeShare
        if kind.reloadOnOpen == .ifChanged && kind.versions == .manual && changeShare == 0 {
            scenario.log.warn(
                "\(value.path): reload_on_open: if_changed never reloads, because its versions are manual")
        }
        PushesAssembly(scenario: scenario).check(value, kind)
        checkContent(kind)
        let validity = value["timeline"]["valid_for"]
        kind.shape = shape
        kind.validFor = validity.isAbsent ? nil : validity.duration
        (kind.policy, kind.jitter, kind.keepsJitter) = (policy, jitter, jitterParameter?.0 == .fixed)
        checkEvent()
        kind.android = AndroidAssembly(scenario: scenario).refresh(of: value, kind.policy, kind.shape)
        kind.control = ControlAssembly.place(of: value, scenario)
        kind.transfer = TransferAssembly(scenario: scenario, kind: value).transfer
        return kind
    }

    /// A provider that reads what its app has left asks for nothing itself, and one that asks makes requests (C6).
    private func checkContent(_ kind: WidgetKind) {
        guard value["content"].isValid else { return }
        let requests = value["requests_per_reload"]
        guard kind.readsApp else {
            if requests.isValid && requests.count == 0 {
                scenario.report(
                    requests, "at least 1, or content: app for a provider that reads what its app has left", "0")
            }
            return
        }
        if requests.isValid && requests.count > 0 {
            scenario.report(requests, "0 beside content: app, whose provider makes no request", "\(requests.count)")
        }
        let (previews, fetch, control) = (value["snapshot_requests"], value["fetch"], value["control"])
        if previews.isValid && previews.count > 0 {
            scenario.report(previews, "0 beside content: app, whose provider makes no request", "\(previews.count)")
        }
        if fetch.isValid && !fetch.isAbsent && fetch.choice() == FetchWay.background {
            scenario.report(fetch, "fetch: inline beside content: app, whose provider makes no request", "background")
        }
        if control.isValid && !control.isAbsent {
            scenario.report(control, "a widget beside content: app", "a control")
        }
    }

    /// The share of openings at which the person changes content of their own (C1).
    private var changeShare: Double {
        let versions = value["versions"]
        guard versions.isMapping, versions.isValid, versions["source"].choice() == VersionSourceKind.manual else {
            return 0
        }
        return versions["changes_per_opening"].number
    }

    private var shape: TimelineShape {
        let timeline = value["timeline"]
        guard timeline.isMapping else { return .single }
        switch timeline["shape"].choice(TimelineKind.self) {
        case .single: return .single
        case .series:
            let (count, spacing) = (timeline["count"], timeline["spacing"])
            if timeline.isValid && spacing.duration * Int64(count.count) > .days(3660) {
                scenario.report(
                    count, "entries that end within 3660d", "\(count.count) of \(TimeText.duration(spacing.duration))")
            }
            // One entry has none beside it.
            if count.isValid && count.count > 1 { warnOfCloseEntries(spacing) }
            return .series(count: count.count, spacing: spacing.duration)
        case .untilMidnight:
            let spacing = timeline["spacing"]
            warnOfCloseEntries(spacing)
            return .untilMidnight(spacing: spacing.duration)
        case .selfUpdating: return .selfUpdating(goodFor: timeline["good_for"].duration)
        }
    }

    /// The platform asks for entries at least five minutes apart [KUTD]; what it does with closer ones is not
    /// published, and no rule drops any (P2).
    private func warnOfCloseEntries(_ spacing: CheckedValue) {
        guard spacing.isValid, spacing.duration < .minutes(5) else { return }
        scenario.log.warn(
            "\(spacing.path): entries \(TimeText.duration(spacing.duration)) apart; the platform asks for at least 5m (P2), or for shape: self_updating"
        )
    }

    /// Only some sources have events that are on for a while, which relevance can follow (V3).
    private func checkEvent() {
        let (relevance, versions) = (value["relevance"], value["versions"])
        guard relevance.isMapping, !relevance["event"].isAbsent, versions.isValid else { return }
        let source = versions.isMapping ? versions["source"].choice(VersionSourceKind.self) : nil
        if source?.hasEvents == true { return }
        scenario.report(
            relevance["event"], "versions of games or of a market beside event",
            source.map { "'\($0.name)'" } ?? "a list of instants")
    }

    // MARK: Policy

    private var policy: ReloadPolicy {
        let policy = value["policy"]
        guard policy.isMapping else {
            switch policy.choice(PlainPolicy.self) {
            case .atEnd: return .atEnd
            case .never: return .never
            }
        }
        let after = policy["after"]
        return after.isMapping
            ? ScheduleAssembly(scenario: scenario, value: after).policy : .after(after.duration)
    }

    private var jitterParameter: (JitterParameter, CheckedValue)? {
        let policy = value["policy"]
        let jitter = policy.isMapping ? policy["jitter"] : policy
        return jitter.isValid && jitter.isMapping ? jitter.only(JitterParameter.self) : nil
    }

    /// The provider's own jitter in seconds; nil for none.
    private var jitter: Distribution? {
        let policy = value["policy"]
        guard policy.isMapping, case let jitter = policy["jitter"], !jitter.isAbsent, jitter.isValid else { return nil }
        guard let (parameter, width) = jitterParameter else {
            return jitter.duration == .zero ? nil : Distribution(.uniform(min: 0, max: jitter.duration.inSeconds))
        }
        let seconds = width.duration.inSeconds
        switch parameter {
        case .plusMinus:
            let after = policy["after"]
            if after.isValid, !after.isMapping, width.duration > after.duration {
                scenario.report(
                    width, "at most \(TimeText.duration(after.duration)), so that no date lies before the fetch",
                    "'\(TimeText.duration(width.duration))'")
            }
            return seconds == 0 ? nil : Distribution(.uniform(min: -seconds, max: seconds))
        case .deviation: return seconds == 0 ? nil : Distribution(.normal(mean: 0, standardDeviation: seconds))
        case .mean: return Distribution(.exponential(mean: seconds))
        case .fixed: return seconds == 0 ? nil : Distribution(.uniform(min: 0, max: seconds))
        }
    }
}
