import PlainText
import RunFiles
import SimulatedTime
import Simulation

/// A file of an export.
struct ExportFile {
    /// Takes a line without its end.
    typealias LineSink = (String) throws(OutputProblem) -> Void

    let name: String
    /// The lines that count against the most of an export.
    let lines: Int
    private let writeLines: (LineSink) throws(OutputProblem) -> Void

    /// - Parameter write: gives the lines, as many as it likes.
    init(_ name: String, lines: Int, write: @escaping (LineSink) throws(OutputProblem) -> Void) {
        (self.name, self.lines, writeLines) = (name, lines, write)
    }

    /// - Parameter text: ends with a line end.
    init(_ name: String, lines: Int = 0, text: String) {
        self.init(name, lines: lines) { (add) throws(OutputProblem) in try add(String(text.dropLast())) }
    }

    /// Writes in large pieces.
    func write(to sink: ByteSink) throws(OutputProblem) {
        var bytes: [UInt8] = []
        try writeLines { (line) throws(OutputProblem) in
            bytes.append(contentsOf: line.utf8)
            bytes.append(10)
            guard bytes.count >= 1 << 20 else { return }
            try bytes.send(to: sink)
            bytes.removeAll(keepingCapacity: true)
        }
        try bytes.send(to: sink)
    }
}

/// The requests of a span with what the formats need to write them.
struct ExportContents {
    let settings: ExportSettings
    let collected: CollectedArrivals
    let names: ArrivalNames
    let clock: ScenarioClock
    /// The line in which the files say where they are from.
    let origin: String

    /// The files in the order of writing.
    var files: [ExportFile] {
        switch settings.format {
        case .csv: [requestsCSV]
        case .h2load: [timingScript]
        case .gor: [goReplay]
        case .k6: k6
        case .gatling: gatling
        case .jmeter: jmeter
        case .artillery: artillery
        case .locust: locust
        case .openmetrics: [openMetrics]
        }
    }

    /// The address that formats with a target have.
    var target: URLTemplate {
        guard let target = settings.target else { preconditionFailure("no target for \(settings.format)") }
        return target
    }

    var rateSteps: [RateStep] { RateStep.steps(of: collected.played) }

    /// The rows that tools draw their addresses from.
    func targets() -> [(target: ArrivalTarget, path: String)] {
        let template = target
        return TargetSample.rows(collected.targets, names).map { ($0, names.path($0, template)) }
    }

    /// The same as CSV.
    var targetsCSV: ExportFile {
        let rows = targets()
        return ExportFile("targets.csv", lines: rows.count) { (add) throws(OutputProblem) in
            try add("endpoint,region,key,url")
            for (target, path) in rows {
                try add(
                    "\(CSVField.text(names.endpoint(target))),\(CSVField.text(names.region(target))),\(CSVField.text(names.key(target))),"
                        + CSVField.text(self.target.base + path))
            }
        }
    }

    /// The largest number of requests in a second as it is played, at least 1.
    var mostPerSecond: Int { max(1, PeakSecond(of: collected.played)?.requests ?? collected.keptCount) }
}

/// A field of CSV, in quotes if it needs them (RFC 4180).
enum CSVField {
    static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { [34, 44, 10, 13].contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
