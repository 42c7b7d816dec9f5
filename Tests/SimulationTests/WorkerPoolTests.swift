import Foundation
import Testing

@testable import Simulation

@Suite struct WorkerPoolTests {
    /// The work of partitions: each is one thread's at a time, and a fault would show as a lost addition.
    private final class Counts: @unchecked Sendable {
        // Safety: as of the pool; the faults are the first thread's.
        let done: UnsafeMutablePointer<Int>
        var faults = 0

        init(_ partitions: Int) {
            done = .allocate(capacity: partitions)
            done.initialize(repeating: 0, count: partitions)
        }

        deinit { done.deallocate() }
    }

    @Test(arguments: [2, 3, 5])
    func `partitions that are handed out are done once each, and all is seen when they are back`(threads: Int) throws {
        let partitions = PartitionTable.count(threads: threads)
        let workers = WorkerPool(threads: threads, partitions: partitions)
        let counts = Counts(partitions)
        try ThreadPool.work(threads) { thread in
            let body: (Int) -> Void = { partition in counts.done[partition] += 1 }
            if thread > 0 { return workers.follow(thread: thread, body) }
            var expected = Array(repeating: 0, count: partitions)
            var isOut = Array(repeating: false, count: partitions)
            for round in 0..<20_000 {
                let partition = round &* 7 % partitions
                if isOut[partition] {
                    // By turns it is waited for, asked for, or another one is helped with.
                    switch round % 3 {
                    case 0: workers.finish(partition, body)
                    case 1: while !workers.takeBack(partition) { _ = workers.help(body) }
                    default:
                        if !workers.takeBack(partition) { continue }
                    }
                    isOut[partition] = false
                }
                if counts.done[partition] != expected[partition] { counts.faults += 1 }
                workers.handOut(partition)
                expected[partition] += 1
                isOut[partition] = true
            }
            for partition in 0..<partitions where isOut[partition] { workers.finish(partition, body) }
            for partition in 0..<partitions where counts.done[partition] != expected[partition] { counts.faults += 1 }
            workers.dismiss()
        }
        #expect(counts.faults == 0)
    }

    @Test func `partitions are a power of two, one for one thread and several for each of more`() {
        #expect(PartitionTable.count(threads: 1) == 1)
        for threads in 2...9 {
            let partitions = PartitionTable.count(threads: threads)
            #expect(partitions.nonzeroBitCount == 1 && partitions >= 4 * threads && partitions < 8 * threads)
            // Every partition is one thread's own.
            #expect(
                (0..<threads).flatMap { WorkerPool.own($0, of: threads, partitions: partitions) }.sorted()
                    == Array(0..<partitions))
        }
    }
}
