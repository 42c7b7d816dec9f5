import Basics
import Statistics

/// The habits that a record shows, as the keys of a scenario's `population` (D2, D3): each with its interval, or the
/// reason why it cannot be told.
///
/// Distributions over people are fitted by maximum likelihood, corrected for the noise of a finite record; rates,
/// correlations and shares are moments, with a seeded bootstrap over people, or over weeks if there are fewer than five
/// people.
package struct HabitFit: ParameterFit, Sendable {
    package var estimates: [Estimate] = []
    package var omitted: [OmittedKey] = []
    /// Sentences about what fits badly or is not measured as the key means it.
    package internal(set) var notes: [String] = []
    /// The fragment's values by path below `population`, as YAML on one line each.
    var entries: [(path: [String], text: String)] = []

    let people: [PersonSummary]
    /// The use of the widgets, if the record has nothing else.
    let widgets: WidgetPage?
    /// Whether the record has counts by the hour.
    let isByHour: Bool
    /// The people, or weeks of people, that a resample draws from.
    let units: [Unit]
    let resampling: Resampling

    /// A person, or one week of a person.
    struct Unit {
        var person: Int
        var week: Int?
    }

    /// With fewer people nothing is told of how people differ.
    package static let fewestPeople = 5
    package static var seed: UInt64 { Resampling.seed }
    package static var replicates: Int { Resampling.replicates }

    /// - Parameters:
    ///   - people: with at least one unlock among them.
    ///   - widgets: for a record of pickups that showed widgets.
    ///   - isByHour: for a record of counts by the hour.
    package init(_ people: [PersonSummary], widgets: WidgetPage? = nil, isByHour: Bool = false) {
        precondition(people.contains { $0.unlockCount > 0 }, "a record without an unlock")
        self.people = people
        self.widgets = widgets
        self.isByHour = isByHour
        units = people.indices.flatMap { index in
            people.count >= Self.fewestPeople
                ? [Unit(person: index)]
                : people[index].unlocksOfWeek.indices.map { Unit(person: index, week: $0) }
        }
        resampling = Resampling(units: units.count)
        let factors = fitWeekdays()
        fitWeekdaySpread(factors)
        fitUnlocks(factors)
        fitDailyShape()
        fitDayCorrelation(factors)
        if isByHour {
            omit(
                "pickups.hour_correlation", "pickups.first_sixteenth", "pickups.burstiness", "pickups.session_length",
                "pickups.session_spread", "pickups.session_correlation", "pickups.glances_per_unlock",
                because: "the record has counts by the hour, and no single unlock or lock")
        } else {
            fitRhythm()
        }
        if let widgets {
            fitWidgets(widgets)
        } else if !isByHour {
            fitGaps()
            fitGlances()
            fitSessions(factors)
        }
        fitUsualSleep()
        if isByHour {
            omit(
                "sleep.nights.onset_sd", "sleep.nights.wake_sd", "sleep.nights.onset_wake", "sleep.nights.carry_over",
                because: "counts by the hour hide how nights of one person differ by less than an hour")
        } else {
            fitNights()
        }
    }

    package var faults: RecordFaults {
        var faults = people.reduce(into: RecordFaults()) { $0 += $1.faults }
        if isByHour { faults[.unlocksWithoutLock] = 0 }
        return faults
    }
    package var unlockCount: Int { people.reduce(0) { $0 + $1.unlockCount } }
    package var dayCount: Int { people.reduce(0) { $0 + $1.days.count } }
    package var nightCount: Int { people.reduce(0) { $0 + $1.nights.count } }
    package var viewCount: Int { people.reduce(0) { $0 + $1.views } }
    package var inferredSleepers: Int { people.count { $0.isSleepInferred } }
    /// The first and the last date.
    package var dates: ClosedRange<CivilDate>? {
        let all = people.compactMap(\.dates)
        guard let first = all.map(\.lowerBound).min(), let last = all.map(\.upperBound).max() else { return nil }
        return first...last
    }

    var hasManyPeople: Bool { people.count >= Self.fewestPeople }
    var tooFewPeople: String {
        people.count == 1
            ? "the record has one person, and this describes how people differ"
            : "the record has \(people.count) people, and this describes how people differ: at least \(Self.fewestPeople) are needed"
    }

    // MARK: Keeping what was found

    /// - Parameter key: as the estimates name it.
    mutating func state(_ key: String, _ text: String) {
        entries.append((key.split(separator: ".").map(String.init), text))
    }

    /// Keeps a plain number that the fragment states as it is, as far as the key takes it.
    mutating func tell(
        _ key: String, _ value: Double, _ interval: (low: Double, high: Double)?, within range: ClosedRange<Double>,
        digits: Int? = 3, count: Int, of counted: String, quality: String = ""
    ) {
        add(key, value, interval, count: count, of: counted, method: "moments", quality: quality)
        let stated = bounded(value, range, key)
        state(key, digits.map { FitText.number(stated, digits: $0) } ?? FitText.number(stated))
    }

    /// `value` within a range; a note says if it had to be moved.
    ///
    /// - Parameter limit: what the range is.
    mutating func bounded(
        _ value: Double, _ range: ClosedRange<Double>, _ key: String, limit: String = "what the key takes"
    ) -> Double {
        if range.contains(value) { return value }
        let moved = min(max(value, range.lowerBound), range.upperBound)
        notes.append(
            "\(key) is fitted at \(FitText.number(value)), beyond \(limit); the fragment has \(FitText.number(moved))")
        return moved
    }

    /// A ratio of two sums over units.
    func ratio(_ scale: Resampling.Scale, _ above: [Double], _ below: [Double]) -> Resampling.Result? {
        resampling.estimate(scale) { weights in
            let bottom = Self.sum(below, weights)
            return bottom > 0 ? Self.sum(above, weights) / bottom : nil
        }
    }

    /// The correlation over people of two measured values with their errors taken out. Units are people.
    ///
    /// - Parameters:
    ///   - shared: the covariances of the two errors.
    ///   - present: 1 for people that have both values, 0 for others.
    func correlation(
        _ a: [Double], _ aErrors: [Double], _ b: [Double], _ bErrors: [Double], shared: [Double], of present: [Double]
    ) -> Resampling.Result? {
        func products(_ x: [Double], _ y: [Double]) -> [Double] { x.indices.map { x[$0] * y[$0] * present[$0] } }
        let ones = present.map { _ in 1.0 }
        let (aSum, bSum) = (products(a, ones), products(b, ones))
        let (aa, bb, ab) = (products(a, a), products(b, b), products(a, b))
        let (aError, bError, both) = (products(aErrors, ones), products(bErrors, ones), products(shared, ones))
        return resampling.estimate(.correlation) { weights in
            let count = Self.sum(present, weights)
            guard count > 2 else { return nil }
            let (aMean, bMean) = (Self.sum(aSum, weights) / count, Self.sum(bSum, weights) / count)
            let unbiased = count / (count - 1)
            let aVariance =
                (Self.sum(aa, weights) / count - aMean * aMean) * unbiased - Self.sum(aError, weights) / count
            let bVariance =
                (Self.sum(bb, weights) / count - bMean * bMean) * unbiased - Self.sum(bError, weights) / count
            let covariance =
                (Self.sum(ab, weights) / count - aMean * bMean) * unbiased - Self.sum(both, weights) / count
            guard aVariance > 0, bVariance > 0 else { return nil }
            return max(-1, min(1, covariance / (aVariance * bVariance).squareRoot()))
        }
    }

    /// A figure of 0 for every unit.
    var zeros: [Double] { [Double](repeating: 0, count: units.count) }

    static func sum(_ values: [Double], _ weights: [UInt8]) -> Double {
        var total = 0.0
        for index in values.indices { total += values[index] * Double(weights[index]) }
        return total
    }

    func days(of unit: Unit) -> [PersonSummary.Day] {
        let person = people[unit.person]
        guard let week = unit.week else { return person.days }
        return person.days.filter { person.week(of: $0.date) == week }
    }
}

/// The fit as text: a table for people, a fragment for scenarios.
extension HabitFit {
    /// Keys of the same habits that no record of these events tells: a scenario keeps its own.
    package static let untold = [
        "pickups.quiet_days", "pickups.quiet_level", "pickups.day_share", "pickups.most_use", "pickups.least_gap",
        "pickups.surface_shown", "pickups.passcode_share", "sleep.ages",
        "sleep.degrees",
        "sleep.day_sleep", "sleep.nights.degrees",
    ]

    package var table: String { estimates.table(keys: "key below population") }

    package var extent: String {
        let span = dates.map { ", \(TimeText.date($0.lowerBound)) to \(TimeText.date($0.upperBound))" } ?? ""
        let views =
            viewCount == 0 ? "" : ", \(FitText.number(Double(viewCount) / Double(max(1, unlockCount)))) views an unlock"
        if let widgets {
            let seen = widgets.uses.reduce(0) { $0 + $1.viewCount }
            return
                "\(FigureText.counted(people.count, "person", "people")), \(FigureText.counted(dayCount, "waking day")), "
                + "\(FigureText.counted(unlockCount, "pickup")) that showed a widget, \(FigureText.counted(seen, "view"))\(span)"
        }
        return
            "\(FigureText.counted(people.count, "person", "people")), \(FigureText.grouped(dayCount)) waking days, "
            + "\(FigureText.grouped(nightCount)) nights, \(FigureText.grouped(unlockCount)) unlocks\(views)\(span)"
    }

    package func fragment(heading: [String]) -> String {
        var lines = heading.map { "# \($0)" } + ["population:"]
        for part in ["pickups", "sleep"] {
            let own = entries.filter { $0.path[0] == part }
            if own.isEmpty { continue }
            lines.append("  \(part):")
            for entry in own where entry.path.count == 2 { lines.append("    \(entry.path[1]): \(entry.text)") }
            let nested = own.filter { $0.path.count == 3 }
            for name in nested.map({ $0.path[1] }).uniqued {
                lines.append("    \(name):")
                for entry in nested where entry.path[1] == name {
                    lines.append("      \(entry.path[2]): \(entry.text)")
                }
            }
        }
        if entries.isEmpty { lines[lines.count - 1] = "population: {}" }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The page of home screens on which a record of widgets was made, and what is seen on it.
package struct WidgetPage: Sendable {
    /// The share of unlocks at which it is shown, above 0 and at most 1.
    let shownShare: Double
    /// The catalogue's `surface_shown.home_first`.
    package static let usualShare = 0.6
    /// By person.
    let uses: [WidgetUse]

    package init(_ uses: [WidgetUse], shownShare: Double) {
        precondition(shownShare > 0 && shownShare <= 1, "a page shown at \(shownShare) of the unlocks")
        (self.uses, self.shownShare) = (uses, shownShare)
    }
}

/// A record of widgets has the pickups alone that show them: gaps and sessions between them are not seen, and views and
/// taps are.
extension HabitFit {
    static let tapsKey = "kinds.taps_per_view"

    mutating func fitWidgets(_ page: WidgetPage) {
        omit(
            "pickups.burstiness", "pickups.session_length", "pickups.session_spread", "pickups.session_correlation",
            because: "the record has the time for which a page is visible, and no unlock or lock")
        omit("pickups.glances_per_unlock", because: "a glance shows no widget of a home page")
        state("pickups.surface_shown.home_first", FitText.number(page.shownShare))
        var (views, taps) = (zeros, zeros)
        for (index, unit) in units.enumerated() {
            for (date, seen) in page.uses[unit.person].views
            where unit.week == nil || people[unit.person].week(of: date) == unit.week {
                views[index] += Double(seen.count)
                taps[index] += Double(seen.tapped)
            }
        }
        let visible = page.uses.flatMap(\.visible).sorted()
        guard let result = ratio(.positive, taps, views) else {
            return omit(Self.tapsKey, because: "nobody has tapped a widget")
        }
        add(
            Self.tapsKey, result.value, result.interval, count: visible.count, of: "views", method: "moments",
            quality:
                "visible for \(FitText.fine(seconds: visible[visible.count / 4])), \(FitText.fine(seconds: visible[visible.count / 2])), \(FitText.fine(seconds: visible[visible.count * 3 / 4])) (quartiles)"
        )
    }

    /// A remark of the fragment on kinds, for which `population` has no place; nil for none.
    package var remarkOnKinds: String? {
        estimates.first { $0.key == Self.tapsKey }.map {
            "The kind of these widgets has taps_per_view: \(FitText.number($0.value))."
        }
    }
}
