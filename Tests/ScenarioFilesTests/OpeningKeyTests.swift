import Basics
import People
import Reporting
import ScenarioModel
import Simulation
import Statistics
import Testing
import WidgetPlatform

@testable import ScenarioFiles

/// The keys of surfaces that are opened (V7–V9), and of tiles (N13).
///
/// Rules: V9, N13.
@Suite struct OpeningKeyTests {
    private static func read(kinds: String = kinds, device: String) throws -> Scenario {
        try ScenarioReader.read(
            text: """
                start: "2026-03-02T00:00:00-05:00"
                duration: 1d
                people: 100
                kinds: [\(kinds)]
                population: {devices: [\(device)]}
                """
        ).scenario
    }

    private static let kinds = "{id: rain, policy: {after: 30m}}"

    private static func problems(kinds: String = kinds, device: String) -> [String] {
        do {
            _ = try read(kinds: kinds, device: device)
            return []
        } catch let problems as ScenarioProblems {
            return problems.problems.map { "\($0)" }
        } catch {
            return ["\(error)"]
        }
    }

    private static func habits(_ device: String) throws -> OpeningHabits {
        try read(device: device).plan.segments[0].devices[0].habits.openings
    }

    @Test func `habits are there where a widget stands on the surface, and nowhere else`() throws {
        #expect(try Self.habits("{kind: watch, instances: [{id: w, kind: rain}]}") == .never)
        #expect(try Self.habits("{instances: [{id: w, kind: rain}]}") == .never)
        let stack = try Self.habits("{kind: watch, instances: [{id: w, kind: rain, surface: smart_stack}]}")
        #expect(stack.openings.perDay == 8 && stack.workouts.perDay == 2.0 / 7 && stack.drives == .never)
        let bundled = try Self.habits(
            "{kind: watch, bundles: [{id: b, widgets: [{kind: rain, surfaces: [watch_face, smart_stack]}]}]}")
        #expect(bundled == stack)
        let car = try Self.habits("{instances: [{id: w, kind: rain, surface: car}]}")
        #expect(car.drives.share == 0.5 && car.drives.tripShare == 0.7 && car.drives.shownShare == 0.2)
        #expect(car.openings == .never)
        let tiles = try Self.habits(
            "{kind: watch, platform: android, tiles: {hours: morning, further: 0.2}, instances: [{id: w, kind: rain}]}")
        #expect(tiles.openings.perDay == 10 && tiles.furtherShare == 0.2 && tiles.workouts == .never)
        #expect(tiles.openings.hours.count == 24 && Set(tiles.openings.hours).count > 1)
    }

    @Test func `a widget of such a surface has a size of its own`() throws {
        func placement(_ device: String) throws -> Placement {
            try Self.read(device: device).plan.segments[0].devices[0].placements[0]
        }
        let stack = try placement("{kind: watch, instances: [{id: w, kind: rain, surface: smart_stack}]}")
        #expect(stack.family == .accessoryRectangular)
        #expect(try placement("{instances: [{id: w, kind: rain, surface: car}]}").family == .systemSmall)
        let tile = try placement("{kind: watch, platform: android, instances: [{id: w, kind: rain}]}")
        #expect(tile.surface == .tile && tile.family == .tile)
    }

    @Test func `a tile is fresh for as long as its kind says, or as its policy asks`() throws {
        func freshness(_ kind: String) throws -> Basics.Duration? {
            let device = "{kind: watch, platform: android, instances: [{id: w, kind: rain}]}"
            return try Self.read(kinds: "{id: rain, \(kind)}", device: device).plan.kinds[0].android?.freshness
        }
        #expect(try freshness("policy: {after: 5m}") == .minutes(5))
        #expect(try freshness("policy: {after: 20s}") == .minutes(1))
        #expect(try freshness("policy: never") == nil)
        #expect(try freshness("policy: {after: 5m}, android: {freshness: 1h}") == .hours(1))
        #expect(try freshness("policy: {after: 5m}, android: {}") == nil)
        let android = try #require(
            try Self.read(device: "{kind: watch, platform: android, instances: [{id: w, kind: rain}]}").plan.android)
        #expect(android.tileRequestGap == .seconds(20))
    }

    @Test func `what cannot be is refused, with a cure`() {
        let cases = [
            (
                Self.kinds, "{kind: watch, instances: [{id: w, kind: rain, surface: tile}]}",
                "platform: android on a watch"
            ),
            (Self.kinds, "{instances: [{id: w, kind: rain, surface: smart_stack}]}", "a surface of a phone"),
            (
                Self.kinds, "{platform: android, instances: [{id: w, kind: rain, surface: car}]}",
                "home_first or home_other"
            ),
            (
                Self.kinds, "{kind: watch, smart_stack: {}, instances: [{id: w, kind: rain}]}",
                "an instance on smart_stack beside smart_stack"
            ),
            (Self.kinds, "{car: {}, instances: [{id: w, kind: rain}]}", "an instance on car beside car"),
            (Self.kinds, "{tiles: {}, instances: [{id: w, kind: rain}]}", "belongs to a watch"),
            (
                Self.kinds,
                "{kind: watch, stacks: [{id: s, surface: smart_stack}], instances: [{id: w, kind: rain, stack: s}]}",
                "a surface that stacks stand on"
            ),
            (
                Self.kinds, "{kind: watch, platform: android, handling: {nights: 1}, instances: [{id: w, kind: rain}]}",
                "no handling on a watch"
            ),
            (
                "{id: rain, policy: never, android: {freshness: 59s}}",
                "{kind: watch, platform: android, instances: [{id: w, kind: rain}]}", "1m"
            ),
            (
                "{id: rain, policy: {after: {every: 1h}}}",
                "{kind: watch, platform: android, instances: [{id: w, kind: rain}]}", "freshness: 10m"
            ),
            (
                Self.kinds,
                "{kind: watch, smart_stack: {hours: [\(Array(repeating: "0", count: 24).joined(separator: ", "))]}, instances: [{id: w, kind: rain, surface: smart_stack}]}",
                "an hour with a weight above 0"
            ),
        ]
        for (kinds, device, expected) in cases {
            let found = Self.problems(kinds: kinds, device: device)
            #expect(found.contains { $0.contains(expected) }, "\(kinds) \(device): \(found)")
        }
    }

    @Test func `clues that nothing heeds are warned of, and a Smart Stack heeds relevance as a stack does`() throws {
        func warnings(_ relevance: String, surface: String) throws -> [String] {
            try ScenarioReader.read(
                text: """
                    start: "2026-03-02T00:00:00-05:00"
                    duration: 1d
                    people: 100
                    kinds: [{id: rain, policy: never, relevance: \(relevance)}]
                    population: {devices: [{kind: watch, instances: [{id: w, kind: rain, surface: \(surface)}]}]}
                    """
            ).warnings().filter { $0.contains("relevance") }
        }
        #expect(try warnings("{base: 1, workout: 2}", surface: "smart_stack").isEmpty)
        #expect(try warnings("{base: 1}", surface: "watch_face").count == 1)
        #expect(try warnings("{base: 1, workout: 2}", surface: "watch_face").count == 1)
    }

    @Test func `a replay opens what stands on its device, and nothing is viewed there without`() {
        func problems(_ line: String, device: String) -> [String] {
            do {
                _ = try ScenarioReader.read(
                    text: """
                        start: "2026-03-02T00:00:00+00:00"
                        end: 1d
                        kinds: [\(Self.kinds)]
                        devices: [{id: d, zone: UTC, \(device)}]
                        """, replay: line)
                return []
            } catch let problems as ScenarioProblems {
                return problems.problems.map { "\($0)" }
            } catch {
                return ["\(error)"]
            }
        }
        let watch = "kind: watch, instances: [{id: w, kind: rain, surface: smart_stack}]"
        let tiles = "kind: watch, platform: android, instances: [{id: w, kind: rain}]"
        #expect(problems("d,10,open,smart_stack", device: watch).isEmpty)
        #expect(problems("d,10,open,w", device: tiles).isEmpty)
        #expect(problems("d,10,open,tile", device: tiles).isEmpty)
        for (line, device, expected) in [
            ("d,10,open,w", watch, "a surface of the device that is opened"),
            ("d,10,open,car", watch, "a surface of the device that is opened"),
            ("d,10,view,w", watch, "open in place of view"),
            ("d,10,view,smart_stack", watch, "open in place of view"),
            ("d,10,workout_start,", "instances: [{id: w, kind: rain}]", "belongs to a watch"),
        ] {
            #expect(problems(line, device: device).contains { $0.contains(expected) }, "\(line)")
        }
    }
}
