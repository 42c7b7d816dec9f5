import Basics
import DeviceStorage
import WidgetPlatform

/// The pushes that come to a device: silent ones, by app, and those of campaigns.
struct DevicePushes {
    private(set) var silent: UnsafeMutablePointer<SilentPushState>
    private(set) var campaigns: UnsafeMutablePointer<CampaignState>
    let campaignCount: Int
    private let appCount: Int

    init(_ memory: DeviceMemory, _ prepared: PreparedPlan) {
        (silent, campaigns) = (memory.silentPushes, memory.campaigns)
        (appCount, campaignCount) = (prepared.plan.apps.count, prepared.campaigns.count)
        for app in 0..<max(1, appCount) { silent[app] = SilentPushState() }
        for campaign in 0..<campaignCount { campaigns[campaign] = CampaignState() }
    }

    mutating func adopt(_ memory: DeviceMemory) { (silent, campaigns) = (memory.silentPushes, memory.campaigns) }

    /// When a campaign's push comes or its next sending is to be looked at, or a silent push need wait no longer.
    var nextAt: Instant {
        mutating get {
            var next = Instant.never
            for campaign in 0..<campaignCount where campaigns[campaign].isFollowed {
                next = min(next, campaigns[campaign].nextAt)
            }
            for app in 0..<appCount { next = min(next, silent[app].releasedAt) }
            return next
        }
    }

    /// How many silent ones wait, for the ends of the report (T4).
    var waitingCount: Int64 {
        var waiting: Int64 = 0
        for app in 0..<appCount where silent[app].waiting != nil { waiting += 1 }
        return waiting
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ prepared: PreparedPlan) {
        for app in 0..<appCount where prepared.takesSilentPushes & (1 << UInt16(app)) != 0 {
            silent[app].code(&coder, kinds: prepared.kinds.count, prepared.parameters.pointee.silentPushLimit)
        }
        for campaign in 0..<campaignCount { campaigns[campaign].code(&coder) }
    }
}

/// The silent pushes of one app on a device.
struct SilentPushState: BitwiseCopyable {
    private var bucket = HourlyPushBucket()
    /// The kind whose push waits, −1 for none, and when there is a token for it; `never` if it waits for the
    /// connection.
    private var kind: Int16 = -1
    private(set) var releasedAt: Instant = .never

    /// When the next push can be delivered: now where there is no limit.
    func tokenInstant(at now: Instant, _ limit: HourlyPushLimit?) -> Instant {
        limit.map { bucket.tokenInstant(at: now, $0) } ?? now
    }

    /// The kind whose push waits; nil for none.
    var waiting: Int? { kind < 0 ? nil : Int(kind) }

    mutating func deliver(at now: Instant, _ limit: HourlyPushLimit?) {
        if let limit { bucket.take(at: now, limit) }
    }

    /// A push waits, in the place of an older one.
    mutating func hold(_ kind: Int, until instant: Instant) { (self.kind, releasedAt) = (Int16(kind), instant) }

    /// Whether one waits for the connection.
    var waitsForConnection: Bool { kind >= 0 && releasedAt == .never }

    mutating func stopWaiting() { (kind, releasedAt) = (-1, .never) }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, kinds: Int, _ limit: HourlyPushLimit?) {
        coder.code(&kind, in: -1...Int16(kinds - 1), "an unknown kind")
        if kind >= 0 { coder.code(&releasedAt) }
        if let limit { bucket.code(&coder, limit) }
    }
}

extension HourlyPushBucket {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ limit: HourlyPushLimit) {
        var (missing, asOf) = (missing, asOf)
        coder.code(&missing)
        coder.code(&asOf)
        if !Coder.isReading { return }
        let read = asOf >= .start && asOf <= coder.base ? HourlyPushBucket(missing: missing, asOf: asOf, limit) : nil
        let isPossible = read != nil
        if coder.holds(isPossible, "a bucket of pushes that no limit leaves"), let read { self = read }
    }
}

/// The messages to one app on a device with Android (N10): those that wait for its limit, and those that the push
/// service stores while the device has no connection (D8).
struct MessageState: BitwiseCopyable {
    var bucket = HourlyPushBucket()
    /// When a message that waits for the limit is delivered; `never` if none waits.
    var dueAt: Instant = .never
    /// Up to when its wait is booked.
    var bookedAt: Instant = .start
    /// Messages that are stored one by one; `discarded` once they were too many.
    private var stored = 0

    private static let discarded = -1

    /// The push service stores a message that none replaces. One too many discards all of them, and a notice comes in
    /// their place.
    mutating func store() {
        if stored != Self.discarded { stored = stored < MessageLimits.mostStored ? stored + 1 : Self.discarded }
    }

    /// The connection is back: how many messages come of those that were stored one by one, 1 for a notice.
    mutating func takeStored() -> Int {
        defer { stored = 0 }
        return stored == Self.discarded ? 1 : stored
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ limit: HourlyPushLimit) {
        coder.code(&dueAt)
        coder.code(&bookedAt)
        coder.code(&stored, in: Self.discarded...MessageLimits.mostStored, "more messages than are stored")
        bucket.code(&coder, limit)
    }
}

extension MessageCount {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var (minute, inMinute, hour, inHour) = (minute, inMinute, hour, inHour)
        coder.code(&minute)
        coder.code(&inMinute)
        coder.code(&hour)
        coder.code(&inHour)
        if Coder.isReading { self = MessageCount(minute: minute, inMinute: inMinute, hour: hour, inHour: inHour) }
    }
}
