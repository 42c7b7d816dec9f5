import Basics
import Foundation
import RunLaws
import ScenarioModel
import Simulation
import WidgetPlatform

/// Times of worked cases, read by code of the tests' own.
enum CaseTime {
    /// A local date-time of the case's first device, or ISO-8601 with an offset, in microseconds after the start.
    static func microseconds(_ text: String, in scenario: Scenario) -> Int64 {
        let (main, fraction) = text.split(separator: ".", maxSplits: 1).count == 2 ? split(text) : (text, 0)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        let plan = scenario.plan
        formatter.timeZone = TimeZone(identifier: plan.zones[plan.replay[0].zone].name)
        for format in [
            "yyyy-MM-dd'T'HH:mm:ssXXXXX", "yyyy-MM-dd'T'HH:mmXXXXX", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm",
        ] {
            formatter.dateFormat = format
            if let date = formatter.date(from: main) {
                return Int64(date.timeIntervalSince1970.rounded()) * 1_000_000 + fraction
                    - plan.clock.startUnixMicroseconds
            }
        }
        return .min
    }

    private static func split(_ text: String) -> (String, Int64) {
        let dot = text.firstIndex(of: ".")!
        let digits = text[text.index(after: dot)...].prefix { $0.isNumber }
        let rest = text[text.index(dot, offsetBy: digits.count + 1)...]
        return (String(text[..<dot] + rest), Int64(digits.padding(toLength: 6, withPad: "0", startingAt: 0))!)
    }
}

/// Durations such as `1h30m`, read by code of the tests' own.
enum DurationText {
    static func microseconds(_ text: String) -> Int64 {
        let units: [(String, Int64)] = [
            ("us", 1), ("ms", 1_000), ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000),
        ]
        var total: Int64 = 0
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let unit = units.first { rest.hasPrefix($0.0) }!
            total += Int64(digits)! * unit.1
            rest = rest.dropFirst(unit.0.count)
        }
        return total
    }
}

/// Runs a scenario for its measures.
enum ScenarioRunner {
    static func measures(of scenario: Scenario, threads: Int = 1) -> RunResult? {
        guard let run = try? ScenarioRun(scenario) else { return nil }
        return run.run(threads: threads)
    }
}

/// Sums over the accounts of a result, as its tables have them.
enum TokenCounts {
    /// Microtokens opening, accrued, spent, expired and closing.
    static func microtokens(_ result: RunResult) -> [Int64] {
        let pools = result.reloads.allPools
        return [
            pools[.opening], pools.sum(.accrued), pools.sum(.spent) * AllowanceRule.token, pools.sum(.expired),
            pools[.closing],
        ]
    }
}
