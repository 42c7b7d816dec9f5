import Basics
import Statistics
import WidgetPlatform

/// Content that only the app's own action changes (C1, `manual`).
extension DeviceSimulation {
    /// The person may have changed content in the app that they close (C1, `manual`): its instances miss that until
    /// they reload. An app that calls for reloads at all calls for this one, while it is in the foreground still (F1).
    mutating func changeContent(ofApp app: Int) {
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app && kinds[kind].change != .never {
            let draws = streams[.contentChange, sub: kind]
            guard kinds[kind].change.holds(draws.value(at: openingNumber(ofApp: app))) else { continue }
            kindStates[kind].changes += 1
            kindStates[kind].previousChangeAt = kindStates[kind].changedAt
            kindStates[kind].changedAt = now
            if Observer.isWatching { note(.contentChanged, detail: prepared.plan.kinds[kind].id) }
            for i in 0..<instanceCount where instances[i].kind == kind && instances[i].content.hasAge {
                countWakingTime(i)
                instances[i].staleFrom = min(instances[i].staleFrom, now)
            }
            if kinds[kind].reloadOnOpen != .never { callFor(kind) }
        }
    }

    /// The calls that an app has made as it leaves the foreground wait for their priority (T3).
    mutating func callAsItCloses() {
        for i in 0..<instanceCount where instances[i].isCalled {
            instances[i].isCalled = false
            instances[i].ownCalls.add(.appCall)
            apps.hasOwnCalls = true
        }
    }

    /// By what the change at an opening is looked up: of a session's opening by habit and of one by a tap each has its
    /// own number.
    private mutating func openingNumber(ofApp app: Int) -> UInt64 {
        Int(apps.tapped) == app ? person.pickupNumber | 1 << 40 : person.pickupNumber
    }

    /// How many changes of its content an instance has seen that shows what the origin made at an instant.
    mutating func changesSeen(_ kind: Int, madeAt: Instant) -> Int64 {
        let state = kindStates[kind]
        if madeAt >= state.changedAt { return state.changes }
        return madeAt >= state.previousChangeAt ? state.changes - 1 : max(0, state.changes - 2)
    }
}
