import Basics
import DeviceStorage
import WidgetPlatform

/// The rules of iOS and its relatives: the budgets, gates and policies of WidgetKit (sections 4 to 6).
///
/// Its states are those of each instance: the accounts, the wait of a reload, the dates of policies.
struct WidgetKitRules: DevicePlatform {
    @inline(__always) static func hear<World>(_ event: PlatformEvent, on device: inout Device<World>) {
        switch event {
        case .install(let i): device.openAccounts(i)
        case .completeDay(let i): device.updateAllowance(i)
        case .endInterval(let instant): device.bookAccounts(at: instant)
        case .refineTokens(let factor): device.refineAccounts(by: factor)
        case .beginHour: device.readBalances()
        case .beginReport: device.beginLedgers()
        case .count(let i): device.countOpening(i)
        case .close(let i): device.closeAccounts(i)
        case .view(let i): device.reloadOnView(i)
        case .significantChange(let reduced): device.addPendingChanges(reduced: reduced)
        case .heard(let events): device.tellProviders(of: events)
        case .fail(let i, let outcome): device.askAgain(i, after: outcome)
        case .begin, .leaveWarmUp, .finish, .wake, .sleep, .move, .screen, .glance, .boot, .charge, .motion, .open,
            .reach, .leaveTiles, .hold, .end, .request:
            break
        }
    }

    @inline(__always) static func ask<World>(
        _ i: Int, background cause: ReloadCause, on device: inout Device<World>
    ) { device.wait(i, for: cause) }

    @inline(__always) static func settle<World>(gatesMoved: Bool, on device: inout Device<World>) {
        device.settleGates(gatesMoved)
    }

    @inline(__always) static func takeStep<World>(_ i: Int, on device: inout Device<World>) { device.takeGateStep(i) }

    /// A provider of a user's own is asked for the timeline (P9).
    @inline(__always) static func show<World>(
        _ content: ShownContent, at i: Int, fetched: Instant, on device: inout Device<World>
    ) -> Timeline {
        device.kinds[device.instances[i].kind].provider == nil
            ? device.showAsStated(content, at: i, fetched: fetched)
            : device.showAsked(content, at: i, fetched: fetched)
    }

    @inline(__always) static func isAnsweredOnDevice<World>(_ i: Int, on device: inout Device<World>) -> Bool {
        device.kinds[device.instances[i].kind].provider != nil && device.isAnsweredOnDevice(i)
    }

    @inline(__always) static func makesPreview<World>(_ i: Int, on device: inout Device<World>) -> Bool {
        device.makesPreview(i)
    }

    static func answerText<World>(_ i: Int, entries: Int, on device: inout Device<World>) -> String? {
        device.kinds[device.instances[i].kind].provider.map { _ in device.answerText(i, entries: entries) }
    }

    @inline(__always) static func setDate<World>(
        _ i: Int, _ timeline: Timeline, fetched: Instant, on device: inout Device<World>
    ) { device.setPolicyDate(i, timeline, fetched: fetched) }

    /// It asks for reloads of every push-enabled instance of the app (B7).
    static func receiveMessage<World>(toApp app: Int, on device: inout Device<World>) {
        for i in 0..<device.instanceCount
        where device.instances[i].app == app && device.kinds[device.instances[i].kind].takesPushes {
            device.request(i, .push)
        }
    }

    static func receiveSilentPush<World>(forKind kind: Int, on device: inout Device<World>) {
        device.receiveSilentPush(forKind: kind)
    }

    @inline(__always) static func sendsAt<World>(_ i: Int, on device: inout Device<World>) -> Instant? {
        device.sendsAt(i)
    }

    @inline(__always) static func leastReaction<World>(
        _ i: Int, looksAhead: Bool, on device: inout Device<World>
    ) -> Duration { device.leastReaction(i, looksAhead: looksAhead) }

    @inline(__always) static func balance<World>(
        _ i: Int, paying cause: ReloadCause?, on device: inout Device<World>
    ) -> Int64? { device.balance(i, paying: cause) }
}
