import DeviceStorage

/// The device's connection and power (D7, D8).
struct DeviceCondition {
    private(set) var isOnline = true
    /// Whether background refresh is on by the device's setting, and spans of off that lie on top.
    private(set) var hasBackgroundRefresh: Bool
    private(set) var isLowPower = false

    init(hasBackgroundRefresh: Bool) { self.hasBackgroundRefresh = hasBackgroundRefresh }

    /// Whether apps and widgets may do anything in the background (D7).
    @inline(__always) var letsRefresh: Bool { hasBackgroundRefresh && !isLowPower }

    /// Returns whether a time without a connection begins.
    mutating func connect(_ online: Bool) -> Bool {
        defer { isOnline = online }
        return isOnline && !online
    }

    /// Returns whether a time of low power begins.
    mutating func setLowPower(_ on: Bool) -> Bool {
        defer { isLowPower = on }
        return on && !isLowPower
    }

    mutating func setBackgroundRefresh(_ on: Bool) { hasBackgroundRefresh = on }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isOnline)
        coder.code(&hasBackgroundRefresh)
        coder.code(&isLowPower)
    }
}
