import Basics
import Statistics
import Testing

@testable import RefreshService

/// Nothing in the measures of a service escapes the fingerprint.
@Suite struct ServiceMeasuresTests {
    private static func empty() -> ServiceMeasures {
        ServiceMeasures(
            pools: 2, regions: 2, minutes: 3, reportFrom: .start + .days(1),
            originLoad: LoadCurve(endpoints: 1, regions: 2, minutes: 3))
    }

    private static func bytes(_ measures: ServiceMeasures) -> [UInt8] {
        var all: [UInt8] = []
        measures.withBytes { all += $0 }
        return all
    }

    @Test func `every count changes the bytes, and its own place alone`() {
        let nothing = Self.bytes(Self.empty())
        var seen: Set<[UInt8]> = [nothing]
        func check(_ name: String, _ change: (ServiceMeasures) -> Void) {
            let measures = Self.empty()
            change(measures)
            #expect(seen.insert(Self.bytes(measures)).inserted, "\(name)")
        }
        for pool in 0..<2 {
            for minute in 0..<3 {
                for region in 0..<2 {
                    for field in ServiceField.allCases {
                        check("\(field)") { $0[field, pool: pool, region: region, minute: minute] = 1 }
                    }
                }
                for field in PoolMinute.allCases { check("\(field)") { $0[field, pool: pool, minute: minute] = 1 } }
            }
            var minute = MinuteLatencies()
            minute.add(.seconds(3))
            for latency in ServiceLatency.allCases {
                check("\(latency)") { $0[latency, pool: pool].whole.add(.zero) }
                check("\(latency) by the minute") { $0[latency, pool: pool].byMinute.append(minute) }
                for size in [Duration(microseconds: 1_000_000), Duration(microseconds: 1_000_001)] {
                    check("the size of \(latency) in its bin") { $0[latency, pool: pool].whole.add(size) }
                }
            }
            check("over capacity") { $0.secondsOverCapacity[pool] = 1 }
            check("out") { $0.secondsOut[pool] = 1 }
            for region in 0..<2 { check("carried in") { $0.carriedIn[pool * 2 + region] = 1 } }
            check("the load") { measures in
                let load = LoadBuffer(for: measures.originLoad)
                load.count(endpoint: 0, region: pool, cause: 0, tenth: 0)
                load.flush()
            }
        }
        let end = Instant.start + .seconds(5)
        let recoveries: [ServiceMeasures.Recovery] = [
            .init(event: 0, pool: 0, end: end, queueEmptyAt: .never, healthyAt: .never),
            .init(event: 1, pool: 0, end: end, queueEmptyAt: .never, healthyAt: .never),
            .init(event: 0, pool: 1, end: end, queueEmptyAt: .never, healthyAt: .never),
            .init(event: 0, pool: 0, end: end, queueEmptyAt: end, healthyAt: .never),
            .init(event: 0, pool: 0, end: end, queueEmptyAt: .never, healthyAt: end),
        ]
        for recovery in recoveries { check("\(recovery)") { $0.recoveries = [recovery] } }
    }

    @Test(arguments: [Int.min, -2, 4, 1 << 53, Int.max])
    func `a minute that is none of the report is a sentence, however far away it is`(index: Int) throws {
        func tally() -> MinuteTally {
            MinuteTally(Self.empty(), end: .start + .days(1) + .minutes(3))
        }
        var written = tally()
        var read = tally()
        var bytes: [UInt8] = []
        let writer = StateStream { bytes += $0 }
        try written.code(writer)
        try writer.finish()
        var taken = 0
        func reader() -> StateStream {
            taken = 0
            return StateStream(reading: bytes.count) { memory in
                let count = min(memory.count, bytes.count - taken)
                memory.copyBytes(from: bytes[taken..<taken + count])
                taken += count
                return count
            }
        }
        try read.code(reader())
        // It stands after the two instants between which it lies.
        withUnsafeBytes(of: index) { bytes.replaceSubrange(16..<24, with: $0) }
        var refused = false
        do { try read.code(reader()) } catch { refused = error.description.contains("a minute outside the report") }
        #expect(refused)
    }
}
