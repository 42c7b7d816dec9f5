import Synchronization

/// Counts that many threads add to.
final class LoadBins: @unchecked Sendable {
    // Safety: threads write through atomic additions only; plain reads come after the threads are joined.
    private let start: UnsafeMutablePointer<Atomic<UInt32>>
    let count: Int

    init(count: Int) {
        self.count = count
        let memory = LargeMemory.allocate(byteCount: max(1, count) * 4, for: "the load curve")
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(1, count) * 4)
        start = memory.bindMemory(to: Atomic<UInt32>.self, capacity: max(1, count))
    }

    deinit { LargeMemory.free(start) }

    func add(at index: Int) {
        precondition(index >= 0 && index < count, "a request outside the reported span")
        let after = start[index].add(1, ordering: .relaxed).newValue
        precondition(after != 0, "a bin of the load curve overflows")
    }

    func peek(_ index: Int) -> UInt32 {
        precondition(index < count, "a request outside the reported span")
        return start[index].load(ordering: .relaxed)
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count * 4) }

    func slice(_ from: Int, count: Int) -> UnsafeBufferPointer<UInt32> {
        let first = UnsafeRawPointer(start + from).assumingMemoryBound(to: UInt32.self)
        return UnsafeBufferPointer(start: first, count: count)
    }

    func merge(_ other: LoadBins) {
        let theirs = other.slice(0, count: count)
        for i in 0..<count where theirs[i] != 0 { add(theirs[i], at: i) }
    }

    private func add(_ amount: UInt32, at index: Int) {
        let after = start[index].add(amount, ordering: .relaxed).newValue
        precondition(after >= amount, "a bin of the load curve overflows")
    }
}

// MARK: Writing down

extension LoadBins {
    /// Bins that are written with one width: 0, 1, 2 or 4 bytes for each, as many as the fullest of them needs. Most bins of a curve are small or empty.
    private static let block = 4_096

    /// Writes the bins down, or adds those that were written.
    func code(_ stream: StateStream) throws(StateProblem) {
        var count = count
        try stream.code(&count)
        if count != self.count { throw StateProblem("a load curve of \(count) bins stands for one of \(self.count)") }
        for from in stride(from: 0, to: count, by: Self.block) {
            let size = min(Self.block, count - from)
            var width: UInt8 = 0
            if !stream.isReading {
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

    private func code<Narrow: FixedWidthInteger & BitwiseCopyable>(_ stream: StateStream, as: Narrow.Type, _ from: Int, _ size: Int)
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
