/// The sorts of requests in a load besides the first tries of reloads' requests.
public struct RequestClasses: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Those from outside the fleet (S4).
    public static let outside = RequestClasses(rawValue: 1)
    /// Requests of apps' background fetches (B8).
    public static let fetches = RequestClasses(rawValue: 2)
    /// Further tries (S3).
    public static let retries = RequestClasses(rawValue: 4)
}

/// Requests by their arrival at the edge, in bins of a tenth of a second and of a minute.
///
/// All threads add to one curve: integer additions commute, so the sum does not depend on their order. The bins of one
/// endpoint stand together.
public final class LoadCurve: Sendable {
    public static let tenthsPerMinute = 600
    /// The number of causes for which requests are sent: those of reloads, whose names are in a module above.
    public static let causes = 14
    /// Beside them: requests from outside the fleet, at the origin alone, and those of apps' background fetches.
    public static let outsideCause = causes
    public static let fetchCause = causes + 1

    /// The number under which a curve counts the further tries of the requests of a reload with a cause (S3).
    public static func retryCause(of cause: Int) -> Int { fetchCause + 1 + cause }

    /// How many causes a curve tells apart that has requests of these sorts besides the first tries of reloads'.
    public static func causes(with sorts: RequestClasses) -> Int {
        if sorts.contains(.retries) { return retryCause(of: causes) }
        return sorts.contains(.fetches) ? fetchCause + 1 : sorts.contains(.outside) ? outsideCause + 1 : causes
    }

    public let endpoints, regions, minutes: Int
    /// How many causes are counted: those of reloads, and perhaps more.
    public let causes: Int
    private let isSparse: Bool
    // A bin's index fits 32 bits: `init` says so.
    private let tenths: LoadBins
    private let split: LoadBins
    /// Pairs of requests of one person; nil where people are not simulated one after another.
    public let pairs: RequestPairs?
    /// The requests by groups of people; where pairs are counted.
    public let groups: GroupedMinutes?
    /// The pushes that the fleet's servers send, beside the requests that they get; nil if none are counted.
    public let sends: LoadCurve?

    /// A curve of `minutes` minutes from the start of the reported span; 4 bytes a bin. One of no minutes keeps
    /// nothing, whatever is added.
    ///
    /// - Parameters:
    ///   - isSparse: whether most tenths will have no request, as those of a small fleet.
    ///   - countsPairs: whether a buffer is told where a person ends, so that pairs of their requests can be counted.
    ///   - sends: an empty curve for what servers send.
    public init(
        endpoints: Int, regions: Int, minutes: Int, causes: Int = LoadCurve.causes, isSparse: Bool = false,
        countsPairs: Bool = false, sends: LoadCurve? = nil
    ) {
        self.endpoints = endpoints
        self.regions = regions
        self.minutes = minutes
        self.causes = causes
        self.isSparse = isSparse
        precondition(
            endpoints * minutes * max(Self.tenthsPerMinute, regions * causes) <= Int(UInt32.max),
            "a load curve too long")
        tenths = LoadBins(count: endpoints * minutes * Self.tenthsPerMinute, isSparse: isSparse)
        split = LoadBins(count: endpoints * regions * causes * minutes, isSparse: isSparse)
        pairs = countsPairs ? RequestPairs(minutes: minutes) : nil
        groups = countsPairs ? GroupedMinutes(minutes: minutes) : nil
        self.sends = sends
    }

    /// The memory that the bins of such a curve take, in bytes.
    public static func bytes(endpoints: Int, regions: Int, minutes: Int, causes: Int = LoadCurve.causes) -> Int {
        4 * endpoints * minutes * (tenthsPerMinute + regions * causes)
    }

    /// The bins of a request that arrives `tenth` tenths of a second after the start of the span.
    func bins(endpoint: Int, region: Int, cause: Int, tenth: Int) -> LoadBuffer.Entry {
        LoadBuffer.Entry(
            tenth: UInt32(endpoint * minutes * Self.tenthsPerMinute + tenth),
            split: UInt32(((endpoint * regions + region) * causes + cause) * minutes + tenth / Self.tenthsPerMinute))
    }

    /// Adds what a buffer holds.
    func add(_ entries: UnsafeBufferPointer<LoadBuffer.Entry>) {
        if minutes == 0 { return }
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

    /// The tenths of a second with requests at an endpoint, in their order; nil if they are more than `most`. Only
    /// after all threads are done.
    public func filledTenths(of endpoint: Int, most: Int) -> [FilledTenth]? {
        let tenths = tenths(of: endpoint)
        let first = endpoint * tenths.count
        var filled: [FilledTenth] = []
        self.tenths.forEachUsed(in: first..<first + tenths.count) {
            if filled.count <= most {
                Self.collect(tenths, $0.lowerBound - first..<$0.upperBound - first, into: &filled, most: most)
            }
        }
        return filled.count > most ? nil : filled
    }

    /// Adds the bins of a range that are not empty, up to a few more than `most`. Most are: eight at a time are passed
    /// over.
    static func collect(
        _ bins: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, into filled: inout [FilledTenth], most: Int
    ) {
        var first = range.lowerBound
        while first < range.upperBound && filled.count <= most {
            if first + 8 <= range.upperBound, LoadBins.areEmpty(bins, first) {
                first += 8
                continue
            }
            let next = min(first + 8, range.upperBound)
            while first < next {
                if bins[first] != 0 { filled.append(FilledTenth(tenth: first, requests: Int64(bins[first]))) }
                first += 1
            }
        }
    }

    /// The requests of each minute at an endpoint from a region for a cause. Only after all threads are done.
    public func minutes(of endpoint: Int, region: Int, cause: Int) -> UnsafeBufferPointer<UInt32> {
        split.slice(((endpoint * regions + region) * causes + cause) * minutes, count: minutes)
    }

    /// All requests at an endpoint from a region. Only after all threads are done.
    public func requests(of endpoint: Int, region: Int) -> Int64 {
        (0..<causes).reduce(0) { sum, cause in
            minutes(of: endpoint, region: region, cause: cause).reduce(sum) { $0 + Int64($1) }
        }
    }

    /// The tenths of a second with requests of a minute, counted from its start, all endpoints together. Only after all
    /// threads are done.
    public func filledTenths(ofMinute minute: Int) -> [FilledTenth] {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.tenthsPerMinute) { sums in
            sums.initialize(repeating: 0)
            for endpoint in 0..<endpoints {
                let first = (endpoint * minutes + minute) * Self.tenthsPerMinute
                tenths.forEachUsed(in: first..<first + Self.tenthsPerMinute) { used in
                    let bins = tenths.slice(used.lowerBound, count: used.count)
                    for i in bins.indices { sums[used.lowerBound - first + i] += bins[i] }
                }
            }
            return [FilledTenth](UnsafeBufferPointer(sums), ofMinute: 0)
        }
    }

    /// Whether an endpoint has a request from a region for a cause. Only after all threads are done.
    public func hasRequests(of endpoint: Int, region: Int, cause: Int) -> Bool {
        let first = ((endpoint * regions + region) * causes + cause) * minutes
        return !split.isEmpty(first..<first + minutes)
    }

    /// The requests of each minute, all endpoints, regions and causes together. Only after all threads are done.
    public var requestsByMinute: [Int64] { requestsByMinute(of: 0..<endpoints) }

    private func requestsByMinute(of endpoints: Range<Int>) -> [Int64] {
        var sums = [Int64](repeating: 0, count: minutes)
        let ofEndpoint = regions * causes
        for part in endpoints.lowerBound * ofEndpoint..<endpoints.upperBound * ofEndpoint {
            split.add(part * minutes..<(part + 1) * minutes, to: &sums)
        }
        return sums
    }

    /// A curve of the same shape with nothing in it.
    public func emptyCopy() -> LoadCurve {
        LoadCurve(
            endpoints: endpoints, regions: regions, minutes: minutes, causes: causes, isSparse: isSparse,
            countsPairs: pairs != nil, sends: sends?.emptyCopy())
    }

    /// Adds another curve of the same shape.
    public func merge(_ other: LoadCurve) {
        precondition(
            other.endpoints == endpoints && other.regions == regions && other.minutes == minutes
                && other.causes == causes,
            "curves of different shapes")
        tenths.merge(other.tenths)
        split.merge(other.split)
        if let theirs = other.pairs { pairs?.merge(theirs) }
        if let theirs = other.groups { groups?.merge(theirs) }
        if let theirs = other.sends { sends?.merge(theirs) }
    }

    /// Writes all bins down, or adds those that were written: to an empty curve, to get it back, or to the curve of
    /// other people. Not while anybody adds.
    public func code(_ stream: StateStream) throws(StateProblem) {
        try tenths.code(stream)
        try split.code(stream)
        try pairs?.code(stream)
        try groups?.code(stream)
        try sends?.code(stream)
        if stream.isReading {
            try stream.require(addsUp, "requests of tenths of a second that are not those of their minutes")
        }
    }

    /// Whether both sorts of bins count the same requests in every minute.
    private var addsUp: Bool {
        for endpoint in 0..<endpoints {
            let sums = requestsByMinute(of: endpoint..<endpoint + 1)
            let tenths = tenths(of: endpoint)
            for minute in 0..<minutes {
                let bins = tenths[minute * Self.tenthsPerMinute..<(minute + 1) * Self.tenthsPerMinute]
                if bins.reduce(0, { $0 + Int64($1) }) != sums[minute] { return false }
            }
        }
        return true
    }

    /// The bytes of all counts that are not 0, with their places, for the fingerprint.
    public func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        tenths.withFilledBytes(body)
        split.withFilledBytes(body)
        pairs?.withFilledBytes(body)
        groups?.withFilledBytes(body)
        sends?.withFilledBytes(body)
    }
}

/// A tenth of a second with requests.
public struct FilledTenth: Hashable, Sendable {
    /// Counted from the start of the curve, or of a minute.
    public let tenth: Int
    public var requests: Int64
}

extension [FilledTenth] {
    /// Those with requests of a minute, counted from its start, of all tenths of a curve.
    public init(_ tenths: UnsafeBufferPointer<UInt32>, ofMinute minute: Int) {
        self.init()
        let count = LoadCurve.tenthsPerMinute
        reserveCapacity(count)
        let bins = UnsafeBufferPointer(rebasing: tenths[minute * count..<(minute + 1) * count])
        LoadCurve.collect(bins, bins.indices, into: &self, most: count)
    }

    /// Those of a minute, counted from its start, of some in ascending order.
    public func ofMinute(_ minute: Int) -> [FilledTenth] {
        let start = minute * LoadCurve.tenthsPerMinute
        func first(from tenth: Int) -> Int {
            var (before, end) = (0, count)
            while before < end {
                let middle = (before + end) / 2
                if self[middle].tenth < tenth { before = middle + 1 } else { end = middle }
            }
            return before
        }
        return self[first(from: start)..<first(from: start + LoadCurve.tenthsPerMinute)].map {
            FilledTenth(tenth: $0.tenth - start, requests: $0.requests)
        }
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
    /// The requests of the person who is simulated now, by their tenths of a second.
    private var ofPerson: [Int] = []
    private let byEndpoint: UnsafeMutableBufferPointer<Int64>
    private let countsPairs: Bool
    /// For what servers send; nil if they send nothing.
    public let sends: LoadBuffer?

    public init(for curve: LoadCurve) {
        self.curve = curve
        countsPairs = curve.pairs != nil && curve.minutes > 0
        sends = curve.sends.map(LoadBuffer.init)
        entries = .allocate(capacity: 1024)
        byEndpoint = .allocate(capacity: curve.endpoints)
        byEndpoint.initialize(repeating: 0)
        count = .allocate(capacity: 1)
        count.initialize(to: 0)
    }

    deinit {
        precondition(count.pointee == 0, "requests that were never added")
        entries.deallocate()
        byEndpoint.deallocate()
        count.deallocate()
    }

    /// Counts a request that arrives `tenth` tenths of a second after the start of the span.
    public func count(endpoint: Int, region: Int, cause: Int, tenth: Int) {
        entries[count.pointee] = curve.bins(endpoint: endpoint, region: region, cause: cause, tenth: tenth)
        count.pointee += 1
        if count.pointee == entries.count { flush() }
        if countsPairs {
            ofPerson.append(tenth)
            byEndpoint[endpoint] += 1
        }
    }

    /// The requests that this buffer has counted at each endpoint since it was made, where pairs are counted too.
    public var requestsByEndpoint: [Int64] { Array(byEndpoint) }

    /// All requests of a person of a group have been counted.
    public func endPerson(group: Int) {
        if !ofPerson.isEmpty {
            ofPerson.withUnsafeMutableBufferPointer {
                curve.groups?.add($0, group: group)
                Self.sort($0)
                curve.pairs?.add($0)
            }
        }
        ofPerson.removeAll(keepingCapacity: true)
        sends?.endPerson(group: group)
    }

    /// Insertion, because a device sends its requests nearly in the order of their arrival; a person's devices come one
    /// after another, so long runs out of order are left to the library.
    private static func sort(_ requests: UnsafeMutableBufferPointer<Int>) {
        var moves = 0
        for i in requests.indices.dropFirst() {
            let one = requests[i]
            var at = i
            while at > 0 && requests[at - 1] > one {
                requests[at] = requests[at - 1]
                at -= 1
            }
            requests[at] = one
            moves += i - at
            if moves > 8 * requests.count { return sortAll(requests) }
        }
    }

    private static func sortAll(_ requests: UnsafeMutableBufferPointer<Int>) {
        var requests = requests
        requests.sort()
    }

    /// Adds all to the curve: when the thread is done, before anybody reads the curve.
    public func flush() {
        curve.add(UnsafeBufferPointer(rebasing: entries[..<count.pointee]))
        count.pointee = 0
        sends?.flush()
    }
}
