import Basics
import Fleet
import ScenarioModel
import Simulation
import Statistics

/// The counts of the Live Activities of one kind, or of all together (O1–O6).
struct ActivityFigures: Sendable {
    /// The kind's name; `LoadAnalysis.allName` for all together.
    let name: String
    let counts: BlockSum<ActivityCounts>
    let sends: SendFigures
    /// Whether quantiles have the digits of their bins only.
    var roundsQuantiles = true

    func sum(_ counts: [ActivityCount]) -> Int64 { counts.reduce(0) { $0 + self.counts[$1] } }

    var begun: Int64 { sum([.begunByPush, .begunByApp]) }

    /// A quantile of the times from an update to its showing, in seconds.
    func delay(_ q: Double) -> Double? {
        roundsQuantiles
            ? ReportQuantile.seconds(q, ofLog: counts[.delays]) : LogHistogram.quantile(q, of: counts[.delays])
    }

    func views(_ state: ActivityViewState) -> Int64 {
        ActivitySurface.allCases.reduce(0) { $0 + counts[.views(state, on: $1)] }
    }

    var views: Int64 { ActivityViewState.allCases.reduce(0) { $0 + views($1) } }
}

/// The pushes sent of one sort, or of all together (O3).
struct SendFigures: Sendable {
    let windows: LoadAnalysis.Endpoint

    var name: String { windows.name }

    /// Where the pushes of a largest window lie in 95 % of other draws; nil where people are not drawn independently,
    /// and for one sort of several.
    func redraw(_ window: LoadWindow) -> SamplingRange? { windows.redraw(window).map(SamplingRange.init) }
}

extension RunReport {
    /// The windows of all that is sent; nil for a run without.
    static func sendAnalysis(_ result: RunResult) -> LoadAnalysis? {
        let plan = result.scenario.plan
        return result.load.sends.map {
            LoadAnalysis(
                $0, names: plan.sendNames, people: result.scenario.people, represented: nil,
                hasSharedDraws: !result.scenario.sharedDraws.isEmpty,
                mostPerSecond: plan.pushSender.flatMap { PushClasses(plan, $0).mostPerSecond })
        }
    }

    /// The pushes sent of all sorts together, and of each; none for a run without.
    static func sendFigures(_ result: RunResult, _ analysis: LoadAnalysis?) -> [SendFigures] {
        analysis.map { analysis in ([analysis.all] + analysis.endpoints.indices.map(analysis.one)).map(SendFigures.init)
        } ?? []
    }

    /// The pushes sent to the Live Activities of all kinds together, and of each; none for a run without any.
    static func activitySends(_ result: RunResult, _ analysis: LoadAnalysis?) -> [SendFigures] {
        guard let live = result.scenario.plan.live, let sends = result.load.sends, let analysis else { return [] }
        let kinds = live.kinds.indices
        return ([analysis.together(Array(kinds), of: sends)] + kinds.map(analysis.one)).map(SendFigures.init)
    }
}

/// The metrics of Live Activities: of all together, and of each kind.
enum ActivitySummary {
    /// The Live Activities of all kinds together, and of each; none for a run without any.
    ///
    /// - Parameter sends: the pushes sent, of the same.
    static func figures(
        _ kinds: [LiveKind], _ counts: SummaryCounts, _ sends: [SendFigures], roundsQuantiles: Bool
    ) -> [ActivityFigures] {
        if sends.isEmpty { return [] }
        var all = BlockSum<ActivityCounts>()
        let each = kinds.indices.map { kind in
            var own = BlockSum<ActivityCounts>()
            counts.addActivities(ofLiveKind: kind, to: &own)
            all.add(own)
            return own
        }
        let names = [LoadAnalysis.allName] + kinds.map(\.id)
        return zip(names, zip([all] + each, sends)).map { name, figures in
            ActivityFigures(name: name, counts: figures.0, sends: figures.1, roundsQuantiles: roundsQuantiles)
        }
    }

    /// As thresholds name them.
    static func all(kinds: [String]) -> [KnownMetric] {
        let metrics = SummaryMetric<ActivityFigures>.activities.map(\.known)
        return ([SummaryRow.allPools] + kinds).flatMap { part in
            metrics.map { SummaryRow.known($0, scope: .live, part: part) }
        }
    }

    static func rows(_ figures: [ActivityFigures]) -> [SummaryRow] {
        figures.flatMap { own in
            SummaryMetric<ActivityFigures>.activities.map { metric in
                var row = metric.row(own, .live, own.name)
                if case .ofLargest(let window) = metric.spread {
                    row.redraw = own.sends.redraw(window)
                }
                return row
            }
        }
    }
}

extension SummaryMetric<ActivityFigures> {
    static let activities: [Self] =
        [
            .init("activities", "activities", "Live Activities begun in the report (O1).", spread: .ofPeople) {
                .count($0.begun)
            },
            .init(
                "pushes_sent", "pushes", "Pushes that the server sent, further tries among them (O3).",
                spread: .ofPeople
            ) {
                .count($0.counts[.sent])
            },
        ]
        + LoadWindow.allCases.map { window in
            .init(
                "send_peak_\(window.name)", "pushes",
                "Pushes sent in the largest window of \(window.name), sliding in steps of 0.1 s.",
                spread: .ofLargest(window)
            ) {
                .init($0.sends.windows[window].sliding?.requests)
            }
        }
        + [
            .init(
                "share_shown", "share", "Pushes that came to be shown, of those that have an outcome (O4–O6).",
                spread: .ofPeople
            ) {
                .init(Ratio.of($0.counts[.shown], to: $0.sum(ActivityCount.outcomes)))
            },
            .init(
                "share_over_budget", "share",
                "Pushes that found their app's budget spent, of those that were under way (O5).",
                spread: .ofPeople
            ) {
                .init(Ratio.of($0.counts[.throttled], to: $0.sum([.accepted, .pushesCarriedIn])))
            },
            .init(
                "share_expired", "share",
                "Pushes that expired for a device without a connection, of those that were under way (O4).",
                spread: .ofPeople
            ) {
                .init(Ratio.of($0.counts[.expired], to: $0.sum([.accepted, .pushesCarriedIn])))
            },
            .init(
                "shown_after_mean_s", "s", "The mean time from an update to its showing (O6).", spread: .ofPeople
            ) {
                .init(Ratio.ofMillionths($0.counts.wide(.delaySum), to: $0.counts[.shown]))
            },
        ]
        + [(50, 0.5), (95, 0.95), (99, 0.99)].map { percent, q in
            .init(
                "shown_after_p\(percent)_s", "s", "\(percent) % of the updates shown were shown within so long (O6).",
                spread: .ofQuantile
            ) {
                .init($0.delay(q))
            }
        }
        + [
            .init("activity_views", "views", "Views of Live Activities (O6).", spread: .ofPeople) { .count($0.views) },
            .init("share_views_behind", "share", "Views that lacked an update, of all (O6).", spread: .ofPeople) {
                .init(Ratio.of($0.counts.sum(.lags), to: $0.views))
            },
            .init(
                "view_lag_mean_s", "s",
                "The mean lag behind the truth at a view: the time since the first update that it lacks, 0 if it lacks none (O6).",
                spread: .ofPeople
            ) {
                .init(Ratio.ofMillionths($0.counts.wide(.lagSum), to: $0.views))
            },
            .init(
                "share_time_behind", "share",
                "Time in which activities lacked an update, of all in which they were there.",
                spread: .ofPeople
            ) {
                .init(Ratio.of($0.counts.wide(.behindTime), to: $0.counts.wide(.presentTime)))
            },
            .init(
                "push_wake_ups", "wake-ups",
                "Pushes that reached a phone that was not in use: what they cost its battery.",
                spread: .ofPeople
            ) {
                .count($0.counts[.wakeUps])
            },
        ]
}
