import SimulatedTime

/// Where each count of a run stands in the flat memory of `RunMeasures`.
///
/// Kinds of block follow one another, each with its fields in the order declared here, which is the order of the fingerprint:
/// one block a segment; one a segment and kind; one a segment, kind, location mode and surface; and, only if any content is a forecast, one a
/// segment, kind and location mode.
public struct MeasureLayout: Hashable, Sendable {
    public let segments, kinds: Int
    /// Whether any content is a forecast (C4).
    public let hasForecasts: Bool
    /// Location modes, and one more for instances that do not follow the person.
    public static let modes = 5
    /// The mode index of an instance that does not follow the person.
    public static let noMode = 4
    public static let surfaces = 6
    public static let causes = 14
    public static let outcomes = 5
    public static let states = 6
    public static let gates = 5
    public static let hours = 24

    public init(segments: Int, kinds: Int, hasForecasts: Bool = false) {
        self.segments = segments
        self.kinds = kinds
        self.hasForecasts = hasForecasts
    }

    public var count: Int { forecastStart + (hasForecasts ? segments * kinds * Self.modes * ForecastField.size : 0) }

    private var forecastStart: Int {
        segments * SegmentField.size + segments * kinds * (KindField.size + Self.modes * Self.surfaces * ViewField.size)
    }

    /// Beyond the end if no content is a forecast.
    public func forecastBlock(_ segment: Int, _ kind: Int, mode: Int) -> Int {
        forecastStart + ((segment * kinds + kind) * Self.modes + mode) * ForecastField.size
    }

    @inlinable public func segmentBlock(_ segment: Int) -> Int { segment * SegmentField.size }
    @inlinable public func kindBlock(_ segment: Int, _ kind: Int) -> Int {
        segments * SegmentField.size + (segment * kinds + kind) * KindField.size
    }
    @inlinable public func viewBlock(_ segment: Int, _ kind: Int, mode: Int, surface: Int) -> Int {
        segments * SegmentField.size + segments * kinds * KindField.size
            + (((segment * kinds + kind) * Self.modes + mode) * Self.surfaces + surface) * ViewField.size
    }
}

/// Counts of a segment's people and devices in the reported span.
public enum SegmentField {
    public static let people = 0
    /// By device kind: phone, tablet, watch.
    public static let devices = 1
    /// Device-days that a wake-up in the span completed.
    public static let deviceDays = 4
    public static let sessions = 5
    public static let glances = 6
    /// A wide sum of microseconds in session.
    public static let sessionTime = 7
    public static let appOpenings = 9
    public static let navigationSessions = 10
    public static let audioSessions = 11
    /// Nights cut to at least 3 h or at most 14 h (D2).
    public static let cutNights = 12
    /// One-way trips begun (L1).
    public static let trips = 13
    public static let significantChanges = 14
    public static let environmentChanges = 15
    /// Logical events of the span: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps, location and environment changes.
    public static let events = 16
    /// Switches of an automatic appearance, and instances rendered again by them (R2).
    public static let appearanceSwitches = 17
    public static let rerenders = 18
    /// Edits of an instance's configuration (F8).
    public static let edits = 19
    /// Environment changes that are zone crossings, and those that are reboots.
    public static let zoneCrossings = 20
    public static let reboots = 21
    public static let size = 22
}

/// Counts of the reloads and budgets of one segment and kind.
public enum KindField {
    public static let instances = 0
    /// Reloads granted (charged) or begun (free), by cause then charged 0/1.
    public static let started = 1
    /// Reloads ended, by cause, charged 0/1, outcome.
    public static let ended = started + MeasureLayout.causes * 2
    /// Causes that another reload served, by cause.
    public static let merged = ended + MeasureLayout.causes * 2 * MeasureLayout.outcomes
    /// Reloads granted or under way at the start and at the end of the span.
    public static let reloadsCarriedIn = merged + MeasureLayout.causes
    public static let reloadsCarriedOut = reloadsCarriedIn + 1
    /// Reloads that ran with another instance's, and those among them that ran before they were due (G7).
    public static let coalesced = reloadsCarriedOut + 1
    public static let early = coalesced + 1
    /// Histograms of the delay from due to done of reloads that brought a timeline: charged, then free.
    public static let delayCharged = early + 1
    public static let delayFree = delayCharged + LogHistogram.binCount
    /// Waits ended by a grant, then by a free reload that took them: for each gate the waits it held, and a wide sum of microseconds.
    public static let waits = delayFree + LogHistogram.binCount
    /// Whole waits of more than nothing, by the same two ends: count and a wide sum of microseconds.
    public static let wholeWaits = waits + 2 * MeasureLayout.gates * 3
    /// Microtokens by local hour: accrued, expired; tokens spent; the sum of balances read at each hour's beginning, a wide sum; and the readings.
    public static let hourAccrued = wholeWaits + 2 * 3
    public static let hourExpired = hourAccrued + MeasureLayout.hours
    public static let hourSpent = hourExpired + MeasureLayout.hours
    public static let hourBalance = hourSpent + MeasureLayout.hours
    public static let hourReadings = hourBalance + 2 * MeasureLayout.hours
    /// Microtokens at the borders of the span.
    public static let opening = hourReadings + MeasureLayout.hours
    public static let closing = opening + 1
    /// Requests sent in the span, by cause; of these, or of those carried in, answered, refused with an error, timed out.
    public static let requestsSent = closing + 1
    public static let requestsAnswered = requestsSent + MeasureLayout.causes
    public static let requestsRefused = requestsAnswered + 1
    public static let requestsTimedOut = requestsRefused + 1
    /// Requests sent before the span that arrive in it, and sent in it that arrive after it.
    public static let requestsCarriedIn = requestsTimedOut + 1
    public static let requestsCarriedOut = requestsCarriedIn + 1
    /// Entries of the timelines that came (R6).
    public static let entries = requestsCarriedOut + 1
    /// The instances' daily allowance at the end of the span, microtokens.
    public static let allowance = entries + 1
    public static let size = allowance + 1
}

/// Counts of the views, contents and locations of one segment, kind, location mode and surface.
public enum ViewField {
    public static let instances = 0
    /// Views by state (C5).
    public static let states = 1
    /// Of these, views after which a reload answered at or before the lock (V6), by state.
    public static let healed = states + MeasureLayout.states
    /// Showings that do not count, because the pickup had shown the instance already (V2).
    public static let repeated = healed + MeasureLayout.states
    /// Over views of regular content: a wide sum of the age in microseconds, the sum of missed versions, and how many views missed any.
    public static let ageSum = repeated + 1
    public static let missedSum = ageSum + 2
    public static let missedViews = missedSum + 1
    /// The ages' histogram.
    public static let ages = missedViews + 1
    /// Wide sums of microseconds: waking time since the first timeline, and the part of it with stale content (C3).
    public static let wakingTime = ages + LogHistogram.binCount
    public static let staleTime = wakingTime + 2
    /// Reloads by location: with a fix, with a failed fix, without access; of the latter two, with prior and with alternate content.
    public static let fixes = staleTime + 2
    public static let failedFixes = fixes + 1
    public static let withoutAccess = failedFixes + 1
    public static let priorContent = withoutAccess + 1
    public static let alternateContent = priorContent + 1
    public static let size = alternateContent + 1
}

/// Counts of the forecasts that one segment, kind and location mode saw (C4).
public enum ForecastField {
    /// Views of content with an age: fresh, stale or of the wrong place.
    public static let views = 0
    /// A wide sum of the errors at these views, in millionths of the kind's own unit.
    public static let errorSum = 1
    public static let size = 3
}
