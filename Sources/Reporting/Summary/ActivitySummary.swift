import ResultFiles
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
    /// The pushes sent (O3).
    let sends: LoadAnalysis.Endpoint
    /// Whether pushes to a channel are among them, of which one is sent for all devices, however many there are.
    let hasChannel: Bool

    func sum(_ counts: [ActivityCount]) -> Int64 { counts.reduce(0) { $0 + self.counts[$1] } }

    var begun: Int64 { sum([.begunByPush, .begunByApp]) }
    var underWay: Int64 { sum([.accepted, .pushesCarriedIn]) }

    func views(_ state: ActivityViewState) -> Int64 {
        ActivitySurface.allCases.reduce(0) { $0 + counts[.views($1, state)] }
    }

    var views: Int64 { ActivityViewState.allCases.reduce(0) { $0 + views($1) } }
}

extension RunReport {
    /// The windows of all that is sent; nil for a run without.
    static func sendAnalysis(_ result: RunResult) -> LoadAnalysis? {
        let (plan, people) = (result.scenario.plan, result.scenario.people)
        let mostPerSecond = plan.pushSender.flatMap { PushClasses(plan, $0).mostPerSecond }
        let growsWithPeople =
            (mostPerSecond != nil || plan.pushSender?.rate == nil)
            && !(plan.live?.kinds.contains(where: \.isBroadcast) ?? false)
        return result.load.sends.map {
            LoadAnalysis(
                $0, names: plan.sendNames, people: people,
                represented: growsWithPeople ? result.scenario.report.represents : nil,
                hasSharedDraws: result.scenario.sharedDraws.contains {
                    $0.reach == .everything || $0.reach == .activities
                }, mostPerSecond: mostPerSecond)
        }
    }

    /// The pushes sent to the Live Activities of all kinds together, and of each; none for a run without any.
    static func activitySends(_ result: RunResult, _ analysis: LoadAnalysis?) -> [LoadAnalysis.Endpoint] {
        guard let live = result.scenario.plan.live, let sends = result.load.sends, let analysis else { return [] }
        let kinds = live.kinds.indices
        return [analysis.together(Array(kinds), of: sends)] + kinds.map(analysis.one)
    }
}

/// The metrics of Live Activities: of all together, and of each kind.
enum ActivitySummary {
    /// The Live Activities of all kinds together, and of each; none for a run without any.
    ///
    /// - Parameter sends: the pushes sent, of the same.
    static func figures(_ kinds: [LiveKind], _ counts: SummaryCounts, _ sends: [LoadAnalysis.Endpoint])
        -> [ActivityFigures]
    {
        if sends.isEmpty { return [] }
        var all = BlockSum<ActivityCounts>()
        let each = kinds.indices.map { kind in
            var own = BlockSum<ActivityCounts>()
            counts.addActivities(ofLiveKind: kind, to: &own)
            all.add(own)
            return own
        }
        let names = [LoadAnalysis.allName] + kinds.map(\.id)
        let haveChannel = [kinds.contains(where: \.isBroadcast)] + kinds.map(\.isBroadcast)
        return names.indices.map {
            ActivityFigures(
                name: names[$0], counts: ([all] + each)[$0], sends: sends[$0], hasChannel: haveChannel[$0])
        }
    }

    /// As thresholds name them.
    static func all(kinds: [String]) -> [KnownMetric] {
        ([SummaryScope.allParts] + kinds).flatMap { Figures.activities.known(.live, $0) }
    }

    static func rows(_ figures: [ActivityFigures], isExact: Bool) -> [SummaryRow] {
        figures.flatMap { own in
            Figures.activities.rows(own, .live, own.name, isExact: isExact).map { row in
                var row = row
                if case .ofLargest(let window) = row.spread {
                    row.setRanges(of: own.sends[window])
                } else if own.hasChannel && row.metric == Figures.sent.all[0].name {
                    row.spread = .unknown
                }
                return row
            }
        }
    }
}

extension Figures<ActivityFigures> {
    static let sent: Self = .part(
        \.counts,
        .count("pushes_sent", unit: "pushes", .sent, "Pushes that the server sent, further tries among them (O3)."))
    static let wakeUps: Self = .part(
        \.counts,
        .count(
            "push_wake_ups", unit: "wake-ups", { $0[.wakeUps] },
            "Pushes that reached a phone that was not in use: what they cost its battery."))
    static let delays: Self = .part(
        \.counts,
        [
            .shownAfter({ $0.wide(.delaySum) }, of: { $0[.shown] }),
            .quantiles(
                "shown_after", of: { $0.sum(.delays) }, { LogHistogram.quantile($1, of: $0.bins(.delays)) }
            ) {
                "\($0) of the updates shown were shown within so long (O6)."
            },
        ])

    static let activities: Self = [
        .count("activities", \.begun, "Live Activities begun in the report (O1)."), .sent,
        .each(LoadWindow.allCases) { window in
            .part(
                { $0.sends[window] },
                .sliding("send_peak_\(window.name)", "pushes", of: window.name, spread: .ofLargest(window)))
        },
        .share(
            "share_shown", { $0.counts[.shown] }, of: { $0.sum(ActivityCount.outcomes) },
            "Pushes that came to be shown, of those that have an outcome (O4–O6)."),
        .share(
            "share_over_budget", { $0.counts[.throttled] }, of: \.underWay,
            "Pushes that found their app's budget spent, of those that were under way (O5)."),
        .share(
            "share_expired", { $0.counts[.expired] }, of: \.underWay,
            "Pushes that expired for a device without a connection, of those that were under way (O4)."), .delays,
        .count("activity_views", unit: "views", \.views, "Views of Live Activities (O6)."),
        .share(
            "share_views_behind", { $0.counts.sum(.lags) }, of: \.views, "Views that lacked an update, of all (O6)."),
        .mean(
            "view_lag_mean_s", { $0.counts.wide(.lagSum) }, of: \.views,
            "The mean lag behind the truth at a view: the time since the first update that it lacks, 0 if it lacks none (O6)."
        ),
        .share(
            "share_time_behind", { $0.counts.wide(.behindTime) }, of: { $0.counts.wide(.presentTime) },
            "Time in which activities lacked an update, of all in which they were there."), .wakeUps,
    ]
}

extension Figures {
    /// - Parameter sum: microseconds.
    static func shownAfter(
        _ sum: @escaping @Sendable (Source) -> Int128, of shown: @escaping @Sendable (Source) -> Int64
    ) -> Self { mean("shown_after_mean_s", sum, of: shown, "The mean time from an update to its showing (O6).") }
}
