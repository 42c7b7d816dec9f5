import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// Makes one widget kind.
struct KindAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    var kind: WidgetKind {
        var kind = scenario.stated(KeyCatalogue.kind, of: value, over: WidgetKind())
        if kind.reloadOnOpen == .ifChanged && kind.versions == .manual && kind.changeShare == 0 {
            scenario.warn(value, "reload_on_open: if_changed never reloads, because its versions are manual")
        }
        checkPushes(kind)
        checkContent(kind)
        checkEvent(kind)
        if kind.contentValue != nil && kind.dates.policy.provider == nil {
            scenario.warn(value, "versions.value does nothing, because only a provider of the program's own reads it")
        }
        kind.android = AndroidAssembly(scenario: scenario).refresh(of: kind, value["android"])
        checkControl(kind)
        checkTransfer(kind)
        scenario.checkMeans(of: kind.failureAfter, kind[\.failureAfter])
        return kind.value
    }

    /// Looks at how the pushes of its server at a new version fit it (B7).
    private func checkPushes(_ kind: Stated<WidgetKind>) {
        let pushes = kind[\.contentPushes]
        guard let stated = kind.contentPushes else { return }
        let via = KeyCatalogue.pushOnVersion[\.route, of: pushes]
        if via.isValid && kind[\.takesPushes].isValid && stated.route == .widgets && !kind.takesPushes {
            let culprit = via.isStated ? via : pushes
            scenario.log.report(
                culprit.origin, via.path, expected: "push: true of the kind, or via: app",
                found: "a push to widgets that take none")
        }
        switch kind.versions.pushTime {
        case .noServer where kind[\.statedVersions].isValid:
            scenario.warn(pushes, "never pushes, because no server makes its versions: they are manual")
        case .knownAhead:
            scenario.warn(pushes, "never pushes, because the events of its calendar are known ahead")
        case .noServer, .atOnce: break
        }
    }

    /// A control has one value and no date (V10).
    private func checkControl(_ kind: Stated<WidgetKind>) {
        if kind.control == nil { return }
        let (policy, timeline) = (kind[\.dates], kind[\.timeline])
        if policy.isValid && kind.dates.policy != .never {
            scenario.report(
                policy, "policy: never beside control, which has no timeline that asks for the next",
                policy.canonicalText)
        }
        if timeline.isMapping, timeline["shape"].isValid, kind.shape != .single || kind.validFor != nil {
            scenario.report(timeline, "no timeline beside control, which shows one value", timeline.canonicalText)
        }
        if kind.isProtected {
            scenario.report(
                kind[\.isProtected], "data_protection: none beside control, which is there on a locked device",
                "complete")
        }
    }

    /// An extension that hands its requests to the system waits for no answer (S8).
    private func checkTransfer(_ kind: Stated<WidgetKind>) {
        let (fetch, previews) = (value["fetch"], kind[\.snapshotRequests])
        let transfer = kind[\.transfer]
        guard fetch.isValid else { return }
        if fetch.isAbsent || fetch.choice(FetchWay.self) == .inline {
            if !transfer.isAbsent { scenario.report(transfer, "fetch: background beside transfer", "inline") }
            return
        }
        if kind.control != nil {
            scenario.report(fetch, "fetch: inline beside control, which waits for its value", "background")
        }
        if previews.isValid && kind.snapshotRequests > 0 {
            scenario.report(
                previews, "0 beside fetch: background, whose extension waits for no answer",
                "\(kind.snapshotRequests)")
        }
    }

    /// A provider that reads what its app has left asks for nothing itself, and one that asks makes requests (C6).
    private func checkContent(_ kind: Stated<WidgetKind>) {
        let requests = kind[\.requestsPerReload]
        guard kind[\.readsApp].isValid, requests.isValid else { return }
        guard kind.readsApp else {
            if kind.requestsPerReload == 0 {
                scenario.report(
                    requests, "at least 1, or content: app for a provider that reads what its app has left", "0")
            }
            return
        }
        if kind.dates.policy == .served {
            scenario.report(
                kind[\.dates]["after"], "a time beside content: app, whose provider gets no answer", KeyCatalogue.served)
        }
        for (key, count) in [
            (requests, kind.requestsPerReload), (kind[\.snapshotRequests], kind.snapshotRequests),
        ] where key.isValid && count > 0 {
            scenario.report(key, "0 beside content: app, whose provider makes no request", "\(count)")
        }
        let fetch = value["fetch"]
        if fetch.isValid && !fetch.isAbsent && fetch.choice() == FetchWay.background {
            scenario.report(fetch, "fetch: inline beside content: app, whose provider makes no request", "background")
        }
        if kind.control != nil { scenario.report(kind[\.control], "a widget beside content: app", "a control") }
    }

    /// Only some sources have events that are on for a while, which relevance can follow (V3).
    private func checkEvent(_ kind: Stated<WidgetKind>) {
        let (relevance, versions) = (kind[\.relevance], kind[\.statedVersions])
        guard relevance.isMapping, !relevance["event"].isAbsent, versions.isValid else { return }
        let source = versions.isMapping ? versions["source"].choice(VersionSourceKind.self) : nil
        if source?.hasEvents == true { return }
        scenario.report(
            relevance["event"], "versions of games or of a market beside event",
            source.map { "'\($0.name)'" } ?? "a list of instants")
    }
}
