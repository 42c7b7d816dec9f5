import Basics

/// The shape of the timelines that a provider returns (P2).
public enum TimelineShape: Hashable, Sendable {
    /// One entry, good for ever.
    case single
    /// `count` entries (1 or more), `spacing` apart from the fetch on.
    case series(count: Int, spacing: Duration)
    /// Entries `spacing` apart from the fetch to the end of the local day.
    case untilMidnight(spacing: Duration)
    /// One entry with a system-animated date or progress view, good for the given time (W22).
    case selfUpdating(goodFor: Duration)
}

extension TimelineShape {
    /// The instant for which the content on the screen was made, of those up to `now`: the date of the entry that shows
    /// (C4).
    ///
    /// An entry that another one follows speaks for all the time up to that. The last entry of a timeline has none
    /// after it, so it speaks for ever later instants: then it is `now`.
    ///
    /// - Parameter drawn: when the screen was last drawn, which is before `now` on a dimmed display (R4): the entry of
    ///   then shows.
    @inlinable public func entryInForce(at now: Instant, drawn: Instant, fetched: Instant, lastEntry: Instant)
        -> Instant
    {
        switch self {
        case .single, .selfUpdating: return now
        case .series(_, let spacing), .untilMidnight(let spacing):
            if drawn >= lastEntry { return now }
            return fetched + spacing * max(0, (drawn - fetched).microseconds / spacing.microseconds)
        }
    }

    /// Whether an entry's date lies between the instant at which a screen was last drawn and now, so that it shows an
    /// entry before (R4).
    @inlinable public func hasEntry(after drawn: Instant, through now: Instant, fetched: Instant, lastEntry: Instant)
        -> Bool
    {
        switch self {
        case .single, .selfUpdating: return false
        case .series(_, let spacing), .untilMidnight(let spacing):
            if drawn >= lastEntry { return false }
            let next = fetched + spacing * (max(0, (drawn - fetched).microseconds / spacing.microseconds) + 1)
            return next <= now
        }
    }
}

/// The dates of one fetched timeline (P1): all that the rules need of its entries.
@frozen public struct Timeline: Hashable, Sendable {
    /// The number of entries, 1 or more.
    public var entryCount: Int
    /// The date of the last entry.
    public var lastEntry: Instant
    /// The last instant at which the last entry is still valid (T6); `never` if it is valid for ever.
    public var validUntil: Instant

    /// The timeline that a provider of `shape` returns at `fetched`.
    ///
    /// - Parameters:
    ///   - validFor: the kind's own validity of the last entry, counted from its date, in place of the shape's.
    ///   - midnight: the end of the local day of `fetched`; only `untilMidnight` looks at it.
    @inlinable public init(shape: TimelineShape, fetched: Instant, validFor: Duration?, midnight: Instant) {
        let shapeValidity: Instant
        switch shape {
        case .single:
            entryCount = 1
            lastEntry = fetched
            shapeValidity = .never
        case .series(let count, let spacing):
            entryCount = count
            lastEntry = fetched + spacing * Int64(count - 1)
            shapeValidity = lastEntry + spacing
        case .untilMidnight(let spacing):
            // Entries lie before midnight: the last multiple of the spacing that is less than the rest of the day.
            let further = max(0, (midnight - fetched).microseconds - 1) / spacing.microseconds
            entryCount = Int(further) + 1
            lastEntry = fetched + spacing * further
            shapeValidity = midnight
        case .selfUpdating(let goodFor):
            entryCount = 1
            lastEntry = fetched
            shapeValidity = fetched + goodFor
        }
        validUntil = validFor.map { [lastEntry] in lastEntry + $0 } ?? shapeValidity
    }
}
