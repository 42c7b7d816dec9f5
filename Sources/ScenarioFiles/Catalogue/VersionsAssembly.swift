import Basics
import ScenarioModel
import WidgetPlatform

/// Makes the source of a kind's versions (C1).
struct VersionsAssembly {
    let scenario: ScenarioAssembly
    let value: CheckedValue

    var source: VersionSource {
        guard value.isMapping else {
            // Instants before start count too: they are older than the run.
            return .listed(value.items.map(scenario.instant).sorted())
        }
        switch value["source"].choice(VersionSourceKind.self) {
        case .manual: return .manual
        case .steady: return steady
        case .poisson: return .poisson(mean: value["every"].duration, perKey: value["per"].choice() == PerKey.key)
        case .daily: return .daily(schedule(value), emptyBefore: value["empty_before"].flag)
        case .market: return market
        case .games: return games
        case .calendar:
            return .calendar(KeyCatalogue.events("").make(value["events"], scenario), window: value["window"].duration)
        }
    }

    /// The values of the versions; nil for none.
    var contentValue: ContentValue? {
        guard value.isMapping, value.isValid, case let stated = value["value"], stated.isMapping else { return nil }
        let (steps, walk) = (stated["steps"], stated["walk"])
        return steps.isAbsent ? .walk(walk.number) : .steps(steps.number)
    }

    private var steady: VersionSource {
        let (every, spread) = (value["every"], value["spread"])
        if value.isValid && spread.duration > every.duration {
            scenario.report(
                spread, "at most every, \(TimeText.duration(every.duration))",
                "'\(TimeText.duration(spread.duration))'")
        }
        return .steady(
            every: every.duration, spread: spread.duration, perPlace: value["per"].choice() == PerPlace.place)
    }

    // MARK: Clocks

    private func schedule(_ value: CheckedValue) -> ClockSchedule {
        scenario.read(KeyCatalogue.clock(), of: value, over: ClockSchedule(times: [], zone: 0, weekdays: 0))
    }

    // MARK: Exchanges

    private var market: VersionSource {
        let every = value["every"].duration
        guard value["exchange"].isAbsent else { return exchange(every) }
        let (open, close) = (value["open"], value["close"])
        if open.isValid && close.isValid && open.clock >= close.clock {
            let culprit = close.isStated ? close : open
            scenario.report(
                culprit, "a close after the open",
                "\(CalendarText.text(open.clock)) to \(CalendarText.text(close.clock))")
            return .manual
        }
        guard value.isValid else { return .manual }
        let session = TradingCalendar.Session(open: open.clock, close: close.clock)
        let calendar = TradingCalendar(
            sessions: [session], weekdays: KeyCatalogue.days.make(value["days"], scenario),
            holidays: value["holidays"].items.map(\.date),
            halfDays: halfDays(of: session))
        return .market(calendar, every: every, zone: scenario.zoneIndex(value["zone"].text))
    }

    private func halfDays(of session: TradingCalendar.Session) -> [TradingCalendar.HalfDay] {
        var dates: Set<CivilDate> = []
        return value["half_days"].items.map { item in
            let (date, close) = (item["date"], item["close"])
            if close.clock <= session.open || close.clock >= session.close {
                scenario.report(
                    close,
                    "a close between the open and the usual close, \(CalendarText.text(session.open)) to"
                        + " \(CalendarText.text(session.close))", CalendarText.text(close.clock))
            }
            if !dates.insert(date.date).inserted {
                scenario.report(date, "each date once", "\(TimeText.date(date.date)) again")
            }
            return TradingCalendar.HalfDay(date: date.date, close: close.clock)
        }
    }

    private func exchange(_ every: Duration) -> VersionSource {
        let name = value["exchange"]
        for key in ["open", "close", "zone", "days", "holidays", "half_days"] where !value[key].isAbsent {
            scenario.report(value[key], "either exchange or hours of its own", "'\(key)' beside exchange")
        }
        guard let exchange = scenario.exchange(name),
            let calendar = scenario.calendar(
                of: exchange, name, cure: "for others, open, close, zone, holidays and half_days of its own")
        else { return .manual }
        return .market(calendar, every: every, zone: scenario.zoneIndex(exchange.zone))
    }

    // MARK: Games

    private var games: VersionSource {
        let (starts, length, oneIn) = (value["starts"], value["length"].duration, value["one_in"])
        let (per, burst) = (value["per"], value["burst"])
        let isPerKey = per.isValid && per.choice() == PerKey.key
        if !oneIn.isAbsent && per.isValid && !isPerKey {
            scenario.report(oneIn, "per: key beside one_in", "games that everybody follows")
        }
        let times = KeyCatalogue.events("").make(starts, scenario)
        if value.isValid { checkOverlap(of: times, length: length, starts) }
        return .games(
            GameCalendar(
                starts: times, length: length, changes: value["changes"].count,
                followers: burst["followers"].count, burstWithin: burst["within"].duration,
                gamesInRound: isPerKey ? oneIn.isAbsent ? 1 : oneIn.count : nil))
    }

    /// No game begins before the one before it is over: then the versions of a key can be counted game by game.
    private func checkOverlap(of times: EventTimes, length: Duration, _ starts: CheckedValue) {
        let instants: [Instant]
        switch times {
        case .listed(let listed): instants = Array(Set(listed)).sorted()
        case .clock(let schedule):
            let zone = scenario.table(of: starts["zone"].text)
            instants = schedule.instants(from: .start - VersionSource.lead, to: scenario.end, in: zone)
        }
        if let gap = zip(instants, instants.dropFirst()).map({ $1 - $0 }).min(), gap < length {
            scenario.report(
                starts, "beginnings at least the length of a game apart, \(TimeText.duration(length))",
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
