import Basics
import Statistics
import WidgetPlatform

/// Pushes: of campaigns, about new versions, and those that wait for a connection (B7).
extension DeviceSimulation {
    /// A push has come: it reloads every push-enabled instance of the app (B7).
    mutating func push(_ app: Int, _ origin: PushOrigin = .recorded) {
        count(.pushes)
        if Observer.isWatching { notePush(app, origin) }
        for i in 0..<instanceCount where instances[i].app == app && kinds[instances[i].kind].takesPushes {
            ask(i, background: .push)
        }
    }

    /// A push that its server has sent: without a connection it waits for one, and of several to an app the last one is
    /// kept.
    mutating func receivePush(ofApp app: Int, _ origin: PushOrigin) {
        events += 1
        if condition.isOnline {
            push(app, origin)
        } else {
            if Observer.isWatching { note(.pushHeld, detail: "\(prepared.plan.apps[app]): waits for a connection") }
            apps.holdPush(to: app)
        }
    }

    mutating func releaseHeldCalls() {
        var pushed = apps.takeHeldCalls()
        while pushed != 0 {
            count(.latePushes)
            push(pushed.trailingZeroBitCount, .held)
            pushed &= pushed - 1
        }
        releaseSilentPushes()
    }

    /// Takes the sendings of a campaign that are due: each that reaches this device puts a push on its way. A sending
    /// is looked up by its instant.
    mutating func takeSendings(_ campaign: Int) {
        let plan = prepared.campaigns.baseAddress! + campaign
        while campaigns[campaign].sentAt <= now {
            let sending = campaigns[campaign].sentAt
            if sending >= .start
                && plan.pointee.reaches.holds(streams.number(.campaignReach, sub: campaign, at: sending.address))
            {
                let delay = plan.pointee.delay.draw(streams.number(.campaignDelay, sub: campaign, at: sending.address))
                _ = campaigns[campaign].pushes.add(max(now, sending + delay))
            }
            let next = plan.pointee.sending(after: lastSending(campaign), in: zoneTable, prepared.zones)
            campaigns[campaign].sentBefore = sending
            campaigns[campaign].sentAt = next
            campaigns[campaign].zone = whereabouts.zone
        }
    }

    /// The sending after which the next one comes; of one by the device's own clock, in another zone by now, the
    /// instant at which the clock shows the same once more: that sending has been made.
    private mutating func lastSending(_ campaign: Int) -> Instant {
        let state = campaigns[campaign]
        let hasMoved =
            state.zone != whereabouts.zone && state.zone >= 0
            && (prepared.campaigns.baseAddress! + campaign).pointee.followsDevice
        guard hasMoved else { return state.sentAt }
        let last = prepared.zones[state.zone].localTime(at: state.sentAt)
        return max(state.sentAt, zoneTable.instant(of: last.date, at: last.clock))
    }

    /// The device goes by another zone's clock, and so do the sendings to come.
    mutating func moveCampaigns() {
        for campaign in 0..<campaignCount where campaigns[campaign].isFollowed && campaigns[campaign].sentAt < .never {
            let plan = prepared.campaigns.baseAddress! + campaign
            guard plan.pointee.followsDevice else { continue }
            campaigns[campaign].sentAt = campaigns[campaign].sentBefore
            let next = plan.pointee.sending(after: max(now, lastSending(campaign)), in: zoneTable, prepared.zones)
            campaigns[campaign].sentAt = next
            campaigns[campaign].zone = whereabouts.zone
        }
        findCalls()
    }

    /// An instance shows content of another key than before, or its first: from now on the server pushes the versions
    /// of that.
    mutating func followContentPushes(_ i: Int) {
        guard kinds[instances[i].kind].contentPushes != nil else { return }
        if contentKey(i) == instances[i].pushKey && instances[i].nextVersionAt > .longAgo { return }
        instances[i].pushKey = contentKey(i)
        instances[i].pushes = PendingInstants()
        instances[i].nextVersionAt =
            kinds[instances[i].kind].source.position(key: instances[i].pushKey, madeAt: now).nextAt
        planContentPushes(i)
    }

    /// Looks at an instance's next versions, up to the first push on its way, or some at a time. The server decides
    /// which versions are pushed, the same for all; how long a push takes is looked up by the version, so that
    /// instances with the same content get one.
    private mutating func planContentPushes(_ i: Int) {
        guard let pushes = kinds[instances[i].kind].contentPushes else { return }
        let (kind, key) = (instances[i].kind, instances[i].pushKey)
        // Equal for all devices.
        let server = RandomStreams(seed: streams.seed, person: 0)
        for _ in 0..<Self.mostVersionsAhead where instances[i].nextVersionAt < min(end, instances[i].pushes.first) {
            let versionAt = instances[i].nextVersionAt
            let next = kinds[kind].source.position(key: key, madeAt: versionAt)
            instances[i].nextVersionAt = next.nextAt
            // Its instant tells a version of one key from all others, however long the run.
            let index =
                (UInt64(bitPattern: versionAt.microseconds &+ key &* 0x1e37_79b9_7f4a_7c15) &* 0x9e37_79b9_7f4a_7c15)
                >> 16
            guard pushes.isPushed.holds(server.number(.contentPush, sub: kind, at: index)) else { continue }
            let delay = pushes.delay.draw(streams.number(.contentPushDelay, sub: kind, at: index))
            _ = instances[i].pushes.add(max(now, versionAt + delay))
        }
        let isOver = instances[i].nextVersionAt >= end
        instances[i].pushAt =
            isOver ? instances[i].pushes.first : min(instances[i].pushes.first, max(now, instances[i].nextVersionAt))
        clocks.callsAt = min(clocks.callsAt, instances[i].pushAt)
    }

    private static var mostVersionsAhead: Int { 64 }

    /// The pushes about versions that come in this instant: one for each app, however many of its instances it is
    /// about.
    mutating func takeContentPushes() {
        var pushed: UInt16 = 0
        var hasWoken = false
        for i in 0..<instanceCount where instances[i].pushAt == now {
            let kind = instances[i].kind
            let isPush = instances[i].pushes.first <= now
            while instances[i].pushes.first <= now { instances[i].pushes.takeFirst() }
            planContentPushes(i)
            guard isPush, let pushes = kinds[kind].contentPushes else { continue }
            switch pushes.route {
            case .widgets: pushed |= 1 << UInt16(instances[i].app)
            case .app:
                kindStates[kind].isWokenNow = true
                hasWoken = true
            }
        }
        while pushed != 0 {
            receivePush(ofApp: pushed.trailingZeroBitCount, .version)
            pushed &= pushed - 1
        }
        if !hasWoken { return }
        for kind in 0..<prepared.kinds.count where kindStates[kind].isWokenNow {
            kindStates[kind].isWokenNow = false
            receiveSilentPush(forKind: kind)
        }
    }
}

/// Where a push campaign stands for one device.
struct CampaignState: BitwiseCopyable {
    /// Whether the device has a widget that the campaign is for.
    var isFollowed = false
    /// The next sending, and the one before it.
    var sentAt = Instant.start - Duration(microseconds: 1)
    var sentBefore = Instant.start - Duration(microseconds: 1)
    /// The zone by whose clock that is, −1 before the first.
    var zone = -1
    /// The pushes on their way.
    var pushes = PendingInstants()
}

/// Where a push comes from, for traces.
enum PushOrigin {
    case recorded
    /// By its index.
    case campaign(Int)
    case version
    /// It has waited for a connection.
    case held
}
