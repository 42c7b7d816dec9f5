import Basics
import Statistics
import Testing

@Suite struct StateStreamTests {
    private final class Bytes {
        var all: [UInt8] = []
        var taken = 0
    }

    private func written(_ body: (StateStream) throws -> Void) throws -> [UInt8] {
        let bytes = Bytes()
        let stream = StateStream { bytes.all += $0 }
        try body(stream)
        try stream.finish()
        return bytes.all
    }

    private func reader(_ all: [UInt8], pieces: Int = .max) -> StateStream {
        let bytes = Bytes()
        return StateStream(reading: all.count) { memory in
            let count = min(memory.count, all.count - bytes.taken, pieces)
            memory.copyBytes(from: all[bytes.taken..<bytes.taken + count])
            bytes.taken += count
            return count
        }
    }

    private struct Values: Equatable {
        var small: UInt8 = 200
        var wide: Int128 = -(1 << 100)
        var number = -0.1
        var flag = true
        var instant = Instant.never
        var list: [Int64] = Array(-20_000...20_000)
        var none: [UInt16] = []

        mutating func code(_ stream: StateStream) throws {
            try stream.code(&small)
            try stream.code(&wide)
            try stream.code(&number)
            try stream.code(&flag)
            try stream.code(&instant)
            try stream.code(&list)
            try stream.code(&none)
        }
    }

    @Test(arguments: [1, 7, 4_096, .max]) func `what is written is read, in pieces of any size`(pieces: Int) throws {
        var values = Values()
        let bytes = try written { try values.code($0) }
        var read = Values(small: 0, wide: 0, number: 0, flag: false, instant: .start, list: [1], none: [2])
        let stream = reader(bytes, pieces: pieces)
        try read.code(stream)
        try stream.finish()
        #expect(read == values)
    }

    @Test func `a count that leads beyond the end, values of another size and a short end are refused`() throws {
        var list: [Int64] = [1, 2, 3]
        let bytes = try written { try $0.code(&list) }
        for count in 0..<bytes.count {
            var read: [Int64] = []
            #expect(throws: StateProblem.self) { try self.reader(Array(bytes.prefix(count))).code(&read) }
        }
        for place in 4..<12 {
            var broken = bytes
            broken[place] = 0x7f
            var read: [Int64] = []
            #expect(throws: StateProblem.self) { try self.reader(broken).code(&read) }
        }
        var others: [Int32] = []
        #expect(throws: StateProblem.self) { try self.reader(bytes).code(&others) }
        #expect(throws: StateProblem.self) { try self.reader(bytes).finish() }
    }

    @Test func `a load curve is read back bin by bin, and read twice it is added`() throws {
        let curve = LoadCurveTests.curve()
        let buffer = LoadBuffer(for: curve)
        let requests = LoadCurveTests.requests(5_000, seed: 3)
        for request in requests {
            buffer.count(endpoint: request.endpoint, region: request.region, cause: request.cause, tenth: request.tenth)
        }
        // Bins that need one, two and four bytes.
        for _ in 0..<70_000 { buffer.count(endpoint: 1, region: 0, cause: 0, tenth: 1_234) }
        for _ in 0..<300 { buffer.count(endpoint: 0, region: 0, cause: 0, tenth: 5) }
        buffer.flush()
        let bytes = try written { try curve.code($0) }
        let read = LoadCurveTests.curve()
        try read.code(reader(bytes))
        func same(_ a: LoadCurve, _ b: LoadCurve, times: UInt32) -> Bool {
            (0..<LoadCurveTests.endpoints).allSatisfy { endpoint in
                withExtendedLifetime((a, b)) {
                    zip(a.tenths(of: endpoint), b.tenths(of: endpoint)).allSatisfy { $0 * times == $1 }
                }
            }
        }
        #expect(same(curve, read, times: 1))
        try read.code(reader(bytes))
        #expect(same(curve, read, times: 2))
        #expect(throws: StateProblem.self) {
            try LoadCurve(endpoints: 1, regions: 1, minutes: 5).code(self.reader(bytes))
        }
    }
}
