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
    var tries = ClientTries()
    /// The place that the content will be for; 0 for none.
    private(set) var place: Int64 = 0
    /// When the origin makes the answer of the present try.
    private(set) var madeAt: Instant = .never
    /// When the extension handed its requests over.
    private(set) var handedOverAt: Instant = .never

    /// The earliest instant at which the try can end at a refresh service (S5).
    private(set) var endsFrom: Instant = .never

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

    /// The requests of a try or a preview leave, and how they will end is known.
    @inline(__always) mutating func send(ending: ReloadOutcome, madeAt: Instant, isRefusal: Bool = false) {
        (awaitsAnswer, self.ending, self.madeAt) = (true, ending, madeAt)
        tries.decide(isRefusal: isRefusal)
    }

    /// They leave for a service: the try is given up at its time-out unless all of them are answered before.
    mutating func sendToService(_ requests: Int, first: UInt32, endsFrom: Instant, deadline: Instant) {
        (awaitsAnswer, ending, self.endsFrom) = (true, .timeout, endsFrom)
        tries.send(requests, first: first, endsFrom: endsFrom, deadline: deadline)
    }

    mutating func failToSend() { ending = .offline }

    /// The answer to the try, or its time-out.
    @inline(__always) mutating func end() {
        awaitsAnswer = false
        tries.end()
    }

    /// An answer of the service that will reach the device, or a notice (S5).
    mutating func receive(_ answer: ServiceAnswer, requests: Int, heedsRetryAfter: Bool) -> ClientTries.Hearing {
        let hearing = tries.receive(answer, requests: requests, heedsRetryAfter: heedsRetryAfter)
        if hearing == .allAnswers {
            ending = tries.ending
            if ending == .ok { madeAt = tries.madeAt }
        }
        return hearing
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
        tries.code(&coder)
        coder.code(&ending)
        coder.code(&madeAt)
        coder.code(key: &place)
        coder.code(&isAlternate)
        coder.code(&awaitsFix)
        coder.code(&fixSucceeds)
        coder.code(&endsFrom)
    }

    /// - Parameter requests: those that are under way together.
    func check<Coder: StateCoder>(_ coder: inout Coder, requests: Int, retries: Int, hasTransfer: Bool) {
        let isTransfer = hasTransfer && handedOverAt <= coder.base
        let isWaiting = transfer == .deferred || transfer == .held
        _ = coder.holds(
            transfer == .none || isTransfer && !(isWaiting && awaitsAnswer), "a transfer of no kind that has any")
        tries.check(&coder, requests: requests, retries: retries)
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
