/// How many numbers of a stream have been drawn: the part of a stream that changes.
///
/// The stream's key, three words that its owner knows, is named at every draw. So what keeps many streams, such as a
/// suspended device behind a service among millions, keeps four bytes for each. It counts to 2^32 − 1; a draw after
/// that ends the program.
@frozen public struct DrawCount: Sendable, BitwiseCopyable {
    @usableFromInline var drawn: UInt32 = 0

    @inlinable public init() {}

    /// The next number of a stream: 64 random bits.
    @inlinable @inline(__always)
    public mutating func next(of stream: RandomStream) -> UInt64 {
        let index = drawn
        drawn = index + 1
        return stream.value(at: UInt64(index))
    }

    /// The next two numbers, of one block of a stream that is drawn from in pairs.
    @inlinable @inline(__always)
    public mutating func nextPair(of stream: RandomStream) -> (first: UInt64, second: UInt64) {
        assert(drawn & 1 == 0, "a pair after a single number")
        let numbers = stream.pair(at: UInt64(drawn >> 1))
        drawn += 2
        return numbers
    }

    /// The index of the number that is drawn next.
    @inlinable public var position: UInt64 { UInt64(drawn) }

    /// Moves to an index below 2^32.
    @inlinable public mutating func move(to index: UInt64) { drawn = UInt32(index) }
}
