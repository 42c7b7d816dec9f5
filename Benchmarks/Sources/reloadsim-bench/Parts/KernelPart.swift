import Foundation

/// The least that a simulation of devices does for an event, in plain Swift and with nothing of the engine: a yardstick
/// that tells one machine from another.
extension PartBenchmark {
    static var kernel: [PartBenchmark] {
        [
            // Six clocks: the earliest is due, draws when it is due next, takes a token if there is one, and counts how
            // long it has waited.
            PartBenchmark(title: "kernel.event", operation: "event", operations: 5_000_000) { operations in
                {
                    var kernel = Kernel()
                    for _ in 0..<operations { kernel.step() }
                    return { [kernel] in kernel.checksum }
                }
            }
        ]
    }
}

private struct Kernel {
    private static let clockCount = 6
    private static let meanWait = 300.0
    private static let most = 40.0
    private static let tokensASecond = 50.0 / 57_600

    private var clocks = (0..<clockCount).map { Double($0) }
    private var histogram = [Int](repeating: 0, count: 64)
    private var state: UInt64 = 7
    private var tokens = most
    private var filledAt = 0.0
    private var granted = 0

    mutating func step() {
        var earliest = 0
        for clock in 1..<Self.clockCount where clocks[clock] < clocks[earliest] { earliest = clock }
        let now = clocks[earliest]
        let wait = -log(uniform()) * Self.meanWait
        clocks[earliest] = now + wait
        tokens = min(Self.most, tokens + (now - filledAt) * Self.tokensASecond)
        filledAt = now
        if tokens >= 1 {
            tokens -= 1
            granted += 1
        }
        histogram[min(63, max(0, Int(log2(wait + 1) * 4)))] += 1
    }

    /// SplitMix64, as a fraction above 0.
    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return (Double((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53
    }

    var checksum: Checksum {
        var sum = Checksum(of: UInt64(granted))
        for count in histogram { sum.add(Int64(count)) }
        return sum
    }
}
