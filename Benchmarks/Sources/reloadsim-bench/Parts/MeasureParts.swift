import Basics
import Statistics

/// The cost of counting.
extension PartBenchmark {
    static var measures: [PartBenchmark] {
        [
            // A duration into its bin, as an age at a view.
            PartBenchmark(title: "measures.histogram", operation: "count", operations: 20_000_000) { operations in
                var stream = RandomStream(seed: 1, person: 2, slot: 0, purpose: .pickup)
                let ages = (0..<4_096).map { _ in Duration(microseconds: Int64(stream.nextIndex(below: 10_000_000_000)))
                }
                return {
                    var counts = [Int64](repeating: 0, count: LogHistogram.binCount)
                    counts.withUnsafeMutableBufferPointer { counts in
                        ages.withUnsafeBufferPointer { ages in
                            for index in 0..<operations { counts[LogHistogram.bin(of: ages[index & 4_095])] += 1 }
                        }
                    }
                    return { [counts] in
                        var sum = Checksum()
                        for count in counts { sum.add(count) }
                        return sum
                    }
                }
            },
            // To one of 64 sums, as those of lines and location modes lie in memory.
            PartBenchmark(title: "measures.wide_sum", operation: "addition", operations: 20_000_000) { operations in
                var stream = RandomStream(seed: 1, person: 2, slot: 0, purpose: .pickup)
                let amounts = (0..<4_096).map { _ in Int64(stream.nextIndex(below: 1 << 40)) }
                return {
                    var cells = [Int64](repeating: 0, count: 128)
                    cells.withUnsafeMutableBufferPointer { cells in
                        amounts.withUnsafeBufferPointer { amounts in
                            for index in 0..<operations {
                                let amount = amounts[index & 4_095]
                                WideSum.add(amount, to: cells.baseAddress! + Int(amount & 63) * 2)
                            }
                        }
                    }
                    return { [cells] in
                        var sum = Checksum()
                        for at in stride(from: 0, to: 128, by: 2) { sum.add(WideSum.value(cells[at], cells[at + 1])) }
                        return sum
                    }
                }
            },
            // A request into the curve of a week with seven endpoints and four regions: almost every bin misses the
            // cache.
            PartBenchmark(title: "measures.load_curve", operation: "request", operations: 2_000_000) { operations in
                let curve = LoadCurve(endpoints: 7, regions: 4, minutes: 7 * 24 * 60)
                let tenths = UInt64(curve.minutes * LoadCurve.tenthsPerMinute)
                return {
                    let buffer = LoadBuffer(for: curve)
                    var stream = RandomStream(seed: 1, person: 2, slot: 0, purpose: .pickup)
                    for _ in 0..<operations {
                        let choice = stream.next()
                        buffer.count(
                            endpoint: Int(choice % 7), region: Int(choice >> 8 & 3), cause: Int(choice >> 16 & 7),
                            tenth: Int(stream.nextIndex(below: tenths)))
                    }
                    buffer.flush()
                    return { Checksum(of: curve) }
                }
            },
        ]
    }
}

extension Checksum {
    /// A checksum of every bin of a curve.
    fileprivate init(of curve: LoadCurve) {
        self.init()
        for endpoint in 0..<curve.endpoints {
            for count in curve.tenths(of: endpoint) { add(UInt64(count)) }
            for region in 0..<curve.regions {
                for cause in 0..<LoadCurve.causes {
                    for count in curve.minutes(of: endpoint, region: region, cause: cause) { add(UInt64(count)) }
                }
            }
        }
    }
}
