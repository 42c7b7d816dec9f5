import ResultFiles
import Basics
import Simulation

struct ExportFile {
    /// Takes a line without its end, or several with line ends between them.
    typealias LineSink<Language: ScriptLanguage> = (ScriptText<Language>) throws(OutputProblem) -> Void

    let name: String
    /// The lines that count against the most of an export.
    let lines: Int
    private let writeLines: ((_ line: [UInt8]) throws(OutputProblem) -> Void) throws(OutputProblem) -> Void

    /// - Parameters:
    ///   - language: what the file is written in: every text in it passes an escape of that language.
    ///   - write: gives the lines, as many as it likes.
    init<Language: ScriptLanguage>(
        _ name: String, _ language: Language.Type, lines: Int,
        write: @escaping (LineSink<Language>) throws(OutputProblem) -> Void
    ) {
        (self.name, self.lines) = (name, lines)
        writeLines = { (add) throws(OutputProblem) in try write { (line) throws(OutputProblem) in try add(line.bytes) }
        }
    }

    /// - Parameter text: has no line end at its end.
    init<Language: ScriptLanguage>(_ name: String, lines: Int = 0, text: ScriptText<Language>) {
        self.init(name, Language.self, lines: lines) { (add) throws(OutputProblem) in try add(text) }
    }

    /// Writes in large pieces.
    func put(into sink: ByteSink) throws(OutputProblem) {
        var bytes: [UInt8] = []
        try writeLines { (line) throws(OutputProblem) in
            bytes.append(contentsOf: line)
            bytes.append(10)
            try bytes.flush(into: sink, from: 1 << 20)
        }
        try bytes.send(to: sink)
    }
}

/// The requests of a span with what the formats need to write them.
struct ExportContents {
    let settings: ExportSettings
    let collected: CollectedArrivals
    let names: ArrivalNames
    /// That of the time stamps.
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
        case .vegeta: vegeta
        case .wrk2: wrk2
        case .openmetrics: [openMetrics, grafanaDashboard]
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

    /// The largest number of requests in a second as it is played, at least 1.
    var mostPerSecond: Int { max(1, PeakSecond(of: collected.played)?.requests ?? collected.keptCount) }
}
