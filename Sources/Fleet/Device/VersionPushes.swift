import Basics
import DeviceStorage
import Statistics

/// The pushes about new versions of what an instance shows (B7): those that are on their way, and the versions that the
/// server has still to decide on, the same for all devices.
struct VersionPushes: BitwiseCopyable {
    private var pushes = PendingInstants()
    /// When the next version appears that has not been looked at, and of which key.
    private var nextVersionAt: Instant = .longAgo
    private var key: Int64 = 0
    /// When one of the pushes comes, or versions are to be looked at.
    private(set) var nextAt: Instant = .never

    private static var mostVersionsAhead: Int { 64 }

    /// The instance shows content of a key: from now on the server pushes the versions of that.
    ///
    /// - Parameter sending: how pushes go out to this device; nil for at once.
    mutating func follow(
        _ key: Int64, _ kind: UnsafePointer<PreparedKind>, ofKind number: Int, _ streams: RandomStreams,
        at now: Instant, end: Instant, _ sending: WidgetSending?
    ) {
        if key == self.key && nextVersionAt > .longAgo { return }
        self.key = key
        pushes = PendingInstants()
        nextVersionAt = kind.pointee.source.position(key: key, madeAt: now).nextAt
        plan(kind, number, streams, at: now, end: end, sending)
    }

    /// Takes the pushes that have come; returns whether there is any.
    mutating func take(
        _ kind: UnsafePointer<PreparedKind>, ofKind number: Int, _ streams: RandomStreams, at now: Instant,
        end: Instant, _ sending: WidgetSending?
    ) -> Bool {
        var isAny = false
        while pushes.take(at: now) { isAny = true }
        plan(kind, number, streams, at: now, end: end, sending)
        return isAny
    }

    /// Looks at the next versions, up to the first push on its way, or some at a time. How long a push takes is looked
    /// up by the version, so that instances with the same content get one.
    private mutating func plan(
        _ kind: UnsafePointer<PreparedKind>, _ number: Int, _ streams: RandomStreams, at now: Instant, end: Instant,
        _ sending: WidgetSending?
    ) {
        guard let plan = kind.pointee.contentPushes else { return }
        // A limited server decides as a version comes: a push that is planned ahead would count though the instance
        // shows something else by then.
        let ahead = sending == nil ? end : now + .microsecond
        for _ in 0..<Self.mostVersionsAhead where nextVersionAt < min(min(end, ahead), pushes.first) {
            let versionAt = nextVersionAt
            nextVersionAt = kind.pointee.source.position(key: key, madeAt: versionAt).nextAt
            // A limited server sends one push about a version that all devices share.
            let index = PreparedKind.number(ofVersion: versionAt, key: sending?.isShared == true ? 0 : key)
            guard plan.isSent(index, ofKind: number, streams) else { continue }
            let delay = plan.delay(index, ofKind: number, streams)
            var noPlace: Int64 = -1
            let sentAt = sending.map { $0.sentAt(versionAt, after: &noPlace) ?? .never } ?? versionAt
            _ = pushes.add(max(now, sentAt + delay))
        }
        nextAt = nextVersionAt >= end ? pushes.first : min(pushes.first, max(now, nextVersionAt))
    }

    /// - Parameter shown: the key of what the instance shows: mostly that of the pushes.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, shown: Int64) {
        pushes.code(&coder)
        coder.code(&nextVersionAt)
        if Coder.isChecked {
            let (first, last) = (Instant.start - .days(8_000), coder.base + .days(8_000))
            let isOfRun =
                nextVersionAt == .never || nextVersionAt == .longAgo || nextVersionAt >= first && nextVersionAt <= last
            if !coder.holds(isOfRun, "a version of no time of the run") { nextVersionAt = .never }
        }
        coder.code(&nextAt, near: nextVersionAt)
        var key = self.key ^ shown
        coder.code(key: &key)
        if Coder.isReading { self.key = key ^ shown }
    }
}
