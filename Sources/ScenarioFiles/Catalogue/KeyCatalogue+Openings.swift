import Basics
import People
import WidgetPlatform

/// The keys of surfaces that are opened (V7–V9): the Smart Stack and the tiles of a watch, and the page on a car's
/// display.
extension KeyCatalogue {
    /// Those of a device, each there where an instance of it stands on its surface.
    static let opened = [
        Key(
            "smart_stack", \DeviceHabits.openings, smartStack, where: .smartStack, "V7",
            "How the Smart Stack of a watch is opened, and how often its person works out."),
        Key(
            "tiles", \.openings, tiles, where: .tile, "V9", "How the tiles of a watch with Android are opened."),
        Key(
            "car", \.openings.drives, car, where: .car, "V8",
            "The trips in a car whose display shows widgets of the phone."),
    ]

    /// Whether a device has an instance on a surface, placed by itself or by a bundle.
    static func stands(_ device: CheckedValue, on surface: Surface) -> Bool {
        func isThere(_ value: CheckedValue) -> Bool {
            (value.isList ? value.items : [value]).contains { $0.isValid && $0.choice(Surface.self) == surface }
        }
        let (instances, bundles) = (device["instances"], device["bundles"])
        return instances.isValid && instances.items.contains { isThere($0["surface"]) }
            || bundles.isValid
                && bundles.items.contains {
                    $0["widgets"].isValid && $0["widgets"].items.contains { isThere($0["surfaces"]) }
                }
    }

    private static let smartStack = Keys<OpeningHabits> {
        openings(
            "V7", "Openings in a usual waking day: turns of the crown, and swipes.", perDay: "8", sweep: "2 to 40",
            time: "{median: 4s, sigma: 0.8, clip: [1s, 2m]}", timeSweep: "median 2 to 15 s")
        Key(
            "workouts_per_week", \.workouts.perDay, .number(0...100), "2", "V7",
            "Workouts in a week of usual waking days, in the same hours as openings.", sweep: "0 to 7"
        ) { value, _ in value.number / 7 }
        Key(
            "workout_time", \.workouts.length, .distribution(.duration), "{median: 35m, sigma: 0.5, clip: [5m, 4h]}",
            "V7", "How long one takes, at most to the onset of sleep.", sweep: "median 20 to 60 min")
    }

    private static let tiles = Keys<OpeningHabits> {
        openings(
            "V9", "Openings in a usual waking day: swipes from the watch face to the first tile.", perDay: "10",
            sweep: "2 to 60", time: "{median: 5s, sigma: 0.8, clip: [1s, 2m]}", timeSweep: "median 2 to 15 s")
        Key(
            "further", \.furtherShare, share, "0.5", "V9",
            "The probability that a person who has come to a tile continues to the next.", sweep: "0.2 to 0.8")
    }

    @KeyListBuilder<OpeningHabits> private static func openings(
        _ rule: String, _ meaning: String, perDay: String, sweep: String, time: String, timeSweep: String
    ) -> [Key<OpeningHabits>] {
        Key(
            "openings_per_day", \.openings.perDay, .number(0...1000), .value(perDay), rule, meaning, sweep: sweep)
        Key(
            "hours", \.openings.hours, .either([.choice(HourProfile.self), .list(.number(0...1000), counts: 24...24)]),
            "even", rule,
            "In which local hours, as weights of the hours 0 to 23: `even`, `morning`, `evening`, or 24 numbers."
        ) { HourProfile.weights($0, $1) }
        Key(
            "open_for", \.openings.length, .distribution(.duration), .value(time), rule,
            "How long it stays open, at most to the next opening or the onset of sleep.", sweep: timeSweep)
    }

    private static let car = Keys<DriveHabits> {
        Key("share", \.share, share, "0.5", "V8", "The share of people with such a car.", sweep: "0.1 to 0.9")
        Key("trips", \.tripShare, share, "0.7", "V8", "The share of their trips in it.", sweep: "0.2 to 1")
        Key(
            "shown", \.shownShare, .number(0...0.95), "0.2", "V8",
            "The share of a drive in which the display shows the page of widgets.", sweep: "0.05 to 0.8")
        Key(
            "shown_for", \.shownTime, .distribution(.duration), "{median: 2m, sigma: 0.8, clip: [5s, 1h]}", "V8",
            "How long it shows the page at a time, at most to the arrival.", sweep: "median 30 s to 10 min")
    }
}

extension Key {
    /// The keys of a surface, which are there where a device has an instance on it.
    fileprivate init<Part>(
        _ name: String, _ target: WritableKeyPath<Root, Part> & Sendable, _ keys: Keys<Part>, where surface: Surface,
        _ rules: String, _ meaning: String
    ) {
        self.init(
            name, target, keys,
            .sometimes(
                "its keys' defaults where an instance is on `\(surface.name)`, otherwise absent",
                { KeyCatalogue.stands($0, on: surface) ? "{}" : nil }), rules, meaning)
    }
}
