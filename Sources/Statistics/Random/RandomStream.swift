/// The random numbers of one decision of one person or device: looked up by a key, not drawn from a queue that others
/// share.
///
/// The key is (seed, person, device slot, purpose, sub-index). Philox2x64-6 runs under the seed as its 64-bit key, over
/// a counter laid out so that each field has bits of its own. Since the block function permutes the counters, two
/// different keys under one seed never share a block:
///
/// | word | bits 63–48 | 47–40 | 39–0 |
/// |---|---|---|---|
/// | `w0` | purpose | block, bits 47–40 | block, bits 39–0 |
/// | `w1` | sub | slot | person |
///
/// A block gives two numbers. Every single draw computes its block, so that a stream is no more than its key and a
/// count, which matters where a million streams are suspended; `pair(at:)` takes both numbers of one. A stream holds
/// 2^49 numbers. Making one costs nothing.
@frozen public struct RandomStream: Sendable, BitwiseCopyable {
    /// The slot of a stream that belongs to the person and not to one of their devices.
    public static let personSlot: UInt8 = 255

    /// People are numbered below this.
    @inlinable public static var personLimit: UInt64 { 1 << 40 }

    @usableFromInline let seed: UInt64
    @usableFromInline let purposeWord: UInt64
    @usableFromInline let personWord: UInt64
    @usableFromInline var drawn: UInt64

    /// The stream of one key, at its first number.
    ///
    /// - Parameters:
    ///   - person: below 2^40.
    ///   - slot: the device's slot, or 255 (`personSlot`) for the person's own decisions.
    ///   - sub: tells decisions of one purpose apart, as the number of an instance or an app.
    @inlinable @inline(__always)
    public init(seed: UInt64, person: UInt64, slot: UInt8 = RandomStream.personSlot, purpose: Purpose, sub: UInt16 = 0)
    {
        precondition(person < Self.personLimit, "person numbers are below 2^40")
        self.init(seed: seed, known: person, slot: slot, purpose: purpose, sub: sub)
    }

    /// A stream of a person whose number is known to be below 2^40.
    @inlinable @inline(__always)
    init(seed: UInt64, known person: UInt64, slot: UInt8, purpose: Purpose, sub: UInt16) {
        assert(person < Self.personLimit, "person numbers are below 2^40")
        self.seed = seed
        purposeWord = UInt64(purpose.rawValue) << 48
        personWord = UInt64(sub) << 48 | UInt64(slot) << 40 | person
        drawn = 0
    }

    /// The next number: 64 random bits.
    @inlinable @inline(__always)
    public mutating func next() -> UInt64 {
        let index = drawn
        drawn = index &+ 1
        return value(at: index)
    }

    /// The number at `index` (below 2^49), the same one that the `index`-th call of `next()` returns, counted from 0.
    /// The stream does not move.
    @inlinable @inline(__always)
    public func value(at index: UInt64) -> UInt64 {
        let words = block(index >> 1)
        return index & 1 == 0 ? words.w0 : words.w1
    }

    /// The two numbers of a block of the stream: those at twice `number` and after it. The stream does not move.
    @inlinable @inline(__always)
    public func pair(at number: UInt64) -> (first: UInt64, second: UInt64) {
        let words = block(number)
        return (words.w0, words.w1)
    }

    @inlinable @inline(__always)
    func block(_ number: UInt64) -> TwoWords {
        assert(number < 1 << 48, "a stream holds 2^49 numbers")
        return Philox2x64.block(TwoWords(purposeWord | number, personWord), key: seed)
    }
}

extension RandomStream {
    /// The next number as a fraction strictly between 0 and 1.
    @inlinable @inline(__always)
    public mutating func nextUniform() -> Double { Self.uniform(next()) }

    /// The next number as an index in `0..<bound`.
    @inlinable @inline(__always)
    public mutating func nextIndex(below bound: UInt64) -> UInt64 { Self.index(next(), below: bound) }

    /// `u` as a fraction: its leading 52 bits in the middle of their cell, so from 2^-53 to 1 − 2^-53. Monotone in `u`;
    /// exact.
    @inlinable @inline(__always)
    public static func uniform(_ u: UInt64) -> Double {
        (Double(Int64(truncatingIfNeeded: u >> 12)) + 0.5) * 0x1p-52
    }

    /// `u` as an index in `0..<bound`, monotone in `u`. No index is off its share by more than 2^-64.
    @inlinable @inline(__always)
    public static func index(_ u: UInt64, below bound: UInt64) -> UInt64 {
        assert(bound > 0, "there is no index below 0")
        return u.multipliedFullWidth(by: bound).high
    }
}

/// The random numbers of one person, or of one of their devices: every stream by its purpose.
///
/// The one way from whose numbers they are to a stream's address: seed, person and slot stand here, purpose and
/// sub-index with the decision.
@frozen public struct RandomStreams: Sendable, BitwiseCopyable {
    public let seed: UInt64
    /// Below 2^40.
    public let person: UInt64
    /// The device's slot, or `RandomStream.personSlot` for the person's own decisions.
    public let slot: UInt8

    @inlinable @inline(__always)
    public init(seed: UInt64, person: UInt64, slot: UInt8 = RandomStream.personSlot) {
        precondition(person < RandomStream.personLimit, "person numbers are below 2^40")
        self.seed = seed
        self.person = person
        self.slot = slot
    }

    /// The streams of one of the person's devices.
    @inlinable @inline(__always)
    public func ofDevice(_ slot: UInt8) -> RandomStreams { RandomStreams(seed: seed, person: person, slot: slot) }

    /// The stream of a purpose, at its first number.
    ///
    /// - Parameter sub: from 0 to 65,535; tells decisions of one purpose apart, as the number of an instance or an app.
    @inlinable @inline(__always)
    public subscript(purpose: Purpose, sub sub: Int = 0) -> RandomStream {
        RandomStream(seed: seed, known: person, slot: slot, purpose: purpose, sub: UInt16(sub))
    }

    /// One number of a stream: of a decision that is made once, or looked up by its index.
    @inlinable @inline(__always)
    public func number(_ purpose: Purpose, sub: Int = 0, at index: UInt64 = 0) -> UInt64 {
        self[purpose, sub: sub].value(at: index)
    }
}

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
