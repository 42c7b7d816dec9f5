import Basics
import Foundation
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Results that must come out of the rules without being put in.
///
/// Rules: D2, B2, B3.
@Suite struct EmergenceTests {
    /// Charged reloads an instance-day where each person has exactly so many expected views a day and the widget asks
    /// every 10 minutes.
    private static func chargedPerDay(views: Int) throws -> Double {
        let result = try Fixtures.run(
            """
            start: "2026-03-02T00:00:00-05:00"
            warmup: 4d
            duration: 5d
            people: 400
            kinds: [{id: k, policy: {after: 10m}}]
            population:
              pickups: {unlocks_per_day: \(views), glances_per_unlock: 0, daily_k: 1000}
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              devices: [{kind: phone, instances: [{id: w, kind: k, surface: lock_screen}]}]
            """)
        let charged = ReloadCause.allCases.reduce(0) { $0 + result.reloads[.started($1, charged: true)] }
        return Double(charged) / Double(result.reloads[.instances]) / 5
    }

    @Test(arguments: [25, 50, 100, 200])
    func `with demand above the allowance, 25 to 200 views a day run 36 to 70 charged reloads a day`(
        views: Int
    ) throws {
        let charged = try Self.chargedPerDay(views: views)
        // The allowance is 41 at 25 views. Such people's pickups come in bursts, with idle hours between them in which
        // tokens expire.
        #expect((36.0...70).contains(charged), "\(charged) a day at \(views) views")
        print("charged reloads a day at \(views) views: \(charged)")
    }

    @Test func `a rarely seen instance runs far fewer`() throws {
        let charged = try Self.chargedPerDay(views: 2)
        #expect(charged < 15, "\(charged) a day")
        print("charged reloads a day at 2 views: \(charged)")
    }

    @Test func `load has a hole at night and a wave after each zone's wake-ups`() throws {
        let file = try #require(Fixtures.shipped.first { $0.lastPathComponent == "weather-week.yaml" })
        let result = try Fixtures.run(String(contentsOf: file, encoding: .utf8), ["people=4000"])
        let plan = result.scenario.plan
        for (region, name) in plan.regions.enumerated() {
            // Most of a region's people live by the clock of its first city.
            let city = try #require(plan.cities.first { $0.region == name })
            let zone = try #require(plan.zones.first { $0.name == city.zone })
            var byHour = [Double](repeating: 0, count: 24)
            for cause in 0..<LoadCurve.causes {
                for (minute, requests) in result.load.minutes(of: 0, region: region, cause: cause).enumerated() {
                    byHour[zone.localTime(at: Instant.start + plan.warmup + .minutes(Int64(minute))).clock.hour] +=
                        Double(requests)
                }
            }
            let mean = byHour.reduce(0, +) / 24
            if mean < 50 { continue }
            #expect((byHour.min() ?? 0) < 0.35 * mean, "\(zone.name): no hole in \(byHour)")
            let hole = byHour.indices.min { byHour[$0] < byHour[$1] } ?? 0
            #expect((1...5).contains(hole), "\(zone.name): the hole is at \(hole)")
            // The wave: the load rises most in the hours in which people wake up, mean 6:43 and 7:50, and is several
            // times that of the hole then.
            let steepest = (1..<24).max { byHour[$0] - byHour[$0 - 1] < byHour[$1] - byHour[$1 - 1] } ?? 0
            #expect((6...9).contains(steepest), "\(zone.name): the morning is at \(steepest) of \(byHour)")
            #expect(byHour[9] > 3 * byHour[hole], "\(zone.name): no wave in \(byHour)")
        }
    }

    @Test(arguments: [1, 15]) func `with open gates a fleet begins out of step, however short its period`(period: Int)
        throws
    {
        let people = 3_000
        let result = try Fixtures.run(
            """
            start: "2026-03-02T10:00:00-05:00"
            warmup: 0s
            duration: 30m
            people: \(people)
            parameters: {gates: none, dispatch_delay: 0s, coalesce_within: 0s}
            kinds: [{id: k, policy: {after: \(period)m}}]
            population:
              movement: {commute: {share: 0}, outings: {per_day: 0}, travel: {per_year: 0}}
              \(Fixtures.still)
              devices: [{kind: phone, instances: [{id: w, kind: k}]}]
            """)
        // Ten seconds are a hundredth of the longer period at least: nobody is late, so none of them sees more than its
        // share.
        let tenths = result.load.tenths(of: 0)
        let largest =
            stride(from: 0, to: tenths.count - 99, by: 100).map { start in tenths[start..<start + 100].reduce(0, +) }
            .max() ?? 0
        let share = Double(people) / Double(period * 6)
        #expect(Double(largest) < share + 6 * share.squareRoot(), "\(largest) in ten seconds, \(share) on average")
    }
}
