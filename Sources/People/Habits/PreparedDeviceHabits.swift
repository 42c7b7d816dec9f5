import Statistics
import WidgetPlatform

/// The habits of a device that people may carry, prepared.
package struct PreparedDeviceHabits {
    package let kind: DeviceKind
    let owned: Bernoulli
    /// How it is picked up.
    let pickups: PreparedPickups
    /// Whether it has pickups of its own, drawn apart from the person's.
    let hasOwnPickups: Bool
    /// The probability that a session shows a surface, by `Surface.rawValue`.
    package let shownShare: [Double]
    /// The share of glances that show the today view, and whether one does.
    package let todayViewGlances: Double
    let glanceShowsToday: Bernoulli
    let alwaysOn, accented, wornAtNight, standby, standbyNight: Bernoulli
    package let looksPerDay, standbyNightShare, looksPerNight: Double
    /// When on the clock, from midnight, and for how long.
    let chargeAt, chargeTime: DurationDistribution
    /// The hours of its use, if it is a Mac.
    let desk: PreparedDesk
    let charging: PreparedCharging
    package let openings: PreparedOpenings

    init(
        _ device: DeviceHabits, of segment: SegmentHabits, pickups: PreparedPickups, desk: PreparedDesk,
        _ tables: inout StandardTables
    ) throws(DistributionProblem) {
        kind = device.kind
        owned = try Bernoulli(probability: device.share)
        self.pickups = pickups
        hasOwnPickups = device.pickups != nil
        shownShare = (device.pickups ?? segment.pickups).surfaceShown
        todayViewGlances = (device.pickups ?? segment.pickups).todayViewGlances
        glanceShowsToday = try Bernoulli(probability: todayViewGlances)
        alwaysOn = try Bernoulli(probability: device.alwaysOn.share)
        looksPerDay = device.alwaysOn.looksPerDay
        accented = try Bernoulli(probability: device.accentedShare)
        wornAtNight = try Bernoulli(probability: device.wear.atNightShare)
        chargeAt = try device.wear.chargeAt.preparedDurations(with: &tables)
        chargeTime = try device.wear.chargeTime.preparedDurations(with: &tables)
        standby = try Bernoulli(probability: device.standby.share)
        standbyNightShare = device.standby.nightShare
        standbyNight = try Bernoulli(probability: device.standby.nightShare)
        looksPerNight = device.standby.looksPerNight
        self.desk = desk
        charging = try PreparedCharging(device.charging, &tables)
        openings = try PreparedOpenings(device.openings, &tables)
    }

    package var glancesPerUnlock: Double { pickups.glancesPerUnlock }
    /// The rate of pickups in a waking day's first sixteenth for each pickup of the others.
    package var firstSixteenthRate: Double { pickups.rhythm.firstFactor / pickups.rhythm.otherFactor }
}
