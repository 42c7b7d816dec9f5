import Basics
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

    /// All endpoints together come after the endpoints.
    let endpoints: Int
    let minutes: Int
    private let sums: UnsafeMutablePointer<Atomic<UInt64>>
    private var count: Int { Self.count(endpoints: endpoints, minutes: minutes) }

    init(endpoints: Int, minutes: Int) {
        self.endpoints = endpoints
        self.minutes = minutes
        let count = Self.count(endpoints: endpoints, minutes: minutes)
        sums = LargeMemory.allocateZeros(byteCount: max(1, count) * 8, isSparse: true, for: "pairs of requests")
            .bindMemory(to: Atomic<UInt64>.self, capacity: max(1, count))
    }

    deinit { LargeMemory.freeZeros(sums, byteCount: max(1, count) * 8) }

    /// The pairs in the whole report come last.
    static func count(endpoints: Int, minutes: Int) -> Int { (endpoints + 1) * (widths.count * minutes + 1) }

    private func place(_ series: Int, _ width: Int, _ minute: Int) -> Int {
        (series * Self.widths.count + width) * minutes + minute
    }

    /// The pairs in the windows of a width, by its index, that begin in a minute; at an endpoint, or at all together.
    /// Only after all threads are done.
    public func pairs(endpoint: Int?, width: Int, minute: Int) -> UInt64 {
        sums[place(endpoint ?? endpoints, width, minute)].load(ordering: .relaxed)
    }

    /// The pairs in the whole report; at an endpoint, or at all together. Only after all threads are done.
    public func pairs(endpoint: Int?) -> UInt64 { sums[wholePlace(endpoint ?? endpoints)].load(ordering: .relaxed) }

    private func wholePlace(_ series: Int) -> Int { (endpoints + 1) * Self.widths.count * minutes + series }

    /// Adds the pairs of a person's requests, in ascending order of time: the tenth of a second in the upper bits of
    /// each, the endpoint in the lower 16.
    func add(_ requests: UnsafeMutableBufferPointer<UInt64>) {
        add(requests, series: endpoints)
        if endpoints == 1 { return add(requests, series: 0) }
        for endpoint in 0..<endpoints { add(requests, series: endpoint) }
    }

    private func add(_ requests: UnsafeMutableBufferPointer<UInt64>, series: Int) {
        var starts = Self.noWindows
        var counts = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &starts) { starts in
            withUnsafeMutableBytes(of: &counts) { counts in
                add(
                    requests, series: series, starts.assumingMemoryBound(to: Int.self),
                    counts.assumingMemoryBound(to: UInt64.self))
            }
        }
    }

    private static let noWindows = (-1, -1, -1, -1, -1)

    /// - Parameters:
    ///   - windows: the window of each width that the latest request is in.
    ///   - counts: the requests in it so far.
    private func add(
        _ requests: UnsafeMutableBufferPointer<UInt64>, series: Int, _ windows: UnsafeMutableBufferPointer<Int>,
        _ counts: UnsafeMutableBufferPointer<UInt64>
    ) {
        var all: UInt64 = 0
        for request in requests {
            if series < endpoints && Int(request & 0xffff) != series { continue }
            all += 1
            let tenth = Int(request >> 16)
            var isSame = false
            for width in 0..<Self.widths.count {
                // Within one window of a width, also within one of each wider one.
                if !isSame {
                    let window = tenth / Self.widths[width]
                    isSame = window == windows[width]
                    if !isSame {
                        settle(series, width, windows[width], counts[width])
                        (windows[width], counts[width]) = (window, 0)
                    }
                }
                counts[width] += 1
            }
        }
        for width in 0..<Self.widths.count { settle(series, width, windows[width], counts[width]) }
        if all >= 2 { sums[wholePlace(series)].add(all * (all - 1), ordering: .relaxed) }
    }

    @inline(__always) private func settle(_ series: Int, _ width: Int, _ window: Int, _ count: UInt64) {
        if count < 2 { return }
        let minute = window * Self.widths[width] / LoadCurve.tenthsPerMinute
        sums[place(series, width, minute)].add(count * (count - 1), ordering: .relaxed)
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
