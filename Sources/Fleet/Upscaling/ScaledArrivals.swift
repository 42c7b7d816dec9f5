import Basics
import DeviceStorage
import Statistics

/// The reloads of many people from those of a sample: each stands for one of every person whom its own person stands
/// for, at a time of their own (`ArrivalBlocks`).
///
/// Person p of n stands for p, p + n, p + 2n … of the many. Copies come in the order of their times without being
/// stored: the next of k that lie evenly up to an instant is the smallest of k draws.
struct ScaledArrivals {
    let reloads: [SampledReload]
    private let sampled, people: Int
    private let seed: UInt64
    private var sources: [Source]
    /// By the beginning of their copies; those from `opened` on have not begun.
    private let order: [Int32]
    private var opened = 0
    private let queue = InstantQueue<DueSource>()

    private struct Source {
        /// When the next copy begins, once it is open; before, the earliest instant. The latest instant of all.
        var next, last: Int64
        var left: UInt32
        var isOpen = false
    }

    private struct DueSource: Timed {
        let dueAt: Instant
        let source: Int32
    }

    /// - Parameters:
    ///   - reloads: in the order of their instants.
    ///   - sampled: how many people they are of.
    ///   - people: how many these stand for.
    ///   - span: in which reloads begin.
    ///   - scale: of the gain that cuts a block.
    init(
        _ reloads: [SampledReload], sampled: Int, people: Int, in span: Range<Instant>, scale: Double, seed: UInt64
    ) {
        precondition(sampled > 0 && people >= sampled, "\(people) people of \(sampled)")
        self.reloads = reloads
        (self.sampled, self.people, self.seed) = (sampled, people, seed)
        // Where everybody stands for themselves nothing is moved.
        let blocks = people == sampled ? nil : ArrivalBlocks(reloads, in: span, scale: scale).blocks
        sources = reloads.indices.map { index in
            let at = reloads[index].sentAt.microseconds
            let block = blocks?[index] ?? (from: at, to: at)
            return Source(
                next: block.from, last: block.to,
                left: UInt32((people - Int(reloads[index].person) + sampled - 1) / sampled))
        }
        let firsts = sources.map(\.next)
        order = sources.indices.map(Int32.init).sorted { (firsts[Int($0)], $0) < (firsts[Int($1)], $1) }
    }

    /// Nothing begins before this instant; `never` if nothing does any more.
    var nextAt: Instant {
        min(queue.nextAt, opened < order.count ? Instant(microseconds: sources[Int(order[opened])].next) : .never)
    }

    /// Hands over what begins before an instant, in no order: the place of the reload in the sample, the number of the
    /// person whose it is, and when.
    mutating func take(before limit: Instant, _ begin: (_ reload: Int, _ person: UInt32, _ at: Instant) -> Void) {
        while opened < order.count, sources[Int(order[opened])].next < limit.microseconds {
            emit(order[opened], before: limit, begin)
            opened += 1
        }
        queue.take(before: limit) { due in waiting.append(due.source) }
        for source in waiting { emit(source, before: limit, begin) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// The sources of one call.
    private var waiting: [Int32] = []

    private mutating func emit(
        _ index: Int32, before limit: Instant, _ begin: (_ reload: Int, _ person: UInt32, _ at: Instant) -> Void
    ) {
        let reload = reloads[Int(index)]
        var source = sources[Int(index)]
        let draws = RandomStream(seed: seed, person: UInt64(reload.person), slot: reload.slot, purpose: .copyTime)
        let numbers = UInt64(UInt32(index)) << 24
        let copies = copies(of: reload)
        // Which of them comes first is another one with each reload.
        let turn = UInt32(RandomStream.index(draws.value(at: numbers), below: UInt64(copies)))
        func drawNext() {
            let length = source.last - source.next
            if length == 0 { return }
            // The smallest of k even draws in (0, 1) is 1 − u^(1/k).
            let u = RandomStream.uniform(draws.value(at: numbers | UInt64(source.left)))
            let part = 1 - DeterministicMath.exp(DeterministicMath.log(u) / Double(source.left))
            source.next += min(length, Int64(Double(length) * part))
        }
        if !source.isOpen {
            source.isOpen = true
            drawNext()
        }
        while source.left > 0 && source.next < limit.microseconds {
            var copy = copies - source.left + turn
            if copy >= copies { copy -= copies }
            begin(Int(index), reload.person + copy * UInt32(sampled), Instant(microseconds: source.next))
            source.left -= 1
            if source.left > 0 { drawNext() }
        }
        if source.left > 0 { queue.add(DueSource(dueAt: Instant(microseconds: source.next), source: index)) }
        sources[Int(index)] = source
    }

    /// For how many people the person of a reload stands.
    private func copies(of reload: SampledReload) -> UInt32 {
        UInt32((people - Int(reload.person) + sampled - 1) / sampled)
    }

    /// People for whom one of the sample stands, at most: their numbers are parts of the numbers of draws.
    package static let mostCopies = (1 << 24) - 1
}
