import Basics
import Simulation
import Testing

@Suite struct LockedValueTests {
    private struct Refused: Error {}

    @Test func `no change of several threads is lost, and an error gives the lock back`() throws {
        let sum = LockedValue([0, 0])
        try ThreadPool.work(4) { thread in
            for step in 0..<20_000 {
                sum.withLock { $0[step % 2] += thread + 1 }
                if step % 5_000 == 0 { try? sum.withLock { (_: inout [Int]) throws(Refused) in throw Refused() } }
            }
        }
        #expect(sum.withLock { $0 } == [100_000, 100_000])
    }
}
