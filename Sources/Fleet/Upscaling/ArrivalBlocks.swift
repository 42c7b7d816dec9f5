import Basics
import Statistics

/// The blocks of time in which reloads of one sort begin at an even rate: those of a block are as likely anywhere in
/// it.
///
/// A block is cut in two at the instant where two rates fit better than one, if the logarithm of the likelihood of a
/// Poisson process gains enough (binary segmentation; Scargle, "Studies in astronomical time series analysis V", 1998,
/// calls the result Bayesian blocks). So blocks are long where the rate is steady and short where it changes, and the
/// front of a herd is the edge of one. Where the rate rises or falls gradually from a block to the next one, the edge
/// becomes a ramp (`Ramp`). Reloads of several people at one instant are a block of no length. Those of one person
/// at one instant, as of three widgets of a kind, are one event: they tell no more of the rate than one.
///
/// Reloads of several people that wait from one instant on, as after an aligned date, are in no block: when they begin
/// follows from a delay whose distribution is known (`KnownDelay`).
struct ArrivalBlocks {
    /// In the order of time for each sort, and the block of each reload, by the sample's order; nil for those that wait
    /// together.
    private(set) var blocks: [ArrivalBlock] = []
    private(set) var numbers: [Int32?]

    /// The gain that a cut needs between parts with many events of all.
    private static let leastGain = 3.0
    /// So much more it needs where the smaller part has as few events as these, and less the more it has.
    private static let gainOfFew = (gain: 7.0, events: 8.0)

    /// The gain that a cut needs, which grows with the number of parts as small as its smaller one, since chance has as
    /// many occasions. Once in eighty blocks of an even rate one is cut by chance (measured).
    private static func gainNeeded(of events: Double, smallest: Double) -> Double {
        leastGain + gainOfFew.gain * gainOfFew.events / max(gainOfFew.events, smallest)
            + DeterministicMath.log(events / max(1, smallest))
    }

    /// Microseconds. Longer blocks are cut in any case: people keep the time of the day at which they ask.
    private static let longest: Int64 = 30 * 60 * 1_000_000
    /// So many people at one instant are no chance.
    private static let leastTogether = 3
    /// A block with more is searched through in steps first, so that each step has so many.
    private static let steps = 2_048

    /// - Parameters:
    ///   - reloads: in the order of their instants.
    ///   - span: of the sample; no block lies outside.
    init(_ reloads: [SampledReload], in span: Range<Instant>) {
        var members: [UInt32: [Int32]] = [:]
        for index in reloads.indices { members[reloads[index].sort, default: []].append(Int32(index)) }
        numbers = Array(repeating: nil, count: reloads.count)
        let (first, last) = (span.lowerBound.microseconds, span.upperBound.microseconds)
        for sort in members.keys.sorted() {
            guard var indices = members[sort] else { continue }
            let together = Self.waitingTogether(indices.map { reloads[Int($0)] })
            indices.removeAll { reloads[Int($0)].delay.map { together.contains($0.from) } ?? false }
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
            var search = BlockSearch(times: events)
            for from in stride(from: first, to: last, by: Int(Self.longest)) {
                search.cut(from: from, to: min(from + Self.longest, last))
            }
            search.smoothEdges()
            var block = 0
            for (place, index) in zip(places, indices) {
                while search.found[block].members.upperBound <= place { block += 1 }
                numbers[Int(index)] = Int32(blocks.count + block)
            }
            blocks += search.found.map(\.block)
        }
    }

    /// The instants from which reloads of several people wait, all of one sort.
    private static func waitingTogether(_ reloads: [SampledReload]) -> Set<Instant> {
        var found: Set<Instant> = []
        let granted = reloads.compactMap { reload in reload.delay.map { (at: $0.from, person: reload.person) } }
            .sorted { $0 < $1 }
        var people = 0
        for (place, one) in granted.enumerated() {
            let before = place > 0 ? granted[place - 1] : nil
            people = before?.at != one.at ? 1 : before?.person == one.person ? people : people + 1
            if people == leastTogether { found.insert(one.at) }
        }
        return found
    }

    /// The search for the blocks of one sort.
    private struct BlockSearch {
        let times: [Int64]
        /// In the order of time, with the places of their events; empty ones, too.
        private(set) var found: [(members: Range<Int>, block: ArrivalBlock)] = []
        /// The place of the next event without a block.
        private var next = 0

        init(times: [Int64]) { self.times = times }

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
                    found.append((place..<after, ArrivalBlock(from: times[place], to: times[place])))
                    (from, since) = (times[place], after)
                }
                place = after
            }
            divide(since..<next, from: from, to: end)
        }

        private mutating func divide(_ members: Range<Int>, from begin: Int64, to end: Int64) {
            var open = [(members: members, from: begin, to: end)]
            while let block = open.popLast() {
                if let cut = bestCut(of: block.members, from: block.from, to: block.to) {
                    open.append((cut.place..<block.members.upperBound, cut.at, block.to))
                    open.append((block.members.lowerBound..<cut.place, block.from, cut.at))
                } else {
                    found.append((block.members, ArrivalBlock(from: block.from, to: block.to)))
                }
            }
        }

        /// Where a block is cut: the first place after it and the instant; nil if one rate is enough.
        private func bestCut(of members: Range<Int>, from begin: Int64, to end: Int64) -> (place: Int, at: Int64)? {
            let count = Double(members.count), length = Double(end - begin)
            if members.isEmpty || length <= 0 { return nil }
            var (best, bestPlace, bestAt) = (0.0, 0, Int64(0))
            /// A cut just before or after a reload.
            func tryCut(_ place: Int, at: Int64) {
                let before = Double(place - members.lowerBound), after = count - before
                let early = Double(at - begin), late = length - early
                if early <= 0 || late <= 0 { return }
                var gain = 0.0
                if before > 0 { gain += before * DeterministicMath.log(before * length / (count * early)) }
                if after > 0 { gain += after * DeterministicMath.log(after * length / (count * late)) }
                if gain <= best + ArrivalBlocks.leastGain { return }
                gain -= ArrivalBlocks.gainNeeded(of: Double(times.count), smallest: min(before, after))
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
            if best > 0 && step > 1 {
                search(max(members.lowerBound, bestPlace - step)..<min(members.upperBound, bestPlace + step), by: 1)
            }
            return best > 0 ? (bestPlace, bestAt) : nil
        }

        /// Makes ramps of the edges between blocks at which the rate can change gradually: as wide as the events near
        /// them allow.
        mutating func smoothEdges() {
            for place in found.indices.dropLast() {
                let (one, other) = (found[place], found[place + 1])
                if one.block.length == 0 || other.block.length == 0 { continue }
                if one.members.isEmpty && other.members.isEmpty { continue }
                let before = Double(one.members.count) / Double(one.block.length)
                let after = Double(other.members.count) / Double(other.block.length)
                let most = Double(min(one.block.length, other.block.length)) / 2
                if max(before, after) > Self.mostBetween * min(before, after) {
                    // The block with few events has none to give.
                    if before < after {
                        found[place + 1].block.begin = ramp(in: other, from: before / after) { $0 - other.block.from }
                    } else {
                        found[place].block.end = ramp(in: one, from: after / before) { one.block.to - $0 }
                    }
                } else if let width = widths(from: most).first(where: {
                    gain(of: one.members.lowerBound..<other.members.upperBound, at: other.block.from, before, after, $0)
                        > Self.leastGainBetween
                }) {
                    found[place].block.end = Ramp(width: width, level: (1 + after / before) / 2)
                    found[place + 1].block.begin = Ramp(width: width, level: (1 + before / after) / 2)
                }
            }
        }

        /// Rates that differ by a larger factor have no ramp between them, but one within the higher of the two.
        private static let mostBetween = 4.0
        /// A ramp between two may be somewhat less likely than the step, whose instant was chosen as the likeliest.
        private static let leastGainBetween = -3.0
        /// One within a block has to be likelier than an even rate.
        private static let leastGainWithin = 2.0

        /// Each half as long as the one before.
        private func widths(from longest: Double) -> [Double] { (0..<6).map { longest / Double(1 << $0) } }

        /// The gain of a ramp between two rates in the logarithm of the likelihood.
        private func gain(of events: Range<Int>, at edge: Int64, _ before: Double, _ after: Double, _ width: Double)
            -> Double
        {
            // The ramp has more on one side of the edge, and as much less on the other.
            var gain = 0.0
            for event in events {
                let at = Double(times[event] - edge)
                if at < -width { continue }
                if at >= width { break }
                let rate = (before + after + (after - before) * at / width) / 2
                gain += DeterministicMath.log(rate / (at < 0 ? before : after))
            }
            return gain
        }

        /// The likeliest ramp at one end of a block.
        ///
        /// - Parameter distance: of an instant from the end.
        private func ramp(
            in found: (members: Range<Int>, block: ArrivalBlock), from level: Double, distance: (Int64) -> Int64
        ) -> Ramp {
            var (best, ramp) = (Self.leastGainWithin, Ramp())
            let (events, length) = (found.members, Double(found.block.length))
            for width in widths(from: length / 2) {
                let wider = Ramp(width: width, level: level)
                let evenly = DeterministicMath.log(1 - (width - wider.mass) / length)
                var gain = 0.0
                for event in events {
                    let at = Double(distance(times[event]))
                    // The block ends at an event, which tells nothing.
                    if at <= 1 { continue }
                    gain += (at < width ? DeterministicMath.log(level + (1 - level) * at / width) : 0) - evenly
                }
                if gain > best { (best, ramp) = (gain, wider) }
            }
            return ramp
        }
    }
}
