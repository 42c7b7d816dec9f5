import Basics
import Statistics

/// The counts at the edge and the origin, gathered for the minute that runs and handed to the measures when it is over.
///
/// Almost all that is counted belongs to the minute that runs: that is one addition in a small table. Before the report
/// one long "minute" runs whose counts are forgotten.
struct MinuteTally: ~Copyable {
    private static let minute = Duration.minutes(1)
    private static let fields = ServiceField.allCases.count

    let measures: ServiceMeasures
    private let end: Instant
    private(set) var minuteStart: Instant = .longAgo
    private(set) var minuteEnd: Instant
    /// -1 before the report.
    private(set) var index = -1
    private let counts: UnsafeMutablePointer<Int64>
    private let cells: Int

    init(_ measures: ServiceMeasures, end: Instant) {
        self.measures = measures
        self.end = end
        minuteEnd = measures.reportFrom
        cells = measures.pools * measures.regions
        counts = .allocate(capacity: max(1, cells * Self.fields))
        counts.initialize(repeating: 0, count: max(1, cells * Self.fields))
    }

    deinit { counts.deallocate() }

    private var reportFrom: Instant { measures.reportFrom }

    /// A pool and a region as one number.
    @inline(__always)
    func cell(pool: Int, region: UInt16) -> Int { pool * measures.regions + Int(region) }

    /// Counts in the minute that runs.
    @inline(__always)
    mutating func count(_ field: ServiceField, _ cell: Int, by amount: Int64 = 1) {
        assert(cell < cells, "no pool and region \(cell)")
        counts[cell * Self.fields + field.rawValue] += amount
    }

    /// Counts at an instant of any minute; what lies outside the report is left out.
    mutating func count(_ field: ServiceField, _ cell: Int, at instant: Instant) {
        if instant >= minuteStart && instant < minuteEnd {
            count(field, cell)
        } else if instant >= reportFrom && instant < end {
            add(1, field, cell, minute: minute(of: instant))
        }
    }

    /// Counts the microseconds from `from` to `to`, each in its own minute. `to` is not after the minute that runs.
    @inline(__always)
    mutating func count(_ field: ServiceField, _ cell: Int, from: Instant, to: Instant) {
        if from >= minuteStart && to <= minuteEnd {
            count(field, cell, by: (to - from).microseconds)
        } else {
            split(field, cell, from: from, to: to)
        }
    }

    /// The minute of the report that an instant lies in.
    private func minute(of instant: Instant) -> Int {
        Int((instant - reportFrom).microseconds / Self.minute.microseconds)
    }

    private func split(_ field: ServiceField, _ cell: Int, from: Instant, to: Instant) {
        var from = max(from, reportFrom)
        let to = min(to, end)
        while from < to {
            let minute = minute(of: from)
            let boundary = min(to, reportFrom + Self.minute * Int64(minute + 1))
            add((boundary - from).microseconds, field, cell, minute: minute)
            from = boundary
        }
    }

    private func add(_ amount: Int64, _ field: ServiceField, _ cell: Int, minute: Int) {
        measures[field, pool: cell / measures.regions, region: cell % measures.regions, minute: minute] += amount
    }

    /// Writes the minute that runs down, or reads it back; the minutes before it are in the measures.
    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&minuteStart)
        try stream.code(&minuteEnd)
        try stream.code(&index)
        try stream.code(counts, count: cells * Self.fields)
        // Before it is reckoned with: what was read may be any number.
        try stream.require((-1...measures.minutes).contains(index), "a minute outside the report")
        let start = index < 0 ? Instant.longAgo : reportFrom + Self.minute * Int64(index)
        try stream.require(
            minuteStart == start && minuteEnd == (index < 0 ? reportFrom : min(start + Self.minute, end)),
            "a minute outside the report")
        for place in 0..<cells * Self.fields {
            try stream.require(
                (0...StateStream.mostCounted).contains(counts[place]), "an impossible count of \(counts[place])")
        }
    }

    /// Ends the minute that runs.
    mutating func closeMinute() {
        for cell in 0..<cells {
            for field in ServiceField.allCases {
                let amount = counts[cell * Self.fields + field.rawValue]
                counts[cell * Self.fields + field.rawValue] = 0
                if amount != 0 && index >= 0 { add(amount, field, cell, minute: index) }
            }
        }
        index += 1
        minuteStart = minuteEnd
        minuteEnd = min(minuteEnd + Self.minute, end)
    }
}
