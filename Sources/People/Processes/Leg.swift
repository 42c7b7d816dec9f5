import Basics
import WidgetPlatform

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
