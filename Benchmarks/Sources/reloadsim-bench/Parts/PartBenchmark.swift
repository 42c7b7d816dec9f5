/// A part of the engine that can be called by itself: core time an operation.
struct PartBenchmark: Benchmark {
    /// Does the operations; what it returns adds up their results, and is not timed.
    typealias Work = () -> () -> Checksum

    let group = BenchmarkGroup.part
    let title: String
    /// The name of one operation, such as `draw`.
    let operation: String
    /// How many one repetition does: some 50 ms of them.
    let operations: Int
    /// Makes the input of the work afresh for every repetition, so that each gives the same checksum.
    let prepare: (_ operations: Int) throws -> Work

    static var all: [PartBenchmark] { kernel + stream + tables + budget + measures + service }

    func measure(repeats: Int) throws -> [Measurement] {
        var times: [Double] = []
        var checksum: Checksum?
        // The first is for the caches and does not count.
        for repetition in 0...repeats {
            let work = try prepare(operations)
            let (add, seconds) = Clocks.coreTime(of: work)
            let sum = add()
            if let checksum, checksum != sum {
                throw BenchmarkProblem("\(name) gave \(checksum.text) and then \(sum.text)")
            }
            checksum = sum
            if repetition > 0 { times.append(seconds * 1e9 / Double(operations)) }
        }
        guard let checksum else { preconditionFailure("\(repeats) repetitions") }
        var row = Measurement(self, unit: .nanosecondsAnOperation, times, fingerprint: checksum.text)
        row.operation = operation
        row.operations = operations
        return [row]
    }
}

/// A 64-bit hash (FNV-1a) of results: it keeps the compiler from leaving work out, and shows whether the work was the
/// same.
struct Checksum: Equatable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}
    init(of number: UInt64) { add(number) }

    mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x0000_0100_0000_01B3 }
    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

    mutating func add(_ number: Int128) {
        add(UInt64(truncatingIfNeeded: number))
        add(UInt64(truncatingIfNeeded: number >> 64))
    }

    /// 16 hex digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
