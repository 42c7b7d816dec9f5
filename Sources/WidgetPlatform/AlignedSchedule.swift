import Basics

/// Times of day at which an aligned `after` policy asks for its reload (P5).
public struct AlignedSchedule: Hashable, Sendable {
    /// In order, without repetition, at least one.
    public let times: [ClockTime]
    /// Which weekdays count, bit 0 Monday … bit 6 Sunday; at least one.
    public let weekdays: UInt8
    /// The index of a fixed zone in the run's zone tables; nil for the device's own zone.
    public let fixedZone: Int?
    /// The gaps that an exchange's holidays and half days leave in the schedule, in order of their dates.
    public let gaps: [TradingCalendar.Gap]

    public static let allDays: UInt8 = 0b111_1111
    public static let workdays: UInt8 = 0b001_1111
    public static let weekendDays: UInt8 = 0b110_0000

    public init(
        times: [ClockTime], weekdays: UInt8 = AlignedSchedule.allDays, fixedZone: Int? = nil,
        gaps: [TradingCalendar.Gap] = []
    ) {
        precondition(!times.isEmpty && weekdays & Self.allDays != 0, "a schedule without a time")
        self.times = Array(Set(times)).sorted()
        self.weekdays = weekdays
        self.fixedZone = fixedZone
        self.gaps = gaps
    }

    /// The first listed time after `instant`. A clock time that a DST gap skips is read with the offset before it, one
    /// that comes twice counts the first time. `never` if the schedule's gaps leave no time for a month.
    public func next(after instant: Instant, in zone: ZoneTable) -> Instant {
        if isDense && zone.isRegular { return regularNext(after: instant, in: zone) }
        // A day earlier than the local date, because a skipped time is read as one later in the day, and so may belong
        // to the day before; and a day later than the first candidate's, because that may be such a one.
        var date = zone.localTime(at: instant).date.advanced(by: -1)
        var best = Instant.never
        var hasCandidate = false
        for _ in 0..<(gaps.isEmpty ? 10 : 40) {
            let isLast = hasCandidate
            forEachTime(on: date, in: zone) { candidate in
                if candidate > instant && candidate < best { best = candidate }
            }
            if isLast { return best }
            hasCandidate = best < .never
            date = date.advanced(by: 1)
        }
        precondition(!gaps.isEmpty, "ten days without a listed weekday")
        return .never
    }

    /// The last listed time at or before `instant`, read as `next` reads it; nil if there is none for a month.
    public func last(through instant: Instant, in zone: ZoneTable) -> Instant? {
        if isDense && zone.isRegular {
            let local = zone.localTime(at: instant)
            let place = places(through: local.clock)
            if place > 0 && gaps.isEmpty && includes(local.date) {
                return zone.instant(of: local.date, at: times[place - 1])
            }
        }
        var date = zone.localTime(at: instant).date.advanced(by: 1)
        var best: Instant?
        for _ in 0..<40 {
            let isLast = best != nil
            forEachTime(on: date, in: zone) { candidate in
                if candidate <= instant && candidate > best ?? candidate - .microsecond { best = candidate }
            }
            if isLast { return best }
            date = date.advanced(by: -1)
        }
        return best
    }

    /// Whether there are so many times that looking at each takes long: at a distance of less than a minute.
    private var isDense: Bool { times.count > 1_440 }

    /// The same where the clock never changes, so that times of a day follow one another as their instants do.
    private func regularNext(after instant: Instant, in zone: ZoneTable) -> Instant {
        let local = zone.localTime(at: instant)
        var (date, from) = (local.date, places(through: local.clock))
        for _ in 0..<(gaps.isEmpty ? 10 : 40) {
            if includes(date) {
                let gap = gap(on: date)
                for time in times[from...] where !(gap.map { $0.after < time && time <= $0.through } ?? false) {
                    return zone.instant(of: date, at: time)
                }
            }
            (date, from) = (date.advanced(by: 1), 0)
        }
        return .never
    }

    private func includes(_ date: CivilDate) -> Bool { weekdays & (1 << UInt8(date.weekday)) != 0 }

    /// How many times of a day are not after one.
    private func places(through clock: ClockTime) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= clock { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private func forEachTime(on date: CivilDate, in zone: ZoneTable, _ body: (Instant) -> Void) {
        if weekdays & (1 << UInt8(date.weekday)) == 0 { return }
        let gap = gap(on: date)
        for time in times where !(gap.map { $0.after < time && time <= $0.through } ?? false) {
            body(zone.instant(of: date, at: time))
        }
    }

    private func gap(on date: CivilDate) -> TradingCalendar.Gap? {
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].date < date { low = middle + 1 } else { high = middle }
        }
        return low < gaps.count && gaps[low].date == date ? gaps[low] : nil
    }
}
