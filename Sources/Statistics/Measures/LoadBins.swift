import Synchronization

/// Counts that many threads add to.
///
/// A small fleet sends a request to one bin in ten thousand, so the bins lie in pages that exist once they are written
/// to, and a mark for each block of them says whether any was. Reading all bins costs what is there, not what there is
/// room for.
final class LoadBins: @unchecked Sendable {
    // Safety: threads write through atomic operations only; plain reads come after the threads are joined.
    private let start: UnsafeMutablePointer<Atomic<UInt32>>
    /// By block: 1 once one of its bins was added to.
    private let marks: UnsafeMutablePointer<Atomic<UInt8>>
    let count: Int
    private let isSparse: Bool

    /// The bins of a block, as a power of two: whole groups of those that a fingerprint takes at a time.
    private static let blockShift = 6
    private static let block = 1 << blockShift

    /// - Parameter isSparse: whether most bins will stay empty.
    init(count: Int, isSparse: Bool = false) {
        (self.count, self.isSparse) = (count, isSparse)
        let bytes = Self.bytes(count)
        start = LargeMemory.allocateZeros(byteCount: bytes, isSparse: isSparse, for: "the load curve")
            .bindMemory(to: Atomic<UInt32>.self, capacity: max(1, count))
        let blocks = Self.blocks(count)
        marks = LargeMemory.allocateZeros(byteCount: blocks, isSparse: true, for: "the load curve")
            .bindMemory(to: Atomic<UInt8>.self, capacity: blocks)
    }

    deinit {
        let (bytes, blocks) = (Self.bytes(count), Self.blocks(count))
        if isSparse {
            clear()
            LargeMemory.freeForNext(start, byteCount: bytes, isSparse: true, isCleared: true)
            LargeMemory.freeForNext(marks, byteCount: blocks, isSparse: true, isCleared: true)
        } else {
            LargeMemory.freeZeros(start, byteCount: bytes)
            LargeMemory.freeZeros(marks, byteCount: blocks)
        }
    }

    /// Empties all bins, and the marks.
    private func clear() {
        forEachUsed(in: 0..<count) {
            UnsafeMutableRawPointer(start + $0.lowerBound).initializeMemory(
                as: UInt8.self, repeating: 0, count: 4 * $0.count)
            let blocks = $0.lowerBound >> Self.blockShift..<Self.blocks($0.upperBound)
            UnsafeMutableRawPointer(marks + blocks.lowerBound).initializeMemory(
                as: UInt8.self, repeating: 0, count: blocks.count)
        }
    }

    private static func bytes(_ count: Int) -> Int { max(1, count) * 4 }
    private static func blocks(_ count: Int) -> Int { (max(1, count) + block - 1) >> blockShift }

    func add(at index: Int) {
        precondition(index >= 0 && index < count, "a request outside the reported span")
        mark(index)
        let after = start[index].add(1, ordering: .relaxed).newValue
        precondition(after != 0, "a bin of the load curve overflows")
    }

    func peek(_ index: Int) -> UInt32 {
        precondition(index < count, "a request outside the reported span")
        // A page that only was read would be provided twice: as zeros, and again to be written to.
        return marks[index >> Self.blockShift].load(ordering: .relaxed) == 0 ? 0 : start[index].load(ordering: .relaxed)
    }

    private func mark(_ index: Int) {
        let mark = marks + index >> Self.blockShift
        if mark.pointee.load(ordering: .relaxed) == 0 { mark.pointee.store(1, ordering: .relaxed) }
    }

    func slice(_ from: Int, count: Int) -> UnsafeBufferPointer<UInt32> {
        let first = UnsafeRawPointer(start + from).assumingMemoryBound(to: UInt32.self)
        return UnsafeBufferPointer(start: first, count: count)
    }

    /// Calls `body` with the parts of a range outside which all of its bins are empty, in ascending order.
    func forEachUsed(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
        if range.isEmpty { return }
        // Eight marks at a time are passed over: threads no longer write them.
        let (marks, end) = (UnsafeRawPointer(marks), Self.blocks(range.upperBound))
        var block = range.lowerBound >> Self.blockShift
        while block < end {
            if block + 8 <= end, marks.loadUnaligned(fromByteOffset: block, as: UInt64.self) == 0 {
                block += 8
                continue
            }
            var next = block
            while next < end, marks.load(fromByteOffset: next, as: UInt8.self) != 0 { next += 1 }
            if next > block {
                body(max(block << Self.blockShift, range.lowerBound)..<min(next << Self.blockShift, range.upperBound))
            }
            block = next + 1
        }
    }

    /// Whether all bins of a range are empty.
    func isEmpty(_ range: Range<Int>) -> Bool {
        var any: UInt32 = 0
        forEachUsed(in: range) { for bin in slice($0.lowerBound, count: $0.count) { any |= bin } }
        return any == 0
    }

    /// Adds the bins of a range to sums, one for each.
    func add(_ range: Range<Int>, to sums: inout [Int64]) {
        precondition(sums.count == range.count, "\(sums.count) sums of \(range.count) bins")
        sums.withUnsafeMutableBufferPointer { sums in
            forEachUsed(in: range) { used in
                let bins = slice(used.lowerBound, count: used.count)
                let first = used.lowerBound - range.lowerBound
                for i in bins.indices where bins[i] != 0 { sums[first + i] += Int64(bins[i]) }
            }
        }
    }

    /// Calls `body` with the bytes of the bins that are not empty, for the fingerprint: sixteen at a time, after the
    /// number of these sixteen. Most bins of a curve are empty.
    func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        var handed: [UInt32] = []
        handed.reserveCapacity(Self.handedAtOnce + Self.handed + 1)
        func hand() {
            handed.withUnsafeBytes(body)
            handed.removeAll(keepingCapacity: true)
        }
        forEachUsed(in: 0..<count) { part in
            for first in stride(from: part.lowerBound, to: part.upperBound, by: Self.handed) {
                let bins = slice(first, count: min(Self.handed, count - first))
                if bins.count == 16 ? Self.areEmpty(bins, 0) && Self.areEmpty(bins, 8) : bins.allSatisfy({ $0 == 0 }) {
                    continue
                }
                handed.append(UInt32(first / Self.handed))
                handed += bins
                if handed.count >= Self.handedAtOnce { hand() }
            }
        }
        hand()
    }

    /// Whether the eight bins from one on are empty, of which most are.
    @inline(__always)
    static func areEmpty(_ bins: UnsafeBufferPointer<UInt32>, _ first: Int) -> Bool {
        let bytes = UnsafeRawPointer(bins.baseAddress! + first)
        return bytes.loadUnaligned(as: UInt64.self) | bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            | bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            | bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self) == 0
    }

    private static let handed = 16
    private static let handedAtOnce = 16_384

    /// Whether any bin of a range may have a count.
    fileprivate func isUsed(_ range: Range<Int>) -> Bool {
        var isUsed = false
        forEachUsed(in: range) { _ in isUsed = true }
        return isUsed
    }

    func merge(_ other: LoadBins) {
        let theirs = other.slice(0, count: count)
        other.forEachUsed(in: 0..<count) { for i in $0 where theirs[i] != 0 { add(theirs[i], at: i) } }
    }

    private func add(_ amount: UInt32, at index: Int) {
        mark(index)
        let after = start[index].add(amount, ordering: .relaxed).newValue
        precondition(after >= amount, "a bin of the load curve overflows")
    }
}

// MARK: Writing down

extension LoadBins {
    /// Bins that are written with one width: 0, 1, 2 or 4 bytes for each, as many as the fullest of them needs. Most
    /// bins of a curve are small or empty.
    private static let written = 4_096

    /// Writes the bins down, or adds those that were written.
    func code(_ stream: StateStream) throws(StateProblem) {
        var count = count
        try stream.code(&count)
        if count != self.count { throw StateProblem("a load curve of \(count) bins stands for one of \(self.count)") }
        for from in stride(from: 0, to: count, by: Self.written) {
            let size = min(Self.written, count - from)
            var width: UInt8 = 0
            if !stream.isReading, isUsed(from..<from + size) {
                let most = slice(from, count: size).max() ?? 0
                width = most == 0 ? 0 : most <= 0xff ? 1 : most <= 0xffff ? 2 : 4
            }
            try stream.code(&width)
            switch width {
            case 0: break
            case 1: try code(stream, as: UInt8.self, from, size)
            case 2: try code(stream, as: UInt16.self, from, size)
            case 4: try code(stream, as: UInt32.self, from, size)
            default: throw StateProblem("bins of \(width) bytes")
            }
        }
    }

    private func code<Narrow: FixedWidthInteger & BitwiseCopyable>(
        _ stream: StateStream, as: Narrow.Type, _ from: Int, _ size: Int
    )
        throws(StateProblem)
    {
        let narrow = UnsafeMutablePointer<Narrow>.allocate(capacity: size)
        defer { narrow.deallocate() }
        let bins = slice(from, count: size)
        if !stream.isReading { for i in 0..<size { (narrow + i).initialize(to: Narrow(bins[i])) } }
        try stream.code(narrow, count: size)
        if !stream.isReading { return }
        for i in 0..<size where narrow[i] != 0 {
            let (_, isTooMany) = bins[i].addingReportingOverflow(UInt32(narrow[i]))
            if isTooMany { throw StateProblem("more requests in a bin than it has room for") }
            add(UInt32(narrow[i]), at: from + i)
        }
    }
}
