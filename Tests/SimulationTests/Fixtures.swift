import Fleet
import Foundation
import ScenarioFiles
import Simulation
import Testing
import WidgetPlatform

/// Scenarios of the laws: small fleets that use every rule of this version.
enum Fixtures {
    /// A fleet with all policies, three surfaces, two segments, location, jitter, user sessions and a failing service.
    static func fleet(people: Int = 200, warmup: String = "1d", duration: String = "2d", kinds: String = Self.kinds, more: String = "")
        -> String
    {
        """
        name: fixture
        start: "2026-03-06T00:00:00-05:00"
        warmup: \(warmup)
        duration: \(duration)
        people: \(people)
        service: {failing: [[30h, 30h20m]], retries: 1, retry_delays: [5s]}
        \(kinds)
        population:
          apps:
            weather: {openings_per_day: 4, navigation_share: 0.5, audio_per_day: 0.5, location_changes_per_year: 60}
          devices:
            - kind: phone
              instances:
                - {id: here, kind: weather, surface: home_first, location: current}
                - {id: lock, kind: quote, surface: lock_screen, location: {chosen: [A, B]}, share: 0.5}
                - {id: note, kind: note, surface: today_view, share: 0.5}
                - {id: clock, kind: clock, surface: home_other, share: 0.5}
        \(more)
        segments:
          - {name: many, share: 0.7}
          - {name: few, share: 0.3, pickups: {unlocks_per_day: 10}}
        """
    }

    static let kinds = """
        kinds:
          - id: weather
            app: weather
            timeline: {shape: series, count: 6, spacing: 1h}
            policy: {after: 20m, jitter: 5m}
            reload_on_open: if_changed
            session_rhythm: 3m
            fix_failure: 0.1
            without_fix: alternate
            versions: {source: steady, every: 1h, spread: 10m, per: place}
          - {id: quote, app: stocks, policy: {after: {at: ["09:30", "16:00"], zone: America/New_York}, jitter: {plus_minus: 5m}}, versions: {source: market, every: 5m}}
          - {id: note, app: notes, policy: never, reload_on_open: always}
          - {id: clock, app: weather, timeline: {shape: until_midnight, spacing: 1h}, policy: at_end, versions: {source: poisson, every: 3h}}
        """

    /// Surroundings that never change, of a population.
    static let still =
        "environment: {text_size_per_year: 0, accessibility_per_year: 0, language_per_year: 0, region_per_year: 0, account_per_year: 0, reboots_per_day: 0, appearance: {light: 1}}"

    static func scenario(_ text: String, _ overrides: [String] = []) throws -> Scenario {
        try ScenarioReader.read(text: text, overrides: overrides).scenario
    }

    static func run(_ text: String, _ overrides: [String] = [], threads: Int = 2) throws -> RunResult {
        try #require(try ScenarioRun(scenario(text, overrides)).run(threads: threads))
    }

    /// The scenarios that the project ships.
    static let shipped: [URL] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files =
            (try? FileManager.default.contentsOfDirectory(at: root.appending(path: "Scenarios"), includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "yaml" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()
}

extension RunResult {
    /// All counts but those of the load curve.
    var counts: [Int64] { measures.counts }

    /// The counts of the devices of each segment and kind of device.
    var deviceBlocks: [BlockSum<DeviceCounts>] {
        (0..<layout.segments).flatMap { segment in
            layout.devices.map { BlockSum(measures, at: layout.place(ofSegment: segment, $0)) }
        }
    }

    /// The counts of the reloads of each line.
    var reloadBlocks: [BlockSum<ReloadCounts>] { layout.lines.indices.map { BlockSum(measures, at: layout.place(ofLine: $0)) } }

    /// The counts of the views of each line, location mode and surface.
    var viewBlocks: [BlockSum<ViewCounts>] { layout.lines.indices.flatMap(viewPlaces).map { BlockSum(measures, at: $0) } }

    /// All devices together.
    var devices: BlockSum<DeviceCounts> { deviceBlocks.reduce(into: BlockSum()) { $0.add($1) } }

    /// All lines together.
    var reloads: BlockSum<ReloadCounts> { reloadBlocks.reduce(into: BlockSum()) { $0.add($1) } }

    /// All lines, location modes and surfaces together.
    var views: BlockSum<ViewCounts> { viewBlocks.reduce(into: BlockSum()) { $0.add($1) } }

    /// All lines and faces together.
    var faces: BlockSum<FaceCounts> {
        BlockSum(
            measures,
            at: layout.lines.indices.flatMap { line in layout.lines[line].faces.indices.map { layout.facePlace(ofLine: line, face: $0) } })
    }

    /// The reloads of a kind's instances on the phones of the first segment; nil if nobody can have such.
    func reloads(ofKind kind: Int) -> BlockSum<ReloadCounts>? {
        layout.line(segment: 0, kind: kind, device: .phone).map { BlockSum(measures, at: layout.place(ofLine: $0)) }
    }

    /// The views of these instances; none if nobody can have such.
    func views(ofKind kind: Int) -> BlockSum<ViewCounts> {
        layout.line(segment: 0, kind: kind, device: .phone).map { BlockSum(measures, at: viewPlaces($0)) } ?? BlockSum()
    }

    /// The views on the lock screen of the first line's instances that do not follow the person.
    var lockScreenViews: BlockSum<ViewCounts> { BlockSum(measures, at: layout.viewPlace(ofLine: 0, mode: .none, surface: .lockScreen)) }

    private var layout: MeasureLayout { measures.layout }

    private func viewPlaces(_ line: Int) -> [BlockPlace<ViewCounts>] {
        CountedMode.allCases.flatMap { mode in
            MeasureLayout.surfaces(of: layout.lines[line].device).map { layout.viewPlace(ofLine: line, mode: mode, surface: $0) }
        }
    }

    /// The requests of all endpoints in a tenth of a second.
    var tenths: [UInt32] { (0..<load.endpoints).flatMap { Array(load.tenths(of: $0)) } }
}

/// Whether a part of a whole is a share, but for what chance may do.
enum Agreement {
    /// Five standard deviations of a binomial share.
    ///
    /// - Parameters:
    ///   - trials: the independent draws behind the share; the whole unless stated.
    ///   - slack: what may be off besides chance.
    static func share(_ part: Int64, of whole: Int64, is share: Double, trials: Double? = nil, besides slack: Double = 0) -> Bool {
        let variance = share * (1 - share) / (trials ?? Double(whole))
        return (Double(part) / Double(whole) - share).magnitude < 5 * variance.squareRoot() + slack
    }

    /// A Poisson count.
    static func count(_ count: Int64, is expected: Double) -> Bool {
        (Double(count) - expected).magnitude < 5 * max(1, expected).squareRoot()
    }

    static func relative(_ count: Int64, _ expected: Double, within tolerance: Double) -> Bool {
        (Double(count) / expected - 1).magnitude < tolerance
    }
}
