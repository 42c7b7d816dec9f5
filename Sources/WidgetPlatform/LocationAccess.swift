import Basics

/// The person's location permission for an app and its widgets (L3).
public enum LocationMode: UInt8, CaseIterable, Sendable, BitwiseCopyable, NamedCase {
    case denied, whileUsing, whileUsingOrWidgets, always

    /// Whether a reload that starts at `instant` may ask for a location (L4).
    ///
    /// - Parameters:
    ///   - appIsInUse: the app is in the foreground or navigates.
    ///   - lastWidgetView: when a widget of the app was last viewed on the device; `longAgo` if never.
    ///   - grace: how long a view counts, its last instant included (15 min).
    @inlinable public func isAvailable(at instant: Instant, appIsInUse: Bool, lastWidgetView: Instant, grace: Duration)
        -> Bool
    {
        switch self {
        case .denied: false
        case .whileUsing: appIsInUse
        case .whileUsingOrWidgets: appIsInUse || (lastWidgetView > .longAgo && instant - lastWidgetView <= grace)
        case .always: true
        }
    }
}

/// A point on a plane, in millimetres: exact, so that a distance of 500 m is one on every machine.
@frozen public struct Point: Hashable, Sendable {
    public var x, y: Int64

    @inlinable public init(x: Int64, y: Int64) { (self.x, self.y) = (x, y) }

    /// Whether the two points are at least `distance` millimetres apart; `distance` up to 1,000 km.
    @inlinable public func isAtLeast(_ distance: Int64, from other: Point) -> Bool {
        let dx = (x - other.x).magnitude
        let dy = (y - other.y).magnitude
        let limit = UInt64(distance)
        if dx >= limit || dy >= limit { return true }
        return dx * dx + dy * dy >= limit * limit
    }
}

/// The significant-change service (L2): a change is reported at the first instant at which the device is far enough
/// from the last reported place and late enough after that report. The first place counts as reported at the start of
/// the run.
@frozen public struct SignificantChanges: Hashable, Sendable {
    /// Millimetres: 500 m (SLC).
    public static let distance: Int64 = 500_000
    /// 5 minutes (SLC).
    public static let interval = Duration.minutes(5)
    /// 15 minutes with precise location off. Assumption, from Apple's words on reduced accuracy.
    public static let reducedInterval = Duration.minutes(15)

    public private(set) var reportedPlace: Point
    public private(set) var reportedAt: Instant = .start
    @usableFromInline let interval: Duration

    public init(at place: Point, precise: Bool) {
        reportedPlace = place
        interval = precise ? Self.interval : Self.reducedInterval
    }

    /// The filter after a report.
    public init(at place: Point, precise: Bool, reportedAt: Instant) {
        self.init(at: place, precise: precise)
        self.reportedAt = reportedAt
    }

    /// The first instant at which the time limit lets another report through.
    @inlinable public var earliestReport: Instant { reportedAt + interval }

    @inlinable public func isFar(_ place: Point) -> Bool { place.isAtLeast(Self.distance, from: reportedPlace) }

    public mutating func report(_ place: Point, at instant: Instant) {
        precondition(isFar(place) && instant >= earliestReport, "a report that the filter holds back")
        reportedPlace = place
        reportedAt = instant
    }
}
