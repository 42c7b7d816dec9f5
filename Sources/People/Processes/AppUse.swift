import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// The use of container apps on a device (D4, D5): in the foreground one after another within a session, audio that
/// continues after it, and navigation on some of the person's trips.
struct AppUse {
    /// The next opening, closing, or boundary of a user session.
    private(set) var nextAt: Instant = .never
    /// Sessions so far: how long an app is used in one is looked up by both, so that no app's use moves another's.
    private var session: UInt64 = 0
    /// The next session that any app picks.
    private var nextPick: UInt64 = .max
    /// The lock of the latest session that used an app, changed a permission or began audio.
    private var lock: Instant = .never
    /// The permission mode of each app on this device.
    private var modes: SIMD16<UInt8>
    // The foreground.
    private var toOpen: UInt16 = 0
    private var openAt: Instant = .never
    private var foreground = -1
    private var closeAt: Instant = .never
    // Audio: one app plays at a time.
    private var toPlay = -1
    private var playAt: Instant = .never
    private var playing = -1
    private var audioEnd: Instant = .never
    // Permissions that are changed in the session that has begun.
    private var toPermit: UInt16 = 0
    private var permitAt: Instant = .never
    // Navigation: one app, from a leg's start to its end.
    private var navigating = -1
    private var navigationAt: Instant = .never

    /// The sessions that open each app, those in which it would play audio, and those in which its permission is
    /// changed (L3).
    private var openings, audioStarts, permissionChanges: SessionPicks
    /// The sessions in which the person opens Control Center or presses the action button (V10).
    private var controls: SessionPicks
    /// The places of controls that the session which has begun comes to, bit by number, and its instant.
    private var toControl: UInt8 = 0
    private(set) var controlsAt: Instant = .never
    /// The probability that a session opens each app, in an hour of weight 1.
    private var openingShares: UnsafeMutablePointer<Double>
    private let habits: UnsafePointer<PreparedSegment>
    /// The device's.
    private let streams: RandomStreams
    private let hasNavigation: Bool

    /// - Parameters:
    ///   - isTaken: whether the device is at hand on its person's trips: nobody navigates with a Mac.
    ///   - hasControls: whether it has a Control Center and an action button here: a phone or a tablet.
    ///   - memory: for what is kept of each app.
    init(
        _ traits: PersonTraits, slot: UInt8, unlocksPerDay: Double, isTaken: Bool, hasControls: Bool,
        _ habits: UnsafePointer<PreparedSegment>,
        in memory: AppMemory, isResumed: Bool = false
    ) {
        let apps = habits.pointee.apps.count
        openings = SessionPicks(memory.openings, apps: apps)
        audioStarts = SessionPicks(memory.audioStarts, apps: apps)
        permissionChanges = SessionPicks(memory.permissionChanges, apps: apps)
        controls = SessionPicks(memory.controls, apps: ControlHabits.places)
        openingShares = memory.openingShares
        openingShares.initialize(repeating: 0, count: apps)
        streams = traits.streams.ofDevice(slot)
        self.habits = habits
        modes = traits.modes
        var navigates = false
        for index in habits.pointee.apps.indices
        where isTaken && (habits.pointee.apps.baseAddress! + index).pointee.navigation != .never {
            navigates = true
        }
        hasNavigation = navigates
        for index in habits.pointee.apps.indices {
            let app = UnsafePointer(habits.pointee.apps.baseAddress! + index)
            let rate = streams.number(.appOpeningRate, sub: index)
            guard unlocksPerDay > 0 else { continue }
            audioStarts.add(
                app: index, probability: app.pointee.audioPerDay / unlocksPerDay, source(.audioStart),
                isResumed: isResumed)
            if app.pointee.modeChangesPerDay > 0 {
                permissionChanges.add(
                    app: index, probability: app.pointee.modeChangesPerDay / unlocksPerDay, source(.permissionChange),
                    isResumed: isResumed)
            }
            let weight =
                app.pointee.followsHours ? app.pointee.meanWeight(over: traits.sleepTimes.usualWaking.workday) : 1
            guard weight > 0 else { continue }
            openingShares[index] = max(0, app.pointee.openingsPerDay.draw(rate)) / (unlocksPerDay * weight)
            openings.add(
                app: index, probability: openingShares[index] * app.pointee.mostWeight, source(.appOpening),
                isResumed: isResumed)
        }
        for place in 0..<ControlHabits.places where hasControls && unlocksPerDay > 0 {
            controls.add(
                app: place, probability: habits.pointee.controls.perDay(place) / unlocksPerDay, source(.controlUse),
                isResumed: isResumed)
        }
        findNextPick()
    }

    /// Continues in other memory, which is a copy.
    mutating func adopt(_ memory: AppMemory) {
        openings.adopt(memory.openings)
        audioStarts.adopt(memory.audioStarts)
        permissionChanges.adopt(memory.permissionChanges)
        openingShares = memory.openingShares
        controls.adopt(memory.controls)
    }

    private func source(_ purpose: Purpose) -> SessionPicks.Source {
        SessionPicks.Source(draws: streams[purpose], exponential: habits.pointee.exponential)
    }

    private mutating func findNext() {
        nextAt = min(min(min(openAt, closeAt), min(playAt, audioEnd)), min(navigationAt, permitAt))
    }

    /// Looks ahead after every change of the journey: navigation begins with a departure and ends with the arrival.
    mutating func follow(_ change: JourneyChange) {
        guard hasNavigation else { return }
        let isOver = navigating >= 0
        navigationAt =
            isOver || (change.nextIsDeparture && appNavigating(leg: change.legNumber) >= 0) ? change.nextAt : .never
        findNext()
    }

    /// The app that navigates on a leg; −1 for none.
    private func appNavigating(leg: UInt64) -> Int {
        let apps = habits.pointee.apps
        for index in apps.indices {
            if apps[index].navigation.holds(
                streams[.navigation].value(at: leg * UInt64(PopulationPlan.mostApps) + UInt64(index)))
            {
                return index
            }
        }
        return -1
    }

    private func drawIndex(app: Int) -> UInt64 { session * UInt64(PopulationPlan.mostApps) + UInt64(app) }

    /// A session begins: the apps that will come to the foreground in it, and the audio that starts.
    ///
    /// - Parameter zone: where the person is.
    mutating func beginSession(at instant: Instant, lock: Instant, in zone: UnsafePointer<ZoneTable>) {
        self.lock = lock
        session += 1
        if session < nextPick { return }
        defer { findNextPick() }
        while let (app, _) = permissionChanges.take(in: session, source(.permissionChange)) {
            toPermit |= 1 << UInt16(app)
        }
        if toPermit != 0 { permitAt = instant }
        while let (app, u) = openings.take(in: session, source(.appOpening)) {
            if holds(app, at: instant, in: zone, u) { toOpen |= 1 << UInt16(app) }
        }
        while let (app, _) = audioStarts.take(in: session, source(.audioStart)) {
            if playing < 0 { toPlay = app }
        }
        while let (place, _) = controls.take(in: session, source(.controlUse)) { toControl |= 1 << UInt8(place) }
        if toControl != 0 { controlsAt = instant }
        if toOpen != 0 { openAt = instant }
        if toPlay >= 0 { playAt = instant }
        findNext()
    }

    /// How many of the next sessions open no app, play no audio, change no permission and come to no control.
    var idleSessionsAhead: UInt64 { nextPick > session ? nextPick - session - 1 : 0 }

    private mutating func findNextPick() {
        nextPick = min(
            min(openings.nextSession, audioStarts.nextSession),
            min(permissionChanges.nextSession, controls.nextSession))
    }

    /// Takes the person's next way to controls, in the instant in which the session has begun.
    mutating func takeControls() -> WorldEvent {
        let place = toControl.trailingZeroBitCount
        toControl &= toControl - 1
        if toControl == 0 { controlsAt = .never }
        return place == ControlHabits.controlCenter ? .controlCenter : .actionButton
    }

    /// Whether a pick of the app's weightiest hour holds in the hour of the session.
    private func holds(_ app: Int, at instant: Instant, in zone: UnsafePointer<ZoneTable>, _ u: UInt64) -> Bool {
        let prepared = UnsafePointer(habits.pointee.apps.baseAddress! + app)
        guard prepared.pointee.followsHours else { return true }
        let share = openingShares[app] * prepared.pointee.weight(ofHour: zone.pointee.localTime(at: instant).clock.hour)
        return RandomStream.uniform(u) * min(1, openingShares[app] * prepared.pointee.mostWeight) < share
    }

    /// Sessions in which no app is used, or of a device that nobody uses: they have their numbers, so that no later one
    /// is drawn otherwise.
    mutating func skipSessions(_ count: UInt64) { session += count }

    /// The session under way is locked at `lock`, which may be earlier than it was to be.
    mutating func endSession(at lock: Instant) {
        self.lock = min(self.lock, lock)
        if closeAt < .never { closeAt = min(closeAt, self.lock) }
        findNext()
    }

    /// Takes the next change.
    mutating func advance(at instant: Instant, leg: UInt64) -> WorldEvent {
        defer { findNext() }
        // A change of permission holds for everything that the session does.
        if permitAt == instant {
            let app = toPermit.trailingZeroBitCount
            toPermit &= toPermit - 1
            if toPermit == 0 { permitAt = .never }
            modes[app] = habits.pointee.apps[app].mode(
                otherThan: modes[app], streams[.changedMode].value(at: drawIndex(app: app)))
            return .permission(app: app, LocationMode(rawValue: modes[app])!)
        }
        if closeAt == instant {
            let app = foreground
            foreground = -1
            closeAt = .never
            if toOpen != 0 && instant < lock { openAt = instant } else { toOpen = 0 }
            return .appClose(app: app)
        }
        if audioEnd == instant {
            let app = playing
            playing = -1
            audioEnd = .never
            return .audioEnd(app: app)
        }
        if openAt == instant {
            let app = toOpen.trailingZeroBitCount
            toOpen &= toOpen - 1
            openAt = .never
            foreground = app
            closeAt = min(
                lock,
                instant
                    + habits.pointee.apps[app].foregroundTime.draw(
                        streams[.appForegroundTime].value(at: drawIndex(app: app))))
            return .appOpen(app: app)
        }
        if playAt == instant {
            playing = toPlay
            toPlay = -1
            playAt = .never
            audioEnd =
                instant
                + habits.pointee.apps[playing].audioLength.draw(
                    streams[.audioLength].value(at: drawIndex(app: playing)))
            return .audioStart(app: playing)
        }
        navigationAt = .never
        if navigating >= 0 {
            let app = navigating
            navigating = -1
            return .navigationEnd(app: app)
        }
        navigating = appNavigating(leg: leg)
        return .navigationStart(app: navigating)
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        let apps = habits.pointee.apps.count
        coder.code(&session)
        openings.code(&coder, session: session)
        audioStarts.code(&coder, session: session)
        permissionChanges.code(&coder, session: session)
        controls.code(&coder, session: session)
        if Coder.isReading { findNextPick() }
        // `toControl` and `controlsAt` are not written: they are taken in the instant in which the session begins, and
        // no device is suspended within one.
        for app in habits.pointee.apps.indices
        where (habits.pointee.apps.baseAddress! + app).pointee.modeChangesPerDay > 0 {
            coder.code(&modes[app])
        }
        // Most of the time no app is used and none is about to be.
        var isBusy = nextAt < .never
        coder.code(&isBusy)
        guard isBusy else { return }
        coder.code(&toOpen, in: 0...UInt16(truncatingIfNeeded: 1 << apps - 1), "an unknown app")
        coder.code(&openAt)
        coder.code(&foreground, in: -1...apps - 1, "an unknown app")
        coder.code(&closeAt)
        coder.code(&lock)
        coder.code(&toPlay, in: -1...apps - 1, "an unknown app")
        coder.code(&playAt)
        coder.code(&playing, in: -1...apps - 1, "an unknown app")
        coder.code(&audioEnd)
        coder.code(&navigating, in: -1...apps - 1, "an unknown app")
        coder.code(&navigationAt)
        coder.code(&toPermit, in: 0...UInt16(truncatingIfNeeded: 1 << apps - 1), "an unknown app")
        coder.code(&permitAt)
        if Coder.isReading { findNext() }
    }
}

/// Room for what a device's use of apps keeps of each app: a few words an app, in memory that somebody else owns.
package struct AppMemory {
    let openings, audioStarts, permissionChanges: UnsafeMutablePointer<SessionPick>
    let openingShares: UnsafeMutablePointer<Double>
    /// The places of controls.
    let controls: UnsafeMutablePointer<SessionPick>

    /// The words that it takes.
    package static func words(apps: Int) -> Int {
        apps * (3 * MemoryLayout<SessionPick>.stride / 8 + 1)
            + ControlHabits.places * MemoryLayout<SessionPick>.stride / 8
    }

    /// - Parameter words: at least as many as `words(apps:)` says.
    package init(_ words: UnsafeMutablePointer<UInt64>, apps: Int) {
        let picks = UnsafeMutableRawPointer(words).bindMemory(to: SessionPick.self, capacity: 3 * apps)
        (openings, audioStarts, permissionChanges) = (picks, picks + apps, picks + 2 * apps)
        openingShares = UnsafeMutableRawPointer(picks + 3 * apps).bindMemory(to: Double.self, capacity: apps)
        controls = UnsafeMutableRawPointer(openingShares + apps).bindMemory(
            to: SessionPick.self, capacity: ControlHabits.places)
    }
}
