import Basics
import People
import ScenarioModel
import WidgetPlatform

extension KeyCatalogue {
    static let share = Form.number(0...1)

    /// A segment: a share of the people, and what differs from the population.
    static let segment = Form.Block(
        entries: [
            KeyEntry("name", .name, .required, "D1", "The segment's name in reports."),
            KeyEntry(
                "share", share, .required, "D1", "The share of all people; the shares of all segments add up to 1."),
        ] + population.form.entries, mergesByKey: true, alternatives: population.form.alternatives,
        describedElsewhere: Set(population.form.entries.map(\.name)),
        completedElsewhere: population.form.completedElsewhere)

    /// The habits and devices of people. A segment overrides them key by key.
    static let population = Keys<SegmentHabits>(
        mergesByKey: true, alternatives: ["zones", "cities"], completedElsewhere: ["devices"]
    ) {
        KeyEntry(
            "habits", .choice(populations.map(\.name)), "adult", "D2, D3",
            "Whose habits the other keys default to: `adult`, or `student` for those of university students.",
            evidence: "docs/calibration-data.md §2, §3 (fitted and published)")
        KeyEntry(
            "zones", .table(.init(keys: .zones, value: share, sharesAddUp: true)), .none, "D1, T2",
            "The share of people in each time zone; they live in its cities by population. Instead of `cities`.")
        KeyEntry(
            "cities",
            .either([.choice(CityPreset.self), .table(.init(keys: .cities, value: share, sharesAddUp: true))]),
            .unless("zones", YAML: "us"), "D1, L1",
            "The share of people in each city, or all cities of the United States or of the world: by zone or part of the world, then by population.",
            evidence:
                "US by zone (published), world (prior), docs/calibration-data.md §7; populations are public figures of about two digits"
        )
        KeyEntry("sleep", .block(sleep), "{}", "D2", "When people sleep.")
        KeyEntry("pickups", .block(pickups), "{}", "D3", "How people pick their device up, and what they look at.")
        Key("movement", \.movement, movement, "{}", "L1", "How people move.")
        Key(
            "environment", \.environment, environment, "{}", "F4, D9, R2",
            "How the surroundings of their devices change.")
        KeyEntry(
            "controls", .block(controls), .sometimes("its keys' defaults where any kind is a control"), "V10",
            "How often people come to their controls.")
        Key("privacy", \.privacy, privacy, "{}", "R3, R4", "The content that people hide.")
        Key(
            "power", \.power, power, "{}", "D7",
            "Settings and states that keep their devices from reloading in the background.")
        Key("connectivity", \.offline, connectivity, "{}", "D8", "When their devices have no connection.")
        KeyEntry(
            "apps", .table(.init(keys: .apps, value: .block(app))), "{}", "D4, D5, L3",
            "How people use each app; an app that is not listed has the defaults.")
        KeyEntry(
            "devices", .list(.block(device), counts: 1...20), .required, "D1", "The devices that people may carry.")
    }

    static let app = Keys<AppHabits>(mergesByKey: true) {
        Key(
            "openings_per_day", \.openingsPerDay, .distribution(.count), "{median: 2.9, sigma: 0.5, clip: [0, 100]}",
            "D4",
            "Openings a day, over people.",
            sweep: "median 1 to 12",
            evidence: "an app's active users: median 2.9, 90 % below 5.3, docs/calibration-data.md §2 (published)")
        Key(
            "hours", \.openingHours, .either([.choice(HourProfile.self), .list(.number(0...1000), counts: 24...24)]),
            "evening",
            "D4",
            "In which local hours it is opened, as weights of the hours 0 to 23: `even`, `morning` with a peak from 7 to 9, `evening` with one from 19 to 22, or 24 numbers.",
            evidence:
                "weather and news peak at 7 to 8 h, all apps together at 20 h, docs/calibration-data.md §2 (published); the shapes are priors"
        ) { HourProfile.weights($0, $1) }
        Key(
            "foreground_time", \.foregroundTime, .distribution(.duration), "{median: 30s, sigma: 1, clip: [1s, 1h]}",
            "D4",
            "The time in the foreground, at most to the lock.", sweep: "median 10 s to 5 min", evidence: "prior")
        Key(
            "navigation_share", \.navigationShare, share, "0", "D5", "The share of trips on which the app navigates.",
            evidence: "assumption: the app does not navigate")
        Key(
            "audio_per_day", \.audioPerDay, .number(0...100), "0", "D5", "Audio sessions a day.",
            evidence: "assumption: the app plays no audio")
        Key(
            "audio_length", \.audioLength, .distribution(.duration), "{median: 20m, sigma: 0.8, clip: [1m, 6h]}", "D5",
            "The length of an audio session.",
            sweep: "median 5 to 60 min", evidence: "prior")
        Key(
            "location_modes", \.modeShares,
            .block(
                LocationMode.allCases.map {
                    KeyEntry($0.name, share, "0", "L3", "The share of people in this mode.")
                },
                sharesAddUp: true),
            "{denied: 0.35, while_using: 0.18, while_using_or_widgets: 0.3, always: 0.17}", "L3",
            "The location permission that people give the app and its widgets.",
            sweep: "docs/calibration-data.md §5",
            evidence: "prior for an app about places, docs/calibration-data.md §5"
        ) { value, _ in LocationMode.allCases.map { value[$0.name].number } }
        Key(
            "location_changes_per_year", \.modeChangesPerYear, .number(0...1000), "0", "L3",
            "How often a year a person changes the app's mode on a device, in a session, to another one by the shares of `location_modes`.",
            sweep: "0 to 2", evidence: "assumption: nobody changes it")
        Key(
            "signed_in", \.signedInShare, share, "1", "P8",
            "The share of people who are signed in to it when the run starts; the others sign in at their first opening.",
            sweep: "0.5 to 1", evidence: "assumption: everybody is")
        Key(
            "background_fetch", .block(backgroundFetch), .none, "B8",
            "The app's own fetching in the background, without a reload, on devices with a widget of it; absent, none."
        )
        Key(
            "reduced_accuracy", \.reducedAccuracyShare, share, "0.12", "L2",
            "The share of people with precise location off for it.",
            sweep: "0.05 to 0.3",
            evidence: "prior, docs/calibration-data.md §5")
    }

    /// An app's background fetch (B8).
    static let backgroundFetch = Keys<BackgroundFetch>(mergesByKey: true) {
        Key(
            "every", \.every, .duration(least: .minutes(1), most: .days(30)), .required, "B8",
            "The time between two fetches of a device; with `by: use` the least time.")
        Key(
            "by", \.followsUse, is: FetchTiming.use, "clock", "B8",
            "Whether a device fetches by the `clock`, or at the hours of the day at which its person has opened the app the day before, and as often, by `use`.",
            sweep: "both", evidence: "assumption: the system grants what is asked for")
        Key(
            "aligned", \.isAligned, .boolean, "false", "B8",
            "Whether all devices fetch at the same instants, the first of them at `start`, as silent pushes of a server make them; else each has a phase of its own.",
            sweep: "both", evidence: "assumption: the system spreads them")
        Key(
            "share", \.share, share, "1", "B8", "The share of the devices with a widget of the app that fetch.",
            sweep: "0.2 to 1",
            evidence: "assumption: all of them")
        Key(
            "spread", .distribution(.duration), "{median: 3s, p95: 15s}", "B8",
            "The time from such an instant to the fetch, over devices and instants; its mean is at most `every`.",
            sweep: "median 1 to 10 s")
        Key(
            "endpoint", .name, .sometimes("that of the app's first kind"), "B8",
            "The endpoint that it asks, one of its own or that of a kind.")
        Key("requests", \.requests, .count(1...100), "1", "B8", "The requests of a fetch, sent together.")
    }
}
