import Basics
import Fleet
import Statistics

/// Tables of Live Activities and of the pushes to them (O1–O6).
extension RunTable {
    private static let onlyWithLive = " The file is there only if the scenario has Live Activities."

    static let pushes: RunTable = RunTable(
        "pushes",
        "The pushes of one kind of Live Activity and one priority in one bin a row. Bins without any have no row."
            + onlyWithLive,
        [
            .bin(\.start), .liveKind(\.kind), .priority(\.priority),
            .figures(
                \.counts,
                [
                    .count(.sent, "Pushes that the server sent, further tries among them (O3)."),
                    .count(.refused, "Those that the push service refused for now."),
                    .count(.accepted, "Pushes that the push service took on for a device."),
                    .count(.shown, "Pushes shown."), .shownAfter({ Int128($0[.delay]) }, of: { $0[.shown] }),
                    .count("over_budget", .throttled, "Pushes that found their app's budget spent (O5)."),
                    .count("over_budget_dropped", .dropped, "Those of them that were dropped."),
                    .count(
                        "superseded_offline", .collapsed,
                        "Pushes that a newer one took the place of while the device was offline (O4)."),
                    .count(.superseded, "Pushes that a newer one took the place of on the device (O5, O6)."),
                    .count(.expired, "Pushes too old for a device that came online again (O4)."),
                ]),
        ]
    ) {
        (report) -> [(start: ReportInstant, kind: String, priority: PushPriority, counts: BlockSum<PushMinuteCounts>)]
        in
        let measures = report.result.measures
        let layout = measures.layout
        return report.bins(minutes: layout.pushMinutes).flatMap { start, minutes in
            report.activities.dropFirst().enumerated().flatMap { kind, figures in
                PushPriority.allCases.map { priority in
                    let places = minutes.map { layout.pushPlace(ofLiveKind: kind, priority, minute: $0) }
                    return (start, figures.name, priority, BlockSum(measures, at: places))
                }
            }
        }.filter { !$0.counts.isZero }
    }

    private static let onlyWithSends = " The file is there only if the scenario has Live Activities or a `push_sender`."

    static let pushSends: RunTable = RunTable(
        "push_sends",
        "The pushes that are sent of one sort, or of all together, and one priority in one bin a row: further tries count too, a push to a channel once. Bins without any have no row."
            + onlyWithSends,
        [
            .bin(\.start), .sort(\.name), .priority(\.priority), .sum("pushes", "Pushes sent (O3).", \.pushes),
            .sum("refused", "Those of them that the push service refused, for now or for good (O3, N10).", \.refused),
        ]
    ) { (report) -> [(start: ReportInstant, name: String, priority: PushPriority, pushes: Int64, refused: Int64)] in
        guard let sends = report.result.load.sends else { return [] }
        let names = report.result.scenario.plan.sendNames
        let sorts = [(LoadAnalysis.allName, names.indices)] + names.indices.map { (names[$0], $0..<$0 + 1) }
        return report.bins(minutes: sends.minutes).flatMap { start, minutes in
            sorts.flatMap { name, sorts in
                PushPriority.allCases.map { priority in
                    func sum(isRefused: Bool) -> Int64 {
                        let cause = SendCause.ordinal(priority, isRefused: isRefused)
                        return sorts.reduce(0) { sum, sort in
                            sends.minutes(of: sort, region: 0, cause: cause)[minutes].reduce(sum) { $0 + Int64($1) }
                        }
                    }
                    let refused = sum(isRefused: true)
                    return (start, name, priority, sum(isRefused: false) + refused, refused)
                }
            }
        }.filter { $0.pushes > 0 }
    }

    private typealias PushWindow = (name: String, load: WindowLoad, sliding: PeakFigures?)

    private static func pushes(
        _ name: String, _ meaning: String, _ quantile: LoadQuantile,
        _ draw: @escaping @Sendable (WindowLoad) -> LoadRedraw?
    ) -> Columns<PushWindow> {
        .derived("\(name)_\(quantile.rawValue)_pushes", unit: "pushes", meaning) {
            draw($0.load).map { Double($0[quantile]) }
        }
    }

    static let pushPeaks: RunTable = RunTable(
        "push_peaks",
        "The windows of one width of what is sent of one sort, or of all together, a row." + onlyWithSends,
        [
            .sort(\.name), .window(\.load.width),
            .peak("sliding", .sliding("sliding_peak_pushes", "pushes"), of: \.load, \.sliding) {
                $0.start.time
            },
            .derived("mean_pushes", unit: "pushes", "The mean number in an aligned window.", \.load.mean),
            pushes(
                "redraw",
                "The largest window of another draw of the fleet has fewer with a probability of 2.5 %; empty behind a service, for recorded people, and for a sort beside which others are sent.",
                .p2_5, \.redraw), pushes("redraw", "More with a probability of 2.5 %.", .p97_5, \.redraw),
            pushes(
                "represented",
                "The largest window of all people that those of the run stand for (`report.represents`) has at most so many in half of the draws; empty without them, where one push to a channel serves all, where a limited sender has pushes that come one by one, and for a sort beside which others are sent.",
                .p50, \.represented),
            pushes(
                "represented", "In a draw of all of them there are fewer with a probability of 2.5 %.", .p2_5,
                \.represented), pushes("represented", "More with a probability of 2.5 %.", .p97_5, \.represented),
        ]
    ) { (report) -> [PushWindow] in
        report.sends.flatMap { sends in
            sends.windows.map { load in
                (sends.name, load, load.sliding.map { PeakFigures($0, width: load.width, report) })
            }
        }
    }

    static let liveActivities: RunTable = RunTable(
        "live_activities",
        "The Live Activities of one kind a row: begun and carried in are ended by the person, removed and carried out; pushes accepted and carried in have an outcome or are carried out."
            + onlyWithLive,
        [
            .liveKind(\.name),
            .figures(
                \.counts,
                [
                    .count(.begunByPush, "Activities begun by a push (O1)."),
                    .count(.begunByApp, "Activities begun by the app (O1)."),
                    .count(.carriedIn, "Activities that were there as the report began."),
                    .count(.endedByEvent, "Activities that ended with their event (O2)."),
                    .count(.endedByTime, "Activities that were active as long as they may be (O2)."),
                    .count(.dismissedActive, "Activities that the person removed while they were active (O2)."),
                    .count(.dismissedEnded, "Activities that the person removed after their end (O2)."),
                    .count(.removed, "Activities that the system took off the lock screen (O2)."),
                    .count(.carriedOut, "Activities that were there as the report ended."),
                ]), .figures(.sent),
            .figures(
                \.counts,
                [
                    .count("pushes_refused", .refused, "Tries that the push service refused for now (O3)."),
                    .count("pushes_given_up", .givenUp, "Pushes that were refused as often as they may be tried (O3)."),
                    .count(
                        "pushes_unregistered", .unregistered,
                        "Tries for an activity that was there no longer, after which its server sends no more (O3)."),
                    .count("pushes_accepted", .accepted, "Pushes that the push service took on for a device (O4)."),
                    .count(.pushesCarriedIn, "Pushes accepted before the report that were under way."),
                    .count("pushes_shown", .shown, "Pushes shown (O6)."),
                    .count(
                        "pushes_superseded_offline", .collapsed, "Pushes replaced while the device was offline (O4)."),
                    .count("pushes_superseded", .superseded, "Pushes replaced on the device (O5, O6)."),
                    .count("pushes_expired", .expired, "Pushes too old for a device that came online again (O4)."),
                    .count("pushes_over_budget_dropped", .dropped, "Pushes dropped because the budget was spent (O5)."),
                    .count("pushes_too_late", .tooLate, "Pushes that came when the activity had ended (O2)."),
                    .count(
                        "starts_refused", .startRefused,
                        "Beginnings by push beyond the day's limit, or beyond that of active ones at once (O1)."),
                    .count(.pushesCarriedOut, "Pushes accepted and under way as the report ended."),
                    .count("pushes_over_budget", .throttled, "Pushes of priority 10 that found no budget (O5)."),
                    .count("pushes_shown_late", .shownLate, "Those of them that were shown later."),
                    .amount("waits_for_budget_s", "s", .tokenWaitSum, "How long these had waited, together."),
                ]), .figures(.wakeUps.named("wake_ups")),
            .figures(
                \.counts,
                [
                    .amount("present_s", "s", .presentTime, "Time in which activities were there."),
                    .amount("behind_s", "s", .behindTime, "The part of it in which they lacked an update (O6)."),
                ]), .figures(.delays),
        ]
    ) { (report) -> [ActivityFigures] in Array(report.activities.dropFirst()) }

    static let liveViews: RunTable = RunTable(
        "live_views", "The views of Live Activities of one kind in one place and one state a row (O6)." + onlyWithLive,
        [
            .liveKind(\.figures.name),
            .word("surface", "Where", rest: ". The island is seen at every pickup that begins a session.", \.surface),
            .key(
                "state",
                "`current`: nothing is lacking; `behind`: an update is; `marked_stale`: the system marks it, whether one is lacking or not."
            ) { $0.state.name }, .sum("views", "Views.") { $0.figures.counts[.views($0.surface, $0.state)] },
        ]
    ) { (report) -> [(figures: ActivityFigures, surface: ActivitySurface, state: ActivityViewState)] in
        report.activities.dropFirst().flatMap { figures in
            ActivitySurface.allCases.flatMap { surface in ActivityViewState.allCases.map { (figures, surface, $0) } }
        }
    }
}

extension Columns {
    fileprivate static func liveKind(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("kind", "The kind of Live Activity.", value)
    }

    fileprivate static func sort(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key(
            "sort",
            "The sort of push: those to a kind of Live Activity, by its name, or `widgets of <app>`; `\(LoadAnalysis.allName)` for all together.",
            value)
    }

    fileprivate static func priority(_ value: @escaping @Sendable (Row) -> PushPriority) -> Self {
        .key("priority", "The priority of the push: `10` or `5` (O5).") { Int64(value($0).number) }
    }
}
