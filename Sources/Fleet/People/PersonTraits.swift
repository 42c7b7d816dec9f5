import SimulatedTime
import Stochastics
import WidgetPlatform

/// What a person is, drawn from their number alone (D1): nothing of it is stored between two people.
struct PersonTraits {
    let number: UInt64
    let segment: Int
    /// Indices of the plan: the person's own city and its zone.
    let city, zone: Int
    /// Mean unlocks a day.
    let unlocksPerDay: Double
    let pickupLevels: PickupLevels
    let sleepTimes: UsualSleep
    let home: Point
    let isCommuter: Bool
    /// The permission mode of each app, by index.
    let modes: SIMD16<UInt8>
    /// Whether precise location is off for the app, bit by index.
    let reducedAccuracy: UInt16

    init(number: UInt64, _ prepared: PreparedPlan) {
        let seed = prepared.plan.seed
        func draw(_ purpose: Purpose, sub: UInt16 = 0) -> UInt64 {
            RandomStream(seed: seed, person: number, purpose: purpose, sub: sub).value(at: 0)
        }
        self.number = number
        segment = prepared.segmentChoice.index(draw(.segment))
        // By address: a segment is large, and a copy would count references that all threads share.
        let habits = UnsafePointer(prepared.segments.baseAddress! + segment)
        city = habits.pointee.cities.index(draw(.city))
        zone = prepared.cities[city].zone
        sleepTimes = UsualSleep(habits.pointee.sleep) { draw($0) }
        unlocksPerDay = max(0, habits.pointee.pickups.unlocksPerDay.draw(draw(.unlockMean)))
        pickupLevels = PickupLevels(
            habits.pointee.pickups, unlocksPerDay: unlocksPerDay * habits.pointee.pickups.usedDayFactor,
            wakingSeconds: sleepTimes.usualWaking.workday.length.inSeconds,
            dispersion: draw(.dailyDispersion), session: draw(.sessionLevel))
        let place = RandomStream(seed: seed, person: number, purpose: .homePlace)
        home = prepared.cities[city].point(place.value(at: 0), place.value(at: 1))
        isCommuter = habits.pointee.movement.commuter.holds(draw(.commuter))
        var modes = SIMD16<UInt8>()
        var reduced: UInt16 = 0
        for index in habits.pointee.apps.indices {
            let app = UnsafePointer(habits.pointee.apps.baseAddress! + index)
            modes[index] = UInt8(app.pointee.modes.index(draw(.permissionMode, sub: UInt16(index))))
            if app.pointee.reducedAccuracy.holds(draw(.preciseLocation, sub: UInt16(index))) { reduced |= 1 << UInt16(index) }
        }
        self.modes = modes
        reducedAccuracy = reduced
    }

    func mode(ofApp app: Int) -> LocationMode { LocationMode(rawValue: modes[app])! }
    func hasReducedAccuracy(app: Int) -> Bool { reducedAccuracy & (1 << UInt16(app)) != 0 }
}
