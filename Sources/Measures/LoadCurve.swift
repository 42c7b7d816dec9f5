import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Requests by their arrival at the edge, in bins of a tenth of a second and of a minute.
///
/// All threads add to one curve: integer additions commute, so the sum does not depend on their order. The bins of one endpoint stand together.
public final class LoadCurve: Sendable {
    public static let tenthsPerMinute = 600

    public let endpoints, regions, minutes: Int
    // A bin's index fits 32 bits: `init` says so.
    private let tenths: Bins
    private let split: Bins

    /// A curve of `minutes` minutes from the start of the reported span; 4 bytes a bin.
    public init(endpoints: Int, regions: Int, minutes: Int) {
        self.endpoints = endpoints
        self.regions = regions
        self.minutes = minutes
        precondition(
            endpoints * minutes * max(Self.tenthsPerMinute, regions * MeasureLayout.causes) <= Int(UInt32.max), "a load curve too long")
        tenths = Bins(count: endpoints * minutes * Self.tenthsPerMinute)
        split = Bins(count: endpoints * regions * MeasureLayout.causes * minutes)
    }

    /// The memory that the bins of such a curve take, in bytes.
    public static func bytes(endpoints: Int, regions: Int, minutes: Int) -> Int {
        4 * endpoints * minutes * (tenthsPerMinute + regions * MeasureLayout.causes)
    }

    /// The bins of a request that arrives `tenth` tenths of a second after the start of the span.
    func bins(endpoint: Int, region: Int, cause: Int, tenth: Int) -> LoadBuffer.Entry {
        LoadBuffer.Entry(
            tenth: UInt32(endpoint * minutes * Self.tenthsPerMinute + tenth),
            split: UInt32(((endpoint * regions + region) * MeasureLayout.causes + cause) * minutes + tenth / Self.tenthsPerMinute))
    }

    /// Adds what a buffer holds.
    func add(_ entries: UnsafeBufferPointer<LoadBuffer.Entry>) {
        // Reading first brings the bins into the cache side by side; each addition waits for its own bin alone.
        var touched: UInt32 = 0
        for entry in entries { touched &+= tenths.peek(Int(entry.tenth)) &+ split.peek(Int(entry.split)) }
        withExtendedLifetime(touched) {
            for entry in entries {
                tenths.add(at: Int(entry.tenth))
                split.add(at: Int(entry.split))
            }
        }
    }

    /// The requests of each tenth of a second at an endpoint. Only after all threads are done.
    public func tenths(of endpoint: Int) -> UnsafeBufferPointer<UInt32> {
        tenths.slice(endpoint * minutes * Self.tenthsPerMinute, count: minutes * Self.tenthsPerMinute)
    }

    /// The requests of each minute at an endpoint from a region for a cause. Only after all threads are done.
    public func minutes(of endpoint: Int, region: Int, cause: Int) -> UnsafeBufferPointer<UInt32> {
        split.slice(((endpoint * regions + region) * MeasureLayout.causes + cause) * minutes, count: minutes)
    }

    /// Adds another curve of the same shape.
    public func merge(_ other: LoadCurve) {
        precondition(other.endpoints == endpoints && other.regions == regions && other.minutes == minutes, "curves of different shapes")
        tenths.merge(other.tenths)
        split.merge(other.split)
    }

    /// The bytes of all bins in their declared order, for the fingerprint.
    public func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        body(tenths.bytes)
        body(split.bytes)
    }
}

/// Requests that one thread has counted and not yet added to the curve that all threads share.
public final class LoadBuffer {
    struct Entry {
        var tenth, split: UInt32
    }

    private let curve: LoadCurve
    private let entries: UnsafeMutableBufferPointer<Entry>
    /// How many entries there are: in memory of its own, because a property of a class is checked at every access.
    private let count: UnsafeMutablePointer<Int>

    public init(for curve: LoadCurve) {
        self.curve = curve
        entries = .allocate(capacity: 1024)
        count = .allocate(capacity: 1)
        count.initialize(to: 0)
    }

    deinit {
        precondition(count.pointee == 0, "requests that were never added")
        entries.deallocate()
        count.deallocate()
    }

    /// Counts a request that arrives `tenth` tenths of a second after the start of the span.
    public func count(endpoint: Int, region: Int, cause: Int, tenth: Int) {
        entries[count.pointee] = curve.bins(endpoint: endpoint, region: region, cause: cause, tenth: tenth)
        count.pointee += 1
        if count.pointee == entries.count { flush() }
    }

    /// Adds all to the curve: when the thread is done, before anybody reads the curve.
    public func flush() {
        curve.add(UnsafeBufferPointer(rebasing: entries[..<count.pointee]))
        count.pointee = 0
    }
}

/// Counts that many threads add to.
private final class Bins: @unchecked Sendable {
    // Safety: threads write through atomic additions only; plain reads come after the threads are joined.
    private let start: UnsafeMutablePointer<Atomic<UInt32>>
    private static let largePage = 2 << 20
    let count: Int

    init(count: Int) {
        self.count = count
        let isLarge = count * 4 >= Self.largePage
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * 4, alignment: isLarge ? Self.largePage : 64)
        // Additions go all over the bins: with large pages they need few entries of the processor's page table. Advice, which may be ignored.
        #if canImport(Glibc)
            if isLarge { madvise(memory, count * 4, MADV_HUGEPAGE) }
        #endif
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(1, count) * 4)
        start = memory.bindMemory(to: Atomic<UInt32>.self, capacity: max(1, count))
    }

    deinit { UnsafeMutableRawPointer(start).deallocate() }

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

    func merge(_ other: Bins) {
        let theirs = other.slice(0, count: count)
        for i in 0..<count where theirs[i] != 0 {
            let after = start[i].add(theirs[i], ordering: .relaxed).newValue
            precondition(after >= theirs[i], "a bin of the load curve overflows")
        }
    }
}
