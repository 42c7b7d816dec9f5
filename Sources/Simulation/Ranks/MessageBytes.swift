/// Numbers in messages: seven bits a byte, the lowest first, so that small ones are short.
extension [UInt8] {
    /// The most bytes of a number.
    static let mostOfNumber = 10

    mutating func append(number: UInt64) {
        withUnsafeTemporaryAllocation(byteCount: Self.mostOfNumber, alignment: 1) { room in
            var writer = NumberWriter(room)
            writer.append(number: number)
            append(contentsOf: writer.written)
        }
    }

    mutating func append(counted bytes: [UInt8]) {
        append(number: UInt64(bytes.count))
        self += bytes
    }
}

/// Writes numbers as a message has them, into memory that has room for all.
struct NumberWriter {
    private let room: UnsafeMutableRawBufferPointer
    private var count = 0

    init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

    @inline(__always) mutating func append(_ byte: UInt8) {
        precondition(count < room.count, "a message with more numbers than there is room for")
        room[count] = byte
        count += 1
    }

    @inline(__always) mutating func append(number: UInt64) {
        var left = number
        while left >= 0x80 {
            append(UInt8(truncatingIfNeeded: left) | 0x80)
            left >>= 7
        }
        append(UInt8(truncatingIfNeeded: left))
    }

    /// A number of either sign: small ones of both are short.
    @inline(__always) mutating func append(signed number: Int64) {
        append(number: UInt64(bitPattern: number << 1 ^ number >> 63))
    }
}

/// Reads a message; what is not there is nil.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    var isOver: Bool { place == bytes.endIndex }
    /// All that was not read.
    var rest: ArraySlice<UInt8> { bytes[place...] }

    mutating func byte() -> UInt8? {
        if isOver { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    @inline(__always) mutating func number() -> UInt64? {
        var (value, shift) = (UInt64(0), UInt64(0))
        while place < bytes.endIndex, shift < 64 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    @inline(__always) mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    mutating func counted() -> ArraySlice<UInt8>? {
        guard let count = number(), count <= UInt64(bytes.endIndex - place) else { return nil }
        defer { place += Int(count) }
        return bytes[place..<place + Int(count)]
    }
}
