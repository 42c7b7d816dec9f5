import TestSupport
import Testing
@testable import DeviceStorage

@Suite struct SnapshotStoreTests {
    private static let devices = 6_000

    /// States that grow, shrink and go are what they were, and memory follows the states that there are, not those that
    /// there were.
    @Test func `no state is lost when others move, and no memory to lengths that nothing has any more`() {
        let store = SnapshotStore(count: Self.devices)
        var numbers = TestNumbers(seed: 7)
        var lengths: [Int] = Array(repeating: 0, count: Self.devices)
        func keep(_ device: Int, bytes: Int) {
            let room = store.room(forBytes: bytes, of: device)
            for word in 0..<bytes / 8 {
                room.storeBytes(
                    of: UInt64(device) << 32 | UInt64(bytes) << 12 | UInt64(word), toByteOffset: 8 * word,
                    as: UInt64.self)
            }
            lengths[device] = bytes
        }
        func check() {
            for device in 0..<Self.devices {
                #expect(store.contains(device) == (lengths[device] > 0))
                if lengths[device] == 0 { continue }
                let state = store.state(of: device)
                let isWhole = (0..<lengths[device] / 8).allSatisfy {
                    state.load(fromByteOffset: 8 * $0, as: UInt64.self) == UInt64(device) << 32 | UInt64(
                        lengths[device]) << 12 | UInt64($0)
                }
                #expect(isWhole, "device \(device)")
            }
            let states = lengths.reduce(0, +)
            #expect(
                store.present.bytes >= states
                    && Double(store.present.bytes) < 1.35 * Double(states) + 64 * Double(store.present.devices))
            #expect(store.present.devices == lengths.count { $0 > 0 })
        }
        var mostHeld = 0
        // All states grow step by step, to four times their length, some end, and the others shrink again.
        for usual in [800, 1_000, 1_300, 1_800, 2_400, 3_200, 2_000, 1_000] {
            for device in 0..<Self.devices {
                if usual == 3_200 && numbers.next() % 10 == 0 {
                    store.forget(device)
                    lengths[device] = 0
                } else if device == 0 || lengths[device] > 0 || usual == 800 {
                    keep(device, bytes: usual + Int(numbers.next() % 40) * 8)
                }
            }
            check()
            mostHeld = max(mostHeld, store.heldBytes)
        }
        #expect(mostHeld < store.most.bytes * 5 / 4 + 8 << 20, "\(mostHeld) bytes for states of \(store.most.bytes)")
    }

    @Test func `a state larger than a page has room`() {
        let store = SnapshotStore(count: 3)
        for device in 0..<3 {
            store.room(forBytes: 300_000, of: device).storeBytes(of: UInt64(device), as: UInt64.self)
        }
        store.forget(0)
        #expect(store.state(of: 1).load(as: UInt64.self) == 1 && store.state(of: 2).load(as: UInt64.self) == 2)
    }
}
