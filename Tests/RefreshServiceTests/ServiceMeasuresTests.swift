import Basics
import Statistics
import Testing

@testable import RefreshService

/// Parts of a service's measures add, and nothing in them escapes the fingerprint.
@Suite struct ServiceMeasuresTests {
    private static func empty() -> ServiceMeasures {
        ServiceMeasures(pools: 2, regions: 2, endpoints: 1, minutes: 3, reportFrom: .start + .days(1))
    }

    /// Counts of one pool.
    private static func count(_ measures: ServiceMeasures, pool: Int) {
        for region in 0..<2 {
            for minute in 0..<3 {
                for field in ServiceField.allCases {
                    measures[field, pool: pool, region: region, minute: minute] += Int64(
                        pool * 1_000 + region * 100 + minute * 30 + field.rawValue)
                }
            }
            measures.carriedIn[pool * 2 + region] += Int64(pool + region + 1)
        }
        for minute in 0..<3 {
            for field in PoolMinute.allCases {
                measures[field, pool: pool, minute: minute] += Int64(10 * pool + minute + 1)
            }
        }
        let load = LoadBuffer(for: measures.originLoad)
        for i in 0..<50 { load.count(endpoint: 0, region: pool, cause: i % LoadCurve.causes, tenth: i * 30) }
        load.flush()
        for i in 0..<40 {
            measures.waits[pool].add(.milliseconds(Int64(i)))
            measures.originTimes[pool].add(.milliseconds(Int64(i * 2)))
            measures.responseTimes[pool].add(.milliseconds(Int64(i * 3)))
        }
        for minute in 0..<3 {
            var latencies = MinuteLatencies()
            for i in 0...minute { latencies.add(.milliseconds(Int64(7 * i + pool))) }
            measures.waitsByMinute[pool].append(latencies)
            measures.responseTimesByMinute[pool].append(latencies)
        }
        measures.secondsOverCapacity[pool] += Int64(pool + 7)
        measures.secondsOut[pool] += Int64(pool + 8)
        let end = Instant.start + .days(2)
        measures.recoveries.append(.init(event: 0, pool: pool, end: end, queueEmptyAt: end, healthyAt: .never))
        measures.recoveries.sort { ($0.event, $0.pool) < ($1.event, $1.pool) }
    }

    private static func bytes(_ measures: ServiceMeasures) -> [UInt8] {
        var all: [UInt8] = []
        measures.withBytes { all += $0 }
        return all
    }

    @Test func `parts add to the whole, in either order`() {
        let whole = Self.empty()
        for pool in 0..<2 { Self.count(whole, pool: pool) }
        for order in [[0, 1], [1, 0]] {
            let sum = Self.empty()
            for pool in order {
                let part = Self.empty()
                Self.count(part, pool: pool)
                sum.merge(part)
            }
            #expect(Self.bytes(sum) == Self.bytes(whole))
            #expect(sum.recoveries == whole.recoveries)
        }
    }

    @Test func `regions of one pool add, and its longest queue is the longer one`() {
        let (a, b) = (Self.empty(), Self.empty())
        a[.offered, pool: 0, region: 0, minute: 1] = 3
        b[.offered, pool: 0, region: 1, minute: 1] = 4
        b[.offered, pool: 0, region: 0, minute: 1] = 5
        a[.longestQueue, pool: 0, minute: 1] = 9
        b[.longestQueue, pool: 0, minute: 1] = 6
        a[.serverTime, pool: 0, minute: 1] = 60
        b[.serverTime, pool: 0, minute: 1] = 30
        a.merge(b)
        #expect(a[.offered, pool: 0, region: 0, minute: 1] == 8 && a[.offered, pool: 0, region: 1, minute: 1] == 4)
        #expect(a[.longestQueue, pool: 0, minute: 1] == 9 && a[.serverTime, pool: 0, minute: 1] == 90)
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
            check("waits") { $0.waits[pool].add(.zero) }
            check("origin times") { $0.originTimes[pool].add(.zero) }
            check("response times") { $0.responseTimes[pool].add(.zero) }
            check("the size of a wait in its bin") { $0.waits[pool].add(Duration(microseconds: 1_000_000)) }
            check("the size of a wait in its bin") { $0.waits[pool].add(Duration(microseconds: 1_000_001)) }
            var minute = MinuteLatencies()
            minute.add(.seconds(3))
            check("waits by the minute") { $0.waitsByMinute[pool].append(minute) }
            check("origin times by the minute") { $0.originTimesByMinute[pool].append(minute) }
            check("response times by the minute") { $0.responseTimesByMinute[pool].append(minute) }
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
            MinuteTally(Self.empty(), reportFrom: .start + .days(1), end: .start + .days(1) + .minutes(3))
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
