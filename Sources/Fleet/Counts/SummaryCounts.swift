import Statistics
import WidgetPlatform

/// The counts from which a summary is computed: those of each segment and kind of device, those of each stratum added
/// up over location modes, surfaces and faces, those of the Live Activities of each kind, and the requests at each
/// endpoint.
///
/// About a thirtieth of the counts of a run, so that several groups of people can have them each (`PersonGroups`).
public struct SummaryCounts: Hashable, Sendable {
    public let layout: MeasureLayout
    public let endpoints: Int
    private var cells: [Int64]

    /// Zeros.
    public init(layout: MeasureLayout, endpoints: Int) {
        self.layout = layout
        self.endpoints = endpoints
        cells = [Int64](repeating: 0, count: Self.count(layout, endpoints))
    }

    /// - Parameter requests: those that arrived at each endpoint in the report.
    public init(_ measures: RunMeasures, requests: [Int64]) {
        self.init(layout: measures.layout, endpoints: requests.count)
        set(measures, requests: requests)
    }

    /// Puts other counts of the same layout in the place of those that are there.
    mutating func set(_ measures: RunMeasures, requests: [Int64]) {
        let devices = stratumStart
        for i in 0..<devices { cells[i] = measures.cells[i] }
        for stratum in layout.strata.indices {
            set(measures, [layout.place(ofStratum: stratum)], at: reloads(stratum))
            let surfaces = layout.surfaces(ofStratum: stratum)
            set(
                measures,
                CountedMode.allCases.flatMap { mode in
                    surfaces.map { layout.viewPlace(ofStratum: stratum, mode: mode, surface: $0) }
                }, at: views(stratum))
            if layout.hasForecasts {
                set(
                    measures, CountedMode.allCases.map { layout.forecastPlace(ofStratum: stratum, mode: $0) },
                    at: forecasts(stratum))
            }
            set(
                measures,
                layout.strata[stratum].faces.indices.map { layout.facePlace(ofStratum: stratum, face: $0) },
                at: faces(stratum))
        }
        for kind in 0..<layout.liveKinds { set(measures, [layout.place(ofLiveKind: kind)], at: activities(kind)) }
        setRequests(requests)
    }

    /// Puts other requests at each endpoint in the place of those that are there.
    public mutating func setRequests(_ requests: [Int64]) {
        let start = cells.count - endpoints
        for endpoint in 0..<endpoints { cells[start + endpoint] = requests[endpoint] }
    }

    /// - Parameter load: the requests in the report. Only after all threads are done.
    public init(_ measures: RunMeasures, _ load: LoadCurve) {
        let requests = (0..<load.endpoints).map { endpoint in
            (0..<load.regions).reduce(0) { $0 + load.requests(of: endpoint, region: $1) }
        }
        self.init(measures, requests: requests)
    }

    /// How many counts there are for a layout.
    public static func count(_ layout: MeasureLayout, _ endpoints: Int) -> Int {
        layout.segments * layout.devices.count * DeviceCounts.size + layout.strata.count * sizeOfStratum
            + layout.liveKinds * ActivityCounts.size + endpoints
    }

    private static var sizeOfStratum: Int {
        ReloadCounts.size + ViewCounts.size + FaceCounts.size + ForecastCounts.size
    }

    private var stratumStart: Int { layout.segments * layout.devices.count * DeviceCounts.size }
    private func reloads(_ stratum: Int) -> Int { stratumStart + stratum * Self.sizeOfStratum }
    private func views(_ stratum: Int) -> Int { reloads(stratum) + ReloadCounts.size }
    private func faces(_ stratum: Int) -> Int { views(stratum) + ViewCounts.size }
    private func forecasts(_ stratum: Int) -> Int { faces(stratum) + FaceCounts.size }
    private func activities(_ kind: Int) -> Int { reloads(layout.strata.count) + kind * ActivityCounts.size }

    /// Puts the sum of some blocks at a place.
    private mutating func set<Block: CountBlockKind>(
        _ measures: RunMeasures, _ places: [BlockPlace<Block>], at start: Int
    ) {
        let sources = places.map { UnsafePointer(measures.cells + $0.offset) }
        // Wraps, as this runs every 32 people: the run's own counts, whose parts these are, trap.
        sources.withUnsafeBufferPointer { sources in
            cells.withUnsafeMutableBufferPointer { cells in
                Self.forEachFour(of: Block.size) { i in
                    var sum = SIMD4<Int64>.zero
                    for source in sources { sum &+= Self.four(source + i) }
                    Self.set(cells.baseAddress! + start + i, sum)
                } rest: { i in
                    cells[start + i] = sources.reduce(0) { $0 &+ $1[i] }
                }
            }
        }
    }

    /// Adds what some counts are above others before them, of the same layout.
    mutating func add(_ now: SummaryCounts, less before: SummaryCounts) {
        precondition(now.cells.count == cells.count && before.cells.count == cells.count, "counts of different layouts")
        now.cells.withUnsafeBufferPointer { now in
            before.cells.withUnsafeBufferPointer { before in
                cells.withUnsafeMutableBufferPointer { cells in
                    let (own, now, before) = (cells.baseAddress!, now.baseAddress!, before.baseAddress!)
                    Self.forEachFour(of: cells.count) { i in
                        Self.set(own + i, Self.four(own + i) &+ Self.four(now + i) &- Self.four(before + i))
                    } rest: { i in
                        own[i] = own[i] &+ now[i] &- before[i]
                    }
                }
            }
        }
    }

    /// Four counts at a time, which the compiler does not find, and the rest one by one.
    @inline(__always)
    private static func forEachFour(of count: Int, _ body: (Int) -> Void, rest: (Int) -> Void) {
        for i in stride(from: 0, to: count & ~3, by: 4) { body(i) }
        for i in count & ~3..<count { rest(i) }
    }

    @inline(__always)
    private static func four(_ from: UnsafePointer<Int64>) -> SIMD4<Int64> {
        UnsafeRawPointer(from).loadUnaligned(as: SIMD4<Int64>.self)
    }

    @inline(__always)
    private static func set(_ to: UnsafeMutablePointer<Int64>, _ four: SIMD4<Int64>) {
        UnsafeMutableRawPointer(to).storeBytes(of: four, as: SIMD4<Int64>.self)
    }

    public static func += (sum: inout SummaryCounts, other: SummaryCounts) { sum.combine(other) { $0 + $1 } }
    public static func -= (sum: inout SummaryCounts, other: SummaryCounts) { sum.combine(other) { $0 - $1 } }

    @inline(__always) private mutating func combine(_ other: SummaryCounts, _ operation: (Int64, Int64) -> Int64) {
        precondition(other.cells.count == cells.count, "counts of different layouts")
        cells.withUnsafeMutableBufferPointer { own in
            other.cells.withUnsafeBufferPointer { theirs in
                for i in own.indices { own[i] = operation(own[i], theirs[i]) }
            }
        }
    }

    /// Takes away the counts of some of the people; false if they cannot be.
    mutating func leave(_ other: SummaryCounts) -> Bool {
        combine(other) { $0 &- $1 }
        return cells.allSatisfy { $0 >= 0 }
    }

    var isZero: Bool { cells.allSatisfy { $0 == 0 } }

    /// The counts that are not 0, each after its number.
    func withFilledBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        var handed: [Int64] = []
        for (i, count) in cells.enumerated() where count != 0 {
            handed.append(Int64(i))
            handed.append(count)
        }
        handed.withUnsafeBytes(body)
    }

    /// Writes the counts down, or adds those that were written: a sequence of zeros costs four bytes.
    func code(_ stream: StateStream) throws(StateProblem) -> SummaryCounts {
        var read = self
        var next = 0
        while next < cells.count {
            var zeros = UInt32(0)
            if !stream.isReading {
                while next + Int(zeros) < cells.count, cells[next + Int(zeros)] == 0 { zeros += 1 }
            }
            try stream.code(&zeros)
            try stream.require(Int(zeros) <= cells.count - next, "\(zeros) counts that are none")
            next += Int(zeros)
            if next == cells.count { break }
            var value = cells[next]
            try stream.code(&value)
            if stream.isReading {
                let (sum, isTooMuch) = cells[next].addingReportingOverflow(value)
                if isTooMuch || value <= 0 || sum > StateStream.mostCounted {
                    throw StateProblem("an impossible count of \(value)")
                }
                read.cells[next] = sum
            }
            next += 1
        }
        return read
    }
}

/// The sums of parts.
extension SummaryCounts {
    public func requests(atEndpoint endpoint: Int) -> Int64 { cells[cells.count - endpoints + endpoint] }
    public var requests: Int64 { cells.suffix(endpoints).reduce(0, +) }

    public func devices(ofSegment segment: Int, _ device: DeviceKind) -> BlockSum<DeviceCounts> {
        BlockSum(cells, from: layout.place(ofSegment: segment, device).offset)
    }

    public func addActivities(ofLiveKind kind: Int, to sum: inout BlockSum<ActivityCounts>) {
        sum.add(cells, from: activities(kind))
    }

    public func addReloads(ofStratum stratum: Int, to sum: inout BlockSum<ReloadCounts>) {
        sum.add(cells, from: reloads(stratum))
    }
    public func addViews(ofStratum stratum: Int, to sum: inout BlockSum<ViewCounts>) {
        sum.add(cells, from: views(stratum))
    }
    public func addFaces(ofStratum stratum: Int, to sum: inout BlockSum<FaceCounts>) {
        sum.add(cells, from: faces(stratum))
    }
    public func addForecasts(ofStratum stratum: Int, to sum: inout BlockSum<ForecastCounts>) {
        sum.add(cells, from: forecasts(stratum))
    }
}
