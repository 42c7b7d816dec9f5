import Basics
import Statistics

/// An app's own fetching in the background, without a reload (B8).
public struct BackgroundFetch: Sendable {
    /// The index of the app in `FleetPlan.apps`.
    public var app = 0
    /// The time between two fetches of a device, above 0.
    public var every = Duration.zero
    /// Whether all devices fetch at the same instants, from the start of the run on; else each has a phase of its own.
    public var isAligned = false
    /// Whether the system grants fetches at the hours at which the person opens the app, and as often; `every` is then
    /// the least time between two of them.
    public var followsUse = false
    /// The share of the devices with the app that do.
    public var share = 1.0
    /// Seconds from such an instant to the fetch, over devices and instants.
    public var spread = Distribution.zero
    /// The index of the endpoint in `FleetPlan.endpoints`.
    public var endpoint = 0
    /// The requests of a fetch.
    public var requests = 1
    public init() {}
}

extension FleetPlan {
    /// Whether any app fetches in the background by itself.
    public var hasFetches: Bool { segments.contains { !$0.fetches.isEmpty } }

    /// The sorts of requests that its devices send besides the first tries of reloads'.
    public var requestClasses: RequestClasses {
        var sorts: RequestClasses = []
        if hasFetches { sorts.insert(.fetches) }
        if requests.retry.retries > 0 { sorts.insert(.retries) }
        return sorts
    }
}

/// How the system transfers what a kind's extension hands over to it (S8).
public struct BackgroundTransfer: Hashable, Sendable {
    /// Seconds from the hand-over to the sending.
    public var deferral: Distribution
    /// How a transfer waits for power and Wi-Fi; nil for one that does not.
    public var discretion: Discretion?
    /// Whether the reload that the extension asks for at the end of a transfer is charged.
    public var secondIsCharged: Bool

    public struct Discretion: Hashable, Sendable {
        /// The share of transfers that begin with power and Wi-Fi, 0 to 1.
        public var readyShare: Double
        /// Seconds for which the others wait for them, before the deferral.
        public var wait: Distribution

        /// All wait, for no time.
        public static let immediate = Discretion(readyShare: 0, wait: .zero)
    }

    /// One at once, for anything but the reload at its end.
    public static let charged = BackgroundTransfer(deferral: .zero, discretion: nil, secondIsCharged: true)
}
