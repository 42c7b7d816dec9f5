import Foundation

/// How ranks that share nothing while they run still pause and end together: one short meeting after another, for which
/// none of them waits.
///
/// In each a rank says whether it runs, is told to pause, has stopped, or is at its end. All see the same, though not
/// at the same moment: so they leave after the same meeting.
final class RankBarrier {
    private enum State: UInt8 { case running, toldToPause, stopped, atEnd }

    private let link: RankLink
    private var isUnderWay = false
    private var isToldToPause = false
    /// Some rank pauses: this one does, too.
    private var pauses = false
    private var calls = 0
    private var lookedAt: UInt64 = 0
    private var begunAt: UInt64 = 0

    /// Calls between two looks at the clock, and nanoseconds between two looks at the meeting, and between two
    /// meetings.
    private static let callsBetweenClocks = 16
    private static let betweenLooks: UInt64 = 5_000_000
    private static let betweenMeetings: UInt64 = 50_000_000

    init(_ link: RankLink) { self.link = link }

    /// Called before every window; returns whether the rank has to pause.
    func beat(isPausing: Bool) throws(RankProblem) -> Bool {
        isToldToPause = isToldToPause || isPausing
        if pauses { return true }
        calls += 1
        if calls % Self.callsBetweenClocks != 0 && !isPausing { return false }
        let now = DispatchTime.now().uptimeNanoseconds
        if now - lookedAt < Self.betweenLooks && !isPausing { return false }
        lookedAt = now
        if isUnderWay {
            guard let states = try ended(waiting: false) else { return false }
            pauses = states.contains(.toldToPause) || states.contains(.stopped)
            if pauses { return true }
        }
        if now - begunAt >= Self.betweenMeetings || isToldToPause {
            begunAt = now
            try begin(isToldToPause ? .toldToPause : .running)
        }
        return false
    }

    /// This rank pauses, or has nothing more to do before the end of the run: waits until all do.
    ///
    /// - Returns: whether the run is over for all; otherwise it pauses.
    func stop(atEnd: Bool) throws(RankProblem) -> Bool {
        defer { (isToldToPause, pauses) = (false, false) }
        while true {
            if isUnderWay, let states = try ended(waiting: true) {
                if states.allSatisfy({ $0 == .atEnd }) { return true }
                if states.allSatisfy({ $0 == .atEnd || $0 == .stopped }) { return false }
            }
            try begin(atEnd ? .atEnd : .stopped)
        }
    }

    private func begin(_ state: State) throws(RankProblem) {
        try link.beginPulse(state.rawValue)
        isUnderWay = true
    }

    private func ended(waiting: Bool) throws(RankProblem) -> [State]? {
        guard let bytes = try link.endedPulse(waiting: waiting) else { return nil }
        isUnderWay = false
        var states: [State] = []
        for (rank, byte) in bytes.enumerated() {
            guard let state = State(rawValue: byte) else { throw link.garbled(rank) }
            states.append(state)
        }
        return states
    }
}
