import SimulatedTime
import Testing
import WidgetPlatform

@testable import Fleet

@Suite struct ContentSourceTests {
    static let weekdays: UInt8 = 0b001_1111
    static let daily = [ClockTime(hour: 2, minute: 30), ClockTime(hour: 17, minute: 5)]
    static let sources: [(name: String, source: VersionSource)] = [
        ("manual", .manual),
        ("listed", .listed([-7, 0, 3, 4, 10_000_000, 90_000_000_000].map(Instant.init(microseconds:)))),
        ("steady", .steady(every: .minutes(7), spread: .zero, perPlace: false)),
        ("late", .steady(every: .minutes(7), spread: .minutes(3), perPlace: false)),
        ("as late as can be", .steady(every: .minutes(7), spread: .minutes(7), perPlace: true)),
        ("poisson", .poisson(mean: .minutes(20))),
        ("daily", .daily(at: daily, zone: 0, weekdays: AlignedSchedule.allDays)),
        (
            "market",
            .market(
                open: ClockTime(hour: 9, minute: 30), close: ClockTime(hour: 16, minute: 0), every: .minutes(5), zone: 0, weekdays: weekdays
            )
        ),
    ]
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
            #expect(source.count(key: key, after: from, through: to) == list.count)
            // Borders at random, at versions and a microsecond beside them.
            var borders = (0..<60).map { _ in from + Duration(microseconds: numbers.below((to - from).microseconds)) }
            for version in list.prefix(40) { borders += [-1, 0, 1].map { version + Duration(microseconds: $0) } }
            borders = borders.filter { from <= $0 && $0 <= to }.sorted()
            for (a, b) in zip(borders, borders.dropFirst()) {
                let expected = list.count { a < $0 && $0 <= b }
                guard source.count(key: key, after: a, through: b) == expected,
                    source.count(key: key, after: from, through: a) + expected == source.count(key: key, after: from, through: b),
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
        for (index, spread, perPlace) in [(2, 0, false), (3, 180_000_000, false), (4, 420_000_000, true)] as [(Int, Int64, Bool)] {
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
        #expect((Double(list.count) - expected).magnitude < 5 * expected.squareRoot(), "\(list.count) against \(expected), 5 sigma")
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
                if weekdays & (1 << UInt8(date.weekday)) != 0 { expected += clocks.map { zone.instant(of: date, at: $0) } }
                date = date.advanced(by: 1)
            }
            let (from, to) = (Instant.start - .days(15), Instant.start + .days(50))
            #expect(Self.versions(Self.source(index), 9, from: from, to: to) == expected.filter { from < $0 && $0 <= to })
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
