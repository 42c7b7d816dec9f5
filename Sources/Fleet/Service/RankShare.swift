/// The people of one rank of a run: one process of several that simulate one fleet together.
///
/// Blocks of people are dealt to the ranks in turn, and a rank deals its blocks to its threads in turn.
@frozen public struct RankShare: Hashable, Sendable {
    /// From 0 on, less than `ranks`.
    public let rank: Int
    /// 1 or more.
    public let ranks: Int

    /// The share of a run that is one process: everybody.
    public static let whole = RankShare(rank: 0, of: 1)

    public init(rank: Int, of ranks: Int) {
        precondition(ranks >= 1 && (0..<ranks).contains(rank), "rank \(rank) of \(ranks)")
        self.rank = rank
        self.ranks = ranks
    }

    /// People of a block: it stays together.
    @inlinable static var block: Int { 64 }

    /// Which of a rank's threads simulates a person; nil for a person of another rank.
    @inlinable
    public func thread(of person: Int, among threads: Int) -> Int? {
        if ranks == 1 && threads == 1 { return 0 }
        guard let turn = turn(of: person) else { return nil }
        return threads == 1 ? 0 : Int(turn % UInt32(truncatingIfNeeded: threads))
    }

    /// The number of a person's block among those of the rank; nil if it is another rank's.
    @inlinable @inline(__always)
    func turn(of person: Int) -> UInt32? {
        let (turn, owner) = Self.deal(person, to: ranks)
        return owner == UInt32(truncatingIfNeeded: rank) ? turn : nil
    }

    /// The turn in which a person's block is dealt to some receivers, and which of them gets it.
    @inlinable @inline(__always)
    static func deal(_ person: Int, to receivers: Int) -> (turn: UInt32, receiver: UInt32) {
        // Short numbers are divided quicker.
        let (turn, receiver) = UInt32(truncatingIfNeeded: person / block).quotientAndRemainder(
            dividingBy: UInt32(truncatingIfNeeded: receivers))
        return (turn, receiver)
    }

    /// Whether a person is the rank's.
    @inlinable
    public func owns(_ person: Int) -> Bool { turn(of: person) != nil }

    /// The place of one of the rank's people among them.
    public func place(of person: Int) -> Int {
        guard let turn = turn(of: person) else {
            preconditionFailure("person \(person) is not of rank \(rank) of \(ranks)")
        }
        return Int(turn) * Self.block + person % Self.block
    }

    /// The person at a place; nil if a fleet has nobody there.
    public func person(at place: UInt64, of people: Int) -> Int? {
        if place >= UInt64(people) { return nil }
        let person = (Int(place) / Self.block * ranks + rank) * Self.block + Int(place) % Self.block
        return person < people ? person : nil
    }

    /// Whether what a rank of a run that was interrupted has counted is added to what this one counts: each part to one
    /// rank's.
    public func adds(_ part: RankShare) -> Bool { part.rank % ranks == rank }

    /// How many of a fleet's people are the rank's.
    public func count(of people: Int) -> Int {
        let blocks = people / Self.block
        let own = blocks / ranks + (blocks % ranks > rank ? 1 : 0)
        return own * Self.block + (blocks % ranks == rank ? people % Self.block : 0)
    }

    /// The ranges of people that one of a rank's threads simulates, in order.
    public func blocks(of people: Int, thread: Int, of threads: Int) -> some Sequence<Range<Int>> {
        stride(from: (rank + ranks * thread) * Self.block, to: people, by: ranks * threads * Self.block).lazy.map {
            $0..<min($0 + Self.block, people)
        }
    }
}
