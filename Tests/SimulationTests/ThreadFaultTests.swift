import Foundation
import ScenarioFiles
import Simulation
import Synchronization
import Testing

/// Threads that the operating system does not give.
@Suite struct ThreadFaultTests {
    /// Which thread it is that is asked for.
    private final class Place: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    @Test(arguments: [1, 2, 3], [false, true])
    func `a run one of whose threads cannot be started has done nothing, says so and can go on`(
        place: Int, hasService: Bool
    ) throws {
        let file = try #require(
            Fixtures.shipped.first {
                $0.lastPathComponent == (hasService ? "market-open-cdn.yaml" : "weather-week.yaml")
            })
        let scenario = try ScenarioReader.read(file: file.path, overrides: ["people=30", "warmup=0s", "duration=1h"])
            .scenario
        let run = try ScenarioRun(scenario)
        let part = run.begin(threads: 3)
        let (system, asked) = (ThreadPool.maker, Place())
        let isOver = ThreadPool.$maker.withValue(.init { asked.next() == place ? EAGAIN : system($0, $1) }) {
            part.advance()
        }
        #expect(!isOver && part.shareDone == 0)
        #expect(
            part.problem?.description.hasPrefix("cannot start 3 threads: Resource temporarily unavailable; ") == true)
        #expect(part.advance() && part.problem == nil)
        #expect(try part.result().fingerprint == #require(run.run(threads: 1)).fingerprint)
    }

    private final class Held: Sendable {}

    @Test func `no thread holds the work once all have ended`() throws {
        for _ in 0..<2_000 {
            weak var left: Held?
            do {
                let held = Held()
                left = held
                try ThreadPool.work(3) { _ in withExtendedLifetime(held) {} }
            }
            #expect(left == nil)
        }
    }
}
