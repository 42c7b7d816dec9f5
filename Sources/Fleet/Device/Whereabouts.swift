import Basics
import DeviceStorage
import WidgetPlatform

/// Where the device is: its zone, and the filters of significant changes (L2).
struct Whereabouts {
    private(set) var zone: Int
    private let hasReduced: Bool
    /// Whether an instance follows the person with full accuracy: the filter of full accuracy counts the device's
    /// changes in any case.
    let hasFull: Bool
    /// The next significant time change: the zone's rules move the clocks, or a new day begins, where that matters
    /// (F4).
    private(set) var timeChangeAt: Instant = .never
    /// The filters of full and of reduced accuracy, and when they report next.
    private var changes: (full: SignificantChanges, reduced: SignificantChanges)
    private(set) var reportAt: (full: Instant, reduced: Instant) = (.never, .never)

    init(zone: Int, at place: Point, hasReduced: Bool, hasFull: Bool) {
        (self.zone, self.hasReduced, self.hasFull) = (zone, hasReduced, hasFull)
        // Nobody asks a filter without reports where it was.
        let reducedPlace = hasReduced ? place : Point(x: 0, y: 0)
        changes = (
            SignificantChanges(at: place, precise: true), SignificantChanges(at: reducedPlace, precise: false)
        )
    }

    /// The next of its clocks.
    @inline(__always) var nextAt: Instant { min(timeChangeAt, min(reportAt.full, reportAt.reduced)) }

    /// Finds the next report of each filter: both its limits must hold at once (L2).
    mutating func planReports<World: WorldSource>(at now: Instant, in world: inout World) {
        reportAt.full = world.farInstant(from: max(now, changes.full.earliestReport), changes.full)
        if hasReduced {
            reportAt.reduced = world.farInstant(from: max(now, changes.reduced.earliestReport), changes.reduced)
        }
    }

    /// A filter reports where the device is.
    mutating func report<World: WorldSource>(reduced: Bool, at now: Instant, in world: inout World) {
        let place = world.point(at: now)
        if reduced { changes.reduced.report(place, at: now) } else { changes.full.report(place, at: now) }
        planReports(at: now, in: &world)
    }

    /// Finds the next significant time change after now: of the zone's rules, or a new day if that is one.
    mutating func findTimeChange(after now: Instant, in table: ZoneTable, reloadsAtMidnight: Bool) {
        timeChangeAt = table.nextChange(after: now)
        if reloadsAtMidnight { timeChangeAt = min(timeChangeAt, table.nextMidnight(after: now)) }
    }

    mutating func cross(into zone: Int) { self.zone = zone }

    func checkInvariants(at now: Instant) {
        precondition(hasReduced || reportAt.reduced == .never, "a report with reduced accuracy to nobody")
        precondition(nextAt >= now, "a report before \(now.microseconds) µs")
    }

    /// - Parameter place: where the device is or is going: mostly what was reported last.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, zones: Int, stationaryAt place: Point) {
        coder.code(&zone, in: 0...zones - 1, "an unknown zone")
        changes.full.code(&coder, precise: true, stationaryAt: place)
        coder.code(&reportAt.full)
        if hasReduced {
            changes.reduced.code(&coder, precise: false, stationaryAt: place)
            coder.code(&reportAt.reduced)
        }
    }
}

extension SignificantChanges {
    fileprivate mutating func code<Coder: StateCoder>(_ coder: inout Coder, precise: Bool, stationaryAt place: Point) {
        var (reported, at) = (reportedPlace, reportedAt)
        reported.x -= place.x
        reported.y -= place.y
        coder.code(&reported)
        coder.code(&at)
        if Coder.isReading {
            self = SignificantChanges(
                at: Point(x: reported.x + place.x, y: reported.y + place.y), precise: precise, reportedAt: at)
        }
    }
}
