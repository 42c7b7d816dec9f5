import Basics
import WidgetPlatform

/// Pushes: of campaigns, about new versions, and silent ones, which wake an app up (B7). Some wait for a connection, or
/// for their app's limit: the system delivers a few silent pushes an hour to an app.
extension DeviceSimulation {
    /// A push has come: it reloads every push-enabled instance of the app (B7).
    mutating func push(_ app: Int, _ origin: PushOrigin = .recorded) {
        count(.pushes)
        if observer.isWatching { notePush(app, origin) }
        Rules.receiveMessage(toApp: app, on: &self)
    }

    /// A push that its server has sent: without a connection it waits for one, if its platform's push service stores
    /// it, and of several to an app that replace one another, silent ones among them, the last one is kept (D8).
    mutating func receivePush(ofApp app: Int, _ origin: PushOrigin) {
        events += 1
        if condition.isOnline {
            push(app, origin)
        } else {
            let storage = Rules.store(messageToApp: app, on: &self)
            if storage == .lost {
                if observer.isWatching { note(.pushLost, detail: "\(prepared.plan.apps[app]): no connection") }
                return
            }
            if observer.isWatching { note(.pushHeld, detail: "\(prepared.plan.apps[app]): waits for a connection") }
            if apps.holdPush(to: app) && storage == .newest { noteSuperseded(app) }
            if pushes.silent[app].waitsForConnection {
                pushes.silent[app].stopWaiting()
                count(.silentPushesMerged)
                noteSuperseded(app)
            }
        }
    }

    private mutating func noteSuperseded(_ app: Int) {
        if observer.isWatching { note(.pushSuperseded, detail: "\(prepared.plan.apps[app]): a newer one waits") }
    }

    mutating func releaseHeldCalls() {
        var pushed = apps.takeHeldCalls()
        while pushed != 0 {
            let app = pushed.trailingZeroBitCount
            for _ in 0..<Rules.takeStored(messagesToApp: app, on: &self) {
                count(.latePushes)
                push(app, .held)
            }
            pushed &= pushed - 1
        }
        releaseSilentPushes()
    }

    mutating func takeSendings(_ campaign: Int) {
        let plan = prepared.campaigns.baseAddress! + campaign
        pushes.campaigns[campaign].takeSendings(
            plan, number: campaign, streams, at: now, in: whereabouts.zone, prepared.zones,
            prepared.sending(ofCampaign: campaign, zone: whereabouts.zone, to: streams, Rules.platform, report.load))
    }

    /// An instance shows content of another key than before, or its first: from now on the server pushes the versions
    /// of that.
    mutating func followContentPushes(_ i: Int) {
        let kind = instances[i].kind
        if kinds[kind].contentPushes == nil { return }
        let sending = versionSending(i)
        instances[i].pushes.follow(
            contentKey(i), kinds + kind, ofKind: kind, streams, at: now, end: report.end, sending)
        clocks.callsAt = min(clocks.callsAt, instances[i].pushes.nextAt)
    }

    /// How the server sends pushes about versions of what an instance shows. They are counted once for all instances of
    /// a kind that show the same, or share their versions.
    private mutating func versionSending(_ i: Int) -> WidgetSending? {
        guard let sender = prepared.sender else { return nil }
        let (kind, key) = (instances[i].kind, contentKey(i))
        let isShared = sender.hasBursts(ofKind: kind)
        var isFirst = true
        for j in 0..<i where instances[j].isInstalled && instances[j].kind == kind && (isShared || contentKey(j) == key)
        {
            isFirst = false
        }
        return prepared.sending(ofKind: kind, to: streams, Rules.platform, isFirst ? report.load : nil)
    }

    /// The pushes about versions that come in this instant: one for each app, however many of its instances it is
    /// about.
    mutating func takeContentPushes() {
        var pushed: UInt16 = 0
        var hasWoken = false
        for i in 0..<instanceCount where instances[i].pushes.nextAt == now {
            let kind = instances[i].kind
            let sending = versionSending(i)
            let isPush = instances[i].pushes.take(
                kinds + kind, ofKind: kind, streams, at: now, end: report.end, sending)
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
            Rules.receiveSilentPush(forKind: kind, on: &self)
        }
    }

    /// A silent push to the app of a kind has come. It wakes the app up, waits for a connection or for a token of the
    /// app's bucket, or is dropped.
    mutating func receiveSilentPush(forKind kind: Int) {
        count(.silentPushes)
        if observer.isWatching { note(.silentPush, detail: prepared.plan.kinds[kind].id) }
        let app = kinds[kind].app
        guard condition.isOnline else {
            if apps.dropHeldPush(to: app) { noteSuperseded(app) }
            holdSilentPush(forKind: kind, until: .never)
            return
        }
        if isInFront(app) { return deliverInFront(forKind: kind) }
        let tokenAt = pushes.silent[app].tokenInstant(at: now, parameters.silentPushLimit)
        if tokenAt == now {
            deliverSilentPush(forKind: kind)
        } else {
            delaySilentPush(forKind: kind, until: tokenAt)
        }
    }

    /// Whether an app runs by itself, so that nothing has to wake it up: it is in the foreground, or has a session.
    private func isInFront(_ app: Int) -> Bool { apps.isInForeground(app) || apps.hasSession(app) }

    /// A silent push reaches an app that runs: at once, without a token, whatever the power (B7).
    private mutating func deliverInFront(forKind kind: Int) {
        count(.silentPushesDelivered)
        wakeApp(forKind: kind, isPushed: true)
    }

    /// Silent pushes that have waited, for a token that is there now or for the connection, come before others of this
    /// instant.
    mutating func releaseSilentPushes() {
        for app in 0..<prepared.plan.apps.count {
            guard let kind = pushes.silent[app].waiting else { continue }
            if !condition.isOnline {
                // Its token is there, and the connection is not.
                if pushes.silent[app].releasedAt <= now { holdSilentPush(forKind: kind, until: .never, isNew: false) }
                continue
            }
            if pushes.silent[app].waitsForConnection && isInFront(app) {
                pushes.silent[app].stopWaiting()
                deliverInFront(forKind: kind)
                continue
            }
            let tokenAt = pushes.silent[app].tokenInstant(at: now, parameters.silentPushLimit)
            if tokenAt == now {
                pushes.silent[app].stopWaiting()
                deliverSilentPush(forKind: kind)
            } else if pushes.silent[app].releasedAt == .never {
                // It is the connection that is there.
                pushes.silent[app].stopWaiting()
                delaySilentPush(forKind: kind, until: tokenAt)
            } else {
                pushes.silent[app].hold(kind, until: tokenAt)
            }
        }
    }

    private mutating func deliverSilentPush(forKind kind: Int) {
        pushes.silent[kinds[kind].app].deliver(at: now, parameters.silentPushLimit)
        count(.silentPushesDelivered)
        wakeApp(forKind: kind, isPushed: true)
    }

    /// There is no token.
    private mutating func delaySilentPush(forKind kind: Int, until tokenAt: Instant) {
        switch parameters.silentPushLimit?.excess {
        case .drop:
            count(.silentPushesDropped)
            if observer.isWatching { note(.silentPushOverBudget, detail: prepared.plan.kinds[kind].id) }
        case .late, nil: holdSilentPush(forKind: kind, until: tokenAt)
        }
    }

    /// It waits, in the place of an older one of its app.
    ///
    /// - Parameter tokenAt: when its app's bucket has a token; `never` if it waits for the connection.
    private mutating func holdSilentPush(forKind kind: Int, until tokenAt: Instant, isNew: Bool = true) {
        let app = kinds[kind].app
        if isNew && pushes.silent[app].waiting != nil {
            count(.silentPushesMerged)
            noteSuperseded(app)
        }
        pushes.silent[app].hold(kind, until: tokenAt)
        if tokenAt == .never { apps.holdCall() } else { clocks.callsAt = min(clocks.callsAt, tokenAt) }
        if observer.isWatching {
            let reason = tokenAt == .never ? "a connection" : "its app's limit"
            note(
                tokenAt == .never ? .pushHeld : .silentPushHeld,
                detail: "\(prepared.plan.kinds[kind].id): waits for \(reason)")
        }
    }
}

/// The ways of a push service with a push to a device without a connection (D8).
enum MessageStorage {
    /// It stores the newest of an app, or each, or none.
    case newest, each, lost
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
