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
