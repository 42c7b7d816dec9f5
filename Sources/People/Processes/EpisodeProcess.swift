import Basics
import DeviceStorage
import Statistics

/// Episodes that come at random, each for a drawn time.
struct EpisodeProcess {
    private(set) var nextAt: Instant = .never
    private var isUnderWay = false
    /// The end of an episode that is under way at the start; `never` for none.
    private var firstEnd: Instant = .never
    /// Nil if none ever comes.
    private let habits: UnsafePointer<PreparedEpisodes>?
    private let startStream, lengthStream: RandomStream
    private var starts = DrawCount(), lengths = DrawCount()

    init(
        _ shared: UnsafePointer<PreparedEpisodes>?, starts: RandomStream, lengths: RandomStream, isResumed: Bool = false
    ) {
        (startStream, lengthStream) = (starts, lengths)
        habits = shared.flatMap { $0.pointee.beginnings.everCome ? $0 : nil }
        guard let habits = habits?.pointee, !isResumed else { return }
        // A run starts in the middle of things (T4): some cycles before it, and an episode under way begins for the run
        // at its start.
        findBeginning(
            after: .start - Duration(seconds: Self.cyclesBefore * (habits.beginnings.meanGap + habits.meanLength)),
            habits)
        while nextAt < .start { _ = advance() }
        if isUnderWay {
            isUnderWay = false
            firstEnd = nextAt
            nextAt = .start
        }
    }

    private static let cyclesBefore = 8.0

    private mutating func findBeginning(after instant: Instant, _ habits: PreparedEpisodes) {
        nextAt = habits.beginnings.next(after: instant, starts.next(of: startStream))
    }

    /// An episode begins or ends; returns whether it begins.
    mutating func advance() -> Bool {
        guard let habits = habits?.pointee else { preconditionFailure("an episode of a device that has none") }
        isUnderWay.toggle()
        if isUnderWay && firstEnd < .never {
            nextAt = firstEnd
            firstEnd = .never
        } else if isUnderWay {
            nextAt = nextAt + habits.length.draw(lengths.next(of: lengthStream))
        } else {
            findBeginning(after: nextAt, habits)
        }
        return isUnderWay
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard habits != nil else { return }
        coder.code(&nextAt)
        coder.code(&isUnderWay)
        coder.code(&firstEnd, near: nextAt)
        coder.code(&starts)
        coder.code(&lengths)
    }
}
