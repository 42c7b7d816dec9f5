import Basics
import RefreshService
import ResultFiles
import Simulation
import Statistics

/// Simulates a run again and collects the requests of a span, which no run keeps.
///
/// People are pure functions, so these are the run's own requests: they must be as many as the load counts, in every
/// tenth of a second at every endpoint.
package struct LoadExporter {
    package let settings: ExportSettings
    private let run: ScenarioRun
    private let collected: CollectedArrivals
    /// The search that came to the requests of all for whom a sample stands; nil where nobody stands for others.
    package let scaled: ScaledService?

    /// - Parameters:
    ///   - cancelled: as in a run.
    ///   - progress: as in a run.
    /// - Returns: nil if it was cancelled.
    package init?(
        _ run: ScenarioRun, of source: ExportSource, _ settings: ExportSettings, threads: Int,
        cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws {
        let endpoints = run.scenario.plan.endpoints.count
        var parts: [CollectedArrivals] = []
        // Each round of the search of a sample before a service has its own.
        let isSample = run.scenario.peopleBeforeService != nil
        let result = try run.run(
            threads: threads, atOrigin: settings.stage == .origin, span: settings.span,
            takers: {
                let part = CollectedArrivals(settings, endpoints: endpoints)
                parts = (isSample ? [] : parts) + [part]
                return { part.take($0) }
            }, cancelled: cancelled, progress: progress)
        guard let result else { return nil }
        try source.check(result)
        let collected = parts[0]
        for part in parts.dropFirst() { collected.merge(part) }
        self.settings = settings
        self.run = run
        self.collected = collected
        scaled = result.scaled
        collected.sort()
        checkTotals(result)
    }

    /// The export and the tables count the same requests.
    private func checkTotals(_ result: RunResult) {
        let all = result.scaled?.outcome
        let (edge, service) = (all?.load ?? result.load, all?.service ?? result.service)
        let load = settings.stage == .origin ? service?.originLoad ?? edge : edge
        let first = Int(
            (settings.span.lowerBound - ExportSpan.report(of: run.scenario).lowerBound).microseconds / 100_000)
        for endpoint in 0..<load.endpoints {
            let tenths = load.tenths(of: endpoint)
            for tenth in 0..<settings.tenths {
                let own = collected.counted[endpoint * settings.tenths + tenth]
                precondition(
                    own == tenths[first + tenth],
                    "\(own) requests exported of \(tenths[first + tenth]) in tenth \(first + tenth) at the endpoint \(run.scenario.plan.endpoints[endpoint])"
                )
            }
        }
    }

    /// All requests of the span, as many as the run's tables have.
    package var total: Int { collected.total }
    /// Those that are exported.
    package var exported: Int { collected.keptCount }

    /// The fullest second of the span before anything is thinned; nil without requests, or for a span below a second.
    package var peak: (requests: Int, from: Instant)? {
        collected.peak.map {
            ($0.requests, settings.span.lowerBound + Duration(microseconds: Int64($0.start) * 100_000))
        }
    }

    /// Writes the export's files and its manifest: all of them, or none.
    ///
    /// - Parameters:
    ///   - command: the words of the command that makes it.
    /// - Returns: the names of the files without the manifest.
    /// - Throws: the sentence that there are too many lines, or no requests; why the folder cannot be written.
    package func writeFiles(into folder: OutputFolder, source: ExportSource, command: [String]) throws -> [String] {
        let scenario = run.scenario
        if exported == 0 {
            throw ExportProblem(
                "\(FigureText.counted(total, "request")) at the \(settings.stage.rawValue) from \(ExportSpan.text(settings.span, scenario)), and none is kept; nothing was written "
                    + "(another --span\(settings.thinning.isNone ? "" : ", or a larger --scale"))", isUsage: true)
        }
        if settings.format.isExact { try checkLines(collected.keptCount) }
        let contents = ExportContents(
            settings: settings, collected: collected, names: ArrivalNames(run),
            clock: ScenarioClock(
                startUnixMicroseconds: scenario.plan.clock.startUnixMicroseconds + settings.shift.microseconds),
            origin:
                "Simulated by reloadsim \(ReloadsimVersion.text): \(scenario.name), \(ExportSpan.text(settings.span, scenario)), at the \(settings.stage.rawValue)."
        )
        let files = contents.files
        try checkLines(files.reduce(0) { $0 + $1.lines })
        for file in files { try folder.write(file.name) { (sink) throws(OutputProblem) in try file.put(into: sink) } }
        var members: JSONMembers = [
            "export": settings.format.rawValue, "source": source.name, "scenario": scenario.name,
            "seed": String(scenario.plan.seed), "stage": settings.stage.rawValue,
            "from": ExportSpan.text(settings.span.lowerBound, scenario),
            "to": ExportSpan.text(settings.span.upperBound, scenario), "requests": total, "exported": exported,
            "scale": settings.thinning.share, "speed": JSONText.digits(settings.speed.text),
        ]
        if let peak {
            members += [
                "peak_second": ExportSpan.text(peak.from, scenario), "peak_requests": peak.requests,
            ]
        }
        if settings.shift != .zero { members.add("shift_s", settings.shift.inSeconds) }
        members.add("url", settings.target?.text)
        members.add("command", command)
        let stale = ExportFormat.allFileNames.filter { name in !files.contains { $0.name == name } }
        try folder.complete(members, removing: stale)
        return files.map(\.name)
    }

    private func checkLines(_ lines: Int) throws(ExportProblem) {
        guard let most = settings.mostLines, lines > most else { return }
        throw ExportProblem(
            "the export would have \(FigureText.grouped(lines)) lines, more than \(FigureText.grouped(most)); nothing was written "
                + "(a shorter --span, a smaller --scale, or --force)", isUsage: true)
    }
}

extension ExportFormat {
    /// The files of every format: those of another one, written before, go from a folder.
    package static let allFileNames = [
        "requests.csv", "requests.tsv", "requests.gor", "load.js", "scenario.json", "targets.json", "targets.jsonl",
        "steps.txt", "attack.sh", "paths.txt", "requests.lua", "requests.om", "dashboard.json",
    ]
}

/// A time at one rate.
struct RateStep: Hashable {
    /// Its length in tenths of a second.
    var tenths: Int
    var requests: Int

    /// Requests a second, a whole number: a step is a tenth or a second, or several of the same rate.
    var rate: Int { requests * 10 / tenths }
    var milliseconds: Int { tenths * 100 }

    /// Seconds on either side of the fullest one that have their tenths.
    static let fineSeconds = 5

    /// The steps of a span: tenths of a second round the fullest second and at an end that is no whole second, seconds
    /// elsewhere, one after another of the same rate together.
    static func steps(of tenths: [UInt32]) -> [RateStep] {
        let fine = PeakSecond(of: tenths).map {
            ($0.start / 10 - fineSeconds)...(($0.start + 9) / 10 + fineSeconds)
        }
        var steps: [RateStep] = []
        func add(_ step: RateStep) {
            if let last = steps.last, last.rate == step.rate {
                steps[steps.count - 1] = RateStep(
                    tenths: last.tenths + step.tenths, requests: last.requests + step.requests)
            } else {
                steps.append(step)
            }
        }
        for from in stride(from: 0, to: tenths.count, by: 10) {
            let cell = tenths[from..<min(from + 10, tenths.count)]
            if cell.count < 10 || fine?.contains(from / 10) == true {
                for requests in cell { add(RateStep(tenths: 1, requests: Int(requests))) }
            } else {
                add(RateStep(tenths: 10, requests: cell.reduce(0) { $0 + Int($1) }))
            }
        }
        return steps
    }
}

/// The addresses that a tool draws from, each as often as the fleet asks for it: a draw of any row has the fleet's
/// popularity.
enum TargetSample {
    /// More requests than this are sampled: a target has the rows of its share then, cut or rounded up to the next
    /// whole one.
    static let mostRows = 100_000

    /// The rows, in an order that depends on their number alone.
    static func rows(_ targets: [ArrivalTarget: Int], _ names: ArrivalNames) -> [ArrivalTarget] {
        let sorted = targets.sorted { $0.key.rank < $1.key.rank }
        let total = sorted.reduce(0) { $0 + $1.value }
        let count = min(total, mostRows)
        var rows: [ArrivalTarget] = []
        rows.reserveCapacity(count)
        var below = 0
        for (target, requests) in sorted {
            below += requests
            // The row in the middle of its part of all requests lies below.
            while rows.count < count && (2 * rows.count + 1) * total < 2 * count * below { rows.append(target) }
        }
        return rows.enumerated().sorted {
            (IdentityHash.mixed(UInt64($0.offset)), $0.offset) < (IdentityHash.mixed(UInt64($1.offset)), $1.offset)
        }
        .map(\.element)
    }
}
