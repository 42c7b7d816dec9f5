import Basics
import Testing
@testable import Fleet

@Suite struct InstantQueueTests {
    private struct Entry: Timed {
        let dueAt: Instant
        let number: Int
    }

    /// Beside a sorted list: near and far instants, many at one instant, more than a chunk of them, windows with and without entries.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `what is taken is what is due, and nothing is lost`(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        let queue = InstantQueue<Entry>()
        var waiting: [Int: Instant] = [:]
        var number = 0
        var clock = Instant.start
        for _ in 0..<600 {
            let reach = Int64(1) << numbers.below(45)
            for _ in 0..<numbers.below(numbers.below(10) == 0 ? 700 : 12) {
                let at = clock + Duration(microseconds: numbers.below(5) == 0 ? reach : numbers.below(reach))
                queue.add(Entry(dueAt: at, number: number))
                waiting[number] = at
                number += 1
            }
            #expect(queue.count == waiting.count)
            #expect(queue.nextAt == waiting.values.min() ?? .never)
            queue.checkInvariants()
            let limit = clock + Duration(microseconds: Int64(1) << numbers.below(40))
            var taken: Set<Int> = []
            queue.take(before: limit) { entry in
                #expect(waiting[entry.number] == entry.dueAt)
                taken.insert(entry.number)
            }
            #expect(taken == Set(waiting.filter { $0.value < limit }.keys))
            for one in taken { waiting[one] = nil }
            queue.checkInvariants()
            clock = limit
        }
        var left: Set<Int> = []
        queue.forEach { left.insert($0.number) }
        #expect(left == Set(waiting.keys))
        var lists = 0
        var listed = 0
        queue.forEachList { list in
            lists += 1
            listed += list.count
        }
        #expect(lists == InstantQueue<Entry>.lists && listed == waiting.count)
    }
}
