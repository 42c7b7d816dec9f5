/// The system of a device, whose rules decide when its widgets are refreshed.
public enum Platform: UInt8, CaseIterable, Sendable {
    /// iOS and its relatives, with WidgetKit.
    case ios
    case android

    public var name: String {
        switch self {
        case .ios: "ios"
        case .android: "android"
        }
    }
}

/// The kind of a device (D1).
public enum DeviceKind: UInt8, CaseIterable, Sendable {
    case phone, tablet, watch, mac

    public var name: String {
        switch self {
        case .phone: "phone"
        case .tablet: "tablet"
        case .watch: "watch"
        case .mac: "mac"
        }
    }

    /// Whether there are such devices with an always-on display (R4).
    public var canBeAlwaysOn: Bool { self == .phone || self == .watch }
}

/// Where an instance is placed (V1).
public enum Surface: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case homeFirst, homeOther, todayView, lockScreen, watchFace, standby
    /// A Mac's, which has none of the others.
    case notificationCenter, desktop
    /// Those that a person opens and leaves again: the Smart Stack of a watch, the page of a car's display, and the
    /// tiles of a watch with Android (V7–V9).
    case smartStack, car, tile

    public var name: String {
        switch self {
        case .homeFirst: "home_first"
        case .homeOther: "home_other"
        case .todayView: "today_view"
        case .lockScreen: "lock_screen"
        case .watchFace: "watch_face"
        case .standby: "standby"
        case .notificationCenter: "notification_center"
        case .desktop: "desktop"
        case .smartStack: "smart_stack"
        case .car: "car"
        case .tile: "tile"
        }
    }

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
public enum WidgetFamily: UInt8, CaseIterable, Sendable {
    case systemSmall, systemMedium, systemLarge, systemExtraLarge
    case accessoryCircular, accessoryRectangular, accessoryInline, accessoryCorner
    /// The whole screen of a watch with Android.
    case tile

    public var name: String {
        switch self {
        case .systemSmall: "system_small"
        case .systemMedium: "system_medium"
        case .systemLarge: "system_large"
        case .systemExtraLarge: "system_extra_large"
        case .accessoryCircular: "accessory_circular"
        case .accessoryRectangular: "accessory_rectangular"
        case .accessoryInline: "accessory_inline"
        case .accessoryCorner: "accessory_corner"
        case .tile: "tile"
        }
    }
}

/// How a widget is drawn (R2, W22).
public enum RenderingMode: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case fullColor, accented, vibrant

    public var name: String {
        switch self {
        case .fullColor: "full_color"
        case .accented: "accented"
        case .vibrant: "vibrant"
        }
    }
}

/// How bright the display is at a view (R4).
public enum Luminance: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case active, low

    public var name: String {
        switch self {
        case .active: "active"
        case .low: "low"
        }
    }
}

/// The part of a widget that is hidden at a view (R3, R4).
public enum Redaction: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Nothing.
    case none
    /// The views that its kind marks as sensitive.
    case views
    /// All of it, because its kind marks none: a redacted placeholder.
    case whole

    public var name: String {
        switch self {
        case .none: "none"
        case .views: "views"
        case .whole: "whole"
        }
    }
}

/// Why a reload was asked for. The raw value is the order of every report.
public enum ReloadCause: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case first, after, atEnd, backoff, appOpen, appCall, appTrigger, userSession, push, location, environment,
        staleOnView, interaction
    case configuration

    /// Its name and the rule that it stands in.
    private var facts: (name: String, rule: String) {
        switch self {
        case .first: ("first", "F7")
        case .after: ("after", "P5")
        case .atEnd: ("at_end", "P3")
        case .backoff: ("backoff", "S3")
        case .appOpen: ("app_open", "F1")
        case .appCall: ("app_call", "F1")
        case .appTrigger: ("app_trigger", "B1")
        case .userSession: ("user_session", "F2")
        case .push: ("push", "B7")
        case .location: ("location", "F3")
        case .environment: ("environment", "F4")
        case .staleOnView: ("stale_on_view", "F5")
        case .interaction: ("interaction", "F6")
        case .configuration: ("configuration", "F8")
        }
    }

    public var name: String { facts.name }
    public var rule: String { facts.rule }

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

    /// Whether the cause, arising after the first request of a reload in flight, runs when that ends instead of
    /// merging into it (G8).
    @inlinable public var outlivesReload: Bool {
        self == .interaction || self == .location || self == .environment || self == .configuration
    }
}

/// How a granted or free reload ended.
public enum ReloadOutcome: UInt8, CaseIterable, Sendable {
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

    public var name: String {
        switch self {
        case .ok: "ok"
        case .error: "error"
        case .timeout: "timeout"
        case .offline: "offline"
        case .taken: "taken"
        case .placeholder: "placeholder"
        }
    }
}

/// The state that a person saw at a view: the first that holds, in this order (C5).
public enum ViewState: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case placeholder, redacted, alternate, empty, wrongPlace, stale, fresh

    public var name: String {
        switch self {
        case .placeholder: "placeholder"
        case .redacted: "redacted"
        case .alternate: "alternate"
        case .empty: "empty"
        case .wrongPlace: "wrong_place"
        case .stale: "stale"
        case .fresh: "fresh"
        }
    }
}
