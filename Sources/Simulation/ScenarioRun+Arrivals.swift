import Basics
import RefreshService

/// Runs whose requests somebody sees.
extension ScenarioRun {
    /// Simulates all people and hands over the requests of a span as they are counted at one stage of the load. The
    /// result is that of a plain run.
    ///
    /// - Parameters:
    ///   - atOrigin: at the origin, behind the edge. Without a service these are the requests at the edge (S6).
    ///   - span: of the report.
    ///   - takers: gives what takes requests, one for some of the people each; requests come to each in no order that
    ///     matters.
    ///   - cancelled: asked now and then, on any thread; once it is true, the run ends without a result.
    ///   - progress: called about five times a second on the calling thread.
    /// - Returns: nil if the run was cancelled.
    package func run(
        threads: Int, atOrigin: Bool, span: Range<Instant>, takers: () -> (Arrival) -> Void,
        cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> RunResult? {
        func tap() -> ArrivalTap { ArrivalTap(from: span.lowerBound, to: span.upperBound, take: takers()) }
        let seesOrigin = atOrigin && scenario.service != nil
        return try result(
            of: begin(
                threads: threads, taps: seesOrigin ? [] : (0..<takerCount(threads: threads)).map { _ in tap() },
                origin: seesOrigin ? tap() : nil), cancelled: cancelled,
            progress: progress)
    }

    /// Those who simulate people: threads, or with a service their partitions.
    private func takerCount(threads: Int) -> Int {
        scenario.service == nil ? threads : PartitionTable.count(threads: threads)
    }

    /// The result of a plain run; nil if it was cancelled.
    package func result(
        threads: Int, cancelled: @escaping @Sendable () -> Bool, progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> RunResult? {
        try result(of: begin(threads: threads), cancelled: cancelled, progress: progress)
    }

    private func result(
        of run: RunInProgress, cancelled: @escaping @Sendable () -> Bool,
        progress: (_ peopleDone: Int, _ people: Int) -> Void
    ) throws(ThreadProblem) -> RunResult? {
        guard run.advance(until: { _ in cancelled() }, progress: progress) else {
            if let problem = run.problem { throw problem }
            return nil
        }
        return run.result()
    }
}
