import Basics

/// The names of the zone database, looked up once: asking it for every zone of a file takes its time.
package enum ZoneNames {
    /// Sorted, for suggestions.
    static let sorted = ScenarioClock.zoneNames
    private static let known = SharedValues<String, Bool>(most: 10_000)

    package static func contains(_ name: String) -> Bool { known.value(of: name) { ScenarioClock.knowsZone(name) } }

    package static func nearest(to name: String, or others: [String] = []) -> String? {
        Nearest.name(to: name, among: sorted + others)
    }
}
