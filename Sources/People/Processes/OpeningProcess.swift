import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// Occasions of one sort: they come at random while the person is up, by the weights of the local hours, whatever
/// occasion is under way, which the next one then ends (V7, V9).
struct OpeningProcess {
    private(set) var nextAt: Instant = .never
    /// Whether one is under way.
    private(set) var isOpen = false
    private var startAt: Instant = .never
    private var endAt: Instant = .never
    private let habits: UnsafePointer<PreparedOccasions>
    /// At the rate of the hour with the highest weight.
    private let arrivals: RandomArrivals
    private let purpose, lengthPurpose: Purpose
    private var starts = DrawCount(), lengths = DrawCount()

    /// - Parameter waking: the usual waking hours, in which `perDay` of them come; fewer, where less than an hour of
    ///   the highest weight lies in them.
    init(
        _ habits: UnsafePointer<PreparedOccasions>, waking: ClockSpan, exponential: QuantileTable,
        starts: Purpose, lengths: Purpose
    ) {
        self.habits = habits
        (purpose, lengthPurpose) = (starts, lengths)
        let (perDay, most) = (habits.pointee.perDay, habits.pointee.most)
        let hours = perDay > 0 ? habits.pointee.weightedHours(waking) : 0
        arrivals = RandomArrivals(
            meanGap: hours > 0 ? 3_600 * max(hours, most) / (perDay * most) : .infinity, exponential)
    }

    /// Whether the next is a beginning: an end comes before it.
    var isOpeningNext: Bool { startAt < endAt }

    private mutating func findNext() { nextAt = min(startAt, endAt) }

    /// Leaves out those of the arrivals at the highest rate that an hour has too many of.
    private mutating func findStart(after instant: Instant, in zone: UnsafePointer<ZoneTable>, _ streams: RandomStreams)
    {
        startAt = .never
        guard arrivals.everCome else { return }
        var at = instant
        // A day without any hour of weight passes in so many steps at most.
        let last = instant + .days(2)
        repeat {
            let draws = starts.nextPair(of: streams[purpose])
            at = arrivals.next(after: at, draws.first)
            let hour = zone.pointee.localTime(at: at).clock.hour
            if RandomStream.uniform(draws.second) * habits.pointee.most < habits.pointee.hours[hour] {
                startAt = at
                return
            }
        } while at < last
    }

    mutating func wake(at now: Instant, in zone: UnsafePointer<ZoneTable>, _ streams: RandomStreams) {
        findStart(after: now, in: zone, streams)
        findNext()
    }

    /// The person sleeps: an occasion that is under way ends.
    mutating func sleep(at now: Instant) {
        startAt = .never
        if isOpen { endAt = now }
        findNext()
    }

    /// The person comes to another zone, by whose clock the hours go.
    mutating func move(to zone: UnsafePointer<ZoneTable>, at now: Instant, _ streams: RandomStreams) {
        if startAt == .never { return }
        findStart(after: now, in: zone, streams)
        findNext()
    }

    /// One begins or ends; returns whether one begins.
    mutating func advance(in zone: UnsafePointer<ZoneTable>, _ streams: RandomStreams) -> Bool {
        let now = nextAt
        defer { findNext() }
        if endAt == now {
            (isOpen, endAt) = (false, .never)
            return false
        }
        isOpen = true
        endAt = now + habits.pointee.length.draw(lengths.next(of: streams[lengthPurpose]))
        findStart(after: now, in: zone, streams)
        return true
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard arrivals.everCome else { return }
        coder.code(&isOpen)
        coder.code(&startAt)
        if isOpen { coder.code(&endAt) }
        coder.code(&starts)
        let isPaired = starts.position & 1 == 0
        if !coder.holds(isPaired, "half a pair of openings") { starts.move(to: 0) }
        coder.code(&lengths)
        if Coder.isReading { findNext() }
    }
}

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
