import CMPI
import Commands
import Foundation
import Simulation

/// The exchange between the processes that `mpirun`, `srun` or another starter of MPI has started.
///
/// Every rank gathers a block of two kilobytes from every other, in which most messages have room; what is longer
/// comes in a second call. Both are begun and then looked at, not waited for: so a rank can give up or do something
/// else meanwhile, and where there are more ranks than cores it lets others have them.
final class MPIExchange: RankExchange, @unchecked Sendable {
    // Safety: one thread at a time uses it, as every exchange.
    let rank, ranks: Int
    let machine: String
    var patience = Swift.Duration.seconds(60)
    private let members: mpi_group
    /// Memory of its own: a call that is under way writes to it.
    private let block, blocks: UnsafeMutableRawBufferPointer
    private let clock = ContinuousClock()
    /// The call that was begun and has not ended, when it was, and its message.
    private var begun: (call: UnsafeMutablePointer<mpi_call>, at: ContinuousClock.Instant, message: [UInt8])?
    /// The memory of the call under way, if it is the second one.
    private var rest: Rest?
    /// The exchange among some of the ranks.
    private var part: MPIExchange?
    private var hasFailed = false
    /// A call has failed or was given up: what MPI has begun is not over.
    var isBroken: Bool { hasFailed || part?.isBroken ?? false }

    /// The bytes of a block, four of which say how long the message is.
    private static let blockBytes = 2048
    private static let lengthBytes = 4

    /// Begins MPI; once in a process.
    ///
    /// - Throws: `ExchangeProblem` if it cannot begin.
    convenience init() throws {
        let code = mpi_begin()
        if code != 0 {
            throw ExchangeProblem(missing: [], clause: "MPI cannot begin: \(Self.text { mpi_error(code, $0) })")
        }
        self.init(mpi_all())
    }

    private init(_ members: mpi_group) {
        self.members = members
        rank = Int(mpi_rank(members))
        ranks = Int(mpi_ranks(members))
        machine = Self.text(mpi_machine)
        block = .allocate(byteCount: Self.blockBytes, alignment: 8)
        block.initializeMemory(as: UInt8.self, repeating: 0)
        blocks = .allocate(byteCount: Self.blockBytes * ranks, alignment: 8)
        blocks.initializeMemory(as: UInt8.self, repeating: 0)
    }

    func group(_ ranks: Range<Int>) throws -> any RankExchange {
        var members = mpi_all()
        try check(mpi_split(self.members, Int32(ranks.lowerBound), Int32(rank), &members))
        let part = MPIExchange(members)
        part.patience = patience
        self.part = part
        return part
    }

    func all(_ mine: [UInt8]) throws -> [[UInt8]] {
        if ranks == 1 { return [mine] }
        try begin(mine)
        guard let messages = try ended(waiting: true) else { preconditionFailure("a call that was waited for") }
        return messages
    }

    func begin(_ mine: [UInt8]) throws {
        precondition(begun == nil, "two calls at once")
        fill(mine)
        let call = UnsafeMutablePointer<mpi_call>.allocate(capacity: 1)
        try check(mpi_gather(members, block.baseAddress, Int32(Self.blockBytes), blocks.baseAddress, call))
        begun = (call, clock.now, mine)
    }

    func ended(waiting: Bool) throws -> [[UInt8]]? {
        while let begun {
            if waiting {
                try wait(for: begun.call)
            } else {
                var isOver: Int32 = 0
                try check(mpi_is_over(begun.call, &isOver))
                if isOver == 0 {
                    if begun.at.duration(to: clock.now) > patience { try giveUp() }
                    return nil
                }
            }
            begun.call.deallocate()
            self.begun = nil
            if let messages = try messages(begun.message) { return messages }
        }
        return nil
    }

    /// A block has room for so many bytes beside the length.
    private static let room = blockBytes - lengthBytes

    /// Puts a message, or as much as has room, into the own block.
    private func fill(_ mine: [UInt8]) {
        precondition(mine.count <= Int(Int32.max), "a message of \(mine.count) bytes")
        for place in 0..<Self.lengthBytes { block[place] = UInt8(truncatingIfNeeded: mine.count >> (8 * place)) }
        UnsafeMutableRawBufferPointer(rebasing: block[Self.lengthBytes...]).copyBytes(from: mine.prefix(Self.room))
    }

    /// The messages of all ranks, of which the blocks are here; nil if a call for what had no room in them was begun.
    private func messages(_ mine: [UInt8]) throws -> [[UInt8]]? {
        let room = Self.room
        let lengths = (0..<ranks).map { rank in
            (0..<Self.lengthBytes).reduce(0) { $0 | Int(blocks[rank * Self.blockBytes + $1]) << (8 * $1) }
        }
        if rest == nil && lengths.contains(where: { $0 > room }) {
            try beginRest(mine, lengths.map { max(0, $0 - room) })
            return nil
        }
        defer {
            rest?.deallocate()
            rest = nil
        }
        return lengths.enumerated().map { rank, length in
            let start = rank * Self.blockBytes + Self.lengthBytes
            let message = Array(blocks[start..<start + min(room, length)])
            return rest.map { message + $0.bytes(of: rank) } ?? message
        }
    }

    /// Begins to gather what had no room in the blocks.
    private func beginRest(_ mine: [UInt8], _ lengths: [Int]) throws {
        let sum = lengths.reduce(0, +)
        if sum > Int(Int32.max) {
            throw ExchangeProblem(
                missing: [], clause: "messages of \(sum) bytes together are more than MPI gathers at once")
        }
        let rest = Rest(mine.dropFirst(Self.room), lengths)
        self.rest = rest
        let call = UnsafeMutablePointer<mpi_call>.allocate(capacity: 1)
        try check(
            mpi_gather_counted(
                members, rest.mine.baseAddress, Int32(rest.mine.count), rest.all.baseAddress,
                rest.counts.baseAddress, rest.places.baseAddress, call))
        begun = (call, clock.now, mine)
    }

    /// The part of the messages that had no room in the blocks. Its memory outlives a call that is given up.
    private struct Rest {
        let mine, all: UnsafeMutableRawBufferPointer
        let counts, places: UnsafeMutableBufferPointer<Int32>

        init(_ mine: ArraySlice<UInt8>, _ lengths: [Int]) {
            self.mine = .allocate(byteCount: mine.count, alignment: 8)
            self.mine.copyBytes(from: mine)
            all = .allocate(byteCount: lengths.reduce(0, +), alignment: 8)
            counts = .allocate(capacity: lengths.count)
            _ = counts.initialize(from: lengths.map(Int32.init))
            places = .allocate(capacity: lengths.count)
            var place: Int32 = 0
            for rank in lengths.indices {
                places.initializeElement(at: rank, to: place)
                place += counts[rank]
            }
        }

        func deallocate() {
            mine.deallocate()
            all.deallocate()
            counts.deallocate()
            places.deallocate()
        }

        func bytes(of rank: Int) -> UnsafeMutableRawBufferPointer.SubSequence {
            all[Int(places[rank])..<Int(places[rank]) + Int(counts[rank])]
        }
    }

    // MARK: Waiting

    /// So many looks one after another, and so many after which the core is given to others each time; then it is also
    /// left for a moment.
    private static let spins = 400
    private static let yields = 20_000
    private static let looksBetweenClocks = 64

    /// Waits for the end of a call.
    private func wait(for call: UnsafeMutablePointer<mpi_call>) throws {
        var (looks, isOver) = (0, Int32(0))
        var start: ContinuousClock.Instant?
        while true {
            try check(mpi_is_over(call, &isOver))
            if isOver != 0 { return }
            looks += 1
            if looks > Self.yields { usleep(50) } else if looks > Self.spins { sched_yield() }
            if looks % Self.looksBetweenClocks != 0 { continue }
            let now = clock.now
            if let start, start.duration(to: now) > patience { try giveUp() }
            start = start ?? now
        }
    }

    private func check(_ code: Int32) throws {
        if code == 0 { return }
        hasFailed = true
        throw ExchangeProblem(missing: [], clause: Self.text { mpi_error(code, $0) })
    }

    /// The time in which ranks that wait hear of one another; those that began to wait later have it, too.
    private static let roll = Swift.Duration.seconds(3)

    /// Tells all others that this rank waits, hears which of them do, and throws: those that are not heard of are
    /// missing.
    private func giveUp() throws -> Never {
        hasFailed = true
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 1)
        for other in 0..<ranks where other != rank {
            try check(mpi_tell(members, Int32(other), byte, .allocate(capacity: 1)))
        }
        var missing = Set((0..<ranks).filter { $0 != rank })
        let end = clock.now + Self.roll
        while clock.now < end {
            for other in missing {
                var isHeard: Int32 = 0
                try check(mpi_hears(members, Int32(other), &isHeard))
                if isHeard != 0 { missing.remove(other) }
            }
            usleep(1_000)
        }
        throw ExchangeProblem(missing: missing.sorted(), clause: "nothing came from it for \(patience / .seconds(1)) s")
    }

    /// A text that a function writes.
    private static func text(_ write: (UnsafeMutablePointer<CChar>?) -> Void) -> String {
        var text = [CChar](repeating: 0, count: Int(mpi_text_bytes) + 1)
        text.withUnsafeMutableBufferPointer { write($0.baseAddress) }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
