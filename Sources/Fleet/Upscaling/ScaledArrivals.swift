import Basics
import DeviceStorage
import Statistics

/// The reloads of many people from those of a sample, in the order of their times.
///
/// Person p of n stands for p, p + n, p + 2n … of the many. Each of these has a phase of their own, an even draw: their
/// reloads are those of p, moved round within the block of each (`ArrivalBlocks`) by that part of its length. So their
/// times are as likely anywhere in a block, and as far from each other as those of p: a rare symbol is asked for again
/// after as long. Reloads that wait from one instant on with those of other people, for the end of a jitter or for the
/// system, are moved round in the distribution of that delay.
struct ScaledArrivals {
    let reloads: [SampledReload]
    private let sampled, people: Int
    /// By the number of each reload's own; nil where nothing is moved, because everybody stands for themselves.
    private let blocks: ArrivalBlocks?
    private let delays: KnownDelays
    /// By reload without a block, the shares of its delay with which it begins in the span of the sample.
    private var shares: [Int32: Range<UInt64>] = [:]
    private let phases: CopyPhases
    /// By reload, when the first of its copies can begin.
    private var begins: [Instant]
    /// The reloads in the order of these; those from `opened` on have not begun.
    private var order: [Int32] = []
    private var opened = 0
    private let queue = RadixHeap<DueSource>()
    private var waiting: [Int32] = []
    /// By reload, how many of its copies have begun.
    private var begun: [UInt32]

    private struct DueSource: Timed {
        let dueAt: Instant
        let source: Int32
    }

    /// - Parameters:
    ///   - reloads: in the order of their instants.
    ///   - sampled: how many people they are of.
    ///   - people: how many these stand for.
    ///   - span: in which reloads begin.
    ///   - delays: the distributions of known delays.
    init(
        _ reloads: [SampledReload], sampled: Int, people: Int, in span: Range<Instant>, seed: UInt64,
        delays: KnownDelays
    ) {
        precondition(sampled > 0 && people >= sampled, "\(people) people of \(sampled)")
        self.reloads = reloads
        (self.sampled, self.people, self.delays) = (sampled, people, delays)
        blocks = people == sampled ? nil : ArrivalBlocks(reloads, in: span)
        phases = CopyPhases(sampled: sampled, people: people, seed: seed)
        begun = Array(repeating: 0, count: reloads.count)
        begins = []
        for index in reloads.indices where blocks != nil && blocks?.numbers[index] == nil {
            guard let delay = reloads[index].delay else { continue }
            let later = reloads[index].timeToRequest(after: delay)
            let first = delay.share(before: span.lowerBound - later, delays[delay])
            let last = delay.share(before: span.upperBound - later, delays[delay])
            shares[Int32(index)] = first..<max(first + 1, last)
        }
        begins = reloads.indices.map { instant(of: Int32($0), at: 0) }
        order = reloads.indices.map(Int32.init).sorted { (begins[Int($0)], $0) < (begins[Int($1)], $1) }
    }

    /// Nothing begins before this instant; `never` if nothing does any more.
    var nextAt: Instant { min(queue.nextAt, opened < order.count ? begins[Int(order[opened])] : .never) }

    /// Hands over what begins before an instant, in no order: the place of the reload in the sample, the number of the
    /// person whose it is, and when.
    mutating func take(before limit: Instant, _ begin: (_ reload: Int, _ person: UInt32, _ at: Instant) -> Void) {
        while opened < order.count, begins[Int(order[opened])] < limit {
            emit(order[opened], before: limit, begin)
            opened += 1
        }
        queue.take(before: limit) { waiting.append($0.source) }
        for source in waiting { emit(source, before: limit, begin) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// The place of a reload among its copies in the order of time, in parts of 2³²; nil if all begin at once.
    private func place(of index: Int32) -> UInt64? {
        let reload = reloads[Int(index)]
        guard let blocks else { return nil }
        if let number = blocks.numbers[Int(index)] {
            let block = blocks.blocks[Int(number)]
            return block.length == 0 ? nil : block.part(at: reload.sentAt.microseconds)
        }
        guard let delay = reload.delay, let shares = shares[index] else { return nil }
        let passed = min(max(UInt64(delay.shorter), shares.lowerBound), shares.upperBound - 1) - shares.lowerBound
        return (passed << 32) / UInt64(shares.count)
    }

    /// The instant at which the copy at a place begins.
    private func instant(of index: Int32, at place: UInt64) -> Instant {
        let reload = reloads[Int(index)]
        guard let blocks else { return reload.sentAt }
        if let number = blocks.numbers[Int(index)] {
            return Instant(microseconds: blocks.blocks[Int(number)].instant(at: place))
        }
        guard let delay = reload.delay, let shares = shares[index] else { return reload.sentAt }
        let shorter = shares.lowerBound + (place * UInt64(shares.count)) >> 32
        return delay.from + delay.delay(at: shorter, delays[delay]) + reload.timeToRequest(after: delay)
    }

    private mutating func emit(
        _ index: Int32, before limit: Instant, _ begin: (_ reload: Int, _ person: UInt32, _ at: Instant) -> Void
    ) {
        let person = reloads[Int(index)].person
        let own = phases[Int(person)]
        let place = place(of: index) ?? 0
        // Those come first whom their phase leads over the last part.
        let first = place == 0 ? 0 : own.firstPlace(from: (1 << 32) - place)
        var count = Int(begun[Int(index)])
        while count < own.count {
            let copy = first + count < own.count ? first + count : first + count - own.count
            let part = (place + UInt64(own[copy])) & 0xffff_ffff
            let at = instant(of: index, at: part)
            if at >= limit {
                queue.add(DueSource(dueAt: at, source: index))
                break
            }
            begin(Int(index), person + UInt32(copy) * UInt32(sampled), at)
            count += 1
        }
        begun[Int(index)] = UInt32(count)
    }
}

/// The distributions of the delays that are known.
struct KnownDelays {
    /// Between grant and run.
    let system: DurationDistribution
    /// By kind of widget.
    let jitters: [DurationDistribution?]

    subscript(delay: KnownDelay) -> DurationDistribution {
        switch delay.cause {
        case .system: return system
        case .jitter(let kind):
            guard let jitter = jitters[Int(kind)] else { preconditionFailure("a jitter of a kind without one") }
            return jitter
        }
    }
}
