import Basics
import DeviceStorage
import WidgetPlatform

/// The refreshes of one provider on an Android device: of all instances of a kind together (N1).
struct ProviderState: BitwiseCopyable {
    /// From when its periods count; `never` before it has an instance.
    var anchor: Instant = .never
    /// When its period next asks for a refresh; `never` while a job of it waits.
    var dueAt: Instant = .never
    /// When its last job ended; of none, when the content that was there was fetched.
    var jobEnd: Instant = .never
    /// Draws of periods so far, and jobs run.
    var periods: UInt64 = 0
    var jobs: UInt64 = 0

    // Jobs that are tried again if they fail (N2).

    /// When the job that ran last was asked for; `never` if it is not tried again, or has failed already.
    var jobSince: Instant = .never
    /// Whether it was the periodic one, and whether it was expedited.
    var jobIsPeriodic = false
    var jobIsExpedited = false
    /// Failures in a row, when the next try is asked for, `never` if none waits, and by which cause: the job's.
    var failures = 0
    var retryAt: Instant = .never
    var retryCause = ReloadCause.after

    /// When a call of the app from the background was asked for last, and by which cause: it is asked for once.
    var calledAt: Instant = .longAgo
    var calledCause = ReloadCause.after

    /// A refresh that was asked for.
    struct Refresh: BitwiseCopyable {
        var means: RefreshMeans
        var cause: ReloadCause
        /// Whether it is the periodic job, or has taken that in.
        var isPeriodic: Bool
        /// Whether it is a further try.
        var isRetry: Bool
        var since: Instant
    }

    /// The refresh that waits; nil for none.
    var waiting: Refresh?
    /// A job or message beside an alarm that waits, which waits on if that runs without a connection (N2).
    var beside: Refresh?
    /// The gates that were closed as it was looked at last, those that ever were, and up to when waits are booked.
    var closed = AndroidGateSet()
    var everClosed = AndroidGateSet()
    var bookedAt: Instant = .longAgo
    /// When a gate opens by itself; `never` if only an event opens it.
    var opensAt: Instant = .never
    /// The bucket of its app as the refresh was looked at last.
    var bucket = StandbyBucket.active

    var isPending: Bool { waiting != nil }

    /// When it does something next by itself.
    var nextAt: Instant { min(min(dueAt, retryAt), isPending ? opensAt : .never) }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&anchor)
        coder.code(&dueAt)
        coder.code(&jobEnd)
        coder.code(&periods)
        coder.code(&jobs)
        coder.code(&jobSince)
        coder.code(&jobIsPeriodic)
        coder.code(&jobIsExpedited)
        coder.code(&failures, in: 0...Int(Int32.max), "failures without an end")
        coder.code(&retryAt)
        coder.code(&retryCause)
        if !coder.holds(retryCause.isBackground, "a further try of no background cause") { retryCause = .after }
        Self.code(&waiting, &coder)
        Self.code(&beside, &coder)
        if !isPending { return }
        coder.code(&bookedAt)
        coder.code(&opensAt)
        coder.code(&bucket)
        var (closed, everClosed) = (closed.rawValue, everClosed.rawValue)
        coder.code(&closed)
        coder.code(&everClosed)
        if Coder.isReading {
            (self.closed, self.everClosed) = (AndroidGateSet(rawValue: closed), AndroidGateSet(rawValue: everClosed))
        }
        let hasBegun = bookedAt <= coder.base
        _ = coder.holds(hasBegun, "a wait that is still to begin")
    }

    private static func code<Coder: StateCoder>(_ refresh: inout Refresh?, _ coder: inout Coder) {
        var isThere = refresh != nil
        coder.code(&isThere)
        if !isThere { return }
        var read = refresh ?? Refresh(means: .work, cause: .after, isPeriodic: false, isRetry: false, since: .start)
        coder.code(&read.means)
        coder.code(&read.cause)
        if !coder.holds(read.cause.isBackground, "a refresh of no background cause") { read.cause = .after }
        coder.code(&read.isPeriodic)
        coder.code(&read.isRetry)
        coder.code(&read.since)
        let hasBegun = read.since <= coder.base
        _ = coder.holds(hasBegun, "a wait that is still to begin")
        if Coder.isReading { refresh = read }
    }
}

/// The use that an app on an Android device has made of its limits (N3–N6, N10).
struct JobState: BitwiseCopyable {
    var jobs = JobLog()
    var expedited = JobLog()
    var idleAlarms = AlarmLog()
    /// Alarms of its own that count against the quota of its bucket.
    var alarms = AlarmLog()
    /// When a job and an alarm of the app ran last.
    var lastJob: Instant = .longAgo
    var lastAlarm: Instant = .longAgo
    var lastUse: Instant = .start
    /// How long the screen had been on then.
    var screenAtUse = Duration.zero
    var messages = MessageState()
    /// When the next update of the app comes; `never` for none, or while one waits to be installed.
    var updateAt: Instant = .never
    var updates: UInt64 = 0
    var isUpdateWaiting = false

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ limit: HourlyPushLimit) {
        Self.code(&jobs, &coder)
        Self.code(&expedited, &coder)
        Self.code(&idleAlarms, &coder)
        Self.code(&alarms, &coder)
        coder.code(&lastJob)
        coder.code(&lastAlarm)
        coder.code(&lastUse)
        coder.code(&screenAtUse)
        coder.code(&updateAt)
        coder.code(&updates)
        coder.code(&isUpdateWaiting)
        messages.code(&coder, limit)
    }

    private static func code<Coder: StateCoder>(_ log: inout AlarmLog, _ coder: inout Coder) {
        var count = log.count
        coder.code(&count, in: 0...AlarmLog.most, "more alarms than are remembered")
        var read = AlarmLog()
        for place in 0..<count {
            var time = Coder.isReading ? Instant.start : log.time(place)
            coder.code(&time)
            read.restore(time)
        }
        if Coder.isReading { log = read }
    }

    private static func code<Coder: StateCoder>(_ log: inout JobLog, _ coder: inout Coder) {
        var count = log.count
        coder.code(&count, in: 0...JobLog.most, "more runs than are remembered")
        var read = JobLog()
        for place in 0..<count {
            var (from, to) = Coder.isReading ? (Instant.start, Instant.start) : log.run(place)
            coder.code(&from)
            coder.code(&to, near: from)
            if !coder.holds(from > .longAgo && to < .never && from <= to, "a run of no time") {
                (from, to) = (.start, .start)
            }
            read.restore(from: from, to: to)
        }
        if Coder.isReading { log = read }
    }
}
