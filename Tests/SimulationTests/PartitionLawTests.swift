import Fleet
import RunLaws
import ScenarioModel
import Simulation
import Statistics
import Testing

/// The way in which people are shared out among threads, shards and partitions never changes a result.
///
/// Rules: D1.
@Suite struct PartitionLawTests {
    @Test func `threads never change a result`() throws {
        let results = try [1, 2, 7].map { try Fixtures.run(Fixtures.fleet(), threads: $0) }
        #expect(Set(results.map(\.fingerprint)).count == 1)
        #expect(results[0].counts == results[2].counts)
        #expect(results[0].tenths == results[2].tenths)
    }

    /// Shards are runs of people that are added up: the same code that merges threads.
    @Test(arguments: [1, 2, 7]) func `any division of the people gives the same sums`(shards: Int) throws {
        let scenario = try Fixtures.scenario(Fixtures.fleet())
        let whole = try Fixtures.run(Fixtures.fleet(), threads: 1)
        let parts = try (0..<shards).map { shard in
            try Part(scenario, people: stride(from: shard, to: scenario.people, by: shards))
        }
        for part in parts.dropFirst() {
            parts[0].measures.merge(part.measures)
            parts[0].load.merge(part.load)
        }
        #expect(parts[0].fingerprint == Part(of: whole).fingerprint)
    }

    @Test func `the first people of a large fleet live as in a small one`() throws {
        let large = try Part(Fixtures.scenario(Fixtures.fleet(people: 100_000)), people: 0..<100)
        let small = try Fixtures.run(Fixtures.fleet(people: 100))
        #expect(large.fingerprint == Part(of: small).fingerprint)
    }

    @Test func `one more person adds only their own events`() throws {
        let without = try Fixtures.run(Fixtures.fleet(people: 100))
        let with = try Fixtures.run(Fixtures.fleet(people: 101))
        let alone = try Part(Fixtures.scenario(Fixtures.fleet(people: 101)), people: 100..<101)
        alone.measures.merge(without.measures)
        alone.load.merge(without.load)
        #expect(alone.fingerprint == Part(of: with).fingerprint)
    }

    @Test func `another seed is another fleet`() throws {
        #expect(
            try Fixtures.run(Fixtures.fleet(), ["seed=2"]).fingerprint
                != Fixtures.run(Fixtures.fleet(), ["seed=3"]).fingerprint)
    }
}

/// Some people of a scenario, simulated by one worker.
private struct Part {
    let measures: RunMeasures
    let load: LoadCurve

    init(of result: RunResult) { (measures, load) = (result.measures, result.load) }

    /// That of the counts and the load; groups of people are a run's own.
    var fingerprint: String { measures.fingerprint(with: load) }

    init(_ scenario: Scenario, people: some Sequence<Int>) throws {
        let minutes = Int(scenario.reportedSpan.microseconds / 60_000_000)
        load = LoadCurve(
            endpoints: scenario.plan.endpoints.count, regions: scenario.plan.regions.count, minutes: minutes,
            causes: LoadCurve.causes(with: scenario.plan.requestClasses), countsPairs: true)
        let worker = FleetWorker(try PreparedPlan(scenario.plan), load: load)
        for person in people { worker.simulate(person: person) }
        worker.finish()
        measures = worker.measures
    }
}
