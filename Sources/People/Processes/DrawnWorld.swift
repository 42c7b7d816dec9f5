import Basics
import DeviceStorage
import WidgetPlatform

/// The events of a drawn device: its person's nights and trips, and the pickups, app openings, user sessions and
/// environment changes on the device itself (D2–D9, F4, V4).
///
/// Nothing here looks at widgets, so another policy or permission changes none of it.
@usableFromInline package struct DrawnWorld {
    private var sleep: SleepSchedule
    private(set) var journey: Journey
    @usableFromInline var pickups: PickupBuffer
    private var apps: AppUse
    private var environment: EnvironmentProcess
    private var occasions: DeviceOccasions
    @usableFromInline package let startsAsleep: Bool
    @usableFromInline package let isStationary: Bool
    @usableFromInline private(set) var earliestPriority: EventPriority = .sleep
    /// The source of the next event, but for pickups and apps, and whether one of these comes before it.
    private var rare: RareSource = .sleep
    private var isUse = false
    /// The zone in which the person is, and the one that the device has just come to; −1 if none.
    private var zone: Int
    private var crossing = -1
    @usableFromInline package private(set) var region: Int
    /// Where a device that stays stands, and the zone by whose clock it goes then.
    private let stand: Point
    private let ownZone: Int
    @usableFromInline private(set) var earliest: Instant = .never
    /// The earliest clock but those of pickups and apps.
    private var rareAt: Instant = .never
    /// The cell in which the present or coming stay lies, from the arrival on.
    package private(set) var stationaryPlace: Int64 = 0
    private let zones: UnsafePointer<ZoneTable>
    private let cities: UnsafePointer<PreparedCity>
    private let cell: Int64

    /// - Parameters:
    ///   - memory: for what is kept of each app; outlives the world.
    ///   - isResumed: whether its state is about to be read: nothing is drawn for its start.
    ///   - isSuspendedOften: whether it is suspended after a few pickups each time, so that little is to be drawn
    ///     ahead.
    package init(
        _ owner: DeviceOwner, _ population: PreparedPopulation, cell: Int64, in memory: AppMemory,
        isResumed: Bool = false, isSuspendedOften: Bool = false
    ) {
        let (traits, slot, habits, device) = (owner.traits, owner.slot, owner.habits, owner.device)
        zones = UnsafePointer(population.zones.baseAddress!)
        cities = UnsafePointer(population.cities.baseAddress!)
        zone = traits.zone
        region = cities[traits.city].region
        self.cell = cell
        sleep = SleepSchedule(
            traits, habits.pointer(to: \.sleep.nights)!, zone: zones + traits.zone, isResumed: isResumed)
        journey = Journey(traits, habits, cities: cities)
        isStationary = owner.isStationary
        stand = owner.stand(journey)
        ownZone = traits.zone
        pickups = PickupBuffer(
            PickupProcess(owner.streams, owner.use, device),
            mostAhead: isSuspendedOften ? Self.pickupsAheadOfSuspension : PickupBlock.most)
        apps = AppUse(
            traits, slot: slot, unlocksPerDay: owner.use.unlocksPerDay, isTaken: device.pointee.kind != .mac,
            hasControls: device.pointee.kind == .phone || device.pointee.kind == .tablet, habits, in: memory,
            isResumed: isResumed)
        environment = EnvironmentProcess(
            traits, slot: slot, habits.pointer(to: \.environment)!, releases: population.releases,
            on: device.pointee.kind,
            zone: zones + traits.zone, isResumed: isResumed)
        occasions = DeviceOccasions(owner, isResumed: isResumed)
        startsAsleep = sleep.isAsleep
        if isResumed { return }
        let usual = traits.sleepTimes.usualWaking
        if startsAsleep {
            occasions.beginAsleep(wake: sleep.nextAt)
        } else {
            let rest = (sleep.nextAt - .start).inSeconds / usual.workday.length.inSeconds
            beginDay(at: .start, date: zones[zone].localTime(at: .start).date, part: min(1, rest))
        }
        stationaryPlace = Self.place(stationaryPoint, cell: cell)
        findNext()
    }

    /// A person's device for those who look at it alone.
    package init(
        _ traits: PersonTraits, slot: UInt8, _ population: PreparedPopulation, cell: Int64, in memory: AppMemory
    ) {
        self.init(DeviceOwner(traits, slot: slot, population), population, cell: cell, in: memory)
    }

    /// Forgets what is found again by `resume`, so that it is the same in all suspended devices: between two instants.
    package mutating func suspend() {
        (earliest, earliestPriority, rareAt, rare, isUse) = (.never, .sleep, .never, .sleep, false)
    }
    package mutating func resume() { findNext() }

    /// Continues in other memory, which is a copy.
    package mutating func adopt(_ memory: AppMemory) { apps.adopt(memory) }

    /// Pickups drawn at once of a device that is suspended often.
    private static let pickupsAheadOfSuspension = 4

    private mutating func beginDay(at instant: Instant, date: CivilDate, part: Double = 1) {
        if occasions.isMac {
            let isAway = isStationary && (journey.city != journey.ownCity || journey.phase == .travelling)
            let hours = occasions.hours(from: instant, to: sleep.nextAt, on: date, in: zones + zone, isAway: isAway)
            pickups.wake(at: hours.from, date: date, onset: hours.to, part: hours.part)
        } else {
            pickups.wake(at: instant, date: date, onset: sleep.nextAt, part: part)
        }
        journey.wake(at: instant, date: date, bedtime: sleep.nextAt, zone: zones + zone)
        occasions.wake(at: instant, zone: zones + zone)
        apps.follow(journey.ahead)
    }

    /// Whether a watch is on the wrist at the start.
    package var startsWorn: Bool {
        mutating get { occasions.isWorn }
    }

    package var tally: WorldTally { WorldTally(cutNights: sleep.cutNights, trips: Int(journey.legNumber)) }

    /// The time of the next event; `never` if there is none.
    @inlinable package var nextAt: Instant { earliest }
    /// The priority of the next event.
    @inlinable package var nextPriority: EventPriority { earliestPriority }

    /// Where events come from but pickups and apps, in the order of one instant (T3): views come after all that has
    /// changed. Pickups and apps come after sleep and before all others.
    private enum RareSource: UInt8 {
        case sleep, occasions, journey, environment, openings, controls

        var priority: EventPriority {
            switch self {
            case .sleep: .sleep
            case .occasions: .use
            case .journey: .location
            case .environment: .environment
            case .openings, .controls: .view
            }
        }
    }

    /// Finds the next event among the clocks; of one instant, that of the first source.
    private mutating func findNext() {
        rareAt = min(
            min(min(sleep.nextAt, occasions.nextAt), min(journey.nextAt, environment.nextAt)), apps.controlsAt)
        rare =
            sleep.nextAt == rareAt
            ? .sleep
            : occasions.nextAt == rareAt && !occasions.isOpening
                ? .occasions
                : journey.nextAt == rareAt
                    ? .journey
                    : environment.nextAt == rareAt
                        ? .environment : occasions.nextAt == rareAt ? .openings : .controls
        findNextUse()
    }

    /// The same after what has moved the clocks of pickups and apps only.
    @inline(__always) private mutating func findNextUse() {
        let use = min(pickups.nextAt, apps.nextAt)
        earliest = min(use, rareAt)
        isUse = use < rareAt || (use == rareAt && rare != .sleep)
        earliestPriority = isUse ? .use : rare.priority
    }

    package mutating func next() -> WorldEvent {
        let at = earliest
        if crossing >= 0 {
            let zone = crossing
            crossing = -1
            findNext()
            return .environment(.timeZone, zone: zone)
        }
        if isUse { return nextUse(at: at) }
        defer { if crossing < 0 { findNext() } }
        switch rare {
        case .sleep: return turn(at: at)
        case .occasions:
            let event = occasions.advance(in: zones + zone)
            if case .watchOff = event { apps.endSession(at: at) }
            return event
        case .journey: return move(at: at)
        case .environment: return environment.advance(in: zones + (isStationary ? ownZone : zone))
        case .openings: return occasions.advance(in: zones + zone)
        case .controls: return apps.takeControls()
        }
    }

    /// The person falls asleep, or wakes up.
    private mutating func turn(at instant: Instant) -> WorldEvent {
        let date = sleep.date
        sleep.advance()
        if !sleep.isAsleep {
            beginDay(at: instant, date: date)
            return .wake
        }
        pickups.sleep()
        journey.sleep()
        occasions.sleep(at: instant, wake: sleep.nextAt)
        apps.follow(journey.ahead)
        return .sleep
    }

    /// The person sets out or arrives.
    private mutating func move(at instant: Instant) -> WorldEvent {
        let city = journey.city
        journey.advance()
        apps.follow(journey.ahead)
        if isOnTrip && journey.phase != .travelling {
            occasions.setOut(at: instant, until: journey.nextAt, trip: journey.legNumber)
        }
        if !isStationary { stationaryPlace = Self.place(journey.leg.to, cell: cell) }
        if journey.city != city { arrive(at: instant) }
        return .move
    }

    /// Takes the next event of pickups or apps.
    private mutating func nextUse(at: Instant) -> WorldEvent {
        // An end comes before a beginning: an app that closes at the lock, then the lock.
        if apps.nextAt == at {
            defer { findNextUse() }
            return apps.advance(at: at, leg: journey.legNumber)
        }
        let event = pickups.advance()
        guard case .pickup = event else {
            findNextUse()
            return event
        }
        // A watch that is not worn is not used.
        guard occasions.isWorn else {
            apps.skipSessions(1)
            findNextUse()
            return event
        }
        defer { findNext() }
        environment.beginSession(at: at)
        apps.beginSession(at: at, lock: pickups.nextAt, in: zones + zone)
        return occasions.isMac ? .pickup(shown: occasions.beginSession(at: at, lock: pickups.nextAt)) : event
    }

    /// The pickups at hand, and which of them are plain: nothing else of the world comes with them or in their
    /// sessions, in which no app is used and nothing is set otherwise. `takePlainUse` follows.
    package mutating func plainUse() -> PlainUse {
        var use = PlainUse()
        use.limit = min(rareAt, apps.nextAt)
        guard pickups.nextAt < use.limit, !pickups.inSession, crossing < 0 else { return use }
        use.count = pickups.countAhead()
        use.idleSessions = occasions.isWorn && !occasions.isMac ? apps.idleSessionsAhead : 0
        use.settingDue = environment.settingDue
        return use
    }

    /// Before which nothing of the world comes but glances, sessions in which no app is used and nothing is set
    /// otherwise, and locks; as far as is known.
    package mutating func plainUseEnd() -> Instant {
        if crossing >= 0 || occasions.isMac || !occasions.isWorn { return earliest }
        let busyAt = pickups.firstBusy(afterIdle: apps.idleSessionsAhead, settingDue: environment.settingDue)
        return min(busyAt, min(rareAt, apps.nextAt))
    }

    /// One of the pickups at hand, counted from 0.
    /// When the person next picks the device up or glances at it; nil if not before they next wake up.
    package mutating func nextPickup(after now: Instant) -> Instant? { pickups.nextPickup(after: now) }

    @inlinable package mutating func pickup(ahead index: Int) -> Pickup { pickups[ahead: index] }

    /// Takes the first pickups of plain use, so many of them sessions, the last of which can be under way.
    package mutating func takePlainUse(_ count: Int, sessions: UInt64, isInSession: Bool) {
        apps.skipSessions(sessions)
        pickups.take(count, isInSession: isInSession)
        findNextUse()
    }

    /// The person has come to another city: its edge region serves the device, and from the same instant on its clock
    /// goes, if it is another (F4). A device that stays where it stands keeps both.
    private mutating func arrive(at now: Instant) {
        let city = cities + journey.city
        if !isStationary { region = city.pointee.region }
        guard city.pointee.zone != zone else { return }
        zone = city.pointee.zone
        sleep.move(to: zones + zone, at: now)
        if !sleep.isAsleep {
            apps.endSession(
                at: occasions.isMac ? pickups.end(by: sleep.nextAt) : pickups.move(onset: sleep.nextAt, at: now))
            occasions.move(to: zones + zone, at: now)
        }
        if isStationary { return }
        environment.move(to: zones + zone, at: now)
        crossing = zone
        (earliest, earliestPriority) = (now, .environment)
    }

    /// Whether the person is on their way.
    package var isOnTrip: Bool {
        switch journey.phase {
        case .toWork, .toPlace, .toHome, .travelling: true
        case .home, .work, .place: false
        }
    }

    /// The sort of place where the person is.
    package var stay: Stay {
        switch journey.phase {
        case .home: journey.city == journey.ownCity ? .home : .elsewhere
        case .work: .work
        case .place, .toWork, .toPlace, .toHome, .travelling: .elsewhere
        }
    }

    /// Where the person, or a device that stays where it stands, is going or is.
    package var stationaryPoint: Point {
        mutating get { isStationary ? stand : journey.leg.to }
    }

    package mutating func point(at instant: Instant) -> Point { isStationary ? stand : journey.leg.point(at: instant) }

    package mutating func place(at instant: Instant) -> Int64 {
        isStationary || instant >= journey.leg.end
            ? stationaryPlace : Self.place(journey.leg.point(at: instant), cell: cell)
    }

    /// Millimetres: points lie within ±10,000 km of the planes' common x axis.
    private static let planeOffset: Int64 = 10_000_000_000

    /// The key of the content cell that a point lies in (L8): above 0 and below 2^60, its own for every cell of 100 m
    /// or more.
    package static func place(_ point: Point, cell: Int64) -> Int64 {
        return 1 + ((point.x / cell) << 20 | (point.y + planeOffset) / cell)
    }

    /// The key of the cell as far from the city's centre as that of another key, in a direction of its own: where
    /// somebody else is who lives like the person of that key, since cities look alike in all directions.
    package static func place(_ key: Int64, turnedBy number: UInt64, cell: Int64) -> Int64 {
        let (column, row) = ((key - 1) >> 20, (key - 1) & 0xf_ffff)
        let point = Point(x: column * cell + cell / 2, y: row * cell + cell / 2 - planeOffset)
        let plane = City.planeWidth
        let centre = Point(x: point.x / plane * plane + plane / 2, y: 0)
        let distance = point.distance(to: centre)
        return place(centre.moved(by: distance, direction: number), cell: cell)
    }

    package mutating func farInstant(from instant: Instant, _ changes: SignificantChanges) -> Instant {
        isStationary ? .never : journey.farInstant(from: instant, changes)
    }

    /// Between two instants no crossing is under way.
    /// - Parameters:
    ///   - zoneCount: how many zones the population has.
    ///   - cityCount: how many cities.
    package mutating func code<Coder: StateCoder>(_ coder: inout Coder, zoneCount: Int, cityCount: Int) {
        coder.code(&zone, in: 0...zoneCount - 1, "an unknown zone")
        sleep.code(&coder, zone: zones + zone)
        journey.code(&coder, onset: sleep.nextOnset, cityCount: cityCount)
        pickups.code(&coder, onset: sleep.nextOnset)
        apps.code(&coder)
        environment.code(&coder)
        occasions.code(&coder)
        if Coder.isReading {
            region = cities[isStationary ? journey.ownCity : journey.city].region
            stationaryPlace = Self.place(stationaryPoint, cell: cell)
            findNext()
        }
    }
}
