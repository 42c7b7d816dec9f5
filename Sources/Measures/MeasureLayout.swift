import SimulatedTime

/// Where each count of a run stands in the flat memory of `RunMeasures`.
///
/// Kinds of block follow one another, each with its fields in the order declared here, which is the order of the fingerprint: one block a segment
/// and device kind; one a line; one a line, location mode and surface; one a line and face; and, only if any content is a forecast, one a line and
/// location mode.
public struct MeasureLayout: Hashable, Sendable {
    /// The instances that count together: those of one widget kind on one kind of device in one segment.
    public struct Line: Hashable, Sendable {
        public let segment, kind, device: Int
        /// How its instances can be placed, in order, each once.
        public let faces: [Face]

        public init(segment: Int, kind: Int, device: Int, faces: [Face]) {
            self.segment = segment
            self.kind = kind
            self.device = device
            self.faces = faces
        }
    }

    /// A surface with a family of widgets on it.
    public struct Face: Hashable, Comparable, Sendable {
        public let surface, family: Int

        public init(surface: Int, family: Int) {
            self.surface = surface
            self.family = family
        }

        public static func < (a: Face, b: Face) -> Bool { (a.surface, a.family) < (b.surface, b.family) }
    }

    public let segments: Int
    /// In order of segment, kind and device kind, each once.
    public let lines: [Line]
    /// Whether any content is a forecast (C4).
    public let hasForecasts: Bool
    /// The faces of the lines before each line, and of all at the end.
    private let facesBefore: [Int]

    /// Location modes, and one more for instances that do not follow the person.
    public static let modes = 5
    /// The mode index of an instance that does not follow the person.
    public static let noMode = 4
    public static let deviceKinds = 3
    public static let surfaces = 6
    public static let causes = 14
    public static let outcomes = 5
    public static let states = 6
    public static let gates = 5
    public static let hours = 24
    public static let renderingModes = 3
    public static let luminances = 2
    public static let redactions = 3

    public init(segments: Int, lines: [Line], hasForecasts: Bool = false) {
        self.segments = segments
        self.lines = lines
        self.hasForecasts = hasForecasts
        facesBefore = lines.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.faces.count) }
    }

    public var count: Int { forecastStart + (hasForecasts ? lines.count * Self.modes * ForecastField.size : 0) }

    private var kindStart: Int { segments * Self.deviceKinds * SegmentField.size }
    private var viewStart: Int { kindStart + lines.count * KindField.size }
    private var presentationStart: Int { viewStart + lines.count * Self.modes * Self.surfaces * ViewField.size }
    private var forecastStart: Int { presentationStart + facesBefore[lines.count] * PresentationField.size }

    /// The line of a segment's instances of a kind on a kind of device; nil if nobody can have such.
    public func line(segment: Int, kind: Int, device: Int) -> Int? {
        lines.firstIndex { $0.segment == segment && $0.kind == kind && $0.device == device }
    }

    public func segmentBlock(_ segment: Int, device: Int) -> Int { (segment * Self.deviceKinds + device) * SegmentField.size }
    public func kindBlock(_ line: Int) -> Int { kindStart + line * KindField.size }
    public func viewBlock(_ line: Int, mode: Int, surface: Int) -> Int {
        viewStart + ((line * Self.modes + mode) * Self.surfaces + surface) * ViewField.size
    }
    public func presentationBlock(_ line: Int, face: Int) -> Int { presentationStart + (facesBefore[line] + face) * PresentationField.size }
    /// Beyond the end if no content is a forecast.
    public func forecastBlock(_ line: Int, mode: Int) -> Int { forecastStart + (line * Self.modes + mode) * ForecastField.size }
}

/// Counts of a segment's people and of their devices of one kind in the reported span. What is the person's own stands with their first device.
public enum SegmentField {
    public static let people = 0
    public static let devices = 1
    /// Device-days that a wake-up in the span completed.
    public static let deviceDays = 2
    public static let sessions = 3
    public static let glances = 4
    /// A wide sum of microseconds in session.
    public static let sessionTime = 5
    public static let appOpenings = 7
    public static let navigationSessions = 8
    public static let audioSessions = 9
    /// Nights cut to at least 3 h or at most 14 h (D2).
    public static let cutNights = 10
    /// One-way trips begun (L1).
    public static let trips = 11
    public static let significantChanges = 12
    public static let environmentChanges = 13
    /// Logical events of the span: pickups, locks, views, causes, grants, runs, requests, answers, wakes, sleeps, location and environment changes.
    public static let events = 14
    /// Switches of an automatic appearance, and instances rendered again by them (R2).
    public static let appearanceSwitches = 15
    public static let rerenders = 16
    /// Edits of an instance's configuration (F8).
    public static let edits = 17
    /// Environment changes that are zone crossings, those that are reboots, and those of the latter that install a release (D9).
    public static let zoneCrossings = 18
    public static let reboots = 19
    public static let releases = 20
    /// Looks at an always-on display that nobody wakes, and at a phone in standby (R4, V4).
    public static let looks = 21
    public static let standbyLooks = 22
    /// Buttons of widgets used (V5).
    public static let interactions = 23
    /// Stacks turned by the person, and by the system (V3).
    public static let flips = 24
    public static let rotations = 25
    /// Episodes of low power and without a connection begun (D7, D8).
    public static let lowPowerEpisodes = 26
    public static let offlineEpisodes = 27
    /// Pushes that came to the device, and those of them that had waited for a connection (B7).
    public static let pushes = 28
    public static let latePushes = 29
    /// Times that an app was woken up in the background and called for a reload, and those at which the system did not let it (B7, D7).
    public static let wakeUps = 30
    public static let refusedWakeUps = 31
    /// A wide sum of microseconds that a watch was worn (V4).
    public static let wornTime = 32
    public static let size = 34
}

/// Counts of the reloads and budgets of one line.
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
    /// The instances' own accounts, and their accounts for pushed reloads (B7), each with the fields of `PoolField`.
    public static let pools = wholeWaits + 2 * 3
    /// Requests sent in the span, by cause; of these, or of those carried in, answered, refused with an error, timed out.
    public static let requestsSent = pools + 2 * PoolField.size
    public static let requestsAnswered = requestsSent + MeasureLayout.causes
    public static let requestsRefused = requestsAnswered + 1
    public static let requestsTimedOut = requestsRefused + 1
    /// Requests sent before the span that arrive in it, and sent in it that arrive after it.
    public static let requestsCarriedIn = requestsTimedOut + 1
    public static let requestsCarriedOut = requestsCarriedIn + 1
    /// Entries of the timelines that came (R6).
    public static let entries = requestsCarriedOut + 1
    public static let size = entries + 1
}

/// Counts of one pool of budget of one line: the instances' own accounts, or those of their pushed reloads.
public enum PoolField {
    /// Accounts in the span.
    public static let accounts = 0
    /// Microtokens by local hour: accrued, expired; tokens spent; the sum of balances read at each hour's beginning, a wide sum; and the readings.
    public static let hourAccrued = 1
    public static let hourExpired = hourAccrued + MeasureLayout.hours
    public static let hourSpent = hourExpired + MeasureLayout.hours
    public static let hourBalance = hourSpent + MeasureLayout.hours
    public static let hourReadings = hourBalance + 2 * MeasureLayout.hours
    /// Microtokens at the borders of the span.
    public static let opening = hourReadings + MeasureLayout.hours
    public static let closing = opening + 1
    /// The accounts' daily allowance at the end of the span, microtokens.
    public static let allowance = closing + 1
    public static let size = allowance + 1
}

/// Counts of the views, contents and locations of one line, location mode and surface.
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

/// Counts of the views of one line's instances on one face, by how they were drawn and what was hidden (R2–R4).
public enum PresentationField {
    /// Views by rendering mode, luminance, redaction and state (C5).
    public static let views = 0
    /// Of these, views after which a reload answered at or before the lock (V6).
    public static let healed = combinations
    public static let size = 2 * combinations

    /// The combinations of rendering mode, luminance, redaction and state.
    public static let combinations =
        MeasureLayout.renderingModes * MeasureLayout.luminances * MeasureLayout.redactions * MeasureLayout.states

    @inlinable public static func combination(renderingMode: Int, luminance: Int, redaction: Int, state: Int) -> Int {
        ((renderingMode * MeasureLayout.luminances + luminance) * MeasureLayout.redactions + redaction) * MeasureLayout.states + state
    }
}

/// Counts of the forecasts that one line and location mode saw (C4).
public enum ForecastField {
    /// Views of content with an age: fresh, stale or of the wrong place.
    public static let views = 0
    /// A wide sum of the errors at these views, in millionths of the kind's own unit.
    public static let errorSum = 1
    public static let size = 3
}
