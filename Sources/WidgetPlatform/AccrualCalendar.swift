import Basics

/// A daily span of the local clock: from `from` to `to`, on the next date if `to` is not later.
public struct ClockSpan: Hashable, Sendable, BitwiseCopyable {
    public var from, to: ClockTime

    public init(from: ClockTime, to: ClockTime) { (self.from, self.to) = (from, to) }

    /// Its length on the clock: more than nothing, at most a day.
    public var length: Duration {
        let length = to.microseconds - from.microseconds
        return Duration(microseconds: length > 0 ? length : length + ClockTime.microsecondsPerDay)
    }
}

/// A person's usual waking hours, on which the budget accrues (B4): a window for each local date.
public struct UsualWaking: Hashable, Sendable, BitwiseCopyable {
    /// The window that starts on a workday, and on a free day.
    public var workday, freeDay: ClockSpan

    public init(workday: ClockSpan, freeDay: ClockSpan) { (self.workday, self.freeDay) = (workday, freeDay) }

    /// The window that starts on `date`, cut where the next date's begins: two windows never overlap.
    func window(startingOn date: CivilDate, in zone: ZoneTable) -> (from: Instant, to: Instant) {
        let today = date.isWorkday ? workday : freeDay
        let tomorrow = date.advanced(by: 1)
        let from = zone.instant(of: date, at: today.from)
        let to = zone.instant(of: today.to > today.from ? date : tomorrow, at: today.to)
        let next = zone.instant(of: tomorrow, at: (tomorrow.isWorkday ? workday : freeDay).from)
        return (from, max(from, min(to, next)))
    }
}

/// The intervals of time in which a device's budgets accrue at one rate (B4, B6).
///
/// An interval lies within one hour of the local clock, inside or outside the usual waking window. Before an instant
/// from which hours are told apart, it may be several whole hours of an even accrual. The calendar stands on one
/// interval and moves forward; a device keeps one for all its instances.
public struct AccrualCalendar: Sendable {
    /// The interval is [from, to).
    public private(set) var from: Instant
    public private(set) var to: Instant
    /// The hour of the local clock, 0 to 23, in which the interval begins.
    public private(set) var localHour: Int
    /// The weekday of the local clock, 0 Monday to 6 Sunday, on which it begins.
    public private(set) var localWeekday: Int
    /// Parts that accrue in a microsecond for each microtoken of daily allowance; 0 outside the usual waking hours.
    public private(set) var shares: Int128 = 0
    /// How many parts make a microtoken, so that `shares` is whole in every window met so far.
    public private(set) var partsPerMicrotoken: Int128

    /// How accounts accrue in the interval.
    public var accrual: BudgetAccrual { BudgetAccrual(shares: shares, partsPerMicrotoken: partsPerMicrotoken) }

    /// Where the hour of the local clock ends, and where the zone's offset changes next.
    private var hourEnd: Instant = .longAgo
    private var offsetChange: Instant = .longAgo
    /// Intervals that begin before it may be longer than an hour; those end before it.
    public let hoursFrom: Instant
    private var window: (from: Instant, to: Instant)
    /// The window's length weighted by the usual views of each hour; its plain length in microseconds when the accrual
    /// is even.
    private var windowWeight: Int128
    /// Shares of an hour of weight 1 in the window.
    private var sharesOfWeight: Int128 = 0
    public let usual: UsualWaking
    /// Weights of the 24 local hours, up to 1,000; all 1 for an even accrual.
    public let weights: HourWeights

    /// A calendar that stands on the interval that holds `instant`.
    ///
    /// - Parameter hoursFrom: no count that is kept has the hour of anything before it.
    public init(
        usual: UsualWaking, weights: HourWeights, at instant: Instant, hoursFrom: Instant = .longAgo, in zone: ZoneTable
    ) {
        self.usual = usual
        self.weights = weights
        self.hoursFrom = hoursFrom
        from = instant
        to = instant
        localHour = 0
        localWeekday = 0
        window = (instant, instant)
        windowWeight = 1
        partsPerMicrotoken = 2
        _ = enter(instant, in: zone)
    }

    /// The state of a calendar besides its owner's habits: where its interval begins, the window that it is in or
    /// before, and the parts so far.
    public struct Position: Hashable, Sendable {
        public var from, windowFrom, windowTo: Instant
        public var partsPerMicrotoken: Int128
    }

    public var position: Position {
        Position(from: from, windowFrom: window.from, windowTo: window.to, partsPerMicrotoken: partsPerMicrotoken)
    }

    /// A calendar that stands where another one of the same habits, zone and `hoursFrom` stood.
    public init(
        usual: UsualWaking, weights: HourWeights, at position: Position, hoursFrom: Instant = .longAgo,
        in zone: ZoneTable
    ) {
        self.usual = usual
        self.weights = weights
        self.hoursFrom = hoursFrom
        from = position.from
        to = position.from
        localHour = 0
        localWeekday = 0
        window = (position.windowFrom, position.windowTo)
        partsPerMicrotoken = position.partsPerMicrotoken
        windowWeight = 1
        windowWeight = weigh(window, in: zone)
        setShares()
        let factor = enter(position.from, in: zone)
        assert(factor == 1, "a calendar that stands in its window")
    }

    /// Moves on to the interval that begins at `to`. Returns the factor by which amounts in parts must be refined: 1
    /// unless the window's length is a new one.
    public mutating func advance(in zone: ZoneTable) -> Int128 { enter(to, in: zone) }

    /// Stands on the interval of a new zone from `instant` on, after a zone crossing, which pays nothing back (B6).
    /// Returns the factor of refinement.
    public mutating func cross(at instant: Instant, into zone: ZoneTable) -> Int128 {
        window = (instant, instant)
        return enter(instant, in: zone)
    }

    private mutating func enter(_ instant: Instant, in zone: ZoneTable) -> Int128 {
        from = instant
        var factor: Int128 = 1
        if instant == hourEnd && instant < offsetChange && instant < window.to {
            localHour = localHour == 23 ? 0 : localHour + 1
            if localHour == 0 { localWeekday = localWeekday == 6 ? 0 : localWeekday + 1 }
            hourEnd = hourEnd + .hours(1)
        } else {
            let index = zone.intervalIndex(at: instant)
            let local = LocalTime(localMicroseconds: instant.microseconds + zone.intervals[index].toLocal)
            let hour: Int64 = 3_600_000_000
            localHour = local.clock.hour
            localWeekday = local.date.weekday
            hourEnd = instant + Duration(microseconds: hour - local.clock.microseconds % hour)
            offsetChange = index + 1 < zone.intervals.count ? zone.intervals[index + 1].from : .never
            if instant >= window.to { factor = findWindow(holding: instant, local.date, in: zone) }
        }
        to = min(intervalEnd, offsetChange)
        if window.from <= instant && instant < window.to {
            to = min(to, window.to)
            shares = weights.isEven ? sharesOfWeight : sharesOfWeight * Int128(weights[localHour])
        } else {
            if window.from > instant { to = min(to, window.from) }
            shares = 0
        }
        return factor
    }

    /// The end of the hour, or of the last one that ends before hours are told apart.
    private var intervalEnd: Instant {
        if hourEnd >= hoursFrom || !weights.isEven { return hourEnd }
        return hourEnd + .hours(((hoursFrom - hourEnd).microseconds - 1) / 3_600_000_000)
    }

    /// The instant at which `amount` microtokens more have accrued from `instant` on at `allowance` a day; `never` if
    /// that takes over 40 days.
    public func instant(afterAccruing amount: Int64, allowance: Int64, from instant: Instant, in zone: ZoneTable)
        -> Instant
    {
        if allowance <= 0 { return .never }
        var walk = self
        var at = instant
        var missing = Int128(amount) * walk.partsPerMicrotoken
        let limit = instant + .days(40)
        while at < limit {
            let rate = Int128(allowance) * walk.shares
            if rate > 0 {
                let gain = rate * Int128((walk.to - at).microseconds)
                if gain >= missing { return at + Duration(microseconds: Int64((missing + rate - 1) / rate)) }
                missing -= gain
            }
            at = walk.to
            missing *= walk.advance(in: zone)
        }
        return .never
    }

    /// Finds the window that holds `instant`, or else the next one; returns the factor by which parts became finer.
    private mutating func findWindow(holding instant: Instant, _ date: CivilDate, in zone: ZoneTable) -> Int128 {
        for offset in -1...2 as ClosedRange<Int64> {
            let candidate = usual.window(startingOn: date.advanced(by: offset), in: zone)
            if instant < candidate.to {
                window = candidate
                break
            }
        }
        windowWeight = weigh(window, in: zone)
        defer { setShares() }
        guard windowWeight > 0, partsPerMicrotoken % windowWeight != 0 else { return 1 }
        let factor = windowWeight / greatestCommonDivisor(windowWeight, partsPerMicrotoken)
        partsPerMicrotoken *= factor
        return factor
    }

    private mutating func setShares() { sharesOfWeight = windowWeight == 0 ? 0 : partsPerMicrotoken / windowWeight }

    private func weigh(_ window: (from: Instant, to: Instant), in zone: ZoneTable) -> Int128 {
        if weights.isEven { return Int128((window.to - window.from).microseconds) }
        var total: Int128 = 0
        var at = window.from
        while at < window.to {
            let index = zone.intervalIndex(at: at)
            let local = LocalTime(localMicroseconds: at.microseconds + zone.intervals[index].toLocal)
            var next = at + Duration(microseconds: 3_600_000_000 - local.clock.microseconds % 3_600_000_000)
            if index + 1 < zone.intervals.count { next = min(next, zone.intervals[index + 1].from) }
            next = min(next, window.to)
            total += Int128(weights[local.clock.hour]) * Int128((next - at).microseconds)
            at = next
        }
        return total
    }
}

/// One weight for each hour of the local clock (B4, `accrual: by_views`).
public struct HourWeights: Hashable, Sendable {
    private var words: SIMD32<UInt16>
    public let isEven: Bool

    public static let even = HourWeights(Array(repeating: 1, count: 24))

    /// Weights of the hours 0 to 23, each 0 to 1,000, not all 0: with more, amounts in parts could leave 128 bits.
    public init(_ weights: [Int]) {
        precondition(
            weights.count == 24 && weights.allSatisfy { (0...1_000).contains($0) } && weights.contains { $0 > 0 },
            "hour weights \(weights)"
        )
        words = .zero
        for (hour, weight) in weights.enumerated() { words[hour] = UInt16(weight) }
        isEven = Set(weights).count == 1
    }

    subscript(hour: Int) -> Int { isEven ? 1 : Int(words[hour]) }
}

/// The greatest whole number that divides both, which are positive.
func greatestCommonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return x
}
