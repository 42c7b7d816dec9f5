import Basics
import Fleet
import Simulation
import Statistics

/// The counts of the Live Activities of one kind, or of all together (O1–O6).
struct ActivityFigures: Sendable {
    /// The kind's name; `LoadAnalysis.allName` for all together.
    let name: String
    let counts: BlockSum<ActivityCounts>
    let sends: SendFigures

    func sum(_ counts: [ActivityCount]) -> Int64 { counts.reduce(0) { $0 + self.counts[$1] } }

    var begun: Int64 { sum([.begunByPush, .begunByApp]) }

    func views(_ state: ActivityViewState) -> Int64 {
        ActivitySurface.allCases.reduce(0) { $0 + counts[.views(state, on: $1)] }
    }

    var views: Int64 { ActivityViewState.allCases.reduce(0) { $0 + views($1) } }
}

/// The pushes sent of one sort, or of all together (O3).
struct SendFigures: Sendable {
    let windows: LoadAnalysis.Endpoint
    let people: Int
    let isDrawn: Bool

    var name: String { windows.name }

    /// Where the pushes of a largest window lie in 95 % of other draws: each person gets one of them, or none, with the
    /// same probability. A limited sender's bursts fill the window all the same.
    func redraw(_ window: LoadWindow) -> SamplingRange? {
        guard isDrawn, let peak = windows[window].sliding, people > 0 else { return nil }
        let count = Double(peak.requests)
        let share = min(1, count / Double(people))
        let half = 1.959964 * (count * (1 - share)).squareRoot()
        return SamplingRange(
            value: count, standardError: nil, low: max(0, (count - half).rounded(.down)),
            high: (count + half).rounded(.up))
    }
}

extension RunReport {
    /// The pushes sent of all sorts together, and of each; none for a run without.
    static func sendFigures(_ result: RunResult) -> [SendFigures] {
        guard let sends = result.load.sends else { return [] }
        let analysis = LoadAnalysis(
            sends, names: result.scenario.plan.sendNames, people: result.scenario.people, represented: nil)
        return ([analysis.all] + analysis.endpoints).map { figures($0, result) }
    }

    /// The Live Activities of all kinds together, and of each; none for a run without any.
    static func activityFigures(_ result: RunResult) -> [ActivityFigures] {
        guard let live = result.scenario.plan.live, let sends = result.load.sends else { return [] }
        let analysis = LoadAnalysis(
            sends, names: result.scenario.plan.sendNames, people: result.scenario.people, represented: nil)
        let layout = result.measures.layout
        let places = live.kinds.indices.map { layout.place(ofLiveKind: $0) }
        let all = ActivityFigures(
            name: LoadAnalysis.allName, counts: BlockSum(result.measures, at: places),
            sends: figures(analysis.together(Array(live.kinds.indices), of: sends), result))
        return [all]
            + live.kinds.indices.map {
                ActivityFigures(
                    name: live.kinds[$0].id, counts: BlockSum(result.measures, at: places[$0]),
                    sends: figures(analysis.endpoints[$0], result))
            }
    }

    private static func figures(_ windows: LoadAnalysis.Endpoint, _ result: RunResult) -> SendFigures {
        SendFigures(
            windows: windows, people: result.scenario.people, isDrawn: result.scenario.plan.replay.isEmpty)
    }
}

/// The metrics of Live Activities: of all together, and of each kind.
enum ActivitySummary {
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
            .init("activities", "activities", "Live Activities begun in the report (O1).", spread: .unknown) {
                .count($0.begun)
            },
            .init(
                "pushes_sent", "pushes", "Pushes that the server sent, further tries among them (O3).", spread: .unknown
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
                spread: .unknown
            ) {
                .init(Ratio.of($0.counts[.shown], to: $0.sum(ActivityCount.outcomes)))
            },
            .init(
                "share_throttled", "share",
                "Pushes that found their app's budget spent, of those that were under way (O5).",
                spread: .unknown
            ) {
                .init(Ratio.of($0.counts[.throttled], to: $0.sum([.accepted, .pushesCarriedIn])))
            },
            .init(
                "share_expired", "share",
                "Pushes that expired for a device without a connection, of those that were under way (O4).",
                spread: .unknown
            ) {
                .init(Ratio.of($0.counts[.expired], to: $0.sum([.accepted, .pushesCarriedIn])))
            },
            .init(
                "shown_after_mean_s", "s", "The mean time from an update to its showing (O6).", spread: .unknown
            ) {
                .init(Ratio.ofMillionths($0.counts.wide(.delaySum), to: $0.counts[.shown]))
            },
        ]
        + [(50, 0.5), (95, 0.95), (99, 0.99)].map { percent, q in
            .init(
                "shown_after_p\(percent)_s", "s", "\(percent) % of the updates shown were shown within so long (O6).",
                spread: .unknown
            ) {
                .init(ReportQuantile.seconds(q, ofLog: $0.counts[.delays]))
            }
        }
        + [
            .init("activity_views", "views", "Views of Live Activities (O6).", spread: .unknown) { .count($0.views) },
            .init("share_views_behind", "share", "Views that lacked an update, of all (O6).", spread: .unknown) {
                .init(Ratio.of($0.counts.sum(.lags), to: $0.views))
            },
            .init(
                "view_lag_mean_s", "s",
                "The mean lag behind the truth at a view: the time since the first update that it lacks, 0 if it lacks none (O6).",
                spread: .unknown
            ) {
                .init(Ratio.ofMillionths($0.counts.wide(.lagSum), to: $0.views))
            },
            .init(
                "share_time_behind", "share",
                "Time in which activities lacked an update, of all in which they were there.",
                spread: .unknown
            ) {
                .init(Ratio.of($0.counts.wide(.behindTime), to: $0.counts.wide(.presentTime)))
            },
            .init(
                "push_wake_ups", "wake-ups",
                "Pushes that reached a phone that was not in use: what they cost its battery.",
                spread: .unknown
            ) {
                .count($0.counts[.wakeUps])
            },
        ]
}
