import Basics
import DeviceStorage
import People
import Statistics
import WidgetPlatform

/// Silent pushes, which wake an app up: the system delivers a few an hour to an app (B7).
extension DeviceSimulation {
    /// A silent push to the app of a kind has come. It wakes the app up, waits for a connection or for a token of the
    /// app's bucket, or is dropped.
    mutating func receiveSilentPush(forKind kind: Int) {
        count(.silentPushes)
        if Observer.isWatching { note(.silentPush, detail: prepared.plan.kinds[kind].id) }
        let app = kinds[kind].app
        guard condition.isOnline else {
            holdSilentPush(forKind: kind, until: .never)
            return
        }
        let tokenAt = silentPushes[app].tokenInstant(at: now, parameters.silentPushLimit)
        if tokenAt == now {
            deliverSilentPush(forKind: kind)
        } else {
            delaySilentPush(forKind: kind, until: tokenAt)
        }
    }

    /// Silent pushes that have waited, for a token that is there now or for the connection, come before others of this
    /// instant.
    mutating func releaseSilentPushes() {
        for app in 0..<prepared.plan.apps.count where silentPushes[app].kind >= 0 {
            let kind = Int(silentPushes[app].kind)
            if !condition.isOnline {
                // Its token is there, and the connection is not.
                if silentPushes[app].releasedAt <= now { holdSilentPush(forKind: kind, until: .never, isNew: false) }
                continue
            }
            let tokenAt = silentPushes[app].tokenInstant(at: now, parameters.silentPushLimit)
            if tokenAt == now {
                silentPushes[app].stopWaiting()
                deliverSilentPush(forKind: kind)
            } else if silentPushes[app].releasedAt == .never {
                // It is the connection that is there.
                silentPushes[app].stopWaiting()
                delaySilentPush(forKind: kind, until: tokenAt)
            } else {
                silentPushes[app].releasedAt = tokenAt
            }
        }
    }

    /// How many wait, for the ends of the report (T4).
    mutating func waitingSilentPushes() -> Int64 {
        var waiting: Int64 = 0
        for app in 0..<prepared.plan.apps.count where silentPushes[app].kind >= 0 { waiting += 1 }
        return waiting
    }

    private mutating func deliverSilentPush(forKind kind: Int) {
        if let limit = parameters.silentPushLimit { silentPushes[kinds[kind].app].bucket.take(at: now, limit) }
        count(.silentPushesDelivered)
        wakeApp(forKind: kind, isPushed: true)
    }

    /// There is no token.
    private mutating func delaySilentPush(forKind kind: Int, until tokenAt: Instant) {
        switch parameters.silentPushLimit?.excess {
        case .drop:
            count(.silentPushesDropped)
            if Observer.isWatching { note(.silentPushDropped, detail: prepared.plan.kinds[kind].id) }
        case .late, nil: holdSilentPush(forKind: kind, until: tokenAt)
        }
    }

    /// It waits, in the place of an older one of its app.
    ///
    /// - Parameter tokenAt: when its app's bucket has a token; `never` if it waits for the connection.
    private mutating func holdSilentPush(forKind kind: Int, until tokenAt: Instant, isNew: Bool = true) {
        let app = kinds[kind].app
        if isNew && silentPushes[app].kind >= 0 { count(.silentPushesMerged) }
        silentPushes[app].kind = Int16(kind)
        silentPushes[app].releasedAt = tokenAt
        if tokenAt == .never { apps.holdCall() } else { clocks.callsAt = min(clocks.callsAt, tokenAt) }
        if Observer.isWatching {
            let reason = tokenAt == .never ? "a connection" : "its app's limit"
            note(
                tokenAt == .never ? .pushHeld : .silentPushHeld,
                detail: "\(prepared.plan.kinds[kind].id): waits for \(reason)")
        }
    }
}

/// The silent pushes of one app on a device.
struct SilentPushState: BitwiseCopyable {
    var bucket = SilentPushBucket()
    /// The kind whose push waits, −1 for none, and when there is a token for it; `never` if it waits for the
    /// connection.
    var kind: Int16 = -1
    var releasedAt: Instant = .never

    /// When the next push can be delivered: now where there is no limit.
    func tokenInstant(at now: Instant, _ limit: SilentPushLimit?) -> Instant {
        limit.map { bucket.tokenInstant(at: now, $0) } ?? now
    }

    mutating func stopWaiting() { (kind, releasedAt) = (-1, .never) }
}

// MARK: State of a suspended device

extension SilentPushState {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, kinds: Int, _ limit: SilentPushLimit?) {
        coder.code(&kind, in: -1...Int16(kinds - 1), "an unknown kind")
        if kind >= 0 { coder.code(&releasedAt) }
        guard let limit else { return }
        var (missing, asOf) = (bucket.missing, bucket.asOf)
        coder.code(&missing)
        coder.code(&asOf)
        if Coder.isReading {
            let read =
                asOf >= .start && asOf <= coder.base ? SilentPushBucket(missing: missing, asOf: asOf, limit) : nil
            let isPossible = read != nil
            if coder.holds(isPossible, "a bucket of silent pushes that no limit leaves"), let read { bucket = read }
        }
    }
}
