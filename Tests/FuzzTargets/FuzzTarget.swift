import Hashing
import Foundation
import RunFiles
import RunLaws
import ScenarioFiles
import Simulation
import Studies

/// A place where text or bytes from outside come in. Whatever they are, it ends with a value or with problems in sentences: never with a trap, a hang or an
/// endless need of memory.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A scenario's YAML.
    case scenario
    /// The argument of `--set`, on a small scenario.
    case setting
    /// The argument of `--where`.
    case condition
    /// The argument of `--vary`, and a `study` block's values.
    case axis
    /// The records that `calibrate` reads.
    case record
    /// The recorded events of a replay.
    case replay
    /// A part of a run, as `merge` and `run --resume` find it: after a 0 the file as it is, otherwise without its hash, which is added.
    case partial
    /// The state within a part, whose hash is right.
    case state

    /// Reads the bytes as what the place expects.
    public func take(_ bytes: [UInt8]) {
        switch self {
        case .scenario: read(ScenarioText(text: String(decoding: bytes, as: UTF8.self)), lot: bytes.reduce(0, ^))
        case .setting: read(Self.smallText, overrides: [String(decoding: bytes, as: UTF8.self)], lot: bytes.reduce(0, ^))
        case .condition:
            do throws(StudyProblem) {
                _ = try Condition(String(decoding: bytes, as: UTF8.self), names: ["jitter", "people", "kinds.weather.policy.after"], at: "--where")
            } catch { check(error.description) }
        case .axis:
            do throws(StudyProblem) { _ = try Axis.read(String(decoding: bytes, as: UTF8.self)) } catch { check(error.description) }
        case .record:
            do throws(RecordProblems) { _ = try RecordReader.read(text: String(decoding: bytes, as: UTF8.self)) } catch {
                check(error.problems.map(\.description).joined())
            }
        case .replay:
            do throws(ScenarioProblems) {
                let read = try Self.replayedText.read(replay: String(decoding: bytes, as: UTF8.self))
                _ = try? ScenarioRun(read.scenario).run(threads: 1)
            } catch { check(error.description) }
        case .partial: readPart(bytes)
        case .state: readState(bytes)
        }
    }

    // MARK: Places

    /// - Parameter lot: decides by the input alone what else is done with a scenario that is right. An estimate lives some people, which takes a thousand
    ///   times as long as reading; one text in 32 has it. One in 4 is read again from what is written of it.
    private func read(_ text: ScenarioText, overrides: [String] = [], lot: UInt8) {
        do throws(ScenarioProblems) {
            let read = try text.read(overrides: overrides)
            if lot < 4 { for warning in read.warnings() { check(warning) } }
            if lot % 4 != 0 { return }
            do throws(ScenarioProblems) {
                let again = try ScenarioReader.read(text: read.resolvedText)
                precondition(again.resolvedText == read.resolvedText, "the resolved scenario reads as another")
            } catch { preconditionFailure("the resolved scenario is none: \(error)") }
        } catch { check(error.description) }
    }

    private func readPart(_ bytes: [UInt8]) {
        let path = NSTemporaryDirectory() + "reloadsim-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        defer { _ = unlink(path) }
        guard let first = bytes.first, let file = fopen(path, "w") else { return }
        // Without the right hash next to nothing of the file is looked at.
        let content = Array(bytes.dropFirst())
        let all = first == 0 ? content : content + Array(SHA256.hash(data: content))
        let written = fwrite(all, 1, all.count, file)
        precondition(fclose(file) == 0 && written == all.count, "cannot write \(path)")
        do throws(PartialProblem) {
            let part = try PartialFile(path)
            try part.restore(into: Self.plain.begin(threads: 1))
        } catch { check(error.description) }
    }

    private func readState(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let run = (first == 0 ? Self.plain : Self.served).begin(threads: 1)
        do { try KeptRun.restore(Array(bytes.dropFirst()), into: run) } catch { return check("\(error)") }
        if !run.isOver { run.advance() }
    }

    /// A problem is a sentence that can be printed.
    private func check(_ sentence: String) { precondition(!sentence.isEmpty, "a problem without words") }

    // MARK: What the places know

    private static let small = """
        start: "2026-03-04T00:00:00Z"
        warmup: 0s
        duration: 2h
        people: 3
        kinds: [{id: weather, policy: {after: 20m}, timeline: {shape: series, count: 6, spacing: 1h}}]
        population: {devices: [{instances: [{id: here, kind: weather, location: current}]}]}
        """

    // The YAML of these two is read once for all inputs.
    private static let smallText = ScenarioText(text: small)
    private static let replayedText = ScenarioText(text: replayed)

    private static let replayed = """
        start: "2026-03-04T00:00:00Z"
        duration: 2h
        kinds: [{id: k, policy: {after: 20m}}]
        devices: [{id: d, zone: Europe/Berlin, instances: [{id: w, kind: k, location: current, initial: {fetched: 0s}}]}]
        replay: events.csv
        """

    /// Two hours of life, and a load curve of their last minutes only: it is most of a state's bytes.
    private static let brief = small.replacing("warmup: 0s\nduration: 2h", with: "warmup: 115m\nduration: 5m")

    private static let plain = run(brief)
    private static let served = run(
        brief + """

            service:
              latency_out: 50ms
              latency_back: 50ms
              pools: [{id: main, servers: 1, service_time: 2s, queue: 2}]
              endpoints: [{id: weather, cache: {ttl: 5m}}]
            """)

    private static func run(_ text: String) -> ScenarioRun {
        do { return try ScenarioRun(ScenarioReader.read(text: text).scenario) } catch { preconditionFailure("\(error)") }
    }

    // MARK: Where the fuzzer begins

    /// Inputs that are right, or nearly: changes of these go further than changes of nothing.
    public var seeds: [[UInt8]] {
        func texts(_ list: [String]) -> [[UInt8]] { list.map { Array($0.utf8) } }
        switch self {
        case .scenario: return texts([Self.small]) + Self.shipped
        case .setting:
            return texts([
                "kinds.weather.policy.after=1h", "population.pickups.unlocks_per_day={shape: 3, mean: 80}", "kinds.0.timeline={shape: single}",
                "service.latency_out={median: 60ms, p95: 250ms}", "population.devices.0.instances.here.share=0.5", "duration=1d",
                "population.zones={Europe/Berlin: 0.5, Asia/Tokyo: 0.5}", "thresholds=[{metric: requests_total, op: \"<\", value: 1e6}]",
            ])
        case .condition: return texts(["jitter > 5m and people <= 1000", "not (jitter = 0s or people != 3)", "kinds.weather.policy.after < 2 * jitter"])
        case .axis:
            return texts([
                "jitter:kinds.weather.policy.jitter=0s,1m,5m", "people=10,100,1000", "kinds.weather.policy.after=range(10m, 2h, 10m)", "seed=range(1, 8)",
                "people=log(1, 1000, 4)", "kinds.weather.policy={after: 1h},{after: 2h}",
            ])
        case .record:
            return texts([
                "person,time,event\n1,2026-03-04T07:00:00+01:00,unlock\n1,2026-03-04T07:02:00+01:00,lock\n2,2026-03-05T23:00:00+01:00,sleep\n",
                "person,time,event,app\nx,2026-03-08T02:30:00-05:00,app_open,weather\n",
            ])
        case .replay:
            return texts([
                "device,time,event,detail\nd,2026-03-04T00:10:00Z,pickup,\nd,2026-03-04T00:11:00Z,lock,\n",
                "d,1h,pickup,home_first\nd,1h2m,lock,\nd,1h30m,place,work 3000 -200\nd,1h40m,app_open,app\nd,1h45m,app_close,app\n",
            ])
        case .partial: return Self.parts
        case .state: return Self.states
        }
    }

    private static var shipped: [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scenarios")
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
        // Comments are most of the text and tell the fuzzer nothing.
        return names.compactMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.map { text in
            Array(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n").utf8)
        }
    }

    private static var states: [[UInt8]] {
        var states: [[UInt8]] = []
        for (number, run) in [plain, served].enumerated() {
            for border in [1, 2, 40, 400] {
                let paused = run.begin(threads: 1)
                paused.advance(until: { $0 >= border })
                if paused.canBeKept, let bytes = try? KeptRun.bytes(of: paused) { states.append([UInt8(number)] + bytes) }
            }
        }
        return states
    }

    private static var parts: [[UInt8]] {
        let folder = NSTemporaryDirectory() + "reloadsim-fuzz-seeds-\(UUID().uuidString)"
        defer { _ = try? FileManager.default.removeItem(atPath: folder) }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let run = plain.begin(threads: 1, people: 0..<2)
            run.advance()
            let header = PartialHeader(
                kind: .shard, identity: RunIdentity(resolvedScenario: brief, recordSHA256: nil, seed: 1), tablesHash: plain.tablesHash, people: 3, shard: Shard(1, of: 2),
                scenario: brief, threads: 1, wallSeconds: 1, shareDone: 1)
            try PartialFile.write(run, header: header, folder: folder, name: "part")
            let file = Array(try Data(contentsOf: URL(filePath: folder + "/part")))
            return [[0] + file, [1] + file.dropLast(SHA256.byteCount)]
        } catch { preconditionFailure("\(error)") }
    }
}
