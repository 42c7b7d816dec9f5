import Statistics

/// Random numbers, and the draws that the quantile tables make of them.
extension PartBenchmark {
    static var stream: [PartBenchmark] {
        [
            PartBenchmark(title: "stream.block", operation: "Philox block", operations: 10_000_000) { operations in
                {
                    var sum: UInt64 = 0
                    for counter in 0..<UInt64(operations) {
                        let block = Philox2x64.block(TwoWords(counter, 1), key: 2)
                        sum ^= block.w0 &+ block.w1
                    }
                    return { [sum] in Checksum(of: sum) }
                }
            },
            PartBenchmark(title: "stream.next", operation: "number", operations: 20_000_000) { operations in
                {
                    var stream = RandomStream(seed: 1, person: 2, slot: 0, purpose: .pickup)
                    var sum: UInt64 = 0
                    for _ in 0..<operations { sum ^= stream.next() }
                    return { [sum] in Checksum(of: sum) }
                }
            },
            // As most decisions draw: the stream of a person, and one number of it.
            PartBenchmark(title: "stream.look_up", operation: "number", operations: 10_000_000) { operations in
                {
                    var sum: UInt64 = 0
                    for person in 0..<UInt64(operations) {
                        sum ^= RandomStream(seed: 1, person: person, slot: 0, purpose: .appOpening).value(
                            at: person & 1_023)
                    }
                    return { [sum] in Checksum(of: sum) }
                }
            },
        ]
    }

    static var tables: [PartBenchmark] {
        [
            PartBenchmark(title: "tables.quantile", operation: "draw", operations: manyDraws) { operations in
                Self.draws(Quantile(table: StandardTables().normal), operations)
            },
            PartBenchmark(title: "tables.exponential", operation: "draw", operations: manyDraws) { operations in
                var tables = StandardTables()
                return try draws(Distribution(.exponential(mean: 300)).prepared(with: &tables), operations)
            },
            PartBenchmark(title: "tables.lognormal", operation: "draw", operations: manyDraws) { operations in
                var tables = StandardTables()
                return try draws(
                    Distribution(.lognormal(median: 40, sigma: 1.74), clippedTo: 1...14_400).prepared(with: &tables),
                    operations)
            },
            // Part of the set-up: a table by GSL's quantiles. Each is kept for the life of the process, 64 kB.
            PartBenchmark(title: "tables.made", operation: "table", operations: 20) { operations in
                {
                    var sum: UInt64 = 0
                    for index in 0..<operations {
                        do { sum ^= try StandardTables.make(.gamma(shape: 1 + Double(index) / 8)).hash } catch {
                            preconditionFailure("a table that cannot be made: \(error)")
                        }
                    }
                    return { [sum] in Checksum(of: sum) }
                }
            },
        ]
    }

    private static let manyDraws = 20_000_000

    /// Draws from a list of 4,096 numbers, over and over: the numbers' own making is not timed. The sum is one of whole
    /// bits, so that it waits for no addition of fractions.
    private static func draws<Numbers: NumberDistribution>(_ distribution: Numbers, _ operations: Int) -> Work {
        var stream = RandomStream(seed: 1, person: 2, slot: 0, purpose: .pickup)
        let numbers = (0..<4_096).map { _ in stream.next() }
        return {
            var sum: UInt64 = 0
            numbers.withUnsafeBufferPointer { numbers in
                for index in 0..<operations { sum = sum &+ distribution.draw(numbers[index & 4_095]).bitPattern }
            }
            return { [sum] in Checksum(of: sum) }
        }
    }
}

/// A distribution that turns a number into a draw.
private protocol NumberDistribution {
    func draw(_ u: UInt64) -> Double
}

extension PreparedDistribution: NumberDistribution {}

private struct Quantile: NumberDistribution {
    let table: QuantileTable
    func draw(_ u: UInt64) -> Double { table.value(u) }
}
