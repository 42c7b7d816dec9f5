import Statistics

/// Every count of a run but the load curve: one flat run of integers that adds exactly (see `MeasureLayout`).
///
/// Each thread has one of its own; `merge` is addition, so the sum does not depend on who counted what.
public final class RunMeasures: @unchecked Sendable {
    // Safety: one thread at a time uses it; it is handed over by merging after the thread is joined.
    public let layout: MeasureLayout
    /// The counts; the device loop adds through this pointer, in the `CountBlock` of a place.
    public let cells: UnsafeMutablePointer<Int64>

    public init(layout: MeasureLayout) {
        self.layout = layout
        cells = LargeMemory.allocateZeros(
            byteCount: 8 * layout.count, isSparse: false, for: "the counts of a thread"
        ).bindMemory(to: Int64.self, capacity: layout.count)
    }

    deinit {
        let bytes = 8 * layout.count
        // Large ones belong to long runs.
        if bytes > 8 << 20 { return LargeMemory.freeZeros(cells, byteCount: bytes) }
        LargeMemory.freeForNext(cells, byteCount: bytes, isSparse: false, isCleared: false)
    }

    public func merge(_ other: RunMeasures) {
        precondition(other.layout == layout, "measures of different layouts")
        for i in 0..<layout.count { cells[i] += other.cells[i] }
    }

    /// Writes all counts down, or adds those that were written: to empty measures, to get them back, or to those of
    /// other people.
    public func code(_ stream: StateStream) throws(StateProblem) {
        var count = layout.count
        try stream.code(&count)
        if count != layout.count { throw StateProblem("\(count) counts stand for \(layout.count)") }
        if !stream.isReading { return try stream.code(cells, count: count) }
        let written = UnsafeMutablePointer<Int64>.allocate(capacity: max(1, count))
        defer { written.deallocate() }
        try stream.code(written, count: count)
        // A report adds up some of all of them.
        var all: Int64 = 0
        for i in 0..<count {
            let (sum, isTooMuch) = cells[i].addingReportingOverflow(written[i])
            if isTooMuch || written[i] < 0 || sum > StateStream.mostCounted - all {
                throw StateProblem("an impossible count of \(written[i])")
            }
            cells[i] = sum
            all += sum
        }
    }

    /// A copy of all counts, in the order of the layout.
    public var counts: [Int64] { Array(UnsafeBufferPointer(start: cells, count: layout.count)) }

    /// The fingerprint of the counts and the load curve, in this order.
    ///
    /// - Parameter further: hands on the bytes of what else the run has measured, such as those of its service; a run
    ///   without adds none.
    public func fingerprint(with load: LoadCurve, further: ((UnsafeRawBufferPointer) -> Void) -> Void = { _ in })
        -> String
    {
        var fingerprint = MeasureFingerprint()
        fingerprint.add(UnsafeRawBufferPointer(start: cells, count: layout.count * 8))
        load.withFilledBytes { fingerprint.add($0) }
        further { fingerprint.add($0) }
        return fingerprint.text
    }
}
