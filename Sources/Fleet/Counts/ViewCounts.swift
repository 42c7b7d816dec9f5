import Basics
import Statistics
import WidgetPlatform

/// Counts of the views, contents and locations of one stratum, location mode and surface.
public enum ViewCounts: CountBlockKind {
    public static var size: Int { Cells<ViewCounts>.lags.end }
}

extension Cells<ViewCounts> {
    @inline(__always) public static var instances: Self { Self() }
    /// Views by state (C5).
    @inline(__always) public static var views: CellsBy<ViewCounts, ViewState> { .init(after: instances) }
    /// Those of the views after which a reload answered at or before the lock (V6), by state.
    @inline(__always) public static var healed: CellsBy<ViewCounts, ViewState> { .init(after: views) }
    /// Showings that do not count, because the pickup had shown the instance already (V2).
    @inline(__always) public static var repeated: Self { Self(after: healed) }
    /// Views on a dimmed display of an entry before the one whose date has come (R4).
    @inline(__always) public static var lateEntries: Self { Self(after: repeated) }
    /// Over views of what has an age: that age in microseconds.
    @inline(__always) public static var ageSum: Self { Self(after: lateEntries, 2) }
    /// Over views of what has an age: the sum of missed versions, and how many views missed any.
    @inline(__always) public static var missedSum: Self { Self(after: ageSum) }
    @inline(__always) public static var missedViews: Self { Self(after: missedSum) }
    /// The histogram of the ages at the views of what has one: `LogHistogram`.
    @inline(__always) public static var ages: Self { Self(after: missedViews, LogHistogram.binCount) }
    /// Microseconds of waking time since the first timeline, and the part of it with stale content (C3).
    @inline(__always) public static var wakingTime: Self { Self(after: ages, 2) }
    @inline(__always) public static var staleTime: Self { Self(after: wakingTime, 2) }
    /// Reloads by location: with a fix, with a failed fix, without access; of the latter two, with prior and with
    /// alternate content.
    @inline(__always) public static var fixes: Self { Self(after: staleTime) }
    @inline(__always) public static var failedFixes: Self { Self(after: fixes) }
    @inline(__always) public static var withoutAccess: Self { Self(after: failedFixes) }
    @inline(__always) public static var priorContent: Self { Self(after: withoutAccess) }
    @inline(__always) public static var alternateContent: Self { Self(after: priorContent) }
    /// Over views of what has an age: the microseconds since the first version that they missed appeared, nothing for
    /// those that missed none (C3).
    @inline(__always) public static var lagSum: Self { Self(after: alternateContent, 2) }
    /// The histogram of these times at the views that missed a version: `CoarseHistogram`.
    @inline(__always) public static var lags: Self { Self(after: lagSum, CoarseHistogram.binCount) }
}

/// Counts of the views of one stratum's instances on one face, by how they were drawn and what was hidden (R2–R4).
public enum FaceCounts: CountBlockKind {
    public static var size: Int { Cells<FaceCounts>.healed.end }
}

/// How a view was drawn, what was hidden, and what was seen.
public struct Presentation: CellIndex, Hashable, Sendable, BitwiseCopyable {
    public let renderingMode: RenderingMode
    public let luminance: Luminance
    public let redaction: Redaction
    public let state: ViewState

    @inline(__always) public init(
        _ renderingMode: RenderingMode, _ luminance: Luminance, _ redaction: Redaction, _ state: ViewState
    ) {
        self.renderingMode = renderingMode
        self.luminance = luminance
        self.redaction = redaction
        self.state = state
    }

    @inline(__always) public static var count: Int {
        RenderingMode.count * Luminance.count * Redaction.count * ViewState.count
    }

    @inline(__always) public var ordinal: Int {
        ((renderingMode.ordinal * Luminance.count + luminance.ordinal) * Redaction.count + redaction.ordinal)
            * ViewState.count + state.ordinal
    }

    /// In the order of the counts.
    public static var allCases: [Presentation] {
        RenderingMode.allCases.flatMap { mode in
            Luminance.allCases.flatMap { luminance in
                Redaction.allCases.flatMap { redaction in
                    ViewState.allCases.map { Presentation(mode, luminance, redaction, $0) }
                }
            }
        }
    }
}

extension Cells<FaceCounts> {
    @inline(__always) public static var views: CellsBy<FaceCounts, Presentation> { .init() }
    /// Those of the views after which a reload answered at or before the lock (V6).
    @inline(__always) public static var healed: CellsBy<FaceCounts, Presentation> { .init(after: views) }
}

/// Counts of the views of one stratum by the weekday and the hour of the device's clock.
public enum HourCounts: CountBlockKind {
    public static var size: Int { WeekHour.count * cellsOfHour }
    /// The hours of the local clock.
    public static var hours: Int { 24 }
    /// The cells of one hour, side by side: views by state, the views that missed a version, the versions they missed,
    /// and the histogram of ages.
    @inline(__always) static var cellsOfHour: Int { ViewState.count + 2 + CoarseHistogram.binCount }
}

/// An hour of the week of the local clock.
public struct WeekHour: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// Hours since the beginning of Monday, 0 to 167.
    let ordinal: Int

    /// - Parameters:
    ///   - weekday: 0 Monday to 6 Sunday.
    ///   - hour: 0 to 23.
    @inline(__always) public init(weekday: Int, hour: Int) { ordinal = weekday * HourCounts.hours + hour }

    @inline(__always) static var count: Int { 7 * HourCounts.hours }
    public static var allCases: [WeekHour] {
        (0..<7).flatMap { day in (0..<HourCounts.hours).map { WeekHour(weekday: day, hour: $0) } }
    }
}

extension Cells<HourCounts> {
    /// The views of an hour, by state (C5).
    @inline(__always) public static func views(at hour: WeekHour) -> CellsBy<HourCounts, ViewState> {
        .init(start: hour.ordinal * HourCounts.cellsOfHour)
    }
    /// Over views of what has an age: how many missed a version, and how many versions they missed.
    @inline(__always) public static func missedViews(at hour: WeekHour) -> Self { Self(after: views(at: hour)) }
    @inline(__always) public static func missedSum(at hour: WeekHour) -> Self { Self(after: missedViews(at: hour)) }
    /// The histogram of the ages at the views of an hour of what has one: `CoarseHistogram`.
    @inline(__always) public static func ages(at hour: WeekHour) -> Self {
        Self(after: missedSum(at: hour), CoarseHistogram.binCount)
    }
}

/// Counts of the forecasts that one stratum and location mode saw (C4).
public enum ForecastCounts: CountBlockKind {
    public static var size: Int { Cells<ForecastCounts>.errorSum.end }
}

extension Cells<ForecastCounts> {
    /// Views of content with an age: fresh, stale or of the wrong place.
    @inline(__always) public static var views: Self { Self() }
    /// The errors at these views, in millionths of the kind's own unit.
    @inline(__always) public static var errorSum: Self { Self(after: views, 2) }
}

/// Counts of one stratum's instances on a surface that is opened (V7–V9), and of the timelines asked for a tile (N13).
public enum OpeningCounts: CountBlockKind {
    public static var size: Int { Cells<OpeningCounts>.shownTime.end }
}

/// Why the system asks for a tile's timeline (N13).
public enum TileAsk: UInt8, CountIndex, NamedCase {
    /// The person has come to it, or it stays on the screen, and is no longer fresh.
    case opened, shown

    public static var last: Self { .shown }
}

extension Cells<OpeningCounts> {
    /// Openings of the surface while the instance stands on it.
    @inline(__always) public static var openings: Self { Self() }
    /// Timelines that the system asked for, by why.
    @inline(__always) public static var asks: CellsBy<OpeningCounts, TileAsk> { .init(after: openings) }
    /// Requests of its app that waited for the end of the gap, and those in whose place a later one did.
    @inline(__always) public static var held: Self { Self(after: asks) }
    @inline(__always) public static var replaced: Self { Self(after: held) }
    /// Microseconds for which the instance was on the screen.
    @inline(__always) public static var shownTime: Self { Self(after: replaced, 2) }
}
