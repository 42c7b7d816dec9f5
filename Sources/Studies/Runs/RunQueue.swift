import ResultFiles
import Basics
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation

/// The runs of a study side by side, as many as there are cores and memory for. One that fails stops no other.
package final class RunQueue: Sendable {
    package struct Settings: Sendable {
        /// Runs at a time.
        package var jobs: Int
        package var threads: Int
        /// Bytes that the runs under way may take together, by their estimates; one run alone may take more.
        package var memory: Double
        /// Whether runs are simulated again whose results stand there already.
        package var repeats: Bool
        /// The files of each run that are written.
        package var kept: KeptFiles
        /// Whether further runs of the same fleets follow, so that the beginning of one is worth its file.
        package var othersFollow = false

        package init(jobs: Int, threads: Int, memory: Double, repeats: Bool = false, kept: KeptFiles = .all) {
            precondition(jobs >= 1 && threads >= 1, "\(jobs) jobs of \(threads) threads")
            self.jobs = jobs
            self.threads = threads
            self.memory = memory
            self.repeats = repeats
            self.kept = kept
        }
    }

    /// How far the study is.
    package struct Progress: Hashable, Sendable {
        /// Runs that have ended in whatever way, of all.
        package var ended, runs: Int
        /// The part of the work that is done, 0 to 1, by the estimates of events.
        package var share: Double
        /// The part that was there before.
        package var shareBefore: Double
    }

    private let settings: Settings
    private let scenario: ScenarioText
    private let folder: StudyFolder

    package init(_ scenario: ScenarioText, in folder: StudyFolder, _ settings: Settings) {
        self.scenario = scenario
        self.folder = folder
        self.settings = settings
    }

    /// Bytes that a run takes beside the process that it shares.
    private func memory(of run: StudyRun) -> Double { run.estimate.ownMemory(threads: settings.threads) }

    /// Performs the runs whose results are not there yet.
    ///
    /// - Parameters:
    ///   - cancelled: asked now and then, on any thread; once it is true, runs under way stop and no other begins.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: one outcome a run, in their order. Runs of the same content are simulated once and have one outcome.
    package func perform(
        _ runs: [StudyRun], cancelled: @escaping @Sendable () -> Bool, progress: (Progress) -> Void = { _ in }
    )
        -> [RunOutcome]
    {
        // Runs of one name are one piece of work.
        var pieces: [StudyRun] = []
        var pieceOf: [String: Int] = [:]
        for run in runs where pieceOf[run.name] == nil {
            pieceOf[run.name] = pieces.count
            pieces.append(run)
        }
        let state = LockedValue(State(count: pieces.count))
        let weights = pieces.map { $0.estimate.events + 1 }
        for index in pieces.indices where !settings.repeats && folder.has(pieces[index], keeping: settings.kept) {
            state.withLock { $0.end(index, .skipped) }
        }
        let total = max(1, weights.reduce(0, +))
        let before =
            state.withLock { state in zip(weights, state.outcomes).reduce(0) { $0 + ($1.1 == nil ? 0 : $1.0) } } / total

        let work = pieces
        // A beginning that no other run has is not worth its file.
        let open = state.withLock { state in pieces.indices.filter { state.outcomes[$0] == nil } }
        let fleets = Dictionary(grouping: open.compactMap { pieces[$0].fleetSHA256 }) { $0 }.filter {
            $0.value.count > 1
        }
        let shared = pieces.map { piece in
            piece.fleetSHA256.flatMap {
                settings.othersFollow || fleets[$0] != nil || folder.beginnings?.has($0) == true ? $0 : nil
            }
        }
        // A thread of the pool has neither of itself.
        let (calls, code) = (Disk.calls, UserCode.current)
        let perform: @Sendable (Int) -> Void = { [self] _ in
            Disk.$calls.withValue(calls) {
                while let index = next(state, work, shared, cancelled) {
                    let job = RunJob(
                        run: work[index], scenario: scenario, folder: folder.path(of: work[index]),
                        threads: settings.threads,
                        isAnew: settings.repeats, keptFiles: settings.kept,
                        beginnings: shared[index] == nil ? nil : folder.beginnings, cancelled: cancelled)
                    let outcome = UserCode.$current.withValue(code) {
                        job.perform { share in state.withLock { $0.shares[index] = share } }
                    }
                    state.withLock {
                        $0.memory -= memory(of: work[index])
                        $0.underWay -= 1
                        $0.end(index, outcome)
                    }
                }
            }
        }
        func report() {
            let (shares, count) = state.withLock { ($0.shares, $0.outcomes.count { $0 != nil }) }
            let share = zip(weights, shares).reduce(0) { $0 + $1.0 * $1.1 } / total
            progress(Progress(ended: count, runs: pieces.count, share: share, shareBefore: before))
        }
        // Where the system gives no thread for each job this one does them all: what a run itself then lacks is in its
        // outcome.
        do throws(ThreadProblem) { try ThreadPool.work(settings.jobs, perform, waiting: report) } catch { perform(0) }
        report()
        let outcomes = state.withLock { $0.outcomes }
        return runs.map { run in outcomes[pieceOf[run.name]!] ?? .cancelled }
    }

    struct State {
        var outcomes: [RunOutcome?]
        var shares: [Double]
        var hasBegun: [Bool]
        /// The fleets of which a run has begun that shares its beginning.
        var fleets: Set<String> = []
        /// Bytes of the runs under way.
        var memory = 0.0
        var underWay = 0
        var firstOpen = 0

        init(count: Int) {
            outcomes = Array(repeating: nil, count: count)
            shares = Array(repeating: 0, count: count)
            hasBegun = Array(repeating: false, count: count)
        }

        mutating func end(_ index: Int, _ outcome: RunOutcome) {
            hasBegun[index] = true
            outcomes[index] = outcome
            shares[index] = 1
        }

        /// Begins the first run that has room; before others one that need not wait until another of its fleet has
        /// begun its devices.
        ///
        /// - Parameters:
        ///   - shared: the fleet with whose runs each shares its beginning; nil for none.
        ///   - isThere: whether the beginning of a fleet is there.
        ///   - memory: the bytes that a run takes, of at most so many.
        mutating func begin(
            _ shared: [String?], isThere: (String) -> Bool, memory: (Int) -> Double, atMost most: Double
        ) -> Int? {
            while firstOpen < hasBegun.count && hasBegun[firstOpen] { firstOpen += 1 }
            var first: Int?
            for index in firstOpen..<hasBegun.count
            where !hasBegun[index] && (underWay == 0 || self.memory + memory(index) <= most) {
                first = first ?? index
                if let fleet = shared[index], fleets.contains(fleet), !isThere(fleet) { continue }
                first = index
                break
            }
            guard let first else { return nil }
            hasBegun[first] = true
            if let fleet = shared[first] { fleets.insert(fleet) }
            self.memory += memory(first)
            underWay += 1
            return first
        }
    }

    /// The next run to begin. Waits if none has room; nil if all have begun.
    private func next(
        _ state: LockedValue<State>, _ work: [StudyRun], _ shared: [String?], _ cancelled: () -> Bool
    ) -> Int? {
        while !cancelled() {
            let (index, isOver) = state.withLock { state -> (Int?, Bool) in
                let index = state.begin(
                    shared, isThere: { folder.beginnings?.has($0) == true }, memory: { memory(of: work[$0]) },
                    atMost: settings.memory)
                return (index, state.firstOpen >= work.count)
            }
            if let index { return index }
            if isOver { return nil }
            // Some other run has to end first, which takes its time.
            usleep(20_000)
        }
        return nil
    }
}
