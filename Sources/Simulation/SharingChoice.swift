/// Whether the devices that answers are delivered to in a window are worth sharing among threads: learnt from how long windows take either way. No result depends on it.
///
/// Threads meet in a microsecond or two where each has a core, and in milliseconds where others want the cores too. So now and then the other way is
/// tried for some windows, the less often the longer it has been the slower one.
struct SharingChoice {
    /// Windows of one way, one after another.
    private struct Trial {
        var windows = 0
        var devices = 0
        var nanoseconds: UInt64 = 0

        /// The first windows of a trial wake threads up that sleep, and do not count.
        static let warmUp = 8
        static let length = 40

        var isOver: Bool { windows >= Self.length }
        var nanosecondsADevice: Double { Double(nanoseconds) / Double(max(1, devices)) }

        mutating func add(_ count: Int, _ time: UInt64) {
            windows += 1
            if windows <= Self.warmUp { return }
            devices += count
            nanoseconds += time
        }
    }

    private var isShared = false
    private var times: (alone: Double, shared: Double) = (0, 0)
    private var trial = Trial()
    /// Windows of the better way until the next trial of the other, and how many there are between two.
    private var untilTrial = 0
    private var betweenTrials = Self.leastBetweenTrials
    private var phase = Phase.tryingAlone

    private enum Phase { case tryingAlone, tryingShared, settled }

    /// Fewer devices take less time than threads take to meet, at best.
    private static let least = 4
    private static let leastBetweenTrials = 2_048
    private static let mostBetweenTrials = 131_072

    /// Whether a window of this many devices is shared.
    func shares(_ devices: Int) -> Bool { isShared && devices >= Self.least }

    /// Records how long a window of this many devices has taken.
    mutating func note(devices: Int, wasShared: Bool, nanoseconds: UInt64) {
        // A window decided the other way belongs to no trial.
        guard devices >= Self.least, wasShared == isShared else { return }
        if phase == .settled {
            untilTrial -= 1
            if untilTrial <= 0 { begin(isShared ? .tryingAlone : .tryingShared) }
            return
        }
        trial.add(devices, nanoseconds)
        if trial.isOver { finishTrial() }
    }

    private mutating func begin(_ next: Phase) {
        phase = next
        trial = Trial()
        isShared = next == .tryingShared
    }

    private mutating func finishTrial() {
        if isShared { times.shared = trial.nanosecondsADevice } else { times.alone = trial.nanosecondsADevice }
        if times.shared == 0 || times.alone == 0 {
            begin(isShared ? .tryingAlone : .tryingShared)
            return
        }
        let isBetter = isShared == (times.shared < times.alone)
        // The one that was tried is better: the other may be so again soon. It is not: the next trial is farther off.
        betweenTrials = isBetter ? Self.leastBetweenTrials : min(Self.mostBetweenTrials, betweenTrials * 2)
        if !isBetter { isShared.toggle() }
        phase = .settled
        untilTrial = betweenTrials
    }
}
