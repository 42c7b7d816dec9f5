import Basics
import Statistics
import WidgetPlatform

/// Counts of the views, contents and locations of one stratum, location mode and surface.
public enum ViewCounts: CountBlockKind {
    public static var size: Int { CountRange<ViewCounts>.lags.end }
}

extension CountRange where Block == ViewCounts {
    @inline(__always) static var instances: Self { Self(first: 1) }
    /// Views by state (C5).
    @inline(__always) public static var states: Self { Self(after: instances, ViewState.count) }
    /// Those of the views after which a reload answered at or before the lock (V6), by state.
    @inline(__always) public static var healed: Self { Self(after: states, ViewState.count) }
    @inline(__always) static var repeated: Self { Self(after: healed, 2) }
    @inline(__always) static var ageSum: Self { Self(after: repeated, 2) }
    @inline(__always) static var missed: Self { Self(after: ageSum, 2) }
    /// The histogram of the ages at the views of what has one.
    @inline(__always) public static var ages: Self { Self(after: missed, LogHistogram.binCount) }
    @inline(__always) static var times: Self { Self(after: ages, 4) }
    @inline(__always) static var locations: Self { Self(after: times, 5) }
    @inline(__always) static var lagSum: Self { Self(after: locations, 2) }
    /// The histogram of the lags at the views that missed a version: `CoarseHistogram`.
    @inline(__always) public static var lags: Self { Self(after: lagSum, CoarseHistogram.binCount) }
}

extension CountAddress where Block == ViewCounts {
    @inline(__always) public static var instances: Self { CountRange.instances[0] }
    @inline(__always) public static func views(_ state: ViewState) -> Self { CountRange.states[state.ordinal] }
    @inline(__always) public static func healed(_ state: ViewState) -> Self { CountRange.healed[state.ordinal] }
    /// Showings that do not count, because the pickup had shown the instance already (V2).
    @inline(__always) public static var repeated: Self { CountRange.repeated[0] }
    /// Views on a dimmed display of an entry before the one whose date has come (R4).
    @inline(__always) public static var lateEntries: Self { CountRange.repeated[1] }
    /// Over views of what has an age: the sum of missed versions, and how many views missed any.
    @inline(__always) public static var missedSum: Self { CountRange.missed[0] }
    @inline(__always) public static var missedViews: Self { CountRange.missed[1] }
    @inline(__always) public static func age(_ age: Duration) -> Self { CountRange.ages[LogHistogram.bin(of: age)] }
    /// Over views of what has an age and missed a version: how long ago the first one that they missed appeared (C3).
    @inline(__always) public static func lag(_ lag: Duration) -> Self { CountRange.lags[CoarseHistogram.bin(of: lag)] }
    /// Reloads by location: with a fix, with a failed fix, without access; of the latter two, with prior and with
    /// alternate content.
    @inline(__always) public static var fixes: Self { CountRange.locations[0] }
    @inline(__always) public static var failedFixes: Self { CountRange.locations[1] }
    @inline(__always) public static var withoutAccess: Self { CountRange.locations[2] }
    @inline(__always) public static var priorContent: Self { CountRange.locations[3] }
    @inline(__always) public static var alternateContent: Self { CountRange.locations[4] }
}

extension WideAddress where Block == ViewCounts {
    /// Over views of what has an age: that age in microseconds.
    @inline(__always) public static var ageSum: Self { CountRange.ageSum.wide() }
    /// Over views of what has an age: the microseconds since the first version that they missed appeared, nothing for
    /// those that missed none (C3).
    @inline(__always) public static var lagSum: Self { CountRange.lagSum.wide() }
    /// Microseconds of waking time since the first timeline, and the part of it with stale content (C3).
    @inline(__always) public static var wakingTime: Self { CountRange.times.wide() }
    @inline(__always) public static var staleTime: Self { CountRange.times.wide(at: 2) }
}

/// Counts of the views of one stratum's instances on one face, by how they were drawn and what was hidden (R2–R4).
public enum FaceCounts: CountBlockKind {
    public static var size: Int { CountRange<FaceCounts>.healed.end }
}

/// How a view was drawn, what was hidden, and what was seen.
public struct Presentation: Hashable, Sendable, BitwiseCopyable {
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

    @inline(__always) var ordinal: Int {
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

extension CountRange where Block == FaceCounts {
    @inline(__always) public static var views: Self { Self(first: Presentation.count) }
    @inline(__always) public static var healed: Self { Self(after: views, Presentation.count) }
}

extension CountAddress where Block == FaceCounts {
    @inline(__always) public static func views(_ presentation: Presentation) -> Self {
        CountRange.views[presentation.ordinal]
    }
    /// Those of the views after which a reload answered at or before the lock (V6).
    @inline(__always) public static func healed(_ presentation: Presentation) -> Self {
        CountRange.healed[presentation.ordinal]
    }
}

/// Counts of the views of one stratum by the weekday and the hour of the device's clock.
public enum HourCounts: CountBlockKind {
    public static var size: Int { CountRange<HourCounts>.cells.end }
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

    public var weekday: Int { ordinal / HourCounts.hours }
    public var hour: Int { ordinal % HourCounts.hours }
}

extension CountRange where Block == HourCounts {
    @inline(__always) static var cells: Self { Self(first: WeekHour.count * HourCounts.cellsOfHour) }

    /// The views of an hour, by state (C5).
    @inline(__always) public static func views(at hour: WeekHour) -> Self {
        cells.part(from: hour.ordinal * HourCounts.cellsOfHour, count: ViewState.count)
    }
    /// The histogram of the ages at the views of an hour of what has one: `CoarseHistogram`.
    @inline(__always) public static func ages(at hour: WeekHour) -> Self {
        cells.part(from: hour.ordinal * HourCounts.cellsOfHour + ViewState.count + 2, count: CoarseHistogram.binCount)
    }
}

extension CountAddress where Block == HourCounts {
    @inline(__always) public static func views(_ state: ViewState, at hour: WeekHour) -> Self {
        CountRange.cells[hour.ordinal * HourCounts.cellsOfHour + state.ordinal]
    }
    /// Over views of what has an age: how many missed a version, and how many versions they missed.
    @inline(__always) public static func missedViews(at hour: WeekHour) -> Self {
        CountRange.cells[hour.ordinal * HourCounts.cellsOfHour + ViewState.count]
    }
    @inline(__always) public static func missedSum(at hour: WeekHour) -> Self {
        CountRange.cells[hour.ordinal * HourCounts.cellsOfHour + ViewState.count + 1]
    }
    @inline(__always) public static func age(_ age: Duration, at hour: WeekHour) -> Self {
        CountRange.ages(at: hour)[CoarseHistogram.bin(of: age)]
    }
}

/// Counts of the forecasts that one stratum and location mode saw (C4).
public enum ForecastCounts: CountBlockKind {
    public static var size: Int { CountRange<ForecastCounts>.errorSum.end }
}

extension CountRange where Block == ForecastCounts {
    @inline(__always) static var views: Self { Self(first: 1) }
    @inline(__always) static var errorSum: Self { Self(after: views, 2) }
}

extension CountAddress where Block == ForecastCounts {
    /// Views of content with an age: fresh, stale or of the wrong place.
    @inline(__always) public static var views: Self { CountRange.views[0] }
}

extension WideAddress where Block == ForecastCounts {
    /// The errors at these views, in millionths of the kind's own unit.
    @inline(__always) public static var errorSum: Self { CountRange.errorSum.wide() }
}
