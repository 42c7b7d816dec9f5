import SimulatedTime
import Stochastics
import WidgetPlatform

/// When an origin publishes new versions (C1), ready to be asked: counts and successors, without replaying the source.
struct ContentSource {
    enum Form {
        case manual
        /// In order, the same for every key.
        case listed(UnsafeBufferPointer<Int64>)
        /// Version k of a key appears at `phase + k·every + own share of spread`.
        case steady(every: Int64, spread: Double, perPlace: Bool)
    }

    private let form: Form
    private let stream: RandomStream

    /// - Parameter index: of the kind; sources of different kinds are independent.
    init(
        _ source: VersionSource, index: Int, plan: FleetPlan, keeping memory: inout [UnsafeMutableBufferPointer<Int64>],
        _ tables: inout StandardTables
    )
        throws(DistributionProblem)
    {
        stream = RandomStream(seed: plan.seed, person: 0, purpose: .versionTimes, sub: UInt16(index))
        // Content can be older than the run: versions are known from a month before it.
        let from = Instant.start - .days(31)
        var times: [Int64] = []
        switch source {
        case .manual:
            form = .manual
            return
        case .steady(let every, let spread, let perPlace):
            form = .steady(every: every.microseconds, spread: Double(spread.microseconds), perPlace: perPlace)
            return
        case .listed(let instants): times = instants.map(\.microseconds)
        case .poisson(let mean):
            let law = try Distribution(.exponential(mean: Double(mean.microseconds))).prepared(with: &tables)
            var draws = stream
            var at = from.microseconds
            while true {
                at += max(1, Int64(law.draw(draws.next())))
                if at >= plan.end.microseconds { break }
                times.append(at)
            }
        case .daily(let clocks, let zone, let weekdays):
            times = Self.times(at: clocks, weekdays: weekdays, in: plan.zones[zone], from: from, to: plan.end)
        case .market(let open, let close, let every, let zone, let weekdays):
            let clocks =
                stride(from: open.microseconds, through: close.microseconds, by: Int(every.microseconds)).map(ClockTime.init(microseconds:))
                + [close]
            times = Self.times(at: clocks, weekdays: weekdays, in: plan.zones[zone], from: from, to: plan.end)
        }
        let copy = UnsafeMutableBufferPointer<Int64>.allocate(capacity: times.count)
        _ = copy.initialize(from: times)
        memory.append(copy)
        form = .listed(UnsafeBufferPointer(copy))
    }

    private static func times(at clocks: [ClockTime], weekdays: UInt8, in zone: ZoneTable, from: Instant, to: Instant) -> [Int64] {
        var times: Set<Int64> = []
        var date = zone.localTime(at: from).date
        let last = zone.localTime(at: to).date
        while date <= last {
            if weekdays & (1 << UInt8(date.weekday)) != 0 {
                for clock in clocks { times.insert(zone.instant(of: date, at: clock).microseconds) }
            }
            date = date.advanced(by: 1)
        }
        return times.sorted()
    }

    /// Where content made at `instant` stands among the versions of `key`.
    func position(key: Int64, madeAt instant: Instant) -> VersionPosition {
        switch form {
        case .manual: return VersionPosition(number: 0, nextAt: .never, phase: 0, salt: 0)
        case .listed(let times):
            let i = Self.firstIndex(after: instant.microseconds, in: times)
            return VersionPosition(number: Int64(i), nextAt: i < times.count ? Instant(microseconds: times[i]) : .never, phase: 0, salt: 0)
        case .steady(let every, let spread, let perPlace):
            let phase =
                perPlace ? RandomStream.index(stream.value(at: UInt64(bitPattern: key) & 0xffff_ffff_ffff), below: UInt64(every)) : 0
            let series = Series(every: every, phase: Int64(phase), spread: spread, salt: perPlace ? key &* 0x9e37_79b9 : 0, stream: stream)
            let (number, appearance) = series.first(after: instant.microseconds)
            return VersionPosition(number: number, nextAt: Instant(microseconds: appearance), phase: series.phase, salt: series.salt)
        }
    }

    /// How many versions have appeared since a position, up to and with `instant` (C3).
    func missed(since position: VersionPosition, through instant: Instant) -> Int {
        if instant < position.nextAt { return 0 }
        switch form {
        case .manual: return 0
        case .listed(let times): return Self.firstIndex(after: instant.microseconds, in: times) - Int(position.number)
        case .steady(let every, let spread, _):
            let series = Series(every: every, phase: position.phase, spread: spread, salt: position.salt, stream: stream)
            return Int(series.first(after: instant.microseconds).number - position.number)
        }
    }

    private static func firstIndex(after instant: Int64, in times: UnsafeBufferPointer<Int64>) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // Version k of a steady source appears in [k·every, k·every + spread] after the key's phase, and the spread is at most the period: at any
    // instant just one version may or may not have appeared.

    /// The phase of a key and the instants of its versions.
    private struct Series {
        let every, phase: Int64
        let spread: Double
        let salt: Int64
        let stream: RandomStream

        func appearance(_ number: Int64) -> Int64 {
            let at = number * every + phase
            if spread == 0 { return at }
            let index = UInt64(bitPattern: number &+ salt) & 0xffff_ffff_ffff | 1 << 48
            return at + Int64(spread * RandomStream.uniform(stream.value(at: index)))
        }

        /// The first version that appears after `instant`.
        func first(after instant: Int64) -> (number: Int64, appearance: Int64) {
            let since = instant - phase
            let number = since >= 0 ? since / every : -((-since + every - 1) / every)
            let at = appearance(number)
            return at > instant ? (number, at) : (number + 1, appearance(number + 1))
        }
    }
}

/// Where some content stands among the versions of its source: the first version that it lacks.
struct VersionPosition {
    /// The number of that version, and when it appears; `never` if none does.
    let number: Int64
    let nextAt: Instant
    /// What a steady source knows of the content's place.
    fileprivate let phase, salt: Int64

    /// Of content that there is not.
    static let none = VersionPosition(number: 0, nextAt: .never, phase: 0, salt: 0)
}
