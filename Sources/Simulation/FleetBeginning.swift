import Fleet
import Synchronization

/// The beginning of all devices of a rank: each lives through what precedes the service.
///
/// Some people of each thread begin at a time, so that what their devices send is queued before it takes much memory.
final class FleetBeginning: Sendable {
    private let delivery: AnswerDelivery
    /// How many are in the whole fleet, on all ranks.
    private let people: Int
    private let threads: Int
    private let barrier: Barrier
    private let begun = Atomic<Int>(0)
    /// Told to pause; any thread may see it first.
    private let isCalledOff = Atomic<Bool>(false)

    /// Blocks of people that a thread begins before what their devices send is queued.
    private static let blocksAtOnce = 64

    init(_ delivery: AnswerDelivery, people: Int, threads: Int) {
        (self.delivery, self.people, self.threads) = (delivery, people, threads)
        barrier = Barrier(threads: threads)
    }

    /// How many people's devices have begun, and whether it is all; any thread may ask.
    var count: Int { begun.load(ordering: .relaxed) }
    var isOver: Bool { count == delivery.partitions.people }
    var share: Double { isOver ? 1 : Double(count) / Double(delivery.partitions.people) }

    /// All devices have begun before they were written down.
    func skip() { begun.store(delivery.partitions.people, ordering: .relaxed) }

    /// Begins the devices of a thread; every thread calls it.
    ///
    /// - Parameter pauses: asked before each person, with 0.
    func run(thread: Int, until pauses: @Sendable (Int) -> Bool) {
        let partitions = delivery.partitions
        let blocks = partitions.own(thread, of: threads).flatMap { partition in
            partition < partitions.shared
                ? Array(partitions.share.blocks(of: people, thread: partition, of: partitions.shared)) : []
        }
        let all = partitions.share.blocks(of: people, thread: 0, of: 1).reduce(into: 0) { count, _ in count += 1 }
        // No thread has more; all meet equally often.
        let most = (all + partitions.shared - 1) / partitions.shared * ((partitions.shared + threads - 1) / threads)
        var next = 0
        for _ in stride(from: 0, to: max(1, most), by: Self.blocksAtOnce) {
            for block in blocks[next..<min(next + Self.blocksAtOnce, blocks.count)] {
                for person in block where !isCalledOff.load(ordering: .relaxed) {
                    if pauses(0) {
                        isCalledOff.store(true, ordering: .relaxed)
                        break
                    }
                    guard let place = partitions.ownPlace(of: person) else { continue }
                    partitions[place].fleet.begin(person: person)
                    _ = begun.add(1, ordering: .relaxed)
                }
            }
            next = min(next + Self.blocksAtOnce, blocks.count)
            barrier.wait()
            if thread == 0 { delivery.collect() }
            barrier.wait()
        }
    }
}
