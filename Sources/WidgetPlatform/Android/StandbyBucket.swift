import Basics

/// How much an app may do in the background, by how lately it was used (N3).
public enum StandbyBucket: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case active, workingSet, frequent, rare, restricted

    /// How long the screen has to be on after an app's last use before it is taken down to each of the lower buckets.
    public struct ScreenTimes: Hashable, Sendable, BitwiseCopyable {
        public var frequent = Duration.hours(1)
        public var rare = Duration.hours(2)
        public var restricted = Duration.hours(6)

        public init() {}
    }

    /// How long after its last use an app without a widget is taken down to each bucket, that bucket from the limit on.
    public struct Ages: Hashable, Sendable, BitwiseCopyable {
        public var workingSet = Duration.hours(12)
        public var frequent = Duration.hours(24)
        public var rare = Duration.hours(48)
        public var restricted = Duration.days(8)
        public var screen = ScreenTimes()

        public init() {}

        /// The limits of the lower buckets, from above: the time since the last use, and of that with the screen on.
        private var limits: InlineArray<4, (bucket: StandbyBucket, unused: Duration, screenOn: Duration)> {
            [
                (.workingSet, workingSet, .zero), (.frequent, frequent, screen.frequent), (.rare, rare, screen.rare),
                (.restricted, restricted, screen.restricted),
            ]
        }

        /// When an app that was used last at an instant is next taken down a bucket; `never` from the lowest, or if
        /// the screen has to be on for longer first and is off.
        ///
        /// - Parameters:
        ///   - screenOn: how long the screen has been on since the last use.
        ///   - isScreenOn: whether it is on, and stays so.
        public func demotion(
            from lastUse: Instant, after now: Instant, screenOnFor screenOn: Duration, isScreenOn: Bool
        ) -> Instant {
            let limits = limits
            var next = Instant.never
            for i in limits.indices {
                let missing = limits[i].screenOn - screenOn
                if missing > .zero && !isScreenOn { continue }
                let at = max(lastUse + limits[i].unused, missing > .zero ? now + missing : .longAgo)
                if at > now { next = min(next, at) }
            }
            return next
        }

        /// The bucket of an app that was last used so long ago, with the screen on for a part of that time.
        public func bucket(unusedFor time: Duration, screenOnFor screenOn: Duration) -> StandbyBucket {
            let limits = limits
            for i in limits.indices.reversed() where time >= limits[i].unused && screenOn >= limits[i].screenOn {
                return limits[i].bucket
            }
            return .active
        }
    }
}
