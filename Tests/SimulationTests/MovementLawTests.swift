import Basics
import Foundation
import ScenarioFiles
import Simulation
import Testing

@testable import Fleet

/// Movement with the shipped defaults against the records of docs/calibration-data.md §4, for 1,500 adults of the
/// United States and four weeks each.
///
/// The records contradict one another: 1.96 trips of a mean of 22 minutes with .84 · minutes / 5 − .16 changes make 6.9
/// changes a day and not 5.9. The defaults lie between: some fewer trips, some more changes.
///
/// Rules: L1.
@Suite struct MovementLawTests {
    static let people = 1_500
    static let days = 28
    static let records: [MovementRecord] = {
        // Phones are hardly used: only ways count here.
        let text = """
            start: "2026-03-09T00:00:00-04:00"
            warmup: 0d
            duration: 31d
            people: 1
            kinds: [{id: k, policy: never}]
            population:
              pickups: {unlocks_per_day: 0.01, glances_per_unlock: 0}
              devices: [{kind: phone, instances: [{id: w, kind: k}]}]
            """
        let prepared = try! PreparedPlan(ScenarioReader.read(text: text).scenario.plan)
        return (0..<UInt64(people)).map { MovementRecord(of: $0, days: days, prepared.population) }
    }()
    static let trips = records.flatMap(\.trips)
    /// Changes a day of each person.
    static let changes = records.map { mean($0.changesByDay.map(Double.init)) }

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    static func variance(_ values: [Double]) -> Double {
        let mean = mean(values)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
    }
    static func quantile(_ values: [Double], _ q: Double) -> Double {
        values.sorted()[Int(Double(values.count - 1) * q)]
    }

    /// Says what was found, beside the target, when asked to: for the choice of defaults.
    static func isNear(_ name: String, _ found: Double, _ target: Double, within range: ClosedRange<Double>) -> Bool {
        if ProcessInfo.processInfo.environment["RELOADSIM_PRINT"] == "1" {
            print("movement: \(name) \(found), in the records \(target)")
        }
        return range.contains(found)
    }

    @Test func `trips a day and their times are those of the records`() {
        let perDay = Double(Self.trips.count) / Double(Self.people * Self.days)
        #expect(Self.isNear("trips a day", perDay, 1.96, within: 1.8...2.05), "\(perDay)")
        let minutes = Self.trips.map(\.minutes)
        let median = Self.quantile(minutes, 0.5)
        #expect(Self.isNear("median minutes of a trip", median, 16.3, within: 15.3...17.3), "\(median)")
        let sigma = Self.variance(minutes.map { log($0) }).squareRoot()
        #expect(Self.isNear("σ of the log of a trip's minutes", sigma, 0.79, within: 0.74...0.84), "\(sigma)")
    }

    @Test func `significant changes a day have the records' mean, median and spread over people`() {
        let mean = Self.mean(Self.changes)
        #expect(Self.isNear("changes a day, mean", mean, 5.9, within: 5.6...6.7), "\(mean)")
        let median = Self.quantile(Self.changes, 0.5)
        #expect(Self.isNear("changes a day, median person", median, 5.2, within: 4.9...5.8), "\(median)")
        let sigma = Self.variance(Self.changes.filter { $0 > 0 }.map { log($0) }).squareRoot()
        #expect(Self.isNear("σ of the log of changes a day over people", sigma, 0.56, within: 0.5...0.66), "\(sigma)")
    }

    /// Variance = mean + mean² / k within a person: k from all people's moments, and the median of each person's own.
    @Test func `a person's days differ like a negative binomial, and some have no change`() {
        var excess = 0.0
        var squares = 0.0
        var own: [Double] = []
        for record in Self.records {
            let counts = record.changesByDay.map(Double.init)
            let (mean, variance) = (Self.mean(counts), Self.variance(counts))
            excess += variance - mean
            squares += mean * mean
            if variance > mean { own.append(mean * mean / (variance - mean)) }
        }
        #expect(
            Self.isNear("k, all people's moments", squares / excess, 1.62, within: 1.5...2.3), "\(squares / excess)")
        let median = Self.quantile(own, 0.5)
        #expect(Self.isNear("k, median person", median, 1.62, within: 1.3...1.8), "\(median)")
        let none =
            Double(Self.records.reduce(0) { $0 + $1.changesByDay.count { $0 == 0 } }) / Double(Self.people * Self.days)
        #expect(Self.isNear("share of days without a change", none, 0.35, within: 0.03...0.35), "\(none)")
    }

    @Test func `changes a trip grow with its time as in the records`() {
        let (x, y) = (Self.trips.map { $0.minutes / 5 }, Self.trips.map { Double($0.changes) })
        let (meanX, meanY) = (Self.mean(x), Self.mean(y))
        let together = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / Double(x.count - 1)
        let slope = together / Self.variance(x)
        #expect(Self.isNear("changes for 5 minutes of a trip", slope, 0.84, within: 0.8...0.88), "\(slope)")
        let intercept = meanY - slope * meanX
        #expect(Self.isNear("changes of a trip of no time", intercept, -0.16, within: -0.25...0), "\(intercept)")
        let explained = together * together / Self.variance(x) / Self.variance(y)
        // Straight ways at one speed are more regular than real ones.
        #expect(Self.isNear("R²", explained, 0.87, within: 0.87...1), "\(explained)")
    }

    /// The records' people are home for .67 of the time and see 3.1 places a day; with 1.96 trips nobody sees more than
    /// 2.96, and .45 of the adults work elsewhere. Trips win over stays.
    @Test func `people spend their time at few places and come back to most`() {
        var top = [0.0, 0, 0]
        for record in Self.records {
            let times = record.stays.values.sorted(by: >)
            for (rank, time) in times.prefix(3).enumerated() {
                top[rank] += time / times.reduce(0, +) / Double(Self.people)
            }
        }
        #expect(Self.isNear("time at the first place", top[0], 0.67, within: 0.6...0.82), "\(top)")
        #expect(Self.isNear("time at the second place", top[1], 0.18, within: 0.12...0.2), "\(top)")
        #expect(Self.isNear("time at the third place", top[2], 0.05, within: 0.02...0.06), "\(top)")
        let visits = Self.records.reduce(0) { $0 + $1.visits }
        let returns = Double(Self.records.reduce(0) { $0 + $1.returns }) / Double(visits)
        #expect(Self.isNear("share of visits that are returns", returns, 0.82, within: 0.72...0.86), "\(returns)")
        let places = Self.mean(Self.records.flatMap { $0.placesByDay.map { max(1, Double($0.count)) } })
        #expect(Self.isNear("places a day", places, 3.1, within: 1.7...3.1), "\(places)")
    }

    @Test func `commuters leave at commuting hours`() {
        let ways = Self.trips.filter(\.isToWork)
        let rush = ClockTime(hour: 6, minute: 30)..<ClockTime(hour: 8, minute: 30)
        let share = Double(ways.count { rush.contains($0.departure) }) / Double(ways.count)
        #expect(Self.isNear("departures for work from 6:30 to 8:29", share, 0.53, within: 0.48...0.56), "\(share)")
        let minutes = Self.mean(ways.map(\.minutes))
        #expect(Self.isNear("mean minutes to work", minutes, 27.6, within: 26...29), "\(minutes)")
        // Workdays away from home, and late mornings, are no commutes.
        let workdays = Double(Self.records.count(where: \.isCommuter) * Self.days) * 5 / 7
        #expect(Double(ways.count) / workdays > 0.9)
    }

    @Test func `zones are crossed four times a year`() {
        let years = Double(Self.people * Self.days) / 365.25
        let crossings = Double(Self.records.reduce(0) { $0 + $1.crossings }) / years
        #expect(Self.isNear("zone crossings a year", crossings, 4, within: 3.2...4.8), "\(crossings)")
    }

    /// A person who wakes up after the usual departure goes when ready, be that at once.
    @Test func `ready at once or a second later, people go to work`() throws {
        func ways(readyAfter: String) throws -> Int {
            let scenario = try Fixtures.scenario(
                """
                start: "2026-01-12T00:00:00-05:00"
                warmup: 0s
                duration: 5d
                people: 200
                kinds: [{id: k, policy: never}]
                population:
                  movement: {commute: {ready_after: \(readyAfter)}}
                  devices: [{kind: phone, instances: [{id: i, kind: k}]}]
                """)
            let worker = try ScenarioRun(scenario).recorder()
            var ways = 0
            for person in 0..<scenario.people {
                worker.record(person: person) { if $0.kind == .tripStart && $0.destination == .work { ways += 1 } }
            }
            return ways
        }
        let (atOnce, later) = (try ways(readyAfter: "0s"), try ways(readyAfter: "1s"))
        #expect(later > 200 && abs(atOnce - later) <= later / 50, "\(atOnce) ways at once, \(later) a second later")
    }
}
