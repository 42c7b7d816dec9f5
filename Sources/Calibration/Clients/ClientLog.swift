import Basics

/// The instants of each client's requests in an access log, and nothing that tells who a client is.
package struct ClientLog: Sendable {
    /// In microseconds since 1970, of one client after another; each client's are in order.
    package let times: [Int64]
    /// Where each client's times begin, and where the last one's end.
    let bounds: [Int]
    /// The forms by which the logs were read.
    package let forms: [String]
    /// Lines that were left out, and what is probably not meant; a sentence each.
    package let notes: [String]

    package var clients: Int { bounds.count - 1 }

    init(times: [Int64], bounds: [Int], forms: [String], notes: [String]) {
        (self.times, self.bounds, self.forms, self.notes) = (times, bounds, forms, notes)
    }

    /// All times are multiples of so many microseconds: of a second, a tenth, a hundredth, a millisecond, or one.
    package var resolution: Int64 {
        [1_000_000, 100_000, 10_000, 1_000].first { step in times.allSatisfy { $0 % step == 0 } } ?? 1
    }

    /// From the first to the last instant but for one request in two thousand at either end: a clock that is wrong
    /// makes no days.
    package var usualSpan: ClosedRange<Int64> {
        let step = max(1, times.count / 200_000)
        let some = stride(from: 0, to: times.count, by: step).map { times[$0] }.sorted()
        if some.isEmpty { return 0...0 }
        let few = some.count / 2_000
        return some[few]...some[some.count - 1 - few]
    }
}

/// The digest of a client's name, by which its requests are told from others'.
enum ClientDigest {
    static func of(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        var hash = FNV1a()
        hash.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(name.base)[name.startIndex..<name.endIndex]))
        return hash.value.mixed
    }
}

/// Collects the requests of a log by their clients: twelve bytes a request.
struct ClientRequests: Sendable {
    private var numbers: [UInt64: UInt32] = [:]
    /// In blocks, so that no block is ever copied to grow.
    private var blocks: [Block] = []
    private(set) var withoutClient = 0
    private(set) var versions: [String: Int] = [:]
    private(set) var count = 0

    private struct Block {
        var clients: [UInt32] = []
        var times: [Int64] = []
    }

    private static let blockSize = 1 << 18
    /// More versions than these are names of something else.
    static let mostVersions = 1_000

    mutating func add(client: UInt64?, at: Int64) {
        guard let client else {
            withoutClient += 1
            return
        }
        let next = UInt32(numbers.count)
        let number = numbers[client, default: next]
        if number == next { numbers[client] = next }
        if blocks.isEmpty || blocks[blocks.count - 1].times.count == Self.blockSize {
            var block = Block()
            block.clients.reserveCapacity(Self.blockSize)
            block.times.reserveCapacity(Self.blockSize)
            blocks.append(block)
        }
        blocks[blocks.count - 1].clients.append(number)
        blocks[blocks.count - 1].times.append(at)
        count += 1
    }

    mutating func count(version: String) {
        if versions.count < Self.mostVersions || versions[version] != nil { versions[version, default: 0] += 1 }
    }

    /// The times by client, in order. The blocks are given back as they are read.
    mutating func sorted() -> (times: [Int64], bounds: [Int]) {
        var bounds = [Int](repeating: 0, count: numbers.count + 1)
        numbers = [:]
        for block in blocks { for client in block.clients { bounds[Int(client) + 1] += 1 } }
        for client in 1..<max(1, bounds.count) { bounds[client] += bounds[client - 1] }
        var next = bounds
        var times = [Int64](repeating: 0, count: count)
        for index in blocks.indices {
            let block = blocks[index]
            blocks[index] = Block()
            for (client, time) in zip(block.clients, block.times) {
                times[next[Int(client)]] = time
                next[Int(client)] += 1
            }
        }
        blocks = []
        for client in 0..<max(0, bounds.count - 1) { times[bounds[client]..<bounds[client + 1]].sort() }
        return (times, bounds)
    }
}
