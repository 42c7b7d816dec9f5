import SimulatedTime
import Stochastics
import WidgetPlatform

/// The events of a drawn device: its person's nights and ways, and the pickups, app openings, user sessions and environment changes on the device
/// itself (D2–D5, F4).
///
/// Nothing here looks at widgets, so another policy or permission changes none of it.
struct DrawnWorld: WorldSource {
    private var sleep: SleepSchedule
    private var journey: Journey
    private var pickups: PickupProcess
    private var apps: AppUse
    private var environment: EnvironmentProcess
    private let zone: UnsafePointer<ZoneTable>
    private let zoneIndex: Int64
    private let cell: Int64
    /// Seconds that the person is usually awake on a workday and on a free day.
    private let wakingWorkday, wakingFree: Double
    private var wakingSeconds: Double
    let startsAsleep: Bool
    private(set) var nextAt: Instant = .never
    private(set) var nextRank: Rank = .sleep
    /// The cell in which the present or coming stay lies, from the arrival on.
    private var restPlace: Int64 = 0

    init(_ traits: PersonTraits, slot: UInt8, _ prepared: PreparedPlan, _ habits: UnsafePointer<PreparedSegment>) {
        let seed = prepared.plan.seed
        zone = UnsafePointer(prepared.zones.baseAddress! + traits.zone)
        zoneIndex = Int64(traits.zone)
        cell = prepared.plan.parameters.contentCell
        sleep = SleepSchedule(traits, habits.pointee.sleep.nights, zone: zone, seed: seed)
        journey = Journey(traits, habits, seed: seed)
        pickups = PickupProcess(traits, slot: slot, habits, seed: seed)
        apps = AppUse(traits, slot: slot, habits, seed: seed)
        environment = EnvironmentProcess(traits, slot: slot, habits.pointee.environment, zone: zone, seed: seed)
        startsAsleep = sleep.isAsleep
        let usual = traits.sleepTimes.usualWaking
        wakingWorkday = usual.workday.length.inSeconds
        wakingFree = usual.freeDay.length.inSeconds
        wakingSeconds = wakingWorkday
        if !startsAsleep { beginDay(at: .start, date: zone.pointee.localTime(at: .start).date) }
        restPlace = Self.place(journey.leg.to, zone: traits.zone, cell: cell)
        findNext()
    }

    private mutating func beginDay(at instant: Instant, date: CivilDate) {
        wakingSeconds = date.isWorkday ? wakingWorkday : wakingFree
        pickups.wake(at: instant, date: date, onset: sleep.nextAt)
        journey.wake(at: instant, date: date, wakingSeconds: wakingSeconds, zone: zone.pointee)
        apps.follow(journey.ahead)
    }

    var tally: WorldTally { WorldTally(cutNights: sleep.cutNights, trips: Int(journey.legNumber)) }

    /// Finds the next event among the clocks; of one instant, the lowest rank.
    private mutating func findNext() {
        let use = min(pickups.nextAt, apps.nextAt)
        nextAt = min(min(sleep.nextAt, use), min(journey.nextAt, environment.nextAt))
        nextRank = sleep.nextAt == nextAt ? .sleep : use == nextAt ? .use : journey.nextAt == nextAt ? .location : .environment
    }

    mutating func next() -> WorldEvent {
        defer { findNext() }
        let at = nextAt
        if sleep.nextAt == at {
            let date = sleep.date
            sleep.advance()
            if sleep.isAsleep {
                pickups.sleep()
                journey.sleep()
                apps.follow(journey.ahead)
                return .sleep
            }
            beginDay(at: at, date: date)
            return .wake
        }
        // What ends comes before what begins: an app that closes at the lock, then the lock.
        if apps.nextAt == at { return apps.advance(at: at, leg: journey.legNumber) }
        if pickups.nextAt == at {
            let event = pickups.advance()
            if case .pickup = event {
                environment.beginSession(at: at)
                apps.beginSession(at: at, lock: pickups.nextAt, localHour: apps.followsHours ? zone.pointee.localTime(at: at).clock.hour : 0)
            }
            return event
        }
        if journey.nextAt != at { return environment.advance(in: zone) }
        journey.advance(wakingSeconds: wakingSeconds)
        apps.follow(journey.ahead)
        restPlace = Self.place(journey.leg.to, zone: Int(zoneIndex), cell: cell)
        return .move
    }

    mutating func point(at instant: Instant) -> Point { journey.leg.point(at: instant) }

    mutating func place(at instant: Instant) -> Int64 {
        instant >= journey.leg.end ? restPlace : Self.place(journey.leg.point(at: instant), zone: Int(zoneIndex), cell: cell)
    }

    /// The key of the content cell that a point of a zone lies in.
    static func place(_ point: Point, zone: Int, cell: Int64) -> Int64 {
        // The plane is offset so that every coordinate is positive: a cell's number is unique in its zone.
        let offset: Int64 = 100_000_000_000
        return 1 + (Int64(zone) << 44 | ((point.x + offset) / cell) << 22 | ((point.y + offset) / cell))
    }

    mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant { journey.farInstant(from: instant, changes) }
}
