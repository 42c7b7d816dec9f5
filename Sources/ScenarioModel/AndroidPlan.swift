import Basics
import Statistics
import WidgetPlatform

/// How a kind's provider is refreshed on Android (N1, N2, N10): it states no dates there, and has no policy (N12).
public struct AndroidRefresh: Hashable, Sendable {
    public var period: Period
    public var messages: Messages
    /// How long a tile is fresh (N13); nil if the system asks for none by itself.
    public var freshness: Duration?

    /// No tile is asked for more often by itself.
    public static let leastFreshness = Duration.minutes(1)
    /// How its jobs are tried again that fail; nil for not at all.
    public var backOff: WorkBackOff?
    /// Whether the app fetches as the provider's alarm goes off, in Doze too, where it has no network (N1).
    public var alarmFetches = false

    public enum Period: Hashable, Sendable {
        /// Nothing but messages and calls refreshes it.
        case none
        /// `updatePeriodMillis`.
        case alarm(every: Duration)
        /// An exact alarm of the app's own that goes off in Doze too.
        case idleAlarm(every: Duration)
        /// An alarm of the app's own at clock times: exact, or within a window after each.
        case clock(AlignedSchedule, isExact: Bool, window: Duration)
        /// A periodic job, so long after the end of its last run; the first may come by `flex` earlier.
        case work(every: Duration, flex: Duration)

        /// Nil for none, and for clock times.
        public var length: Duration? {
            switch self {
            case .none, .clock: nil
            case .alarm(let every), .idleAlarm(let every), .work(let every, _): every
            }
        }

        /// Whether the app sets it itself, so that it counts against its quota (N6).
        public var isOwnAlarm: Bool {
            switch self {
            case .idleAlarm, .clock: true
            case .none, .alarm, .work: false
            }
        }
    }

    /// The messages of the app's server, if the kind takes pushes.
    public struct Messages: Hashable, Sendable {
        public var isUrgent = false
        public var handler = Handler.direct
        /// Whether the push service keeps the newest alone of those that wait, and limits them for each app.
        public var areCollapsible = true
        /// Whether it stores them for a device without a connection; false for a time to live of 0.
        public var areStored = true

        public init() {}
    }

    /// The app's reaction to a message.
    public enum Handler: UInt8, CaseIterable, Sendable {
        /// It fetches at once.
        case direct
        /// It leaves the fetch to a job, or to an expedited one.
        case work, expedited
    }

    public init(
        period: Period, messages: Messages = Messages(), backOff: WorkBackOff? = nil, freshness: Duration? = nil
    ) {
        self.period = period
        self.messages = messages
        self.backOff = backOff
        self.freshness = freshness
    }
}

/// The parameters of Android (section 13): published figures, and assumptions with a range worth sweeping.
public struct AndroidParameters: Sendable {
    public var doze = DozeTimes()
    public var widgetBucket = WidgetBucket.always(.active)
    public var ages = StandbyBucket.Ages()
    public var jobs = JobLimits()
    /// N6: alarms of an app in Doze in any hour, 1 to 72, its alarms by bucket, and the share of apps on a device that
    /// may set exact ones.
    public var idleAlarms = 72
    public var alarmQuota = AlarmQuota()
    public var exactAlarmShare = 0.0
    /// Whether no bucket holds exact alarms that go off in Doze.
    public var areIdleAlarmsExempt = false
    public var messages = MessageLimits()
    /// N1, N2: seconds from an alarm's instant and from the opening of a job's window to its run.
    public var alarmDelay = Distribution.zero, jobDelay = Distribution.zero
    /// N4: seconds of a job's run.
    public var jobTime = Distribution.zero
    /// N10: the share of urgent messages that are delivered as ordinary ones.
    public var loweredShare = 0.0
    /// N11: the share of devices with a killer of the maker's own.
    public var killerShare = 0.0
    /// N3: the share of apps on a device that their person has restricted.
    public var restrictedShare = 0.0
    /// N13: the least between two requests of an app for an update of a tile.
    public var tileRequestGap = Duration.seconds(20)
    /// N1: the mean time between two updates of an app on a drawn device; nil for none.
    public var updateEvery: Duration?

    /// The bucket of an app with a placed widget (N3).
    public enum WidgetBucket: Hashable, Sendable {
        case always(StandbyBucket)
        /// That of an app without one.
        case byUse
    }

    public init() {}
}
