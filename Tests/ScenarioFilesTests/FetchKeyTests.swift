import Basics
import Statistics
import Testing

import Reporting
@testable import ScenarioFiles

/// The keys of apps' background fetches (B8).
@Suite struct FetchKeyTests {
    private static func read(_ fetch: String, more: String = "") throws -> ParsedScenario {
        try ScenarioReader.read(
            text: ScenarioReaderTests.head + """
                kinds: [{id: k, app: x, endpoint: lists, policy: never}, {id: other, app: y, policy: never}]
                population:
                  apps: {x: {background_fetch: \(fetch)}}
                  devices: [{instances: [{id: a, kind: k}]}]
                \(more)
                """)
    }

    @Test func `a fetch arrives whole`() throws {
        let read = try Self.read(
            "{every: 20m, aligned: true, share: 0.4, spread: {mean: 5s}, endpoint: updates, requests: 2}",
            more:
                "segments: [{name: most, share: 0.9}, {name: rest, share: 0.1, apps: {x: {background_fetch: {share: 0.1}}}}]"
        )
        let plan = read.scenario.plan
        #expect(plan.hasFetches && plan.endpoints.count == 3)
        for (segment, share) in zip(plan.segments, [0.4, 0.1]) {
            let fetch = try #require(segment.fetches.first)
            #expect(segment.fetches.count == 1)
            #expect(
                fetch.app == 0 && fetch.every == .minutes(20) && fetch.isAligned && fetch.share == share
                    && fetch.requests == 2)
            #expect(plan.endpoints[fetch.endpoint] == "updates" && fetch.spread == Distribution(.exponential(mean: 5)))
        }
        #expect(try ScenarioReader.read(text: read.resolvedText).resolvedText == read.resolvedText)
    }

    @Test func `what is not stated is as usual, and asks where the app's first kind asks`() throws {
        let plan = try Self.read("{every: 1h}").scenario.plan
        let fetch = try #require(plan.segments[0].fetches.first)
        #expect(
            !fetch.isAligned && fetch.share == 1 && fetch.requests == 1 && plan.endpoints[fetch.endpoint] == "lists")
        #expect(fetch.spread == (try Distribution.lognormal(median: 3, p95: 15)))
        let none = try ScenarioReader.read(
            text: ScenarioReaderTests.head + ScenarioReaderTests.kinds + ScenarioReaderTests.population)
        #expect(!none.scenario.plan.hasFetches)
    }

    @Test
    func `a fetch of an app that nobody has is a warning, and a spread beyond the span between fetches a problem`()
        throws
    {
        let read = try ScenarioReader.read(
            text: ScenarioReaderTests.head + """
                kinds: [{id: k, app: x, policy: never}, {id: other, app: y, policy: never}]
                population:
                  apps: {y: {background_fetch: {every: 1h}}}
                  devices: [{instances: [{id: a, kind: k}]}]

                """)
        #expect(
            read.warnings().contains {
                $0.hasSuffix("apps.y.background_fetch: it has no effect, because no device has a widget of y")
            })
        do {
            _ = try Self.read("{every: 1m, spread: {mean: 2m}}")
            Issue.record("it is read")
        } catch let error as ScenarioProblems {
            #expect(
                error.description.contains(
                    "background_fetch.spread: expected a duration, or a distribution with a mean, from 0s to 1m, found a mean of 120 s"
                ),
                "\(error.description)")
        }
    }
}
