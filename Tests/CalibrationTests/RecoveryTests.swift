import Basics
import ScenarioFiles
import Simulation
import Testing

@testable import Calibration

/// Habits are simulated as a scenario states them, and fitted back from the record that comes out.
///
/// Where the engine is known to deviate from its own key, the fit is compared with the key within a wider, stated
/// tolerance.
@Suite struct RecoveryTests {
    /// A truth, and how far an estimate may lie from it: a part of it, or as it stands for correlations and clock times
    /// (hours).
    struct Truth {
        var key: String
        var value: Double
        var tolerance: Double
        var isRelative = true
        /// Whether the engine makes exactly what the key says, so that the interval must cover it.
        var isExact = true
    }

    struct Habits: Sendable, CustomTestStringConvertible {
        var name: String
        var unlocks: (shape: Double, mean: Double)
        var k: (median: Double, sigma: Double)
        var session: (median: Double, sigma: Double, spread: Double, correlation: Double)
        var glances: Double
        var workday, free: (onset: Double, wake: Double, onsetSpread: Double, wakeSpread: Double)
        var correlations: (ends: Double, onset: Double, wake: Double)
        var nights: (onset: Double, onsetSigma: Double, wake: Double, wakeSigma: Double, ends: Double, carry: Double)
        var weekdays: [Double]
        var burstiness, first, hours, days: Double
        var weekdaySpread = 0.0

        var testDescription: String { name }

        func scenario(seed: Int, people: Int, days: Int) -> String {
            func clock(_ hours: Double) -> String {
                let minutes = (Int((hours * 60).rounded()) + 1_440) % 1_440
                return "\"\(TimeText.padded(minutes / 60, to: 2)):\(TimeText.padded(minutes % 60, to: 2))\""
            }
            func span(_ hours: Double) -> String { "\(Int((hours * 3_600).rounded()))s" }
            func night(_ night: (onset: Double, wake: Double, onsetSpread: Double, wakeSpread: Double)) -> String {
                "{onset: \(clock(night.onset)), wake: \(clock(night.wake)), onset_sd: \(span(night.onsetSpread)), wake_sd: \(span(night.wakeSpread))}"
            }
            return """
                start: "2026-01-05T00:00:00Z"
                duration: \(days)d
                people: \(people)
                seed: \(seed)
                kinds: [{id: weather, timeline: {shape: series, count: 2, spacing: 1h}, policy: {after: 1h}}]
                population:
                  zones: {UTC: 1}
                  devices: [{kind: phone, instances: [{id: here, kind: weather, surface: home_first, family: system_medium}]}]
                  movement: {commute: {share: 0}, outings: {per_day: 0, per_commute_day: 0}, travel: {per_year: 0}}
                  apps: {app: {openings_per_day: 0}}
                  pickups:
                    unlocks_per_day: {shape: \(unlocks.shape), mean: \(unlocks.mean), clip: [8, 300]}
                    daily_k: {median: \(k.median), sigma: \(k.sigma), clip: [1, 10000]}
                    day_correlation: \(self.days)
                    hour_correlation: \(hours)
                    first_sixteenth: \(first)
                    burstiness: \(burstiness)
                    weekday_factors: \(weekdays)
                    weekday_spread: \(weekdaySpread)
                    quiet_days: 0
                    glances_per_unlock: \(glances)
                    session_length: {median: \(span(session.median / 3_600)), sigma: \(session.sigma), clip: [1s, 4h]}
                    session_spread: \(session.spread)
                    session_correlation: \(session.correlation)
                  sleep:
                    day_sleepers: 0
                    degrees: 1000
                    workday: \(night(workday))
                    free_day: \(night(free))
                    correlations: {onset_wake: \(correlations.ends), onset: \(correlations.onset), wake: \(correlations.wake)}
                    nights:
                      onset_sd: {median: \(span(nights.onset)), sigma: \(nights.onsetSigma), clip: [0s, 6h]}
                      wake_sd: {median: \(span(nights.wake)), sigma: \(nights.wakeSigma), clip: [0s, 6h]}
                      onset_wake: \(nights.ends)
                      carry_over: \(nights.carry)
                """
        }

        var truths: [Truth] {
            var truths = [
                Truth(key: "pickups.unlocks_per_day.shape", value: unlocks.shape, tolerance: 0.45),
                Truth(key: "pickups.unlocks_per_day.mean", value: unlocks.mean, tolerance: 0.15),
                Truth(key: "pickups.daily_k.median", value: k.median, tolerance: 0.25),
                Truth(key: "pickups.daily_k.sigma", value: k.sigma, tolerance: 0.35),
                Truth(key: "pickups.glances_per_unlock", value: glances, tolerance: 0.03),
                Truth(key: "pickups.session_length.median", value: session.median / 3_600, tolerance: 0.2),
                Truth(key: "pickups.session_length.sigma", value: session.sigma, tolerance: 0.06),
                Truth(key: "pickups.session_spread", value: session.spread, tolerance: 0.25),
                Truth(
                    key: "pickups.session_correlation", value: session.correlation, tolerance: 0.15, isRelative: false),
                Truth(
                    key: "sleep.correlations.onset_wake", value: correlations.ends, tolerance: 0.2, isRelative: false),
                Truth(key: "sleep.correlations.onset", value: correlations.onset, tolerance: 0.2, isRelative: false),
                Truth(key: "sleep.correlations.wake", value: correlations.wake, tolerance: 0.2, isRelative: false),
                Truth(key: "sleep.nights.onset_sd.median", value: nights.onset, tolerance: 0.12),
                Truth(key: "sleep.nights.onset_sd.sigma", value: nights.onsetSigma, tolerance: 0.35),
                Truth(key: "sleep.nights.wake_sd.median", value: nights.wake, tolerance: 0.12),
                Truth(key: "sleep.nights.wake_sd.sigma", value: nights.wakeSigma, tolerance: 0.35),
                // The engine cuts short and long nights, which ties their ends together.
                Truth(
                    key: "sleep.nights.onset_wake", value: nights.ends, tolerance: 0.06, isRelative: false,
                    isExact: false),
                Truth(
                    key: "sleep.nights.carry_over", value: nights.carry, tolerance: 0.06, isRelative: false,
                    isExact: false),
                // Solved for a typical person and without the limits on levels.
                Truth(key: "pickups.burstiness", value: burstiness, tolerance: 0.08, isRelative: false, isExact: false),
                Truth(key: "pickups.day_correlation", value: days, tolerance: 0.09, isRelative: false, isExact: false),
                Truth(
                    key: "pickups.hour_correlation", value: hours, tolerance: 0.15, isRelative: false, isExact: false),
                // A waking day begins with a whole gap and without a session.
                Truth(key: "pickups.first_sixteenth", value: first, tolerance: 0.2, isRelative: false, isExact: false),
            ]
            for (name, night) in [("workday", workday), ("free_day", free)] {
                truths.append(Truth(key: "sleep.\(name).onset", value: night.onset, tolerance: 0.6, isRelative: false))
                truths.append(Truth(key: "sleep.\(name).wake", value: night.wake, tolerance: 0.6, isRelative: false))
                truths.append(Truth(key: "sleep.\(name).onset_sd", value: night.onsetSpread, tolerance: 0.25))
                truths.append(Truth(key: "sleep.\(name).wake_sd", value: night.wakeSpread, tolerance: 0.25))
            }
            let mean = weekdays.reduce(0, +) / 7
            for (name, factor) in zip(
                ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], weekdays)
            {
                truths.append(
                    Truth(
                        key: "pickups.weekday_factors.\(name)", value: factor / mean, tolerance: 0.06, isRelative: false
                    ))
            }
            return truths
        }
    }

    static let adults = Habits(
        name: "adults", unlocks: (3.1, 80), k: (14.5, 0.72), session: (40, 1.74, 0.57, -0.82), glances: 0.42,
        workday: (-0.9, 6.7, 1.6, 1.8), free: (-0.2, 8, 1.7, 1.9), correlations: (0.55, 0.85, 0.72),
        nights: (1.24, 0.37, 1.37, 0.35, 0.45, 0.14),
        weekdays: [1.02, 1.03, 1.05, 1.02, 1.02, 0.94, 0.92], burstiness: 0.27, first: 1.29, hours: 0.28, days: 0.2)
    static let students = Habits(
        name: "students", unlocks: (3.1, 107), k: (14.5, 0.72), session: (54, 1.74, 0.57, -0.82), glances: 0.42,
        workday: (1.55, 8.63, 1.73, 1.53), free: (2.03, 9.3, 1.73, 1.53), correlations: (0.67, 0.95, 0.9),
        nights: (1.24, 0.37, 1.37, 0.35, 0.45, 0.14), weekdays: [1.02, 1.03, 1.05, 1.02, 1.02, 0.94, 0.92],
        burstiness: 0.27, first: 1.29,
        hours: 0.28,
        days: 0.2)
    static let others = Habits(
        name: "others", unlocks: (6, 50), k: (9, 0.4), session: (20, 1.2, 0.3, -0.4), glances: 1,
        workday: (-1.5, 6, 0.8, 0.7),
        free: (0, 8.5, 1, 1.2), correlations: (0.3, 0.6, 0.5), nights: (0.7, 0.3, 0.8, 0.25, 0.2, 0.3),
        weekdays: [1.1, 1.1, 1.1, 1.1, 1.1, 0.8, 0.7], burstiness: 0.2, first: 1.1, hours: 0.5, days: 0.25)

    static func record(_ set: Habits, seed: Int, people: Int, days: Int, withSleep: Bool = true) throws
        -> [RecordedPerson]
    {
        let scenario = try ScenarioReader.read(text: set.scenario(seed: seed, people: people, days: days)).scenario
        let worker = try ScenarioRun(scenario).recorder()
        let start: Int64 = 1_767_571_200_000_000
        return (0..<people).map { number in
            var person = RecordedPerson(name: "\(number)")
            worker.record(person: number) { event in
                let kind: RecordedEvent.Kind
                switch event.kind {
                case .wake where withSleep: kind = .wake
                case .sleep where withSleep: kind = .sleep
                case .unlock: kind = .unlock
                case .lock: kind = .lock
                case .glance: kind = .glance
                default: return
                }
                person.events.append(RecordedEvent(unix: start + event.time.microseconds, offset: 0, kind: kind))
            }
            return person
        }
    }

    /// Days that follow each other correlate, which makes weekdays a little more alike.
    @Test func `weekdays that differ from person to person are found to do so`() throws {
        for (name, spread) in [("adults", 0.1), ("students", 0.1)] {
            var set = name == "adults" ? Self.adults : Self.students
            set.weekdaySpread = spread
            let fit = HabitFit(try Self.record(set, seed: 11, people: 150, days: 60).map(PersonSummary.init))
            let found = try #require(fit.estimates.first { $0.key == "pickups.weekday_spread" })
            #expect(abs(found.value / spread - 1) < 0.3, "\(name): \(found.value)")
        }
    }

    @Test func `fitted habits are those that were simulated, and the intervals cover them`() throws {
        var covered = 0
        var pairs = 0
        var missed: [String] = []
        for set in [Self.adults, Self.students, Self.others] {
            for seed in [11, 12] {
                let fit = HabitFit(try Self.record(set, seed: seed, people: 150, days: 60).map(PersonSummary.init))
                for truth in set.truths {
                    guard let found = fit.estimates.first(where: { $0.key == truth.key }) else {
                        Issue.record("\(set.name), seed \(seed): no \(truth.key)")
                        continue
                    }
                    let bound = truth.tolerance * (truth.isRelative ? truth.value.magnitude : 1)
                    #expect(
                        (found.value - truth.value).magnitude <= bound,
                        "\(set.name), seed \(seed): \(truth.key) is \(truth.value), fitted \(found.value), may be off by \(bound)"
                    )
                    guard truth.isExact else { continue }
                    pairs += 1
                    if let interval = found.interval, (interval.low...interval.high).contains(truth.value) {
                        covered += 1
                    } else {
                        missed.append(
                            "\(set.name) \(seed) \(truth.key): \(truth.value), \(found.valueText), \(found.intervalText)"
                        )
                    }
                }
            }
        }
        #expect(Double(covered) >= 0.9 * Double(pairs), "\(covered) of \(pairs): \(missed)")
        print("intervals cover \(covered) of \(pairs) truths; not: \(missed.joined(separator: " | "))")
    }

    @Test func `another truth lies outside the intervals`() throws {
        let fit = HabitFit(try Self.record(Self.adults, seed: 3, people: 150, days: 30).map(PersonSummary.init))
        func interval(_ key: String) throws -> ClosedRange<Double> {
            let found = try #require(fit.estimates.first { $0.key == key }?.interval)
            return found.low...found.high
        }
        #expect(try !interval("pickups.unlocks_per_day.mean").contains(107))
        #expect(try !interval("pickups.daily_k.median").contains(9))
        #expect(try !interval("pickups.session_length.sigma").contains(1.5))
        #expect(try !interval("pickups.weekday_factors.sunday").contains(1))
        #expect(try !interval("sleep.workday.wake").contains(8.63))
        #expect(try !interval("sleep.nights.carry_over").contains(0.4))
    }

    @Test func `nights told from the phone's use lie near the true ones`() throws {
        let people = try Self.record(Self.students, seed: 4, people: 60, days: 28, withSleep: false)
        let fit = HabitFit(people.map(PersonSummary.init))
        #expect(fit.inferredSleepers == 60)
        for (key, truth) in [
            ("sleep.workday.onset", 1.55), ("sleep.workday.wake", 8.63), ("sleep.free_day.onset", 2.03),
            ("sleep.free_day.wake", 9.3),
        ] {
            let found = try #require(fit.estimates.first { $0.key == key })
            #expect((found.value - truth).magnitude < 0.6, "\(key) is \(truth), fitted \(found.value)")
        }
        #expect(fit.notes.contains { $0.contains("inferred") })
        #expect(!fit.estimates.contains { $0.key == "sleep.day_sleepers" })
    }

    @Test func `the fragment is one that a scenario takes, and the same record gives the same fragment`() throws {
        let people = try Self.record(Self.others, seed: 5, people: 30, days: 21)
        let fragment = HabitFit(people.map(PersonSummary.init)).fragment(heading: ["A comment: with a colon."])
        #expect(fragment == HabitFit(people.map(PersonSummary.init)).fragment(heading: ["A comment: with a colon."]))
        let rest = Self.others.scenario(seed: 1, people: 10, days: 1).split(
            separator: "\n", omittingEmptySubsequences: false)
        let own = rest.prefix { !$0.hasPrefix("population:") }.joined(separator: "\n")
        let devices = rest.filter { $0.hasPrefix("  zones") || $0.hasPrefix("  devices") }.joined(separator: "\n")
        let read = try ScenarioReader.read(text: own + "\n" + fragment + devices + "\n")
        #expect(read.resolvedText.contains("glances_per_unlock: "))
        #expect(fragment.contains("    nights:\n      onset_sd: {median: "), "\(fragment)")
    }
}
