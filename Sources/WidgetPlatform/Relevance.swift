import Basics

/// The sorts of places that clues of relevance tell apart (V7).
public enum Stay: UInt8, CaseIterable, Sendable, BitwiseCopyable { case home, work, elsewhere }

/// How relevant a kind's provider says its entries are (V3): the scores by which the system turns a stack. An entry has
/// the highest score of what holds, and `base` if nothing does.
///
/// A provider knows what the content that it fetched knows: hours of the day, events of its calendar, and that the
/// latest timeline brought a new version.
public struct RelevanceRule: Hashable, Sendable {
    /// The score of an entry with nothing to say for it; 0 or less never turns the stack to it.
    public var base = 0.0
    /// After a timeline that brought a new version.
    public var newVersion: TimedScore?
    /// While an event of the content's source is on: a game, or the session of an exchange.
    public var event: Double?
    /// In hours of the local clock.
    public var hours: [Hours] = []

    /// By what the person does as the Smart Stack of a watch is opened; it counts nowhere else (V7).
    public var clues = Clues()

    /// Scores by circumstances; nil for those that say nothing.
    public struct Clues: Hashable, Sendable {
        public var home, work, elsewhere, workout: Double?
        public var bedtime: Bedtime?

        public init() {}
    }

    /// Around the usual hours of sleep.
    public struct Bedtime: Hashable, Sendable {
        public var score: Double
        /// From how long before the usual onset of sleep to how long after the usual wake-up it holds, each up to 12
        /// hours.
        public var before, after: Duration

        public static let never = Bedtime(score: 0, before: .zero, after: .zero)

        /// Whether it holds at a local time, by the usual hours of the date's kind.
        public func holds(at local: LocalTime, _ usual: UsualWaking) -> Bool {
            let window = local.date.isWorkday ? usual.workday : usual.freeDay
            let day = ClockTime.microsecondsPerDay
            let span = before.microseconds + day - window.length.microseconds + after.microseconds
            let since = local.clock.microseconds - window.to.microseconds + before.microseconds
            return span >= day || (since % day + day) % day < span
        }
    }

    /// The circumstances in which a Smart Stack is opened.
    public struct Circumstances {
        public var stay: Stay
        public var isWorkout: Bool
        public var usual: UsualWaking

        public init(stay: Stay, isWorkout: Bool, usual: UsualWaking) {
            (self.stay, self.isWorkout, self.usual) = (stay, isWorkout, usual)
        }
    }

    public struct TimedScore: Hashable, Sendable {
        public var score: Double
        public var duration: Duration

        public init(score: Double, duration: Duration) { (self.score, self.duration) = (score, duration) }
    }

    public struct Hours: Hashable, Sendable {
        /// From one clock time to another, which is not included; over midnight if it is not later. The weekday is that
        /// of the beginning.
        public var span: ClockSpan
        /// Bit 0 Monday … bit 6 Sunday.
        public var weekdays: UInt8
        public var score: Double

        public init(span: ClockSpan, weekdays: UInt8, score: Double) {
            (self.span, self.weekdays, self.score) = (span, weekdays, score)
        }

        /// Whether the hours hold at a local time.
        public func hold(at local: LocalTime) -> Bool {
            let isOver = span.from >= span.to
            if !isOver { return span.from <= local.clock && local.clock < span.to && includes(local.date) }
            return (local.clock >= span.from && includes(local.date))
                || (local.clock < span.to && includes(local.date.advanced(by: -1)))
        }

        private func includes(_ date: CivilDate) -> Bool { weekdays & (1 << UInt8(date.weekday)) != 0 }
    }

    /// Never relevant.
    public static let none = RelevanceRule()

    /// The score at an instant.
    ///
    /// - Parameters:
    ///   - newSince: when the latest timeline that brought a new version came; `longAgo` for none.
    ///   - isEventOn: whether an event of the source is on, as far as the content knows.
    ///   - circumstances: what clues are about; nil where they do not count.
    @inlinable @inline(__always) public func score(
        at instant: Instant, local: LocalTime, newSince: Instant, isEventOn: Bool,
        in circumstances: Circumstances? = nil
    ) -> Double {
        var score: Double?
        func holds(_ candidate: Double) { score = max(score ?? candidate, candidate) }
        if let newVersion, newSince > .longAgo, instant - newSince <= newVersion.duration { holds(newVersion.score) }
        if let event, isEventOn { holds(event) }
        for span in hours where span.hold(at: local) { holds(span.score) }
        if let circumstances {
            let stay =
                switch circumstances.stay {
                case .home: clues.home
                case .work: clues.work
                case .elsewhere: clues.elsewhere
                }
            if let stay { holds(stay) }
            if circumstances.isWorkout, let workout = clues.workout { holds(workout) }
            if let bedtime = clues.bedtime, bedtime.holds(at: local, circumstances.usual) { holds(bedtime.score) }
        }
        return score ?? base
    }
}
