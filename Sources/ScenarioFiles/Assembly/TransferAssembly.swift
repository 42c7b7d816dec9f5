import ScenarioModel
import Statistics

/// Makes how a kind fetches (S8).
struct TransferAssembly {
    let scenario: ScenarioAssembly
    let kind: CheckedValue

    /// Nil for a kind whose extension waits for its answers.
    var transfer: BackgroundTransfer? {
        let (fetch, value) = (kind["fetch"], kind["transfer"])
        guard fetch.isValid else { return nil }
        if fetch.isAbsent || fetch.choice(FetchWay.self) == .inline {
            if !value.isAbsent { scenario.report(value, "fetch: background beside transfer", "inline") }
            return nil
        }
        let (control, previews) = (kind["control"], kind["snapshot_requests"])
        if control.isValid && !control.isAbsent {
            scenario.report(fetch, "fetch: inline beside control, which waits for its value", "background")
        }
        if previews.isValid && previews.count > 0 {
            scenario.report(
                previews, "0 beside fetch: background, whose extension waits for no answer", "\(previews.count)")
        }
        guard value.isMapping else { return nil }
        let isDiscretionary = value["discretionary"].flag
        return BackgroundTransfer(
            deferral: scenario.distribution(value["deferral"]),
            discretion: isDiscretionary
                ? .init(readyShare: value["ready"].number, wait: scenario.distribution(value["wait"])) : nil,
            secondIsCharged: value["second_reload"].choice() == SecondReload.charged)
    }
}
