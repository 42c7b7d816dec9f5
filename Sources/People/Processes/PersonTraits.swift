import Statistics
import WidgetPlatform

/// A person's traits, drawn from their number alone (D1): nothing of them is stored between two people.
package struct PersonTraits {
    /// The person's own random numbers.
    package let streams: RandomStreams
    package let segment: Int
    /// Indices of the plan: the person's own city and its zone.
    package let city, zone: Int
    /// Mean unlocks a day.
    let unlocksPerDay: Double
    let pickupLevels: PickupLevels
    package let sleepTimes: UsualSleep
    package let home: Point
    let isCommuter: Bool
    /// The permission mode of each app, by index.
    package let modes: SIMD16<UInt8>
    /// Whether precise location is off for the app, bit by index.
    package let reducedAccuracy: UInt16

    package init(number: UInt64, _ population: PreparedPopulation) {
        let streams = RandomStreams(seed: population.plan.seed, person: number)
        self.streams = streams
        let isEven = population.plan.hasStratifiedTraits
        (segment, city) = Self.home(streams, population)
        // By address: a segment is large, and a copy would count references that all threads share.
        let habits = UnsafePointer(population.segments.baseAddress! + segment)
        zone = population.cities[city].zone
        sleepTimes = UsualSleep(habits.pointee.sleep, streams)
        unlocksPerDay = max(
            0,
            habits.pointee.pickups.unlocksPerDay.draw(
                streams.number(.unlockMean, evenly: isEven ? .unlocks : nil)))
        pickupLevels = PickupLevels(
            habits.pointee.pickups, unlocksPerDay: unlocksPerDay * habits.pointee.pickups.usedDayFactor,
            wakingSeconds: sleepTimes.usualWaking.workday.length.inSeconds, streams)
        home = population.cities[city].point(streams.number(.homePlace), streams.number(.homePlace, at: 1))
        isCommuter = habits.pointee.movement.commuter.holds(streams.number(.commuter))
        var modes = SIMD16<UInt8>()
        var reduced: UInt16 = 0
        for index in habits.pointee.apps.indices {
            let app = UnsafePointer(habits.pointee.apps.baseAddress! + index)
            let trait: StratifiedTrait? = isEven && index == 0 ? .permission : nil
            modes[index] = UInt8(app.pointee.modes.index(streams.number(.permissionMode, sub: index, evenly: trait)))
            if app.pointee.reducedAccuracy.holds(streams.number(.preciseLocation, sub: index)) {
                reduced |= 1 << UInt16(index)
            }
        }
        self.modes = modes
        reducedAccuracy = reduced
    }

    /// The segment and the own city of a person with these numbers.
    static func home(_ streams: RandomStreams, _ population: PreparedPopulation) -> (segment: Int, city: Int) {
        let isEven = population.plan.hasStratifiedTraits
        let segment = population.segmentChoice.index(streams.number(.segment, evenly: isEven ? .segment : nil))
        let habits = UnsafePointer(population.segments.baseAddress! + segment)
        return (segment, habits.pointee.cities.index(streams.number(.city, evenly: isEven ? .city : nil)))
    }

    package var number: UInt64 { streams.person }
    package func mode(ofApp app: Int) -> LocationMode { LocationMode(rawValue: modes[app])! }
    package func hasReducedAccuracy(app: Int) -> Bool { reducedAccuracy & (1 << UInt16(app)) != 0 }
}

extension PreparedPopulation {
    /// The segment of a person, without anything else of them.
    package func segment(ofPerson number: UInt64) -> Int {
        let streams = RandomStreams(seed: plan.seed, person: number)
        return segmentChoice.index(streams.number(.segment, evenly: plan.hasStratifiedTraits ? .segment : nil))
    }

    /// The habits of a person's segment.
    package func habits(of traits: PersonTraits) -> UnsafePointer<PreparedSegment> { habits(ofSegment: traits.segment) }

    package func habits(ofSegment segment: Int) -> UnsafePointer<PreparedSegment> {
        UnsafePointer(segments.baseAddress! + segment)
    }

    /// One of the devices that people of a person's segment may carry.
    package func device(of traits: PersonTraits, slot: UInt8) -> UnsafePointer<PreparedDeviceHabits> {
        UnsafePointer(segments[traits.segment].devices.baseAddress! + Int(slot))
    }
}

extension PreparedPopulation {
    /// The index of the region of a person's own city.
    package func homeRegion(ofPerson number: UInt64) -> Int {
        cities[PersonTraits.home(RandomStreams(seed: plan.seed, person: number), self).city].region
    }
}

/// How often a person picks one device up, and how that varies (D3): the person's own draws, or, for a device with
/// habits of its own, the device's.
package struct PickupTraits: BitwiseCopyable {
    /// Mean unlocks a day.
    package let unlocksPerDay: Double
    let levels: PickupLevels

    /// - Parameter seconds: of a day in which the device is used.
    init(_ traits: PersonTraits, slot: UInt8, _ device: UnsafePointer<PreparedDeviceHabits>, within seconds: Double) {
        guard device.pointee.hasOwnPickups else {
            unlocksPerDay = traits.unlocksPerDay
            levels = traits.pickupLevels
            return
        }
        let streams = traits.streams.ofDevice(slot)
        unlocksPerDay = max(0, device.pointee.pickups.unlocksPerDay.draw(streams.number(.unlockMean)))
        levels = PickupLevels(
            device.pointee.pickups, unlocksPerDay: unlocksPerDay * device.pointee.pickups.usedDayFactor,
            wakingSeconds: seconds, streams)
    }
}
