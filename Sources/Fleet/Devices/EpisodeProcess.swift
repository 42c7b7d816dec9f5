import SimulatedTime
import Stochastics

/// Episodes that come at random, each for a drawn time.
struct EpisodeProcess {
    private(set) var nextAt: Instant = .never
    private var isUnderWay = false
    /// The end of an episode that is under way at the start; `never` for none.
    private var firstEnd: Instant = .never
    private let habits: PreparedEpisodes
    private var starts, lengths: RandomStream

    init(_ habits: PreparedEpisodes, starts: RandomStream, lengths: RandomStream, isResumed: Bool = false) {
        self.habits = habits
        self.starts = starts
        self.lengths = lengths
        guard habits.gap < .infinity, !isResumed else { return }
        // A run starts in the middle of things (T4): some cycles before it, and an episode under way begins for the run at its start.
        findBeginning(after: .start - Journey.duration(Self.cyclesBefore * (habits.gap + habits.meanLength)))
        while nextAt < .start { _ = advance() }
        if isUnderWay {
            isUnderWay = false
            firstEnd = nextAt
            nextAt = .start
        }
    }

    private static let cyclesBefore = 8.0

    private mutating func findBeginning(after instant: Instant) {
        guard habits.gap < .infinity else { return }
        let seconds = habits.gap * habits.exponential.draw(starts.next())
        nextAt = seconds < 3_660 * 86_400 ? instant + Duration(microseconds: Int64(seconds * 1e6)) : .never
    }

    /// An episode begins or ends; returns whether it begins.
    mutating func advance() -> Bool {
        isUnderWay.toggle()
        if isUnderWay && firstEnd < .never {
            nextAt = firstEnd
            firstEnd = .never
        } else if isUnderWay {
            nextAt = nextAt + Journey.duration(habits.length.draw(lengths.next()))
        } else {
            findBeginning(after: nextAt)
        }
        return isUnderWay
    }
}

// MARK: At rest

extension EpisodeProcess {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard habits.gap < .infinity else { return }
        coder.code(&nextAt)
        coder.code(&isUnderWay)
        coder.code(&firstEnd, near: nextAt)
        coder.code(&starts)
        coder.code(&lengths)
    }
}
