/// The people of a rank's blocks who live in the regions that the rank serves, and their places in the tables of the
/// partitions, one after another.
///
/// A word of 64 bits a block, and the place of its first local person: 12 bytes for 64 people.
public final class LocalPeople: @unchecked Sendable {
    // Safety: written in `init` alone.
    private let words: UnsafeMutableBufferPointer<UInt64>
    private let places: UnsafeMutableBufferPointer<UInt32>
    /// The local people of each partition, and of all.
    private let counts: [Int]
    let people: Int
    public var count: Int { counts.reduce(0, +) }

    /// - Parameters:
    ///   - people: of the whole fleet.
    ///   - share: the blocks of the rank.
    ///   - partitions: to which the rank deals its blocks.
    ///   - isResident: asked once for each person of the blocks.
    public init(people: Int, share: RankShare, partitions: Int, where isResident: (_ person: Int) -> Bool) {
        self.people = people
        let blocks = (people + RankShare.block - 1) / RankShare.block
        words = .allocate(capacity: blocks)
        words.initialize(repeating: 0)
        places = .allocate(capacity: blocks)
        places.initialize(repeating: 0)
        var counts = Array(repeating: 0, count: partitions)
        for partition in 0..<partitions {
            for block in share.blocks(of: people, thread: partition, of: partitions) {
                let number = block.lowerBound / RankShare.block
                places[number] = UInt32(counts[partition])
                for person in block where isResident(person) {
                    words[number] |= 1 << UInt64(person % RankShare.block)
                    counts[partition] += 1
                }
            }
        }
        self.counts = counts
    }

    deinit {
        words.deallocate()
        places.deallocate()
    }

    public func contains(_ person: Int) -> Bool {
        person < people && words[person / RankShare.block] >> UInt64(person % RankShare.block) & 1 != 0
    }

    func count(ofPartition partition: Int) -> Int { counts[partition] }

    /// The place of a local person among those of the same partition.
    @inline(__always) func place(of person: Int) -> Int {
        let block = person / RankShare.block
        let before = words[block] & (1 << UInt64(person % RankShare.block) - 1)
        return Int(places[block]) + before.nonzeroBitCount
    }
}
