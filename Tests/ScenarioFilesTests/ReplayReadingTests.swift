import Basics
import Foundation
import Reporting
import ScenarioModel
import Simulation
import Testing
import WidgetPlatform

@testable import ScenarioFiles

/// Recorded devices and their events (D10).
///
/// Rules: T3, D10.
@Suite struct ReplayReadingTests {
    static let scenario = """
        start: 2026-03-07T00:00:00-05:00
        end: 3d
        kinds: [{id: k, app: maps, policy: never}]
        devices:
          - id: d
            zone: America/New_York
            usual_waking: {from: "22:00", to: "06:00"}
            surface_shown: {home_first: 1}
            signed_in: [maps]
            instances:
              - {id: w, kind: k, location: {chosen: Tokyo}, history: [3, 4], opening_balance: 1.5, initial: {fetched: 0s, place: home}}
              - {id: v, kind: k, surface: lock_screen, location: current, location_mode: denied, installed_at: 1h}
          - {id: e, zone: UTC, instances: [{id: w, kind: k}]}
        """

    private func read(_ replay: String, overrides: [String] = []) throws -> ParsedScenario {
        try ScenarioReader.read(text: Self.scenario, replay: replay, overrides: overrides)
    }

    @Test func `events of one instant come in the order of their ranks, then of their lines`() throws {
        let device = try read(
            """
            d,60,push,maps
            d,60,interact,w
            d,60,tap,v
            d,60,view,w
            d,60,environment,language
            d,60,move,work 5000 0
            d,60,lock,
            d,60,wake,
            d,30,pickup,
            d,60,pickup,
            """
        ).scenario.plan.replay[0]
        #expect(device.events.map { $0.time.microseconds / 1_000_000 } == [30, 60, 60, 60, 60, 60, 60, 60, 60, 60])
        let kinds = device.events.map { String("\($0.event)".prefix { $0 != "(" }) }
        #expect(
            kinds == [
                "pickup", "wake", "lock", "pickup", "move", "environment", "viewInstance", "interact", "tap", "push",
            ])
    }

    @Test func `times since 1970 are told from seconds after the start by their size`() throws {
        // 2026-03-07T07:00:00-05:00.
        let times = ["25200", "1772884800", "1772884800000", "1772884800000000000", "2026-03-07 07:00:00.0000009"]
        let plan = try read("device;time;event\n" + times.map { "d;\($0);glance\n" }.joined()).scenario.plan
        #expect(plan.replay[0].events.map(\.time.microseconds) == [Int64](repeating: 25_200_000_000, count: 5))
    }

    @Test func `times are seconds, local to the device, or with an offset`() throws {
        let plan = try read(
            "device,time,event,detail\nd,0.000001,glance,\nd,2026-03-07T07:00,glance,\nd,2026-03-07T12:30:00Z,glance,\ne,2026-03-07T07:00,glance,\n"
        ).scenario.plan
        #expect(plan.replay[0].events.map(\.time.microseconds) == [1, 25_200_000_000, 27_000_000_000])
        #expect(plan.replay[1].events.map(\.time) == [.start + .hours(2)])
    }

    @Test func `a local time that a zone skips is read with the offset before it`() throws {
        // New York skips 02:00 to 03:00 on 8 March 2026.
        let device = try read("d,2026-03-08T02:30,glance,\nd,2026-03-08T03:30,glance,\n").scenario.plan.replay[0]
        let expected = Instant.start + Basics.Duration.minutes(1590)
        #expect(device.events.map(\.time) == [expected, expected])
    }

    @Test func `names become indices and places keep one key`() throws {
        let plan = try read(
            "d,60,move,work 5000 0.5\nd,70,move,home 0 0\nd,80,move,work 5000 0.5\nd,90,view,home_first\nd,91,view,v\nd,92,environment,time_zone=Europe/London\nd,93,app_trigger,k\n",
            overrides: ["devices.d.instances.w.initial.place=work"]
        ).scenario.plan
        let device = plan.replay[0]
        guard case .move = device.events[0].event, let work = device.events[0].place, let home = device.events[1].place,
            let again = device.events[2].place,
            case .viewSurface(.homeFirst) = device.events[3].event, case .viewInstance(1) = device.events[4].event,
            case .environment(.timeZone, let zone) = device.events[5].event,
            case .appTrigger(kind: 0) = device.events[6].event
        else {
            Issue.record("other actions: \(device.events)")
            return
        }
        #expect(home.key == 1 && work.key == 2 && again == work && work.point == Point(x: 5_000_000, y: 500))
        #expect(plan.zones[zone].name == "Europe/London" && device.place.key == 1)
        #expect(
            device.instances[0].initial?.place == work && device.instances[0].openingBalance == 1_500_000
                && device.instances[0].history == [3, 4])
        #expect(
            device.instances[0].placement.location == .chosen(["Tokyo"]) && device.instances[1].mode == .denied
                && device.instances[1].initial == nil)
        #expect(device.instances[1].installedAt == .start + .hours(1) && device.signedIn == [0])
        #expect(
            device.usualWaking.workday.from == ClockTime(hour: 22, minute: 0)
                && device.usualWaking.workday.to == ClockTime(hour: 6, minute: 0))
        #expect(
            device.surfaceShown[Int(Surface.homeFirst.rawValue)]
                && !device.surfaceShown[Int(Surface.homeOther.rawValue)])
    }

    @Test func `a replay has its own defaults, and one segment that only names it`() throws {
        let scenario = try read("d,60,move,work 1 1\n").scenario
        #expect(
            scenario.people == 2 && scenario.isReplay && scenario.plan.warmup == .zero
                && scenario.plan.segments.map(\.name) == ["replay"])
        #expect(
            scenario.plan.parameters.dispatchDelay == .init(.constant(0))
                && scenario.plan.requests.legs.out == .init(.constant(0)))
        let parameters = scenario.plan.parameters
        for delay in [parameters.freeDelay, parameters.interactionDelay, parameters.environmentSpread] {
            #expect(delay == .init(.constant(0)))
        }
        #expect(scenario.plan.kinds[0].fixTime == .init(.constant(0)))
        #expect(scenario.plan.parameters.minGap == .minutes(5) && scenario.plan.parameters.dimmedCadence == .zero)
    }

    @Test func `a tablet's display does not dim`() throws {
        let text = """
            start: "2026-03-02T00:00:00Z"
            end: 1h
            kinds: [{id: k, policy: never}]
            devices: [{id: t, kind: tablet, zone: UTC, instances: [{id: i, kind: k}]}]
            replay: events.csv
            """
        #expect {
            _ = try ScenarioReader.read(text: text, replay: "t,60,low_luminance,\n")
        } throws: { error in
            (error as? ScenarioProblems)?.problems.map { "\($0)" }.contains {
                $0.contains("tablets have no always-on display")
            } ?? false
        }
    }

    @Test func `windows cover a Mac's desktop and free it, and no other device's`() throws {
        let text = """
            start: "2026-03-02T00:00:00Z"
            end: 1h
            kinds: [{id: k, policy: never}]
            devices:
              - {id: m, kind: mac, zone: UTC, surface_shown: {desktop: 1}, instances: [{id: i, kind: k}, {id: j, kind: k, surface: notification_center, family: system_large}]}
              - {id: p, zone: UTC, instances: [{id: i, kind: k}]}
            replay: events.csv
            """
        let mac = try ScenarioReader.read(
            text: text, replay: "m,60,desktop_covered,\nm,70,view,desktop\nm,80,desktop_free,\n"
        ).scenario.plan.replay[0]
        guard case .desktopCover(true) = mac.events[0].event, case .viewSurface(.desktop) = mac.events[1].event,
            case .desktopCover(false) = mac.events[2].event
        else {
            Issue.record("other actions: \(mac.events)")
            return
        }
        #expect(mac.kind == .mac && mac.instances.map(\.placement.surface) == [.desktop, .notificationCenter])
        #expect(mac.surfaceShown == Surface.allCases.map { $0 == .desktop })
        for (line, words) in [
            ("p,60,desktop_covered,", "which belongs to a mac"), ("m,60,watch_on,", "which belongs to a watch"),
            ("m,60,low_luminance,", "macs have no always-on display"), ("m,60,view,home_first", "a surface of a mac"),
        ] {
            #expect {
                _ = try ScenarioReader.read(text: text, replay: line + "\n")
            } throws: { error in
                (error as? ScenarioProblems)?.problems.map { "\($0)" }.contains { $0.contains(words) } ?? false
            }
        }
    }

    @Test func `a watch comes off and on, and a display dims`() throws {
        let text = """
            start: 2026-03-07T00:00:00-05:00
            end: 3d
            kinds: [{id: k, policy: never, relevance: {base: 2}}]
            devices:
              - id: w
                kind: watch
                zone: America/New_York
                hide_always_on: true
                accented: true
                stacks: [{id: s, rotations_per_day: 2}]
                instances:
                  - {id: a, kind: k, stack: s}
                  - {id: b, kind: k, stack: s, surface: watch_face}
                  - {id: c, kind: k, family: accessory_corner}
              - {id: p, zone: UTC, stacks: [{id: t, surface: today_view}], instances: [{id: a, kind: k, stack: t}, {id: b, kind: k, surface: standby}]}
            """
        let replay = """
            w,60,watch_off,
            w,70,watch_on,
            w,80,low_luminance,
            w,90,view,watch_face
            w,100,environment,system_update
            p,60,low_luminance,
            p,70,view,standby

            """
        let read = try ScenarioReader.read(text: text, replay: replay)
        let (watch, phone) = (read.scenario.plan.replay[0], read.scenario.plan.replay[1])
        guard case .watchOff = watch.events[0].event, case .watchOn = watch.events[1].event,
            case .lowLuminance = watch.events[2].event,
            case .viewSurface(.watchFace) = watch.events[3].event,
            case .environment(.systemUpdate, -1) = watch.events[4].event,
            case .lowLuminance = phone.events[0].event, case .viewSurface(.standby) = phone.events[1].event
        else {
            Issue.record("other actions: \(watch.events), \(phone.events)")
            return
        }
        #expect(
            watch.kind == .watch && watch.hidesAlwaysOn && watch.isAccented && !phone.hidesAlwaysOn && !phone.isAccented
        )
        #expect(watch.stacks == [StackPlan(id: "s", flipShare: 0, rotationsPerDay: 2)])
        #expect(
            watch.instances.map(\.placement.stack) == [0, 0, nil]
                && watch.instances.allSatisfy { $0.placement.surface == .watchFace })
        #expect(watch.instances.map(\.placement.family) == [.accessoryCircular, .accessoryCircular, .accessoryCorner])
        #expect(
            phone.stacks == [StackPlan(id: "t", flipShare: 0, rotationsPerDay: 4)]
                && phone.instances[0].placement.surface == .todayView)
        #expect(read.scenario.plan.pushCampaigns.isEmpty && read.scenario.plan.releases.isEmpty)
        let again = try ScenarioReader.read(text: read.resolvedText, replay: replay)
        #expect(again.resolvedText == read.resolvedText && "\(again.scenario)" == "\(read.scenario)")
    }

    @Test func `what lies after the end is left out, with a warning`() throws {
        let read = try read("d,60,move,work 1 1\nd,259200,glance,\nd,259199.999999,glance,\n")
        #expect(read.scenario.plan.replay[0].events.count == 2)
        #expect(read.warnings() == ["events.csv: 1 event at or after the end is left out"])
    }

    @Test func `columns stand in any order under a header, and go by other names if these are stated`() throws {
        let plain = try read("d,60,glance,\nd,90,move,work 1 1\n").scenario.plan.replay[0].events
        let sorted = try read("note,event,time,detail,device\nx,glance,60,,d\nx,move,90,work 1 1,d\n").scenario.plan
            .replay[0].events
        #expect("\(sorted)" == "\(plain)")
        let named = "replay: {file: events.csv, columns: {device: user_id, time: ts, event: what, detail: where}}"
        let text = Self.scenario + "\n" + named + "\n"
        let renamed = try ScenarioReader.read(
            text: text, replay: "TS,what,user_id,where\n60,glance,d,\n90,move,d,work 1 1\n")
        #expect("\(renamed.scenario.plan.replay[0].events)" == "\(plain)")
        let again = try ScenarioReader.read(
            text: renamed.resolvedText, replay: "ts,what,user_id,where\n60,glance,d,\n90,move,d,work 1 1\n")
        #expect(again.resolvedText == renamed.resolvedText)
        #expect { try ScenarioReader.read(text: text, replay: "d,60,glance,\n") } throws: {
            "\($0)"
                == "events.csv:1:1: expected a header with the columns user_id, ts, what, where, found 'd,60,glance,'"
        }
    }

    @Test func `a replay follows what the command people writes`() throws {
        let record = """
            person,time,event,detail
            d,2026-03-07T07:00:00-05:00,wake,
            d,2026-03-07T07:05:00-05:00,unlock,
            d,2026-03-07T07:06:00-05:00,lock,
            d,2026-03-07T08:00:00-05:00,trip_start,work
            d,2026-03-07T08:12:00-05:00,change,
            d,2026-03-07T08:30:00-05:00,trip_end,work 50005000 -200.5
            d,2026-03-07T18:00:00-05:00,trip_end,home 50000000 10
            e,2026-03-07T17:00:00-05:00,trip_end,other 60000003 10
            e,2026-03-07T18:00:00-05:00,trip_end,home 60000007 10
            """
        let read = try read(record)
        let kinds = read.scenario.plan.replay[0].events.map { String("\($0.event)".prefix { $0 != "(" }) }
        #expect(kinds == ["wake", "pickup", "lock", "move", "move"])
        #expect(read.warnings() == ["events.csv: 2 rows with trip_start or change left out"])
        // Everybody's home is another place, and where it is everything else is measured from.
        let places = read.scenario.plan.replay.map { device in
            device.events.compactMap(\.place)
        }
        #expect(places[0].map(\.point) == [Point(x: 5_000_000, y: -210_500), Point(x: 0, y: 0)])
        #expect(places[1].map(\.point) == [Point(x: -4_000, y: 0), Point(x: 0, y: 0)])
        #expect(Set(places.flatMap { $0 }.map(\.key)).count == 4)
    }

    @Test func `a record that is packed is named, with the cure`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "reloadsim-packed-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try (Self.scenario + "\nreplay: {file: day.csv.gz}\n").write(
            to: folder.appending(path: "replay.yaml"), atomically: true, encoding: .utf8)
        try Data([0x1F, 0x8B, 8, 0, 1, 2, 3]).write(to: folder.appending(path: "day.csv.gz"))
        #expect { try ScenarioReader.read(file: folder.appending(path: "replay.yaml").path) } throws: {
            "\($0)".contains(
                "replay.file: expected a file of recorded events as CSV, found a file packed by gzip: unpack it first, as in `gunzip -k FILE.gz`"
            )
        }
        #expect { try CSVTable.read(file: folder.appending(path: "day.csv.gz").path) } throws: {
            "\($0)".contains("packed by gzip")
        }
    }

    @Test func `the replay's file is looked for beside the scenario`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "reloadsim-replay-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try (Self.scenario + "\nreplay: {file: day.csv}\n").write(
            to: folder.appending(path: "replay.yaml"), atomically: true, encoding: .utf8)
        try "\u{FEFF}Device,Time,Event,Detail\r\nd,60,move,\"work 1 1\"\r\n\r\nd, 61, glance\r\n".write(
            to: folder.appending(path: "day.csv"), atomically: true, encoding: .utf8)
        let read = try ScenarioReader.read(file: folder.appending(path: "replay.yaml").path)
        #expect(read.scenario.plan.replay[0].events.count == 2)
        let again = try ScenarioReader.read(text: read.resolvedText, file: folder.appending(path: "replay.yaml").path)
        #expect(again.resolvedText == read.resolvedText && "\(again.scenario)" == "\(read.scenario)")
    }

    @Test func `a replay full of problems is not read to its end`() throws {
        let problems = #expect(throws: ScenarioProblems.self) {
            try read((0..<1000).map { "d,\($0),nonsense\($0),\n" }.joined())
        }
        #expect((problems?.problems.count ?? 0) < 60)
    }
}
