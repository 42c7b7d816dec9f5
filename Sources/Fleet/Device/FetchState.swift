import Basics
import DeviceStorage
import RefreshService
import Statistics

/// The background fetches of an app on one device (B8).
struct FetchState: BitwiseCopyable {
    /// The next fetch; `never` if the app does not fetch here.
    private(set) var at: Instant = .never
    /// How many came before it.
    private(set) var number: UInt64 = 0
    private var isPresent = false
    private var lastAt: Instant = .longAgo
    private var answer = FetchAnswer()
    private var habit = UseHabit()

    /// Sets the first fetch, if the app fetches on this device.
    mutating func begin(_ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams, at now: Instant) {
        if plan.pointee.isPresent.holds(streams.number(.fetchPresence, sub: plan.pointee.app)) {
            isPresent = true
            find(plan, streams, at: now)
        }
    }

    /// The person opens the app, on which the fetches of the next day depend.
    mutating func follow(opening now: Instant, _ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams) {
        guard isPresent, plan.pointee.followsUse else { return }
        habit.note(opening: now)
        if at == .never { find(plan, streams, at: now) }
    }

    /// A fetch is over, and the next one comes: none overtakes the one before it.
    mutating func advance(_ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams, at now: Instant) {
        number += 1
        lastAt = now
        find(plan, streams, at: now)
    }

    private mutating func find(_ plan: UnsafePointer<PreparedFetch>, _ streams: RandomStreams, at now: Instant) {
        let (app, every) = (plan.pointee.app, plan.pointee.every)
        let delay = plan.pointee.spread.draw(streams.number(.fetchDelay, sub: app, at: number))
        if plan.pointee.followsUse {
            let due = habit.next(after: now, notBefore: lastAt == .longAgo ? now : lastAt + every)
            at = due == .never ? due : max(now, due + delay)
            return
        }
        var due = every.microseconds * Int64(number)
        if !plan.pointee.isAligned {
            due += Int64(RandomStream.index(streams.number(.fetchPhase, sub: app), below: every.magnitude))
        }
        at = max(now, .start + Duration(microseconds: due) + delay)
    }

    // The answer to the latest fetch, for content that the app publishes (C6).

    /// The earliest instant at which the answer can come, while it is not known; nil otherwise.
    var answerEndsFrom: Instant? { answer.tries.undecided > 0 ? answer.endsFrom : nil }
    /// When the answer comes, or the fetch is given up; `never` for neither.
    var nextAnswerAt: Instant { answer.tries.undecided > 0 ? answer.deadline : answer.at }

    /// All of a fetch comes at an instant.
    mutating func expectAnswer(at instant: Instant, madeAt: Instant) {
        answer = FetchAnswer(at: instant, madeAt: madeAt)
    }

    /// A service decides on its requests.
    ///
    /// - Parameter first: the number of the first of them.
    mutating func awaitAnswer(_ requests: Int, first: UInt32, endsFrom: Instant, deadline: Instant) {
        answer = FetchAnswer(endsFrom: endsFrom, deadline: deadline)
        answer.tries.send(requests, first: first, endsFrom: endsFrom, deadline: deadline)
    }

    /// One that has failed, or does not stand for anything that is published.
    mutating func awaitNothing() { answer = FetchAnswer() }

    /// The service has decided on a request.
    mutating func receive(_ heard: ServiceAnswer, requests: Int) {
        var heard = heard
        // One that comes after the client has given up, though the service was at it, is none (B8).
        if heard.at > answer.deadline { heard.isError = true }
        let hearing = answer.tries.receive(heard, requests: requests, heedsRetryAfter: false)
        if hearing == .allAnswers && answer.tries.ending == .ok {
            (answer.at, answer.madeAt) = (answer.tries.answeredAt, answer.tries.madeAt)
        }
    }

    /// When the origin made what has come by an instant; nil for nothing. A fetch that is given up brings nothing.
    mutating func takeAnswer(at now: Instant) -> Instant? {
        if nextAnswerAt > now { return nil }
        defer { answer = FetchAnswer() }
        return answer.tries.undecided == 0 ? answer.madeAt : nil
    }

    /// - Parameter isRead: whether a widget's content comes of its answers.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, isRead: Bool, followsUse: Bool) {
        coder.code(&at)
        coder.code(&number)
        if isRead { answer.code(&coder) }
        if followsUse {
            coder.code(&isPresent)
            coder.code(&lastAt)
            habit.code(&coder)
        }
    }
}

/// The half hours of a day in which the person opens an app: the system expects the next opening a day later (B8).
private struct UseHabit: BitwiseCopyable {
    private static let length = Duration.minutes(30)
    private static let count: Int64 = 48

    /// Half hours with an opening, on days of the run that are even and odd: bit 0 is the first half hour.
    private var even: UInt64 = 0
    private var odd: UInt64 = 0
    /// The day of the run up to which they are kept.
    private var day: Int64 = 0

    private static func halfHour(_ instant: Instant) -> Int64 {
        let (quotient, remainder) = (instant - .start).microseconds.quotientAndRemainder(
            dividingBy: length.microseconds)
        return remainder < 0 ? quotient - 1 : quotient
    }

    mutating func note(opening now: Instant) {
        let number = Self.halfHour(now)
        keep(upTo: number / Self.count)
        set(number / Self.count, bits(of: number / Self.count) | 1 << UInt64(number % Self.count))
    }

    /// The beginning of the next half hour in which an opening is expected; `never` if none is known.
    mutating func next(after now: Instant, notBefore least: Instant) -> Instant {
        let present = Self.halfHour(now)
        keep(upTo: present / Self.count)
        for number in present + 1...present + Self.count
        where bits(of: number / Self.count - 1) >> UInt64(number % Self.count) & 1 == 1 {
            let begin = Instant.start + Self.length * number
            if begin >= least { return begin }
        }
        return .never
    }

    /// Forgets what lies two days back.
    private mutating func keep(upTo present: Int64) {
        if present > day + 1 { (even, odd) = (0, 0) } else if present == day + 1 { set(present, 0) }
        day = max(day, present)
    }

    private func bits(of day: Int64) -> UInt64 {
        day < 0 || day < self.day - 1 || day > self.day ? 0 : day & 1 == 0 ? even : odd
    }

    private mutating func set(_ day: Int64, _ bits: UInt64) { if day & 1 == 0 { even = bits } else { odd = bits } }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&even)
        coder.code(&odd)
        coder.code(&day)
        if Coder.isChecked, !coder.holds((0...100_000).contains(day), "openings of no day of the run") { day = 0 }
    }
}

/// The answer to a background fetch that is under way, or has still to come.
private struct FetchAnswer: BitwiseCopyable {
    /// When all of it has come, and when the origin made it; `never` while that is not known.
    var at: Instant = .never
    var madeAt: Instant = .longAgo
    var tries = ClientTries()
    var endsFrom: Instant = .never
    /// When the client gives the fetch up.
    var deadline: Instant = .never

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        var isThere = tries.undecided > 0 || at < .never
        coder.code(&isThere)
        if !isThere {
            if Coder.isReading { self = FetchAnswer() }
            return
        }
        coder.code(&at)
        coder.code(&madeAt)
        tries.code(&coder)
        coder.code(&endsFrom)
        coder.code(&deadline)
        if Coder.isChecked {
            _ = coder.holds(tries.undecided == 0 || at == .never, "a fetch that is answered and waits")
        }
    }
}

/// The background fetches of the apps on a device, by their plans in its segment.
struct DeviceFetches {
    let plans: UnsafeBufferPointer<PreparedFetch>
    private(set) var states: UnsafeMutablePointer<FetchState>

    var count: Int { plans.count }

    init(_ plans: UnsafeBufferPointer<PreparedFetch>, _ memory: DeviceMemory) {
        (self.plans, states) = (plans, memory.fetches)
        for fetch in 0..<count { states[fetch] = FetchState() }
    }

    mutating func adopt(_ memory: DeviceMemory) { states = memory.fetches }

    /// Whether a service has still to decide on one.
    var awaitsAnswer: Bool {
        for fetch in 0..<count where states[fetch].answerEndsFrom != nil { return true }
        return false
    }

    /// The earliest of them, and of their answers.
    var nextAt: Instant {
        mutating get {
            var next = Instant.never
            for fetch in 0..<count { next = min(next, min(states[fetch].at, states[fetch].nextAnswerAt)) }
            return next
        }
    }
}
