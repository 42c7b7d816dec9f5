import Basics
import ScenarioFiles

/// The requests of logs by the minute, in as much memory as a run's span and a year take, whatever times the logs have.
struct LoggedMinutes {
    /// Minutes of the run.
    private let span: Range<Int64>
    private var inside: [Int64: Int64] = [:]
    /// Empty once they are too far apart to be of one log.
    private var outside: [Int64: Int64] = [:]
    private var requestsOutside: Int64 = 0
    /// The first and the last minute outside of the run, and where the last of them stands.
    private var first = Int64.max
    private var last = Int64.min
    private var lastPlace = (file: "", line: 0)

    /// A log of other days than the run's is no longer than this.
    private static let longest: Int64 = 366 * 1_440

    init(span: Range<Int64>) { self.span = span }

    /// - Parameters:
    ///   - place: the file and the line of the request.
    ///   - count: how many there are.
    mutating func add(_ minute: Int64, at place: (file: String, line: Int), count: Int64 = 1) {
        if span.contains(minute) {
            inside[minute, default: 0] += count
            return
        }
        requestsOutside += count
        if minute < first || minute > last { lastPlace = place }
        (first, last) = (min(first, minute), max(last, minute))
        if last - first < Self.longest { outside[minute, default: 0] += count } else { outside = [:] }
    }

    /// The minutes of the run where the log has requests in them, and otherwise all.
    ///
    /// - Parameter notes: gets a sentence about requests that are left out.
    /// - Throws: a problem if they are of other days than the run's and further apart than a log's.
    func minutes(notes: inout [String]) throws(RecordProblems) -> MinuteCounts {
        if !inside.isEmpty {
            if requestsOutside > 0 {
                notes.append("\(FigureText.counted(requestsOutside, "request")) outside of the run's span left out")
            }
            return MinuteCounts(inside)
        }
        guard last - first < Self.longest else {
            var faults = LineFaults(file: lastPlace.file)
            try faults.fail(
                LineFault(
                    expected: "requests in the run's span, or a log of at most 366 days",
                    found:
                        "\(FigureText.counted(requestsOutside, "request")) from \(MinuteCounts.text(first)) to \(MinuteCounts.text(last))"
                ),
                line: lastPlace.line)
        }
        return MinuteCounts(outside)
    }
}
