import Basics
import ScenarioModel
import TestSupport
import Testing
import WidgetPlatform

@testable import Fleet

/// Rules: C1.
@Suite struct ContentSourceTests {
    static let weekdays: UInt8 = 0b001_1111
    static let daily = [ClockTime(hour: 2, minute: 30), ClockTime(hour: 17, minute: 5)]
    static let sources: [(name: String, source: VersionSource)] = [
        ("manual", .manual),
        ("listed", .listed([-7, 0, 3, 4, 10_000_000, 90_000_000_000].map(Instant.init(microseconds:)))),
        ("steady", .steady(every: .minutes(7), spread: .zero, perPlace: false)),
        ("late", .steady(every: .minutes(7), spread: .minutes(3), perPlace: false)),
        ("as late as can be", .steady(every: .minutes(7), spread: .minutes(7), perPlace: true)),
        ("poisson", .poisson(mean: .minutes(20), perKey: false)),
        ("daily", .daily(ClockSchedule(times: daily, zone: 0, weekdays: AlignedSchedule.allDays))),
        ("market", .market(TradingCalendar(sessions: [usualSession]), every: .minutes(5), zone: 0)),
        ("poisson of keys", .poisson(mean: .minutes(20), perKey: true)),
        ("games", .games(games(inRound: nil))),
        ("games of keys", .games(games(inRound: 3))),
        (
            "calendar",
            .calendar(
                .clock(ClockSchedule(times: daily, zone: 1, weekdays: AlignedSchedule.workdays)), window: .hours(24))
        ),
        (
            "market with a lunch break",
            .market(
                TradingCalendar(
                    sessions: [
                        .init(open: ClockTime(hour: 9, minute: 0), close: ClockTime(hour: 11, minute: 33)),
                        .init(open: ClockTime(hour: 12, minute: 30), close: ClockTime(hour: 15, minute: 30)),
                    ], holidays: [CivilDate(year: 2026, month: 2, day: 20)!],
                    halfDays: [
                        .init(date: CivilDate(year: 2026, month: 2, day: 19)!, close: ClockTime(hour: 13, minute: 0))
                    ]),
                every: .minutes(10), zone: 0)
        ),
        ("daily and empty before", .daily(lists, emptyBefore: true)),
    ]
    static let lists = ClockSchedule(times: daily, zone: 0, weekdays: weekdays)
    static let usualSession = TradingCalendar.Session(
        open: ClockTime(hour: 9, minute: 30), close: ClockTime(hour: 16, minute: 0))
    static let kickOffs = [15, 18, 21].map { ClockTime(hour: $0, minute: 0) }

    static func games(inRound: Int?) -> GameCalendar {
        GameCalendar(
            starts: .clock(ClockSchedule(times: kickOffs, zone: 1, weekdays: AlignedSchedule.allDays)),
            length: .hours(2), changes: 5,
            followers: 2, burstWithin: .minutes(2), gamesInRound: inRound)
    }

    static let prepared = try! PreparedPlan(TestPlan.plan(seed: 20_260_220, versions: sources.map(\.source)))
    static let keys: [Int64] = [0, 1, 77, 1 << 60 | 3]

    static func source(_ index: Int) -> ContentSource { prepared.kinds[index].source }

    /// All versions of a key in (from, to], by asking for one after another.
    static func versions(_ source: ContentSource, _ key: Int64, from: Instant, to: Instant) -> [Instant] {
        var found: [Instant] = []
        var at = source.next(key: key, after: from)
        while at <= to {
            found.append(at)
            if found.count > 1, found[found.count - 2] >= at { return found }
            at = source.next(key: key, after: at)
        }
        return found
    }

    @Test(arguments: sources.indices) func `versions follow one another, and counts are those of the list`(index: Int) {
        var numbers = TestNumbers(seed: 5)
        let source = Self.source(index)
        let name = Self.sources[index].name
        let (from, to) = (Instant.start - .hours(13), Instant.start + .hours(30))
        for key in Self.keys {
            let list = Self.versions(source, key, from: from, to: to)
            #expect(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
            if name != "calendar" { #expect(source.count(key: key, after: from, through: to) == list.count, "\(name)") }
            // Borders at random, at versions and a microsecond beside them.
            var borders = (0..<60).map { _ in from + Duration(microseconds: numbers.below((to - from).microseconds)) }
            for version in list.prefix(40) { borders += [-1, 0, 1].map { version + Duration(microseconds: $0) } }
            borders = borders.filter { from <= $0 && $0 <= to }.sorted()
            if name == "calendar" { continue }
            for (a, b) in zip(borders, borders.dropFirst()) {
                let expected = list.count { a < $0 && $0 <= b }
                guard source.count(key: key, after: a, through: b) == expected,
                    source.count(key: key, after: from, through: a) + expected
                        == source.count(key: key, after: from, through: b),
                    source.count(key: key, after: b, through: a) == 0
                else {
                    Issue.record("\(name), key \(key): (\(a.microseconds), \(b.microseconds)] holds \(expected)")
                    return
                }
                if let next = list.first(where: { $0 > a }), source.next(key: key, after: a) != next {
                    Issue.record("\(name), key \(key): after \(a.microseconds) comes \(next.microseconds)")
                    return
                }
            }
        }
    }

    /// Content of the last instants knows what comes after the run (C1).
    @Test(arguments: sources.indices) func `a run that is cut short is the beginning of a longer one`(index: Int) throws {
        var short = TestPlan.plan(seed: 20_260_220, versions: Self.sources.map(\.source))
        short.end = .start + .hours(40)
        // The source reads memory of its plan.
        let plan = try PreparedPlan(short)
        defer { withExtendedLifetime(plan) {} }
        let source = plan.kinds[index].source
        var numbers = TestNumbers(seed: 6)
        for key in Self.keys {
            for _ in 0..<200 {
                let instant = Instant.start + Duration(microseconds: numbers.below(Duration.hours(40).microseconds))
                let (cut, whole) = (
                    source.position(key: key, madeAt: instant), Self.source(index).position(key: key, madeAt: instant)
                )
                #expect(cut.number == whole.number, "\(Self.sources[index].name), \(instant.microseconds) µs")
                #expect(cut.nextAt == whole.nextAt || min(cut.nextAt, whole.nextAt) >= short.end)
            }
        }
    }

    @Test func `a version at the instant of the answer is not missed, one at the view is`() {
        let source = Self.source(1)
        #expect(source.count(key: 0, after: Instant(microseconds: 3), through: Instant(microseconds: 4)) == 1)
        #expect(source.count(key: 0, after: Instant(microseconds: 4), through: Instant(microseconds: 4)) == 0)
        #expect(source.count(key: 0, after: Instant(microseconds: 2), through: Instant(microseconds: 3)) == 1)
        #expect(source.next(key: 0, after: Instant(microseconds: 90_000_000_000)) == .never)
        #expect(Self.source(0).next(key: 0, after: .start) == .never)
        #expect(Self.source(0).count(key: 0, after: .longAgo, through: .start) == 0)
    }

    @Test func `steady versions lie on their grid, late by no more than the spread`() {
        let every = Duration.minutes(7).microseconds
        for (index, spread, perPlace) in [(2, 0, false), (3, 180_000_000, false), (4, 420_000_000, true)]
            as [(Int, Int64, Bool)]
        {
            var phases: Set<Int64> = []
            for key in Self.keys {
                let list = Self.versions(Self.source(index), key, from: .start - .days(2), to: .start + .days(2))
                // Four days of 1,440 minutes.
                #expect((822...824).contains(list.count))
                let gaps = zip(list, list.dropFirst()).map { ($1 - $0).microseconds }
                #expect(gaps.allSatisfy { (every - $0).magnitude <= UInt64(spread) })
                if spread == 0 { #expect(list.allSatisfy { $0.microseconds % every == 0 }) }
                if !perPlace { #expect(list.allSatisfy { (($0.microseconds % every) + every) % every <= spread }) }
                phases.insert(list[0].microseconds)
            }
            #expect((phases.count > 1) == perPlace, "places have phases of their own only if the source says so")
        }
    }

    @Test func `poisson versions come at their mean rate, the same for every key`() {
        let source = Self.source(5)
        let (from, to) = (Instant.start - .days(30), TestPlan.end - .days(1))
        let list = Self.versions(source, 0, from: from, to: to)
        let expected = (to - from).inSeconds / 1_200
        #expect(
            (Double(list.count) - expected).magnitude < 5 * expected.squareRoot(),
            "\(list.count) against \(expected), 5 sigma")
        #expect(Self.versions(source, 77, from: from, to: to) == list)
        // An exponential gap exceeds its mean with probability 1/e.
        let long = zip(list, list.dropFirst()).count { ($1 - $0) > .minutes(20) }
        let share = Double(long) / Double(list.count - 1)
        #expect((share - 0.36788).magnitude < 5 * (0.36788 * 0.63212 / Double(list.count)).squareRoot(), "\(share)")
    }

    @Test func `daily and market versions are those of the zone's clock`() throws {
        let zone = TestPlan.zones[0]
        for (index, clocks, weekdays) in [
            (6, Self.daily, AlignedSchedule.allDays),
            (7, (0...78).map { ClockTime(hour: 9, minute: 30 + 5 * $0) }, Self.weekdays),
        ] {
            var expected: [Instant] = []
            var date = zone.localTime(at: .start - .days(20)).date
            for _ in 0..<80 {
                if weekdays & (1 << UInt8(date.weekday)) != 0 {
                    expected += clocks.map { zone.instant(of: date, at: $0) }
                }
                date = date.advanced(by: 1)
            }
            let (from, to) = (Instant.start - .days(15), Instant.start + .days(50))
            #expect(
                Self.versions(Self.source(index), 9, from: from, to: to) == expected.filter { from < $0 && $0 <= to })
        }
    }

    @Test
    func `a date has nothing before its first list, by the asker's clock, and a date without a list has the last one`()
    {
        let (plain, lists) = (Self.source(6), Self.source(13))
        var numbers = TestNumbers(seed: 15)
        var (empty, full) = (0, 0)
        for (index, zone) in TestPlan.zones.enumerated() {
            for _ in 0..<2_000 {
                let asked =
                    Instant.start - .days(10) + Duration(microseconds: numbers.below(Duration.days(30).microseconds))
                let date = zone.localTime(at: asked).date
                let expected = date.isWorkday && asked < TestPlan.zones[0].instant(of: date, at: Self.daily[0])
                #expect(
                    lists.isEmpty(madeAt: asked, in: zone) == expected,
                    "asked at \(asked.microseconds) in zone \(index)")
                #expect(!plain.isEmpty(madeAt: asked, in: zone))
                if expected { empty += 1 } else { full += 1 }
            }
        }
        #expect(empty > 100 && full > 1_000)
        let date = TestPlan.zones[0].localTime(at: .start).date
        let list = TestPlan.zones[0].instant(of: date.advanced(by: Int64(7 - date.weekday)), at: Self.daily[0])
        #expect(
            lists.isEmpty(madeAt: list - .microsecond, in: TestPlan.zones[0])
                && !lists.isEmpty(madeAt: list, in: TestPlan.zones[0]))
    }

    @Test func `each key has Poisson versions of its own, at the same rate`() {
        let source = Self.source(8)
        let (from, to) = (Instant.start - .days(30), TestPlan.end - .days(1))
        let expected = (to - from).inSeconds / 1_200
        let lists = Self.keys.map { Self.versions(source, $0, from: from, to: to) }
        for list in lists { #expect((Double(list.count) - expected).magnitude < 5 * expected.squareRoot()) }
        #expect(Set(lists.flatMap { $0 }).count == lists.map(\.count).reduce(0, +), "no instant is two keys'")
        // Keys that differ in one bit, high or low, share no instant either.
        let near = [0, 1, 1 << 23, 1 << 24, 1 << 47, 1 << 60, 1 << 60 | 1].map { source.next(key: $0, after: .start) }
        #expect(Set(near).count == near.count)
        // And another kind with the same source has others.
        #expect(Self.source(5).next(key: 0, after: .start) != source.next(key: 0, after: .start))
    }

    @Test
    func `an exchange publishes from the opening to the close, not over lunch, on holidays or after an early close`() {
        let zone = TestPlan.zones[0]
        func clocks(_ day: Int) -> [String] {
            let date = CivilDate(year: 2026, month: 2, day: day)!
            let midnight = zone.instant(of: date, at: ClockTime(microseconds: 0))
            return Self.versions(Self.source(12), 4, from: midnight, to: midnight + .days(1))
                .map { String(TimeText.clock(zone.localTime(at: $0).clock).dropLast(3)) }
        }
        // 18 February is a Wednesday. The morning's last step is a short one.
        let morning = (0...15).map { "\(["09", "10", "11"][$0 / 6]):\($0 % 6)0" } + ["11:33"]
        let afternoon = (0...18).map { step in "\(12 + (30 + step * 10) / 60):\((30 + step * 10) % 60 / 10)0" }
        #expect(clocks(18) == morning + afternoon)
        #expect(clocks(19) == morning + ["12:30", "12:40", "12:50", "13:00"])
        #expect(clocks(20) == [] && clocks(21) == [])
        #expect(clocks(23).count == 36)
    }

    @Test func `a game's versions are its beginning, its changes with their bursts, and its end`() {
        let zone = TestPlan.zones[1]
        let source = Self.source(9)
        let kickOff = zone.instant(of: CivilDate(year: 2026, month: 2, day: 25)!, at: Self.kickOffs[0])
        let list = Self.versions(
            source, 0, from: kickOff - Duration(microseconds: 1), to: kickOff + .hours(3) - Duration(microseconds: 1))
        #expect(list.count == 2 + 5 * 3)
        #expect(list.first == kickOff && list.last == kickOff + .hours(2))
        // Between games there is nothing.
        #expect(source.next(key: 0, after: kickOff + .hours(2)) == kickOff + .hours(3))
        // Fifteen versions in 120 minutes, ten of which follow another one within 2 minutes: most gaps are short.
        var (short, all) = (0, 0)
        var (middle, count) = (0.0, 0.0)
        for day in 0..<50 {
            let start = kickOff + .days(Int64(day) - 4)
            let game = Self.versions(source, 0, from: start, to: start + .hours(2))
            guard game.count == 16 else { continue }
            short += zip(game, game.dropFirst()).count { $1 - $0 <= .minutes(2) }
            all += 15
            middle += game.dropLast().reduce(0) { $0 + ($1 - start).inSeconds / 7_200 }
            count += 15
        }
        #expect(all > 500 && Double(short) / Double(all) > 0.6, "\(short) of \(all)")
        // Changes lie anywhere in the game: uniform, so their mean is the middle, a minute late for the bursts; five of
        // fifteen are independent.
        #expect((middle / count - 0.5).magnitude < 5 * (1 / 12 / (count / 3)).squareRoot() + 0.01, "\(middle / count)")
    }

    @Test func `each key plays one game of a round, drawn anew, and everybody's the same time or other ones`() {
        let source = Self.source(10)
        let (from, to) = (Instant.start - .days(20), Instant.start + .days(50))
        var shares = [0.0, 0, 0]
        var total = 0.0
        for key in 0..<60 as Range<Int64> {
            let zone = TestPlan.zones[1]
            let hours = Self.versions(source, key, from: from, to: to).map { zone.localTime(at: $0).clock }
                .filter(Self.kickOffs.contains).map(\.hour)
            // Seventy rounds of a day, or one more where a boundary cuts one.
            #expect((69...71).contains(hours.count))
            for hour in hours { shares[(hour - 15) / 3] += 1 }
            total += Double(hours.count)
        }
        for share in shares {
            #expect((share / total - 1.0 / 3).magnitude < 5 * (2.0 / 9 / total).squareRoot(), "\(share / total)")
        }
    }

    @Test func `what a calendar knows ahead is missed only beyond its window`() {
        let source = Self.source(11)
        let zone = TestPlan.zones[1]
        let events = ClockSchedule(times: Self.daily, zone: 1, weekdays: AlignedSchedule.workdays)
            .instants(from: .start - .days(20), to: .start + .days(20), in: zone)
        var numbers = TestNumbers(seed: 8)
        for _ in 0..<2_000 {
            let made = Instant.start - .days(10) + Duration(microseconds: numbers.below(Duration.days(20).microseconds))
            let now = made + Duration(microseconds: numbers.below(Duration.days(4).microseconds))
            let position = source.position(key: 0, madeAt: made)
            let expected = events.count { made + .hours(24) < $0 && $0 <= now }
            guard source.missed(since: position, through: now) == expected,
                position.nextAt == events.first(where: { $0 > made + .hours(24) })
            else {
                Issue.record("made at \(made.microseconds), seen at \(now.microseconds): \(expected)")
                return
            }
        }
    }
}

extension ContentSource {
    /// When the first version of `key` after `instant` appears.
    fileprivate func next(key: Int64, after instant: Instant) -> Instant { position(key: key, madeAt: instant).nextAt }

    /// How many versions of `key` appear in (from, to].
    fileprivate func count(key: Int64, after from: Instant, through to: Instant) -> Int {
        missed(since: position(key: key, madeAt: from), through: to)
    }
}
