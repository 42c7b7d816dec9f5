/// The mean of windows of a width that begin next to one another.
struct WindowMean {
    /// Where the first begins, in tenths of a second, and how many of them there are.
    let start, covering: Int
    /// The number of the piece in which it begins, among those with a common error.
    let group: Int
    /// Whether all lie in one piece of the mean function, so that they are alike.
    let isInside: Bool
    /// The requests of a window.
    let mean: Double
    /// How many requests enter and leave as a window slides, as a share of those of an even load: no window rises above
    /// the one before while none enters, as where a window holds a whole herd.
    let exchange: Double
}

/// How many requests the windows of a place have, by those who did not choose the place.
struct CountedMean {
    /// The mean of a window, and the requests by which it is known.
    let mean, requests: Double
    /// By how much the highest window stands above their mean, as a share, by those who chose.
    let gap: Double
}

extension MeanLoad {
    /// Calls `body` with windows of so many tenths that begin in a span, in ascending order. Those that lie in one
    /// piece are alike; others are taken a sixteenth of their width apart.
    @inline(__always)
    func forEachWindow(of tenths: Int, from starts: Range<Int>, _ body: (WindowMean) -> Void) {
        var number = place(of: starts.lowerBound)
        // The piece in which a window ends, as windows slide.
        var last = number
        pieces.withUnsafeBufferPointer { pieces in
            while number < pieces.count, pieces[number].from < starts.upperBound {
                let piece = pieces[number]
                let bound = min(piece.to, starts.upperBound)
                var start = max(piece.from, starts.lowerBound)
                while start < bound {
                    let end = start + tenths
                    let isInside = end <= piece.to
                    let covering = min(isInside ? piece.to - end + 1 : max(1, tenths / 16), bound - start)
                    if last < number { last = number }
                    while last + 1 < pieces.count, pieces[last + 1].from < end { last += 1 }
                    let mean =
                        isInside
                        ? Double(tenths) * piece.rate : pieces[last].mean(before: end) - piece.mean(before: start)
                    let even = mean / Double(tenths)
                    body(
                        WindowMean(
                            start: start, covering: covering, group: piece.group, isInside: isInside, mean: mean,
                            exchange: min(1, min(piece.rate, pieces[last].rate) / even)))
                    start += covering
                }
                number += 1
            }
        }
    }

    /// The standard error of the mean of a window: errors within a group add up, those of groups are independent.
    func error(of window: WindowMean, tenths: Int) -> Double {
        let (start, end) = (window.start, window.start + tenths)
        var (variance, error, group) = (0.0, 0.0, window.group)
        for piece in pieces[place(of: start)...] {
            if piece.from >= end { break }
            if piece.group != group {
                variance += error * error
                (error, group) = (0, piece.group)
            }
            error += Double(min(end, piece.to) - max(start, piece.from)) * piece.error
        }
        return (variance + error * error).squareRoot()
    }

    /// The place of the piece in which a tenth lies.
    private func place(of tenth: Int) -> Int {
        var (number, end) = (0, pieces.count)
        while end - number > 1 {
            let middle = (number + end) / 2
            if pieces[middle].from <= tenth { number = middle } else { end = middle }
        }
        return number
    }

    /// The windows that begin in a span and whose mean is the largest, or is not known to be lower; counted in a half
    /// of the people. Nil where no window has a request.
    func highest(of tenths: Int, from starts: Range<Int>, countedIn sums: RequestSums, half: Int) -> CountedMean? {
        var highest: WindowMean?
        forEachWindow(of: tenths, from: starts) { if $0.mean > highest?.mean ?? 0 { highest = $0 } }
        guard let top = highest else { return nil }
        let topError = error(of: top, tenths: tenths)
        let farthest = 1.5 * topError
        var (counted, own, weight, requests, last) = (0.0, 0.0, 0.0, 0.0, 0)
        forEachWindow(of: tenths, from: starts) { window in
            if top.mean - window.mean > farthest { return }
            // Two windows that overlap differ by chance in what they do not share.
            let apart = min(1, (Double(window.start - top.start) / Double(tenths)).magnitude)
            if top.mean - window.mean > topError * (2 * apart).squareRoot() { return }
            let end = window.start + window.covering - 1 + tenths
            let covering = Double(window.covering)
            let to = window.isInside ? end : window.start + tenths
            counted +=
                Double(sums.requests(half, from: window.start, to: to)) * Double(tenths) / Double(to - window.start)
                * covering
            own += window.mean * covering
            weight += covering
            requests += Double(sums.requests(half, from: max(last, window.start), to: max(last, end)))
            last = max(last, end)
        }
        return CountedMean(mean: counted / weight, requests: requests, gap: top.mean * weight / own - 1)
    }
}

/// The requests between tenths of both halves of a load, with those of each minute that was asked for.
final class RequestSums {
    private let whole: DrawnLoad
    private let halves: DrawnLoad.Halves
    /// The requests of each half before each minute.
    private let ofMinutes: [[Int64]]
    /// By minute, the requests before each of its tenths, those of one half after those of the other; none before it
    /// was asked for.
    private var sums: [[UInt32]]

    init(_ whole: DrawnLoad, _ halves: DrawnLoad.Halves) {
        (self.whole, self.halves) = (whole, halves)
        ofMinutes = halves.loads.map { half in
            (0...whole.minutes).map { half.load.requests(ofMinutes: 0, $0) }
        }
        sums = Array(repeating: [], count: whole.minutes)
    }

    /// Those of a half from one tenth to before another.
    func requests(_ half: Int, from: Int, to: Int) -> Int64 { from < to ? before(half, to) - before(half, from) : 0 }

    private func before(_ half: Int, _ tenth: Int) -> Int64 {
        let (minute, place) = tenth.quotientAndRemainder(dividingBy: LoadCurve.tenthsPerMinute)
        let before = ofMinutes[half][minute]
        if place == 0 || ofMinutes[half][minute + 1] == before { return before }
        if sums[minute].isEmpty { sums[minute] = sums(ofMinute: minute) }
        return before + Int64(sums[minute][half * LoadCurve.tenthsPerMinute + place])
    }

    private func sums(ofMinute minute: Int) -> [UInt32] {
        var sums: [UInt32] = []
        sums.reserveCapacity(2 * LoadCurve.tenthsPerMinute)
        for tenths in halves.tenths(of: whole.tenths(ofMinute: minute), minute: minute) {
            let first = sums.count
            var sum: UInt32 = 0
            for one in tenths {
                sums.append(contentsOf: repeatElement(sum, count: first + one.tenth + 1 - sums.count))
                sum += UInt32(one.requests)
            }
            let end = first + LoadCurve.tenthsPerMinute
            sums.append(contentsOf: repeatElement(sum, count: end - sums.count))
        }
        return sums
    }
}
