import Basics
import DeviceStorage

/// The apps of a device, bit by index: in the foreground, in user sessions, signed in, with pushes that wait.
struct AppStates {
    private var foreground: UInt16 = 0
    /// The app that a tap has brought there (V5), −1 for none, and when one did last in the instant under way.
    private var tapped: Int8 = -1
    private var tappedAt: Instant = .longAgo
    /// When that app leaves the foreground; `never` if that is recorded, or there is none.
    private(set) var tapEndsAt: Instant = .never
    private var navigating: UInt16 = 0
    private var playing: UInt16 = 0
    private var signedIn: UInt16 = .max
    private var signedInAtStart: UInt16 = .max
    /// Apps with a push that waits for a connection (B7), and whether anything does.
    private var heldPushes: UInt16 = 0
    private(set) var hasHeldCalls = false
    /// When a widget of the app was last viewed, by app.
    private(set) var lastWidgetView: UnsafeMutablePointer<Instant>

    init(count: Int, lastWidgetView: UnsafeMutablePointer<Instant>) {
        self.lastWidgetView = lastWidgetView
        lastWidgetView.update(repeating: .longAgo, count: max(1, count))
    }

    mutating func adopt(_ memory: DeviceMemory) { lastWidgetView = memory.lastWidgetView }

    @inline(__always) private static func bit(_ app: Int) -> UInt16 { 1 << UInt16(app) }

    @inline(__always) func isInForeground(_ app: Int) -> Bool { foreground & Self.bit(app) != 0 }
    /// Whether an app has an audio or navigation session (D5).
    @inline(__always) func hasSession(_ app: Int) -> Bool { (navigating | playing) & Self.bit(app) != 0 }
    /// Whether the system counts an app as in use, so that it knows the place (L4).
    @inline(__always) func isInUse(_ app: Int) -> Bool { (foreground | navigating) & Self.bit(app) != 0 }
    @inline(__always) func isSignedIn(_ app: Int) -> Bool { signedIn & Self.bit(app) != 0 }
    /// Whether the foreground is a tap's, for as long as that says (V5).
    func isTapped(_ app: Int) -> Bool { Int(tapped) == app }

    mutating func begin(signedIn apps: UInt16) { (signedIn, signedInAtStart) = (apps, apps) }

    // The foreground: one app at a time.

    /// An app comes to the foreground, and its person signs in if need be (D4, P8); returns whether they do.
    ///
    /// - Parameter canSignIn: false before the start, at which the scenario's share is signed in (T4).
    mutating func open(_ app: Int, canSignIn: Bool) -> Bool {
        foreground = Self.bit(app)
        if isSignedIn(app) || !canSignIn { return false }
        signedIn |= Self.bit(app)
        return true
    }

    /// Returns the app in the foreground, which leaves it.
    @inline(__always) mutating func leaveForeground() -> Int? {
        if foreground == 0 { return nil }
        defer { foreground = 0 }
        return foreground.trailingZeroBitCount
    }

    /// Whether a tap of this instant has opened an app: taps on several of its widgets open it once.
    func isOpened(_ app: Int, byTapAt now: Instant) -> Bool { isTapped(app) && tappedAt == now }

    /// The app that leaves the foreground before another comes there by a tap.
    mutating func makeWay(for app: Int) -> Int? {
        if foreground == 0 || isInForeground(app) { return nil }
        tapEndsAt = .never
        return foreground.trailingZeroBitCount
    }

    /// A tap brings an app to the foreground (V5), where it stays until an instant, if that is not recorded.
    mutating func tap(_ app: Int, at now: Instant) { (tapped, tappedAt) = (Int8(app), now) }
    mutating func endTap(at instant: Instant) { tapEndsAt = instant }

    /// The tap's app leaves the foreground: when its time is over, at the lock, or as another's opening takes its
    /// place.
    ///
    /// - Parameter app: one that is opened in this instant; if it is the same, it stays, and that opening says how
    ///   long.
    /// - Returns: the app that is to be closed.
    @inline(__always) mutating func endTap(unlessOf app: Int = -1) -> Int? {
        if tapped < 0 { return nil }
        tapEndsAt = .never
        if !isTapped(app) { return Int(tapped) }
        tapped = -1
        return nil
    }

    /// Whether an app does not leave with its opening before, as a tap has opened it again.
    func staysOpen(_ app: Int) -> Bool { isTapped(app) && tapEndsAt < .never }
    mutating func forgetTap(of app: Int) { if isTapped(app) { tapped = -1 } }

    // User sessions (D5).

    /// Returns whether the app had none.
    mutating func begin(_ session: UserSession, of app: Int) -> Bool {
        let hadNone = !hasSession(app)
        switch session {
        case .navigation: navigating |= Self.bit(app)
        case .audio: playing |= Self.bit(app)
        }
        return hadNone
    }

    /// Returns whether the app has none any more.
    mutating func end(_ session: UserSession, of app: Int) -> Bool {
        switch session {
        case .navigation: navigating &= ~Self.bit(app)
        case .audio: playing &= ~Self.bit(app)
        }
        return !hasSession(app)
    }

    // Calls that wait for a connection (B7).

    mutating func holdCall() { hasHeldCalls = true }

    /// A push waits; the last one to an app is kept.
    ///
    /// - Returns: whether it takes the place of another.
    @discardableResult mutating func holdPush(to app: Int) -> Bool {
        defer {
            heldPushes |= Self.bit(app)
            hasHeldCalls = true
        }
        return heldPushes & Self.bit(app) != 0
    }

    /// A silent push takes the place of a push that waits; returns whether there is one.
    mutating func dropHeldPush(to app: Int) -> Bool {
        defer { heldPushes &= ~Self.bit(app) }
        return heldPushes & Self.bit(app) != 0
    }

    /// The connection is back: the apps with a push that has waited.
    mutating func takeHeldCalls() -> UInt16 {
        defer { (heldPushes, hasHeldCalls) = (0, false) }
        return heldPushes
    }

    @inline(__always) func viewWidget(of app: Int, at now: Instant) { lastWidgetView[app] = now }

    func checkInvariants(at now: Instant) {
        precondition(foreground.nonzeroBitCount <= 1, "\(foreground.nonzeroBitCount) apps in the foreground")
        precondition(tapped < 0 || foreground == Self.bit(Int(tapped)), "a tapped app that is not in the foreground")
        precondition(tapEndsAt >= now, "a tap's time was over at \(tapEndsAt.microseconds) µs")
        precondition(heldPushes == 0 || hasHeldCalls, "a push waits and nothing is held")
        precondition(signedIn & signedInAtStart == signedInAtStart, "an app has signed out")
    }

    /// - Parameter grace: how long a widget's view matters to its app's permission (L4).
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, count: Int, grace: Duration) {
        var isInUse = foreground | navigating | playing | heldPushes != 0 || hasHeldCalls
        coder.code(&isInUse)
        if isInUse {
            let all = UInt16(truncatingIfNeeded: 1 << count - 1)
            coder.code(&foreground, in: 0...all, "an unknown app")
            if !coder.holds(foreground.nonzeroBitCount <= 1, "several apps in the foreground") { foreground = 0 }
            if foreground != 0 {
                coder.code(&tapped, in: -1...Int8(15), "an unknown app")
                let isOpen = tapped < 0 || foreground == Self.bit(Int(tapped))
                if !coder.holds(isOpen, "a tapped app that is not in the foreground") { tapped = -1 }
                coder.code(&tapEndsAt)
            }
            coder.code(&navigating, in: 0...all, "an unknown app")
            coder.code(&playing, in: 0...all, "an unknown app")
            coder.code(&heldPushes, in: 0...all, "an unknown app")
            coder.code(&hasHeldCalls)
            _ = coder.holds(heldPushes == 0 || hasHeldCalls, "a push waits and nothing is held")
        }
        var signedInSince = signedIn ^ signedInAtStart
        coder.code(&signedInSince)
        if Coder.isReading { signedIn = signedInSince ^ signedInAtStart }
        for app in 0..<count {
            var matters = lastWidgetView[app] > .longAgo && coder.base - lastWidgetView[app] <= grace
            coder.code(&matters)
            if matters { coder.code(&lastWidgetView[app]) }
        }
    }
}

/// The two kinds of user session in which an app may call for free reloads (D5).
enum UserSession {
    case navigation, audio
}
