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
    /// The log's load over the run's in most hours of the day, their median; nil where no hour of the run has requests.
    package let level: Double?
    /// The hours of the day, those that follow on each other together, whose load is not at that level, by more than a
    /// twentieth and more than chance explains.
    package let spans: [HourSpan]
    /// The local clocks of both.
    package let runClock, logClock: MinuteClock
    private let people: Int
    /// The minutes of the day that both cover, over which they are compared.
    private let minutes: Int

    /// Hours of the local day that follow on each other and differ to the same side.
    package struct HourSpan: Hashable, Sendable {
        /// From 0 to 23 the first of them; 24 and more are of the next morning.
        package let hours: ClosedRange<Int>
        /// The log's load over the run's in them.
        package let ratio: Double
        /// For each hour how many more requests a second the log has than the run at the level of most hours; less than
        /// 0 for fewer.
        package let missing: [Double]

        package var isAbove: Bool { missing.reduce(0, +) > 0 }
        /// Each from 0 to 23.
        package var hoursOfDay: [Int] { hours.map { $0 % 24 } }
        /// `18:00 to 23:00`.
        package var words: String {
            func hour(_ hour: Int) -> String {
                let hour = hour > 24 ? hour - 24 : hour
                return (hour < 10 ? "0" : "") + "\(hour):00"
            }
            return "\(hour(hours.lowerBound)) to \(hour(hours.upperBound + 1))"
        }
    }

    /// For each hour of the day the requests a second of both; empty for a log of longer intervals.
    package var hours: [(run: Double?, log: Double?)] {
        step <= 60 ? zip(run.hours, log.hours).map { ($0, $1) } : []
    }
    /// The hours of the day that both cover.
    package var comparedHours: Int { hours.count { $0.run != nil && $0.log != nil } }
    /// How many of them are not at the level of most.
    package var differingHours: Int { spans.reduce(0) { $0 + $1.hours.count } }
    /// Whether so many hours differ that the day has another shape.
    package var hasOtherShape: Bool { 3 * differingHours > comparedHours }
    /// Whether the level of most hours differs.
    package var levelDiffers: Bool { level.map { ($0 - 1).magnitude > max(0.05, 2 * rows[0].noise) } ?? false }

    package init(run: RunMinutes, log: MinuteCounts) {
        let clocks = [run.minutes, log].map { MinuteClock(run.zone, over: $0.span) ?? .utc }
        (runClock, logClock) = (clocks[0], clocks[1])
        let common = zip(run.minutes.coverage(by: clocks[0]), log.coverage(by: clocks[1])).map { $0 && $1 }
        minutes = common.count { $0 }
        let both = minutes > 0 ? common : Array(repeating: true, count: common.count)
        let (own, real) = (
            DayProfile(run.minutes, covered: both, by: clocks[0]), DayProfile(log, covered: both, by: clocks[1])
        )
        (self.run, self.log, people, step) = (own, real, run.people, log.step)
        shapeDistance = step <= 60 ? own.shapeDistance(to: real) : nil
        level =
            step <= 60 ? Self.level(own, real) : own.meanPerSecond > 0 ? real.meanPerSecond / own.meanPerSecond : nil
        spans = step <= 60 ? level.map { Self.spans(own, real, level: $0) } ?? [] : []
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

    // MARK: Level and hours

    /// The median of the hours' ratios: hours that differ, fewer than half of them, do not move it.
    private static func level(_ run: DayProfile, _ log: DayProfile) -> Double? {
        let ratios = zip(run.hours, log.hours).compactMap { own, real in
            own.flatMap { own in real.flatMap { own > 0 ? $0 / own : nil } }
        }.sorted()
        if ratios.isEmpty { return nil }
        return (ratios[(ratios.count - 1) / 2] + ratios[ratios.count / 2]) / 2
    }

    private static func spans(_ run: DayProfile, _ log: DayProfile, level: Double) -> [HourSpan] {
        var spans: [HourSpan] = []
        var from = 0
        func missing(_ hour: Int) -> Double? {
            guard let own = run.hours[hour], let real = log.hours[hour] else { return nil }
            let (a, b) = (Double(run.requests[hour]), Double(log.requests[hour]))
            // Some of two dozen hours lie beyond two standard deviations by chance.
            let noise = 3 * (1 / max(1, a) + 1 / max(1, b)).squareRoot()
            let expected = level * own
            let differs = (real - expected).magnitude > max(0.05, noise) * max(expected, real)
            return differs ? real - expected : nil
        }
        // A span that begins before midnight is told where it begins.
        if let first = missing(0), let last = missing(23), (first > 0) == (last > 0) {
            while from < 24, let next = missing(from), (next > 0) == (first > 0) { from += 1 }
            if from == 24 { from = 0 }
        }
        let end = from + 24
        while from < end {
            guard let first = missing(from % 24) else {
                from += 1
                continue
            }
            var found = [first]
            while from + found.count < end, let next = missing((from + found.count) % 24), (next > 0) == (first > 0) {
                found.append(next)
            }
            let hours = from...from + found.count - 1
            let (own, real) = (
                hours.reduce(0) { $0 + run.hours[$1 % 24]! }, hours.reduce(0) { $0 + log.hours[$1 % 24]! }
            )
            let start = from % 24
            spans.append(
                HourSpan(
                    hours: start...start + found.count - 1, ratio: own > 0 ? real / own : .infinity, missing: found))
            from += found.count
        }
        return spans
    }

    /// The requests a second that the log has more than the run in the hours that differ, over the days of the run:
    /// what `service.background.curve` takes. Empty where the log has no more in any hour.
    package func curve(over span: Range<Int64>) -> [(time: String, rate: Double)] {
        var extra = [Double](repeating: 0, count: 24)
        for span in spans {
            for (place, hour) in span.hoursOfDay.enumerated() { extra[hour] = max(0, span.missing[place]) }
        }
        guard extra.contains(where: { $0 > 0 }) else { return [] }
        var curve: [(time: String, rate: Double)] = []
        for minute in span where minute == span.lowerBound || runClock.ofDay(minute) % 60 == 0 {
            let rate = extra[runClock.ofDay(minute) / 60]
            if curve.last?.rate != rate { curve.append((runClock.text(minute), rate)) }
        }
        return curve
    }

    // MARK: Keys

    /// The advice for what differs.
    package struct Advice: Sendable {
        /// The figure, or the hours of the day.
        package let figure: String
        package let sentence: String
    }

    /// The keys that would bring the two together: the number of people for the level of most hours, requests of others
    /// for single hours, and keys of a ranking for the rest. Nothing is named that would move other hours, too.
    ///
    /// - Parameter ranking: of `reloadsim sensitivity`; nil if there is none.
    package func advice(_ ranking: KeyRanking?) -> [Advice] {
        var advice: [Advice] = []
        if levelDiffers, let level {
            let wanted = Int64(cutting: (Double(people) * level).rounded())
            advice.append(
                Advice(
                    figure: "level",
                    sentence:
                        "people: \(FigureText.grouped(wanted)) in place of \(FigureText.grouped(people)) has the log's level in most hours, since requests grow with the people"
                        + (ranking.map { "; " + effects(.level, $0) } ?? "")))
        }
        if hasOtherShape {
            advice.append(
                Advice(
                    figure: "shape",
                    sentence:
                        "\(differingHours) of \(comparedHours) hours differ: population.sleep and population.pickups say when people use their devices (reloadsim calibrate fits them to a record), kinds.policy.after when reloads are asked for"
                        + (ranking.map { "; " + effects(.hour, $0) } ?? "")))
        } else {
            advice += spans.map { Advice(figure: $0.words, sentence: sentence($0)) }
        }
        for row in rows where row.figure == .aligned && row.differs || row.figure == .peak && peakDiffers(row) {
            advice.append(
                Advice(
                    figure: row.figure.rawValue,
                    sentence: ranking.map { effects(row.figure, $0) }
                        ?? "reloadsim sensitivity --metric \(row.figure.metrics[0]) ranks the keys that move it; --sensitivity FOLDER reads the ranking"
                ))
        }
        return advice
    }

    /// Whether the fullest minute stands out of its own hour otherwise: what its hour has is told by the hours.
    private func peakDiffers(_ row: Row) -> Bool {
        run.peakToHour > 0 && (log.peakToHour / run.peakToHour - 1).magnitude > max(0.05, 2 * row.noise)
    }

    private func sentence(_ span: HourSpan) -> String {
        let mean = span.missing.reduce(0, +) / Double(span.missing.count)
        let rate = FigureText.threeDigits(mean.magnitude)
        guard span.isAbove else {
            return
                "the log has \(rate) requests a second less there than at its level: no key takes requests from these hours alone; if they are a widget's dates, kinds.policy.after.between leaves them out"
        }
        return
            "the log has \(rate) requests a second more there than at its level: service.background with a curve adds them in these hours and in no others (--out writes background_curve.csv; it needs service.pools, and --stage origin counts them)"
    }

    private func effects(_ figure: Figure, _ ranking: KeyRanking) -> String {
        guard let (metric, effects) = ranking.effects(on: figure.metrics),
            let row = rows.first(where: { $0.figure == figure })
        else {
            return "the ranking has none of \(figure.metrics.joined(separator: ", ")) (reloadsim sensitivity --metric)"
        }
        let rises = row.log > row.run
        let keys = effects.prefix(3).map { effect in
            let direction = effect.mean.map { $0 == 0 ? "" : ($0 > 0) == rises ? ", raised" : ", lowered" } ?? ""
            return "\(effect.key)\(direction) (\(effect.measure) \(FigureText.threeDigits(effect.size)))"
        }
        return "by its effect on \(metric): \(keys.joined(separator: "; "))"
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
