import DeviceStorage
import Statistics
import WidgetPlatform

/// The draws of a person that concern one of their devices (D1, D6, D7, R3, P8).
package struct DeviceOwner {
    package let traits: PersonTraits
    /// The device's own random numbers.
    package let streams: RandomStreams
    package let habits: UnsafePointer<PreparedSegment>
    package let device: UnsafePointer<PreparedDeviceHabits>
    package let hasDevice, hasPasscode, hasBackgroundRefresh, hidesLockScreen, hidesAlwaysOn, isAccented: Bool
    /// Whether it has an always-on display, is worn at night, and is ever put up in standby (R4, V4).
    package let hasAlwaysOnDisplay, isWornAtNight, isPutInStandby: Bool
    /// Whether it, a Mac, is used in office hours, whether it stays where it stands, and whether it is always on power
    /// (D1, D7).
    package let isOfficeMac, isStationary, isOnPower: Bool
    package let use: PickupTraits
    /// The apps that the person is signed in to at the start, bit by index.
    package let signedIn: UInt16

    package init(_ traits: PersonTraits, slot: UInt8, _ population: PreparedPopulation) {
        let device = population.device(of: traits, slot: slot)
        let habits = population.habits(of: traits)
        let (own, ofPerson) = (traits.streams.ofDevice(slot), traits.streams)
        self.traits = traits
        streams = own
        self.habits = habits
        self.device = device
        hasDevice = device.pointee.owned.holds(own.number(.deviceOwnership))
        hasPasscode = device.pointee.pickups.passcode.holds(own.number(.passcode))
        hasBackgroundRefresh = !habits.pointee.refreshOff.holds(own.number(.backgroundRefresh))
        hasAlwaysOnDisplay = device.pointee.alwaysOn.holds(own.number(.alwaysOnDisplay))
        isWornAtNight = device.pointee.wornAtNight.holds(own.number(.wornAtNight))
        isPutInStandby = device.pointee.standby.holds(own.number(.standbyOwner))
        isAccented = device.pointee.accented.holds(own.number(.accentedFace))
        // The choice to hide content, and the first sign-in, are the same on all of a person's devices.
        hidesLockScreen = habits.pointee.hidesLockScreen.holds(ofPerson.number(.hiddenLockScreen))
        hidesAlwaysOn = habits.pointee.hidesAlwaysOn.holds(ofPerson.number(.hiddenAlwaysOn))
        let isMac = device.pointee.kind == .mac
        isOfficeMac = isMac && device.pointee.desk.office.holds(own.number(.deskUse))
        isStationary = isMac && !device.pointee.desk.portable.holds(own.number(.portableMac))
        isOnPower = isStationary || (isMac && device.pointee.desk.onPower.holds(own.number(.macOnPower)))
        let used =
            isMac
            ? device.pointee.desk.hours(isOffice: isOfficeMac).meanTime
            : traits.sleepTimes.usualWaking.workday.length.inSeconds
        use = PickupTraits(traits, slot: slot, device, within: used)
        var signedIn: UInt16 = 0
        for index in habits.pointee.apps.indices {
            let app = UnsafePointer(habits.pointee.apps.baseAddress! + index)
            if app.pointee.signedIn.holds(ofPerson.number(.signedIn, sub: index)) { signedIn |= 1 << UInt16(index) }
        }
        self.signedIn = signedIn
    }

    package var slot: UInt8 { streams.slot }

    /// Where the device stands if it is one that stays (L1); nowhere for others.
    func stand(_ journey: Journey) -> Point {
        if !isStationary { return Point(x: 0, y: 0) }
        return isOfficeMac && traits.isCommuter ? journey.work : traits.home
    }

    /// Whether the person carries a device of a kind.
    package func carries(_ kind: DeviceKind) -> Bool {
        let devices = habits.pointee.devices
        return devices.indices.contains { slot in
            devices[slot].kind == kind
                && devices[slot].owned.holds(traits.streams.ofDevice(UInt8(slot)).number(.deviceOwnership))
        }
    }

    /// Sessions a day to expect: a Mac in the office has none on free days.
    package var sessionsPerDay: Double { use.unlocksPerDay * (isOfficeMac ? DeskHabits.officeDays : 1) }

    /// How many whole days the device was last not used before the run, of those on which its person may leave it (D3).
    package func daysUnusedBefore(atMost most: Int) -> Int {
        let usedDay = device.pointee.pickups.usedDay
        return (1...most).first { usedDay.holds(streams[.usedDay].value(at: 0 &- UInt64($0))) }.map { $0 - 1 } ?? most
    }

    /// How often a day a Mac's notification center and desktop are to be seen.
    package var notificationCentersPerDay: Double { sessionsPerDay * device.pointee.desk.notificationCenterShare }
    package var desktopLooksPerDay: Double {
        sessionsPerDay * device.pointee.pickups.meanSession * use.levels.sessionScale / 3_600
            * device.pointee.desk.looksPerHour
    }
}

/// A coder of whole devices.
///
/// The state of a drawn world is coded by each coder's own function, made in this module: a generic call from another
/// module would look up every field's type as it runs, and made a request behind a service three times as dear.
package protocol DeviceCoder: StateCoder {
    /// Codes a drawn world; see `DrawnWorld.code`.
    mutating func code(world: inout DrawnWorld, zoneCount: Int, cityCount: Int)
}

extension StateWriter: DeviceCoder {
    package mutating func code(world: inout DrawnWorld, zoneCount: Int, cityCount: Int) {
        world.code(&self, zoneCount: zoneCount, cityCount: cityCount)
    }
}

extension CheckedStateReader: DeviceCoder {
    package mutating func code(world: inout DrawnWorld, zoneCount: Int, cityCount: Int) {
        world.code(&self, zoneCount: zoneCount, cityCount: cityCount)
    }
}

extension StateCoder {
    @inlinable @inline(__always) public mutating func code(_ point: inout Point) {
        code(&point.x)
        code(&point.y)
    }
}
