import ArgumentParser
import Basics
import Foundation
import ScenarioFiles

/// The long checks that are no tests.
@main struct Campaign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reloadsim-campaign", abstract: "Checks of reloadsim that take longer than a test.",
        subcommands: [ScenarioCampaign.self, RandomBytes.self], defaultSubcommand: ScenarioCampaign.self)
}

/// Generated scenarios against everything that holds of every scenario. A case is a number: the same number is the same
/// case.
struct ScenarioCampaign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenarios",
        abstract: "Try generated scenarios against every law, a process for a few dozen of them, and shrink what fails."
    )

    @Option(help: "The first case.") var from: UInt64 = 1
    @Option(help: "How many cases.") var cases: UInt64 = 300
    @Option(help: "How many at once.") var jobs = 2
    @Option(help: "Where failing cases are written.") var out = "campaign"
    @Option(help: "Stop after this many minutes, done or not.") var minutes: Double?
    @Flag(help: .hidden) var child = false
    @Option(help: .hidden) var keep: String?

    /// Cases of one process.
    private static let batch: UInt64 = 25

    func run() throws {
        if child { return Self.tryCases(from..<from + cases, keep: keep) }
        let tally = Tally()
        let (first, last, out) = (from, from + cases, out)
        let deadline = minutes.map { Date(timeIntervalSinceNow: $0 * 60) }
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while deadline.map({ $0 > Date() }) ?? true, let batch = tally.take(Self.batch, from: first, to: last) {
                Self.follow(batch, tally, out: out)
            }
        }
        print(tally.sentence)
        if tally.failures > 0 { throw ExitCode.failure }
    }

    // MARK: In the child

    private static func tryCases(_ seeds: Range<UInt64>, keep: String?) {
        for seed in seeds {
            say("case\t\(seed)")
            let scenario = GeneratedScenario(seed: seed)
            let kept = keep.map { $0.split(separator: ",").compactMap { Int($0) } }
            let read: ParsedScenario
            do throws(ScenarioProblems) { read = try scenario.read(keeping: kept) } catch {
                say("unreadable")
                continue
            }
            do {
                let breaches = try CaseCheck(read, seed: seed).breaches
                say(breaches.isEmpty ? "held" : "broken\t" + breaches.prefix(5).joined(separator: "\t"))
            } catch {
                say("broken\t\(error)".replacing("\n", with: " "))
            }
        }
    }

    /// A line at once: a process that crashes writes no more.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    // MARK: In the campaign

    private static func follow(_ seeds: Range<UInt64>, _ tally: Tally, out: String) {
        var next = seeds.lowerBound
        while next < seeds.upperBound {
            guard let child = try? Child(["--child", "--from", "\(next)", "--cases", "\(seeds.upperBound - next)"])
            else {
                preconditionFailure("cannot start a process")
            }
            while let (seed, outcome) = child.next() {
                next = (seed ?? next) + 1
                tally.count(outcome)
                if outcome != .held {
                    report(next - 1, outcome, out: out)
                    // A process that has ended has no further cases.
                    if case .broken = outcome {} else { break }
                }
            }
            child.end()
        }
    }

    /// Leaves settings out as long as the case fails in the same way, and writes what is left.
    private static func report(_ seed: UInt64, _ outcome: Child.Outcome, out: String) {
        let scenario = GeneratedScenario(seed: seed)
        var kept = Array(scenario.settings.indices)
        for setting in scenario.settings.indices.reversed() {
            let fewer = kept.filter { $0 != setting }
            if fails(seed, keeping: fewer, like: outcome) { kept = fewer }
        }
        var text = "# Case \(seed), of \(scenario.base): \(outcome)\n"
        text += (scenario.size + kept.map { scenario.settings[$0] }).map { "#   --set '\($0)'\n" }.joined()
        if let read = try? scenario.read(keeping: kept) { text += read.resolvedText }
        let file = "\(out)/case-\(seed).yaml"
        do {
            try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        } catch { print("\(file) could not be written: \(error)") }
        print("case \(seed), of \(scenario.base): \(outcome); with \(kept.map { scenario.settings[$0] }); in \(file)")
    }

    private static func fails(_ seed: UInt64, keeping kept: [Int], like outcome: Child.Outcome) -> Bool {
        let list = kept.map(String.init).joined(separator: ",")
        guard let child = try? Child(["--child", "--from", "\(seed)", "--cases", "1", "--keep", list]) else {
            return false
        }
        defer { child.end() }
        guard let (_, found) = child.next() else { return false }
        switch (outcome, found) {
        case (.broken, .broken), (.crashed, .crashed), (.hung, .hung): return true
        default: return false
        }
    }
}

/// The outcomes of the cases, counted by several threads.
private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var taken: UInt64 = 0
    private var held = 0, broken = 0, crashed = 0, hung = 0, unreadable = 0

    func take(_ count: UInt64, from first: UInt64, to last: UInt64) -> Range<UInt64>? {
        lock.withLock {
            let start = first + taken
            if start >= last { return nil }
            let end = min(last, start + count)
            taken += end - start
            return start..<end
        }
    }

    func count(_ outcome: Child.Outcome) {
        lock.withLock {
            switch outcome {
            case .held: held += 1
            case .broken: broken += 1
            case .crashed: crashed += 1
            case .hung: hung += 1
            case .unreadable: unreadable += 1
            }
        }
    }

    var failures: Int { lock.withLock { broken + crashed + hung + unreadable } }

    var sentence: String {
        lock.withLock {
            "\(held + broken + crashed + hung + unreadable) generated scenarios: \(held) kept every law, \(broken) broke one, \(crashed) crashed,"
                + " \(hung) took more than \(Int(Child.mostSeconds)) s, \(unreadable) could not be read again"
        }
    }
}
