import Basics

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
