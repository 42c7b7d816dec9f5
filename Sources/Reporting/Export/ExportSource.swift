import ResultFiles
import Basics
import ScenarioFiles
import ScenarioModel
import Simulation

/// The run that is exported: that of a complete folder, or that of a scenario.
package struct ExportSource: Sendable {
    /// As the command names it.
    package let name: String
    package let read: ParsedScenario
    /// Nil for a scenario.
    private let folder: String?
    /// The fingerprint of the folder's results; nil for a scenario.
    private let fingerprint: String?

    package var scenario: Scenario { read.scenario }

    /// A scenario that was read.
    package init(name: String, scenario: ParsedScenario) {
        self.name = name
        read = scenario
        (folder, fingerprint) = (nil, nil)
    }

    /// The folder of a complete run of this version; its tables are checked against its manifest.
    package init(folder: String) throws {
        switch try CompleteRun.check(folder: folder) {
        case .complete: break
        case .absent:
            throw ExportProblem(
                "\(folder): expected complete results of a run, found no \(OutputFolder.manifestName) in it (run it again, or name a scenario)"
            )
        case .other(let reason): throw ExportProblem("\(folder): \(reason) (run it again with this version)")
        case .damaged(let reason):
            throw ExportProblem("\(folder): \(reason) (name the folder of a complete run, or run it again)")
        }
        guard let facts = try CompleteRun.facts(folder: folder) else {
            throw ExportProblem("\(folder): its manifest states no fingerprint (run it again)")
        }
        if facts.hasRecord {
            throw ExportProblem(
                "\(folder): the run read files that its folder does not hold, such as recorded events (name the scenario in its place)"
            )
        }
        name = folder
        read = try ScenarioText(file: folder + "/" + OutputFolder.resolvedScenarioName).readChecked(overrides: [])
        self.folder = folder
        fingerprint = facts.fingerprint
    }

    /// The largest sliding window of a width as the folder's tables have it; nil for a scenario, whose run has to be
    /// simulated first.
    package func savedWindow(_ window: ExportPeak, stage: ExportStage) throws -> SavedWindow? {
        guard let folder else { return nil }
        let file = folder + "/load_peaks.csv"
        let (requests, start) = (ResultColumn.amount("sliding_peak_requests"), ResultColumn.amount("sliding_start_s"))
        let table = try CSVTable.read(file: file, columns: ["stage", "endpoint", "window_s", requests, start])
        let found = table.rows.first {
            $0["stage"] == stage.rawValue && $0["endpoint"] == "*" && $0["window_s"] == "\(window.seconds)"
        }
        guard let row = found, let count = ResultColumn.count(in: row[requests]), let second = row.number(start) else {
            return .absent
        }
        guard second <= (scenario.plan.end - (.start + scenario.plan.warmup)).inSeconds else {
            throw ExportProblem(
                "\(file): expected windows within the report, found one that starts after \(row[start]) s (run it again)"
            )
        }
        return .found(requests: count, tenth: Int(cutting: (second * 10).rounded()))
    }

    package enum SavedWindow: Hashable, Sendable {
        case found(requests: Int64, tenth: Int)
        /// The report is shorter than the window.
        case absent
    }

    /// Throws unless a result is that of the folder.
    package func check(_ result: RunResult) throws(ExportProblem) {
        guard let fingerprint, fingerprint != result.fingerprint else { return }
        throw ExportProblem(
            "\(name): its fingerprint is \(fingerprint), and its scenario simulated again has \(result.fingerprint): another build of this version made it "
                + "(run it again)")
    }
}

/// The peaks round which a span can lie, by the names of the summary's metrics.
package enum ExportPeak: String, CaseIterable, Sendable {
    case second = "load_peak_1s"
    case minute = "load_peak_1m"
    case hour = "load_peak_1h"

    package var seconds: Int { window.seconds }

    package var window: LoadWindow {
        switch self {
        case .second: .second
        case .minute: .minute
        case .hour: .hour
        }
    }
}
