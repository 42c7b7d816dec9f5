import Basics
import Statistics

/// The blocks of time in which reloads of one sort begin at an even rate: those of a block are as likely anywhere in
/// it.
///
/// A block is cut in two at the instant where two rates fit better than one, if the logarithm of the likelihood of a
/// Poisson process gains enough (binary segmentation; Scargle, "Studies in astronomical time series analysis V", 1998,
/// calls the result Bayesian blocks). So blocks are long where the rate is steady and short where it changes, and the
/// front of a herd is the edge of one. What several people ask for at one instant is a block of no length. Reloads of
/// one person at one instant, as of three widgets of a kind, are one event: they tell no more of the rate than one.
struct ArrivalBlocks {
    /// Microseconds: the beginning and the end of each reload's block, by the sample's order.
    private(set) var blocks: [(from: Int64, to: Int64)]

    /// Once in some thousand blocks of an even rate one is cut by chance (measured).
    private static let leastGain = 10.0
    /// Microseconds. Longer blocks are cut in any case: people keep the time of the day at which they ask.
    private static let longest: Int64 = 30 * 60 * 1_000_000
    /// So many people at one instant are no chance.
    private static let leastTogether = 3
    /// A block with more is searched through in steps first, so that each step has so many.
    private static let steps = 2_048

    /// - Parameters:
    ///   - reloads: in the order of their instants.
    ///   - span: of the sample; no block lies outside.
    ///   - scale: the least gain is so many times as large; blocks are longer above 1.
    init(_ reloads: [SampledReload], in span: Range<Instant>, scale: Double) {
        var members: [UInt32: [Int32]] = [:]
        for index in reloads.indices { members[reloads[index].sort, default: []].append(Int32(index)) }
        blocks = Array(repeating: (0, 0), count: reloads.count)
        let (first, last) = (span.lowerBound.microseconds, span.upperBound.microseconds)
        for sort in members.keys.sorted() {
            guard let indices = members[sort] else { continue }
            // By reload of the sort, the place of its event.
            var (events, places): ([Int64], [Int]) = ([], [])
            var before: SampledReload?
            for index in indices {
                let reload = reloads[Int(index)]
                if before?.sentAt != reload.sentAt || before?.person != reload.person {
                    events.append(reload.sentAt.microseconds)
                }
                places.append(events.count - 1)
                before = reload
            }
            var search = BlockSearch(times: events, leastGain: Self.leastGain * scale)
            for from in stride(from: first, to: last, by: Int(Self.longest)) {
                search.cut(from: from, to: min(from + Self.longest, last))
            }
            for (place, index) in zip(places, indices) { blocks[Int(index)] = search.blocks[place] }
        }
    }

    /// The search for the blocks of one sort.
    private struct BlockSearch {
        let times: [Int64]
        let leastGain: Double
        private(set) var blocks: [(from: Int64, to: Int64)]
        /// The place of the next event without a block.
        private var next = 0

        init(times: [Int64], leastGain: Double) {
            (self.times, self.leastGain) = (times, leastGain)
            blocks = Array(repeating: (0, 0), count: times.count)
        }

        /// Finds the blocks of the next span of time.
        mutating func cut(from begin: Int64, to end: Int64) {
            let first = next
            while next < times.count && times[next] < end { next += 1 }
            // Reloads that begin together lie between blocks.
            var (place, from, since) = (first, begin, first)
            while place < next {
                var after = place + 1
                while after < next && times[after] == times[place] { after += 1 }
                if after - place >= ArrivalBlocks.leastTogether {
                    divide(since..<place, from: from, to: times[place])
                    for member in place..<after { blocks[member] = (times[place], times[place]) }
                    (from, since) = (times[place], after)
                }
                place = after
            }
            divide(since..<next, from: from, to: end)
        }

        private mutating func divide(_ members: Range<Int>, from begin: Int64, to end: Int64) {
            var open = [(members: members, from: begin, to: end)]
            while let block = open.popLast() {
                if block.members.isEmpty { continue }
                if let cut = bestCut(of: block.members, from: block.from, to: block.to) {
                    open.append((block.members.lowerBound..<cut.place, block.from, cut.at))
                    open.append((cut.place..<block.members.upperBound, cut.at, block.to))
                } else {
                    for member in block.members { blocks[member] = (block.from, block.to) }
                }
            }
        }

        /// Where a block is cut: the first place after it and the instant; nil if one rate is enough.
        private func bestCut(of members: Range<Int>, from begin: Int64, to end: Int64) -> (place: Int, at: Int64)? {
            let count = Double(members.count), length = Double(end - begin)
            if length <= 0 { return nil }
            var (best, bestPlace, bestAt) = (leastGain, 0, Int64(0))
            /// A cut just before or after a reload.
            func tryCut(_ place: Int, at: Int64) {
                let before = Double(place - members.lowerBound), after = count - before
                let early = Double(at - begin), late = length - early
                if early <= 0 || late <= 0 { return }
                var gain = 0.0
                if before > 0 { gain += before * DeterministicMath.log(before * length / (count * early)) }
                if after > 0 { gain += after * DeterministicMath.log(after * length / (count * late)) }
                if gain > best { (best, bestPlace, bestAt) = (gain, place, at) }
            }
            func search(_ places: Range<Int>, by step: Int) {
                for place in stride(from: places.lowerBound, to: places.upperBound, by: step) {
                    tryCut(place, at: times[place])
                    tryCut(place + 1, at: times[place])
                }
            }
            let step = max(1, members.count / ArrivalBlocks.steps)
            search(members, by: step)
            if best > leastGain && step > 1 {
                search(max(members.lowerBound, bestPlace - step)..<min(members.upperBound, bestPlace + step), by: 1)
            }
            return best > leastGain ? (bestPlace, bestAt) : nil
        }
    }
}
