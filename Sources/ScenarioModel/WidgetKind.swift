import Basics
import RefreshService
import Statistics
import WidgetPlatform

/// One widget kind of an app: what its provider returns, when it asks for reloads, and what a reload costs the service
/// (P2–P8, F1, F2, L6, S1).
public struct WidgetKind: Sendable {
    public var id = ""
    /// The index of the container app in `FleetPlan.apps`.
    public var app = 0
    /// The index of the endpoint that its requests go to, in `FleetPlan.endpoints`.
    public var endpoint = 0
    public var shape = TimelineShape.single
    /// The last entry's validity from its date, in place of the shape's (P2).
    public var validFor: Duration?
    /// When its timelines ask to be replaced.
    public var dates = TimelineDates()
    public var reloadOnOpen = ReloadOnOpen.never
    /// Whether the app calls for its reload as it leaves the foreground (F1).
    public var reloadsOnClose = false
    /// The app's own rhythm of reloads in a navigation or audio session (F2); nil for none.
    public var sessionRhythm: Duration?
    /// Whether it takes pushes.
    public var takesPushes = false
    /// The pushes that its server sends when its content has changed; nil for none.
    public var contentPushes: ContentPushes?
    /// How often a day the app is woken up in the background and calls for its reload (B1).
    public var wakeUpsPerDay = 0.0
    /// The call that the app makes when it wants the kind reloaded.
    public var reloadCall = ReloadCall.ofKind
    /// Whether any view is marked sensitive: hiding hides just the marked ones, and otherwise all of it (R3).
    public var isSensitive = false
    /// Whether its condition is unmet until the person opens the app (P8).
    public var needsSignIn = false
    /// Complete data protection (G4).
    public var isProtected = false
    public var withoutFix = ContentWithoutFix.prior
    /// Whether content that belongs to no place is asked for (L6, S1).
    public var withoutPlace = RequestWithoutPlace.none
    /// 1 to 100 (S1); 0 for one whose provider reads its app.
    public var requestsPerReload = 1
    /// Further tries and the policy after the final failure where they are not the service's (S3).
    public var retries = ByFailure<Int?>(nil)
    public var failureAfter = ByFailure<Distribution?>(nil)
    /// Requests that the extension makes for a new instance's preview, before its first timeline (F7), 0 to 100.
    public var snapshotRequests = 0
    /// Whether the content is the person's own, keyed by the user: no edge keeps it (S1, S2).
    public var isPersonal = false
    /// The probability that a view in a session leads to the use of one of its buttons (V5).
    public var interactionShare = 0.0
    /// The probability that a view in a session leads to a tap, which opens the app (V5).
    public var tapShare = 0.0
    /// The probability that the person changes `manual` content while the app is open (C1).
    public var changeShare = 0.0
    public var relevance = RelevanceRule.none
    /// The time from a button's use to the return of its action (F6).
    public var actionTime = Duration.zero
    /// Seconds from the start of a reload to its location fix (L5).
    public var fixTime = Distribution.zero
    /// The share of fixes that fail (L5), 0 to 1.
    public var fixFailure = 0.0
    public var versions = VersionSource.manual
    /// Whether its provider reads what the app has left for it, in place of requests of its own (C6).
    public var readsApp = false
    public var publication = Publication()
    /// The values of its versions, which a provider of a user's own can read; nil for none.
    public var contentValue: ContentValue?
    /// Nil for content that is not a forecast.
    public var forecast: ForecastAccuracy?
    /// How its provider is refreshed on Android; nil if no such device has it.
    public var android: AndroidRefresh?
    /// Where it stands if it is a control (V10); nil for a widget.
    public var control: ControlPlace?

    /// How the system transfers what it asks for; nil if its extension waits for the answers itself (S8).
    public var transfer: BackgroundTransfer?

    public enum ControlPlace: UInt8, CaseIterable, NamedCase, Sendable {
        case lockScreen, controlCenter, actionButton
    }

    public enum ReloadOnOpen: UInt8, CaseIterable, Sendable { case never, always, ifChanged }
    public enum ContentWithoutFix: UInt8, CaseIterable, Sendable { case prior, alternate }
    public enum RequestWithoutPlace: UInt8, CaseIterable, Sendable {
        /// The provider makes alternate content by itself.
        case none
        /// It asks for the app's default place, with one key for all.
        case request
    }
    public enum ReloadCall: UInt8, CaseIterable, Sendable {
        /// `reloadTimelines(ofKind:)`: every instance of the kind.
        case ofKind
        /// `reloadAllTimelines()`: every instance of the app's kinds.
        case all
    }

    /// An app's leaving of content for its widgets, where their provider reads that (C6).
    public struct Publication: Sendable {
        /// The share of the app's openings at which it fetches what it publishes.
        public var openingShare = 1.0
        /// Seconds from such an opening to the publication.
        public var delay = Distribution.zero
        /// Whether it then calls for a reload.
        public var reload = Reload.ifChanged

        public enum Reload: UInt8, CaseIterable, Sendable { case always, ifChanged, never }

        public init() {}
    }

    /// The server's pushes when a new version of an instance's content appears (B7).
    public struct ContentPushes: Hashable, Sendable {
        public var route: Route
        /// Seconds from the version to the push's arrival.
        public var delay: Distribution
        /// The share of versions that are pushed.
        public var share: Double

        public enum Route: UInt8, CaseIterable, Sendable {
            /// A push to the widgets of the app, which reload in the background.
            case widgets
            /// A silent push, which wakes the app up; it calls for the reload in the background.
            case app
        }

        /// One at each version, at once.
        public static let toWidgets = ContentPushes(route: .widgets, delay: .zero, share: 1)
    }

    public init() {}
}

/// When timelines ask to be replaced (P3–P6), and by how much their provider varies that.
public struct TimelineDates: Sendable {
    public var policy = ReloadPolicy.never
    /// On an `after` date (P5); nil for none.
    public var jitter: Jitter?

    public struct Jitter: Sendable {
        /// Added to the date, in seconds.
        public let offsets: Distribution
        /// Whether a device draws it once for the kind and keeps it.
        public let isKept: Bool

        public init(_ offsets: Distribution, isKept: Bool = false) { (self.offsets, self.isKept) = (offsets, isKept) }
    }

    public init() {}
}

/// How the values of a kind's versions differ (C1).
public enum ContentValue: Hashable, Sendable {
    /// Each version has a value of its own, evenly drawn from 0 to this.
    case steps(Double)
    /// The value walks at random: over a day it changes by this, as a standard deviation.
    case walk(Double)
}

/// How the error of forecast content grows with its lead time (C4).
public struct ForecastAccuracy: Hashable, Sendable {
    /// The mean absolute error of a forecast for one hour ahead, above 0, in the content's own unit.
    public var errorAtOneHour: Double
    /// The power of the lead time in hours that the error grows with, 0 or more.
    public var exponent: Double
    /// The unit's name, for reports.
    public var unit: String

    public init(errorAtOneHour: Double, exponent: Double, unit: String) {
        self.errorAtOneHour = errorAtOneHour
        self.exponent = exponent
        self.unit = unit
    }
}
