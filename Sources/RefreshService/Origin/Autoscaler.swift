import Basics
import Statistics

/// How many servers a horizontal autoscaler wants, after Kubernetes (S4) [Kubernetes documentation, "Horizontal Pod
/// Autoscaling", algorithm details and configurable scaling behavior; kubernetes/pkg/controller/podautoscaler]: its
/// pure part, without a clock or servers of its own.
///
/// A server that has been told to start and takes no request yet is a pod that is not ready.
struct Autoscaler {
    let rule: Autoscaling
    private let machine: MachineType?
    /// The servers wanted at each decision within the scale-down window, before any limit; the oldest first.
    private var recommendations: [Recommendation]

    private struct Recommendation: BitwiseCopyable {
        let at: Instant
        let servers: Int
    }

    /// The number at the start counts as wanted then, so that nothing is taken away before the window has passed once.
    ///
    /// - Parameter machine: the machines in which servers come; then `most` is of whole ones.
    init(_ rule: Autoscaling, _ machine: MachineType? = nil, servers: Int, at begin: Instant) {
        (self.rule, self.machine) = (rule, machine)
        recommendations = [Recommendation(at: begin, servers: servers)]
    }

    mutating func code(_ stream: StateStream) throws(StateProblem) {
        try stream.code(&recommendations)
        try stream.require(
            recommendations.allSatisfy {
                $0.at >= .start && $0.at <= .start + .longest && $0.servers >= 0
                    && Double($0.servers) <= Self.mostWanted
            }
                && zip(recommendations, recommendations.dropFirst()).allSatisfy { $0.at < $1.at },
            "a wish of an autoscaler that it cannot have had")
    }

    /// The servers to have from now on, those that are starting among them.
    ///
    /// - Parameters:
    ///   - now: later than at the decision before.
    ///   - busyTime: microseconds of busy servers in the last interval.
    ///   - serverTime: microseconds of servers that were there in the last interval; with none there is no measurement
    ///     and no decision.
    mutating func decide(at now: Instant, busyTime: Int64, serverTime: Int64, ready: Int, starting: Int) -> Int {
        let current = ready + starting
        if serverTime == 0 { return current }
        let ratio = Double(busyTime) / Double(serverTime) / rule.target
        let desired = desired(ratio: ratio, ready: ready, starting: starting)
        // A limit includes its last instant (T6).
        recommendations.removeAll { $0.at < now - rule.scaleDownWindow }
        recommendations.append(Recommendation(at: now, servers: desired))
        let wanted = max(limitedInGrowth(stabilised(desired, current), current), rule.least)
        return min(machine?.whole(min(wanted, rule.most)) ?? wanted, rule.most)
    }

    /// The usage ratio times the servers, rounded up. To grow, those that are starting count as idle, and a ratio that
    /// this brings within the tolerance or to the other side of 1 changes nothing ("the controller assumes they are
    /// consuming 0 % … if the new ratio reverses the scale direction, or is within the tolerance, the controller
    /// doesn't take any scaling action").
    private func desired(ratio: Double, ready: Int, starting: Int) -> Int {
        let current = ready + starting
        if ratio > 1 && starting > 0 {
            let damped = ratio * Double(ready) / Double(current)
            return damped - 1 > rule.tolerance + Self.rounding
                ? max(current, Self.roundedUp(damped * Double(current))) : current
        }
        return (ratio - 1).magnitude <= rule.tolerance + Self.rounding ? current : Self.roundedUp(ratio * Double(ready))
    }

    /// Down only to the largest number wanted within the window ("downscale stabilization"); up at once.
    private func stabilised(_ desired: Int, _ current: Int) -> Int {
        if desired >= current { return desired }
        return min(current, recommendations.reduce(desired) { max($0, $1.servers) })
    }

    /// The limit of the scaling policy that allows more of the two ("selectPolicy: Max").
    private func limitedInGrowth(_ desired: Int, _ current: Int) -> Int {
        min(desired, max(Self.roundedUp(Double(current) * (1 + rule.growthShare)), current + rule.growthServers))
    }

    /// More than floating point is off by: 12.000000000000002 is 12, and 55 hundredths by 5 tenths are within a tenth
    /// of 1.
    private static let rounding = 1e-9

    /// A target near nothing asks for more servers than any number holds. So it is cut far above all that a pool may
    /// have, and the limits that follow have the last word; far enough below the greatest number that a growth added to
    /// it still is one.
    private static let mostWanted = 1_000_000_000_000_000.0

    private static func roundedUp(_ number: Double) -> Int {
        Int(cutting: min((number - rounding).rounded(.up), mostWanted))
    }
}
