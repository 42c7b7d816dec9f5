import Foundation
import Testing

@testable import Statistics

@Suite struct LoadCurveTests {
    static let endpoints = 2, regions = 3, minutes = 5
    static func curve() -> LoadCurve { LoadCurve(endpoints: endpoints, regions: regions, minutes: minutes) }

    struct Request: Hashable {
        var endpoint, region, cause, tenth: Int
    }

    /// Requests drawn from a seed, all over the curve and both its ends.
    static func requests(_ count: Int, seed: UInt64) -> [Request] {
        var value = seed
        func below(_ bound: Int) -> Int {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(value >> 33) % bound
        }
        let ends = [
            Request(endpoint: 0, region: 0, cause: 0, tenth: 0),
            Request(
                endpoint: endpoints - 1, region: regions - 1, cause: LoadCurve.causes - 1, tenth: minutes * 600 - 1),
        ]
        return ends
            + (0..<count).map { _ in
                Request(
                    endpoint: below(endpoints), region: below(regions), cause: below(LoadCurve.causes),
                    tenth: below(minutes * 600))
            }
    }

    /// Every bin of both splits against a plain count of the requests.
    static func compare(_ curve: LoadCurve, with requests: [Request]) {
        var tenths: [[Int]: UInt32] = [:]
        var split: [[Int]: UInt32] = [:]
        for request in requests {
            tenths[[request.endpoint, request.tenth], default: 0] += 1
            split[[request.endpoint, request.region, request.cause, request.tenth / 600], default: 0] += 1
        }
        // The bins are read through pointers into the curve.
        withExtendedLifetime(curve) { compareBins(of: curve, tenths, split, total: requests.count) }
    }

    private static func compareBins(
        of curve: LoadCurve, _ tenths: [[Int]: UInt32], _ split: [[Int]: UInt32], total: Int
    ) {
        var counted = 0
        for endpoint in 0..<endpoints {
            for (tenth, count) in curve.tenths(of: endpoint).enumerated()
            where count != tenths[[endpoint, tenth], default: 0] {
                Issue.record("endpoint \(endpoint), tenth \(tenth): \(count)")
            }
            for region in 0..<regions {
                for cause in 0..<LoadCurve.causes {
                    for (minute, count) in curve.minutes(of: endpoint, region: region, cause: cause).enumerated() {
                        counted += Int(count)
                        if count != split[[endpoint, region, cause, minute], default: 0] {
                            Issue.record(
                                "endpoint \(endpoint), region \(region), cause \(cause), minute \(minute): \(count)")
                        }
                    }
                }
            }
        }
        #expect(counted == total)
    }

    static func add(_ requests: [Request], to curve: LoadCurve) {
        let buffer = LoadBuffer(for: curve)
        for request in requests {
            buffer.count(endpoint: request.endpoint, region: request.region, cause: request.cause, tenth: request.tenth)
        }
        buffer.flush()
    }

    @Test func `every request is counted in its own bins, also across a full buffer`() {
        for count in [0, 1_021, 1_022, 1_023, 5_000] {
            let requests = Self.requests(count, seed: UInt64(count))
            let curve = Self.curve()
            Self.add(requests, to: curve)
            Self.compare(curve, with: requests)
        }
    }

    @Test func `several threads add up to what one would count`() {
        let parts = (0..<6).map { Self.requests(4_000, seed: UInt64($0) + 100) }
        let curve = Self.curve()
        DispatchQueue.concurrentPerform(iterations: parts.count) { Self.add(parts[$0], to: curve) }
        Self.compare(curve, with: parts.flatMap { $0 })
    }

    @Test func `curves merge by addition`() {
        let parts = [Self.requests(1_500, seed: 5), Self.requests(800, seed: 6)]
        let curves = parts.map { part in
            let curve = Self.curve()
            Self.add(part, to: curve)
            return curve
        }
        curves[0].merge(curves[1])
        Self.compare(curves[0], with: parts[0] + parts[1])
        Self.compare(curves[1], with: parts[1])
    }

    /// A week: counts that no run shares with another are given from one to the next.
    @Test func `a curve that another one has left begins with zeros`() {
        for tenth in [0, 599, 3_000_000, 6_047_999] {
            let curve = LoadCurve(endpoints: 1, regions: 1, minutes: 10_080, isSparse: true, countsPairs: true)
            #expect(curve.filledTenths(of: 0, most: 10) == [])
            var bytes: [UInt8] = []
            curve.withFilledBytes { bytes += $0 }
            #expect(bytes.allSatisfy { $0 == 0 }, "\(bytes.count) bytes before the request at \(tenth)")
            let buffer = LoadBuffer(for: curve)
            for _ in 0..<2 { buffer.count(endpoint: 0, region: 0, cause: 3, tenth: tenth) }
            buffer.endPerson(group: 5)
            buffer.flush()
            #expect(curve.filledTenths(of: 0, most: 10) == [FilledTenth(tenth: tenth, requests: 2)])
            #expect(curve.pairs?.pairs(width: 0, minute: tenth / 600) == 2)
        }
    }

    /// A week of four endpoints: pages of memory that hold bins of two endpoints, and many that hold no request.
    @Test(arguments: [0, 3, 400, 60_000])
    func `pages without requests are read as zeros, and change no byte of the fingerprint`(count: Int) throws {
        let minutes = 10_080
        var value: UInt64 = 7
        func below(_ bound: Int) -> Int {
            value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(value >> 33) % bound
        }
        let curve = LoadCurve(endpoints: 4, regions: 1, minutes: minutes, isSparse: count < 1_000)
        let requests = (0..<count).map { _ in
            Request(endpoint: below(3), region: 0, cause: below(LoadCurve.causes), tenth: below(minutes * 600))
        }
        Self.add(requests, to: curve)
        for endpoint in 0..<4 {
            let bins = Array(curve.tenths(of: endpoint))
            let filled = bins.indices.filter { bins[$0] != 0 }.map { FilledTenth(tenth: $0, requests: Int64(bins[$0])) }
            #expect(filled.reduce(0) { $0 + $1.requests } == requests.count { $0.endpoint == endpoint })
            #expect(curve.filledTenths(of: endpoint, most: filled.count) == filled)
            #expect(curve.filledTenths(of: endpoint, most: filled.count - 1) == nil)
        }
        for minute in [0, 77, minutes - 1] + requests.prefix(20).map({ $0.tenth / 600 }) {
            var sums = [Int64](repeating: 0, count: 600)
            for endpoint in 0..<4 {
                for t in sums.indices { sums[t] += Int64(curve.tenths(of: endpoint)[minute * 600 + t]) }
            }
            let filled = sums.indices.filter { sums[$0] > 0 }.map { FilledTenth(tenth: $0, requests: sums[$0]) }
            #expect(curve.filledTenths(ofMinute: minute) == filled)
        }
        // A list that is too long ends there: a week of a large fleet has six million tenths.
        var list: [FilledTenth] = []
        [UInt32](repeating: 1, count: 6_000).withUnsafeBufferPointer {
            LoadCurve.collect($0, 0..<6_000, into: &list, most: 10)
        }
        #expect((11...18).contains(list.count))
        var bytes: [UInt8] = []
        curve.withFilledBytes { bytes += $0 }
        var tenths: [UInt32] = []
        for endpoint in 0..<4 { tenths += curve.tenths(of: endpoint) }
        var split: [UInt32] = []
        for endpoint in 0..<4 {
            for cause in 0..<LoadCurve.causes { split += curve.minutes(of: endpoint, region: 0, cause: cause) }
        }
        var plain: [UInt32] = []
        for bins in [tenths, split] {
            for first in stride(from: 0, to: bins.count, by: 16) {
                let group = bins[first..<min(first + 16, bins.count)]
                if group.contains(where: { $0 != 0 }) { plain += [UInt32(first / 16)] + group }
            }
        }
        #expect(bytes == plain.withUnsafeBytes(Array.init))
        // Merged and written down, it is the same.
        let merged = curve.emptyCopy()
        merged.merge(curve)
        var written: [UInt8] = []
        let writer = StateStream { written += $0 }
        try merged.code(writer)
        try writer.finish()
        var place = 0
        let read = curve.emptyCopy()
        try read.code(
            StateStream(reading: written.count) { buffer in
                let some = min(buffer.count, written.count - place)
                buffer.copyBytes(from: written[place..<place + some])
                place += some
                return some
            })
        var again: [UInt8] = []
        read.withFilledBytes { again += $0 }
        #expect(again == bytes)
    }

    @Test func `the stated memory is four bytes a bin`() {
        let curve = Self.curve()
        let bins = withExtendedLifetime(curve) {
            (0..<Self.endpoints).reduce(0) { sum, endpoint in
                sum + curve.tenths(of: endpoint).count + Self.regions * LoadCurve.causes
                    * curve.minutes(of: endpoint, region: 0, cause: 0).count
            }
        }
        #expect(LoadCurve.bytes(endpoints: Self.endpoints, regions: Self.regions, minutes: Self.minutes) == 4 * bins)
    }

    @Test func `a curve is read as it was written, and none whose tenths are not those of its minutes`() throws {
        let curve = Self.curve()
        let buffer = LoadBuffer(for: curve)
        for request in Self.requests(500, seed: 3) {
            buffer.count(endpoint: request.endpoint, region: request.region, cause: request.cause, tenth: request.tenth)
        }
        buffer.flush()
        var bytes: [UInt8] = []
        let writer = StateStream { bytes += $0 }
        try curve.code(writer)
        try writer.finish()
        func read(_ bytes: [UInt8]) throws -> LoadCurve {
            var taken = 0
            let reader = StateStream(reading: bytes.count) { memory in
                let count = min(memory.count, bytes.count - taken)
                memory.copyBytes(from: bytes[taken..<taken + count])
                taken += count
                return count
            }
            let curve = Self.curve()
            try curve.code(reader)
            return curve
        }
        var (written, again) = ([UInt8](), [UInt8]())
        curve.withFilledBytes { written += $0 }
        try read(bytes).withFilledBytes { again += $0 }
        #expect(written == again)
        var refused = 0
        for place in stride(from: 0, to: bytes.count, by: 97) {
            var altered = bytes
            altered[place] ^= 1
            do { _ = try read(altered) } catch { refused += 1 }
        }
        #expect(refused == (bytes.count + 96) / 97, "\(refused)")
    }
}
