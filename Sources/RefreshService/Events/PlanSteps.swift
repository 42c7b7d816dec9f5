import Measures
import SimulatedTime

/// A change that the plan's events bring at one instant.
struct PlanStep {
    enum Change: Int { case end, nextPart, begin }

    let at: Int64
    /// The index of the event in the plan.
    let event: Int
    let change: Change
}

/// The plan's events as a list of changes by time. At one instant ends come before the next parts of deploys and these before beginnings, and each of
/// them in the plan's order.
///
/// An event that began before the run begins with it; one that was over by then is left out.
struct PlanSteps {
    let steps: [PlanStep]
    private(set) var next = 0

    init(_ events: [ServiceEvent], end: Int64) {
        var steps: [PlanStep] = []
        for (index, event) in events.enumerated() {
            let (from, to) = (event.from.microseconds, event.to.microseconds)
            if case .purge = event.happening {
                if from >= 0 { steps.append(PlanStep(at: from, event: index, change: .begin)) }
                continue
            }
            if to <= max(from, 0) { continue }
            steps.append(PlanStep(at: max(from, 0), event: index, change: .begin))
            if case .deploy(_, _, let step) = event.happening, step > .zero {
                for at in stride(from: from + step.microseconds, to: min(to, end), by: Int(step.microseconds)) {
                    // Parts that were done before the run are over when it begins.
                    steps.append(PlanStep(at: max(at, 0), event: index, change: .nextPart))
                }
            }
            steps.append(PlanStep(at: to, event: index, change: .end))
        }
        self.steps = steps.sorted { ($0.at, $0.change.rawValue, $0.event) < ($1.at, $1.change.rawValue, $1.event) }
    }

    /// When the next change comes, in microseconds; `Int64.max` if none does.
    var nextAt: Int64 { next < steps.count ? steps[next].at : .max }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&next)
        if next < 0 || next > steps.count { throw StateProblem("\(next) changes of a plan of \(steps.count)") }
    }

    /// The next change that comes at `now`.
    mutating func take(at now: Int64) -> PlanStep? {
        if nextAt != now { return nil }
        defer { next += 1 }
        return steps[next]
    }
}
