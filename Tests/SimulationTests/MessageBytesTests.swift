import Testing

@testable import Simulation

@Suite struct MessageBytesTests {
    /// Numbers around every power of two.
    private static let numbers: [UInt64] = (0..<64).flatMap { bits -> [UInt64] in
        let power = UInt64(1) << UInt64(bits)
        return [power - 1, power, power + 1, power | 0x55]
    }

    /// Seven bits a byte, the lowest first, written by the definition.
    private static func bytes(of number: UInt64) -> [UInt8] {
        var (left, bytes) = (number, [UInt8]())
        while left >= 128 {
            bytes.append(UInt8(left % 128 + 128))
            left /= 128
        }
        return bytes + [UInt8(left)]
    }

    @Test func `a number is written and read by its definition, whatever stands beside it`() {
        for number in Self.numbers + [.max] {
            let defined = Self.bytes(of: number)
            let written = withUnsafeTemporaryAllocation(byteCount: defined.count, alignment: 1) {
                var writer = NumberWriter($0)
                writer.append(number: number)
                return Array(writer.written)
            }
            #expect(written == defined)
            var appended: [UInt8] = [1]
            appended.append(number: number)
            #expect(appended == [1] + defined)
            var reader = ByteReader((appended + [0xff, 7])[1...])
            #expect(reader.number() == number)
            #expect(reader.rest == [0xff, 7])
        }
    }

    @Test func `a number that breaks off or has no end is none`() {
        for bytes in [[], [0x80], Array(repeating: 0xff, count: 7), Array(repeating: 0xff, count: 30)] as [[UInt8]] {
            var reader = ByteReader(bytes[...])
            #expect(reader.number() == nil)
        }
    }
}
