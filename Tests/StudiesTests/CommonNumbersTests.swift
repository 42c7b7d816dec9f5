import ScenarioFiles
import Testing

@testable import Studies

/// The purpose of common random numbers: replications in which two values of a key share their people tell them apart
/// with far fewer runs.
///
/// They take away what differs between people, here above all who has background refresh off. They do not take away
/// chance that a change deals again: at which minute of an hour's content a device reloads. Without anybody whose
/// refresh is off, the share of stale views at 30 minutes and at an hour is such chance alone, and pairs are no better
/// than independent runs there (a ratio of 0.8).
@Suite struct CommonNumbersTests {
    private static let text = """
        start: "2026-03-02T00:00:00-05:00"
        warmup: 1d
        duration: 1d
        people: 60
        kinds:
          - id: weather
            timeline: {shape: series, count: 24, spacing: 1h}
            policy: {after: 30m}
            versions: {source: steady, every: 1h, spread: 10m}
        population:
          power: {refresh_off: 0.15}
          devices:
            - kind: phone
              instances: [{id: here, kind: weather, surface: home_first}]

        """

    /// How a metric differs between two values over replications of the seeds.
    private static func difference(_ axis: String, _ metric: String, _ seeds: Study.Seeds) throws -> PairedDifference {
        let scratch = try StudyScratch()
        let study = try Study(
            scenario: ScenarioText(text: text, file: "common.yaml"), design: StudyDesign(axes: [Axis.read(axis)]),
            seeds: seeds)
        let runs = try study.runs(replications: 24)
        #expect(StudyFixture.perform(study, runs, in: scratch.folder).allSatisfy { $0 == .done })
        let values = try study.points.map { point in
            try runs.filter { $0.point.number == point.number }.map { run in
                try #require(RunFigures(folder: scratch.folder.path(of: run)).value(metric))
            }
        }
        return PairedDifference(baseline: values[0], variant: values[1])
    }

    @Test(arguments: [
        ("kinds.weather.policy.jitter=0s,10m", "share_stale"), ("kinds.weather.policy.jitter=0s,10m", "requests_total"),
        ("kinds.weather.policy.after=30m,1h", "age_mean_s"),
    ])
    func `the variance of a difference is at most a quarter of that with independent seeds`(
        axis: String, metric: String
    ) throws {
        let common = try Self.difference(axis, metric, .byReplication)
        let independent = try Self.difference(axis, metric, .perRun)
        let ratio = try #require(common.difference.variance) / #require(independent.difference.variance)
        #expect(ratio <= 0.25, "\(axis), \(metric): \(ratio)")
        // One study without the other's runs says the same of itself.
        #expect(try #require(common.varianceReduction) >= 4, "\(axis), \(metric)")
        #expect((0.3...3).contains(try #require(independent.varianceReduction)), "independent seeds reduce nothing")
    }
}
