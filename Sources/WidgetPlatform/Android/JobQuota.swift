import Basics

/// So much run time in any span of a window (N4, N5).
public struct RunTimeLimit: Hashable, Sendable, BitwiseCopyable {
    public var time, window: Duration

    public init(_ time: Duration, in window: Duration) { (self.time, self.window) = (time, window) }
}

/// The limits of jobs and of expedited work, by bucket (N4, N5). All can be changed from afar: each is a key.
public struct JobLimits: Hashable, Sendable, BitwiseCopyable {
    public var active = RunTimeLimit(.minutes(20), in: .hours(1))
    public var workingSet = RunTimeLimit(.minutes(10), in: .hours(4))
    public var frequent = RunTimeLimit(.minutes(10), in: .hours(12))
    public var rare = RunTimeLimit(.minutes(10), in: .hours(24))
    /// Runs that may begin in any minute, and in any hour in bucket `active`.
    public var runsOfMinute = 20
    public var runsOfHour = 75
    /// Sessions of runs in the window of each bucket.
    public var sessionsActive = 75
    public var sessionsWorkingSet = 10
    public var sessionsFrequent = 8
    public var sessionsRare = 3
    /// Those of expedited work, in any 24 hours.
    public var expeditedActive = Duration.minutes(30)
    public var expeditedWorkingSet = Duration.minutes(15)
    public var expeditedFrequent = Duration.minutes(10)
    public var expeditedRare = Duration.minutes(10)
    public var expeditedRestricted = Duration.minutes(5)
    /// The time between two jobs of an app in bucket `restricted`.
    public static let restrictedGap = Duration.hours(24)

    public init() {}

    /// Nil for bucket `restricted`, in which jobs are counted and not timed.
    public func jobs(in bucket: StandbyBucket) -> RunTimeLimit? {
        switch bucket {
        case .active: active
        case .workingSet: workingSet
        case .frequent: frequent
        case .rare: rare
        case .restricted: nil
        }
    }

    /// Nil for bucket `restricted`.
    public func sessions(in bucket: StandbyBucket) -> Int? {
        switch bucket {
        case .active: sessionsActive
        case .workingSet: sessionsWorkingSet
        case .frequent: sessionsFrequent
        case .rare: sessionsRare
        case .restricted: nil
        }
    }

    /// The first instant from `now` on at which a job of an app may begin in a bucket by its run time, by how many
    /// have begun, and by their sessions.
    public func opening(of log: JobLog, from now: Instant, in bucket: StandbyBucket) -> Instant {
        guard let limit = jobs(in: bucket), let sessions = sessions(in: bucket) else { return now }
        var at = now
        while true {
            var next = log.opening(from: log.opening(from: at, limit), fewerThan: runsOfMinute, in: .minutes(1))
            if bucket == .active { next = log.opening(from: next, fewerThan: runsOfHour, in: .hours(1)) }
            next = log.opening(from: next, fewerSessionsThan: sessions, in: limit.window)
            if next == at || next == .never { return next }
            at = next
        }
    }

    public func expedited(in bucket: StandbyBucket) -> RunTimeLimit {
        let time =
            switch bucket {
            case .active: expeditedActive
            case .workingSet: expeditedWorkingSet
            case .frequent: expeditedFrequent
            case .rare: expeditedRare
            case .restricted: expeditedRestricted
            }
        return RunTimeLimit(time, in: .hours(24))
    }
}

/// When the jobs of one app on a device ran lately: the run time in a sliding window, exactly.
///
/// It remembers `most` runs. Beyond that the two oldest count as one that ended with the later of them, so that their
/// time leaves the window late and never early.
public struct JobLog: Sendable, BitwiseCopyable {
    public static let most = 80
    /// A run that begins so soon after the end of another is of its session.
    public static let sessionGap = Duration.seconds(5)

    /// In order of their ends, microseconds.
    private var starts = InlineArray<80, Int64>(repeating: 0)
    private var ends = InlineArray<80, Int64>(repeating: 0)
    public private(set) var count = 0

    public init() {}

    /// A run begins, whose length is known.
    ///
    /// - Parameter window: runs that ended longer ago are forgotten.
    public mutating func add(at now: Instant, for length: Duration, window: Duration) {
        forget(before: now - window)
        if count == Self.most {
            starts[1] = ends[1] - (ends[1] - starts[1]) - (ends[0] - starts[0])
            remove(0)
        }
        var place = count
        let end = (now + length).microseconds
        while place > 0 && ends[place - 1] > end {
            (starts[place], ends[place]) = (starts[place - 1], ends[place - 1])
            place -= 1
        }
        (starts[place], ends[place]) = (now.microseconds, end)
        count += 1
    }

    /// The run time in the window up to an instant.
    public func used(at now: Instant, window: Duration) -> Duration {
        var sum: Int64 = 0
        let (from, to) = (now.microseconds - window.microseconds, now.microseconds)
        for i in 0..<count { sum += max(0, min(ends[i], to) - max(starts[i], from)) }
        return Duration(microseconds: sum)
    }

    /// The first instant from `now` on at which fewer than so many runs have begun in the window up to it.
    public func opening(from now: Instant, fewerThan most: Int, in window: Duration) -> Instant {
        if now == .never { return now }
        var at = now.microseconds
        while true {
            var begun = 0
            var first = Int64.max
            for i in 0..<count where starts[i] > at - window.microseconds && starts[i] <= at {
                begun += 1
                first = min(first, starts[i])
            }
            if begun < most { return Instant(microseconds: at) }
            at = first + window.microseconds
        }
    }

    /// The first instant from `now` on at which fewer than so many sessions have ended in the window up to it.
    ///
    /// Runs that overlap, or of which one begins within `sessionGap` of the end of another, are one session, which ends
    /// with the last of them.
    public func opening(from now: Instant, fewerSessionsThan most: Int, in window: Duration) -> Instant {
        if now == .never { return now }
        var at = now.microseconds
        while true {
            var (ended, first) = (0, Int64.max)
            // The least start of the runs that end later.
            var laterStart = Int64.max
            for i in stride(from: count - 1, through: 0, by: -1) {
                let isLast = laterStart == .max || laterStart > ends[i] + Self.sessionGap.microseconds
                if isLast && ends[i] > at - window.microseconds && ends[i] <= at {
                    (ended, first) = (ended + 1, ends[i])
                }
                laterStart = min(laterStart, starts[i])
            }
            if ended < most { return Instant(microseconds: at) }
            at = first + window.microseconds
        }
    }

    /// The first instant from `now` on at which less than the limit has been used, so that a job may begin.
    public func opening(from now: Instant, _ limit: RunTimeLimit) -> Instant {
        if limit.time <= .zero { return .never }
        var t = now.microseconds
        let window = limit.window.microseconds
        while true {
            let excess = used(at: Instant(microseconds: t), window: limit.window) - limit.time
            if excess < .zero { return Instant(microseconds: t) }
            // Between two bends the run time in the window changes evenly.
            var (slope, bend) = (Int64(0), Int64.max)
            for i in 0..<count {
                if starts[i] <= t && t < ends[i] { slope += 1 }
                if starts[i] + window <= t && t < ends[i] + window { slope -= 1 }
                if starts[i] > t { bend = min(bend, starts[i]) }
                if ends[i] > t { bend = min(bend, ends[i]) }
                if starts[i] + window > t { bend = min(bend, starts[i] + window) }
                if ends[i] + window > t { bend = min(bend, ends[i] + window) }
            }
            if slope < 0 {
                t = min(bend, t + (excess.microseconds - slope) / -slope)
            } else {
                precondition(bend < .max, "a quota that never opens again")
                t = bend
            }
        }
    }

    private mutating func forget(before instant: Instant) {
        while count > 0 && ends[0] <= instant.microseconds { remove(0) }
    }

    private mutating func remove(_ place: Int) {
        for i in place..<count - 1 { (starts[i], ends[i]) = (starts[i + 1], ends[i + 1]) }
        count -= 1
        (starts[count], ends[count]) = (0, 0)
    }

    // MARK: What is kept of it

    public func run(_ place: Int) -> (from: Instant, to: Instant) {
        (Instant(microseconds: starts[place]), Instant(microseconds: ends[place]))
    }

    /// Adds a run that was written down, in order of their ends.
    public mutating func restore(from: Instant, to: Instant) {
        precondition(count < Self.most, "more runs than are remembered")
        (starts[count], ends[count]) = (from.microseconds, to.microseconds)
        count += 1
    }
}
