import Basics
import Statistics

/// An app's own fetching in the background, without a reload (B8).
public struct BackgroundFetch: Sendable {
    /// The index of the app in `FleetPlan.apps`.
    public var app: Int
    /// The time between two fetches of a device, above 0.
    public var every: Duration
    /// Whether all devices fetch at the same instants, from the start of the run on; else each has a phase of its own.
    public var isAligned: Bool
    /// The share of the devices with the app that do.
    public var share: Double
    /// Seconds from such an instant to the fetch, over devices and instants.
    public var spread: Distribution
    /// The index of the endpoint in `FleetPlan.endpoints`.
    public var endpoint: Int
    /// The requests of a fetch.
    public var requests: Int

    public init(
        app: Int, every: Duration, isAligned: Bool, share: Double = 1, spread: Distribution, endpoint: Int,
        requests: Int = 1
    ) {
        self.app = app
        self.every = every
        self.isAligned = isAligned
        self.share = share
        self.spread = spread
        self.endpoint = endpoint
        self.requests = requests
    }
}

extension FleetPlan {
    /// Whether any app fetches in the background by itself.
    public var hasFetches: Bool { segments.contains { !$0.fetches.isEmpty } }

    /// The sorts of requests that its devices send besides the first tries of reloads'.
    public var loadSorts: LoadSorts {
        var sorts: LoadSorts = []
        if hasFetches { sorts.insert(.fetches) }
        if requests.retry.retries > 0 { sorts.insert(.retries) }
        return sorts
    }
}
