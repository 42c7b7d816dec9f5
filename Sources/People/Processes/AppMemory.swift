/// Room for what a device's use of apps keeps of each app: a few words an app, in memory that somebody else owns.
package struct AppMemory {
    let openings, audioStarts, permissionChanges: UnsafeMutablePointer<SessionPick>
    let openingShares: UnsafeMutablePointer<Double>
    /// The places of controls.
    let controls: UnsafeMutablePointer<SessionPick>

    /// The words that it takes.
    package static func words(apps: Int) -> Int {
        apps * (3 * MemoryLayout<SessionPick>.stride / 8 + 1)
            + ControlHabits.places * MemoryLayout<SessionPick>.stride / 8
    }

    /// - Parameter words: at least as many as `words(apps:)` says.
    package init(_ words: UnsafeMutablePointer<UInt64>, apps: Int) {
        let picks = UnsafeMutableRawPointer(words).bindMemory(to: SessionPick.self, capacity: 3 * apps)
        (openings, audioStarts, permissionChanges) = (picks, picks + apps, picks + 2 * apps)
        openingShares = UnsafeMutableRawPointer(picks + 3 * apps).bindMemory(to: Double.self, capacity: apps)
        controls = UnsafeMutableRawPointer(openingShares + apps).bindMemory(
            to: SessionPick.self, capacity: ControlHabits.places)
    }
}
