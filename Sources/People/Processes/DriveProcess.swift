import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

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

/// The moving part of a trip: straight, at one speed.
struct Leg {
    var from, to: Point
    var start: Instant
    /// At `start` for a trip on which nobody reports a place: the traveller is at its beginning, and then at its end.
    var end: Instant

    /// A stay.
    static func stay(at place: Point) -> Leg { Leg(from: place, to: place, start: .longAgo, end: .longAgo) }

    /// Where the traveller is; the ends of the leg before and after it.
    func point(at instant: Instant) -> Point {
        if instant >= end { return to }
        if instant <= start { return from }
        let share = Double((instant - start).microseconds) / Double((end - start).microseconds)
        return Point(x: from.x + Int64(Double(to.x - from.x) * share), y: from.y + Int64(Double(to.y - from.y) * share))
    }

    /// The first instant from `instant` on at which the traveller is far from the last reported place; `never` on this
    /// leg or the stay after it if not.
    ///
    /// Points are whole millimetres, so on an oblique leg the distance steps: the instant is exact to the time of 2 mm,
    /// and the microsecond before it is not far.
    func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        if changes.isFar(point(at: instant)) { return instant }
        // The distance from a point along a straight line is convex: if neither end is far, nothing between them is.
        guard instant < end, changes.isFar(to) else { return .never }
        var (near, far) = (max(instant, start), end)
        // The line leaves the circle about there: a bracket of some steps of a millimetre saves most halvings.
        let guess = min(max(crossing(of: changes), near), far)
        var width = Duration(microseconds: 256)
        if changes.isFar(point(at: guess)) {
            far = guess
            while far - width > near && changes.isFar(point(at: far - width)) {
                far = far - width
                width = width * 2
            }
            near = max(near, far - width)
        } else {
            near = guess
            while near + width < far && !changes.isFar(point(at: near + width)) {
                near = near + width
                width = width * 2
            }
            far = min(far, near + width)
        }
        while (far - near).microseconds > 1 {
            let middle = Instant(microseconds: near.microseconds + (far - near).microseconds / 2)
            if changes.isFar(point(at: middle)) { far = middle } else { near = middle }
        }
        return far
    }

    /// About when the straight line leaves the circle whose radius is the distance of a significant change.
    private func crossing(of changes: SignificantChanges) -> Instant {
        let (fromX, fromY) = (Double(from.x - changes.reportedPlace.x), Double(from.y - changes.reportedPlace.y))
        let (dx, dy) = (Double(to.x - from.x), Double(to.y - from.y))
        let radius = Double(SignificantChanges.distance)
        // |from + s (to − from)| = radius, at the greater s.
        let (square, along) = (dx * dx + dy * dy, fromX * dx + fromY * dy)
        let rest = radius * radius - fromX * fromX - fromY * fromY
        let share = (max(0, along * along + square * rest).squareRoot() - along) / max(1, square)
        return start + Duration(microseconds: Int64(Double((end - start).microseconds) * min(max(share, 0), 1)))
    }
}
