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
        guard habits.beginnings.everCome, !isResumed else { return }
        // A run starts in the middle of things (T4): some cycles before it, and an episode under way begins for the run at its start.
        findBeginning(after: .start - Duration(seconds: Self.cyclesBefore * (habits.beginnings.meanGap + habits.meanLength)))
        while nextAt < .start { _ = advance() }
        if isUnderWay {
            isUnderWay = false
            firstEnd = nextAt
            nextAt = .start
        }
    }

    private static let cyclesBefore = 8.0

    private mutating func findBeginning(after instant: Instant) {
        nextAt = habits.beginnings.next(after: instant, starts.next())
    }

    /// An episode begins or ends; returns whether it begins.
    mutating func advance() -> Bool {
        isUnderWay.toggle()
        if isUnderWay && firstEnd < .never {
            nextAt = firstEnd
            firstEnd = .never
        } else if isUnderWay {
            nextAt = nextAt + habits.length.draw(lengths.next())
        } else {
            findBeginning(after: nextAt)
        }
        return isUnderWay
    }
}

// MARK: At rest

extension EpisodeProcess {
    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard habits.beginnings.everCome else { return }
        coder.code(&nextAt)
        coder.code(&isUnderWay)
        coder.code(&firstEnd, near: nextAt)
        coder.code(&starts)
        coder.code(&lengths)
    }
}
