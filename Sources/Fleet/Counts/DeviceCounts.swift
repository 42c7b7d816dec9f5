import Basics

/// Counts of a segment's people and of their devices of one kind in the reported span. Counts of the person's own stand
/// with their first device.
public enum DeviceCounts: NamedCounts {
    public typealias Name = DeviceCount
    public static var size: Int { DeviceCount.count }
}

/// One of them, in the order of the cells; a sum of two words takes two.
public enum DeviceCount: UInt8, CountIndex, NamedCase {
    case people, devices
    /// Device-days that a wake-up in the span completed (T5).
    case deviceDays
    case sessions, glances
    /// Microseconds in session.
    case sessionTimeLow, sessionTimeHigh
    case appOpenings, navigationSessions, audioSessions
    /// Nights cut to at least 3 h or at most 14 h (D2).
    case cutNights
    /// One-way trips begun (L1).
    case trips
    case significantChanges, environmentChanges
    /// Logical events of the span: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps,
    /// location and environment changes.
    case events
    /// Switches of an automatic appearance (R2), and instances rendered again by them or by a Mac's desktop that dims
    /// or clears (R4).
    case appearanceSwitches, rerenders
    /// Edits of an instance's configuration (F8).
    case edits
    /// Environment changes that are zone crossings, those that are reboots, and those of the latter that install a
    /// release (D9).
    case zoneCrossings, reboots, releases
    /// Looks at an always-on display that nobody wakes or, on a Mac, at the desktop (R4, V2), and at a phone in standby
    /// (V4).
    case looks, standbyLooks
    /// Buttons of widgets used (V5).
    case interactions
    /// Stacks turned by the person, and by the system (V3).
    case flips, rotations
    /// Episodes of low power and without a connection begun (D7, D8).
    case lowPowerEpisodes, offlineEpisodes
    /// Pushes that came to the device, and those of them that had waited for a connection (B7).
    case pushes, latePushes
    /// Times that an app was woken up in the background and called for a reload, and those at which the system did not
    /// let it (B7, D7).
    case wakeUps, refusedWakeUps
    /// Microseconds that a watch was worn (V4).
    case wornTimeLow, wornTimeHigh
    /// Taps on widgets, which open their app (V5).
    case taps
    /// Background fetches of apps, those that were not let, and those that came without a connection (B8, D7, D8).
    case fetches, refusedFetches, missedFetches
    /// Their requests sent; those sent before the report that arrived in it, and those sent in it that arrive after its
    /// end.
    case fetchRequests, fetchRequestsCarriedIn, fetchRequestsCarriedOut
    /// Silent pushes that came for the device: those delivered to their app, those that a newer one took the place of
    /// as they waited, those dropped; and those that waited as the report began and as it ended (B7).
    case silentPushes, silentPushesDelivered, silentPushesMerged, silentPushesDropped, silentPushesCarriedIn,
        silentPushesCarriedOut
    /// Updates of apps of which the device has a widget (D9, N1).
    case appUpdates

    public static var last: Self { .appUpdates }
}

extension Cells<DeviceCounts> {
    public static var sessionTime: Self { Self(start: DeviceCount.sessionTimeLow.ordinal, count: 2) }
    public static var wornTime: Self { Self(start: DeviceCount.wornTimeLow.ordinal, count: 2) }
}
