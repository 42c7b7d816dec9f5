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

/// The versions of a kind's content, and what a scenario states beside their source.
struct StatedVersions: Sendable {
    var source = VersionSource.manual
    var value: ContentValue?
    /// The share of openings at which the person changes content of their own.
    var changeShare = 0.0
}

extension WidgetKind {
    var statedVersions: StatedVersions {
        get { StatedVersions(source: versions, value: contentValue, changeShare: changeShare) }
        set { (versions, contentValue, changeShare) = (newValue.source, newValue.value, newValue.changeShare) }
    }
}

extension KeyCatalogue {
    /// Instants, or a source of versions by its word with the keys that go with it.
    static let versions: Cases<StatedVersions> = .either(
        .value(.list(.instant(afterStart: true), counts: 0...10_000)) { (instants: [Instant]) in
            // Instants before start count too: they are older than the run.
            StatedVersions(source: .listed(instants.sorted()))
        },
        .variants(
            of: VersionSourceKind.self, key: "source", meaning: "How new versions appear.", common: value
        ) { kind in
            switch kind {
            case .manual: .keys(manual, over: StatedVersions()) { stated, _ in stated.value }
            case .steady: .keys(steady, over: Steady()) { stated, scenario in source(of: stated, scenario) }
            case .poisson:
                .keys(poisson, over: Poisson()) { stated, _ in
                    StatedVersions(source: .poisson(mean: stated.every, perKey: stated.isPerKey))
                }
            case .daily:
                .keys(daily, over: noTimes) { stated, _ in
                    StatedVersions(
                        source: .daily(stated.value, emptyBefore: stated.mapping["empty_before"].flag))
                }
            case .market:
                .keys(market, over: Market()) { stated, scenario in
                    StatedVersions(source: source(of: stated, scenario) ?? .manual)
                }
            case .games: .keys(games, over: Games()) { stated, scenario in source(of: stated, scenario) }
            case .calendar:
                .keys(calendar, over: Calendar()) { stated, _ in
                    StatedVersions(source: .calendar(stated.events, window: stated.window))
                }
            }
        })

    private static let value = Keys<StatedVersions> {
        Key(
            "value", \.value,
            .oneOf(
                Keys<ContentValue?> {
                    Key(
                        "steps", \.self, .number(0...1_000_000, isOpenBelow: true), .none, "C1",
                        "Each version's value is evenly drawn from 0 to this."
                    ) { value, _ in .steps(value.number) }
                    Key(
                        "walk", \.self, .number(0...1_000_000, isOpenBelow: true), .none, "C1",
                        "The value walks at random; the standard deviation of its change over a day."
                    ) { value, _ in .walk(value.number) }
                }, over: nil), .none, "C1, P9",
            "The values of the versions, which a provider of the program's own can read.")
    }

    private static let manual = Keys<StatedVersions> {
        Key(
            "changes_per_opening", \.changeShare, share, "0", "C1",
            "The share of the openings of its app at which the person changes it.",
            sweep: "0 to 0.5", evidence: "assumption: nobody does")
    }

    // MARK: Steady and at random

    private struct Steady {
        var every = Duration.zero, spread = Duration.zero
        var isPerPlace = false
    }

    private static let steady = Keys<Steady> {
        Key("every", \.every, step, .required, "C1", "The time from one version to the next.")
        Key(
            "spread", \.spread, .duration(), "0s", "C1",
            "Each version is late by its own even share of this; at most `every`.")
        Key(
            "per", \.isPerPlace, is: PerPlace.place, "none", "C1",
            "Whether each place has versions of its own, at a phase of its own.")
    }

    private static func source(of steady: Stated<Steady>, _ scenario: ScenarioAssembly) -> StatedVersions {
        if steady.isValid && steady.spread > steady.every {
            scenario.report(
                steady[\.spread], "at most every, \(TimeText.duration(steady.every))",
                "'\(TimeText.duration(steady.spread))'")
        }
        return StatedVersions(
            source: .steady(every: steady.every, spread: steady.spread, perPlace: steady.isPerPlace))
    }

    private struct Poisson {
        var every = Duration.zero
        var isPerKey = false
    }

    private static let poisson = Keys<Poisson> {
        Key("every", \.every, step, .required, "C1", "The mean time between versions, which come at random.")
        Key(
            "per", \.isPerKey, is: PerKey.key, "none", "C1",
            "Whether each place or symbol has versions of its own, independent of the others'.")
    }

    // MARK: Clocks

    private static let noTimes = ClockSchedule(times: [], zone: 0, weekdays: 0)

    private static let daily = clock("Clock times.") {
        KeyEntry(
            "empty_before", .boolean, "false", "C1, C5",
            "Whether a provider that asks on a date of its device's clock whose list has not appeared learns that there is none, instead of getting"
                + " the last one. A date's list appears at the first of `at` on it, by `zone`.")
    }

    /// Clock times of a zone.
    private static func clock(
        _ times: String, @KeyListBuilder<ClockSchedule> further: () -> [Key<ClockSchedule>]
    ) -> Keys<ClockSchedule> {
        Keys {
            Key("at", \.times, .list(.clock, counts: 1...1440), .required, "C1", times) { value, _ in
                Set(value.items.map(\.clock)).sorted()
            }
            Key("zone", \.zone, .zone(allowsLocal: false), .required, "C1", "Whose clock.") { $1.zoneIndex($0.text) }
            Key("days", \.weekdays, days, "all", "C1", "The days of the week that count.")
            further()
        }
    }

    /// Instants by a list, or by a clock.
    static func events(_ noun: String) -> Cases<EventTimes> {
        .either(
            .value(.list(.instant(afterStart: true), counts: 1...10_000)) { (instants: [Instant]) in
                .listed(instants.sorted())
            },
            .keys(clock("Clock times of \(noun).") {}, over: noTimes) { clock, _ in .clock(clock.value) })
    }

    private struct Calendar {
        var events = EventTimes.listed([])
        var window = Duration.zero
    }

    private static let calendar = Keys<Calendar> {
        Key(
            "events", \.events, events("events"), .required, "C1",
            "Events that are known ahead: a list of instants, or clock times.")
        Key(
            "window", \.window, .duration(most: .days(3660)), "24h", "C1",
            "Content holds the events up to so long after it was made, and misses none of them.",
            sweep: "6h to 7d")
    }

    // MARK: Exchanges

    private struct Market {
        var every = Duration.zero
        var exchange: Exchange?
        var open = ClockTime(microseconds: 0), close = ClockTime(microseconds: 0)
        var zone = 0
        var weekdays: UInt8 = 0
        var holidays: [CivilDate] = []
        var halfDays: [Stated<TradingCalendar.HalfDay>] = []
    }

    static let exchange = Form.choice(Exchange.self)

    private static let market = Keys<Market> {
        Key(
            "every", \.every, step, .required, "C1",
            "The time from one version to the next while the exchange is open.")
        Key(
            "exchange", \.exchange, exchange, .none, "C1",
            "An exchange by name, with its zone, hours, holidays and half days, in place of the keys that follow.")
        Key(
            "open", \.open, .clock, .unless("exchange", YAML: "\"09:30\""), "C1", "The first version of a day.")
        Key(
            "close", \.close, .clock, .unless("exchange", YAML: "\"16:00\""), "C1", "The last version of a day.")
        Key(
            "zone", \.zone, .zone(allowsLocal: false), .unless("exchange", YAML: "America/New_York"), "C1",
            "The exchange's clock."
        ) { $1.zoneIndex($0.text) }
        Key(
            "days", \.weekdays, days, .unless("exchange", YAML: "weekdays"), "C1",
            "The days of the week with trading.")
        Key(
            "holidays", \.holidays, .list(.date, counts: 0...10_000), .unless("exchange", YAML: "[]"), "C1",
            "Dates without trading."
        ) { value, _ in value.items.map(\.date) }
        Key(
            "half_days", \.halfDays, .items(halfDay, over: noDay, counts: 0...1_000),
            .unless("exchange", YAML: "[]"), "C1", "Dates on which trading ends early.")
    }

    private static let noDay = TradingCalendar.HalfDay(
        date: CivilDate(dayNumber: 0), close: ClockTime(microseconds: 0))

    private static let halfDay = Keys<TradingCalendar.HalfDay> {
        Key("date", \.date, .date, .required, "C1", "The date of the half day.") { value, _ in value.date }
        Key("close", \.close, .clock, .required, "C1", "The last version of that day.")
    }

    /// Nil after a problem.
    private static func source(of market: Stated<Market>, _ scenario: ScenarioAssembly) -> VersionSource? {
        guard market[\.exchange].isAbsent else { return ofExchange(market, scenario) }
        let (open, close) = (market[\.open], market[\.close])
        if open.isValid && close.isValid && market.open >= market.close {
            scenario.report(
                close.isStated ? close : open, "a close after the open",
                "\(CalendarText.text(market.open)) to \(CalendarText.text(market.close))")
            return nil
        }
        guard market.isValid else { return nil }
        let calendar = TradingCalendar(
            sessions: [TradingCalendar.Session(open: market.open, close: market.close)], weekdays: market.weekdays,
            holidays: market.holidays, halfDays: halfDays(of: market, scenario))
        return .market(calendar, every: market.every, zone: market.zone)
    }

    private static func halfDays(
        of market: Stated<Market>, _ scenario: ScenarioAssembly
    ) -> [TradingCalendar.HalfDay] {
        var dates: Set<CivilDate> = []
        return market.halfDays.map { day in
            if day.close <= market.open || day.close >= market.close {
                scenario.report(
                    day[\.close],
                    "a close between the open and the usual close, \(CalendarText.text(market.open)) to"
                        + " \(CalendarText.text(market.close))", CalendarText.text(day.close))
            }
            if !dates.insert(day.date).inserted {
                scenario.report(day[\.date], "each date once", "\(TimeText.date(day.date)) again")
            }
            return day.value
        }
    }

    private static func ofExchange(_ market: Stated<Market>, _ scenario: ScenarioAssembly) -> VersionSource? {
        let name = market[\.exchange]
        let hours: [PartialKeyPath<Market>] = [\.open, \.close, \.zone, \.weekdays, \.holidays, \.halfDays]
        for own in hours.map({ market[$0] }) where !own.isAbsent {
            scenario.report(own, "either exchange or hours of its own", "'\(own.key)' beside exchange")
        }
        guard let exchange = scenario.exchange(name),
            let calendar = scenario.calendar(
                of: exchange, name, cure: "for others, open, close, zone, holidays and half_days of its own")
        else { return nil }
        return .market(calendar, every: market.every, zone: scenario.zoneIndex(exchange.zone))
    }

    // MARK: Games

    private struct Games {
        var starts = EventTimes.listed([])
        var length = Duration.zero
        var changes = 0
        var burst = Burst()
        var isPerKey = false
        var gamesInRound: Int?

        struct Burst {
            var followers = 0
            var within = Duration.zero
        }
    }

    private static let games = Keys<Games> {
        Key(
            "starts", \.starts, events("beginnings"), .required, "C1",
            "When games begin: a list of instants, or the clock times of a season. No game begins before the one before it is over."
        )
        Key(
            "length", \.length, .duration(least: .minutes(1), most: .days(1)), .required, "C1",
            "How long a game lasts; its beginning and its end are a version each.")
        Key(
            "changes", \.changes, .count(0...200), .required, "C1",
            "Changes of the score in one game, anywhere in it, a version each.")
        Key(
            "burst", \.burst,
            Keys {
                Key(
                    "followers", \.followers, .count(0...20), "0", "C1",
                    "Further versions after each change, such as who scored.")
                Key(
                    "within", \.within, .duration(least: .seconds(1), most: .days(1)), "2m", "C1",
                    "How soon after the change they come, anywhere in that time and before the game's end.")
            }, "{}", "C1", "The further versions that follow a change of the score.")
        Key(
            "per", \.isPerKey, is: PerKey.key, "none", "C1",
            "Whether each symbol, such as a team, plays games of its own; otherwise everybody follows all games.")
        Key(
            "one_in", \.gamesInRound, .count(1...100), .none, "C1",
            "With `per: key`, games come in rounds of so many, and each key plays one of a round, drawn for each round; 1 unless stated."
        )
    }

    private static func source(of games: Stated<Games>, _ scenario: ScenarioAssembly) -> StatedVersions {
        let (oneIn, per) = (games[\.gamesInRound], games[\.isPerKey])
        if !oneIn.isAbsent && per.isValid && !games.isPerKey {
            scenario.report(oneIn, "per: key beside one_in", "games that everybody follows")
        }
        if games.isValid { checkOverlap(of: games, scenario) }
        return StatedVersions(
            source: .games(
                GameCalendar(
                    starts: games.starts, length: games.length, changes: games.changes,
                    followers: games.burst.followers, burstWithin: games.burst.within,
                    gamesInRound: games.isPerKey ? games.gamesInRound ?? 1 : nil)))
    }

    /// No game begins before the one before it is over: then the versions of a key can be counted game by game.
    private static func checkOverlap(of games: Stated<Games>, _ scenario: ScenarioAssembly) {
        let starts = games[\.starts]
        let instants: [Instant]
        switch games.starts {
        case .listed(let listed): instants = Array(Set(listed)).sorted()
        case .clock(let schedule):
            let zone = scenario.table(of: starts["zone"].text)
            instants = schedule.instants(from: .start - VersionSource.lead, to: scenario.end, in: zone)
        }
        if let gap = zip(instants, instants.dropFirst()).map({ $1 - $0 }).min(), gap < games.length {
            scenario.report(
                starts, "beginnings at least the length of a game apart, \(TimeText.duration(games.length))",
                "two that are \(TimeText.duration(gap)) apart")
        }
    }
}

extension ScenarioAssembly {
    /// The exchange of a name; nil if it is wrong.
    func exchange(_ name: CheckedValue) -> Exchange? { name.isValid ? name.choice() : nil }

    /// The calendar of an exchange over the run and the month before it; nil, and a problem, if it is not known for all
    /// of that.
    ///
    /// - Parameter cure: what a scenario of other dates can state instead.
    func calendar(of exchange: Exchange, _ name: CheckedValue, cure: String) -> TradingCalendar? {
        guard root.start.isValid else { return nil }
        let zone = table(of: exchange.zone)
        let dates = zone.localTime(at: .start - VersionSource.lead).date...zone.localTime(at: end).date
        let known = exchange.knownDates
        guard known.contains(dates.lowerBound), known.contains(dates.upperBound) else {
            report(
                name,
                "a run, and the \(VersionSource.lead.microseconds / ClockTime.microsecondsPerDay) days before it, within the known days"
                    + " of \(exchange.rawValue), \(TimeText.date(known.lowerBound)) to \(TimeText.date(known.upperBound)); \(cure)",
                "\(TimeText.date(dates.lowerBound)) to \(TimeText.date(dates.upperBound))")
            return nil
        }
        return exchange.calendar(dates)
    }
}
