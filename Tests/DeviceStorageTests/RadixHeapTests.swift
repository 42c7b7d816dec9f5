import Basics
import TestSupport
import Testing
@testable import DeviceStorage

@Suite struct RadixHeapTests {
    private struct Entry: Timed {
        let dueAt: Instant
        let number: Int
    }

    /// Beside a sorted list: near and far instants, many at one instant, more than a chunk of them, windows with and
    /// without entries.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `what is taken is what is due, and nothing is lost`(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        let queue = RadixHeap<Entry>()
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
        #expect(lists == RadixHeap<Entry>.lists && listed == waiting.count)
    }

    private static func at(_ microseconds: Int64) -> Instant { .start + Duration(microseconds: microseconds) }

    /// Beside a plain list, with entries that come before the instant to which others were taken.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `what is added late is taken too, and nothing is lost`(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        let queue = RadixHeap<Entry>()
        var waiting: [Int: Instant] = [:]
        var number = 0
        var clock: Int64 = 0
        var late = 0
        for _ in 0..<800 {
            for _ in 0..<numbers.below(9) {
                let at = max(0, clock - 2_000) + numbers.below(20_000)
                if at < clock { late += 1 }
                queue.add(Entry(dueAt: Self.at(at), number: number))
                waiting[number] = Self.at(at)
                number += 1
            }
            #expect(queue.nextAt == waiting.values.min() ?? .never)
            queue.checkInvariants()
            // Sometimes it is taken from before what was taken last.
            let limit = Self.at(max(0, clock + numbers.below(6_000) - 1_000))
            var taken: Set<Int> = []
            queue.take(before: limit) { taken.insert($0.number) }
            #expect(taken == Set(waiting.filter { $0.value < limit }.keys))
            for one in taken { waiting[one] = nil }
            queue.checkInvariants()
            clock = max(clock, (limit - .start).microseconds)
        }
        #expect(late > 50)
        var left: Set<Int> = []
        queue.take(before: .never) { left.insert($0.number) }
        #expect(left == Set(waiting.keys) && queue.nextAt == .never)
    }

    @Test func `the next entry is the first that holds, and those before it are dropped`() {
        let queue = RadixHeap<Entry>()
        for (number, at) in [10, 20, 20, 30, 50].enumerated() {
            queue.add(Entry(dueAt: Self.at(Int64(at)), number: number))
        }
        #expect(queue.next(before: Self.at(100)) { $0.number == 2 || $0.number == 4 } == Self.at(20))
        #expect(queue.nextAt == Self.at(20))
        // It stays until it is taken; asked again, the answer is the same.
        #expect(queue.next(before: Self.at(100)) { $0.number == 2 || $0.number == 4 } == Self.at(20))
        var taken: [Int] = []
        queue.take(before: Self.at(21)) { taken.append($0.number) }
        #expect(taken == [2])
        #expect(queue.next(before: Self.at(40)) { $0.number == 4 } >= Self.at(40))
        #expect(queue.next(before: Self.at(60)) { $0.number == 4 } == Self.at(50))
        #expect(queue.next(before: Self.at(60)) { _ in false } == .never)
    }
}
