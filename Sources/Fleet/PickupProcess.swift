import SimulatedTime
import Stochastics
import WidgetPlatform

/// When a person picks a device up (D3): gaps from lock to pickup with an exponential law at the day's rate, while awake.
///
/// The rate of a day is the person's own mean times the day's level and the weekday's factor, spread over the usual waking hours.
struct PickupProcess {
    /// The next pickup, or the lock of the session under way.
    private(set) var nextAt: Instant = .never
    private var inSession = false
    /// The mean gap of the day, seconds.
    private var meanGap = 0.0
    private var dayNumber: UInt64 = 0
    /// When the person falls asleep: a session ends there at the latest.
    private var onset: Instant = .never
    private let unlocksPerDay, sessionScale: Double
    private let habits: UnsafePointer<PreparedSegment>
    private var levels, gaps, types, lengths, firstPage, otherPage, todayView: RandomStream

    /// The shortest mean gap. Assumption: nobody unlocks more often on average, whatever their drawn rate.
    private static let shortestMeanGap = 10.0

    init(_ traits: PersonTraits, slot: UInt8, _ habits: UnsafePointer<PreparedSegment>, seed: UInt64) {
        func stream(_ purpose: Purpose) -> RandomStream { RandomStream(seed: seed, person: traits.number, slot: slot, purpose: purpose) }
        self.habits = habits
        unlocksPerDay = traits.unlocksPerDay
        sessionScale = traits.sessionScale
        levels = stream(.dayLevel)
        gaps = stream(.pickupGap)
        types = stream(.pickupKind)
        lengths = stream(.sessionLength)
        firstPage = stream(.surfaceHomeFirst)
        otherPage = stream(.surfaceHomeOther)
        todayView = stream(.surfaceTodayView)
    }

    /// A waking day begins: its level, and the first gap from the wake-up on.
    mutating func wake(at instant: Instant, date: CivilDate, wakingSeconds: Double, onset: Instant) {
        self.onset = onset
        let level = habits.pointee.dayLevel.draw(levels.next()) * habits.pointee.weekdayFactors[date.weekday]
        let unlocks = unlocksPerDay * level
        let glances = habits.pointee.glancesPerUnlock
        let pickups = unlocks * (1 + glances)
        inSession = false
        if pickups <= 0 {
            nextAt = .never
            return
        }
        let meanSession = habits.pointee.meanSession * sessionScale / (1 + glances)
        meanGap = max(Self.shortestMeanGap, wakingSeconds / pickups - meanSession)
        drawGap(from: instant)
    }

    /// The person is asleep: no pickups until the wake-up.
    mutating func sleep() {
        inSession = false
        nextAt = .never
    }

    /// Takes the next pickup or lock.
    mutating func advance() -> WorldEvent {
        let now = nextAt
        if inSession {
            inSession = false
            drawGap(from: now)
            return .lock
        }
        if habits.pointee.glance.holds(types.next()) {
            drawGap(from: now)
            return .glance
        }
        let seconds = habits.pointee.sessionLength.draw(lengths.next()) * sessionScale
        var shown = SurfaceSet()
        let probabilities = habits.pointee.shown
        if probabilities[0].holds(firstPage.next()) { shown.insert(SurfaceSet(.homeFirst)) }
        if probabilities[1].holds(otherPage.next()) { shown.insert(SurfaceSet(.homeOther)) }
        if probabilities[2].holds(todayView.next()) { shown.insert(SurfaceSet(.todayView)) }
        inSession = true
        // The sleep at the onset ranks first, so the session is locked a microsecond before it at the latest.
        nextAt = min(now + Journey.duration(seconds), onset - Duration(microseconds: 1))
        return .pickup(shown: shown)
    }

    private mutating func drawGap(from instant: Instant) {
        let at = instant + Journey.duration(habits.pointee.exponential.draw(gaps.next()) * meanGap)
        // A pickup needs room for its lock before sleep.
        nextAt = at < onset - Duration(microseconds: 2) ? at : .never
    }
}
