import Basics
import Fleet
import ScenarioModel
import Statistics

/// A run under way: it continues until it is told to pause, can be written down while it pauses, and be continued in
/// another process.
///
/// It pauses where nothing is half done: between two batches of people or, if a service answers them, between two
/// windows. How often it paused, who went on with it and on how many threads changes no result. One thread uses it.
package final class RunInProgress {
    package private(set) var scenario: Scenario
    /// Whom it simulates: all people, or those of a shard.
    package private(set) var people: Range<Int>
    /// The hash of the distribution tables that it draws from, 16 hex digits.
    package let tablesHash: String
    package private(set) var isOver = false
    /// Why it could not continue when it was last told to: a thread that the operating system does not give. The work
    /// done before is as it was.
    package private(set) var problem: ThreadProblem?
    /// Why the ranks no longer work together; nil if they do, or if it is no run on ranks.
    package private(set) var lost: RankProblem?
    /// The link to the other ranks; nil for a run in one process.
    package let link: RankLink?
    private let kind: Kind
    /// The code of users' own that it runs.
    private let code: RunningCode

    enum Kind { case people(PeopleRun), service(ServiceRun), sampled(SampledServiceRun) }

    init(_ scenario: Scenario, _ kind: Kind, tablesHash: String, link: RankLink? = nil) {
        (self.scenario, self.kind, self.tablesHash, self.link) = (scenario, kind, tablesHash, link)
        code = RunningCode(scenario)
        people = 0..<scenario.people
        if case .people(let run) = kind { (people, isOver) = (run.people, run.isOver) }
    }

    /// Simulates on until the end, or until it is told to pause.
    ///
    /// - Parameters:
    ///   - pauses: asked between batches of people, with how many of all are taken, or between windows, with how many
    ///     there were; on any thread. If one rank is told to, all pause at the same place.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: whether the run is over. If it is not though nobody told it to pause, `problem` or `lost` says why.
    @discardableResult
    package func advance(
        until pauses: @escaping @Sendable (_ done: Int) -> Bool = { _ in false },
        progress: (_ peopleDone: Int, _ people: Int) -> Void = { _, _ in }
    ) -> Bool {
        precondition(!isOver, "the run is over")
        let count = people.count
        problem = nil
        let code = code
        var pauses = pauses
        if !code.isEmpty { pauses = { [pauses] done in code.isAtFault || pauses(done) } }
        do throws(ThreadProblem) {
            switch kind {
            case .people(let run):
                try run.advance(until: pauses) { progress($0, count) }
                (isOver, lost) = (run.isOver, run.lost)
            case .service(let run):
                isOver = try run.advance(until: pauses) { progress(Int($0 * Double(count)), count) }
                lost = run.lost
                if isOver { progress(count, count) }
            case .sampled(let run):
                isOver = try run.advance(until: pauses) {
                    sampledShare = $0; progress(Int($0 * Double(count)), count)
                }
                if isOver { progress(count, count) }
            }
            if let fault = code.takeFault() {
                isOver = false
                problem = ThreadProblem(userCode: fault)
            }
        } catch {
            problem = error
        }
        return isOver
    }

    /// Adds people to a run of all people in one process, without a service or for more people before it: those who
    /// come next by their numbers.
    ///
    /// The result is that of a run of so many people in all.
    package func grow(to count: Int) {
        precondition(
            link == nil && people == 0..<scenario.people && count >= people.count, "\(people) to grow to \(count)")
        scenario.people = count
        people = 0..<count
        switch kind {
        case .people(let run):
            run.grow(to: count)
            isOver = run.isOver
        case .sampled(let run):
            run.grow(to: count)
            isOver = false
        case .service: preconditionFailure("more people before a service")
        }
    }

    /// The people of the run stand for nobody else: its result says no figures of more.
    package func standForThemselves() { scenario.report.represents = nil }

    /// The share of the run that is done, from 0 to 1: of its people or, with a service, of its time.
    package var shareDone: Double {
        switch kind {
        case .people(let run): Double(run.frontier - people.lowerBound) / Double(max(1, people.count))
        case .service(let run): run.shareDone
        case .sampled: sampledShare
        }
    }

    /// The share of the round under way.
    private var sampledShare = 0.0

    /// Whether what is done can be written down. A run with a service cannot be before all of its devices have begun,
    /// nor if they are recorded ones.
    package var canBeKept: Bool {
        switch kind {
        case .people: true
        case .service(let run): run.canBeKept
        // It takes seconds, and begins again.
        case .sampled: false
        }
    }

    /// Whether it is past the beginning of its devices: until then a run with a service can neither pause and continue
    /// nor be written down. Any thread may ask.
    package var hasBegun: Bool {
        switch kind {
        case .people: true
        case .service(let run): run.beginning.isOver
        case .sampled: true
        }
    }

    /// Whether it comes to states that can be written down.
    package var willBeKeepable: Bool {
        switch kind {
        case .people: true
        case .service(let run): run.willBeKeepable
        case .sampled: false
        }
    }

    /// Writes down what is done, or reads back what a run of the same scenario has done, into one that has done
    /// nothing.
    ///
    /// Without a service what the people of one range were counted with can also be added to a run that has come to the
    /// beginning of the range.
    ///
    /// The states of all ranks are read in the order of the ranks, by any number of ranks, each as far as it needs
    /// them; `finishReading` follows.
    ///
    /// - Parameters:
    ///   - rank: the one whose state is written, or was.
    ///   - ranks: how many there are, or were.
    package func code(_ stream: StateStream, rank: Int, of ranks: Int) throws(StateProblem) {
        precondition(stream.isReading || canBeKept, "a run that cannot be written down")
        let part = RankShare(rank: rank, of: ranks)
        switch kind {
        case .people(let run):
            try run.code(stream, part: part)
            isOver = run.isOver
        case .service(let run): try run.code(stream, part: part)
        case .sampled: preconditionFailure("a run that cannot be written down")
        }
        try stream.finish()
    }

    /// Whether this rank needs what one of so many ranks has written: the first one's, those whose counts it adds,
    /// those of its own people, and those of its own parts of the service.
    package func needsState(ofRank rank: Int, of ranks: Int) -> Bool {
        let own = link.share
        if case .service(let run) = kind {
            if ranks != own.ranks { return true }
            let group = run.ranks.division.groups[run.ranks.division.group(of: own.rank)]
            if rank == group.ranks.lowerBound { return true }
        }
        return rank == 0 || own.adds(RankShare(rank: rank, of: ranks))
    }

    /// How people were divided among ranks so far, as a number that all ranks of a run share; 0 with a service, where
    /// the people of a rank are always the same. A run that continues from the counts of ranks takes theirs.
    package var division: UInt64 {
        get { if case .people(let run) = kind { run.division } else { 0 } }
        set { if case .people(let run) = kind { run.division = newValue } }
    }

    /// Ends the reading, once every part that is needed was read.
    package func finishReading() throws(StateProblem) {
        if case .service(let run) = kind { try run.finishReading() }
    }

    /// Writes down or reads back the state of a run in one process, all in one.
    package func code(_ stream: StateStream) throws(StateProblem) {
        try code(stream, rank: link.share.rank, of: link.share.ranks)
        if stream.isReading { try finishReading() }
    }

    /// Whether runs of the same fleet before other services can begin with what this one has done when every device has
    /// begun.
    package var canShareBeginning: Bool {
        if case .service(let run) = kind { link == nil && run.willBeKeepable } else { false }
    }

    /// Begins every device, and stops before the service serves anything.
    ///
    /// - Returns: false if it was cancelled, or a thread is lacking (`problem`); it cannot continue then.
    package func beginDevices(
        cancelled: @escaping @Sendable () -> Bool, progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) -> Bool {
        guard case .service(let run) = kind else { preconditionFailure("the beginning of a run without a service") }
        advance(until: { _ in cancelled() || run.beginning.isOver }, progress: progress)
        return run.canBeKept
    }

    /// Writes down what was done until every device had begun, or reads it into a run of the same fleet that has done
    /// nothing.
    package func codeBeginning(_ stream: StateStream) throws(StateProblem) {
        guard case .service(let run) = kind else { preconditionFailure("the beginning of a run without a service") }
        try run.code(stream, part: .whole, isBeginning: true)
        try stream.finish()
        if stream.isReading { try run.finishReading() }
    }

    /// Adds the measures of all ranks up, once the run is over: the first rank has the result then.
    package func addUp() throws(RankProblem) {
        guard let link else { return }
        precondition(isOver, "measures of a run that is not over")
        switch kind {
        case .people(let run): try RankSum(link).add(run.measures, run.load, run.groups)
        case .service(let run): try RankSum(link).add(run.measures(), run.load, run.service, run.ranks.division)
        case .sampled: preconditionFailure("a sample before a service on several ranks")
        }
    }

    /// The result of the run, once it is over; a shard has measured nothing that could be reported, and of several
    /// ranks the first alone has it all, once they are added up.
    package func result() -> RunResult {
        precondition(
            isOver && people == 0..<scenario.people && link.share.rank == 0, "a result of a part of a run")
        switch kind {
        case .people(let run):
            return RunResult(
                scenario: scenario, measures: run.measures, load: run.load, groups: run.groups, tablesHash: tablesHash)
        case .service(let run):
            return RunResult(
                scenario: scenario, measures: run.measures(), load: run.load, service: run.service.measures,
                tablesHash: tablesHash,
                largestSnapshots: run.largestSnapshots)
        case .sampled(let run):
            guard let sample = run.sample, let scaled = run.result else {
                preconditionFailure("a run that is not over")
            }
            return RunResult(
                scenario: scenario, measures: sample.measures, load: sample.load, groups: sample.groups,
                service: scaled.outcome.service, scaled: scaled, tablesHash: tablesHash)
        }
    }
}
