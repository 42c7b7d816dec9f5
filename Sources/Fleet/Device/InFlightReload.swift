import Basics
import DeviceStorage
import RefreshService
import WidgetPlatform

/// A reload in flight: the fix, the tries of its requests, and what they bring (S1, S3, L5).
struct InFlightReload {
    /// Whether what comes next is the answer to the present try, and not a location fix or the next try.
    private(set) var awaitsAnswer = false
    /// Whether the reload was charged.
    private(set) var isCharged = false
    /// Whether it is one of a job that is tried again if it fails (N2); no charged one is.
    var isOfJob = false
    /// Whether the requests of a new instance's preview are under way, or have been (F7).
    private(set) var preview = Preview.none
    /// How far the system has come with its requests, if its extension hands them over (S8).
    private(set) var transfer = TransferPhase.none
    /// How the present try will end.
    private(set) var ending = ReloadOutcome.ok
    /// Whether the content will be `alternate` content, which is for no place (L6).
    private(set) var isAlternate = false
    /// Whether a location fix is awaited, and whether it will succeed.
    private(set) var awaitsFix = false
    private(set) var fixSucceeds = false
    /// Whether any answer of the present try is an error (S5).
    private var hasError = false
    /// Whether the errors of the present try are all those of limits (S3).
    private(set) var isRefusal = false
    /// The number of the try's first request among the device's, at a refresh service (S5).
    private(set) var firstSequence: UInt32 = 0
    /// The number of the request whose answer is the last one known.
    private var answeredSequence: UInt32 = 0
    /// Tries so far.
    private(set) var tries = 0
    /// The place that the content will be for; 0 for none.
    private(set) var place: Int64 = 0
    /// When the origin makes the answer of the present try.
    private(set) var madeAt: Instant = .never
    /// The client's delay before the present try, if it is not the first (S3).
    private(set) var lastDelay = Duration.zero
    /// How long an error of the present try told it to wait.
    private(set) var retryAfter = Duration.zero

    /// When the extension handed its requests over.
    private(set) var handedOverAt: Instant = .never

    // At a refresh service (S5).

    /// The earliest instant at which the try can end.
    private(set) var endsFrom: Instant = .never
    /// Requests of the present try whose outcomes are not known.
    private(set) var undecided = 0
    /// Those of them, and of the answered ones, of which the client has heard nothing.
    private(set) var unheard = 0
    /// The last answer of those known.
    private(set) var answeredAt: Instant = .longAgo

    init() {}

    /// A reload runs.
    ///
    /// - Parameter place: that of its choice; 0 if it shows where the person is.
    @inline(__always) init(isCharged: Bool, place: Int64) { (self.isCharged, self.place) = (isCharged, place) }

    /// The reload is granted.
    @inline(__always) mutating func grant(isCharged: Bool) { self.isCharged = isCharged }

    // The location fix (L5, L6).

    mutating func awaitFix(succeeds: Bool) { (awaitsFix, fixSucceeds) = (true, succeeds) }

    /// The fix is there, or its failure; returns whether it is there.
    mutating func takeFix() -> Bool {
        awaitsFix = false
        return fixSucceeds
    }

    @inline(__always) mutating func locate(at place: Int64) { self.place = place }

    /// Without a fix and without a place that is known, the content is for none.
    mutating func goWithoutPlace() { isAlternate = true }

    /// The provider makes the content by itself.
    mutating func makeContent(at instant: Instant) { madeAt = instant }

    // The transfer in the background (S8).

    mutating func handOver(at now: Instant) { (transfer, handedOverAt) = (.deferred, now) }
    /// It is time to send, and there is no connection.
    mutating func holdTransfer() { transfer = .held }
    mutating func beginTransfer() { transfer = .running }

    // The tries (S1, S3).

    /// The preview is asked for first (F7).
    mutating func askForPreview() { preview = .asked }
    mutating func endPreview() { preview = .over }

    @inline(__always) mutating func beginTry() { tries += 1 }

    /// The requests of a try or a preview leave, and how they will end is known.
    @inline(__always) mutating func send(ending: ReloadOutcome, madeAt: Instant, isRefusal: Bool = false) {
        (awaitsAnswer, self.ending, self.madeAt, self.isRefusal) = (true, ending, madeAt, isRefusal)
    }

    /// They leave for a service: the try is given up at its time-out unless all of them are answered before.
    ///
    /// - Parameters:
    ///   - first: the number of the first of them.
    ///   - endsFrom: the earliest instant at which the last of them can be answered.
    mutating func sendToService(_ requests: Int, first: UInt32, endsFrom: Instant, deadline: Instant) {
        (awaitsAnswer, ending) = (true, .timeout)
        (undecided, unheard, firstSequence, self.endsFrom) = (requests, requests, first, endsFrom)
        (hasError, isRefusal, answeredAt, retryAfter) = (false, false, .longAgo, .zero)
        // A reload that cannot be answered in time waits for nothing but the time-out.
        if endsFrom > deadline { undecided = 0 }
    }

    mutating func failToSend() { ending = .offline }

    /// The answer to the try, or its time-out. One that the service has not decided by now comes too late.
    @inline(__always) mutating func end() { (awaitsAnswer, undecided) = (false, 0) }

    mutating func awaitRetry(after delay: Duration) { lastDelay = delay }

    /// A client hears of a request.
    enum Hearing { case ofAnotherTry, some, allAnswered }

    /// An answer of the service, or an error, that will reach the device (S5). The try ends with the last of its
    /// answers, and brings that one's content; an error among them spoils it.
    ///
    /// - Parameter requests: those of the try.
    mutating func receive(_ answer: ServiceAnswer, requests: Int, heedsRetryAfter: Bool) -> Hearing {
        guard awaitsAnswer, undecided > 0, answer.sequence &- firstSequence < UInt32(requests) else {
            return .ofAnotherTry
        }
        if !answer.followsNotice { unheard -= 1 }
        if answer.isNotice { return .some }
        undecided -= 1
        let isLast = (answer.at, answer.sequence) > (answeredAt, answeredSequence)
        if isLast { (answeredAt, answeredSequence) = (answer.at, answer.sequence) }
        if answer.isError {
            isRefusal = answer.isRefusal && (isRefusal || !hasError)
            hasError = true
            if heedsRetryAfter { retryAfter = max(retryAfter, answer.retryAfter) }
        } else if isLast {
            madeAt = answer.madeAt
        }
        if undecided > 0 { return .some }
        ending = hasError ? .error : .ok
        return .allAnswered
    }

    /// - Parameter isRunning: false for a reload that is only granted.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, isRunning: Bool) {
        coder.code(&isCharged)
        if !isRunning { return }
        if !isCharged { coder.code(&isOfJob) }
        coder.code(&awaitsAnswer)
        coder.code(&preview)
        coder.code(&transfer)
        if transfer != .none { coder.code(&handedOverAt) }
        coder.code(&tries)
        coder.code(&ending)
        coder.code(&madeAt)
        coder.code(key: &place)
        coder.code(&isAlternate)
        coder.code(&awaitsFix)
        coder.code(&fixSucceeds)
        coder.code(&lastDelay)
        coder.code(&retryAfter)
        coder.code(&undecided)
        coder.code(&unheard)
        coder.code(&firstSequence)
        coder.code(&endsFrom)
        coder.code(&hasError)
        coder.code(&isRefusal)
        coder.code(&answeredAt)
        coder.code(&answeredSequence)
    }

    /// - Parameter requests: those that are under way together.
    func check<Coder: StateCoder>(_ coder: inout Coder, requests: Int, retries: Int, hasTransfer: Bool) {
        let isTransfer = hasTransfer && handedOverAt <= coder.base
        let isWaiting = transfer == .deferred || transfer == .held
        _ = coder.holds(
            transfer == .none || isTransfer && !(isWaiting && awaitsAnswer), "a transfer of no kind that has any")
        _ = coder.holds(
            (0...requests).contains(undecided) && (0...requests).contains(unheard),
            "more answers missing than were asked for")
        _ = coder.holds((0...retries + 1).contains(tries), "more tries than there may be")
        _ = coder.holds(lastDelay >= .zero && retryAfter >= .zero, "a delay of less than nothing")
    }
}

/// How far the system has come with requests that were handed over to it (S8).
enum TransferPhase: UInt8, CaseIterable {
    /// None were.
    case none
    /// It defers them, or holds them until there is a connection.
    case deferred, held
    /// They are sent, and tried again.
    case running
}

/// The content that was transferred and that no reload has shown yet (S8).
struct LoadedContent: BitwiseCopyable {
    /// When the origin made it; `never` if there is nothing.
    var madeAt: Instant = .never
    /// The place that it is for; 0 for none.
    var place: Int64 = 0
    /// Whether it is `alternate` content, which is for no place.
    var isAlternate = false

    var isThere: Bool { madeAt < .never }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var isThere = isThere
        coder.code(&isThere)
        if !isThere {
            if Coder.isReading { self = LoadedContent() }
            return
        }
        coder.code(&madeAt)
        coder.code(key: &place)
        coder.code(&isAlternate)
        let isPast = madeAt <= coder.base
        _ = coder.holds(isPast, "content from the future")
    }
}

/// The preview of a new instance, which its extension makes before the first timeline (F7).
enum Preview: UInt8 { case none, asked, over }
