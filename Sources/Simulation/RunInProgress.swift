import Measures
import SimulatedTime

/// A run under way: it continues until it is told to pause, can be written down while it pauses, and be continued in another process.
///
/// It pauses where nothing is half done: between two batches of people or, if a service answers them, between two windows. How often it paused, who went
/// on with it and on how many threads changes no result. One thread uses it.
package final class RunInProgress {
    package let scenario: Scenario
    /// Whom it simulates: all people, or those of a shard.
    package let people: Range<Int>
    /// The hash of the distribution tables that it draws from, 16 hex digits.
    package let tablesHash: String
    package private(set) var isOver = false
    /// Why it could not continue when it was last told to: a thread that the operating system does not give. The work done before is as it was.
    package private(set) var problem: ThreadProblem?
    private let kind: Kind

    private enum Kind { case people(PeopleRun), service(ServiceRun) }

    init(_ scenario: Scenario, _ run: PeopleRun, tablesHash: String) {
        self.scenario = scenario
        self.tablesHash = tablesHash
        people = run.people
        kind = .people(run)
        isOver = run.isOver
    }

    init(_ scenario: Scenario, _ run: ServiceRun, tablesHash: String) {
        self.scenario = scenario
        self.tablesHash = tablesHash
        people = 0..<scenario.people
        kind = .service(run)
    }

    /// Simulates on until the end, or until it is told to pause.
    ///
    /// - Parameters:
    ///   - pauses: asked between batches of people, with how many of all are taken, or between windows, with how many there were; on any thread.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: whether the run is over. If it is not though nobody told it to pause, `problem` says why.
    @discardableResult
    package func advance(
        until pauses: @escaping @Sendable (_ border: Int) -> Bool = { _ in false },
        progress: (_ peopleDone: Int, _ people: Int) -> Void = { _, _ in }
    ) -> Bool {
        precondition(!isOver, "the run is over")
        let count = people.count
        problem = nil
        do throws(ThreadProblem) {
            switch kind {
            case .people(let run):
                try run.advance(until: pauses) { progress($0, count) }
                isOver = run.isOver
            case .service(let run):
                isOver = try run.advance(until: pauses) { progress(Int($0 * Double(count)), count) }
                if isOver { progress(count, count) }
            }
        } catch {
            problem = error
        }
        return isOver
    }

    /// The share of the run that is done, from 0 to 1: of its people or, with a service, of its time.
    package var shareDone: Double {
        switch kind {
        case .people(let run): Double(run.frontier - people.lowerBound) / Double(max(1, people.count))
        case .service(let run): run.shareDone
        }
    }

    /// Whether what is done can be written down. A run with a service cannot be before all of its devices have begun, nor if they are recorded ones.
    package var canBeKept: Bool {
        switch kind {
        case .people: true
        case .service(let run): run.canBeKept
        }
    }

    /// Whether it is past the beginning of its devices: until then a run with a service can neither pause and continue nor be written down. Any thread may ask.
    package var hasBegun: Bool {
        switch kind {
        case .people: true
        case .service(let run): run.allHaveBegun
        }
    }

    /// Whether it comes to states that can be written down.
    package var willBeKeepable: Bool {
        switch kind {
        case .people: true
        case .service(let run): run.willBeKeepable
        }
    }

    /// Writes down what is done, or reads back what a run of the same scenario has done, into one that has done nothing.
    ///
    /// Without a service what the people of one range were counted with can also be added to a run that has come to the beginning of the range.
    package func code(_ stream: StateStream) throws(StateProblem) {
        precondition(stream.isReading || canBeKept, "a run that cannot be written down")
        switch kind {
        case .people(let run):
            try run.code(stream)
            isOver = run.isOver
        case .service(let run): try run.code(stream)
        }
        try stream.finish()
    }

    /// The result of the run, once it is over; a shard has measured nothing that could be reported.
    package func result() -> RunResult {
        precondition(isOver && people == 0..<scenario.people, "a result of a part of a run")
        switch kind {
        case .people(let run): return RunResult(scenario: scenario, measures: run.measures, load: run.load, tablesHash: tablesHash)
        case .service(let run):
            return RunResult(
                scenario: scenario, measures: run.measures(), load: run.load, service: run.service.measures, tablesHash: tablesHash,
                mostRest: run.mostRest)
        }
    }
}
