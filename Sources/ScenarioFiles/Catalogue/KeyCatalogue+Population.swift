import Basics
import People
import ScenarioModel
import WidgetPlatform

extension KeyCatalogue {
    static let share = Form.number(0...1)

    /// A segment: a share of the people, and what differs from the population.
    static let segment = Keys<StatedSegment>(
        mergesByKey: true, alternatives: population.form.alternatives,
        completedElsewhere: population.form.completedElsewhere
    ) {
        Key("name", \.name, .name, .required, "D1", "The segment's name in reports.")
        Key(
            "share", \.habits.share, share, .required, "D1",
            "The share of all people; the shares of all segments add up to 1.")
        people
    }.laid(over: population.form)

    /// The habits and devices of people. A segment overrides them key by key.
    static let population = Keys<StatedSegment>(
        mergesByKey: true, alternatives: ["zones", "cities"], completedElsewhere: ["devices"]
    ) { people }

    @KeyListBuilder<StatedSegment> private static var people: [Key<StatedSegment>] {
        KeyEntry(
            "habits", .choice(populations.map(\.name)), "adult", "D2, D3",
            "Whose habits the other keys default to: `adult`, or `student` for those of university students.",
            evidence: "docs/calibration-data.md §2, §3 (fitted and published)")
        Key(
            "zones", \.cities, .table(.init(keys: .zones, value: share, sharesAddUp: true)), .none, "D1, T2",
            "The share of people in each time zone; they live in its cities by population. Instead of `cities`."
        ) { zones, _ in
            zones.fields.flatMap { zone, share in
                CityPreset.shared(share.number, by: CityTable.cities(inZone: ZoneNames.contains(zone) ? zone : "UTC"))
            }
        }
        Key(
            "cities", \.cities,
            .either(
                .word(CityPreset.self) { $0.shares },
                .value(.table(.init(keys: .cities, value: share, sharesAddUp: true))) { (cities: CheckedValue) in
                    // A name that is wrong is reported where it stands.
                    cities.fields.map { name, share in
                        (CityTable.city(named: name) ?? CityTable.all[0], share.number)
                    }
                }), .unless("zones", YAML: "us"), "D1, L1",
            "The share of people in each city, or all cities of the United States or of the world: by zone or part of the world, then by population.",
            evidence:
                "US by zone (published), world (prior), docs/calibration-data.md §7; populations are public figures of about two digits"
        )
        Key("sleep", \.sleep, sleep, "{}", "D2", "When people sleep.")
        Key(
            "pickups", \.habits.pickups, pickups, "{}", "D3",
            "How people pick their device up, and what they look at.")
        Key("movement", \.habits.movement, movement, "{}", "L1", "How people move.")
        Key(
            "environment", \.habits.environment, environment, "{}", "F4, D9, R2",
            "How the surroundings of their devices change.")
        Key(
            "controls", \.controls, .block(controls), .sometimes("its keys' defaults where any kind is a control"),
            "V10",
            "How often people come to their controls.")
        Key("privacy", \.habits.privacy, privacy, "{}", "R3, R4", "The content that people hide.")
        Key(
            "power", \.habits.power, power, "{}", "D7",
            "Settings and states that keep their devices from reloading in the background.")
        Key("connectivity", \.habits.offline, connectivity, "{}", "D8", "When their devices have no connection.")
        Key(
            "apps", \.apps, .table(.init(keys: .apps, value: .block(app))), "{}", "D4, D5, L3",
            "How people use each app; an app that is not listed has the defaults.")
        Key(
            "devices", \.devices, .list(.block(device), counts: 1...20), .required, "D1",
            "The devices that people may carry.")
    }

    static let app = Keys<StatedApp>(mergesByKey: true) {
        Key(
            "openings_per_day", \.habits.openingsPerDay, .distribution(.count),
            "{median: 2.9, sigma: 0.5, clip: [0, 100]}",
            "D4",
            "Openings a day, over people.",
            sweep: "median 1 to 12",
            evidence: "an app's active users: median 2.9, 90 % below 5.3, docs/calibration-data.md §2 (published)")
        Key(
            "hours", \.habits.openingHours,
            .either([.choice(HourProfile.self), .list(.number(0...1000), counts: 24...24)]),
            "evening",
            "D4",
            "In which local hours it is opened, as weights of the hours 0 to 23: `even`, `morning` with a peak from 7 to 9, `evening` with one from 19 to 22, or 24 numbers.",
            evidence:
                "weather and news peak at 7 to 8 h, all apps together at 20 h, docs/calibration-data.md §2 (published); the shapes are priors"
        ) { HourProfile.weights($0, $1) }
        Key(
            "foreground_time", \.habits.foregroundTime, .distribution(.duration),
            "{median: 30s, sigma: 1, clip: [1s, 1h]}",
            "D4",
            "The time in the foreground, at most to the lock.", sweep: "median 10 s to 5 min", evidence: "prior")
        Key(
            "navigation_share", \.habits.navigationShare, share, "0", "D5",
            "The share of trips on which the app navigates.",
            evidence: "assumption: the app does not navigate")
        Key(
            "audio_per_day", \.habits.audioPerDay, .number(0...100), "0", "D5", "Audio sessions a day.",
            evidence: "assumption: the app plays no audio")
        Key(
            "audio_length", \.habits.audioLength, .distribution(.duration), "{median: 20m, sigma: 0.8, clip: [1m, 6h]}",
            "D5",
            "The length of an audio session.",
            sweep: "median 5 to 60 min", evidence: "prior")
        Key(
            "location_modes", \.habits.modeShares,
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
            "location_changes_per_year", \.habits.modeChangesPerYear, .number(0...1000), "0", "L3",
            "How often a year a person changes the app's mode on a device, in a session, to another one by the shares of `location_modes`.",
            sweep: "0 to 2", evidence: "assumption: nobody changes it")
        Key(
            "signed_in", \.habits.signedInShare, share, "1", "P8",
            "The share of people who are signed in to it when the run starts; the others sign in at their first opening.",
            sweep: "0.5 to 1", evidence: "assumption: everybody is")
        Key(
            "background_fetch", \.fetch, backgroundFetch, over: StatedFetch(), .none, "B8",
            "The app's own fetching in the background, without a reload, on devices with a widget of it; absent, none."
        )
        Key(
            "reduced_accuracy", \.habits.reducedAccuracyShare, share, "0.12", "L2",
            "The share of people with precise location off for it.",
            sweep: "0.05 to 0.3",
            evidence: "prior, docs/calibration-data.md §5")
    }

    /// An app's background fetch (B8).
    static let backgroundFetch = Keys<StatedFetch>(mergesByKey: true) {
        Key(
            "every", \.fetch.every, .duration(least: .minutes(1), most: .days(30)), .required, "B8",
            "The time between two fetches of a device; with `by: use` the least time.")
        Key(
            "by", \.fetch.followsUse, is: FetchTiming.use, "clock", "B8",
            "Whether a device fetches by the `clock`, or at the hours of the day at which its person has opened the app the day before, and as often, by `use`.",
            sweep: "both", evidence: "assumption: the system grants what is asked for")
        Key(
            "aligned", \.fetch.isAligned, .boolean, "false", "B8",
            "Whether all devices fetch at the same instants, the first of them at `start`, as silent pushes of a server make them; else each has a phase of its own.",
            sweep: "both", evidence: "assumption: the system spreads them")
        Key(
            "share", \.fetch.share, share, "1", "B8", "The share of the devices with a widget of the app that fetch.",
            sweep: "0.2 to 1",
            evidence: "assumption: all of them")
        Key(
            "spread", \.fetch.spread, .distribution(.duration), "{median: 3s, p95: 15s}", "B8",
            "The time from such an instant to the fetch, over devices and instants; its mean is at most `every`.",
            sweep: "median 1 to 10 s")
        Key(
            "endpoint", \.endpoint, .name, .sometimes("that of the app's first kind"), "B8",
            "The endpoint that it asks, one of its own or that of a kind."
        ) { $0.isValid ? $1.endpointIndex($0.text) : nil }
        Key("requests", \.fetch.requests, .count(1...100), "1", "B8", "The requests of a fetch, sent together.")
    } check: { stated, scenario in
        if stated[\.fetch.every].isValid {
            scenario.checkMean(of: stated.fetch.spread, stated[\.fetch.spread], from: .zero, to: stated.fetch.every)
        }
    }
}
