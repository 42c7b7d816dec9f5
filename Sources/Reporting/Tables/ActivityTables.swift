import ResultFiles
import Basics
import Fleet
import Statistics

/// Tables of Live Activities and of the pushes to them (O1–O6).
extension RunTable {
    private static let onlyWithLive = " The file is there only if the scenario has Live Activities."

    static let pushes = RunTable(
        "pushes",
        "The pushes of one kind of Live Activity and one priority in one bin a row. Bins without any have no row."
            + onlyWithLive,
        [
            .bin(\.start), .liveKind(\.kind),
            .priority(\.priority),
            .minute("sent", "Pushes that the server sent, further tries among them (O3).", .sent),
            .minute("refused", "Those that the push service refused for now.", .refused),
            .minute("accepted", "Pushes that the push service took on for a device.", .accepted),
            .minute("shown", "Pushes shown.", .shown),
            .derived("shown_after_mean_s", unit: "s", "The mean time from their updates to their showing.") {
                Ratio.ofMillionths(Int128($0.counts[.delay]), to: $0.counts[.shown])
            },
            .minute("over_budget", "Pushes that found their app's budget spent (O5).", .throttled),
            .minute("over_budget_dropped", "Those of them that were dropped.", .dropped),
            .minute(
                "superseded_offline", "Pushes that a newer one took the place of while the device was offline (O4).",
                .collapsed),
            .minute("superseded", "Pushes that a newer one took the place of on the device (O5, O6).", .superseded),
            .minute("expired", "Pushes too old for a device that came online again (O4).", .expired),
        ]
    ) { (report, add: Table<PushBin>.RowSink) throws(OutputProblem) in
        let layout = report.result.measures.layout
        for (start, minutes) in report.bins(minutes: layout.pushMinutes) {
            var instant: ReportInstant?
            for kind in 0..<layout.liveKinds {
                for priority in PushPriority.allCases {
                    let counts = BlockSum<PushMinuteCounts>(
                        report.result.measures,
                        at: minutes.map { layout.pushPlace(ofLiveKind: kind, priority, minute: $0) })
                    if counts.isZero { continue }
                    let at = instant ?? report.instant(after: start)
                    instant = at
                    try add(
                        PushBin(start: at, kind: report.activities[kind + 1].name, priority: priority, counts: counts))
                }
            }
        }
    }

    private static let onlyWithSends = " The file is there only if the scenario has Live Activities or a `push_sender`."

    static let pushSends = RunTable(
        "push_sends",
        "The pushes that are sent of one sort, or of all together, and one priority in one bin a row: further tries count too, a push to a channel once. Bins without any have no row."
            + onlyWithSends,
        [
            .bin(\.start), .sort(\.name), .priority(\.priority),
            .sum("pushes", "Pushes sent (O3).", \.pushes),
            .sum("refused", "Those of them that the push service refused, for now or for good (O3, N10).", \.refused),
        ]
    ) { (report, add: Table<PushSends>.RowSink) throws(OutputProblem) in
        guard let sends = report.result.load.sends else { return }
        let names = report.result.scenario.plan.sendNames
        for (start, minutes) in report.bins(minutes: sends.minutes) {
            var instant: ReportInstant?
            for (name, sorts) in [(LoadAnalysis.allName, names.indices)]
                + names.indices.map({ (names[$0], $0..<$0 + 1) })
            {
                for priority in PushPriority.allCases {
                    func sum(isRefused: Bool) -> Int64 {
                        let cause = SendCause.ordinal(priority, isRefused: isRefused)
                        return sorts.reduce(0) { sum, sort in
                            sends.minutes(of: sort, region: 0, cause: cause)[minutes].reduce(sum) { $0 + Int64($1) }
                        }
                    }
                    let (accepted, refused) = (sum(isRefused: false), sum(isRefused: true))
                    if accepted + refused == 0 { continue }
                    let at = instant ?? report.instant(after: start)
                    instant = at
                    try add(
                        PushSends(
                            start: at, name: name, priority: priority, pushes: accepted + refused, refused: refused))
                }
            }
        }
    }

    static let pushPeaks = RunTable(
        "push_peaks",
        "The windows of one width of what is sent of one sort, or of all together, a row." + onlyWithSends,
        [
            .sort(\.name),
            .window(\.load.width),
            .derived(
                "sliding_peak_pushes", unit: "pushes",
                "Pushes in the largest window, which begins at any tenth of a second.", \.sliding?.requests),
            .derived(
                "sliding_peak_per_s", unit: "1/s", "The same for each second of the window.", \.sliding?.perSecond),
            .derived("sliding_start_s", unit: "s", "Its start, from the start of the report; the earliest on a tie.") {
                $0.sliding.map { Millionths($0.start.time.microseconds) }
            },
            .clocks(of: "sliding_start", ofOptional: \.sliding?.start),
            .derived("mean_pushes", unit: "pushes", "The mean number in an aligned window.", \.load.mean),
            .derived(
                "redraw_p2_5_pushes", unit: "pushes",
                "The largest window of another draw of the fleet has fewer with a probability of 2.5 %; empty behind a service, for recorded people, and for one sort of several."
            ) { $0.redraw?.low },
            .derived("redraw_p97_5_pushes", unit: "pushes", "More with a probability of 2.5 %.") { $0.redraw?.high },
        ]
    ) { (report, add: Table<PushPeak>.RowSink) throws(OutputProblem) in
        for figures in report.sends {
            for load in figures.windows.windows {
                try add(
                    PushPeak(
                        name: figures.name, load: load,
                        sliding: load.sliding.map { PeakFigures($0, width: load.width, report) },
                        redraw: figures.redraw(load.width)))
            }
        }
    }

    static let liveActivities = RunTable(
        "live_activities",
        "The Live Activities of one kind a row: begun and carried in are ended by the person, removed and carried out; pushes accepted and carried in have an outcome or are carried out."
            + onlyWithLive,
        [
            .liveKind(\.name),
            .activity("begun_by_push", "Activities begun by a push (O1).", .begunByPush),
            .activity("begun_by_app", "Activities begun by the app (O1).", .begunByApp),
            .activity("carried_in", "Activities that were there as the report began.", .carriedIn),
            .activity("ended_by_event", "Activities that ended with their event (O2).", .endedByEvent),
            .activity("ended_by_time", "Activities that were active as long as they may be (O2).", .endedByTime),
            .activity(
                "dismissed_active", "Activities that the person removed while they were active (O2).", .dismissedActive),
            .activity("dismissed_ended", "Activities that the person removed after their end (O2).", .dismissedEnded),
            .activity("removed", "Activities that the system took off the lock screen (O2).", .removed),
            .activity("carried_out", "Activities that were there as the report ended.", .carriedOut),
            .activity("pushes_sent", "Pushes sent, further tries among them (O3).", .sent),
            .activity("pushes_refused", "Tries that the push service refused for now (O3).", .refused),
            .activity("pushes_given_up", "Pushes that were refused as often as they may be tried (O3).", .givenUp),
            .activity(
                "pushes_unregistered",
                "Tries for an activity that was there no longer, after which its server sends no more (O3).",
                .unregistered),
            .activity("pushes_accepted", "Pushes that the push service took on for a device (O4).", .accepted),
            .activity("pushes_carried_in", "Pushes accepted before the report that were under way.", .pushesCarriedIn),
            .activity("pushes_shown", "Pushes shown (O6).", .shown),
            .activity("pushes_superseded_offline", "Pushes replaced while the device was offline (O4).", .collapsed),
            .activity("pushes_superseded", "Pushes replaced on the device (O5, O6).", .superseded),
            .activity("pushes_expired", "Pushes too old for a device that came online again (O4).", .expired),
            .activity("pushes_over_budget_dropped", "Pushes dropped because the budget was spent (O5).", .dropped),
            .activity("pushes_too_late", "Pushes that came when the activity had ended (O2).", .tooLate),
            .activity(
                "starts_refused",
                "Beginnings by push beyond the day's limit, or beyond that of active ones at once (O1).", .startRefused),
            .activity("pushes_carried_out", "Pushes accepted and under way as the report ended.", .pushesCarriedOut),
            .activity("pushes_over_budget", "Pushes of priority 10 that found no budget (O5).", .throttled),
            .activity("pushes_shown_late", "Those of them that were shown later.", .shownLate),
            .sum("waits_for_budget_s", unit: "s", "How long these had waited, together.") {
                Millionths($0.counts.wide(.tokenWaitSum))
            },
            .activity("wake_ups", "Pushes that reached a phone that was not in use.", .wakeUps),
            .sum("present_s", unit: "s", "Time in which activities were there.") {
                Millionths($0.counts.wide(.presentTime))
            },
            .sum("behind_s", unit: "s", "The part of it in which they lacked an update (O6).") {
                Millionths($0.counts.wide(.behindTime))
            },
            .derived("shown_after_mean_s", unit: "s", "The mean time from an update to its showing.") {
                Ratio.ofMillionths($0.counts.wide(.delaySum), to: $0.counts[.shown])
            },
            .several(
                [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].map { name, q in
                    .derived(
                        "shown_after_\(name)_s", unit: "s",
                        "The share \(q) of the updates shown were shown within so long."
                    ) { ReportQuantile.seconds(q, ofLog: $0.counts[.delays]) }
                }),
        ]
    ) { (report, add: Table<ActivityFigures>.RowSink) throws(OutputProblem) in
        for figures in report.activities.dropFirst() { try add(figures) }
    }

    static let liveViews = RunTable(
        "live_views", "The views of Live Activities of one kind in one place and one state a row (O6)." + onlyWithLive,
        [
            .liveKind(\.kind),
            .key(
                "surface",
                "Where: " + ReportWords.listed(ActivitySurface.allCases.map(\.name))
                    + ". The island is seen at every pickup that begins a session."
            ) { $0.surface.name },
            .key(
                "state",
                "`current`: nothing is lacking; `behind`: an update is; `marked_stale`: the system marks it, whether one is lacking or not."
            ) { $0.state.name },
            .sum("views", "Views.", \.views),
        ]
    ) { (report, add: Table<ActivityViews>.RowSink) throws(OutputProblem) in
        for figures in report.activities.dropFirst() {
            for surface in ActivitySurface.allCases {
                for state in ActivityViewState.allCases {
                    try add(
                        ActivityViews(
                            kind: figures.name, surface: surface, state: state,
                            views: figures.counts[.views(state, on: surface)]))
                }
            }
        }
    }
}

/// The pushes of one kind and priority in a bin.
struct PushBin: Sendable {
    let start: ReportInstant
    let kind: String
    let priority: PushPriority
    let counts: BlockSum<PushMinuteCounts>
}

/// The pushes sent of one sort and priority in a bin.
struct PushSends: Sendable {
    let start: ReportInstant
    let name: String
    let priority: PushPriority
    let pushes, refused: Int64
}

struct PushPeak: Sendable {
    let name: String
    let load: WindowLoad
    let sliding: PeakFigures?
    let redraw: SamplingRange?
}

struct ActivityViews: Sendable {
    let kind: String
    let surface: ActivitySurface
    let state: ActivityViewState
    let views: Int64
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

extension Columns<ActivityFigures> {
    fileprivate static func activity(_ name: String, _ meaning: String, _ count: ActivityCount) -> Self {
        .sum(name, meaning) { $0.counts[count] }
    }
}

extension Columns<PushBin> {
    fileprivate static func minute(_ name: String, _ meaning: String, _ count: PushMinuteCount) -> Self {
        .sum(name, meaning) { $0.counts[count] }
    }
}
