import Basics
import DeviceStorage
import RefreshService
import WidgetPlatform

/// A client's tries of one reload or fetch (S3): what it knows of the present one, and when the next one follows.
///
/// Devices and `VirtualClients` share it. It is small, since those are millions.
struct ClientTries: BitwiseCopyable {
    /// The last answer to the present try that is known.
    private(set) var answeredAt = Instant.longAgo
    /// The delay before the present try, if it is not the first, as the back-off gives it.
    private(set) var lastDelay = Duration.zero
    /// How long an error of the present try told the client to wait, in microseconds; without an error, when the
    /// content of its last answer was made.
    private var heard: Int64 = 0
    /// The number of the present try's first request among those of its client.
    private(set) var firstRequest: UInt32 = 0
    private var number: UInt32 = 0
    /// Requests of the present try whose outcomes are not known, and those of which the client has heard nothing.
    private(set) var undecided: UInt8 = 0, unheard: UInt8 = 0
    /// Whether any answer of the present try is an error, which spoils it (S5), and whether all are those of limits.
    private var errors = Errors.none
    private enum Errors: UInt8 { case none, refusals, others }

    /// Tries so far.
    var count: Int { Int(number) }
    /// How a try ends of which all answers are known.
    var ending: ReloadOutcome { errors == .none ? .ok : .error }
    /// When the content of the present try was made, which went well.
    var madeAt: Instant { Instant(microseconds: heard) }
    /// How long an error of the present try told the client to wait.
    var retryAfter: Duration { errors == .none ? .zero : Duration(microseconds: heard) }

    @inline(__always) mutating func begin() {
        number += 1
        (answeredAt, heard, errors) = (.longAgo, 0, .none)
    }

    /// The requests of the present try leave for a service.
    ///
    /// - Parameters:
    ///   - first: the number of the first of them.
    ///   - endsFrom: the earliest instant at which the last of them can be answered.
    ///   - deadline: when the client gives the try up.
    mutating func send(_ requests: Int, first: UInt32, endsFrom: Instant, deadline: Instant) {
        (firstRequest, unheard) = (first, UInt8(requests))
        // A try that cannot be answered in time waits for nothing but the time-out.
        undecided = endsFrom > deadline ? 0 : unheard
    }

    /// How the present try ends is known as it leaves.
    @inline(__always) mutating func decide(isRefusal: Bool) { errors = isRefusal ? .refusals : .none }

    /// How much a client knows of its present try. When all of it is answered or being served, it may stay for the
    /// answers.
    enum Hearing { case some, all, allAnswers }

    /// An answer of the service that will reach the client, or a notice. The try ends with the last of its answers, and
    /// brings that one's content. One to another try is ignored.
    ///
    /// - Parameter requests: those of the try.
    mutating func receive(_ answer: ServiceAnswer, requests: Int, heedsRetryAfter: Bool) -> Hearing {
        guard undecided > 0, answer.sequence &- firstRequest < UInt32(requests) else { return .some }
        if !answer.followsNotice && unheard > 0 { unheard -= 1 }
        if !answer.isNotice {
            undecided -= 1
            if answer.isError {
                heard = heedsRetryAfter ? max(retryAfter, answer.retryAfter).microseconds : 0
                errors = answer.isRefusal && errors != .others ? .refusals : .others
            } else if answer.at >= answeredAt && errors == .none {
                heard = answer.madeAt.microseconds
            }
            answeredAt = max(answeredAt, answer.at)
        }
        return undecided == 0 ? .allAnswers : unheard == 0 ? .all : .some
    }

    /// The present try is over. An answer that the service has not decided by now comes too late.
    @inline(__always) mutating func end() { undecided = 0 }

    /// How the present try failed, which ended so.
    func failure(_ ending: ReloadOutcome) -> TryFailure {
        switch ending {
        case .offline: .offline
        case .timeout: .timedOut
        case .ok, .error, .taken, .placeholder: errors == .refusals ? .refused : .failed
        }
    }

    /// How long the client waits before the next try by its back-off; nil if it makes none.
    ///
    /// - Parameters:
    ///   - most: the most retries after such a failure.
    ///   - spend: takes a retry out of the client's budget; false if none is there.
    ///   - u: draws a fraction from 0 to 1.
    func delayBeforeNext(_ delays: RetryDelays, most: Int, spend: () -> Bool, u: () -> Double) -> Duration? {
        guard count <= most, spend() else { return nil }
        return delays.delay(before: count, after: lastDelay, u())
    }

    /// The client makes another try; returns when, not before an error allows it.
    mutating func awaitNext(after delay: Duration, at now: Instant) -> Instant {
        (lastDelay, undecided) = (delay, 0)
        return now + max(delay, retryAfter)
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&number)
        coder.code(&lastDelay)
        coder.code(&undecided)
        coder.code(&unheard)
        coder.code(&firstRequest)
        coder.code(&errors)
        coder.code(&answeredAt)
        let isContent = answeredAt > .longAgo && errors == .none
        var content = madeAt
        if isContent { coder.code(&content) } else { coder.code(&heard) }
        if isContent { heard = content.microseconds }
    }

    /// - Parameter requests: those that are under way together.
    func check<Coder: StateCoder>(_ coder: inout Coder, requests: Int, retries: Int) {
        let isPossible = undecided <= requests && unheard <= requests && count <= retries + 1
        _ = coder.holds(isPossible, "more answers missing than were asked for, or more tries than there may be")
        _ = coder.holds(lastDelay >= .zero && retryAfter >= .zero, "a delay of less than nothing")
    }
}
