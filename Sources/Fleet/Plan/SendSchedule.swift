import Basics

/// When a server that sends at a limited rate comes to each push (O3).
///
/// Pushes of one sort that many devices get at one time are a burst. The server sends one burst after another, each at
/// its rate. Between bursts it goes round: each device has a place of its own in a round, for what comes about for it
/// alone. No two pushes have one place, so no window holds more than the rate allows.
final class SendSchedule: Sendable {
    struct Burst {
        let at: Instant
        var mix = PlatformMix(apple: 0, android: 0)
    }

    /// When a push goes out, and, if the push service refuses it then, when it goes out again (N10).
    struct Sending: Equatable {
        let first: Instant
        var again: Instant?
    }

    private let waves: Int
    /// Where the bursts of each sort begin, and the end of all.
    private let firsts: [Int]
    /// By burst: when it comes about, in microseconds, in order within its sort, and its pushes.
    private let instants: [Int64]
    private let mixes: [PlatformMix]
    /// By burst and wave, where its pieces begin, and the end of all; the same of what is sent again.
    private let firstPieces, firstAgain: [Int]
    private let pieces, again: [SendTimeline.Piece]
    private let gaps: [SendTimeline.Gap]
    private let pace: SendPace
    /// The places of a round.
    private let roundLength: Int64

    /// - Parameters:
    ///   - sorts: the bursts of each sort of push, in order of time. Each goes out in `waves` equal parts, `gap` apart.
    ///   - rate: pushes a second, above 0; nil if all are sent at once.
    ///   - limit: how many of those to devices with Android the push service takes; nil for all.
    ///   - roundLength: how many devices have a place in a round.
    ///   - end: of the run.
    init(
        _ sorts: [[Burst]], waves: Int, gap: Duration, rate: Double?, limit: ProjectLimit? = nil, roundLength: Int = 0,
        end: Instant
    ) {
        self.waves = waves
        self.roundLength = Int64(roundLength)
        firsts = sorts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        let bursts = sorts.flatMap { $0 }
        instants = bursts.map(\.at.microseconds)
        mixes = bursts.map(\.mix)
        let parts = bursts.flatMap { burst in
            (0..<waves).map { wave in
                SendTimeline.Part(
                    at: burst.at.microseconds + Int64(wave) * gap.microseconds,
                    pushes: burst.mix.count * wave / waves..<burst.mix.count * (wave + 1) / waves, mix: burst.mix)
            }
        }
        let order = parts.indices.sorted { (parts[$0].at, $0) < (parts[$1].at, $1) }
        // A server that sends no faster than the limit never meets it.
        let isLimited =
            limit.map { rate ?? .infinity > $0.perMinute / 60 && bursts.contains { $0.mix.android > 0 } } ?? false
        let timeline = SendTimeline(
            order.map { parts[$0] }, rate: rate, isLimited ? limit : nil, end: end.microseconds)
        var (ordered, orderedAgain): ([[SendTimeline.Piece]], [[SendTimeline.Piece]]) = (
            timeline.pieces, timeline.again
        )
        for (place, part) in order.enumerated() {
            (ordered[part], orderedAgain[part]) = (timeline.pieces[place], timeline.again[place])
        }
        func starts(of pieces: [[SendTimeline.Piece]]) -> [Int] {
            pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        }
        (firstPieces, firstAgain) = (starts(of: ordered), starts(of: orderedAgain))
        (pieces, again) = (ordered.flatMap { $0 }, orderedAgain.flatMap { $0 })
        (gaps, pace) = (timeline.gaps, timeline.pace)
    }

    /// The number of a sort's first burst; the others follow in their order.
    func firstBurst(ofClass sort: Int) -> Int { firsts[sort] }

    func hasBursts(ofClass sort: Int) -> Bool { firsts[sort] < firsts[sort + 1] }

    /// The burst of a sort that comes about at an instant; nil if there is none.
    func burst(ofClass sort: Int, at instant: Instant) -> Int? {
        var (low, high) = (firsts[sort], firsts[sort + 1])
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < instant.microseconds { low = middle + 1 } else { high = middle }
        }
        return low < firsts[sort + 1] && instants[low] == instant.microseconds ? low : nil
    }

    /// When a push of a burst is sent.
    ///
    /// - Parameter rank: its number among those of the burst to its platform; a burst whose pushes are not counted goes
    ///   out at once.
    func sending(_ burst: Int, rank: Int, isAndroid: Bool = false) -> Sending {
        let mix = mixes[burst]
        if mix.count == 0 { return Sending(first: Instant(microseconds: instants[burst])) }
        let position = mix.position(rank, isAndroid: isAndroid)
        let part = burst * waves + ((position + 1) * waves - 1) / mix.count
        guard let first = instant(of: position, pieces, firstPieces[part]..<firstPieces[part + 1]) else {
            preconditionFailure("push \(rank) of a burst of \(mix)")
        }
        if !isAndroid { return Sending(first: first) }
        return Sending(first: first, again: instant(of: rank, again, firstAgain[part]..<firstAgain[part + 1]))
    }

    private func instant(of push: Int, _ pieces: [SendTimeline.Piece], _ range: Range<Int>) -> Instant? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].pushes.upperBound <= push { low = middle + 1 } else { high = middle }
        }
        guard low < range.upperBound, pieces[low].pushes.contains(push) else { return nil }
        return Instant(microseconds: pieces[low].at + pace.offset(of: push - pieces[low].pushes.lowerBound))
    }

    /// The next place of a device in the rounds between bursts.
    ///
    /// - Parameters:
    ///   - address: the device's number in a round.
    ///   - instant: before which the push is not sent.
    ///   - last: the place that the device has used last, which becomes this one; below 0 for none.
    func placeInRound(of address: Int, from instant: Instant, after last: inout Int64) -> Instant {
        if pace.isUnlimited || roundLength == 0 { return instant }
        // The last gap that begins by then; the schedule ends in one.
        var low = gap { $0.begin <= instant.microseconds }
        let since = max(0, min(instant.microseconds, gaps[low].end) - gaps[low].begin)
        var place = Int64(gaps[low].before + pace.count(within: since))
        if low + 1 < gaps.count { place = min(place, Int64(gaps[low + 1].before)) }
        place = max(place, last + 1)
        let behind = (Int64(address) - place) % roundLength
        place += behind < 0 ? behind + roundLength : behind
        last = place
        low = gap { Int64($0.before) <= place }
        return max(instant, Instant(microseconds: gaps[low].begin + pace.offset(of: Int(place) - gaps[low].before)))
    }

    /// The last gap that a condition holds for, which holds for all before it; the first if it holds for none.
    private func gap(where holds: (SendTimeline.Gap) -> Bool) -> Int {
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(gaps[middle]) { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
