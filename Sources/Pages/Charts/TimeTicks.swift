import Basics

/// A stretch of time in which a local clock goes evenly.
struct LocalInterval: Hashable, Sendable {
    /// Its first second on the axis; those before the first stretch are counted to it.
    let from: Double
    /// The offset that takes a second of the axis to one since 1970-01-01T00:00 on the local clock.
    let toLocal: Double
}

/// Hours and days of a local clock along an axis of seconds.
struct LocalTicks: Sendable {
    private let intervals: [LocalInterval]

    /// - Parameter intervals: in order, one or more.
    init(_ intervals: [LocalInterval]) {
        precondition(!intervals.isEmpty, "a clock without rules")
        self.intervals = intervals
    }

    /// Seconds since 1970-01-01T00:00 on the local clock.
    func local(_ second: Double) -> Double {
        second + (intervals.last { $0.from <= second } ?? intervals[0]).toLocal
    }

    /// The marks between two seconds: as many as have room, at the steps of a clock that count from local midnight.
    func ticks(from low: Double, to high: Double, in room: WidthClass) -> [Tick] {
        for step in Ticks.clockSteps + [
            172_800, 604_800, 1_209_600, 2_419_200, 7_776_000, 15_552_000, 31_536_000, 157_680_000,
        ] {
            // Not even worth writing out.
            if (high - low) / step > 60 { continue }
            for style in DayStyle.allCases {
                let ticks = ticks(from: low, to: high, step: step, style)
                if TickLabel.haveRoom(ticks, on: .linear(low, high), room, gap: 12) { return ticks }
                // Without a midnight the style changes nothing.
                if !ticks.contains(where: \.isStrong) { break }
            }
        }
        return []
    }

    /// How a day is named: `Sun 8 Mar`, `Sun 8`, `Sun`.
    private enum DayStyle: CaseIterable { case full, short, weekday }

    private func ticks(from low: Double, to high: Double, step: Double, _ style: DayStyle) -> [Tick] {
        var ticks: [Tick] = []
        for (i, interval) in intervals.enumerated() {
            let begin = i == 0 ? low : max(low, interval.from)
            let end = i + 1 < intervals.count ? min(high, intervals[i + 1].from) : high
            if begin > end { continue }
            var local = ((begin + interval.toLocal) / step).rounded(.up) * step
            while local - interval.toLocal <= end {
                let second = local - interval.toLocal
                if second < end || i + 1 == intervals.count {
                    ticks.append(Tick(second, Self.label(local, step: step, style), isStrong: Self.isMidnight(local)))
                }
                local += step
            }
        }
        return ticks
    }

    private static func isMidnight(_ local: Double) -> Bool { Int64(cutting: local) % 86_400 == 0 }

    private static func label(_ local: Double, step: Double, _ style: DayStyle) -> String {
        if isMidnight(local) {
            // Weeks have one weekday.
            if step >= 604_800 { return LocalText.date(local) }
            switch style {
            case .full: return LocalText.day(local)
            case .short: return LocalText.shortDay(local)
            case .weekday: return LocalText.weekday(local)
            }
        }
        return LocalText.clock(local, seconds: step < 60)
    }
}

/// Instants of a local clock for people.
enum LocalText {
    private static func time(_ local: Double) -> LocalTime {
        LocalTime(localMicroseconds: Int64(cutting: (local * 10).rounded()) * 100_000)
    }

    /// `Sun 8 Mar`.
    static func day(_ local: Double) -> String { TimeText.day(time(local).date) }

    /// `Sun`.
    static func weekday(_ local: Double) -> String { TimeText.weekdays[time(local).date.weekday] }

    /// `Sun 8`.
    static func shortDay(_ local: Double) -> String { weekday(local) + " \(time(local).date.yearMonthDay.day)" }

    /// `8 Mar`.
    static func date(_ local: Double) -> String { TimeText.dayOfMonth(time(local).date) }

    /// `02:00`, with whole seconds if they are asked for.
    static func clock(_ local: Double, seconds: Bool = false) -> String {
        String(TimeText.clock(time(local).clock).prefix(seconds ? 8 : 5))
    }

    /// `02:00 Sun 8 Mar`; with seconds if the minute is not whole.
    static func instant(_ local: Double) -> String {
        let isWhole = Int64(cutting: local.rounded(.down)) % 60 == 0
        return clock(local, seconds: !isWhole) + " " + day(local)
    }

    /// `Wed 4 Mar 2026`.
    static func fullDay(_ local: Double) -> String { day(local) + " \(time(local).date.yearMonthDay.year)" }
}
