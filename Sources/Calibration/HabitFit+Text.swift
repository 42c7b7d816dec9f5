import Basics

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
