import Basics
import ScenarioModel

/// Where the versions of a kind's content come from (C1), as a scenario names it.
enum VersionSourceKind: String, Choice {
    case manual, steady, poisson, daily, market, games, calendar

    /// Whether it has events that are on for a while, such as games and an exchange's sessions, so that relevance can
    /// follow them (V3).
    var hasEvents: Bool {
        switch self {
        case .market, .games: true
        case .manual, .steady, .poisson, .daily, .calendar: false
        }
    }
}

extension KeyCatalogue {
    /// A source of versions by its word, and the keys that go with each.
    static let versions = Form.Variants(
        of: VersionSourceKind.self, key: "source", meaning: "How new versions appear.", defaultValue: nil,
        common: [
            KeyEntry(
                "value",
                .oneOf([
                    KeyEntry(
                        "steps", .number(0...1_000_000, isOpenBelow: true), .none, "C1",
                        "Each version's value is evenly drawn from 0 to this."),
                    KeyEntry(
                        "walk", .number(0...1_000_000, isOpenBelow: true), .none, "C1",
                        "The value walks at random; the standard deviation of its change over a day."),
                ]), .none, "C1, P9",
                "The values of the versions, which a provider of the program's own can read.")
        ], entries: entries)

    private static func entries(of source: VersionSourceKind) -> [KeyEntry] {
        switch source {
        case .manual:
            [
                KeyEntry(
                    "changes_per_opening", share, "0", "C1",
                    "The share of the openings of its app at which the person changes it.",
                    sweep: "0 to 0.5", evidence: "assumption: nobody does")
            ]
        case .steady:
            [
                KeyEntry("every", step, .required, "C1", "The time from one version to the next."),
                KeyEntry(
                    "spread", .duration(), "0s", "C1",
                    "Each version is late by its own even share of this; at most `every`."),
                KeyEntry(
                    "per", .choice(PerPlace.self), "none", "C1",
                    "Whether each place has versions of its own, at a phase of its own."),
            ]
        case .poisson:
            [
                KeyEntry("every", step, .required, "C1", "The mean time between versions, which come at random."),
                KeyEntry(
                    "per", .choice(PerKey.self), "none", "C1",
                    "Whether each place or symbol has versions of its own, independent of the others'."),
            ]
        case .daily:
            clock("Clock times.").form.entries + [
                KeyEntry(
                    "empty_before", .boolean, "false", "C1, C5",
                    "Whether a provider that asks on a date of its device's clock whose list has not appeared learns that there is none, instead of getting"
                        + " the last one. A date's list appears at the first of `at` on it, by `zone`.")
            ]
        case .market:
            [
                KeyEntry(
                    "every", step, .required, "C1", "The time from one version to the next while the exchange is open."),
                KeyEntry(
                    "exchange", exchange, .none, "C1",
                    "An exchange by name, with its zone, hours, holidays and half days, in place of the keys that follow."
                ),
                KeyEntry("open", .clock, .unless("exchange", YAML: "\"09:30\""), "C1", "The first version of a day."),
                KeyEntry("close", .clock, .unless("exchange", YAML: "\"16:00\""), "C1", "The last version of a day."),
                KeyEntry(
                    "zone", .zone(allowsLocal: false), .unless("exchange", YAML: "America/New_York"), "C1",
                    "The exchange's clock."),
                KeyEntry(
                    "days", days.form, .unless("exchange", YAML: "weekdays"), "C1", "The days of the week with trading."
                ),
                KeyEntry(
                    "holidays", .list(.date, counts: 0...10_000), .unless("exchange", YAML: "[]"), "C1",
                    "Dates without trading."),
                KeyEntry(
                    "half_days",
                    .list(
                        .block([
                            KeyEntry("date", .date, .required, "C1", "The date of the half day."),
                            KeyEntry("close", .clock, .required, "C1", "The last version of that day."),
                        ]), counts: 0...1_000), .unless("exchange", YAML: "[]"), "C1",
                    "Dates on which trading ends early."),
            ]
        case .games:
            [
                KeyEntry(
                    "starts", events("beginnings").form, .required, "C1",
                    "When games begin: a list of instants, or the clock times of a season. No game begins before the one before it is over."
                ),
                KeyEntry(
                    "length", .duration(least: .minutes(1), most: .days(1)), .required, "C1",
                    "How long a game lasts; its beginning and its end are a version each."),
                KeyEntry(
                    "changes", .count(0...200), .required, "C1",
                    "Changes of the score in one game, anywhere in it, a version each."),
                KeyEntry(
                    "burst",
                    .block([
                        KeyEntry(
                            "followers", .count(0...20), "0", "C1",
                            "Further versions after each change, such as who scored."),
                        KeyEntry(
                            "within", .duration(least: .seconds(1), most: .days(1)), "2m", "C1",
                            "How soon after the change they come, anywhere in that time and before the game's end."),
                    ]), "{}", "C1", "The further versions that follow a change of the score."),
                KeyEntry(
                    "per", .choice(PerKey.self), "none", "C1",
                    "Whether each symbol, such as a team, plays games of its own; otherwise everybody follows all games."
                ),
                KeyEntry(
                    "one_in", .count(1...100), .none, "C1",
                    "With `per: key`, games come in rounds of so many, and each key plays one of a round, drawn for each round; 1 unless stated."
                ),
            ]
        case .calendar:
            [
                KeyEntry(
                    "events", events("events").form, .required, "C1",
                    "Events that are known ahead: a list of instants, or clock times."),
                KeyEntry(
                    "window", .duration(most: .days(3660)), "24h", "C1",
                    "Content holds the events up to so long after it was made, and misses none of them.",
                    sweep: "6h to 7d"),
            ]
        }
    }

    static let exchange = Form.choice(Exchange.self)

    /// Instants by a list, or by a clock.
    static func events(_ noun: String) -> Cases<EventTimes> {
        .either(
            .value(.list(.instant(afterStart: true), counts: 1...10_000)) { (instants: [Instant]) in
                .listed(instants.sorted())
            },
            .keys(clock("Clock times of \(noun)."), over: ClockSchedule(times: [], zone: 0, weekdays: 0)) {
                clock, _ in .clock(clock.value)
            })
    }

    /// Clock times of a zone.
    static func clock(_ times: String = "") -> Keys<ClockSchedule> {
        Keys {
            Key("at", \.times, .list(.clock, counts: 1...1440), .required, "C1", times) { value, _ in
                Set(value.items.map(\.clock)).sorted()
            }
            Key("zone", \.zone, .zone(allowsLocal: false), .required, "C1", "Whose clock.") { $1.zoneIndex($0.text) }
            Key("days", \.weekdays, days, "all", "C1", "The days of the week that count.")
        }
    }
}
