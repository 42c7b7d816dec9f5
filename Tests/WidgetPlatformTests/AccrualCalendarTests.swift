import Basics
import Testing

@testable import WidgetPlatform

@Suite struct AccrualCalendarTests {
    /// Usual waking hours: by day, over midnight with a later free day, by night, of a window that the next one cuts,
    /// and all round the clock.
    static let habits: [(name: String, usual: UsualWaking)] = [
        ("day", usual((7, 0), (23, 0), (8, 35), (23, 55))),
        ("past midnight", usual((6, 30), (0, 10), (9, 5), (2, 30))),
        ("night shift", usual((16, 0), (8, 0), (13, 0), (5, 0))),
        ("cut", usual((7, 0), (3, 0), (2, 0), (1, 0))),
        ("always", usual((4, 0), (4, 0), (4, 0), (4, 0))),
    ]

    static func usual(_ wake: (Int, Int), _ sleep: (Int, Int), _ freeWake: (Int, Int), _ freeSleep: (Int, Int))
        -> UsualWaking
    {
        func clock(_ time: (Int, Int)) -> ClockTime { ClockTime(hour: time.0, minute: time.1) }
        return UsualWaking(
            workday: .init(from: clock(wake), to: clock(sleep)),
            freeDay: .init(from: clock(freeWake), to: clock(freeSleep)))
    }

    /// Usual views of the hours; none from three to five in the morning.
    static let views = HourWeights([3, 1, 1, 0, 0, 1, 4, 9, 7, 5, 5, 6, 8, 6, 5, 5, 6, 7, 9, 8, 8, 7, 6, 4])

    struct Window {
        var date: CivilDate
        var from, to: Instant
    }

    /// The windows of a year by Foundation's clock: each starts on its date and ends at its own end or where the next
    /// date's begins (B4).
    static func windows(_ usual: UsualWaking, _ zone: TestZone, from: CivilDate, days: Int64) -> [Window] {
        func begin(_ date: CivilDate) -> Instant {
            zone.instant(of: date, at: (date.isWorkday ? usual.workday : usual.freeDay).from)
        }
        return (0..<days).map { day in
            let date = from.advanced(by: day)
            let span = date.isWorkday ? usual.workday : usual.freeDay
            let end = zone.instant(of: span.to > span.from ? date : date.advanced(by: 1), at: span.to)
            return Window(date: date, from: begin(date), to: max(begin(date), min(end, begin(date.advanced(by: 1)))))
        }
    }

    /// Walks a year of intervals. Every interval lies inside one window or outside all; over each complete window just
    /// one day's allowance accrues.
    @Test(arguments: ["America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kolkata"], [false, true])
    func `over each complete usual window of a year exactly the allowance accrues`(name: String, byViews: Bool) throws {
        let zone = try TestZone(name)
        let first = try zone.date(2026, 1, 2)
        for (habit, usual) in Self.habits {
            let windows = Self.windows(usual, zone, from: first.advanced(by: -2), days: 372)
            let start = zone.instant(of: first, at: ClockTime(hour: 11, minute: 17))
            var calendar = AccrualCalendar(
                usual: usual, weights: byViews ? Self.views : .even, at: start, in: zone.table)
            var parts: Int128 = 0
            var complete = 0
            var index = 0
            while windows[index].to <= start { index += 1 }
            let end = start + .days(365)
            #expect(calendar.from == start)
            while calendar.from < end {
                let window = windows[index]
                let isInside = window.from <= calendar.from && calendar.from < window.to
                let local = zone.localTime(at: calendar.from)
                let isWhole = isInside ? calendar.to <= window.to : calendar.to <= window.from
                guard isWhole, calendar.to > calendar.from, calendar.to - calendar.from <= .hours(1),
                    calendar.localHour == local.clock.hour,
                    zone.localTime(at: calendar.to - Duration(microseconds: 1)).clock.hour == calendar.localHour,
                    isInside || calendar.shares == 0
                else {
                    Issue.record(
                        "\(name), \(habit): stretch \(calendar.from.microseconds)–\(calendar.to.microseconds) against \(window)"
                    )
                    return
                }
                if isInside, !byViews {
                    // Even: the whole over the elapsed length, shifts of the clock included.
                    #expect(
                        calendar.shares * Int128((window.to - window.from).microseconds) == calendar.partsPerMicrotoken)
                }
                if calendar.from == window.from { parts = 0 }
                parts += calendar.shares * Int128((calendar.to - calendar.from).microseconds)
                if calendar.to == window.to {
                    if window.from >= start {
                        complete += 1
                        guard parts == calendar.partsPerMicrotoken else {
                            Issue.record(
                                "\(name), \(habit), \(TimeText.date(window.date)): \(Fraction(parts, over: calendar.partsPerMicrotoken)) of A"
                            )
                            return
                        }
                    }
                    index += 1
                    while windows[index].from == windows[index].to { index += 1 }
                }
                parts *= calendar.advance(in: zone.table)
            }
            #expect(complete >= 363, "\(name), \(habit)")
        }
    }

    /// Two calendars accrue the same up to every end of an interval of the one that joins hours before an instant, and
    /// from the last hour before that on they have the same intervals.
    @Test(arguments: ["America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"], [false, true])
    func `joined hours accrue the same, and end before hours are told apart`(name: String, byViews: Bool) throws {
        let zone = try TestZone(name)
        let weights = byViews ? Self.views : .even
        for (habit, usual) in Self.habits {
            for minute in [0, 20, 30] {
                // A shift of the clock lies among the joined hours of two of the zones.
                let start = zone.instant(of: try zone.date(2026, 3, 1), at: ClockTime(hour: 11, minute: 17))
                let hoursFrom =
                    zone.instant(of: try zone.date(2026, 4, 8), at: ClockTime(hour: 7, minute: minute))
                var plain = AccrualCalendar(usual: usual, weights: weights, at: start, in: zone.table)
                var joined = AccrualCalendar(
                    usual: usual, weights: weights, at: start, hoursFrom: hoursFrom, in: zone.table)
                var (parts, joinedParts): (Int128, Int128) = (0, 0)
                var intervals = (plain: 0, joined: 0)
                while joined.from < hoursFrom + .days(3) {
                    joinedParts += joined.shares * Int128((joined.to - joined.from).microseconds)
                    while plain.from < joined.to {
                        parts += plain.shares * Int128((plain.to - plain.from).microseconds)
                        parts *= plain.advance(in: zone.table)
                        if plain.from < hoursFrom { intervals.plain += 1 }
                    }
                    joinedParts *= joined.advance(in: zone.table)
                    if joined.from < hoursFrom { intervals.joined += 1 }
                    let isApart = joined.from >= hoursFrom - .hours(1)
                    let agree =
                        plain.from == joined.from && plain.shares == joined.shares && parts == joinedParts
                        && plain.localHour == joined.localHour && (!isApart || plain.to == joined.to)
                    guard agree, joined.to <= hoursFrom || joined.to - joined.from <= .hours(1) else {
                        Issue.record("\(name), \(habit), \(joined.from.microseconds): \(parts) and \(joinedParts)")
                        return
                    }
                }
                #expect(byViews ? intervals.joined == intervals.plain : intervals.joined < intervals.plain / 3)
            }
        }
    }

    /// In Scoresbysund 23:00 is followed by 0:00 in March, so a window to 23:30 ends at 0:30.
    @Test func `a calendar that begins after midnight in a window stands in it`() throws {
        let zone = try TestZone("America/Scoresbysund")
        let usual = Self.usual((8, 0), (23, 30), (8, 0), (23, 30))
        let evening = zone.instant(of: try zone.date(2026, 3, 28), at: ClockTime(hour: 20, minute: 0))
        var walked = AccrualCalendar(usual: usual, weights: .even, at: evening, in: zone.table)
        for minutes in stride(from: 0, to: 8 * 60, by: 15) as StrideTo<Int64> {
            let instant = evening + .minutes(minutes)
            while walked.to <= instant { _ = walked.advance(in: zone.table) }
            let begun = AccrualCalendar(usual: usual, weights: .even, at: instant, in: zone.table)
            #expect((begun.shares > 0) == (walked.shares > 0), "\(minutes) minutes after 20:00")
        }
    }

    @Test func `within a window the rate is in proportion to the views of the hour`() throws {
        let zone = try TestZone("Australia/Lord_Howe")
        let usual = Self.usual((16, 0), (8, 0), (13, 0), (5, 0))
        var calendar = AccrualCalendar(
            usual: usual, weights: Self.views,
            at: zone.instant(of: try zone.date(2026, 4, 1), at: ClockTime(hour: 9, minute: 0)),
            in: zone.table)
        var unit: Int128 = 0
        for _ in 0..<300 {
            let weight = Int128(Self.views[calendar.localHour])
            let noon = ClockTime(hour: 12, minute: 0)
            if zone.localTime(at: calendar.from).clock == noon { unit = 0 }
            if calendar.shares > 0 {
                if unit == 0 { unit = calendar.shares / weight }
                #expect(calendar.shares == unit * weight)
            }
            unit *= calendar.advance(in: zone.table)
        }
    }

    @Test func `a window with a shift of the clock in it lasts as long as it does`() throws {
        let night = Self.usual((22, 0), (6, 0), (22, 0), (6, 0))
        for (name, spring, autumn, shift) in [
            ("America/New_York", (3, 7), (10, 31), 60), ("Europe/London", (3, 28), (10, 24), 60),
            ("Australia/Lord_Howe", (10, 3), (4, 4), 30),
        ] as [(String, (Int, Int), (Int, Int), Int64)] {
            let zone = try TestZone(name)
            for (day, length) in [(spring, .hours(8) - .minutes(shift)), (autumn, .hours(8) + .minutes(shift))] {
                let window = night.window(startingOn: try zone.date(2026, day.0, day.1), in: zone.table)
                #expect(window.to - window.from == length, "\(name) \(day)")
                let usualDay = night.window(startingOn: try zone.date(2026, 6, 10), in: zone.table)
                #expect(usualDay.to - usualDay.from == .hours(8))
            }
        }
    }

    /// The rate of every minute from the rule itself: one over the length of the window of the zone in force that holds
    /// it.
    @Test(
        arguments: [
            ("America/New_York", "Asia/Kolkata"), ("Asia/Kolkata", "America/New_York"),
            ("Europe/London", "Australia/Lord_Howe"),
        ], [6, 15, 22])
    func `a zone crossing continues with the new zone's window and pays nothing back`(
        zones: (String, String), hour: Int
    )
        throws
    {
        let (old, new) = (try TestZone(zones.0), try TestZone(zones.1))
        let usual = Self.habits[1].usual
        let start = old.instant(of: try old.date(2026, 3, 26), at: ClockTime(hour: 12, minute: 0))
        let crossing = old.instant(of: try old.date(2026, 3, 28), at: ClockTime(hour: hour, minute: 20))
        let end = start + .days(6)
        var expected = Fraction(0 as Int64)
        for (zone, from, to) in [(old, start, crossing), (new, crossing, end)] {
            for window in Self.windows(usual, zone, from: try old.date(2026, 3, 23), days: 14) {
                let inside = min(window.to, to) - max(window.from, from)
                if inside > .zero {
                    expected =
                        expected
                        + Fraction(Int128(inside.microseconds), over: Int128((window.to - window.from).microseconds))
                }
            }
        }
        var calendar = AccrualCalendar(usual: usual, weights: .even, at: start, in: old.table)
        var parts: Int128 = 0
        var hasCrossed = false
        while calendar.from < end {
            let border = hasCrossed ? end : crossing
            parts += calendar.shares * Int128((min(calendar.to, border) - calendar.from).microseconds)
            if calendar.to >= border && hasCrossed { break }
            if calendar.to >= border {
                parts *= calendar.cross(at: crossing, into: new.table)
                hasCrossed = true
            } else {
                parts *= calendar.advance(in: (hasCrossed ? new : old).table)
            }
        }
        #expect(Fraction(parts, over: calendar.partsPerMicrotoken) == expected)
    }

    @Test func `the instant after an accrual is the first by which stepping has it`() throws {
        let zone = try TestZone("America/New_York")
        // Nights and days round the shift of 8 March, from inside and outside of the usual hours.
        for (habit, usual) in Self.habits {
            for weights in [HourWeights.even, Self.views] {
                for startHour in [1, 5, 12, 23] {
                    let start = zone.instant(of: try zone.date(2026, 3, 6), at: ClockTime(hour: startHour, minute: 41))
                    let calendar = AccrualCalendar(usual: usual, weights: weights, at: start, in: zone.table)
                    for (amount, allowance) in [
                        (1, 6_000_000), (1_000_000, 6_000_000), (1_000_000, 41_204_081), (75_000_000, 40_000_001),
                    ]
                        as [(Int64, Int64)]
                    {
                        let instant = calendar.instant(
                            afterAccruing: amount, allowance: allowance, from: start, in: zone.table)
                        let before = Self.accrued(
                            calendar, from: start, to: instant - Duration(microseconds: 1), allowance, zone.table)
                        let there = Self.accrued(calendar, from: start, to: instant, allowance, zone.table)
                        #expect(
                            before < Fraction(amount) && there >= Fraction(amount),
                            "\(habit), \(startHour) h, \(amount) at \(allowance)")
                    }
                }
            }
        }
    }

    /// Microtokens that accrue by stepping from interval to interval.
    static func accrued(_ calendar: AccrualCalendar, from: Instant, to: Instant, _ allowance: Int64, _ zone: ZoneTable)
        -> Fraction
    {
        var walk = calendar
        var at = from
        var sum: Int128 = 0
        while at < to {
            let next = min(walk.to, to)
            sum += Int128(allowance) * walk.shares * Int128((next - at).microseconds)
            at = next
            if at == walk.to { sum *= walk.advance(in: zone) }
        }
        return Fraction(sum, over: walk.partsPerMicrotoken)
    }

    @Test func `what never accrues has no instant`() throws {
        let zone = try TestZone("UTC")
        let calendar = AccrualCalendar(usual: Self.habits[0].usual, weights: .even, at: .start, in: zone.table)
        #expect(calendar.instant(afterAccruing: 1_000_000, allowance: 0, from: .start, in: zone.table) == .never)
        // A token takes 100 days at a hundredth of a token a day.
        #expect(calendar.instant(afterAccruing: 1_000_000, allowance: 10_000, from: .start, in: zone.table) == .never)
    }

    @Test func `equal weights are an even accrual`() throws {
        #expect(HourWeights(Array(repeating: 9, count: 24)).isEven)
        #expect(!Self.views.isEven)
        let zone = try TestZone("UTC")
        let nine = AccrualCalendar(
            usual: Self.habits[0].usual, weights: HourWeights(Array(repeating: 9, count: 24)), at: .start + .hours(9),
            in: zone.table)
        let even = AccrualCalendar(usual: Self.habits[0].usual, weights: .even, at: .start + .hours(9), in: zone.table)
        #expect(nine.shares == even.shares && nine.partsPerMicrotoken == even.partsPerMicrotoken)
    }
}
