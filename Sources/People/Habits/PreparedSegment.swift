import Statistics

/// A segment with its distributions prepared.
package struct PreparedSegment {
    let cities: DiscreteChoice
    let sleep: PreparedSleep
    let pickups: PreparedPickups
    let environment: PreparedEnvironment
    let hidesLockScreen, hidesAlwaysOn, refreshOff: Bernoulli
    let lowPower, offline: PreparedEpisodes
    let exponential: QuantileTable
    let movement: PreparedMovement
    let controls: ControlHabits
    /// The apps whose location mode a person may change, bit by index (L3).
    package let permissionsChange: UInt16
    /// Freed by the population, both.
    let apps: UnsafeMutableBufferPointer<PreparedApp>
    package let devices: UnsafeMutableBufferPointer<PreparedDeviceHabits>

    /// How long an opened app stays in the foreground, at most to the lock (D4).
    package func foregroundTime(ofApp app: Int) -> DurationDistribution { apps[app].foregroundTime }

    init(_ segment: PopulationSegment, _ tables: inout StandardTables) throws(DistributionProblem) {
        let habits = segment.habits
        cities = try DiscreteChoice(weights: habits.cityShares, name: "cities")
        sleep = try PreparedSleep(habits.sleep, &tables)
        exponential = tables.exponential
        let waking = sleep.typicalWaking
        pickups = try PreparedPickups.shared(habits.pickups, typicalWaking: waking, &tables)
        environment = try PreparedEnvironment(habits.environment, &tables)
        hidesLockScreen = try Bernoulli(probability: habits.privacy.hideLockScreenShare)
        hidesAlwaysOn = try Bernoulli(probability: habits.privacy.hideAlwaysOnShare)
        refreshOff = try Bernoulli(probability: habits.power.refreshOffShare)
        lowPower = try PreparedEpisodes(habits.power.lowPower, &tables)
        offline = try PreparedEpisodes(habits.offline, &tables)
        movement = try PreparedMovement(habits.movement, &tables)
        controls = habits.controls
        var apps: [PreparedApp] = []
        for app in habits.apps { apps.append(try PreparedApp(app, &tables)) }
        permissionsChange = habits.apps.indices.reduce(0) {
            $0 | (habits.apps[$1].modeChangesPerYear > 0 ? 1 << UInt16($1) : 0)
        }
        self.apps = .allocate(capacity: apps.count)
        _ = self.apps.initialize(from: apps)
        var devices: [PreparedDeviceHabits] = []
        for device in segment.devices {
            let desk = try PreparedDesk(device.desk, &tables)
            // A Mac is picked up within the hours of its use.
            let used = device.kind == .mac ? desk.meanTime : waking
            let own = try device.pickups.map { pickups throws(DistributionProblem) in
                try PreparedPickups.shared(pickups, typicalWaking: used, &tables)
            }
            devices.append(try PreparedDeviceHabits(device, of: habits, pickups: own ?? pickups, desk: desk, &tables))
        }
        self.devices = .allocate(capacity: devices.count)
        _ = self.devices.initialize(from: devices)
    }
}
