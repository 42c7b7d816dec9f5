import Basics
import Foundation
import Simulation
import Testing

@testable import ScenarioFiles
@testable import Studies

@Suite struct StudyRunTests {
    static let axes = ["jitter:kinds.quote.policy.jitter=0s,5m,10m", "people=30,40"]

    @Test func `a replication has one seed at all points, and the first has the scenario's`() throws {
        let runs = try StudyFixture.study(Self.axes).runs(replications: 3)
        #expect(runs.count == 18)
        for run in runs { #expect(run.seed == UInt64(run.replication)) }
        #expect(runs[0].overrides == ["kinds.quote.policy.jitter=0s", "people=30", "seed=1"])
    }

    @Test func `with seeds per run no two runs share one, and adding values moves none`() throws {
        let few = try StudyFixture.study(["people=30,40"], seeds: .perRun).runs(replications: 3)
        let more = try StudyFixture.study(["people=20,30,40"], seeds: .perRun).runs(replications: 4)
        #expect(Set(few.map(\.seed)).count == 6)
        #expect(Set(few.map(\.name)).isSubset(of: Set(more.map(\.name))))
    }

    @Test func `a run's name is made from its content, whatever study it is in`() throws {
        let first = try StudyFixture.study(["people=30,40"]).runs(replications: 2)
        let second = try StudyFixture.study(["x:people=40,50,30"]).runs(replications: 1)
        #expect(first[0].name == second[2].name)
        #expect(Set(first.map(\.name)).count == 4)
        // The same scenario in other words.
        let worded = try StudyFixture.study(["jitter:kinds.quote.policy.jitter=0s", "people=3e1"]).runs(replications: 1)
        #expect(worded[0].name == first[0].name)
    }

    @Test func `tables have the same bytes for any number of jobs and any order of work`() throws {
        let (one, three) = (try StudyScratch(), try StudyScratch())
        let study = try StudyFixture.study(Self.axes)
        try StudyFixture.perform(study, replications: 2, in: one.folder, jobs: 1)
        // Some of the runs first, the last ones.
        let runs = try study.runs(replications: 2)
        #expect(
            StudyFixture.perform(study, Array(runs.suffix(3).reversed()), in: three.folder).allSatisfy { $0 == .done })
        let outcomes = try StudyFixture.perform(study, replications: 2, in: three.folder, jobs: 3)
        #expect(outcomes.count { $0 == .skipped } == 3)
        for table in ["runs.csv", "study.csv", "design.csv", "datapackage.json"] {
            #expect(try one.bytes(table) == three.bytes(table), "\(table)")
        }
    }

    @Test func `a study grows by values and replications, and only the new runs are simulated`() throws {
        let (grown, whole) = (try StudyScratch(), try StudyScratch())
        try StudyFixture.perform(try StudyFixture.study(["people=30"]), replications: 1, in: grown.folder)
        #expect(try grown.runFolders.count == 1)
        let study = try StudyFixture.study(["people=20,30"])
        let outcomes = try StudyFixture.perform(study, replications: 2, in: grown.folder)
        #expect(outcomes.count { $0 == .skipped } == 1 && outcomes.count { $0 == .done } == 3)
        try StudyFixture.perform(study, replications: 2, in: whole.folder)
        #expect(try grown.bytes("runs.csv") == whole.bytes("runs.csv"))
    }

    @Test func `a run whose files were changed is simulated again`() throws {
        let scratch = try StudyScratch()
        let study = try StudyFixture.study(["people=30"])
        try StudyFixture.perform(study, replications: 1, in: scratch.folder)
        let before = try scratch.bytes("runs.csv")
        let name = try scratch.runFolders[0]
        let file = scratch.folder.path + "/runs/" + name + "/summary.csv"
        try "metric,unit,value\nviews,views,1\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try StudyFixture.perform(study, replications: 1, in: scratch.folder) == [.done])
        #expect(try scratch.bytes("runs.csv") == before)
    }

    @Test func `one run that fails stops no other, and its rows alone are missing`() throws {
        let scratch = try StudyScratch()
        let study = try StudyFixture.study(["people=20,30,40"])
        let runs = try study.runs(replications: 1)
        // A file where the second run's folder should be.
        try FileManager.default.createDirectory(
            atPath: scratch.folder.path + "/runs", withIntermediateDirectories: true)
        try "x".write(toFile: scratch.folder.path(of: runs[1]), atomically: true, encoding: .utf8)
        let outcomes = try StudyFixture.perform(study, replications: 1, in: scratch.folder)
        #expect(outcomes[0] == .done && outcomes[2] == .done)
        guard case .failed(let sentence) = outcomes[1] else { return #expect(Bool(false), "\(outcomes[1])") }
        #expect(sentence.contains("not a folder"))
        let rows = try CSVTable.read(file: scratch.folder.path + "/runs.csv").rows
        #expect(Set(rows.map { $0[1] }) == ["1", "3"])
        let manifest = String(decoding: try scratch.bytes("manifest.json"), as: UTF8.self)
        #expect(manifest.contains("\"status\": \"incomplete\"") && manifest.contains("not a folder"))
    }

    @Test func `runs of one content are simulated once and stand in every row they belong to`() throws {
        let scratch = try StudyScratch()
        let variants = [StudyBlock.Variant(name: "base", overrides: []), .init(name: "same", overrides: ["people=40"])]
        let study = try Study(scenario: StudyFixture.scenario(), design: StudyDesign(axes: [], variants: variants))
        #expect(try StudyFixture.perform(study, replications: 1, in: scratch.folder) == [.done, .done])
        #expect(try scratch.runFolders.count == 1)
        let rows = try CSVTable.read(file: scratch.folder.path + "/study.csv").rows
        #expect(rows.count { $0[2] == "base" } == rows.count { $0[2] == "same" })
    }

    @Test func `a wrong value of an axis is the scenario's own problem, and nothing is made`() throws {
        let study = try StudyFixture.study(["people=30,many"])
        #expect { try study.runs(replications: 1) } throws: {
            "\($0)".contains("--set people=many: people: expected a whole number")
        }
    }

    @Test func `runs of one fleet share the beginnings of its devices, and are those of devices that begin in each`()
        throws
    {
        let (alone, shared) = (try StudyScratch(), try StudyScratch())
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Scenarios/market-open-cdn.yaml").path
        let axes = try [
            "service.pools.origin.servers=1,2", "service.origin_out=1ms,20ms", "service.edge_capacity=5,100000",
            "service.prices.server_hour=1,2",
        ].map { try Axis.read($0) }
        let study = try Study(
            scenario: ScenarioText(file: file), overrides: ["people=150"], design: StudyDesign(axes: axes))
        let runs = try study.runs(replications: 2).filter { $0.point.number % 3 != 0 }
        let fleets = Set(runs.compactMap(\.fleetSHA256))
        // One for each seed.
        #expect(fleets.count == 2)
        #expect(StudyFixture.perform(study, runs, in: alone.folder).allSatisfy { $0 == .done })
        try shared.folder.alone(for: .study) { folder in
            #expect(StudyFixture.perform(study, runs, in: folder).allSatisfy { $0 == .done })
            #expect(fleets.allSatisfy { folder.beginnings?.has($0) == true })
        }
        for run in runs {
            let name = "runs/" + run.name
            let files = try FileManager.default.contentsOfDirectory(atPath: alone.folder.path + "/" + name)
            #expect(files.count > 20)
            for file in files where file != "manifest.json" {
                #expect(try alone.bytes(name + "/" + file) == shared.bytes(name + "/" + file), "\(name)/\(file)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared.folder.path) == ["runs"])
    }

    @Test func `a run after which others of its fleet follow leaves its beginning`() throws {
        let text = StudyFixture.text + "service: {pools: [{id: origin, servers: 1, service_time: 50ms}]}\n"
        func study(_ axis: String) throws -> Study {
            try Study(
                scenario: ScenarioText(text: text, file: "small.yaml"), design: StudyDesign(axes: [Axis.read(axis)]))
        }
        for other in ["people=5,6", "service.timeout=5s,6s"] { #expect(try study(other).hasOneFleet == false) }
        let servers = try study("service.pools.origin.servers=1,2")
        #expect(servers.hasOneFleet)
        let (alone, followed) = (try StudyScratch(), try StudyScratch())
        for (scratch, othersFollow) in [(alone, false), (followed, true)] {
            try scratch.folder.alone(for: .plan) { folder in
                var settings = RunQueue.Settings(jobs: 1, threads: 1, memory: 1e9)
                settings.othersFollow = othersFollow
                for point in servers.points {
                    let run = try servers.run(at: point, replication: 1)
                    let outcomes = RunQueue(servers.scenario, in: folder, settings).perform([run], cancelled: { false })
                    #expect(outcomes == [.done])
                    let fleet = try #require(run.fleetSHA256)
                    #expect(folder.beginnings?.has(fleet) == othersFollow)
                }
            }
        }
    }

    @Test func `a fleet is another one where its clients or its people are`() throws {
        func fleets(_ axis: String) throws -> Int {
            let text = StudyFixture.text + "service: {pools: [{id: origin, servers: 1, service_time: 50ms}]}\n"
            let study = try Study(
                scenario: ScenarioText(text: text, file: "small.yaml"), design: StudyDesign(axes: [Axis.read(axis)]))
            return Set(try study.runs(replications: 1).map(\.fleetSHA256)).count
        }
        for same in ["service.pools.origin.servers=1,2", "service.prices.server_hour=1,2", "service.edge_capacity=5,6"]
        {
            #expect(try fleets(same) == 1, "\(same)")
        }
        // Turns of a failover follow from the outages.
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Scenarios/region-return.yaml").path
        let returns = try Study(
            scenario: ScenarioText(file: file),
            design: StudyDesign(axes: [Axis.read("service.pools.0.servers=5,6")]))
        #expect(Set(try returns.runs(replications: 1).map(\.fleetSHA256)).count == 2)
        for other in [
            "service.timeout=5s,6s", "service.retries=1,2", "people=5,6", "service.latency_out=5ms,6ms",
            "kinds.quote.policy.after=5m,6m",
        ] { #expect(try fleets(other) == 2, "\(other)") }
    }

    /// Two values of each key behind the clients.
    private static let behindClients = [
        "pools": [
            "[{id: origin, servers: 1, service_time: 50ms}]", "[{id: a, servers: 2, service_time: 1s, queue: 3}]",
        ],
        "origin_out": ["1ms", "90ms"], "origin_back": ["1ms", "90ms"], "edge_capacity": ["5", "6"],
        "endpoints": ["[]", "[{id: quote, cache: {ttl: 1m}}]"],
        "events": ["[]", "[{outage: {name: o, span: [30m, 40m]}}]"],
        "background": ["[]", "[{id: web, endpoint: quote, rate: 2}]"], "prices": ["{}", "{server_hour: 2}"],
        "objectives": ["[]", "[{name: quick, share: 0.9, within: 1s}]"],
    ]

    /// All that the devices of a run know.
    private static func fleet(_ key: String, _ value: String) throws -> (sha256: String?, plan: String) {
        let pools = key == "pools" ? "" : "pools: \(behindClients["pools"]![0]), "
        let text = StudyFixture.text + "service: {\(pools)\(key): \(value)}\n"
        let read = try ScenarioText(text: text, file: "small.yaml").readChecked(overrides: [])
        #expect(try ScenarioRun(read.scenario).begin(threads: 1).canShareBeginning)
        var plan = ""
        dump(read.scenario.plan, to: &plan)
        return (read.fleetSHA256, plan)
    }

    @Test(arguments: KeyCatalogue.keysBehindClients)
    func `no device knows of a key behind the clients`(key: String) throws {
        let values = try #require(Self.behindClients[key])
        let (one, other) = (try Self.fleet(key, values[0]), try Self.fleet(key, values[1]))
        #expect(one.sha256 != nil && one.sha256 == other.sha256)
        #expect(one.plan == other.plan && one.plan.count > 1_000)
    }

    @Test func `a run of another fleet begins before one that has to wait for the beginning of its own`() {
        var state = RunQueue.State(count: 5)
        var there: Set<String> = []
        func next() -> Int? {
            state.begin(
                ["a", "a", "b", nil, "b"], isThere: { there.contains($0) }, memory: { _ in 1 }, atMost: 4)
        }
        #expect(next() == 0 && next() == 2 && next() == 3)
        // Each of the others would wait: the first does.
        #expect(next() == 1)
        // There is no room.
        #expect(next() == nil)
        state.end(0, .done)
        (state.memory, state.underWay) = (3, 3)
        there = ["b"]
        #expect(next() == 4 && next() == nil)
    }

    @Test func `runs wait for memory, and one that is too large for it runs alone`() throws {
        let scratch = try StudyScratch()
        let study = try StudyFixture.study(["people=20,30,40"])
        let queue = RunQueue(study.scenario, in: scratch.folder, .init(jobs: 3, threads: 1, memory: 1))
        #expect(queue.perform(try study.runs(replications: 1), cancelled: { false }) == [.done, .done, .done])
    }

    @Test func `study tables agree with the runs' own figures`() throws {
        let scratch = try StudyScratch()
        let study = try StudyFixture.study(["people=30,40"])
        try StudyFixture.perform(study, replications: 4, in: scratch.folder)
        let runs = try CSVTable.read(file: scratch.folder.path + "/runs.csv")
        #expect(
            runs.header == [
                "experiment", "point", "replication", "seed", "run", "people", "people_text", "metric", "value", "unit",
            ])
        let study2 = try CSVTable.read(file: scratch.folder.path + "/study.csv")
        let views = runs.rows.filter { $0[1] == "2" && $0[7] == "views" }.compactMap { Double($0[8]) }
        #expect(views.count == 4)
        let row = try #require(study2.rows.first { $0[1] == "2" && $0[4] == "views" })
        let mean = views.reduce(0, +) / 4
        let deviation = (views.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 3).squareRoot()
        // t of 3 degrees of freedom at .975.
        let reach = 3.182446305284263 * deviation / 2
        let found = row[6...].map { Double($0)! }
        for (a, b) in zip(found, [4, mean, deviation, mean - reach, mean + reach, views.min()!, views.max()!]) {
            #expect(abs(a - b) < 1e-9 * max(1, abs(b)))
        }
    }
}
