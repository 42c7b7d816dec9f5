import Basics

/// A provider's answer: the entries of a timeline and when it asks to be replaced (P1–P6).
public struct ProviderTimeline: Hashable, Sendable {
    /// The number of entries, 1 or more; 0 for those of the scenario's `timeline`.
    public var entries: Int
    /// The time from one entry to the next.
    public var spacing: Duration
    /// How long the last entry stays valid from its date; nil for as long as the scenario's `timeline` says, or for
    /// `spacing` after the last of several entries of its own.
    public var validFor: Duration?
    public var policy: Policy
    /// How relevant its entries are, by which the system turns a stack (V3); nil for what the scenario's `relevance`
    /// says. 0 or less never turns a stack to it.
    public var relevance: Double?

    /// When the timeline asks to be replaced.
    public enum Policy: Hashable, Sendable {
        /// On its last entry's date; with one entry the system picks the time (P3, P4).
        case atEnd
        /// At an instant (P5). One that has passed is at once; `Instant.never` is `never`.
        case after(Instant)
        /// At an instant that is one of the clock's, which many devices share (P5): one that was served is not asked
        /// for again.
        case clock(Instant)
        /// Not by itself (P6).
        case never
    }

    /// A timeline with the scenario's own entries.
    public init(policy: Policy, validFor: Duration? = nil, relevance: Double? = nil) {
        (entries, spacing, self.validFor, self.policy) = (0, .zero, validFor, policy)
        self.relevance = relevance
    }

    /// A timeline with entries of its own, the first at the fetch.
    public init(
        entries: Int, spacing: Duration = .zero, validFor: Duration? = nil, policy: Policy, relevance: Double? = nil
    ) {
        (self.entries, self.spacing, self.validFor, self.policy) = (entries, spacing, validFor, policy)
        self.relevance = relevance
    }

    /// Whether it leaves the entries to the scenario: then nothing but its policy can be odd.
    @inlinable package var isPolicyAlone: Bool {
        @inline(__always) get { entries == 0 && validFor == nil && relevance == nil }
    }

    /// The sentence on entries that no timeline has; nil if they are possible.
    package var fault: String? {
        if !(0...10_000).contains(entries) { return "answered with \(entries) entries: expected 1 to 10000" }
        if entries > 1 && (spacing < .seconds(1) || spacing > .days(3660)) {
            return "answered with entries \(TimeText.duration(spacing)) apart: expected 1s to 3660d"
        }
        if entries > 1 && spacing * Int64(entries) > .days(3660) {
            return "answered with entries that end after more than 3660 days"
        }
        if let relevance, !relevance.isFinite { return "answered with a relevance of \(relevance): expected a number" }
        if let validFor, validFor < .zero || validFor > .days(3660) {
            return "answered with a validity of \(validFor.microseconds) microseconds: expected 0s to 3660d"
        }
        return nil
    }
}
