import ResultFiles
import Basics
import Foundation
import ScenarioFiles

/// The load of a run by the minute, from its folder.
package struct RunMinutes: Sendable {
    package let minutes: MinuteCounts
    package let people: Int
    /// The zone of the report, whose clock tells the hours of the day.
    package let zone: String

    /// Where requests are counted.
    package enum Stage: String, CaseIterable, Sendable {
        /// As devices send them: `load.csv`.
        case edge
        /// Behind the caches of the edge: `service.csv`.
        case origin

        var table: (file: String, column: String) {
            switch self {
            case .edge: ("load.csv", "requests")
            case .origin: ("service.csv", "origin_requests")
            }
        }
    }

    /// As long as a scenario may ask for.
    private static let longestReport = 3_660.0 * 86_400

    /// Counts that are known, for tests.
    package init(_ minutes: MinuteCounts, people: Int, zone: String = "UTC") {
        (self.minutes, self.people, self.zone) = (minutes, people, zone)
    }

    /// - Parameter folder: of a complete run of this version with bins of a minute.
    /// - Throws: a `LogProblem`, or what cannot be read.
    package init(folder: String, stage: Stage) throws {
        switch try CompleteRun.check(folder: folder, readsEarlier: true) {
        case .complete: break
        case .absent:
            throw LogProblem(
                "\(folder): expected complete results of a run, found no \(OutputFolder.manifestName) in it")
        case .other(let reason): throw LogProblem("\(folder): \(reason) (run it again with this version)")
        case .damaged(let reason): throw LogProblem("\(folder): \(reason) (run it again)")
        }
        let manifestFile = folder + "/" + OutputFolder.manifestName
        guard let bytes = FileManager.default.contents(atPath: manifestFile) else {
            throw LogProblem("\(manifestFile): it cannot be read")
        }
        guard let root = JSONObject([UInt8](bytes)), let start = root["report_start"] as? String,
            let seconds = root["report_s"] as? Double, let people = root["people"] as? Int,
            let zone = root["zone"] as? String
        else {
            throw LogProblem(
                "\(manifestFile): expected the manifest of a run, found no report_start, report_s, people and zone")
        }
        guard seconds > 0, seconds <= Self.longestReport, (1...ResultColumn.mostCounted).contains(Int64(people)) else {
            throw LogProblem(
                "\(manifestFile): expected people and a report of at most 3,660 days, found \(people) and one of \(seconds) s"
            )
        }
        (self.people, self.zone) = (people, zone)
        guard let (first, _) = CalendarText.instant(start) else {
            throw LogProblem(
                "\(manifestFile): expected a date-time with an offset in report_start, found \(QuotedCut.text(start))")
        }
        guard first % 60_000_000 == 0 else {
            throw LogProblem(
                "\(folder): its report begins within a minute, at \(start), and minutes cannot be compared")
        }
        let (file, column) = stage.table
        guard FileManager.default.fileExists(atPath: folder + "/" + file) else {
            throw LogProblem(
                "\(folder): it has no \(file): a run without a service has no load at the origin of its own (--stage edge)"
            )
        }
        var counts: [Int64: Int64] = [:]
        var fault: LogProblem?
        var reader = FieldReader(.table, names: ["bin_start_s", column])
        var bins: Set<Int64> = []
        var sum: Int64 = 0
        let origin = first / 60_000_000
        try RecordLines.read(.file(folder + "/" + file)) { line, number in
            if reader.awaitsHeader {
                _ = reader.takeHeader(line)
                if reader.hasColumns([0, 1]) { return true }
                fault = LogProblem(
                    "\(folder)/\(file): expected the columns bin_start_s and \(column) (run it again with this version)"
                )
                return false
            }
            guard reader.read(line) == nil, let start = reader.fields[0], let count = reader.fields[1],
                let second = ResultColumn.count(in: start.text(in: line)), Double(second) < seconds,
                let requests = ResultColumn.count(in: count.text(in: line)),
                sum + requests <= ResultColumn.mostCounted
            else {
                fault = LogProblem(
                    "\(folder)/\(file):\(number): expected a bin within the report in bin_start_s, and in \(column) a whole number that can be added to the others"
                )
                return false
            }
            sum += requests
            bins.insert(second)
            counts[origin + second / 60, default: 0] += requests
            return true
        }
        if let fault { throw fault }
        let sorted = bins.sorted()
        if let step = zip(sorted, sorted.dropFirst()).map({ $1 - $0 }).min(), step > 60,
            sorted.allSatisfy({ $0 % step == 0 })
        {
            throw LogProblem(
                "\(folder): its load is counted in bins of \(step) seconds (run it again with load_bin: 1m)")
        }
        if counts.values.allSatisfy({ $0 == 0 }) {
            throw LogProblem("\(folder): the run has no request at the \(stage.rawValue)")
        }
        minutes = MinuteCounts(counts, span: origin..<(origin + Int64(cutting: (seconds / 60).rounded(.up))))
    }
}

/// One sentence about a run or a ranking that cannot be held against a log.
package struct LogProblem: Error, CustomStringConvertible, Sendable {
    package let description: String

    init(_ description: String) { self.description = description }
}
