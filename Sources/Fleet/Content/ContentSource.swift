import Basics
import ScenarioModel
import Statistics

/// When an origin publishes new versions (C1), ready to be asked: counts and successors, without replaying the source.
struct ContentSource {
    enum Form {
        case manual
        /// Listed versions, equal for every key; content knows those up to `window` after it was made.
        case listed(InstantList, window: Duration)
        /// Version k of a key appears at `phase + k·every + own share of spread`.
        case steady(every: Int64, spread: Double, perPlace: Bool)
        case poisson(PoissonTimes, perKey: Bool)
        case sessions(SessionTimes)
        case games(GameTimes)
    }

    /// Random times that all keys share are listed up to so many: 0.8 MB.
    private static let mostListed: Int64 = 100_000

    private let form: Form
    /// The dates for which there is nothing before their list appears; nil if the last one is served until then.
    private let firstLists: FirstLists?
    private let stream: RandomStream
    private let seed: UInt64
    private let index: UInt16

    /// - Parameters:
    ///   - index: of the kind; sources of different kinds are independent.
    ///   - span: from when on versions are known, and the end of the run.
    ///   - zones: those that the source names by their index.
    init(
        _ source: VersionSource, index: Int, seed: UInt64, span: (from: Instant, to: Instant), zones: [ZoneTable],
        keeping memory: inout PlanMemory, _ tables: inout StandardTables
    ) throws(DistributionProblem) {
        self.seed = seed
        self.index = UInt16(index)
        stream = RandomStreams(seed: seed, person: 0)[.versionTimes, sub: index]
        let (from, to) = span
        if case .daily(let schedule, emptyBefore: true) = source {
            firstLists = FirstLists(schedule, zones[schedule.zone], from: from, to: to, &memory)
        } else {
            firstLists = nil
        }
        switch source {
        case .manual: form = .manual
        case .listed(let instants): form = .listed(InstantList(instants.map(\.microseconds), &memory), window: .zero)
        case .steady(let every, let spread, let perPlace):
            form = .steady(every: every.microseconds, spread: Double(spread.microseconds), perPlace: perPlace)
        case .poisson(let mean, let perKey):
            let times = try PoissonTimes(
                meanGap: mean.microseconds, from: from.microseconds, to: to.microseconds, tables: tables)
            // Times that all keys share are listed once, unless there are very many.
            let count = (to - from).microseconds / mean.microseconds
            if perKey || count > Self.mostListed {
                form = .poisson(times, perKey: perKey)
            } else {
                form = .listed(
                    InstantList(times.all(key: Self.ownSeed(of: 0, seed: seed, index: self.index)), &memory),
                    window: .zero)
            }
        case .daily(let schedule, _):
            form = .listed(
                InstantList(EventTimes.clock(schedule).instants(from: from, to: to, zones), &memory), window: .zero)
        case .calendar(let events, let window):
            // Content of the run's last instants holds events after it.
            form = .listed(InstantList(events.instants(from: from, to: to + window, zones), &memory), window: window)
        case .market(let calendar, let every, let zone):
            form = .sessions(SessionTimes(calendar, every: every, in: zones[zone], from: from, to: to, &memory))
        case .games(let games):
            form = .games(
                GameTimes(games, starts: InstantList(games.starts.instants(from: from, to: to, zones), &memory)))
        }
    }

    /// Where content made at `instant` stands among the versions of `key`.
    ///
    /// - Parameter last: another position; one of the same key tells what belongs to the key.
    @inline(__always)
    func position(key: Int64, madeAt instant: Instant, after last: VersionPosition = .none) -> VersionPosition {
        let found: (number: Int64, at: Int64)
        let isKnown = last.key == key
        var salt = isKnown ? last.salt : 0
        var phase = isKnown ? last.phase : 0
        switch form {
        case .manual: return VersionPosition(number: 0, nextAt: .never, key: key, phase: 0, salt: 0)
        case .listed(let list, let window):
            found = list.first(after: (instant + window).microseconds, hint: last.number)
        case .steady(let every, let spread, let perPlace):
            if perPlace && !isKnown {
                phase = Int64(
                    RandomStream.index(
                        stream.value(at: UInt64(bitPattern: key) & 0xffff_ffff_ffff), below: UInt64(every)))
                salt = key &* 0x9e37_79b9
            }
            found = SteadyTimes(every: every, phase: phase, spread: spread, salt: salt, stream: stream).first(
                after: instant.microseconds)
        case .poisson(let times, let perKey):
            if !isKnown { salt = Int64(bitPattern: ownSeed(of: perKey ? key : 0)) }
            let own = UInt64(bitPattern: salt)
            let next = times.first(after: instant.microseconds, key: own)
            found = (next.place, next.at)
        case .sessions(let sessions): found = sessions.first(after: instant.microseconds)
        case .games(let games):
            if !isKnown { salt = Int64(bitPattern: ownSeed(of: games.isPerKey ? key : 0)) }
            let own = UInt64(bitPattern: salt)
            found = games.first(after: instant.microseconds, key: own)
        }
        return VersionPosition(
            number: found.number, nextAt: Instant(microseconds: found.at), key: key, phase: phase, salt: salt)
    }

    /// When content that stands at a position is in force no more: what is made from then on has a version that it lacks.
    @inline(__always)
    func end(of position: VersionPosition) -> Instant {
        if case .listed(_, let window) = form, position.nextAt < .never { return position.nextAt - window }
        return position.nextAt
    }

    /// Whether content of a key that was made at an instant has a version that content made before had not.
    func isNewer(key: Int64, madeAt instant: Instant, than before: Instant) -> Bool {
        let last = position(key: key, madeAt: before)
        return position(key: key, madeAt: instant, after: last).number > last.number
    }

    /// How many versions have appeared since a position, up to and with `instant` (C3).
    func missed(since position: VersionPosition, through instant: Instant) -> Int {
        if instant < position.nextAt { return 0 }
        let now = instant.microseconds
        let number: Int64
        switch form {
        case .manual: return 0
        case .listed(let list, _): number = list.first(after: now, hint: position.number + 1).number
        case .steady(let every, let spread, _):
            number =
                SteadyTimes(every: every, phase: position.phase, spread: spread, salt: position.salt, stream: stream)
                .first(after: now).number
        case .poisson(let times, _):
            return Int(times.count(from: position.number, through: now, key: UInt64(bitPattern: position.salt)))
        case .sessions(let sessions): number = sessions.first(after: now).number
        case .games(let games): number = games.first(after: now, key: UInt64(bitPattern: position.salt)).number
        }
        return Int(number - position.number)
    }

    /// Whether the origin answers at `instant` that there is no content yet for the date on the clock of `zone` (C1).
    func isEmpty(madeAt instant: Instant, in zone: ZoneTable) -> Bool {
        firstLists.map { $0.isEmpty(at: instant, in: zone) } ?? false
    }

    /// Whether an event of the source is on for a key: a game, or a session of an exchange. No other source has events.
    func isEventOn(at instant: Instant, key: Int64) -> Bool {
        switch form {
        case .sessions(let sessions): sessions.isOpen(at: instant.microseconds)
        case .games(let games): games.isOn(at: instant.microseconds, key: ownSeed(of: games.isPerKey ? key : 0))
        case .manual, .listed, .steady, .poisson: false
        }
    }

    /// The seed of the numbers that belong to one key. All 64 bits of the key are in the address of the draw, so that
    /// no two keys share one.
    private func ownSeed(of key: Int64) -> UInt64 { Self.ownSeed(of: key, seed: seed, index: index) }

    private static func ownSeed(of key: Int64, seed: UInt64, index: UInt16) -> UInt64 {
        let bits = UInt64(bitPattern: key)
        return RandomStream(seed: seed, person: bits >> 24, purpose: .versionKey, sub: index).value(
            at: bits & 0xff_ffff)
    }
}

/// Where some content stands among the versions of its source: the first version that it lacks.
struct VersionPosition {
    /// The number of that version, which rises from version to version, by more than one where a Poisson source begins
    /// a block; and when it appears, `never` if none does.
    let number: Int64
    let nextAt: Instant
    /// The content's key.
    fileprivate let key: Int64
    /// Numbers that a source derives from the content's key: the phase and salt of a steady one, the seed of the key's
    /// own numbers of others.
    fileprivate let phase, salt: Int64

    /// The position of content that does not exist.
    static let none = VersionPosition(number: 0, nextAt: .never, key: .min, phase: 0, salt: 0)
}
