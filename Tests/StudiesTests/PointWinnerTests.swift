import Testing

@testable import Studies

/// The best point of a study, as far as chance lets one be called.
@Suite struct PointWinnerTests {
    /// - Parameter values: of each point, one a replication.
    private func points(_ values: [[Double]], draws: [ClosedRange<Double>?]? = nil) -> [PointFigures.Point] {
        values.enumerated().map { place, values in
            let sample = SampleSummary(values)
            let interval = sample.interval.map { $0.low...$0.high } ?? draws?[place]
            return PointFigures.Point(
                number: place + 1, values: ["\(place)"],
                figures: [PointFigure(mean: sample.mean, interval: interval, replications: values.count)],
                byReplication: [Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0 + 1, $1) })],
                runs: values.count, holding: values.count)
        }
    }

    private func winner(_ values: [[Double]], _ metric: String = "load_peak_1s", draws: [ClosedRange<Double>?]? = nil)
        -> PointWinner?
    { PointWinner(metric, "requests", at: 0, among: points(values, draws: draws)) }

    @Test func `seeds that move all points alike hide no winner`() throws {
        // The intervals of the means cross, and the second is two above the first with every seed.
        let found = try #require(winner([[10, 30, 50], [12, 32, 52.5]]))
        #expect(found.isSure && found.best.number == 1)
        let sentence = found.sentence(columns: ["jitter"])
        #expect(sentence.hasPrefix("load_peak_1s: lowest at jitter=0, 30 ("), "\(sentence)")
        #expect(sentence.contains(", ahead of jitter=1 by "), "\(sentence)")
    }

    @Test func `points that change places with the seed are too close to call`() throws {
        let found = try #require(winner([[10, 12, 11], [12, 10, 11.5], [30, 31, 29]]))
        #expect(!found.isSure && found.close.map(\.number) == [2])
        let sentence = found.sentence(columns: ["jitter"])
        #expect(
            sentence.contains("too close to call") && sentence.contains("jitter=1") && !sentence.contains("jitter=2"))
    }

    @Test func `more is better of fresh views, and less of the rest`() throws {
        let values = [[0.5, 0.51, 0.5], [0.7, 0.71, 0.7]]
        #expect(winner(values, "share_fresh")?.best.number == 2)
        #expect(winner(values, "weather.share_fresh")?.best.number == 2)
        #expect(winner(values, "share_stale")?.best.number == 1)
    }

    @Test func `one run a point tells nothing unless it states its own range`() throws {
        let silent = try #require(winner([[10], [12]]))
        #expect(!silent.isSure && silent.sentence(columns: ["a"]).contains("does not tell it from chance"))
        #expect(try #require(winner([[10], [12]], draws: [9...10.5, 11.5...13])).isSure)
        let crossing = try #require(winner([[10], [12]], draws: [9...12, 11...13]))
        #expect(crossing.close.map(\.number) == [2])
    }

    @Test func `equal points stand together, and where all are equal nobody wins`() throws {
        let found = try #require(winner([[0, 0], [0, 0], [3, 3.1]]))
        #expect(found.alike.map(\.number) == [2] && found.close.isEmpty)
        #expect(found.sentence(columns: ["a"]).contains("and the same at a=1"))
        #expect(winner([[1, 2], [1, 2]]) == nil && winner([[1, 2]]) == nil)
    }
}
