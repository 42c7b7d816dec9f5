import Basics
import Statistics

/// Where the counts of Live Activities go: facts of the reported span alone.
struct ActivityCounting {
    private let cells: UnsafeMutablePointer<Int64>
    private let layout: MeasureLayout
    private let sends: LoadBuffer?
    private let from, end: Instant

    init(_ measures: RunMeasures, _ sends: LoadBuffer?, from: Instant, end: Instant) {
        cells = measures.cells
        layout = measures.layout
        self.sends = sends
        self.from = from
        self.end = end
    }

    private func block(_ kind: Int) -> CountBlock<ActivityCounts> {
        CountBlock(cells, at: layout.place(ofLiveKind: kind))
    }

    private func reports(_ instant: Instant) -> Bool { instant >= from && instant < end }

    func count(_ what: ActivityCount, _ kind: Int, at now: Instant) {
        if reports(now) { block(kind)[what] += 1 }
    }

    func count(_ what: ActivityCount, _ push: ActivityPush, at now: Instant, minute: PushMinuteCount) {
        guard reports(now) else { return }
        block(push.kind)[what] += 1
        self.minute(push, now)[minute] += 1
    }

    private func minute(_ push: ActivityPush, _ now: Instant) -> CountBlock<PushMinuteCounts> {
        minute(push.kind, push.isHigh ? .high : .low, now)
    }

    private func minute(_ kind: Int, _ priority: PushPriority, _ now: Instant) -> CountBlock<PushMinuteCounts> {
        let minute = Int((now - from).microseconds / Duration.minutes(1).microseconds)
        return CountBlock(cells, at: layout.pushPlace(ofLiveKind: kind, priority, minute: minute))
    }

    /// The server tries a push.
    func countSending(_ push: ActivityPush, isRefused: Bool, at now: Instant) {
        countSendings(ofKind: push.kind, isHigh: push.isHigh, isRefused: isRefused, at: now)
    }

    func countSendings(ofKind kind: Int, isHigh: Bool, isRefused: Bool = false, at now: Instant) {
        guard reports(now) else { return }
        block(kind)[.sent] += 1
        let priority: PushPriority = isHigh ? .high : .low
        minute(kind, priority, now)[.sent] += 1
        sends?.count(
            endpoint: kind, region: 0, cause: SendCause.ordinal(priority, isRefused: isRefused),
            tenth: Int((now - from).microseconds / 100_000))
    }

    /// An accepted push has its outcome.
    func close(_ push: ActivityPush, _ outcome: ActivityCount, at now: Instant) {
        guard reports(now) else { return }
        if push.acceptedAt < from { block(push.kind)[.pushesCarriedIn] += 1 }
        block(push.kind)[outcome] += 1
        let minute = minute(push, now)
        switch outcome {
        case .collapsed: minute[.collapsed] += 1
        case .superseded: minute[.superseded] += 1
        case .expired: minute[.expired] += 1
        case .dropped: minute[.dropped] += 1
        case .shown:
            let delay = now - push.truthAt
            minute[.shown] += 1
            minute[.delay] += delay.microseconds
            block(push.kind)[.delays[LogHistogram.bin(of: delay)]] += 1
            block(push.kind).add(delay.microseconds, to: .delaySum)
        default: break
        }
    }

    /// A push is under way as the run ends.
    func countAtEnd(_ push: ActivityPush) {
        if push.acceptedAt < from { block(push.kind)[.pushesCarriedIn] += 1 }
        block(push.kind)[.pushesCarriedOut] += 1
    }

    func countAtEnd(_ what: ActivityCount, _ kind: Int) { block(kind)[what] += 1 }

    /// A push is shown that has waited for a token.
    func countLate(_ push: ActivityPush, at now: Instant) {
        guard reports(now) else { return }
        block(push.kind)[.shownLate] += 1
        block(push.kind).add((now - push.throttledAt).microseconds, to: .tokenWaitSum)
    }

    func count(_ view: ActivityView, on surface: ActivitySurface, _ kind: Int, at now: Instant) {
        guard reports(now) else { return }
        block(kind)[.views(surface, view.state)] += 1
        guard let lag = view.lag else { return }
        block(kind).add(lag.microseconds, to: .lagSum)
        block(kind)[.lags[LogHistogram.bin(of: lag)]] += 1
    }

    /// An activity goes, or is there as the run ends.
    func countPresence(_ activity: LiveActivity, until: Instant) {
        guard until >= from else { return }
        if activity.begunAt < from { block(activity.kind)[.carriedIn] += 1 }
        let since = max(activity.begunAt, from)
        block(activity.kind).add((min(until, end) - since).microseconds, to: .presentTime)
    }

    func countBehind(from since: Instant, to until: Instant, _ kind: Int) {
        let (since, until) = (max(since, from), min(until, end))
        if since < until { block(kind).add((until - since).microseconds, to: .behindTime) }
    }
}
