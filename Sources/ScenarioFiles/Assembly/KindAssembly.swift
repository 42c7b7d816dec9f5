import Fleet
import SimulatedTime
import Stochastics
import WidgetPlatform

/// Makes one widget kind.
struct KindAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    var kind: WidgetKind {
        let source = versions
        let reloadOnOpen = choice(
            value["reload_on_open"], ["never": .never, "always": .always, "if_changed": .ifChanged],
            otherwise: WidgetKind.ReloadOnOpen.never)
        if reloadOnOpen == .ifChanged && source == .manual {
            scenario.log.warn("\(value.path): reload_on_open: if_changed never reloads, because its versions are manual")
        }
        if !scenario.isReplay {
            for key in ["push", "sensitive", "needs_sign_in"] where value[key].isValid && value[key].flag {
                scenario.log.warn("\(value.path).\(key): works in a replay only; nobody in a drawn fleet does what it is about")
            }
        }
        let timeline = value["timeline"]
        return WidgetKind(
            id: value["id"].text, app: scenario.appIndex(value["app"].text) ?? 0, endpoint: scenario.endpointIndex(value["endpoint"].text),
            shape: shape,
            validFor: timeline["valid_for"].isAbsent ? nil : timeline["valid_for"].duration, policy: policy, jitter: jitter,
            reloadOnOpen: reloadOnOpen,
            sessionRhythm: value["session_rhythm"].isAbsent ? nil : value["session_rhythm"].duration, takesPushes: value["push"].flag,
            isSensitive: value["sensitive"].flag, needsSignIn: value["needs_sign_in"].flag,
            isProtected: value["data_protection"].text == "complete",
            withoutFix: value["without_fix"].text == "alternate" ? .alternate : .prior,
            requestsPerReload: value["requests_per_reload"].count,
            actionTime: value["action_time"].duration, fixTime: scenario.distribution(value["fix_time"]),
            fixFailure: value["fix_failure"].number,
            versions: source)
    }

    private func choice<Choice>(_ value: CheckedValue, _ choices: [String: Choice], otherwise: Choice) -> Choice {
        value.isValid ? choices[value.text] ?? otherwise : otherwise
    }

    private var shape: TimelineShape {
        let timeline = value["timeline"]
        guard timeline.isMapping else { return .single }
        switch timeline["shape"].text {
        case "series":
            let (count, spacing) = (timeline["count"], timeline["spacing"])
            if timeline.isValid && spacing.duration * Int64(count.count) > .days(3660) {
                scenario.log.report(
                    count.origin, count.path, expected: "entries that end within 3660d",
                    found: "\(count.count) of \(TimeText.duration(spacing.duration))")
            }
            return .series(count: count.count, spacing: spacing.duration)
        case "until_midnight": return .untilMidnight(spacing: timeline["spacing"].duration)
        case "self_updating": return .selfUpdating(goodFor: timeline["good_for"].duration)
        default: return .single
        }
    }

    // MARK: Policy

    private var policy: ReloadPolicy {
        let policy = value["policy"]
        guard policy.isMapping else { return policy.isValid && policy.text == "at_end" ? .atEnd : .never }
        let after = policy["after"]
        guard after.isMapping else { return .after(after.duration) }
        let zone = after["zone"]
        let fixedZone = zone.isValid && zone.text != "local" ? scenario.zoneIndex(zone.text) : nil
        let times = after["at"].items.map(\.clock)
        return .aligned(
            AlignedSchedule(
                times: times.isEmpty ? [ClockTime(hour: 0, minute: 0)] : times, weekdays: scenario.weekdays(after["days"]),
                fixedZone: fixedZone))
    }

    /// The provider's own jitter in seconds; nil for none.
    private var jitter: Distribution? {
        let policy = value["policy"]
        guard policy.isMapping, !policy["jitter"].isAbsent, policy["jitter"].isValid else { return nil }
        let jitter = policy["jitter"]
        guard jitter.isMapping, let (key, width) = jitter.fields.first else {
            return jitter.duration == .zero ? nil : Distribution(.uniform(min: 0, max: jitter.duration.inSeconds))
        }
        let seconds = width.duration.inSeconds
        switch key {
        case "plus_minus":
            let after = policy["after"]
            if after.isValid, !after.isMapping, width.duration > after.duration {
                scenario.log.report(
                    width.origin, width.path,
                    expected: "at most \(TimeText.duration(after.duration)), so that no date lies before the fetch",
                    found: "'\(TimeText.duration(width.duration))'")
            }
            return seconds == 0 ? nil : Distribution(.uniform(min: -seconds, max: seconds))
        case "sd": return seconds == 0 ? nil : Distribution(.normal(mean: 0, standardDeviation: seconds))
        default: return Distribution(.exponential(mean: seconds))
        }
    }

    // MARK: Versions

    private var versions: VersionSource {
        let versions = value["versions"]
        guard versions.isMapping else {
            // Instants before start count too: they are older than the run.
            return .listed(versions.items.map(scenario.instant).sorted())
        }
        let every = versions["every"]
        switch versions["source"].text {
        case "steady":
            let spread = versions["spread"]
            if versions.isValid && spread.duration > every.duration {
                scenario.log.report(
                    spread.origin, spread.path, expected: "at most every, \(TimeText.duration(every.duration))",
                    found: "'\(TimeText.duration(spread.duration))'")
            }
            return .steady(every: every.duration, spread: spread.duration, perPlace: versions["per"].text == "place")
        case "poisson": return .poisson(mean: every.duration)
        case "daily":
            return .daily(
                at: Array(Set(versions["at"].items.map(\.clock))).sorted(), zone: zone(versions),
                weekdays: scenario.weekdays(versions["days"]))
        case "market":
            let (open, close) = (versions["open"], versions["close"])
            if open.isValid && close.isValid && open.clock >= close.clock {
                let culprit = close.isStated ? close : open
                scenario.log.report(
                    culprit.origin, culprit.path, expected: "a close after the open",
                    found: "\(CalendarText.text(open.clock)) to \(CalendarText.text(close.clock))")
            }
            return .market(
                open: open.clock, close: close.clock, every: every.duration, zone: zone(versions),
                weekdays: scenario.weekdays(versions["days"]))
        default: return .manual
        }
    }

    private func zone(_ versions: CheckedValue) -> Int { scenario.zoneIndex(versions["zone"].isValid ? versions["zone"].text : "UTC") }
}
