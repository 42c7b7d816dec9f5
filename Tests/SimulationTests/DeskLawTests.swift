import Basics
import Fleet
import RunLaws
import Simulation
import Statistics
import Testing
import WidgetPlatform

/// Macs are used in hours of their own, show what they should as often as they should, and stand where they stand (D1,
/// V2, R4, L1, D7).
///
/// Rules: D1, V2, R3, R4.
@Suite struct DeskLawTests {
    private static let people = 200
    private static let days = 7

    /// A week from a Monday in one zone; phones are hardly used.
    private static func text(
        _ desk: String, instances: String = Self.both, population: String = "", phone: String = Self.phone
    ) -> String {
        """
        start: "2026-01-12T00:00:00-05:00"
        warmup: 0s
        duration: \(days)d
        people: \(people)
        kinds: [{id: k, app: a, policy: {after: 30m}, versions: {source: steady, every: 1h}}]
        population:
          zones: {America/New_York: 1}
          pickups: {unlocks_per_day: 3, glances_per_unlock: 0}
          \(population)
          devices:
            \(phone)
            - {kind: mac, desk: {\(desk)}, pickups: {days_used: 1}, instances: [\(instances)]}
        """
    }
    private static let both =
        "{id: d, kind: k, surface: desktop, family: system_extra_large}, {id: n, kind: k, surface: notification_center}"
    private static let phone = "- {kind: phone, instances: [{id: i, kind: k}]}"
    private static let fixed = "office_from: \"09:00\", office_time: 8h, evening_from: \"19:30\", evening_time: 90m"
    /// The hours of the local clock, all in one zone without a change.
    private static func hour(_ at: Instant) -> Double {
        (at - .start).inSeconds.truncatingRemainder(dividingBy: 86_400) / 3_600
    }

    private static func devices(_ result: RunResult, _ kind: DeviceKind) -> BlockSum<DeviceCounts> {
        BlockSum(result.measures, at: result.measures.layout.place(ofSegment: 0, kind))
    }

    private static func line(_ result: RunResult, _ kind: DeviceKind) throws -> Int {
        try #require(result.measures.layout.stratum(segment: 0, kind: 0, device: kind))
    }

    private static func reloads(_ result: RunResult, _ kind: DeviceKind) throws -> BlockSum<ReloadCounts> {
        BlockSum(result.measures, at: result.measures.layout.place(ofStratum: try line(result, kind)))
    }

    private static func views(_ result: RunResult, on surface: Surface) throws -> BlockSum<ViewCounts> {
        let line = try line(result, .mac)
        return BlockSum(
            result.measures,
            at: CountedMode.allCases.map {
                result.measures.layout.viewPlace(ofStratum: line, mode: $0, surface: surface)
            })
    }

    @Test func `a Mac is used in its hours alone, in the office on workdays by its share of people`() throws {
        let run = try ScenarioRun(try Fixtures.scenario(Self.text("office: 0.3, looks_per_hour: 20, \(Self.fixed)")))
        var (office, users): (Int64, Int64) = (0, 0)
        for person in 0..<Self.people {
            let rows = run.trace(person: person).rows.filter {
                $0.device == "mac" && [.pickup, .lock, .view].contains($0.event)
            }
            guard let first = rows.first else { continue }
            users += 1
            let isOffice = Self.hour(first.time) < 18
            office += isOffice ? 1 : 0
            let hours = isOffice ? 9.0...17.0 : 19.5...21.0
            for row in rows {
                #expect(
                    hours.contains(Self.hour(row.time)), "person \(person): \(row.event) at \(row.time.microseconds)")
                #expect(
                    !isOffice || row.time < run.scenario.plan.begin + .days(5),
                    "person \(person): \(row.event) on a free day")
            }
        }
        #expect(users > Int64(Self.people) * 9 / 10)
        #expect(Agreement.share(office, of: users, is: 0.3, besides: 0.02), "\(office) of \(users)")
    }

    @Test func `sessions show the notification center in their share, and the desktop at its rate while they last`()
        throws
    {
        let result = try Fixtures.run(Self.text("notification_center: 0.25, looks_per_hour: 6, covered: 0.7"))
        let mac = Self.devices(result, .mac)
        let (sessions, looks) = (mac[.sessions], mac[.looks])
        #expect(sessions > 4_000)
        let centers = try Self.views(result, on: .notificationCenter).sum(.views.all)
        #expect(Agreement.share(centers, of: sessions, is: 0.25), "\(centers) of \(sessions)")
        let hours = Double(mac.wide(.sessionTime)) / 3.6e9
        #expect(Agreement.count(looks, is: 6 * hours), "\(looks) in \(hours) h")
        // Each look is a view of what stands there.
        #expect(try Self.views(result, on: .desktop).sum(.views.all) == looks)
        let line = try Self.line(result, .mac)
        var (low, all): (Int64, Int64) = (0, 0)
        for (index, face) in result.measures.layout.strata[line].faces.enumerated() {
            let counts = BlockSum(result.measures, at: result.measures.layout.facePlace(ofStratum: line, face: index))
            for look in Presentation.allCases where counts[.views(look)] > 0 {
                #expect(look.renderingMode == .fullColor && (look.luminance == .active || face.surface == .desktop))
                if face.surface == .desktop { all += counts[.views(look)] }
                if look.luminance == .low { low += counts[.views(look)] }
            }
        }
        #expect(Agreement.share(low, of: all, is: 0.7), "\(low) of \(all)")
    }

    @Test
    func `windows over the desktop dim its widgets, and change no reload, no request and nothing else that is seen`()
        throws
    {
        func run(_ covered: String) throws -> RunResult {
            try Fixtures.run(Self.text("covered: \(covered), looks_per_hour: 6"))
        }
        let (free, half, always) = (try run("0"), try run("0.5"), try run("1"))
        for other in [half, always] {
            #expect(
                other.tenths == free.tenths && other.reloadBlocks == free.reloadBlocks
                    && other.viewBlocks == free.viewBlocks)
        }
        // The appearance renders again too, in each of these alike.
        func dimmed(_ result: RunResult) -> Int64 { result.devices[.rerenders] - free.devices[.rerenders] }
        #expect(
            dimmed(always) > 0 && dimmed(always) <= Int64(Self.people), "once a Mac, for good, most before the report")
        // Every other look finds the desktop otherwise than the one before.
        let looks = Self.devices(half, .mac)[.looks]
        #expect(Agreement.share(dimmed(half), of: looks, is: 0.5, besides: 0.01), "\(dimmed(half)) of \(looks)")
    }

    @Test func `a person's Mac moves nothing on their phone`() throws {
        let alone = try Fixtures.run(
            Self.text("").split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("kind: mac") }
                .joined(separator: "\n"))
        let beside = try Fixtures.run(Self.text(""))
        #expect(try Self.reloads(alone, .phone) == Self.reloads(beside, .phone))
        #expect(Self.devices(alone, .phone) == Self.devices(beside, .phone))
        #expect(
            alone.measures.layout.devices == [.phone, .tablet, .watch] && beside.measures.layout.devices.last == .mac)
        #expect(Self.devices(beside, .mac)[.people] == 0 && Self.devices(beside, .mac)[.devices] == Int64(Self.people))
    }

    @Test
    func `a widget of the phone is on the Macs of those who carry one, in its line and with an account of its own`()
        throws
    {
        let remote = "{id: d, kind: k, from_phone: true}"
        let some = try Fixtures.run(
            Self.text("", instances: remote, phone: "- {kind: phone, share: 0.6, instances: [{id: i, kind: k}]}"))
        let carried = Self.devices(some, .phone)[.devices]
        #expect(carried < Int64(Self.people) && carried > Int64(Self.people) / 3)
        #expect(try Self.reloads(some, .mac)[.instances] == carried)
        #expect(try Self.reloads(some, .mac).pool(.own)[.accounts] == carried)
        // It reloads on the Mac as if it were the Mac's own, and takes nothing from the phone's account.
        let own = try Fixtures.run(Self.text("", instances: "{id: d, kind: k}"))
        let all = try Fixtures.run(Self.text("", instances: remote))
        #expect(all.counts == own.counts && all.tenths == own.tenths)
        let requests = try Self.reloads(all, .mac).sum(.requestsSent.all)
        #expect(requests > 0)
        #expect(
            try Self.reloads(all, .phone).sum(.requestsSent.all) + requests == all.tenths.reduce(0) { $0 + Int64($1) })
    }

    @Test func `a Mac that is not portable reports no change of place, and one that is reports those of its person`()
        throws
    {
        func run(_ portable: String) throws -> RunResult {
            try Fixtures.run(
                Self.text(
                    "office: 0, portable: \(portable), looks_per_hour: 6",
                    instances: "{id: d, kind: k, location: current}",
                    population: "movement: {travel: {per_year: 0}}"))
        }
        let (pendingDevice, taken) = (try run("0"), try run("1"))
        #expect(
            Self.devices(pendingDevice, .mac)[.significantChanges] == 0
                && Self.devices(taken, .phone)[.significantChanges] > 1_000)
        #expect(Self.devices(taken, .mac)[.significantChanges] == Self.devices(taken, .phone)[.significantChanges])
        // At home it shows home.
        #expect(try Self.views(pendingDevice, on: .desktop)[.views(.wrongPlace)] == 0)
        #expect(try Self.views(taken, on: .desktop)[.views(.wrongPlace)] > 0)
        #expect(try Self.reloads(pendingDevice, .mac)[.started(.location, charged: false)] == 0)
    }

    @Test func `a Mac that stands elsewhere keeps its zone, and is not used while its person is away`() throws {
        let text = Self.text("office: 0, portable: 0", population: "movement: {travel: {per_year: 60, stay: 2d}}")
            .replacing("zones: {America/New_York: 1}", with: "cities: us")
        let result = try Fixtures.run(text)
        #expect(Self.devices(result, .mac)[.zoneCrossings] == 0 && Self.devices(result, .phone)[.zoneCrossings] > 20)
        let atHome = try Fixtures.run(text.replacing("per_year: 60", with: "per_year: 0"))
        let share = Double(Self.devices(result, .mac)[.sessions]) / Double(Self.devices(atHome, .mac)[.sessions])
        #expect(share > 0.3 && share < 0.95, "\(share)")
    }

    @Test func `a Mac on power is never low on it`() throws {
        func episodes(_ desk: String) throws -> Int64 {
            let result = try Fixtures.run(
                Self.text(desk, population: "power: {low_power_per_day: 2, low_power_length: 1h}"))
            #expect(Self.devices(result, .phone)[.lowPowerEpisodes] > 0)
            return Self.devices(result, .mac)[.lowPowerEpisodes]
        }
        #expect(try episodes("portable: 0, on_power: 0") == 0)
        #expect(try episodes("portable: 1, on_power: 1") == 0)
        let (half, all) = (try episodes("portable: 1, on_power: 0.5"), try episodes("portable: 1, on_power: 0"))
        #expect(Agreement.share(half, of: all, is: 0.5, trials: Double(Self.people)), "\(half) of \(all)")
    }

    @Test func `a Mac that waits for an answer continues as if it had not`() throws {
        let text = Self.text(
            "looks_per_hour: 6, portable: 0.5", population: "movement: {travel: {per_year: 60, stay: 2d}}"
        )
        .replacing("zones: {America/New_York: 1}", with: "cities: us").replacing(
            "people: \(Self.people)", with: "people: 60")
        let plain = try Fixtures.scenario(text)
        var served = plain
        served.service = ServiceFixtures.unlimited(for: plain.plan)
        let (without, with) = (try ServiceFixtures.run(plain), try ServiceFixtures.run(served))
        #expect(with.counts == without.counts && with.tenths == without.tenths)
    }

    @Test func `the first day is like any other: histories know the hours of a Mac`() throws {
        for desk in ["office: 1, looks_per_hour: 10", "office: 0, looks_per_hour: 10"] {
            func allowance(_ warmup: Int) throws -> Double {
                let text = Self.text(desk).replacing("warmup: 0s", with: "warmup: \(warmup)d")
                    .replacing("duration: \(Self.days)d", with: "duration: 1d").replacing(
                        "people: \(Self.people)", with: "people: 1600")
                return Double(try Self.reloads(Fixtures.run(text), .mac).pool(.own)[.allowance]) / 1e6 / 1_600
            }
            let (first, later) = (try allowance(0), try allowance(14))
            // Looks that bedtime and the ends of the hours cut off are not foreseen: a sixth of an evening. Chance is a
            // fortieth.
            #expect((first / later - 1).magnitude < 0.2, "\(desk): \(first) and \(later)")
        }
    }

    @Test func `protected content on a Mac is seen in sessions alone, so never as a placeholder once it is there`()
        throws
    {
        let text = Self.text("looks_per_hour: 6").replacing(
            "{after: 30m},", with: "{after: 30m}, data_protection: complete,")
        let result = try Fixtures.run(text)
        #expect(try Self.views(result, on: .desktop)[.views(.placeholder)] == 0)
        #expect(try Self.views(result, on: .desktop).sum(.views.all) > 1_000)
        #expect(try Self.reloads(result, .mac)[.waits(.granted, .protection).number] > 0)
    }
}
