import Basics
import DeviceStorage
import Statistics

/// A push campaign as one device gets it (B7).
struct CampaignState: BitwiseCopyable {
    /// Whether the device has a widget that the campaign is for.
    private(set) var isFollowed = false
    /// The next sending, and the one before it.
    private var sentAt = Instant.start - .microsecond
    private var sentBefore = Instant.start - .microsecond
    /// The zone by whose clock that is, −1 before the first.
    private var zone = -1
    /// The pushes on their way.
    private var pushes = PendingInstants()
    /// The device's last place in a round of the sender, below 0 for none.
    private var roundPlace: Int64 = -1

    mutating func follow() { isFollowed = true }

    /// When a push comes, or the next sending is to be looked at.
    var nextAt: Instant { min(pushes.first, sentAt) }

    /// Takes the sendings that are due: each that reaches this device puts a push on its way. A sending is looked up by
    /// its instant.
    ///
    /// - Parameter sending: how pushes go out to this device; nil for at once.
    mutating func takeSendings(
        _ plan: UnsafePointer<PreparedCampaign>, number: Int, _ streams: RandomStreams, at now: Instant, in zone: Int,
        _ zones: UnsafeMutableBufferPointer<ZoneTable>, _ sending: WidgetSending?
    ) {
        while sentAt <= now {
            let instant = sentAt
            if instant >= .start, let takenAt = takenAt(instant, plan, number: number, streams, sending) {
                let delay = plan.pointee.delay.draw(streams.number(.campaignDelay, sub: number, at: instant.address))
                _ = pushes.add(max(now, takenAt + delay))
            }
            sentAt = plan.pointee.sending(
                after: lastSending(plan, in: zone, zones), in: zones[zone], zones)
            (sentBefore, self.zone) = (instant, zone)
        }
    }

    /// When the push service takes the push of a sending; nil if the sending does not reach this device.
    private mutating func takenAt(
        _ instant: Instant, _ plan: UnsafePointer<PreparedCampaign>, number: Int, _ streams: RandomStreams,
        _ sending: WidgetSending?
    ) -> Instant? {
        if let sending { return sending.sentAt(instant, after: &roundPlace) }
        return plan.pointee.reaches.holds(streams.number(.campaignReach, sub: number, at: instant.address))
            ? instant : nil
    }

    /// The device goes by another zone's clock, and so do the sendings to come.
    mutating func cross(
        _ plan: UnsafePointer<PreparedCampaign>, at now: Instant, into zone: Int,
        _ zones: UnsafeMutableBufferPointer<ZoneTable>
    ) {
        guard isFollowed, sentAt < .never, plan.pointee.followsDevice else { return }
        sentAt = sentBefore
        sentAt = plan.pointee.sending(after: max(now, lastSending(plan, in: zone, zones)), in: zones[zone], zones)
        self.zone = zone
    }

    /// The sending after which the next one comes; of one by the device's own clock, in another zone by now, the
    /// instant at which the clock shows the same once more: that sending has been made.
    private func lastSending(
        _ plan: UnsafePointer<PreparedCampaign>, in zone: Int, _ zones: UnsafeMutableBufferPointer<ZoneTable>
    ) -> Instant {
        guard self.zone != zone, self.zone >= 0, plan.pointee.followsDevice else { return sentAt }
        let last = zones[self.zone].localTime(at: sentAt)
        return max(sentAt, zones[zone].instant(of: last.date, at: last.clock))
    }

    /// Takes a push that has come; false if there is none.
    mutating func takePush(at now: Instant) -> Bool { pushes.take(at: now) }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isFollowed)
        guard isFollowed else { return }
        coder.code(&sentAt)
        coder.code(&sentBefore)
        coder.code(&zone)
        coder.code(&roundPlace, in: -1...1 << 60, "no place in a round")
        pushes.code(&coder)
    }
}
