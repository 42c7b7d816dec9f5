import Basics

/// The reload of one instance: none, waiting at the gates, granted, or in flight (G8).
///
/// There is never more than one. A cause that arrives beside it merges, replaces it or is put off until the reload in
/// flight ends, as G8 says. The slot knows nothing of why gates are open; it is told.
public struct ReloadSlot: Hashable, Sendable {
    public enum Phase: UInt8, CaseIterable, Sendable {
        case none, waiting, granted, inFlight
    }

    public private(set) var phase: Phase = .none
    /// The cause of the reload that waits, is granted or is in flight.
    public private(set) var cause: ReloadCause = .first
    /// When the cause arose.
    public private(set) var since: Instant = .longAgo
    /// A free reload that runs at the next chance: when it reaches the widget, or, for protected content, when the
    /// device is unlocked after that (G4). Nothing else is pending beside it.
    public private(set) var freeCause: ReloadCause?
    /// When the free cause arose, and when its reload reaches the widget (section 7); of a follow-up, the latter alone.
    public private(set) var freeSince: Instant = .longAgo
    public private(set) var freeAt: Instant = .longAgo
    /// The first request of the reload in flight; `never` while the location fix is awaited.
    public private(set) var firstRequest: Instant = .never
    /// A cause that runs when the reload in flight ends (G8), the first that came.
    public private(set) var followUp: ReloadCause?

    public init() {}

    /// A slot in a phase, for a cause that arose at an instant; a free cause, a first request and a follow-up only
    /// where the phase can have one.
    public init(
        _ phase: Phase, cause: ReloadCause, since: Instant, freeCause: ReloadCause?, freeSince: Instant,
        freeAt: Instant, firstRequest: Instant,
        followUp: ReloadCause?
    ) {
        self.phase = phase
        self.cause = cause
        self.since = since
        self.freeCause = freeCause
        self.freeSince = freeSince
        self.freeAt = freeAt
        self.firstRequest = firstRequest
        self.followUp = followUp
        checkInvariants()
    }

    /// The outcome of a cause.
    public enum Reception: Hashable, Sendable {
        /// It waits for its gates, or, a free one, until it reaches the widget.
        case pending
        /// Another reload serves it.
        case merged
        /// It runs when the reload in flight ends.
        case postponed
        /// A free one is pending and has taken the waiting or granted reload with it: the phase of that.
        case taking(Phase)
    }

    /// Whether a background cause gets a reload of its own, and merges with no other.
    public var isFree: Bool { phase == .none && freeCause == nil }

    /// A background cause arises (B1, G8).
    public mutating func request(background cause: ReloadCause, at instant: Instant) -> Reception {
        precondition(cause.isBackground, "\(cause) is not a background cause")
        guard isFree else { return .merged }
        phase = .waiting
        self.cause = cause
        since = instant
        return .pending
    }

    /// A free cause arises (section 7), and takes a waiting or granted reload with it, whose cause and instant are
    /// known until the free one runs.
    ///
    /// - Parameters:
    ///   - changedAt: when the change came that the cause pays for (F3, F4); the present instant for a cause that pays
    ///     for none.
    ///   - delay: how long its reload takes to reach the widget, 0 or more (section 7). Where several causes become one
    ///     reload, the earliest counts.
    public mutating func request(free cause: ReloadCause, at instant: Instant, changedAt: Instant, delay: Duration)
        -> Reception
    {
        precondition(cause.canBeFree, "\(cause) is not a free cause")
        let arrival = instant + delay
        if phase == .inFlight {
            guard cause.outlivesReload && changedAt > firstRequest else { return .merged }
            guard followUp == nil else {
                freeAt = min(freeAt, arrival)
                return .merged
            }
            followUp = cause
            freeAt = arrival
            return .postponed
        }
        guard freeCause == nil else {
            freeAt = min(freeAt, arrival)
            return .merged
        }
        freeCause = cause
        freeSince = instant
        freeAt = arrival
        if phase == .none { return .pending }
        defer { phase = .none }
        return .taking(phase)
    }

    /// Whether a reload is in flight that takes a change of this instant in: its first request is not earlier (G8).
    @inlinable public func servesChange(at instant: Instant) -> Bool { phase == .inFlight && instant <= firstRequest }

    /// All gates are open: the waiting reload is granted, and charged by the caller.
    public mutating func grant() {
        precondition(phase == .waiting, "granting a reload that is \(phase)")
        phase = .granted
    }

    /// The granted reload runs.
    public mutating func run() {
        precondition(phase == .granted, "running a reload that is \(phase)")
        phase = .inFlight
        firstRequest = .never
    }

    /// The free reload runs.
    public mutating func runFree() {
        guard let free = freeCause, phase == .none else { preconditionFailure("no free reload can run") }
        cause = free
        since = freeSince
        freeCause = nil
        phase = .inFlight
        firstRequest = .never
    }

    /// The first request of the reload in flight leaves.
    public mutating func sendFirstRequest(at instant: Instant) {
        precondition(phase == .inFlight, "a request of a reload that is \(phase)")
        if firstRequest == .never { firstRequest = instant }
    }

    /// The final answer, or the final failure. A postponed cause becomes a free reload, of this instant or of a later
    /// one that it reaches the widget at.
    public mutating func land(at instant: Instant) {
        precondition(phase == .inFlight, "the end of a reload that is \(phase)")
        phase = .none
        freeCause = followUp
        freeSince = instant
        freeAt = max(freeAt, instant)
        followUp = nil
    }

    /// Whether a slot can be so (G8): what `checkInvariants` asks, before there is one.
    public static func isPossible(_ phase: Phase, cause: ReloadCause, hasFree: Bool, hasFollowUp: Bool) -> Bool {
        (!hasFollowUp || phase == .inFlight) && (!hasFree || phase == .none)
            && (phase == .none || phase == .inFlight || cause.isBackground)
    }

    public func checkInvariants() {
        precondition(followUp == nil || phase == .inFlight, "a follow-up without a reload in flight")
        precondition(freeCause == nil || phase == .none, "a free reload beside one that is \(phase)")
        precondition(
            phase == .none || phase == .inFlight || cause.isBackground, "a free reload that waits at the gates")
    }
}
