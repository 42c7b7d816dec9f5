import Basics
import People
import ScenarioModel
import Statistics
import Testing
import WidgetPlatform

@testable import Fleet
@testable import RefreshService

/// The parts of a device's state, each by its own transitions.
@Suite struct DevicePartsTests {
    /// The macro takes no call that changes something.
    private func expect(_ holds: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(holds, sourceLocation: location)
    }

    static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test func `a watch off the wrist is locked, refuses a pickup and forgets one of its instant`() {
        var display = DisplayState(.watch, hasPasscode: true, isWorn: true)
        expect(display.pickUp(at: Self.at(10), showing: SurfaceSet(.homeFirst)) && !display.isLocked)
        expect(display.wornTime(at: Self.at(15)) == .seconds(15))
        expect(display.lock(at: Self.at(15)) && display.wear(false, at: Self.at(15)))
        expect(display.shown.isEmpty && display.isLocked)
        expect(!display.pickUp(at: Self.at(20), showing: SurfaceSet(.homeFirst)) && !display.use.isInSession)
        expect(!display.glance(at: Self.at(21), showing: SurfaceSet()) && !display.look(at: SurfaceSet(.watchFace)))
        expect(!display.wear(false, at: Self.at(22)) && display.wornTime(at: Self.at(22)) == .zero)
        display.checkInvariants()
    }

    @Test func `a lock ends the session once, and a session that it ends at its pickup was unlocked for its views`() {
        var display = DisplayState(.phone, hasPasscode: true, isWorn: true)
        expect(display.isLocked && !display.lock(at: Self.at(1)))
        expect(display.pickUp(at: Self.at(2), showing: SurfaceSet(.homeFirst)))
        display.addUnhealed()
        let shown = display.takeShown()
        expect(!shown.isDisjoint(with: SurfaceSet(.lockScreen)) && display.shown.isEmpty)
        expect(display.sessionTime(at: Self.at(2)) == .zero && display.lock(at: Self.at(2)))
        expect(
            display.isLocked && !display.isLockedForViews(at: Self.at(2)) && display.isLockedForViews(at: Self.at(3)))
        let (first, second) = (display.takeUnhealed(), display.takeUnhealed())
        expect(first && !second && display.sessionTime(at: Self.at(9)) == .zero)
    }

    @Test func `a display that is looked at has been dimmed since its latest use, until the next pickup`() {
        var display = DisplayState(.phone, hasPasscode: false, isWorn: true)
        expect(display.glance(at: Self.at(5), showing: SurfaceSet()) && display.isInUse(at: Self.at(5)))
        let showing = display.showingNumber
        expect(display.look(at: SurfaceSet(.lockScreen)) && display.isDimmed && display.dimmedSince == Self.at(5))
        expect(display.showingNumber == showing + 1 && display.luminance(of: .lockScreen) == .low)
        // It has dimmed already.
        expect(display.dim(at: Self.at(8)) && display.dimmedSince == Self.at(5))
        expect(display.pickUp(at: Self.at(9), showing: SurfaceSet()) && !display.isDimmed)
        expect(!display.dim(at: Self.at(10)) && display.luminance(of: .lockScreen) == .active)
    }

    /// - Parameter count: apps.
    static func apps(_ count: Int = 4, _ body: (inout AppStates) -> Void) {
        withUnsafeTemporaryAllocation(of: Instant.self, capacity: count) { views in
            var apps = AppStates(count: count, lastWidgetView: views.baseAddress!)
            body(&apps)
            apps.checkInvariants(at: .start)
        }
    }

    @Test func `a tap takes the place of the app in the foreground, and its app stays for the time of the tap`() {
        Self.apps { apps in
            apps.begin(signedIn: 0b0100)
            expect(apps.open(1, canSignIn: true) && apps.makeWay(for: 1) == nil)
            expect(apps.makeWay(for: 2) == 1 && apps.leaveForeground() == 1)
            apps.tap(2, at: Self.at(7))
            expect(!apps.open(2, canSignIn: true) && apps.isInForeground(2) && !apps.isInForeground(1))
            expect(apps.isOpened(2, byTapAt: Self.at(7)) && !apps.isOpened(2, byTapAt: Self.at(8)))
            apps.endTap(at: Self.at(60))
            expect(apps.staysOpen(2) && apps.tapEndsAt == Self.at(60))
            // An opening of the same app says from now on how long it stays.
            expect(apps.endTap(unlessOf: 2) == nil && !apps.staysOpen(2) && apps.isInForeground(2))
            apps.tap(2, at: Self.at(70))
            expect(apps.endTap() == 2 && apps.tapEndsAt == .never && apps.leaveForeground() == 2)
            apps.forgetTap(of: 2)
            expect(apps.endTap() == nil && apps.leaveForeground() == nil)
        }
    }

    @Test func `an app is in a user session until its last one ends, and keeps one push for the connection`() {
        Self.apps { apps in
            expect(apps.begin(.audio, of: 3) && !apps.begin(.navigation, of: 3) && apps.isInUse(3))
            expect(!apps.end(.audio, of: 3) && apps.hasSession(3) && !apps.hasSession(2))
            expect(apps.end(.navigation, of: 3) && !apps.hasSession(3))
            apps.holdPush(to: 3)
            apps.holdPush(to: 0)
            apps.holdPush(to: 3)
            expect(apps.hasHeldCalls && apps.takeHeldCalls() == 0b1001 && !apps.hasHeldCalls)
        }
    }

    @Test func `retries spend the client's account, and first tries fill it up to its bound`() throws {
        var tables = try StandardTables()
        let retry = RetryPolicy(retries: 9, budget: RetryBudget(perFirstTry: 400, most: 2_000))
        let plan = RequestPlan(
            legs: OneWayDelays(out: TestPlan.constant(1), back: TestPlan.constant(1)), retry: retry)
        var link = ServiceLink(plan, try Patience(plan.timeout, &tables), outbox: nil, tap: nil)
        expect(link.timeout == .seconds(30))
        let atFirst = (0..<3).map { _ in link.spendRetry() }
        link.payForRetries()
        link.payForRetries()
        let withTwo = link.spendRetry()
        link.payForRetries()
        let withThree = (0..<2).map { _ in link.spendRetry() }
        for _ in 0..<99 { link.payForRetries() }
        let whenFull = (0..<3).map { _ in link.spendRetry() }
        expect(atFirst == [true, true, false] && !withTwo && withThree == [true, false])
        expect(whenFull == [true, true, false])
    }

    @Test func `requests are sent since the suspension if their number is, also where numbers start at zero again`()
        throws
    {
        var tables = try StandardTables()
        let plan = RequestPlan(legs: OneWayDelays(out: TestPlan.constant(1), back: TestPlan.constant(1)))
        var link = ServiceLink(plan, try Patience(plan.timeout, &tables), outbox: nil, tap: nil)
        link.countRequest()
        link.resume(windowEnd: Self.at(9))
        expect(
            link.horizon(answerFrom: Self.at(5)) == Self.at(9) && link.horizon(answerFrom: Self.at(11)) == Self.at(11))
        link.suspend()
        link.countRequest()
        expect(!link.isSentSinceSuspension(0) && link.isSentSinceSuspension(1) && !link.isSentSinceSuspension(2))
    }

    private static func request(_ sequence: UInt32) -> PendingRequest {
        PendingRequest(
            ServiceRequest(
                arrival: .start, key: 0, person: 0, sequence: sequence, out: 0, back: 0, patience: 0, endpoint: 0,
                region: 0, instance: 0, slot: 0, attempt: 1, cause: 0, isPrivate: false))
    }

    @Test func `a try ends with its last answer, which brings its content, and an error spoils it`() {
        for hasError in [false, true] {
            var inFlight = InFlightReload(isCharged: true, place: 5)
            inFlight.tries.begin()
            inFlight.sendToService(2, first: 40, endsFrom: Self.at(1), deadline: Self.at(30))
            func hear(_ answer: ServiceAnswer) -> ClientTries.Hearing {
                inFlight.receive(answer, requests: 2, heedsRetryAfter: true)
            }
            let stray = hear(ServiceAnswer(to: Self.request(42), at: Self.at(2), madeAt: Self.at(1)))
            let last = hear(ServiceAnswer(to: Self.request(41), at: Self.at(9), madeAt: Self.at(8)))
            expect(stray == .some && last == .some && inFlight.tries.unheard == 1)
            let first =
                hasError
                ? ServiceAnswer(to: Self.request(40), at: Self.at(4), isError: true, retryAfter: .seconds(20))
                : ServiceAnswer(to: Self.request(40), at: Self.at(4), madeAt: Self.at(3))
            let end = hear(first)
            expect(end == .allAnswers && inFlight.tries.answeredAt == Self.at(9))
            expect(inFlight.ending == (hasError ? .error : .ok))
            expect(hasError || inFlight.madeAt == Self.at(8))
            expect(inFlight.tries.retryAfter == (hasError ? .seconds(20) : .zero))
            inFlight.end()
            let late = hear(first)
            expect(late == .some && inFlight.tries.undecided == 0)
        }
    }

    @Test func `a try that cannot be answered in time waits for its time-out alone`() {
        var inFlight = InFlightReload(isCharged: false, place: 0)
        inFlight.sendToService(1, first: 0, endsFrom: Self.at(31), deadline: Self.at(30))
        let heard = inFlight.receive(
            ServiceAnswer(to: Self.request(0), at: Self.at(31), madeAt: Self.at(2)), requests: 1, heedsRetryAfter: true)
        expect(heard == .some && inFlight.awaitsAnswer && inFlight.ending == .timeout)
    }

    @Test func `pushed reloads are paid from a pool of their own where there is one`() {
        for hasPushPool in [false, true] {
            var accounts = InstanceAccounts(closedAt: .start, hasPushPool: hasPushPool, areUsed: true)
            expect(accounts.payer(of: .push) == (hasPushPool ? .pushed : .own) && accounts.payer(of: .after) == .own)
            var pools: [BudgetPool] = []
            accounts.forEach { pool, _ in pools.append(pool) }
            expect(pools == (hasPushPool ? [.own, .pushed] : [.own]))
        }
    }

    @Test func `a person who turns a stack skips widgets that are not there, and turns back to none`() {
        var stack = StackState(StackPlan(id: "stack", flipShare: 0, rotationsPerDay: 1), count: 3, flips: nil)
        for place in 0..<3 { stack.add(10 + place, at: place, on: .homeFirst) }
        let turned = stack.flip { $0 == 11 }
        expect(turned && stack.top == 12)
        let alone = stack.flip { $0 != 12 }
        expect(!alone && stack.top == 12)
        let byRelevance = stack.rotate { $0 == 10 ? 1 : 0 }
        let onceMore = stack.rotate { $0 == 11 ? 2 : 0 }
        expect(byRelevance && !onceMore && stack.top == 10)
        stack.beginDay()
        let nextDay = stack.rotate { $0 == 11 ? 2 : 0 }
        expect(nextDay && stack.top == 11)
    }
}
