import Basics
import ScenarioFiles

/// A simulated load beside a real one, in the figures in which they can differ.
package struct LogComparison: Sendable {
    /// One figure of both.
    package struct Row: Sendable {
        package let figure: Figure
        package let run, log: Double
        /// The standard deviation of their ratio by the chance of so many requests alone.
        let noise: Double

        /// The log's over the run's; nil where that has none.
        package var ratio: Double? { run > 0 ? log / run : nil }
        /// Whether they differ by more than a twentieth, and by more than chance explains.
        package var differs: Bool {
            (ratio.map { ($0 - 1).magnitude } ?? (log == run ? 0 : 1)) > max(0.05, 2 * noise)
        }
    }

    package enum Figure: String, CaseIterable, Sendable {
        /// The longest interval of a log, in minutes, that tells the figure; nil if any does.
        var longest: Int? {
            switch self {
            case .level: nil
            case .hour: 60
            case .aligned, .quarter0, .quarter15, .quarter30, .quarter45, .peak: 1
            }
        }

        case level = "mean_per_s"
        case hour = "fullest_hour_to_mean"
        case aligned = "share_aligned_minutes"
        case quarter0 = "share_minute_00"
        case quarter15 = "share_minute_15"
        case quarter30 = "share_minute_30"
        case quarter45 = "share_minute_45"
        case peak = "peak_to_mean_1m"

        package var unit: String {
            switch self {
            case .level: "1/s"
            case .hour, .peak: "ratio"
            case .aligned, .quarter0, .quarter15, .quarter30, .quarter45: "share"
            }
        }

        /// The metrics of a run that move with it, the best first; of these a ranking of keys says something.
        var metrics: [String] {
            switch self {
            case .level: ["requests_total", "requests_per_device_day"]
            case .hour: ["load_peak_1h"]
            case .aligned, .quarter0, .quarter15, .quarter30, .quarter45, .peak:
                ["load_peak_to_mean_1m", "load_dispersion_1m", "load_peak_1m"]
            }
        }
    }

    package let run, log: DayProfile
    package let rows: [Row]
    /// The minutes between which the log says nothing of single ones.
    package let step: Int
    /// The share of the load that lies in other hours; nil without common hours, or for a log of longer intervals.
    package let shapeDistance: Double?
    /// The log's load over the run's in hours that are alike: the middle one of all hours; nil with less than six hours.
    package let usualRatio: Double?
    /// The hours by UTC, fewer than half, in which the log has another part of the run's load than in the others, with
    /// the log's over the run's.
    package let oddHours: [(hour: Int, ratio: Double)]
    private let people: Int
    /// The minutes of the day that both cover, over which they are compared.
    private let minutes: Int

    package init(run: RunMinutes, log: MinuteCounts) {
        let common = zip(run.minutes.coverage, log.coverage).map { $0 && $1 }
        minutes = common.count { $0 }
        let both = minutes > 0 ? common : Array(repeating: true, count: common.count)
        let (own, real) = (DayProfile(run.minutes, covered: both), DayProfile(log, covered: both))
        (self.run, self.log, people, step) = (own, real, run.people, log.step)
        shapeDistance = log.step <= 60 ? own.shapeDistance(to: real) : nil
        (usualRatio, oddHours) = log.step <= 60 ? Self.hours(own, real) : (nil, [])
        func fullest(_ profile: DayProfile) -> Double {
            let hours = profile.hours.compactMap { $0 }
            let mean = hours.reduce(0, +) / Double(max(1, hours.count))
            return mean > 0 ? (hours.max() ?? 0) / mean : 0
        }
        rows = Figure.allCases.filter { $0.longest.map { $0 >= log.step } ?? true }.map { figure in
            func value(_ profile: DayProfile) -> Double {
                switch figure {
                case .level: profile.meanPerSecond
                case .hour: fullest(profile)
                case .aligned: profile.aligned
                case .quarter0: profile.quarters[0]
                case .quarter15: profile.quarters[1]
                case .quarter30: profile.quarters[2]
                case .quarter45: profile.quarters[3]
                case .peak: profile.peakToMean
                }
            }
            // The mean of both: where one side has nothing, its own part says nothing of chance.
            let part = (value(own) + value(real)) / 2
            /// The square of the standard deviation of one side's value, as a share of it.
            func variance(_ profile: DayProfile) -> Double {
                let requests = profile.meanPerSecond * Double(60 * profile.minutes)
                switch figure {
                case .level: return 1 / max(1, requests)
                case .hour: return 1 / max(1, (profile.hours.compactMap { $0 }.max() ?? 0) * 3_600)
                case .aligned, .quarter0, .quarter15, .quarter30, .quarter45:
                    return (1 - part) / max(1, part * requests)
                case .peak: return 1 / Double(max(1, profile.peak.requests))
                }
            }
            return Row(
                figure: figure, run: value(own), log: value(real), noise: (variance(own) + variance(real)).squareRoot())
        }
    }

    /// The middle ratio of the hours, and those that differ from it by more than a twentieth and by more than chance
    /// explains.
    private static func hours(_ run: DayProfile, _ log: DayProfile) -> (usual: Double?, odd: [(Int, Double)]) {
        let pairs = zip(run.hours, log.hours).enumerated().compactMap {
            hour, pair -> (hour: Int, run: Double, log: Double)? in
            guard let own = pair.0, let real = pair.1, own > 0 else { return nil }
            return (hour, own, real)
        }
        guard pairs.count >= 6 else { return (nil, []) }
        let ratios = pairs.map { $0.log / $0.run }.sorted()
        let usual = ratios[(ratios.count - 1) / 2]
        guard usual > 0 else { return (nil, []) }
        let odd = pairs.filter { pair in
            let noise = (1 / max(1, 3_600 * pair.run) + 1 / max(1, 3_600 * pair.log)).squareRoot()
            return (pair.log / pair.run / usual - 1).magnitude > max(0.05, 3 * noise)
        }
        return (usual, 2 * odd.count < pairs.count ? odd.map { ($0.hour, $0.log / $0.run) } : [])
    }

    /// The odd hours in words: `23:00 to 4:00 UTC (1.2 of the run's load)`.
    private var oddText: String {
        var spans: [(from: Int, to: Int)] = []
        for (hour, _) in oddHours {
            if let last = spans.last, last.to == hour - 1 {
                spans[spans.count - 1].to = hour
            } else {
                spans.append((hour, hour))
            }
        }
        // Over midnight.
        if spans.count > 1, spans[0].from == 0, spans[spans.count - 1].to == 23 {
            spans[0].from = spans.removeLast().from
        }
        let text = spans.map { $0.from == $0.to ? "\($0.from):00" : "\($0.from):00 to \(($0.to + 1) % 24):00" }
        let ratios = oddHours.map(\.ratio)
        let (low, high) = (ratios.min() ?? 0, ratios.max() ?? 0)
        let size =
            high - low < 0.02 * high
            ? FigureText.threeDigits(high) : "\(FigureText.threeDigits(low)) to \(FigureText.threeDigits(high))"
        return "\(text.joined(separator: ", ")) UTC (\(size) of the run's load)"
    }

    /// A sentence if less than a day is compared.
    package var coverage: String? {
        switch minutes {
        case 1_440: nil
        case 0: "run and log cover no minute of the day alike: levels are means of what each covers"
        default:
            "run and log are compared over the \(FigureText.counted(minutes, "minute")) of the day that both cover"
                + (minutes < 60 ? ", which says little of a day" : "")
        }
    }

    // MARK: Keys

    /// The advice for one figure that differs.
    package struct Advice: Sendable {
        package let figure: Figure
        package let sentence: String
    }

    /// The keys that would bring the two together: the number of people for the level, and keys of a ranking for the
    /// rest.
    ///
    /// - Parameter ranking: of `reloadsim sensitivity`; nil if there is none.
    package func advice(_ ranking: KeyRanking?) -> [Advice] {
        rows.filter { [.level, .hour, .aligned, .peak].contains($0.figure) && $0.differs }.map { row in
            var parts: [String] = []
            if row.figure == .level, let usual = usualRatio, !oddHours.isEmpty {
                let wanted = Int64(cutting: (Double(people) * usual).rounded())
                parts.append(
                    (usual - 1).magnitude <= 0.05
                        ? "no number of people mends \(oddText): the other hours have the run's level"
                        : "people: \(FigureText.grouped(wanted)) in place of \(FigureText.grouped(people)) has the log's level in the hours that are alike, and not from \(oddText)"
                )
            } else if row.figure == .level, let ratio = row.ratio {
                let wanted = Int64(cutting: (Double(people) * ratio).rounded())
                parts.append(
                    "people: \(FigureText.grouped(wanted)) in place of \(FigureText.grouped(people)) has the log's level, since requests grow with the people"
                )
            }
            if row.figure == .hour, !oddHours.isEmpty { parts.append("the log differs from \(oddText)") }
            if let ranking {
                if let (metric, effects) = ranking.effects(on: row.figure.metrics) {
                    let rises = row.log > row.run
                    let keys = effects.prefix(3).map { effect in
                        let direction =
                            effect.mean.map { $0 == 0 ? "" : ($0 > 0) == rises ? ", raised" : ", lowered" } ?? ""
                        return "\(effect.key)\(direction) (\(effect.measure) \(FigureText.threeDigits(effect.size)))"
                    }
                    parts.append("by its effect on \(metric): \(keys.joined(separator: "; "))")
                } else {
                    parts.append(
                        "the ranking has none of \(row.figure.metrics.joined(separator: ", ")) (reloadsim sensitivity --metric)"
                    )
                }
            } else if row.figure != .level {
                parts.append(
                    "reloadsim sensitivity --metric \(row.figure.metrics[0]) ranks the keys that move it; --sensitivity FOLDER reads the ranking"
                )
            }
            return Advice(figure: row.figure, sentence: parts.joined(separator: "; "))
        }
    }
}

/// The keys on which figures depend, as `reloadsim sensitivity` ranks them.
package struct KeyRanking: Sendable {
    package struct Effect: Sendable {
        let key: String
        /// `mu*` of Morris or Sobol's `total`.
        let measure: String
        let size: Double
        /// The mean effect with its sign; nil where the method has none.
        let mean: Double?
    }

    private let effects: [(metric: String, effect: Effect)]

    /// - Parameter folder: of a study by `reloadsim sensitivity`.
    package init(folder: String) throws {
        let file = folder + "/sensitivity/indices.csv"
        let header = try CSVTable.read(file: file, columns: ["output", "factor"]).header
        let isMorris = header.contains("mu_star")
        guard isMorris || header.contains("total") else {
            throw LogProblem(
                "\(file): expected the columns output, factor and mu_star or total, found \(header.joined(separator: ", "))"
            )
        }
        let (size, mean) = (
            ResultColumn.number(isMorris ? "mu_star" : "total"), header.contains("mu") ? ResultColumn.number("mu") : nil
        )
        let table = try CSVTable.read(file: file, columns: ["output", "factor", size] + (mean.map { [$0] } ?? []))
        effects = table.rows.compactMap { row in
            guard let value = row.number(size) else { return nil }
            return (
                row["output"],
                Effect(
                    key: row["factor"], measure: isMorris ? "mu*" : "total", size: value,
                    mean: mean.flatMap { row.number($0) })
            )
        }
    }

    /// The effects on the first of some metrics that is ranked, the largest first.
    func effects(on metrics: [String]) -> (metric: String, effects: [Effect])? {
        for metric in metrics {
            let own = effects.filter { $0.metric == metric }.map(\.effect)
            if !own.isEmpty { return (metric, own.sorted { $0.size > $1.size }) }
        }
        return nil
    }
}
