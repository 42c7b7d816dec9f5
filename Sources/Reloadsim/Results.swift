import Basics
import Reporting
import ResultFiles
import ScenarioFiles
import Simulation
import Pages

/// The measures of a run.
@dynamicMemberLookup
public struct Results: Sendable {
    private let report: RunReport
    private let resolved: String
    private let circumstances: RunCircumstances
    private let rows: [String: SummaryRow]
    /// The sentences on what providers' answers had in them that is allowed and probably not meant: dates that have
    /// passed, entries closer than five minutes, more than 400 of them, many askings for one second.
    public let warnings: [String]

    init(_ result: RunResult, resolved: String, _ circumstances: RunCircumstances) {
        report = RunReport(result)
        (self.resolved, self.circumstances) = (resolved, circumstances)
        warnings = result.scenario.answerWarnings
        rows = Dictionary(report.summary.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A metric by its name, such as `share_fresh`, or that of a part, `weather.share_fresh`; nil if the run has none
    /// of that name. `reloadsim explain` lists them all.
    public subscript(name: String) -> Metric? {
        rows[name].map { row in
            let range = report.range(name)
            return Metric(
                name: name, unit: row.unit, value: report.representedValue(name) ?? .nan,
                lower: range?.low ?? -.infinity, upper: range?.high ?? .infinity)
        }
    }

    /// A metric by its name, `results.share_fresh`; one that the run does not have ends the program with a sentence.
    public subscript(dynamicMember name: String) -> Metric {
        guard let metric = self[name] else {
            let nearest = Nearest.name(to: name, among: rows.keys.sorted()).map { "; did you mean \($0)?" } ?? ""
            preconditionFailure("the run has no metric \(name)\(nearest)")
        }
        return metric
    }

    /// The names of all metrics, in the order of the summary.
    public var metrics: [String] { report.summary.map(\.name) }

    /// The digest of everything that was counted: two runs with the same one have the same results.
    public var fingerprint: String { report.fingerprint }

    /// The names of all tables.
    public var tables: [String] { report.tableNames }

    /// A table as text in CSV by its name, such as `reloads`; nil if the run has none of that name. Reports/README.md
    /// has their columns.
    public func csv(_ table: String) -> String? {
        do throws(OutputProblem) { return try report.csv(table) } catch {
            preconditionFailure("a table in memory that cannot be written: \(error)")
        }
    }

    /// Writes all tables and the page into a folder, as `reloadsim run` does.
    ///
    /// - Parameters:
    ///   - folder: its path; it is made if it is not there.
    ///   - isForced: whether results that are there already are replaced.
    /// - Throws: `ReloadsimError` if it cannot be written; then nothing of it is left.
    public func write(to folder: String, replacing isForced: Bool = false) throws {
        do throws(OutputProblem) {
            let output = try OutputFolder(path: folder, replacing: isForced)
            try report.write(
                to: output, resolvedScenario: resolved, circumstances: circumstances,
                page: OutputFolder.pageWriter)
        } catch { throw ReloadsimError([error.description]) }
    }
}

/// A figure of a run, with its range in other draws of the fleet.
public struct Metric: Hashable, Sendable, CustomStringConvertible {
    /// As thresholds and `results[…]` name it.
    public let name: String
    /// The unit of all three numbers, such as `1/s`; empty for shares and plain counts.
    public let unit: String
    /// The best single guess, for all people that those of the run stand for; NaN if nothing was counted.
    public let value: Double
    /// The ends of the range that holds the value of 95 of 100 other draws of the fleet; infinite where a run of this
    /// kind knows no range, so that no bound on it holds by chance.
    public let lower, upper: Double

    /// Value, range and unit.
    public var description: String {
        let range =
            lower.isFinite && upper.isFinite
            ? " (\(FigureText.threeDigits(lower)) to \(FigureText.threeDigits(upper)))" : ""
        return "\(name) \(FigureText.threeDigits(value))\(range)\(unit.isEmpty ? "" : " " + unit)"
    }
}
