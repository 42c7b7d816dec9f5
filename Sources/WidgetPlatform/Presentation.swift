import Basics

/// The content on an instance's screen area, as far as the rules care.
@frozen public struct ShownContent: Hashable, Sendable {
    public enum Kind: UInt8, Sendable {
        /// No timeline yet, or one of a provider whose condition is unmet (P8).
        case placeholder
        /// Content of no place, because there was no fix (L6).
        case alternate
        /// The answer that there is nothing for its date yet (C1).
        case empty
        /// Content of its key.
        case regular
    }

    public var kind: Kind
    /// The key of the place it is for; 0 if it is for none.
    public var place: Int64
    /// When the origin made the answer (C2).
    public var madeAt: Instant
    /// The last instant of its last entry's validity.
    public var validUntil: Instant

    @inlinable public init(kind: Kind, place: Int64, madeAt: Instant, validUntil: Instant) {
        (self.kind, self.place, self.madeAt, self.validUntil) = (kind, place, madeAt, validUntil)
    }

    /// Whether it is an answer for its key: that has an age and misses versions (C2, C3), whether there was content or
    /// none.
    @inlinable public var hasAge: Bool { @inline(__always) get { kind == .regular || kind == .empty } }

    public static let placeholder = ShownContent(kind: .placeholder, place: 0, madeAt: .longAgo, validUntil: .never)

    /// The state that a person sees: the first that holds (C5).
    ///
    /// - Parameters:
    ///   - isRedacted: the view is one of a locked screen on which the content is hidden (R3).
    ///   - place: the key of the place where the person is; 0 for an instance that does not follow the person.
    ///   - missedVersions: the versions published since the content was made (C3).
    @inlinable public func state(at instant: Instant, isRedacted: Bool, place: Int64, missedVersions: Int) -> ViewState
    {
        if kind == .placeholder { return .placeholder }
        if isRedacted { return .redacted }
        if kind == .alternate { return .alternate }
        if kind == .empty { return .empty }
        if place != 0 && self.place != place { return .wrongPlace }
        return missedVersions > 0 || instant > validUntil ? .stale : .fresh
    }
}
