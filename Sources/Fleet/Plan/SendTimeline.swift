import Basics

/// The work of a sender in a run: one push after another, each so long after the one before it as its rate says (O3).
///
/// Parts of bursts go out first come, first served. Of those to devices with Android the push service takes so many in
/// each of its minutes (N10). It refuses the others, which go out again from its next minute on, before anything newer.
struct SendTimeline {
    /// A part of a burst: when it comes about, and which of the burst's pushes it has.
    struct Part {
        let at: Int64
        let pushes: Range<Int>
        let mix: PlatformMix
    }

    /// Pushes that go out one after another from an instant on.
    struct Piece {
        let pushes: Range<Int>
        let at: Int64
    }

    /// A time without bursts, and how many pushes fit into those before it.
    struct Gap {
        let begin, end: Int64
        let before: Int
    }

    /// By part: the pieces that it is sent in.
    private(set) var pieces: [[Piece]]
    /// By part: what is sent again, by its number among the burst's pushes to Android.
    private(set) var again: [[Piece]]
    private(set) var gaps: [Gap] = []
    let pace: SendPace

    private let limit: ProjectLimit?
    private let end: Int64
    /// When the sender is free.
    private var now: Int64 = 0
    /// The pushes that were refused and have still to be sent again, in order, and from when on.
    private var refused: [(part: Int, pushes: Range<Int>)] = []
    private var done = 0
    private var againAt = Int64.max
    /// The minute of the push service, and what it has taken in it.
    private var minute = Int64.min
    private var taken = 0

    /// An instant after every run.
    static let late = Instant.never.microseconds / 2

    /// - Parameters:
    ///   - parts: in the order in which they come about.
    ///   - rate: pushes a second, above 0; nil if all are sent at once.
    ///   - limit: what the push service takes; nil for all.
    ///   - end: of the run; what the service would take later it does not take.
    init(_ parts: [Part], rate: Double?, _ limit: ProjectLimit?, end: Int64) {
        pieces = Array(repeating: [], count: parts.count)
        again = Array(repeating: [], count: parts.count)
        pace = SendPace(rate: rate)
        (self.limit, self.end) = (limit, end)
        for (number, part) in parts.enumerated() { send(part, number) }
        sendAgain(before: end)
        for (part, pushes) in refused[done...] { again[part].append(Piece(pushes: pushes, at: Self.late)) }
        begin(at: Self.late)
    }

    private mutating func send(_ part: Part, _ number: Int) {
        var next = part.pushes.lowerBound
        // The first push since the last interruption, and when it is sent.
        var origin: (push: Int, at: Int64)?
        while next < part.pushes.upperBound {
            let free = now
            sendAgain(before: max(now, part.at))
            if now != free { origin = nil }
            let (push, at) = origin ?? (next, max(now, part.at))
            begin(at: at)
            origin = (push, at)
            var upTo = part.pushes.upperBound
            if let limit, case let sentAt = max(now, at), sentAt < end {
                enter(limit.minute(of: sentAt))
                let fitting = pace.count(within: limit.start(of: minute + 1) - at)
                if fitting < upTo - push { upTo = max(next + 1, push + fitting) }
                take(part.mix.android(before: next)..<part.mix.android(before: upTo), of: number, limit)
            }
            if push < next { pieces[number].removeLast() }
            pieces[number].append(Piece(pushes: push..<upTo, at: at))
            now = max(now, min(at + pace.length(of: upTo - push), Self.late))
            next = upTo
        }
    }

    /// The push service takes as many of some pushes to Android as its minute still has room for.
    private mutating func take(_ pushes: Range<Int>, of part: Int, _ limit: ProjectLimit) {
        let accepted = min(pushes.count, max(0, limit.room(in: minute) - taken))
        taken += accepted
        if accepted == pushes.count { return }
        if done == refused.count { againAt = limit.start(of: minute + 1) }
        refused.append((part, pushes.lowerBound + accepted..<pushes.upperBound))
    }

    /// Sends again what was refused, as far as it is due before something newer.
    private mutating func sendAgain(before newer: Int64) {
        guard let limit else { return }
        while done < refused.count, case let begins = max(now, againAt), begins <= newer, begins < end {
            enter(limit.minute(of: begins))
            let minuteEnd = limit.start(of: minute + 1)
            var room = min(limit.room(in: minute) - taken, pace.count(within: minuteEnd - begins))
            if room <= 0 {
                againAt = minuteEnd
                continue
            }
            begin(at: begins)
            var sent = 0
            while room > 0 && done < refused.count {
                let (part, pushes) = refused[done]
                let count = min(room, pushes.count)
                let now = pushes.lowerBound..<pushes.lowerBound + count
                again[part].append(Piece(pushes: now, at: begins + pace.length(of: sent)))
                refused[done].pushes = now.upperBound..<pushes.upperBound
                if count == pushes.count { done += 1 }
                (room, sent, taken) = (room - count, sent + count, taken + count)
            }
            now = begins + pace.length(of: sent)
            againAt = minuteEnd
        }
    }

    private mutating func enter(_ minute: Int64) {
        if minute != self.minute { (self.minute, taken) = (minute, 0) }
    }

    /// The sender is idle until an instant.
    private mutating func begin(at instant: Int64) {
        if instant <= now || pace.isUnlimited { return }
        let before = gaps.last.map { $0.before + pace.whole(within: $0.end - $0.begin) } ?? 0
        gaps.append(Gap(begin: now, end: instant, before: before))
    }
}

/// The time from one push to the next.
struct SendPace {
    /// In microseconds; 0 if all are sent at once.
    private let spacing: Double

    init(rate: Double?) { spacing = rate.map { 1e6 / $0 } ?? 0 }

    var isUnlimited: Bool { spacing == 0 }

    /// Microseconds from a push to the one so many after it: rounded down to where it is counted, and rounded up.
    func offset(of pushes: Int) -> Int64 { min(Int64(cutting: Double(pushes) * spacing), SendTimeline.late) }
    func length(of pushes: Int) -> Int64 { Int64(cutting: (Double(pushes) * spacing).rounded(.up)) }

    /// The pushes that begin within so many microseconds, and those that are over by then.
    func count(within time: Int64) -> Int {
        isUnlimited ? .max : Int(cutting: (Double(time) / spacing).rounded(.up))
    }
    func whole(within time: Int64) -> Int { Int(cutting: Double(time) / spacing) }
}

/// How many messages to devices with Android the push service takes a minute (N10).
struct ProjectLimit {
    /// Above 0; what is less than a whole message is carried over.
    let perMinute: Double
    /// When a minute begins, after the start of one of the run.
    let phase: Int64

    private static let length = Duration.minutes(1).microseconds

    func minute(of instant: Int64) -> Int64 {
        let since = instant - phase
        return (since >= 0 ? since : since - Self.length + 1) / Self.length
    }

    func start(of minute: Int64) -> Int64 { minute * Self.length + phase }

    func room(in minute: Int64) -> Int {
        func sum(_ minutes: Int64) -> Double { (Double(minutes) * perMinute).rounded(.down) }
        return Int(cutting: sum(minute + 1) - sum(minute))
    }
}

/// How many pushes of a burst go to devices with Android and to others, each spread evenly over it.
struct PlatformMix: Sendable {
    let apple, android: Int

    var count: Int { apple + android }

    /// The pushes to Android among the first ones.
    func android(before pushes: Int) -> Int {
        android == 0 ? 0 : Int(Int128(pushes) * Int128(android) / Int128(count))
    }

    /// Where in the burst a push stands that has so many of its platform before it.
    func position(_ rank: Int, isAndroid: Bool) -> Int {
        let count = Int128(count)
        if isAndroid { return Int((Int128(rank + 1) * count - 1) / Int128(android)) }
        return Int(Int128(rank) * count / Int128(apple))
    }
}
