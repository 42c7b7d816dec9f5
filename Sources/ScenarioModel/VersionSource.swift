import Basics

/// When an origin publishes new versions of its content (C1), a pure function of the source and, where it says so, of
/// the content's key: its place or chosen symbol.
public enum VersionSource: Hashable, Sendable {
    /// Only the app's own action changes the content.
    case manual
    /// At the listed instants, in order.
    case listed([Instant])
    /// Every `every`, each version late by its own uniform share of `spread` (0 to `every`); the phase is the place's
    /// own if `perPlace`.
    case steady(every: Duration, spread: Duration, perPlace: Bool)
    /// At random, with a mean time between versions; the same for all, or at times of each key's own.
    case poisson(mean: Duration, perKey: Bool)
    /// At the clock times of a zone. With `emptyBefore` a provider that asks on a date whose first time is still to
    /// come learns that there is none for it.
    case daily(ClockSchedule, emptyBefore: Bool = false)
    /// Every `every` from the opening to the close of an exchange's sessions, both included, by the clock of a zone of
    /// the run's tables.
    case market(TradingCalendar, every: Duration, zone: Int)
    /// In bursts, while games are played.
    case games(GameCalendar)
    /// Events that are known before they come: content holds those up to `window` after it was made, and misses none of
    /// them.
    case calendar(EventTimes, window: Duration)

    /// Versions are known from so long before the start on, because content can be older than the run; of a kind whose
    /// timelines ask to live longer, from so long before.
    public static let lead = Duration.days(31)
}

extension VersionSource {
    /// When a server can push a version (B7).
    public enum PushTime: Sendable {
        /// When it comes.
        case atOnce
        /// Never, because no server makes it.
        case noServer
        /// Never, because content holds it before it comes.
        case knownAhead
    }

    public var pushTime: PushTime {
        switch self {
        case .manual: .noServer
        case .calendar: .knownAhead
        case .listed, .steady, .poisson, .daily, .market, .games: .atOnce
        }
    }

    /// Whether places or symbols have versions of their own.
    var isPerKey: Bool {
        switch self {
        case .manual, .listed, .daily, .market, .calendar: false
        case .steady(_, _, let perPlace): perPlace
        case .poisson(_, let perKey): perKey
        case .games(let games): games.gamesInRound != nil
        }
    }

    /// The noun of its versions if their times are drawn; nil if they are not, or if each of many people has keys of
    /// their own and draws of them.
    ///
    /// - Parameter isShared: whether many people have the same key.
    func nounIfDrawn(isShared: Bool) -> String? {
        if isPerKey && !isShared { return nil }
        switch self {
        case .games: return "games"
        case .poisson: return "versions"
        case .steady(_, let spread, let perPlace): return spread > .zero || perPlace ? "versions" : nil
        case .manual, .listed, .daily, .market, .calendar: return nil
        }
    }

    /// New versions a day that a server can push, roughly, in a run of `days` days: for estimates.
    public func perDay(over days: Double) -> Double {
        switch self {
        case .manual, .calendar: 0
        case .listed(let instants): Double(instants.count) / days
        case .steady(let every, _, _), .poisson(let every, _), .market(_, let every, _):
            86_400 / max(1e-6, every.inSeconds)
        case .daily(let schedule, _): schedule.perDay
        case .games(let games):
            Double(2 + games.changes * (1 + games.followers)) * games.starts.perDay(over: days)
                / Double(max(1, games.gamesInRound ?? 1))
        }
    }
}

/// Clock times of a zone of the run's tables, on some weekdays.
public struct ClockSchedule: Hashable, Sendable {
    /// In order, without repetition.
    public var times: [ClockTime]
    public var zone: Int
    /// Bit 0 Monday … bit 6 Sunday.
    public var weekdays: UInt8

    /// How many times a day over a whole week.
    fileprivate var perDay: Double { Double(times.count) * Double(weekdays.nonzeroBitCount) / 7 }

    public init(times: [ClockTime], zone: Int, weekdays: UInt8) {
        self.times = times
        self.zone = zone
        self.weekdays = weekdays
    }
}

/// Instants that a scenario lists, or those of a clock.
public enum EventTimes: Hashable, Sendable {
    /// In order.
    case listed([Instant])
    case clock(ClockSchedule)

    /// How many a day, roughly, in a run of `days` days.
    fileprivate func perDay(over days: Double) -> Double {
        switch self {
        case .listed(let instants): Double(instants.count) / days
        case .clock(let schedule): schedule.perDay
        }
    }
}

/// Games, and the versions of one: its beginning, its end, and the changes of its score, each with further versions
/// that follow it.
public struct GameCalendar: Hashable, Sendable {
    /// When games begin. A game is over before the next one begins, or at that instant.
    public var starts: EventTimes
    public var length: Duration
    /// Changes of the score in one game, anywhere in it.
    public var changes: Int
    /// Further versions after each change, at random within `burstWithin` of it and before the end.
    public var followers: Int
    public var burstWithin: Duration
    /// The games are taken in rounds of this many, and each key plays one of each round; nil if all keys show all
    /// games.
    public var gamesInRound: Int?

    public init(
        starts: EventTimes, length: Duration, changes: Int, followers: Int, burstWithin: Duration, gamesInRound: Int?
    ) {
        self.starts = starts
        self.length = length
        self.changes = changes
        self.followers = followers
        self.burstWithin = burstWithin
        self.gamesInRound = gamesInRound
    }
}

extension EventTimes {
    /// From one instant to another, in microseconds and in order, each once; those that are listed in any case.
    package func instants(from: Instant, to: Instant, _ zones: [ZoneTable]) -> [Int64] {
        switch self {
        case .listed(let instants): Array(Set(instants.map(\.microseconds))).sorted()
        case .clock(let schedule): schedule.instants(from: from, to: to, in: zones[schedule.zone]).map(\.microseconds)
        }
    }
}

extension ClockSchedule {
    /// The instants of the schedule on the clock of a zone, in order, each once: all from one instant's date to
    /// another's.
    public func instants(from: Instant, to: Instant, in zone: ZoneTable) -> [Instant] {
        var instants: Set<Instant> = []
        var date = zone.localTime(at: from).date
        let last = zone.localTime(at: to).date
        while date <= last {
            if weekdays & (1 << UInt8(date.weekday)) != 0 {
                for clock in times { instants.insert(zone.instant(of: date, at: clock)) }
            }
            date = date.advanced(by: 1)
        }
        return instants.sorted()
    }
}
