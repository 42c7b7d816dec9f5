import Basics

/// The system of a device, whose rules decide when its widgets are refreshed.
public enum Platform: UInt8, CaseIterable, Sendable, NamedCase {
    /// iOS and its relatives, with WidgetKit.
    case ios
    case android
}

/// The kind of a device (D1).
public enum DeviceKind: UInt8, CaseIterable, Sendable, NamedCase {
    case phone, tablet, watch, mac

    /// Whether there are such devices with an always-on display (R4).
    public var canBeAlwaysOn: Bool { self == .phone || self == .watch }
}

/// Where an instance is placed (V1).
public enum Surface: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case homeFirst, homeOther, todayView, lockScreen, watchFace, standby
    /// A Mac's, which has none of the others.
    case notificationCenter, desktop
    /// Those that a person opens and leaves again: the Smart Stack of a watch, the page of a car's display, and the
    /// tiles of a watch with Android (V7–V9).
    case smartStack, car, tile

    /// Whether it is shown from an opening on, for a while, and by nothing else.
    public var isOpened: Bool { rawValue >= Surface.smartStack.rawValue }

    /// How widgets are drawn there (R2): in full colour, accented on a tinted watch face and on tinted or clear home
    /// pages, vibrant on the lock screen [W22].
    ///
    /// - Parameter isAccented: whether the device's watch face, home pages, today view or desktop are tinted or clear.
    public func renderingMode(isAccented: Bool) -> RenderingMode {
        switch self {
        case .homeFirst, .homeOther, .todayView, .desktop, .watchFace: isAccented ? .accented : .fullColor
        case .standby, .notificationCenter, .smartStack, .car, .tile: .fullColor
        case .lockScreen: .vibrant
        }
    }

    /// The families that fit the surface on a device of the kind (V1, R1; W21, W22).
    public func families(on device: DeviceKind) -> [WidgetFamily] {
        switch (self, device) {
        case (.homeFirst, .phone), (.homeOther, .phone), (.todayView, .phone):
            [.systemSmall, .systemMedium, .systemLarge]
        case (.homeFirst, .tablet), (.homeOther, .tablet), (.todayView, .tablet), (.notificationCenter, .mac),
            (.desktop, .mac):
            [.systemSmall, .systemMedium, .systemLarge, .systemExtraLarge]
        case (.lockScreen, .phone): [.accessoryCircular, .accessoryRectangular, .accessoryInline]
        case (.lockScreen, .tablet): [.systemSmall, .accessoryCircular, .accessoryRectangular, .accessoryInline]
        case (.watchFace, .watch): [.accessoryCircular, .accessoryRectangular, .accessoryInline, .accessoryCorner]
        case (.standby, .phone), (.car, .phone): [.systemSmall]
        case (.smartStack, .watch): [.accessoryRectangular]
        case (.tile, .watch): [.tile]
        case (.homeFirst, .watch), (.homeOther, .watch), (.todayView, .watch), (.lockScreen, .watch),
            (.watchFace, .phone),
            (.watchFace, .tablet), (.standby, .tablet), (.standby, .watch), (.homeFirst, .mac), (.homeOther, .mac),
            (.todayView, .mac),
            (.lockScreen, .mac), (.watchFace, .mac), (.standby, .mac), (.notificationCenter, .phone),
            (.notificationCenter, .tablet),
            (.notificationCenter, .watch), (.desktop, .phone), (.desktop, .tablet), (.desktop, .watch),
            (.smartStack, .phone), (.smartStack, .tablet), (.smartStack, .mac), (.car, .tablet), (.car, .watch),
            (.car, .mac), (.tile, .phone), (.tile, .tablet), (.tile, .mac):
            []
        }
    }
}

/// The size and shape of a widget (R1).
public enum WidgetFamily: UInt8, CaseIterable, Sendable, NamedCase {
    case systemSmall, systemMedium, systemLarge, systemExtraLarge
    case accessoryCircular, accessoryRectangular, accessoryInline, accessoryCorner
    /// The whole screen of a watch with Android.
    case tile
}

/// How a widget is drawn (R2, W22).
public enum RenderingMode: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case fullColor, accented, vibrant
}

/// How bright the display is at a view (R4).
public enum Luminance: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case active, low
}

/// The part of a widget that is hidden at a view (R3, R4).
public enum Redaction: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    /// Nothing.
    case none
    /// The views that its kind marks as sensitive.
    case views
    /// All of it, because its kind marks none: a redacted placeholder.
    case whole
}

/// Why a reload was asked for. The raw value is the order of every report.
public enum ReloadCause: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case first, after, atEnd, backoff, appOpen, appCall, appTrigger, userSession, push, location, environment,
        staleOnView, interaction
    case configuration

    /// The rule that it stands in.
    public var rule: String {
        switch self {
        case .first: "F7"
        case .after: "P5"
        case .atEnd: "P3"
        case .backoff: "S3"
        case .appOpen, .appCall: "F1"
        case .appTrigger: "B1"
        case .userSession: "F2"
        case .push: "B7"
        case .location: "F3"
        case .environment: "F4"
        case .staleOnView: "F5"
        case .interaction: "F6"
        case .configuration: "F8"
        }
    }

    /// Whether the reload is a background one, held by the gates of section 6: charged (B1), unless its app is in the
    /// foreground or has a session (F1, F2).
    @inlinable public var isBackground: Bool {
        switch self {
        case .after, .atEnd, .backoff, .appTrigger, .push: true
        case .first, .appOpen, .appCall, .userSession, .location, .environment, .staleOnView, .interaction,
            .configuration:
            false
        }
    }

    /// Whether a reload of the cause can be a free one (section 7): of the background causes, the call for a second
    /// reload after a transfer (S8).
    @inlinable public var canBeFree: Bool { !isBackground || self == .appTrigger }

    /// Whether the cause, arising after the first request of a reload in flight, runs when that ends instead of
    /// merging into it (G8).
    @inlinable public var outlivesReload: Bool {
        self == .interaction || self == .location || self == .environment || self == .configuration
    }
}

/// How a granted or free reload ended.
public enum ReloadOutcome: UInt8, CaseIterable, Sendable, NamedCase {
    /// A new timeline came.
    case ok
    /// The origin answered with an error at every try.
    case error
    /// No answer came in time at the last try.
    case timeout
    /// The device had no connection (D8): no request was made.
    case offline
    /// A free reload took it between grant and run: charged, never run (G8).
    case taken
    /// The provider's condition was unmet, and it returned a placeholder (P8): no request was made.
    case placeholder
}

/// The state that a person saw at a view: the first that holds, in this order (C5).
public enum ViewState: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case placeholder, redacted, alternate, empty, wrongPlace, stale, fresh
}
