import Basics

/// How much an app may do in the background, by how lately it was used (N3).
public enum StandbyBucket: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case active, workingSet, frequent, rare, restricted

    /// How long after its last use an app without a widget is taken down to each bucket, that bucket from the limit on.
    public struct Ages: Hashable, Sendable, BitwiseCopyable {
        public var workingSet = Duration.hours(12)
        public var frequent = Duration.hours(24)
        public var rare = Duration.hours(48)
        public var restricted = Duration.days(8)

        public init() {}

        /// When an app that was used last at an instant is next taken down a bucket; `never` from the lowest.
        public func demotion(from lastUse: Instant, after now: Instant) -> Instant {
            [workingSet, frequent, rare, restricted].lazy.map { lastUse + $0 }.first { $0 > now } ?? .never
        }

        /// The bucket of an app that was last used so long ago.
        public func bucket(unusedFor time: Duration) -> StandbyBucket {
            if time >= restricted { return .restricted }
            if time >= rare { return .rare }
            if time >= frequent { return .frequent }
            return time >= workingSet ? .workingSet : .active
        }
    }
}
