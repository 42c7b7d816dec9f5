import Basics
import People
import RefreshService
import WidgetPlatform

// The parts of a device's simulation's state, by subject.

/// When the device next has something to do by itself.
struct DeviceClocks {
    /// How far the device can run by itself: to the end, or until a request of it can be answered (S5).
    var horizon: Instant
    /// The end of the warm-up; `never` once it is over.
    var reportStartsAt: Instant
    /// The next call of an app or push to it (T3, priority 7).
    var callsAt: Instant = .never
    /// The next edit of any instance's configuration that is due (F8).
    var editDue: Instant = .never
    /// When the first action of a button returns (F6).
    var actionsAt: Instant = .never
    /// When the app that a tap has opened leaves the foreground (V5); `never` if that is recorded, or there is none.
    var tapEndsAt: Instant = .never
    /// The world's next event and its priority, as the world said after the last one.
    var worldAt: Instant = .never
    var worldPriority = EventPriority.sleep
    /// The earliest of the clocks that no pickup, glance or lock moves: the end of the budget's interval, the start of
    /// the report, reports of places, the time change; and whether an event of the instant under way may have moved
    /// one.
    var slowAt: Instant = .start
    var slowMoved = false
    /// The earliest clock of any instance.
    var instancesAt: Instant = .never
    /// The instance whose clock that is; −1 if it is that of several or of none, or if that is not known.
    var soleInstance = -1

    /// Forgets what is found again before the device continues, so that it is the same in all suspended devices.
    mutating func suspend() {
        (horizon, worldAt, worldPriority, slowAt) = (.never, .never, .sleep, .start)
        (instancesAt, soleInstance) = (.never, -1)
    }

    /// Nothing that is still to come lies in the past.
    func checkInvariants(at now: Instant) {
        precondition(
            instancesAt >= now && callsAt >= now && actionsAt >= now && tapEndsAt >= now,
            "a clock stands before \(now.microseconds) µs")
        precondition(
            reportStartsAt == .never || reportStartsAt >= now,
            "the warm-up was over at \(reportStartsAt.microseconds) µs")
    }
}

/// The person's actions so far on which their widgets' draws and counts depend.
struct PersonState {
    /// Whether this is the person's first device, which counts what is the person's own.
    let countsPerson: Bool
    var isAsleep: Bool
    /// Whether a wake-up of the run has begun a device-day (T5).
    var hasWokenUp = false
    /// Pickups so far, by which what the person does at one is looked up: a look or an unworn watch moves none of it.
    var pickupNumber: UInt64 = 0
    /// The world's tally when the report began.
    var tallyAtReportStart = WorldTally()
}

/// The state of the display, and whether the device is at hand (V2, V4, R4).
struct DisplayState {
    /// Showings of surfaces so far, and one more: each views an instance once (V2).
    var showingNumber: UInt32 = 1
    /// Whether any view since the last lock waits to be healed (V6).
    var hasUnhealed = false
    /// Whether a pickup of this instant has not shown its surfaces yet, and which these are.
    var hasPickup = false
    var shown = SurfaceSet()
    /// A watch is on the wrist, and since when that is counted; other devices are always at hand (V4).
    var isWorn: Bool
    /// From when the session under way is counted, when the latest one began, and when the latest glance was.
    var sessionSince: Instant = .never
    var unlockedAt: Instant = .never
    var glancedAt: Instant = .never
    var wornSince: Instant = .start
    /// Whether the display has dimmed since the latest pickup (R4), and when: as that ended, if nothing recorded says
    /// otherwise.
    var isDimmed = false
    var dimmedSince: Instant = .longAgo
    /// Whether windows cover a Mac's desktop, so that its widgets are dimmed (R4).
    var isCovered = false
    /// Whether any view of this instant leads to the use of a button, and to a tap (V5).
    var hasInteractions = false
    var hasTaps = false

    func checkInvariants() {
        precondition(isWorn || !hasPickup, "a watch off the wrist shows something")
        precondition(hasPickup || shown.isEmpty, "surfaces wait to be shown without a pickup")
    }
}

/// The device's connection and power (D7, D8).
struct DeviceCondition {
    var isOnline = true
    /// Whether background refresh is on by the device's setting, and spans of off that lie on top.
    var hasBackgroundRefresh: Bool
    var isLowPower = false
}

/// The apps of a device, bit by index.
struct AppStates {
    var foreground: UInt16 = 0
    /// The app that a tap has brought there (V5), −1 for none, and when one did last in the instant under way.
    var tapped: Int8 = -1
    var tappedAt: Instant = .longAgo
    var navigating: UInt16 = 0
    var playing: UInt16 = 0
    var signedIn: UInt16 = .max
    var signedInAtStart: UInt16 = .max
    /// Apps with a push that waits for a connection (B7), and whether anything does.
    var heldPushes: UInt16 = 0
    var hasHeldCalls = false
    /// Whether any app that was opened or closed in this instant calls for reloads.
    var hasOwnCalls = false
    /// When a widget of the app was last viewed, by app.
    var lastWidgetView: UnsafeMutablePointer<Instant>

    init(lastWidgetView: UnsafeMutablePointer<Instant>) { self.lastWidgetView = lastWidgetView }

    func checkInvariants() {
        precondition(foreground.nonzeroBitCount <= 1, "\(foreground.nonzeroBitCount) apps in the foreground")
        precondition(tapped < 0 || foreground == 1 << UInt16(tapped), "a tapped app that is not in the foreground")
        precondition(heldPushes == 0 || hasHeldCalls, "a push waits and nothing is held")
        precondition(signedIn & signedInAtStart == signedInAtStart, "an app has signed out")
    }
}

/// Where the device is: its zone, and the filters of significant changes (L2).
struct Whereabouts {
    var zone: Int
    let hasReduced: Bool
    /// Whether an instance follows the person with full accuracy: the filter of full accuracy counts the device's
    /// changes in any case.
    let hasFull: Bool
    /// The next significant time change: the zone's rules move the clocks, or a new day begins, where that matters
    /// (F4).
    var timeChangeAt: Instant = .never
    /// The filters of full and of reduced accuracy.
    var changes: (SignificantChanges, SignificantChanges)
    var reportAt: (Instant, Instant) = (.never, .never)

    func checkInvariants(at now: Instant) {
        precondition(hasReduced || reportAt.1 == .never, "a report with reduced accuracy to nobody")
        precondition(
            timeChangeAt >= now && reportAt.0 >= now && reportAt.1 >= now, "a report before \(now.microseconds) µs")
    }
}

/// The device as a client of its service (S1, S3, S5).
struct ServiceLink {
    /// A try is given up after this time (S3); nil if it is drawn for each.
    let timeout: Duration?
    /// Whether a client that hears that its request is being served stays for the answer.
    let staysOnceServed: Bool
    /// Whether the service fails at any time.
    let hasFailures: Bool
    /// Requests that leave the device go here; nil without a service.
    let outbox: RequestOutbox?
    /// Sees the requests as they are counted; nil if nobody asks.
    let tap: ArrivalTap?
    /// The end of the window in which the fleet and its service are.
    var windowEnd: Instant = .start
    /// Requests so far, those before it was suspended last, and what is left of the budget of retries, in thousandths.
    var requestNumber: UInt32 = 0
    var sentBefore: UInt32 = 0
    var retryAccount: Int64

    init(_ plan: RequestPlan, _ patience: Patience, outbox: RequestOutbox?, tap: ArrivalTap?) {
        timeout = patience.isConstant ? patience.draw(0) : nil
        staysOnceServed = plan.abandonment == .inQueue
        hasFailures = !plan.failing.isEmpty || !plan.failingEndpoints.isEmpty
        self.outbox = outbox
        self.tap = tap
        retryAccount = plan.retry.budget?.most ?? 0
    }
}
