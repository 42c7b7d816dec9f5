import Basics
import Simulation
import Synchronization
import Testing

@testable import Studies

/// The core time of one run among others of a process.
@Suite struct CoreMeterTests {
    /// Keeps a core busy for so many seconds of its own time.
    private static func work(_ seconds: Double) {
        let from = CoreMeter()
        var sum: UInt64 = 1
        while from.seconds < seconds { for _ in 0..<1_000 { sum = sum &* 6_364_136_223_846_793_005 &+ 1 } }
        #expect(sum != 0)
    }

    @Test func `the threads that are started inside count, and those of others do not`() throws {
        let isOver = Atomic(false)
        let meters = LockedValue<[Double]>([])
        // One thread of the pool measures two threads of its own; the other works beside it all the while.
        try ThreadPool.work(2) { number in
            if number == 1 {
                while !isOver.load(ordering: .acquiring) { Self.work(0.01) }
                return
            }
            let meter = CoreMeter()
            meter.measure { do { try ThreadPool.work(2) { _ in Self.work(0.1) } } catch { Issue.record("\(error)") } }
            Self.work(0.05)
            meters.withLock { $0.append(meter.seconds) }
            isOver.store(true, ordering: .releasing)
        }
        let measured = try #require(meters.withLock { $0.first })
        #expect(measured >= 0.25 && measured < 0.35, "\(measured) s")
    }
}
