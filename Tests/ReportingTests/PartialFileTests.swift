import ResultFiles
import Basics
import Foundation
import ScenarioFiles
import RunLaws
import Simulation
import Testing

@testable import Reporting

@Suite struct PartialFileTests {
    private let scratch: Scratch
    private let folder: String

    init() throws {
        scratch = try Scratch()
        folder = scratch.path
    }

    private static let text = """
        name: parts
        start: "2026-03-06T00:00:00-05:00"
        warmup: 0s
        duration: 1h
        people: 40
        kinds: [{id: a, policy: {after: 20m}}]
        population:
          devices: [{kind: phone, instances: [{id: one, kind: a}]}]
        """

    private func read(_ overrides: [String] = []) throws -> ParsedScenario {
        try ScenarioReader.read(text: Self.text, overrides: overrides)
    }

    private func header(
        _ read: ParsedScenario, _ run: RunInProgress, shard: Shard?, version: String = ReloadsimVersion.text
    ) -> PartialHeader {
        var header = PartialHeader(
            shard == nil ? .checkpoint : .shard, of: run, read, shard: shard, threads: 1, after: (1.5, 2.5),
            request: RunRequest(file: "a/b.yaml", overrides: ["people=40"], thresholds: ["views > 0"]))
        header.identity = RunIdentity(
            resolvedScenario: read.resolvedText, recordSHA256: nil, seed: read.scenario.plan.seed, version: version)
        return header
    }

    /// Writes a shard's part; gives its path.
    @discardableResult
    private func write(
        _ number: Int, of count: Int, overrides: [String] = [], named name: String? = nil,
        version: String = ReloadsimVersion.text
    ) throws -> String {
        let read = try read(overrides)
        let shard = try #require(Shard(number, of: count))
        let run = try ScenarioRun(read.scenario).begin(threads: 1, people: shard.people(of: read.scenario.people))
        run.advance()
        let name = name ?? shard.partName
        try PartialFile.write(
            run, header: header(read, run, shard: shard, version: version), folder: folder, name: name)
        return folder + "/" + name
    }

    private func problem(_ parts: [String]) -> String {
        do {
            _ = try PartMerge(parts)
            return "none"
        } catch { return error.description }
    }

    @Test(arguments: [1, 2, 3, 7]) func `merged parts write the bytes of one process, however they are named`(
        count: Int
    ) throws {
        let read = try read()
        let run = try ScenarioRun(read.scenario)
        for number in 1...count { try write(number, of: count, named: "\(count - number).part") }
        let merge = try PartMerge([folder])
        #expect(
            merge.files.count == count && merge.wallSeconds == 1.5 * Double(count)
                && merge.coreSeconds == 2.5 * Double(count) && merge.scenario == read.resolvedText)
        #expect(
            merge.request?.command == ["reloadsim", "run", "b.yaml", "--set", "people=40", "--threshold", "views > 0"])
        let whole = try #require(run.run(threads: 1))
        #expect(try merge.result(of: run).fingerprint == whole.fingerprint)
    }

    @Test func `shards have every person once and differ by one at most`() {
        for (people, count) in [(7, 7), (100, 7), (1_000_003, 64), (5, 1)] {
            let ranges = (1...count).compactMap { Shard($0, of: count)?.people(of: people) }
            #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == people)
            for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
            let sizes = ranges.map(\.count)
            #expect(sizes.max()! - sizes.min()! <= 1)
        }
        for (number, count) in [(0, 3), (4, 3), (1, 0), (-1, 3), (1, 100_001)] {
            #expect(Shard(number, of: count) == nil)
        }
    }

    @Test func `parts that are missing are named`() throws {
        for number in [1, 2, 4, 6, 7] { try write(number, of: 7) }
        #expect(problem([folder]) == "shards 3 and 5 of 7 are missing")
        try write(3, of: 7)
        #expect(problem([folder]) == "shard 5 of 7 is missing")
        #expect(problem([folder + "/shard-1-of-7.part"]) == "shards 2, 3, 4, 5, 6 and 7 of 7 are missing")
        #expect(problem([folder + "/nothing"]) == "\(folder)/nothing is missing")
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: false)
        #expect(problem([folder + "/empty"]) == "there is no part (*.part) in the folder \(folder)/empty")
    }

    @Test func `parts that come twice, of another run or of another division are named`() throws {
        let first = try write(1, of: 2)
        let second = try write(2, of: 2)
        #expect(problem([first, second]) == "none")
        #expect(problem([folder, second]) == "\(second) and \(second) are both shard 2 of 2")
        let third = try write(2, of: 3, named: "third")
        #expect(problem([first, third]) == "\(first) is one of 2 shards, and \(third) one of 3")
        let seed = try write(2, of: 2, overrides: ["seed=9"], named: "seed")
        #expect(problem([first, seed]) == "\(seed) does not belong to \(first): its seed is 9, and this run's is 1")
        let scenario = try write(2, of: 2, overrides: ["duration=2h"], named: "scenario")
        #expect(
            problem([first, scenario])
                == "\(scenario) does not belong to \(first): its scenario differs from this run's")
        let version = try write(2, of: 2, named: "version", version: "0.0.9")
        #expect(
            problem([first, version]).hasPrefix("\(version) does not belong to \(first): it is of reloadsim 0.0.9"))
    }

    @Test func `a checkpoint is no part`() throws {
        let read = try read()
        let run = try ScenarioRun(read.scenario).begin(threads: 1)
        run.advance()
        try PartialFile.write(run, header: header(read, run, shard: nil), folder: folder, name: "run.checkpoint")
        #expect(problem([folder + "/run.checkpoint"]).contains("is the checkpoint of a run that is not complete"))
    }

    @Test func `a part with a bit flipped anywhere, or cut anywhere, is refused in a sentence`() throws {
        let path = try write(1, of: 1)
        let whole = try Data(contentsOf: URL(filePath: path))
        let copy = folder + "/copy"
        func sentence(_ bytes: Data) throws -> String {
            try bytes.write(to: URL(filePath: copy))
            return problem([copy])
        }
        #expect(try sentence(whole) == "none")
        let places =
            Array(0..<400) + Array(stride(from: 400, to: whole.count - 40, by: max(1, whole.count / 400)))
            + Array(whole.count - 40..<whole.count)
        for place in places {
            var flipped = whole
            flipped[place] ^= 1 << UInt8(place % 8)
            let found = try sentence(flipped)
            let isMagic = place < PartialFile.magic.count
            #expect(
                found == (isMagic ? found : "\(copy) is damaged: what it holds is not what was written")
                    && found != "none", "byte \(place)"
            )
        }
        for length in 0..<64 { #expect(try sentence(whole.prefix(length)) != "none", "\(length) bytes") }
        // A length of the header that no file has.
        var huge = Array(whole)
        for place in 0..<8 { huge[PartialFile.magic.count + place] = place == 7 ? 0x7f : 0xff }
        #expect(try sentence(Data(huge)) != "none")
        for share in 0..<50 {
            #expect(try sentence(whole.prefix(whole.count * share / 50)) != "none", "\(share) fiftieths")
        }
        #expect(try sentence(whole.dropLast()) != "none")
        #expect(try sentence(whole + Data([0])) != "none")
        #expect(try sentence(Data("name: parts\n".utf8)) == "\(copy) is not a partial result of reloadsim")
        #expect(problem([folder + "/../" + UUID().uuidString]).hasSuffix("is missing"))
    }

    @Test func `a part is there in full or not at all`() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/shard-1-of-1.part", withIntermediateDirectories: false)
        #expect(throws: OutputProblem.self) { try write(1, of: 1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["shard-1-of-1.part"])
    }

    @Test func `a run that is interrupted is kept, and continues to the same result`() throws {
        let read = try read(["people=400"])
        let run = try ScenarioRun(read.scenario)
        let whole = try #require(run.run(threads: 1))
        let first = run.begin(threads: 1)
        first.advance(until: { $0 >= 128 })
        let kept = CheckpointedRun(
            first, header: header(read, first, shard: nil), folder: folder, interval: .seconds(60))
        let end = try kept.run(isInterrupted: { true })
        #expect(end == .interrupted(isKept: true))
        let file = try PartialFile(kept.path)
        #expect(file.header.kind == .checkpoint && file.header.shareDone == 0.32 && file.header.wallSeconds >= 1.5)
        let second = run.begin(threads: 2)
        try file.restore(into: second)
        let on = CheckpointedRun(
            second, header: file.header, folder: folder, interval: .milliseconds(1), isResumed: true)
        let last = try on.run(isInterrupted: { false })
        #expect(last == .over)
        #expect(second.result().fingerprint == whole.fingerprint)
        CheckpointedRun.remove(from: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `a run without checkpoints leaves none, and one that did nothing neither`() throws {
        let read = try read()
        for interval in [nil, Swift.Duration.seconds(60)] {
            let run = try ScenarioRun(read.scenario).begin(threads: 1)
            if interval == nil { run.advance(until: { $0 > 0 }) }
            if run.isOver { continue }
            let kept = CheckpointedRun(run, header: header(read, run, shard: nil), folder: folder, interval: interval)
            let end = try kept.run(isInterrupted: { true })
            #expect(end == .interrupted(isKept: false))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    // MARK: Ranks

    /// Writes the checkpoint of a run on two ranks that is not complete; gives the file names, the first rank's first.
    private func writeRanks(in folder: String, division: UInt64? = nil) throws -> [String] {
        let read = try read(["people=300"])
        let scenario = read.scenario
        let header = try header(read, ScenarioRun(scenario).begin(threads: 1), shard: nil)
        let exchanges = ThreadExchange.make(2)
        let names = LockedValue<[String?]>([nil, nil])
        try ThreadPool.work(2) { rank in
            do {
                let link = RankLink(exchanges[rank], identity: [("run", "one")])
                try link.meet()
                let run = try ScenarioRun(scenario).begin(threads: 1, link: link)
                run.advance(until: { $0 > 0 })
                if let division { run.division = division }
                var header = header
                header.rank = RankPart(rank: rank, of: 2, checkpoint: 4, division: run.division)
                let name = try #require(header.rank).name
                try PartialFile.write(run, header: header, folder: folder, name: name)
                names.withLock { $0[rank] = name }
            } catch { Issue.record("rank \(rank): \(error)") }
        }
        return try names.withLock { $0 }.map { try #require($0) }
    }

    /// The run that continues from a folder's checkpoint in one process, or why it cannot.
    private func resumed(_ folder: String) throws -> Result<String, PartialProblem> {
        let run = try ScenarioRun(read(["people=300"]).scenario).begin(threads: 1)
        do throws(PartialProblem) { try PartialFile(folder + "/" + CheckpointedRun.name).restore(into: run) } catch {
            return .failure(error)
        }
        run.advance()
        return .success(run.result().fingerprint)
    }

    @Test func `files of ranks that do not belong together are refused`() throws {
        let (one, two) = (folder + "/one", folder + "/two")
        for path in [one, two] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let names = try writeRanks(in: one)
        #expect(try writeRanks(in: two, division: 7) == names)
        let whole = try #require(try ScenarioRun(read(["people=300"]).scenario).run(threads: 1))
        #expect(try resumed(one).get() == whole.fingerprint)
        // The same run, the same checkpoint and the same people in all, but others on each rank.
        let (first, second) = (one + "/" + names[0], one + "/" + names[1])
        try FileManager.default.moveItem(atPath: second, toPath: second + ".kept")
        try FileManager.default.copyItem(atPath: two + "/" + names[1], toPath: second)
        #expect(throws: PartialProblem("\(second) belongs to another checkpoint than \(first)")) {
            try resumed(one).get()
        }
        // The first one's again, under the name of the second, and none at all.
        try FileManager.default.removeItem(atPath: second)
        try FileManager.default.copyItem(atPath: first, toPath: second)
        #expect(throws: PartialProblem("\(second) belongs to another checkpoint than \(first)")) {
            try resumed(one).get()
        }
        try FileManager.default.removeItem(atPath: second)
        #expect(throws: PartialProblem.self) { try resumed(one).get() }
        // The second one's in the place of the first.
        try FileManager.default.removeItem(atPath: first)
        try FileManager.default.copyItem(atPath: second + ".kept", toPath: first)
        #expect(throws: PartialProblem("\(first) is the state of rank 1, and not of the first one")) {
            try resumed(one).get()
        }
    }
}
