import Basics
import Dispatch
import Testing

@Suite struct SharedValuesTests {
    private struct Refused: Error {}

    @Test func `a value is made once for all threads, and not kept if it cannot be made`() {
        let shared = SharedValues<Int, Int>(most: 100)
        let made = LockedValue(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for key in 0..<50 {
                let value = shared.value(of: key) {
                    made.withLock { $0 += 1 }
                    return key * key
                }
                if value != key * key { Issue.record("\(key): \(value)") }
            }
        }
        #expect(made.withLock { $0 } == 50)
        #expect(throws: Refused.self) { try shared.value(of: 50) { () throws(Refused) in throw Refused() } }
        #expect(shared.value(of: 50) { 7 } == 7)
    }

    @Test func `no more are kept than were asked for`() {
        let shared = SharedValues<Int, Int>(most: 3)
        var made: [Int] = []
        func ask(_ key: Int) {
            _ = shared.value(of: key) {
                made.append(key)
                return key
            }
        }
        for key in [1, 2, 3, 1, 2, 3, 4, 4, 1] { ask(key) }
        #expect(made == [1, 2, 3, 4, 1])
    }
}
