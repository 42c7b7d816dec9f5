import Basics
import DeviceStorage

/// The reloads of many people from those of a sample, in the order of their times.
///
/// Person p of n stands for p, p + n, p + 2n … of the many. Each of these has a phase of their own, an even draw: their
/// reloads are those of p, moved round within the block of each (`ArrivalBlocks`) by that part of its length. So their
/// times are as likely anywhere in a block, and as far from each other as those of p: a rare symbol is asked for again
/// after as long.
struct ScaledArrivals {
    let reloads: [SampledReload]
    private let sampled, people: Int
    /// By the number of each reload's own; nil where nothing is moved, because everybody stands for themselves.
    private let blocks: ArrivalBlocks?
    private let phases: CopyPhases
    /// The reloads by the beginning of their copies; those from `opened` on have not begun.
    private let order: [Int32]
    private var opened = 0
    private let queue = InstantQueue<DueSource>()
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
    ///   - scale: of the gain that cuts a block.
    init(
        _ reloads: [SampledReload], sampled: Int, people: Int, in span: Range<Instant>, scale: Double, seed: UInt64
    ) {
        precondition(sampled > 0 && people >= sampled, "\(people) people of \(sampled)")
        self.reloads = reloads
        (self.sampled, self.people) = (sampled, people)
        let blocks = people == sampled ? nil : ArrivalBlocks(reloads, in: span, scale: scale)
        self.blocks = blocks
        phases = CopyPhases(sampled: sampled, people: people, seed: seed)
        begun = Array(repeating: 0, count: reloads.count)
        func begin(_ index: Int32) -> Int64 { Self.block(of: Int(index), reloads, blocks).from }
        order = reloads.indices.map(Int32.init).sorted { (begin($0), $0) < (begin($1), $1) }
    }

    private static func block(of index: Int, _ reloads: [SampledReload], _ blocks: ArrivalBlocks?) -> ArrivalBlock {
        let own = reloads[index].sentAt.microseconds
        return blocks.map { $0.blocks[Int($0.numbers[index])] } ?? ArrivalBlock(from: own, to: own)
    }

    private func block(of index: Int32) -> ArrivalBlock { Self.block(of: Int(index), reloads, blocks) }

    /// Nothing begins before this instant; `never` if nothing does any more.
    var nextAt: Instant {
        min(queue.nextAt, opened < order.count ? Instant(microseconds: block(of: order[opened]).from) : .never)
    }

    /// Hands over what begins before an instant, in no order: the place of the reload in the sample, the number of the
    /// person whose it is, and when.
    mutating func take(before limit: Instant, _ begin: (_ reload: Int, _ person: UInt32, _ at: Instant) -> Void) {
        while opened < order.count, block(of: order[opened]).from < limit.microseconds {
            emit(order[opened], before: limit, begin)
            opened += 1
        }
        queue.take(before: limit) { waiting.append($0.source) }
        for source in waiting { emit(source, before: limit, begin) }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func emit(
        _ index: Int32, before limit: Instant, _ begin: (_ reload: Int, _ person: UInt32, _ at: Instant) -> Void
    ) {
        let (person, block) = (reloads[Int(index)].person, block(of: index))
        let own = phases[Int(person)]
        // How far into the block the reload itself lies, as a part of 2³²; those whom their phase leads over the
        // block's end come first.
        let place = block.part(at: reloads[Int(index)].sentAt.microseconds)
        let first = block.length == 0 ? 0 : own.firstPlace(from: (1 << 32) - place)
        var count = Int(begun[Int(index)])
        while count < own.count {
            let copy = first + count < own.count ? first + count : first + count - own.count
            let part = (place + UInt64(own[copy])) & 0xffff_ffff
            let at = Instant(microseconds: block.instant(at: part))
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
