import WidgetPlatform

/// The priorities of the events of one instant, lowest first (T3).
public enum EventPriority: UInt8, Comparable, Sendable {
    case response, sleep, use, location, environment, view, interaction, call, reload

    @inlinable public static func < (a: EventPriority, b: EventPriority) -> Bool { a.rawValue < b.rawValue }
}

/// Surfaces that a session shows, bit `Surface.rawValue`.
@frozen public struct SurfaceSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
    @inlinable public init(_ surface: Surface) { rawValue = 1 << surface.rawValue }
    @inlinable public func contains(_ surface: Surface) -> Bool { rawValue & (1 << surface.rawValue) != 0 }
}

/// An event that happens to a device from outside: by its person, or by the recorded line of a replay. Indices are
/// those of the plan.
@frozen public enum WorldEvent: Sendable, BitwiseCopyable {
    case wake, sleep
    /// A session begins; it shows these surfaces at once.
    case pickup(shown: SurfaceSet)
    case glance, lock
    case viewInstance(Int)
    case viewSurface(Surface)
    case appOpen(app: Int), appClose(app: Int)
    case navigationStart(app: Int), navigationEnd(app: Int), audioStart(app: Int), audioEnd(app: Int)
    /// The person lets an app know another amount of where they are (L3).
    case permission(app: Int, LocationMode)
    /// The device begins to move, arrives, or stands elsewhere: the world's `place` tells where.
    case move
    /// `zone` is the new zone of a crossing, −1 if it stays.
    case environment(EnvironmentChange, zone: Int)
    /// The appearance turns light or dark: widgets are rendered again, nothing reloads (R2).
    case appearance
    /// The person opens Control Center, or presses the action button (V10).
    case controlCenter, actionButton
    case interact(instance: Int)
    case tap(instance: Int)
    case appTrigger(kind: Int), push(app: Int), silentPush(kind: Int)
    case offline, online, lowPowerOn, lowPowerOff
    /// Background refresh is switched off and on (D7).
    case refreshOff, refreshOn
    /// A watch comes off the wrist and back (V4).
    case watchOff, watchOn
    /// The display dims, until the next pickup (R4).
    case lowLuminance
    /// The person looks at the dimmed display without waking it (R4), or at the phone in standby (V4).
    case look, standbyLook
    /// The person looks at a Mac's desktop; and windows cover it or free it, so that its widgets dim or clear (V2, R4).
    case desktopLook(isCovered: Bool)
    case desktopCover(Bool)
    /// The device goes on its charger or comes off it, and is moved while nobody looks at it: recorded for Android.
    case charge(Bool), motion
    /// The person opens the surface of the device that is shown from an opening on, or goes to one of its tiles, −1 for
    /// none in particular (V7–V9); and leaves it.
    case open(instance: Int), close
    /// A workout begins or ends.
    case workout(Bool)
    /// An app is updated (D9, N1).
    case appUpdate(app: Int)

    @inlinable public var priority: EventPriority {
        switch self {
        case .wake, .sleep: .sleep
        case .pickup, .glance, .lock, .appOpen, .appClose, .navigationStart, .navigationEnd, .audioStart, .audioEnd,
            .offline, .online,
            .lowPowerOn, .lowPowerOff, .refreshOff, .refreshOn, .watchOff, .watchOn, .lowLuminance, .look, .standbyLook,
            .desktopLook,
            .desktopCover, .permission, .charge, .motion, .close, .workout:
            .use
        case .move: .location
        case .environment, .appearance: .environment
        case .viewInstance, .viewSurface, .open, .controlCenter, .actionButton: .view
        case .interact, .tap: .interaction
        case .appTrigger, .push, .silentPush, .appUpdate: .call
        }
    }
}

/// Counts of what a person does that is not an event of the device.
package struct WorldTally {
    /// Nights cut to 3 or 14 hours (D2).
    package var cutNights = 0
    /// One-way trips begun (L1).
    package var trips = 0

    package init(cutNights: Int = 0, trips: Int = 0) { (self.cutNights, self.trips) = (cutNights, trips) }
}
