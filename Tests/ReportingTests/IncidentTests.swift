import Basics
import Statistics
import Testing

@testable import RefreshService
@testable import Reporting

/// Rules: S4, S7.
@Suite struct IncidentTests {
    private static let reportFrom = Instant.start + .hours(1)
    private static let regions = ["east", "west"]

    private static func minute(_ minute: Int64) -> Instant { reportFrom + .minutes(minute) }

    private static func outage(_ name: String, _ from: Int64, _ to: Int64) -> ServiceEvent {
        ServiceEvent(
            name: name, .regionOutage(region: 0, pools: [], isSilent: false), from: minute(from), to: minute(to))
    }

    /// A report of three hours in which each region has 200 requests a minute.
    ///
    /// - Parameter failing: the failures of a region in a minute.
    private static func incidents(
        _ events: [ServiceEvent], failovers: [Failover] = [], failing: (_ region: Int, _ minute: Int) -> Int64
    ) -> [Incident] {
        let measures = ServiceMeasures(
            pools: 1, regions: 2, minutes: 180, reportFrom: reportFrom,
            originLoad: LoadCurve(endpoints: 1, regions: 2, minutes: 180))
        for region in 0..<2 {
            for minute in 0..<180 {
                let failed = failing(region, minute)
                measures[.served, pool: 0, region: region, minute: minute] = 200 - failed
                measures[.refused, pool: 0, region: region, minute: minute] = failed / 2
                measures[.timedOut, pool: 0, region: region, minute: minute] = failed - failed / 2
            }
        }
        let plan = RefreshPlan(
            pools: [OriginPool(name: "pool", serviceTime: .init(.constant(0.1)))],
            endpoints: [ServiceEndpoint(pool: 0)],
            regions: [EdgeRegion(), EdgeRegion()], events: events, failovers: failovers)
        return Incident.all(of: measures, plan, regions: regions)
    }

    @Test func `failures count from the beginning until all is well, by region`() throws {
        let incidents = Self.incidents([Self.outage("lost", 30, 60)]) { region, minute in
            region == 0 ? (30..<70).contains(minute) ? (minute == 40 ? 200 : 100) : 0 : minute == 50 ? 2 : 0
        }
        let incident = try #require(incidents.first)
        #expect(incidents.count == 1 && incident.from == .minutes(30) && incident.to == .minutes(60))
        // Forty minutes with half of one region's requests, one of them with all; two of the other region's.
        #expect(incident.all.failures == .init(requests: 40 * 400, failed: 4_100 + 2))
        #expect(incident.all.worst?.minute == 40 && incident.all.worst?.failures == .init(requests: 400, failed: 200))
        #expect(incident.all.wellAfter == .minutes(40))
        let (east, west) = (incident.regions[0], incident.regions[1])
        #expect(east.name == "east" && east.part.failures == .init(requests: 8_000, failed: 4_100))
        #expect(east.part.wellAfter == .minutes(40))
        #expect(incident.all.until == .minutes(70) && east.part.until == .minutes(70))
        // A hundredth is well.
        #expect(west.name == "west" && west.part.failures == .init(requests: 6_000, failed: 2))
        #expect(west.part.wellAfter == .zero && west.part.until == .minutes(60))
    }

    @Test func `a lull of less than an hour ends no incident, and a later failure is another matter`() throws {
        for (again, well) in [(119, 120), (121, 40)] {
            let incident = try #require(
                Self.incidents([Self.outage("lost", 30, 60)]) { _, minute in
                    (30..<40).contains(minute) || minute == again ? 200 : 0
                }.first)
            #expect(incident.all.wellAfter == .minutes(Int64(well - 30)), "again at \(again)")
        }
    }

    @Test func `what fails to the end of the report is not well again, nor is what fails until the next event`() {
        let never = Self.incidents([Self.outage("lost", 30, 60)]) { $1 >= 30 ? 200 : 0 }
        #expect(never.map(\.all.wellAfter) == [nil])
        #expect(never.first?.all.failures.requests == Int64(150 * 400) && never.first?.all.until == .minutes(180))
        let two = Self.incidents([Self.outage("second", 90, 100), Self.outage("first", 30, 60)]) {
            (30..<100).contains($1) ? 200 : 0
        }
        #expect(two.map(\.event) == ["first", "second"])
        #expect(two.map(\.all.wellAfter) == [nil, .minutes(10)])
    }

    @Test func `an event ends where one begins that lasts longer, and one without length has its minute`() {
        let purge = ServiceEvent(
            name: "purge", .purge(endpoint: nil, region: nil), from: Self.minute(30), to: Self.minute(30))
        let incidents = Self.incidents([purge, Self.outage("fire", 30, 60)]) { (30..<60).contains($1) ? 200 : 0 }
        #expect(incidents.map(\.all.failures.failed) == [400, 30 * 400])
        let overlapping = Self.incidents([Self.outage("small", 30, 60), Self.outage("big", 50, 100)]) {
            (30..<100).contains($1) ? 200 : 0
        }
        #expect(overlapping.map(\.all.failures.failed) == [30 * 400, 50 * 400])
        #expect(overlapping.map(\.all.wellAfter) == [nil, .minutes(50)])
        let quiet = Self.incidents([purge]) { _, _ in 0 }
        #expect(quiet.map(\.all.failures) == [.init(requests: 400, failed: 0)])
    }

    @Test func `an event of the warm-up and one after the report have no row, and one that lasts has no end`() {
        let events = [Self.outage("before", -30, 0), Self.outage("across", -30, 10), Self.outage("last", 170, 500)]
        let incidents = Self.incidents(events + [Self.outage("after", 200, 210)]) { _, _ in 0 }
        #expect(incidents.map(\.event) == ["across", "last"])
        #expect(incidents.map(\.from) == [.minutes(-30), .minutes(170)])
        #expect(incidents.map(\.to) == [.minutes(10), nil])
        #expect(incidents.map(\.all.wellAfter) == [.zero, .zero])
        #expect(incidents.map(\.all.worst?.minute) == [nil, nil])
    }

    @Test func `a failover test is an incident, and a failover that an outage causes is part of it`() {
        let turns = [
            NameTurn(from: Self.minute(31), to: Self.minute(65)),
            NameTurn(from: Self.minute(100), to: Self.minute(110)),
        ]
        let failover = Failover(region: 0, to: 1, way: .name(NameTurns(turns: turns, timeToLive: .minutes(1))))
        let incidents = Self.incidents([Self.outage("lost", 30, 60)], failovers: [failover]) { _, _ in 0 }
        #expect(incidents.map(\.event) == ["lost", "east sent to west"])
        #expect(incidents.map(\.from) == [.minutes(30), .minutes(100)])
    }

    @Test func `all is well once every region is, also where one is too small to be seen in the whole`() throws {
        // Two of the east's requests a minute are lost: a hundredth of its own, and less of all. Then all of them.
        let incident = try #require(
            Self.incidents([Self.outage("lost", 30, 60)]) { region, minute in
                region == 0 && (30..<65).contains(minute) ? (minute < 40 ? 200 : 3) : 0
            }.first)
        // All in all fewer requests than a hundredth fail from minute 40 on.
        #expect(incident.regions[0].part.wellAfter == .minutes(35) && incident.regions[1].part.wellAfter == .zero)
        #expect(incident.all.wellAfter == .minutes(35) && incident.all.until == .minutes(65))
        let never = try #require(
            Self.incidents([Self.outage("lost", 30, 60)]) { region, minute in region == 0 && minute >= 30 ? 3 : 0 }
                .first)
        #expect(never.all.wellAfter == nil && never.all.until == .minutes(180))
    }
}
