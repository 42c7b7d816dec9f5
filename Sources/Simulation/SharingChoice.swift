/// Whether partitions are handed out to other threads: learnt from how long answers take either way. No result depends
/// on it.
///
/// Threads meet in a microsecond or two where each has a core, and in milliseconds where others want the cores too. So
/// now and then both ways are tried by turns, the less often the longer the present one has been the faster.
struct SharingChoice {
    /// The answers of one way.
    private struct Trial {
        var answers = 0
        var nanoseconds: UInt64 = 0

        var nanosecondsAnAnswer: Double { Double(nanoseconds) / Double(max(1, answers)) }
    }

    /// Whether partitions are handed out now.
    private(set) var isShared = false
    private var isBetterShared = false
    private var alone = Trial(), shared = Trial()
    /// Turns of the trial so far; nil between two trials.
    private var turn: Int? = 0
    /// Turns until the next trial, and how many there are between two.
    private var untilTrial = 0
    private var betweenTrials = Self.leastBetweenTrials

    /// So many answers a partition are a turn.
    static let answers = 64
    private static let trialTurns = 32
    /// The first turns wake threads up that sleep, and do not count.
    private static let warmUp = 4
    private static let leastBetweenTrials = 256
    private static let mostBetweenTrials = 16_384

    /// Answers decided so far.
    var decided = 0
    /// How many they were the last time, and when that was, in nanoseconds.
    private var last = (decided: 0, nanoseconds: UInt64(0))

    /// Counts from now on.
    mutating func restart(at nanoseconds: UInt64) { last = (decided, nanoseconds) }

    /// Whether so many were decided since the last time that they are a turn.
    func isEnough(partitions: Int) -> Bool { decided - last.decided >= Self.answers * partitions }

    /// Learns from the time of the answers since the last time.
    mutating func note(at nanoseconds: UInt64) {
        note(answers: decided - last.decided, nanoseconds: nanoseconds - last.nanoseconds)
        restart(at: nanoseconds)
    }

    /// Records how long so many answers have taken, from the last time on.
    mutating func note(answers: Int, nanoseconds: UInt64) {
        guard let turn else {
            untilTrial -= 1
            if untilTrial <= 0 { (alone, shared, self.turn) = (Trial(), Trial(), 0) }
            return
        }
        if turn >= Self.warmUp {
            if isShared {
                (shared.answers, shared.nanoseconds) = (shared.answers + answers, shared.nanoseconds + nanoseconds)
            } else {
                (alone.answers, alone.nanoseconds) = (alone.answers + answers, alone.nanoseconds + nanoseconds)
            }
        }
        if turn + 1 == Self.trialTurns { return finishTrial() }
        self.turn = turn + 1
        isShared.toggle()
    }

    private mutating func finishTrial() {
        let isBetter = shared.nanosecondsAnAnswer < alone.nanosecondsAnAnswer
        // The other way is better now: it may change again soon. It is not: the next trial is farther off.
        betweenTrials =
            isBetter != isBetterShared ? Self.leastBetweenTrials : min(Self.mostBetweenTrials, 2 * betweenTrials)
        isBetterShared = isBetter
        isShared = isBetter
        (turn, untilTrial) = (nil, betweenTrials)
    }
}
