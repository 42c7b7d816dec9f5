import Foundation
import Testing

/// Extremes of a scenario end in a sentence or in a bound, and never in a trap on their way from one type of number to
/// another.
///
/// Rules: T1.
@Suite struct NumberConversionTests {
    /// Where a number that may have a fraction becomes a whole one by itself, and why it fits. All others go through
    /// `Duration(seconds:)` or `init(cutting:)`.
    private static let exceptions = [
        "AxisValues.swift": "a share below 1 of a list's length",
        "BackgroundSource.swift": "at most what is left of a rate's span",
        "Bernoulli.swift": "a probability times 2^63",
        "City.swift": "the program's own table of cities",
        "DayLevels.swift": "a share of at most 1 times 2^53",
        "DiscreteChoice.swift": "a probability times 2^63, and a count that is split by a quantile of the normal distribution",
        "DriveProcess.swift": "a share of at most 1 of a way or of its time",
        "Estimate.swift": "asked to be below 1e12, or a length of a record's own",
        "EventState.swift": "a share of at most a million servers, and of one for each open one",
        "FigureText.swift": "asked to be below 1e15",
        "Figures.swift": "asked to be below 1e15",
        "FleetWorker+Drawn.swift": "a weight of an hour, at most some thousands",
        "ForecastError.swift": "asked to be below the most",
        "HabitFit+Sessions.swift": "hours of a session in a record of at most 130 years",
        "HabitFit+Sleep.swift": "minutes of a night",
        "HabitFit+Use.swift": "a sum of unlocks in a record, each a row of it",
        "Instant.swift": "the rule itself",
        "Journey.swift": "cut to the most outings and places first",
        "LatinHypercube.swift": "a fraction below 1 times 2^64",
        "Likelihood.swift": "a share below 1 of a list's length",
        "PoissonTimes.swift": "the mean of a block of times plus at most nine deviations",
        "PoolAssembly.swift": "asked to be below 1e14",
        "PreparedDevice.swift": "cut to the most instances of a bundle first",
        "PreparedDistribution.swift": "a probability times 2^63",
        "QuantileTable.swift": "the program's own bounds",
        "RetryPolicy.swift": "at most a delay that the scenario states",
        "RootSearch.swift": "a share of a whole number of servers or users",
        "RunInProgress.swift": "a share of at most 1 of the people",
        "ServiceEvent.swift": "a share of at most 100,000,000 servers",
        "ScenarioClock.swift": "a change of a zone's clocks, of the zone database",
        "ScenarioRun.swift": "a share of at most 1 of the people",
        "ServiceEventAssembly.swift": "a share of at most 1 of at most a million servers",
        "ServiceMetrics.swift": "a whole number already",
        "StackViews.swift": "cut to the most showings first",
        "StudyDesign.swift": "cut to 1e15 first",
        "VersionTimes.swift": "a share below 1 of a spread that the scenario states",
    ]

    /// Marks that only a number with a fraction has.
    private static let fraction =
        #"\.rounded\(|\.inSeconds|\bDouble\(|\d\.\d|\d[eE]-?\d|squareRoot|uniform\(|DeterministicMath|\bshare\b|hare \*|0x1p"#

    private static let sources: [(name: String, text: String)] = {
        let folder = Document.root.appending(path: "Sources")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
            let code = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
                !$0.drop { $0 == " " }.hasPrefix("//")
            }
            return ((name as NSString).lastPathComponent, code.joined(separator: "\n"))
        }
    }()

    /// The text in the parentheses of every call of one of these names without a label.
    private static func arguments(of call: Regex<Substring>, in text: String) -> [String] {
        text.matches(of: call).map { match in
            var depth = 1
            let argument = text[match.range.upperBound...].prefix { character in
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                return depth > 0
            }
            return String(argument)
        }
    }

    @Test func `a number with a fraction becomes a whole one by a rule that cannot trap, or is bounded where it does`()
        throws
    {
        #expect(Self.sources.count > 300)
        let conversion = try Regex(#"(?:^|[^\w.])U?Int(?:8|16|32|64)?\((?!\w+:)"#, as: Substring.self)
        let fraction = try Regex(Self.fraction)
        var users: Set<String> = []
        for (name, text) in Self.sources {
            let found = Self.arguments(of: conversion, in: text).filter { $0.contains(fraction) }
            if found.isEmpty { continue }
            users.insert(name)
            #expect(
                Self.exceptions[name] != nil,
                "\(name): \(found.joined(separator: "; ")) — use Duration(seconds:) or init(cutting:)")
        }
        #expect(users.subtracting(Self.exceptions.keys).isEmpty)
    }

    @Test func `no sign is taken off by abs, which ends at the least number`() throws {
        let call = try Regex(#"(?:^|[^\w.])abs\("#)
        for (name, text) in Self.sources { #expect(!text.contains(call), "\(name): use magnitude") }
    }

    @Test func `microseconds lose their sign in two named places only`() throws {
        let conversion = try Regex(#"(?:^|[^\w.])UInt(?:32|64)?\((?!\w+:)"#, as: Substring.self)
        for (name, text) in Self.sources
        where ![
            "Instant.swift", "PendingRequest.swift", "ServiceState.swift", "RequestWay.swift",
        ].contains(name) {
            let found = Self.arguments(of: conversion, in: text).filter { $0.contains("microseconds") }
            #expect(
                found.isEmpty, "\(name): \(found.joined(separator: "; ")) — use Duration.magnitude or Instant.address")
        }
    }
}
