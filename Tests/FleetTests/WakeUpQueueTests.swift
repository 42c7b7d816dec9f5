import Basics
import TestSupport
import Testing
@testable import Fleet

@Suite struct WakeUpQueueTests {
    private static func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    /// Requests arrive, most are decided before their devices have to be resumed, and the others are found at their
    /// instants.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `every device that still waits is taken in the window of its instant, and no other`(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        var wakes = WakeUpQueue()
        /// When the device of each person has to be resumed; none once something was decided for it.
        var waiting: [UInt32: Instant] = [:]
        var person: UInt32 = 0
        var taken = 0
        var clock: Int64 = 0
        while clock < 300_000 {
            let limit = Self.at(clock + 20)
            for _ in 0..<numbers.below(4) {
                // Some have to be resumed at once, most in seconds.
                let dueAt =
                    limit + .milliseconds(numbers.below(4) == 0 ? numbers.below(900) : 1_000 + numbers.below(30_000))
                waiting[person] = dueAt
                wakes.note(DeviceWakeUp(dueAt: dueAt, person: person, slot: 0), windowEnd: limit)
                person += 1
            }
            for decided in waiting.keys.sorted() where numbers.below(100) < 3 { waiting[decided] = nil }
            let isDue: (DeviceWakeUp) -> Bool = { waiting[$0.person] == $0.dueAt }
            let first = waiting.values.min() ?? .never
            let horizon = limit + .seconds(2)
            let next = wakes.next(before: horizon, where: isDue)
            #expect(first < horizon ? next == first : next >= horizon)
            var found: Set<UInt32> = []
            wakes.take(before: limit, where: isDue) { found.insert($0.person) }
            #expect(found == Set(waiting.filter { $0.value < limit }.keys))
            for one in found { waiting[one] = nil }
            taken += found.count
            clock += 20
        }
        #expect(taken > 100)
    }
}
