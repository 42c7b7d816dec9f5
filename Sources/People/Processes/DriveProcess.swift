import Basics
import DeviceStorage
import Statistics

/// Trips in a car, whose display shows the page of widgets for a part of the way, again and again (V8).
struct DriveProcess {
    private(set) var nextAt: Instant = .never
    private(set) var isShown = false
    /// When the drive under way ends.
    private var endAt: Instant = .never
    private let habits: UnsafePointer<PreparedDrives>
    private let hasCar: Bool
    private var gaps = DrawCount(), lengths = DrawCount()

    init(_ habits: UnsafePointer<PreparedDrives>, _ streams: RandomStreams) {
        self.habits = habits
        hasCar = habits.pointee.gaps.everCome && habits.pointee.owned.holds(streams.number(.carOwner))
    }

    /// The person sets out on a trip of the person's number, which ends at an instant.
    mutating func setOut(at now: Instant, until end: Instant, number: UInt64, _ streams: RandomStreams) {
        guard hasCar else { return }
        precondition(!isShown, "a drive that begins in another one")
        guard habits.pointee.isDrive.holds(streams.number(.drive, at: number)), end > now else { return }
        endAt = end
        if habits.pointee.isShownAtFirst.holds(streams.number(.pageAtFirst, at: number)) {
            nextAt = now
        } else {
            findNext(after: now, streams)
        }
    }

    private mutating func findNext(after now: Instant, _ streams: RandomStreams) {
        let at = habits.pointee.gaps.next(after: now, gaps.next(of: streams[.pageGap]))
        nextAt = at < endAt ? at : .never
    }

    /// The page is shown or left; returns whether it is shown.
    mutating func advance(_ streams: RandomStreams) -> Bool {
        isShown.toggle()
        if isShown {
            nextAt = min(endAt, nextAt + habits.pointee.shownTime.draw(lengths.next(of: streams[.pageTime])))
        } else if nextAt < endAt {
            findNext(after: nextAt, streams)
        } else {
            nextAt = .never
        }
        return isShown
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard hasCar else { return }
        coder.code(&nextAt)
        coder.code(&isShown)
        coder.code(&endAt)
        coder.code(&gaps)
        coder.code(&lengths)
        let isOfDrive = !isShown || nextAt <= endAt && nextAt < .never
        if !coder.holds(isOfDrive, "a page that is shown beyond its drive") { isShown = false }
    }
}
