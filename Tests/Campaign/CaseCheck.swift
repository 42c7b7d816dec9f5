import ResultFiles
import Foundation
import Reporting
import RunLaws
import ScenarioFiles
import Simulation

/// Everything that holds of every scenario, tried on one.
struct CaseCheck {
    /// The invariants that it breaks, as sentences.
    private(set) var breaches: [String] = []
    private var random: SeededGenerator

    /// - Parameter seed: decides where the run is stopped, how it is divided, and whose life is traced.
    init(_ read: ParsedScenario, seed: UInt64) throws {
        random = SeededGenerator(seed: ~seed)
        try checkText(read)
        let run = try ScenarioRun(read.scenario)
        let started = Date()
        let first = run.begin(threads: 1)
        first.advance()
        let result = first.result()
        // A case that is slow once would be slow ten times, and tells nothing more.
        let isSlow = Date().timeIntervalSince(started) > 2
        for law in RunLaw.all { breaches += law.breaches(result).prefix(3).map { "\(law.claim): \($0)" } }
        let files = try result.files()
        if isSlow { return }
        // The fingerprint is of every count; files are made from it alone, so the bytes of one of the three tell as
        // much.
        let compared = Int.random(in: 0..<3, using: &random)
        func expected(_ number: Int) -> [String: Data]? { number == compared ? files : nil }
        try compare(result, expected(0), with: run, "on 3 threads") { $0.begin(threads: 3) }
        try compare(result, expected(1), with: run, "with devices kept whole") {
            $0.begin(threads: 2, keepsWhole: true)
        }
        try checkStop(run, result, expected(2))
        if read.scenario.service == nil { try checkShards(run, result) }
        if read.scenario.people <= 12 { checkTraces(run, result) }
    }

    /// The resolved scenario is read again as itself, and what its estimate warns of is said.
    private mutating func checkText(_ read: ParsedScenario) throws {
        if read.warnings().contains("") { breaches.append("a warning without words") }
        let again = try ScenarioReader.read(text: read.resolvedText)
        if again.resolvedText != read.resolvedText { breaches.append("the resolved scenario reads as another") }
    }

    private mutating func compare(
        _ result: RunResult, _ files: [String: Data]?, with run: ScenarioRun, _ what: String,
        _ begin: (ScenarioRun) -> RunInProgress
    ) throws {
        let other = begin(run)
        other.advance()
        try compare(result, files, with: other.result(), what)
    }

    private mutating func compare(_ result: RunResult, _ files: [String: Data]?, with other: RunResult, _ what: String)
        throws
    {
        if other.fingerprint != result.fingerprint || other.counts != result.counts {
            breaches.append("another result \(what)")
        }
        guard let files else { return }
        let found = try other.files()
        // The manifest has the time of the run.
        for name in Set(files.keys).union(found.keys).sorted()
        where name != OutputFolder.manifestName && files[name] != found[name] {
            breaches.append("\(name) has other bytes \(what)")
        }
    }

    /// Stops at a moment, writes the state down, and continues from it in a new run on other threads.
    private mutating func checkStop(_ run: ScenarioRun, _ result: RunResult, _ files: [String: Data]?) throws {
        let border = Int(random.logUniform(1...20_000))
        let first = run.begin(threads: 2)
        if first.advance(until: { $0 >= border }) || !first.canBeKept { return }
        let bytes = try KeptRun.bytes(of: first)
        let second = run.begin(threads: 1)
        try KeptRun.restore(bytes, into: second)
        second.advance()
        try compare(result, files, with: second.result(), "stopped at \(border) and continued")
    }

    private mutating func checkShards(_ run: ScenarioRun, _ result: RunResult) throws {
        let people = run.scenario.people
        let count = Int.random(in: 1...5, using: &random)
        let merged = run.begin(threads: 1)
        for shard in 0..<count {
            let range = people * shard / count..<people * (shard + 1) / count
            if range.isEmpty { continue }
            let part = run.begin(threads: 1, people: range)
            part.advance()
            try KeptRun.restore(KeptRun.bytes(of: part), into: merged)
        }
        if merged.result().fingerprint != result.fingerprint { breaches.append("another result in \(count) shards") }
    }

    /// Without a service the counts of all people's traces add up to the run's; with one each trace simulates the whole
    /// fleet, so one is looked at.
    private mutating func checkTraces(_ run: ScenarioRun, _ result: RunResult) {
        let people = run.scenario.people
        let hasService = run.scenario.service != nil
        let traced = hasService ? [Int.random(in: 0..<people, using: &random)] : Array(0..<people)
        var sum: RunResult?
        for person in traced {
            let (rows, counted) = run.trace(person: person)
            if zip(rows, rows.dropFirst()).contains(where: { $0.time > $1.time }) {
                breaches.append("rows of person \(person) out of order")
            }
            if rows.contains(where: { ($0.age ?? .zero) < .zero }) {
                breaches.append("person \(person) sees content from the future")
            }
            if let sum {
                sum.measures.merge(counted.measures)
                sum.load.merge(counted.load)
            } else {
                sum = counted
            }
        }
        if let sum, !hasService || people == 1, sum.counts != result.counts {
            breaches.append("the traces of all people are not the run")
        }
    }
}
