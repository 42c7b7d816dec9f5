import Basics
import Statistics

/// How long a client waits for an answer to a try, ready to draw from (S3).
///
/// A draw is at least a millisecond and at most an hour.
public struct Patience: Sendable {
    public static let least = Duration.milliseconds(1)
    public static let most = Duration.hours(1)

    private let wait: DurationDistribution
    /// Whether every draw is the same, so that none need be looked up.
    public let isConstant: Bool

    public init(_ wait: Distribution, _ tables: inout StandardTables) throws(DistributionProblem) {
        self.wait = try wait.preparedDurations(atLeast: Self.least, with: &tables)
        if case .constant = wait.shape { isConstant = true } else { isConstant = false }
    }

    @inline(__always)
    public func draw(_ u: UInt64) -> Duration { min(wait.draw(u), Self.most) }

    /// A drawn patience in microseconds, which fit.
    func microseconds(_ u: UInt64) -> UInt32 { UInt32(draw(u).microseconds) }
}

/// When a client gives a try up (S3).
public enum Abandonment: UInt8, CaseIterable, Sendable {
    /// At its time-out, unless it has heard by then that its request is being served: then it stays for the answer.
    /// Hearing takes the ways back.
    case inQueue
    /// At its time-out, whatever becomes of its request.
    case always
}
