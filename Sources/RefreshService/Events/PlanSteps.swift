import Basics
import Statistics

/// A change that the plan's events bring at one instant.
struct PlanStep {
    enum Change: Int { case end, nextPart, begin }

    let at: Instant
    /// The index of the event in the plan.
    let event: Int
    let change: Change
}

/// The plan's events as a list of changes by time. At one instant ends come before the next parts of deploys and these
/// before beginnings, and each of them in the plan's order.
///
/// An event that began before the run begins with it; one that was over by then is left out.
struct PlanSteps {
    let steps: [PlanStep]
    private(set) var next = 0

    init(_ events: [ServiceEvent], end: Instant) {
        var steps: [PlanStep] = []
        for (index, event) in events.enumerated() {
            let (from, to) = (event.from, event.to)
            if case .purge = event.effect {
                if from >= .start { steps.append(PlanStep(at: from, event: index, change: .begin)) }
                continue
            }
            if to <= max(from, .start) { continue }
            steps.append(PlanStep(at: max(from, .start), event: index, change: .begin))
            if case .deploy(_, _, let step) = event.effect, step > .zero {
                var at = from + step
                while at < min(to, end) {
                    // Parts that were done before the run are over when it begins.
                    steps.append(PlanStep(at: max(at, .start), event: index, change: .nextPart))
                    at = at + step
                }
            }
            steps.append(PlanStep(at: to, event: index, change: .end))
        }
        self.steps = steps.sorted { ($0.at, $0.change.rawValue, $0.event) < ($1.at, $1.change.rawValue, $1.event) }
    }

    /// When the next change comes; `never` if none does.
    var nextAt: Instant { next < steps.count ? steps[next].at : .never }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&next)
        if next < 0 || next > steps.count { throw StateProblem("\(next) changes of a plan of \(steps.count)") }
    }

    /// The next change that comes at `now`.
    mutating func take(at now: Instant) -> PlanStep? {
        if nextAt != now { return nil }
        defer { next += 1 }
        return steps[next]
    }
}
