import ResultFiles
import Foundation
import Reporting
import ScenarioFiles
import ScenarioModel
import Simulation

/// A scenario of the folder `Scenarios`, read again for each number of people.
struct ShippedScenario {
    let name: String
    private let file: String

    /// The reference workload: every rule at work.
    static let reference = "everything"

    /// All of a folder, the reference workload first, then by name.
    static func all(in folder: String) throws -> [ShippedScenario] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw OutputProblem("the folder of the scenarios, \(folder), cannot be read")
        }
        return names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
            .sorted { ($0 != reference ? 1 : 0, $0) < ($1 != reference ? 1 : 0, $1) }
            .map { ShippedScenario(name: $0, file: folder + "/\($0).yaml") }
    }

    /// The people of one repetition: so many that it takes between half a second and two seconds of core time,
    /// and the reference workload some five. A new scenario has 2,000 until it has a line here.
    var people: Int { Self.people[name] ?? 2_000 }

    func read(people: Int, _ overrides: [String] = []) throws -> ParsedScenario {
        func read(knownMetrics: [KnownMetric]?) throws -> ParsedScenario {
            try ScenarioReader.read(file: file, overrides: overrides + ["people=\(people)"], knownMetrics: knownMetrics)
        }
        let unchecked = try read(knownMetrics: nil)
        return unchecked.scenario.thresholds.isEmpty
            ? unchecked : try read(knownMetrics: SummaryMetrics.all(for: unchecked.scenario))
    }

    private static let people: [String: Int] = [
        "everything": 5_000,
        "at-the-desk": 3_000,
        "banking-privacy": 3_000,
        "calendar-at-end": 8_000,
        "commuters": 4_000,
        "dst-weekend": 10_000,
        "first-look": 10_000,
        "glucose": 1_000,
        "hourly-never": 8_000,
        "local-midnight": 20_000,
        "lock-screen-and-watch": 3_000,
        "market-open": 6_000,
        "notes-never": 10_000,
        "os-release": 3_000,
        "push-or-poll": 2_000,
        "screen-time-single-entry": 3_000,
        "sports-night": 4_000,
        "stack-of-five": 1_000,
        "student-campus": 2_000,
        "transit-commute": 1_500,
        "weather-week": 3_000,
        "world-day": 20_000,
    ]
}
