import Basics
import RefreshService
import Statistics

/// How the devices of one region come to another one, ready for the loop (S7).
struct PreparedFailover {
    /// The region where they go.
    let to: Int
    let detour: Duration
    private let usesNextAddress: Bool
    /// The beginning and the end of each turn, one after another.
    private let turns: UnsafeMutableBufferPointer<Int64>
    private let timeToLive, ignoredFor, returnSpan: Duration
    private let ignores: Bernoulli
    /// 0 for a return that is spread evenly.
    private let returnParts: UInt64

    init(_ failover: Failover, keeping memory: inout PlanMemory) throws(DistributionProblem) {
        (to, detour) = (failover.to, failover.detour)
        var names = NameTurns(turns: [], timeToLive: .zero)
        switch failover.way {
        case .nextAddress: usesNextAddress = true
        case .name(let turns): (usesNextAddress, names) = (false, turns)
        }
        turns = .allocate(capacity: 2 * names.turns.count)
        _ = turns.initialize(from: names.turns.flatMap { [$0.from.microseconds, $0.to.microseconds] })
        memory.append(turns)
        (timeToLive, ignoredFor, returnSpan) = (names.timeToLive, names.ignoredFor, names.returnSpan)
        ignores = try Bernoulli(probability: names.ignoringShare)
        returnParts = UInt64(names.returnParts ?? 0)
    }

    /// Whether the other region serves what a device sends now.
    ///
    /// - Parameters:
    ///   - attempt: the number of the try, from 1 on.
    ///   - draws: the device's numbers for this failover.
    func isAway(at now: Instant, attempt: Int, _ draws: RandomStream) -> Bool {
        if usesNextAddress { return attempt & 1 == 0 }
        if turns.isEmpty || now.microseconds < turns[0] { return false }
        let kept = ignores.holds(draws.value(at: 0)) ? ignoredFor : timeToLive
        for turn in stride(from: 0, to: turns.count, by: 2) {
            let (from, to) = (Instant(microseconds: turns[turn]), Instant(microseconds: turns[turn + 1]))
            if from > now { break }
            let index = UInt64(turn / 2 * 3)
            let left = from + Self.part(of: kept, draws.value(at: index + 1))
            if now < left { continue }
            if now < to { return true }
            let back = to + delayOfReturn(draws.value(at: index + 2))
            // A resolver that has asked again too late to hear of the other region never leaves.
            if left < back && now < back + Self.part(of: kept, draws.value(at: index + 3)) { return true }
        }
        return false
    }

    /// How long after the return begins a device is let return.
    private func delayOfReturn(_ u: UInt64) -> Duration {
        if returnParts < 2 { return Self.part(of: returnSpan, u) }
        let part = returnParts.multipliedFullWidth(by: u).high
        return Duration(microseconds: returnSpan.microseconds * Int64(part) / Int64(returnParts - 1))
    }

    /// An even draw from nothing to a length.
    private static func part(of length: Duration, _ u: UInt64) -> Duration {
        Duration(microseconds: Int64(length.microseconds.magnitude.multipliedFullWidth(by: u).high))
    }
}
