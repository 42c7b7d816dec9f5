import Basics

/// How the limit of a project holds up pushes to devices with Android (N10): the push service takes so many in a whole
/// minute and refuses the rest, which are sent again from the next minute on, in the order in which they came about.
///
/// The pushes of a part of a burst come evenly over its time. They are cut into pieces that one minute takes, each with
/// the instant before which it is refused.
struct LimitedSends: Sendable {
    struct Limit {
        /// Pushes that a whole minute takes, above 0.
        let perMinute: Double
        /// The end of the run: what would be taken later is not taken in it.
        let end: Instant
    }

    /// A part of a burst: its number, when its first push is sent and how long after it the last, in microseconds, and
    /// its pushes to devices with Android.
    struct Part {
        let number: Int
        let begin: Int64
        let length: Double
        let size: Double
    }

    /// The pushes of a part from a place on, up to where the next piece begins, that one minute takes.
    private struct Piece {
        let start: UInt64
        let from: Int64
    }

    /// By part, where its pieces begin, and the end of all; a part of which nothing is refused has none.
    private let firsts: [Int]
    private let pieces: [Piece]
    /// By part, how long sending all of it again takes, in microseconds.
    private let lengths: [UInt64]

    private static let minute = Duration.minutes(1).microseconds
    private static let places = 0x1p64

    /// - Parameters:
    ///   - parts: in the order in which they are sent.
    ///   - rate: pushes a second at which the server sends again; nil for all at once.
    /// - Returns: nil if nothing is refused.
    init?(_ parts: [Part], _ limit: Limit, rate: Double?) {
        precondition(limit.perMinute > 0, "a limit of \(limit.perMinute) pushes a minute")
        var byPart = [[Piece]](repeating: [], count: parts.count)
        var lengths = [UInt64](repeating: 0, count: parts.count)
        // Each step ends a part or a minute.
        var (now, used) = (Int64.min, 0.0)
        for part in parts where part.size > 0 {
            var (done, isHeld) = (0.0, false)
            var found: [Piece] = []
            while done < part.size {
                let comesAt = part.begin + Int64(part.length * (done / part.size))
                let minute = (comesAt >= 0 ? comesAt : comesAt - Self.minute + 1) / Self.minute
                if minute > now { (now, used) = (minute, 0) }
                if used >= limit.perMinute { (now, used) = (now + 1, 0) }
                let (start, end) = (now * Self.minute, (now + 1) * Self.minute)
                let isLate = start > comesAt
                isHeld = isHeld || isLate
                let place = UInt64(min(done / part.size * Self.places, Self.places.nextDown))
                if start >= limit.end.microseconds {
                    found.append(Piece(start: place, from: start))
                    break
                }
                found.append(Piece(start: place, from: isLate ? start : part.begin))
                let come =
                    part.length > 0 ? part.size * min(1, Double(end - part.begin) / part.length) : part.size
                let next = min(max(come, done), done + limit.perMinute - used)
                used += next - done
                // The rest of a minute may be less than the last digit of what is done.
                if next > done { done = next } else { (now, used) = (now + 1, 0) }
            }
            if isHeld { byPart[part.number] = found }
            if let rate { lengths[part.number] = Duration(seconds: min(part.size / rate, 1e9)).magnitude }
        }
        if byPart.allSatisfy(\.isEmpty) { return nil }
        firsts = byPart.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        pieces = byPart.flatMap { $0 }
        self.lengths = lengths
    }

    /// The instant before which a push is refused, in microseconds.
    ///
    /// - Parameter place: the device's in its part, even over 64 bits.
    func acceptedFrom(_ part: Int, _ place: UInt64) -> Int64 {
        var (low, high) = (firsts[part], firsts[part + 1])
        if low == high { return .min }
        // The last piece that does not begin beyond the place.
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].start <= place { low = middle } else { high = middle }
        }
        let piece = pieces[low]
        return piece.from + Int64(lengths[part].multipliedFullWidth(by: place - piece.start).high)
    }
}
