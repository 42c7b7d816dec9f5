import Basics
import ScenarioModel
import Statistics

// The times of versions, each with the one question that the loop asks: how many come up to and with an instant, and
// when is the next.

/// Memory of a prepared plan that the loop reads without a reference count; the plan frees it.
typealias PlanMemory = [UnsafeMutableBufferPointer<Int64>]

/// Instants in order.
struct InstantList {
    let times: UnsafeBufferPointer<Int64>

    init(_ times: [Int64], _ memory: inout PlanMemory) {
        let copy = UnsafeMutableBufferPointer<Int64>.allocate(capacity: times.count)
        _ = copy.initialize(from: times)
        memory.append(copy)
        self.times = UnsafeBufferPointer(copy)
    }

    /// - Parameter hint: a number that is often the answer or just below it; any will do.
    func first(after instant: Int64, hint: Int64 = 0) -> (number: Int64, at: Int64) {
        let number =
            isAnswer(hint, instant) ? Int(hint) : isAnswer(hint + 1, instant) ? Int(hint + 1) : count(through: instant)
        return (Int64(number), number < times.count ? times[number] : .max)
    }

    private func isAnswer(_ number: Int64, _ instant: Int64) -> Bool {
        number > 0 && number < Int64(times.count) && times[Int(number) - 1] <= instant && instant < times[Int(number)]
    }

    func count(through instant: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// When the list of each date appears that a daily source publishes: at the first of its clock times on that date.
struct FirstLists {
    /// The number of the first date that is known.
    private let firstDay: Int64
    /// By date, from that one on; the least value there is for one without a list.
    private let appearances: InstantList

    /// - Parameters:
    ///   - schedule: clock times of `zone`.
    ///   - from: the earliest instant that is asked about.
    ///   - to: the latest.
    init(_ schedule: ClockSchedule, _ zone: ZoneTable, from: Instant, to: Instant, _ memory: inout PlanMemory) {
        // Somewhere on earth it is the day before, and somewhere the day after.
        let first = zone.localTime(at: from).date.advanced(by: -2)
        let last = zone.localTime(at: to).date.advanced(by: 2)
        firstDay = first.dayNumber
        let times = (first.dayNumber...last.dayNumber).map { day -> Int64 in
            let date = CivilDate(dayNumber: day)
            guard schedule.weekdays & (1 << UInt8(date.weekday)) != 0, let clock = schedule.times.first else {
                return .min
            }
            return zone.instant(of: date, at: clock).microseconds
        }
        appearances = InstantList(times, &memory)
    }

    /// Whether the list of the date that the clock of `zone` shows at an instant is still to come then.
    func isEmpty(at instant: Instant, in zone: ZoneTable) -> Bool {
        let day = zone.localTime(at: instant).date.dayNumber - firstDay
        guard day >= 0, day < Int64(appearances.times.count) else { return false }
        return instant.microseconds < appearances.times[Int(day)]
    }
}

/// A steady source's versions of one key. Version k appears in [k·every, k·every + spread] after the key's phase, and
/// the spread is at most the period: at any instant just one version may or may not have appeared.
struct SteadyTimes {
    let every, phase: Int64
    let spread: Double
    let salt: Int64
    let stream: RandomStream

    private func appearance(_ number: Int64) -> Int64 {
        let at = number * every + phase
        if spread == 0 { return at }
        let index = UInt64(bitPattern: number &+ salt) & 0xffff_ffff_ffff | 1 << 48
        return at + Int64(spread * RandomStream.uniform(stream.value(at: index)))
    }

    func first(after instant: Int64) -> (number: Int64, at: Int64) {
        let since = instant - phase
        let number = since >= 0 ? since / every : -((-since + every - 1) / every)
        // Its time has come for sure after the spread.
        if Double(since - number * every) < spread {
            let at = appearance(number)
            if at > instant { return (number, at) }
        }
        return (number + 1, appearance(number + 1))
    }
}

/// The versions of an exchange: every so often from a session's opening on, and at its close.
struct SessionTimes {
    fileprivate let opens, closes, firstNumbers: InstantList
    private let every: Int64

    init(
        _ calendar: TradingCalendar, every: Duration, in zone: ZoneTable, from: Instant, to: Instant,
        _ memory: inout PlanMemory
    ) {
        self.every = every.microseconds
        var (opens, closes, numbers): ([Int64], [Int64], [Int64]) = ([], [], [0])
        var date = zone.localTime(at: from).date
        let last = zone.localTime(at: to).date
        while date <= last {
            for session in calendar.sessions(on: date) {
                let (open, close) = (
                    zone.instant(of: date, at: session.open), zone.instant(of: date, at: session.close)
                )
                // A gap of the clocks can swallow a session.
                if open >= close { continue }
                opens.append(open.microseconds)
                closes.append(close.microseconds)
                let length = (close - open).microseconds
                numbers.append(numbers[numbers.count - 1] + length / self.every + (length % self.every == 0 ? 1 : 2))
            }
            date = date.advanced(by: 1)
        }
        self.opens = InstantList(opens, &memory)
        self.closes = InstantList(closes, &memory)
        firstNumbers = InstantList(numbers, &memory)
    }

    func first(after instant: Int64) -> (number: Int64, at: Int64) {
        let begun = opens.count(through: instant)
        guard begun > 0, instant < closes.times[begun - 1] else {
            return (firstNumbers.times[begun], begun < opens.times.count ? opens.times[begun] : .max)
        }
        let open = opens.times[begun - 1]
        let appeared = (instant - open) / every + 1
        return (firstNumbers.times[begun - 1] + appeared, min(open + appeared * every, closes.times[begun - 1]))
    }
}

extension SessionTimes {
    /// Whether a session is under way, its close not included.
    func isOpen(at instant: Int64) -> Bool {
        let begun = opens.count(through: instant)
        return begun > 0 && instant < closes.times[begun - 1]
    }
}

/// The versions of a calendar of games.
struct GameTimes {
    private let starts: InstantList
    private let length, burstWithin: Int64
    private let changes, followers: UInt64
    private let gamesInRound: Int
    let isPerKey: Bool

    init(_ games: GameCalendar, starts: InstantList) {
        self.starts = starts
        length = games.length.microseconds
        burstWithin = games.burstWithin.microseconds
        changes = UInt64(games.changes)
        followers = UInt64(games.followers)
        gamesInRound = games.gamesInRound ?? 1
        isPerKey = games.gamesInRound != nil
    }

    /// The versions of one game: its beginning and its end, and each change with those that follow it.
    private var versionsOfGame: Int64 { 2 + Int64(changes * (1 + followers)) }

    /// - Parameter key: the seed of the key's own numbers.
    func first(after instant: Int64, key: UInt64) -> (number: Int64, at: Int64) {
        let begun = starts.count(through: instant)
        let round = max(0, begun - 1) / gamesInRound
        let before = Int64(round) * versionsOfGame
        let game = self.game(ofRound: round, key)
        // The games of earlier rounds are over: no two games overlap.
        guard game < begun else { return (before, start(of: game)) }
        guard instant < starts.times[game] + length else {
            return (before + versionsOfGame, start(of: self.game(ofRound: round + 1, key)))
        }
        let inside = first(after: instant - starts.times[game], inGame: game, key)
        return (before + inside.number, starts.times[game] + inside.at)
    }

    /// Whether a game that the key plays is under way, its end not included.
    func isOn(at instant: Int64, key: UInt64) -> Bool {
        let begun = starts.count(through: instant)
        guard begun > 0 else { return false }
        let game = self.game(ofRound: (begun - 1) / gamesInRound, key)
        return game < begun && instant < starts.times[game] + length
    }

    private func game(ofRound round: Int, _ key: UInt64) -> Int {
        let stream = RandomStream(seed: key, person: 0, purpose: .gameOfRound)
        return round * gamesInRound
            + Int(RandomStream.index(stream.value(at: UInt64(round)), below: UInt64(gamesInRound)))
    }

    private func start(of game: Int) -> Int64 { game < starts.times.count ? starts.times[game] : .max }

    /// - Parameter time: since the game's beginning, less than its length.
    private func first(after time: Int64, inGame game: Int, _ key: UInt64) -> (number: Int64, at: Int64) {
        let numbers = RandomStream(seed: key, person: UInt64(game), purpose: .gameVersions)
        var number: Int64 = 1
        var next = length
        func count(_ at: Int64) { if at <= time { number += 1 } else { next = min(next, at) } }
        for change in 0..<changes {
            let index = change * (1 + followers)
            let at = 1 + Int64(RandomStream.index(numbers.value(at: index), below: UInt64(length - 1)))
            count(at)
            let within = UInt64(max(1, min(burstWithin, length - at)))
            for follower in 0..<followers {
                count(at + Int64(RandomStream.index(numbers.value(at: index + 1 + follower), below: within)))
            }
        }
        return (number, next)
    }
}
