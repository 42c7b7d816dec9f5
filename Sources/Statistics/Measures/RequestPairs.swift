import Synchronization

/// Ordered pairs of requests of one person in one window: how far the load varies more than requests at random.
///
/// The requests of a window are a sum over people who do not know of each other. With X of one person, the variance of
/// the sum is the sum of E[X²] − E[X]², and the sum of X² over people is the requests and these pairs together. They
/// are counted by the minute in which the aligned window begins, so that a boundary at which all widgets of a person
/// reload together does not hide among quiet hours.
public final class RequestPairs: @unchecked Sendable {
    // Safety: threads write through atomic operations only; plain reads come after the threads are joined.

    /// The widths of the windows, in tenths of a second: each is a multiple of the one before.
    public static let widths = [10, 100, 600, 3_000, 36_000]

    let minutes: Int
    private let sums: UnsafeMutablePointer<Atomic<UInt64>>
    private var count: Int { Self.count(minutes: minutes) }

    init(minutes: Int) {
        self.minutes = minutes
        let count = Self.count(minutes: minutes)
        sums = LargeMemory.allocateZeros(byteCount: count * 8, isSparse: true, for: "pairs of requests")
            .bindMemory(to: Atomic<UInt64>.self, capacity: count)
    }

    deinit {
        LargeMemory.freeForNext(sums, byteCount: count * 8, isSparse: true, isCleared: false)
    }

    private static func count(minutes: Int) -> Int { widths.count * minutes }

    /// The pairs in the windows of a width, by its index, that begin in a minute. Only after all threads are done.
    public func pairs(width: Int, minute: Int) -> UInt64 {
        sums[width * minutes + minute].load(ordering: .relaxed)
    }

    /// Adds the pairs of a person's requests, which are given by their tenths of a second, in ascending order.
    func add(_ requests: UnsafeMutableBufferPointer<Int>) {
        // The window of each width that the latest request is in, and the requests in it so far.
        var windows = (-1, -1, -1, -1, -1)
        var counts = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &windows) { windows in
            withUnsafeMutableBytes(of: &counts) { counts in
                add(
                    requests, windows.assumingMemoryBound(to: Int.self), counts.assumingMemoryBound(to: UInt64.self))
            }
        }
    }

    private func add(
        _ requests: UnsafeMutableBufferPointer<Int>, _ windows: UnsafeMutableBufferPointer<Int>,
        _ counts: UnsafeMutableBufferPointer<UInt64>
    ) {
        for tenth in requests {
            var isSame = false
            for width in 0..<Self.widths.count {
                // Within one window of a width, also within one of each wider one.
                if !isSame {
                    let window = tenth / Self.widths[width]
                    isSame = window == windows[width]
                    if !isSame {
                        settle(width, windows[width], counts[width])
                        (windows[width], counts[width]) = (window, 0)
                    }
                }
                counts[width] += 1
            }
        }
        for width in 0..<Self.widths.count { settle(width, windows[width], counts[width]) }
    }

    @inline(__always) private func settle(_ width: Int, _ window: Int, _ count: UInt64) {
        if count < 2 { return }
        let minute = window * Self.widths[width] / LoadCurve.tenthsPerMinute
        sums[width * minutes + minute].add(count * (count - 1), ordering: .relaxed)
    }

    /// The sums that are not 0, each after its number.
    func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        var handed: [UInt64] = []
        for i in 0..<count {
            let sum = sums[i].load(ordering: .relaxed)
            if sum == 0 { continue }
            handed.append(UInt64(i))
            handed.append(sum)
        }
        handed.withUnsafeBytes(body)
    }

    func merge(_ other: RequestPairs) {
        for i in 0..<count where other.sums[i].load(ordering: .relaxed) != 0 {
            sums[i].add(other.sums[i].load(ordering: .relaxed), ordering: .relaxed)
        }
    }

    /// Writes the pairs down, or adds those that were written. A minute without any costs a byte.
    func code(_ stream: StateStream) throws(StateProblem) {
        for i in 0..<count {
            let own = sums[i].load(ordering: .relaxed)
            var hasAny = !stream.isReading && own != 0
            try stream.code(&hasAny)
            if !hasAny { continue }
            var value = own
            try stream.code(&value)
            if !stream.isReading { continue }
            let (sum, isTooMany) = own.addingReportingOverflow(value)
            if isTooMany || value == 0 || sum > UInt64(StateStream.mostCounted) {
                throw StateProblem("an impossible count of \(value) pairs of requests")
            }
            sums[i].store(sum, ordering: .relaxed)
        }
    }
}
