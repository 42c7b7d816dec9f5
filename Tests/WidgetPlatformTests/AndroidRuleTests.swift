import Basics
import Testing
import WidgetPlatform

/// The rules of Android as values (section 13), each against another way to compute the same.
///
/// Rules: N1, N2, N3, N4, N5, N6, N7, N8, N10.
@Suite struct AndroidRuleTests {
    static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    // MARK: Doze

    /// The instants at which Doze changes by itself, in seconds, and the phase that each begins.
    static func ladder(of doze: DozeState, count: Int, _ times: DozeTimes) -> [String] {
        var doze = doze
        return (0..<count).map { _ in
            let at = doze.nextAt
            doze.advance(at: at, times)
            return "\((at - .start).microseconds / 1_000_000) \(doze.phase)"
        }
    }

    @Test func `a device that lies still goes down the published ladder`() {
        let times = DozeTimes()
        let doze = DozeState(at: .start, isCharging: false, times)
        let expected = [
            "240 lightIdle", "540 lightWindow", "545 lightIdle", "1145 lightWindow", "1150 lightIdle",
            "2050 lightWindow", "2055 lightIdle", "2955 lightWindow", "2960 lightIdle", "3600 deepIdle",
            "7200 deepWindow", "7230 deepIdle", "14430 deepWindow", "14460 deepIdle", "28860 deepWindow",
            "28890 deepIdle", "50490 deepWindow", "50520 deepIdle", "72120 deepWindow", "72150 deepIdle",
        ]
        #expect(Self.ladder(of: doze, count: expected.count, times) == expected)
    }

    @Test func `the screen and the charger end Doze, and both must be off for it to begin`() {
        let times = DozeTimes()
        var doze = DozeState(at: .start, isCharging: true, times)
        #expect(doze.phase == .awake && doze.nextAt == .never)
        doze.turnScreen(on: true, at: Self.at(10), times)
        doze.charge(false, at: Self.at(20), times)
        #expect(doze.phase == .awake && !doze.isIdle)
        doze.turnScreen(on: false, at: Self.at(30), times)
        #expect(doze.phase == .waiting && doze.nextAt == Self.at(270))
        // A screen that is off already begins nothing.
        doze.turnScreen(on: false, at: Self.at(100), times)
        #expect(doze.nextAt == Self.at(270))
        doze.advance(at: Self.at(270), times)
        #expect(doze.isIdle && !doze.isDeep)
    }

    @Test func `motion that is watched puts deep Doze off by 40 minutes and ends it, and leaves light Doze`() {
        let times = DozeTimes()
        var doze = DozeState(at: .start, isCharging: false, times)
        doze.advance(at: Self.at(240), times)
        // Nobody watches in the first half hour.
        doze.move(at: Self.at(300), times)
        #expect(doze.phase == .lightIdle && doze.nextAt == Self.at(540))
        var other = doze
        while !other.isDeep { other.advance(at: other.nextAt, times) }
        #expect(other.nextAt == Self.at(3_600 + 3_600))
        while doze.nextAt <= Self.at(2_000) { doze.advance(at: doze.nextAt, times) }
        doze.move(at: Self.at(2_000), times)
        // Ten minutes later it is watched again, and not before.
        while doze.nextAt <= Self.at(2_599) { doze.advance(at: doze.nextAt, times) }
        doze.move(at: Self.at(2_599), times)
        while !doze.isDeep { doze.advance(at: doze.nextAt, times) }
        #expect(doze.isIdle && doze.nextAt == Self.at(2_000 + 2_400 + 3_600))
        doze.move(at: Self.at(5_000), times)
        #expect(doze.phase == .waiting && doze.nextAt == Self.at(5_240))
        while !doze.isDeep { doze.advance(at: doze.nextAt, times) }
        #expect(doze.nextAt == Self.at(5_000 + 2_400 + 3_600))
    }

    @Test func `a window ends with the last job that begins in it, after 5 s at least and a minute at most`() {
        let times = DozeTimes()
        var doze = DozeState(at: .start, isCharging: false, times)
        doze.work(until: Self.at(4_000))
        doze.advance(at: Self.at(240), times)
        doze.advance(at: Self.at(540), times)
        #expect(doze.phase == .lightWindow && doze.nextAt == Self.at(545))
        doze.work(until: Self.at(542))
        #expect(doze.nextAt == Self.at(545))
        doze.work(until: Self.at(560))
        #expect(doze.nextAt == Self.at(560))
        doze.work(until: Self.at(10_000))
        #expect(doze.nextAt == Self.at(600))
        doze.advance(at: Self.at(600), times)
        #expect(doze.isIdle && doze.nextAt == Self.at(1_200))
        doze.work(until: Self.at(10_000))
        #expect(doze.nextAt == Self.at(1_200))
    }

    // MARK: Run time

    /// Every whole second of a run counts by itself.
    static func used(_ runs: [(from: Int64, to: Int64)], at second: Int64, window: Int64) -> Int64 {
        runs.reduce(0) { sum, run in
            sum + (run.from..<run.to).reduce(0) { $0 + ($1 >= second - window && $1 < second ? 1 : 0) }
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `the run time in a sliding window is that of its seconds, and a quota opens as it falls below the limit`(
        seed: UInt64
    ) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15
        func draw(_ limit: UInt64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((state >> 33) % limit)
        }
        let (window, limit) = (Int64(200), 20 + draw(60))
        var (log, runs, now) = (JobLog(), [(from: Int64, to: Int64)](), Int64(0))
        for _ in 0..<30 {
            now += draw(40)
            let quota = RunTimeLimit(.seconds(limit), in: .seconds(window))
            let opening = log.opening(from: Self.at(now), quota)
            let isOpen = Self.used(runs, at: now, window: window) < limit
            #expect(
                log.used(at: Self.at(now), window: .seconds(window))
                    == .seconds(Self.used(runs, at: now, window: window)))
            #expect((opening == Self.at(now)) == isOpen)
            if !isOpen {
                // Full up to a microsecond before, at whole seconds too.
                #expect(log.used(at: opening, window: .seconds(window)) < .seconds(limit))
                #expect(log.used(at: opening - .microsecond, window: .seconds(window)) >= .seconds(limit))
                var second = now
                while Self.at(second) < opening {
                    #expect(Self.used(runs, at: second, window: window) >= limit)
                    second += 1
                }
            }
            let length = draw(30)
            log.add(at: Self.at(now), for: .seconds(length), window: .seconds(window))
            runs.append((now, now + length))
        }
    }

    @Test func `beyond what is remembered apart, run time leaves a window late and never early`() {
        var log = JobLog()
        for run in 0..<Int64(JobLog.most + 10) {
            log.add(at: Self.at(60 * run), for: .seconds(10), window: .hours(24))
        }
        #expect(log.count == JobLog.most)
        let now = Self.at(60 * Int64(JobLog.most + 10))
        #expect(log.used(at: now, window: .hours(24)) == .seconds(10 * Int64(JobLog.most + 10)))
        for minutes in Int64(1)...100 {
            let window = Duration.minutes(minutes)
            let apart = 10 * min(minutes, Int64(JobLog.most + 10))
            #expect(log.used(at: now, window: window) >= .seconds(apart))
        }
    }

    // MARK: Alarms, buckets, messages

    @Test func `an alarm comes at whole periods from its anchor`() {
        let period = Duration.minutes(30)
        #expect(ProviderAlarm.next(after: .start, anchor: .start, period: period) == .start + period)
        #expect(ProviderAlarm.next(after: Self.at(1_799), anchor: .start, period: period) == .start + period)
        #expect(ProviderAlarm.next(after: Self.at(1_800), anchor: .start, period: period) == .start + .minutes(60))
        #expect(ProviderAlarm.next(after: Self.at(10), anchor: Self.at(20), period: period) == Self.at(20))
    }

    @Test func `twenty jobs begin in any minute, and 75 in any hour in bucket active, those of no length too`() {
        var limits = JobLimits()
        var log = JobLog()
        for second in Int64(0)..<20 {
            #expect(limits.opening(of: log, from: Self.at(second), in: .rare) == Self.at(second))
            log.add(at: Self.at(second), for: .zero, window: .hours(24))
        }
        #expect(limits.opening(of: log, from: Self.at(20), in: .rare) == Self.at(60))
        #expect(limits.opening(of: log, from: Self.at(59), in: .active) == Self.at(60))
        limits.runsOfHour = 20
        #expect(limits.opening(of: log, from: Self.at(20), in: .active) == Self.at(3_600))
        #expect(limits.opening(of: log, from: Self.at(60), in: .rare) == Self.at(60))
        #expect(limits.opening(of: log, from: Self.at(20), in: .restricted) == Self.at(20))
    }

    /// The sessions of runs, joined in the order of their beginnings as long as the gap is small enough.
    static func sessions(_ runs: [(from: Int64, to: Int64)]) -> [(from: Int64, to: Int64)] {
        var joined: [(from: Int64, to: Int64)] = []
        for run in runs.sorted(by: { $0 < $1 }) {
            if let last = joined.last, run.from <= last.to + 5 {
                joined[joined.count - 1].to = max(last.to, run.to)
            } else {
                joined.append(run)
            }
        }
        return joined
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `runs within 5 s of one another are a session, and a job begins while few enough have ended`(seed: UInt64) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15
        func draw(_ limit: UInt64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((state >> 33) % limit)
        }
        let (window, most) = (Int64(120), Int(1 + draw(4)))
        var (log, runs, now) = (JobLog(), [(from: Int64, to: Int64)](), Int64(0))
        for _ in 0..<40 {
            now += draw(14)
            let opening = log.opening(from: Self.at(now), fewerSessionsThan: most, in: .seconds(window))
            var second = now
            let sessions = Self.sessions(runs)
            while sessions.count(where: { $0.to <= second && $0.to > second - window }) >= most { second += 1 }
            #expect(opening == Self.at(second))
            let length = draw(12)
            log.add(at: Self.at(now), for: .seconds(length), window: .seconds(window))
            runs.append((now, now + length))
        }
    }

    @Test func `the sessions of each bucket close its gate, and a longer window takes more of them`() {
        let limits = JobLimits()
        var log = JobLog()
        for run in Int64(0)..<12 { log.add(at: Self.at(1_200 * run), for: .seconds(10), window: .hours(24)) }
        let now = Self.at(1_200 * 12)
        // Twelve of four hours, of which ten may be; twelve of twelve hours, of which eight; of a day, of which three.
        #expect(limits.opening(of: log, from: now, in: .active) == now)
        #expect(limits.opening(of: log, from: now, in: .workingSet) == Self.at(1_200 * 2 + 10) + .hours(4))
        #expect(limits.opening(of: log, from: now, in: .frequent) == Self.at(1_200 * 4 + 10) + .hours(12))
        #expect(limits.opening(of: log, from: now, in: .rare) == Self.at(1_200 * 9 + 10) + .hours(24))
        #expect(limits.opening(of: log, from: now, in: .restricted) == now)
    }

    @Test func `seven alarms go off in any hour of Doze, and the eighth as the first is an hour ago`() {
        var log = AlarmLog()
        for minute in Int64(0)..<7 {
            #expect(log.opening(from: Self.at(60 * minute), limit: 7) == Self.at(60 * minute))
            log.add(at: Self.at(60 * minute))
        }
        #expect(log.opening(from: Self.at(420), limit: 7) == Self.at(3_600))
        #expect(log.opening(from: Self.at(3_600), limit: 7) == Self.at(3_600))
        #expect(log.opening(from: Self.at(420), limit: 72) == Self.at(420))
        for second in Int64(0)..<200 { log.add(at: Self.at(500 + second)) }
        #expect(log.count == AlarmLog.most && log.time(0) == Self.at(500 + 200 - 72))
    }

    @Test func `an app without a widget is taken down at each limit, that instant included`() {
        let ages = StandbyBucket.Ages()
        let cases: [(Int64, StandbyBucket)] = [
            (12, .workingSet), (24, .frequent), (48, .rare), (192, .restricted),
        ]
        for ((hours, bucket), before) in zip(cases, [.active, .workingSet, .frequent, .rare] as [StandbyBucket]) {
            #expect(ages.bucket(unusedFor: .hours(hours), screenOnFor: .hours(6)) == bucket)
            #expect(ages.bucket(unusedFor: .hours(hours) - .microsecond, screenOnFor: .hours(6)) == before)
        }
    }

    @Test(arguments: [Int64(0), 1, 2, 6, 7])
    func `an app is in the lowest bucket of which both limits are met, and a demotion is where that changes`(
        screen: Int64
    ) {
        let ages = StandbyBucket.Ages()
        let lowest: StandbyBucket = screen < 1 ? .workingSet : screen < 2 ? .frequent : screen < 6 ? .rare : .restricted
        #expect(ages.bucket(unusedFor: .days(30), screenOnFor: .hours(screen)) == lowest)
        for isScreenOn in [false, true] {
            for hours in stride(from: Int64(0), through: 200, by: 1) {
                let next = ages.demotion(
                    from: .start, after: .start + .hours(hours), screenOnFor: .hours(screen), isScreenOn: isScreenOn)
                func bucket(_ at: Instant) -> StandbyBucket {
                    let since = isScreenOn ? at - .start - .hours(hours) : .zero
                    return ages.bucket(unusedFor: at - .start, screenOnFor: .hours(screen) + since)
                }
                // Nothing changes before, and something does then.
                if next == .never {
                    #expect(bucket(.start + .days(60)) == bucket(.start + .hours(hours)))
                } else {
                    #expect(bucket(next - .microsecond) == bucket(.start + .hours(hours)))
                    #expect(bucket(next).rawValue > bucket(next - .microsecond).rawValue)
                }
            }
        }
    }

    @Test func `a failed job is tried again after 30 s, twice as long or 30 s longer each time, and 5 h at most`() {
        let (exponential, linear) = (WorkBackOff(), WorkBackOff(.linear))
        for n in 1...700 {
            // 30 s · 2⁹ are 4 h 16 min.
            let seconds: Int64 = n <= 10 ? 30 << Int64(n - 1) : 18_000
            #expect(exponential.delay(afterFailures: n) == .seconds(seconds), "\(n)")
            #expect(linear.delay(afterFailures: n) == .seconds(min(18_000, 30 * Int64(n))), "\(n)")
        }
        for form in WorkBackOff.Form.allCases {
            #expect(WorkBackOff(form, first: .hours(5)).delay(afterFailures: 2) == .hours(5))
            #expect(WorkBackOff(form, first: .seconds(10)).delay(afterFailures: .max) == .hours(5))
        }
    }

    @Test func `a device takes 240 messages a minute and 5,000 an hour`() {
        let limits = MessageLimits()
        var count = MessageCount()
        var taken = 0
        for message in 0..<300 { if count.take(at: Self.at(Int64(message) / 10), limits) { taken += 1 } }
        #expect(taken == 240)
        let isOpen = count.take(at: Self.at(60), limits)
        #expect(isOpen)
        for minute in Int64(2)..<60 {
            for _ in 0..<240 where count.take(at: Self.at(60 * minute), limits) { taken += 1 }
        }
        let (late, next) = (count.take(at: Self.at(3_599), limits), count.take(at: Self.at(3_600), limits))
        #expect(taken + 1 == 5_000 && !late && next)
    }
}
