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
