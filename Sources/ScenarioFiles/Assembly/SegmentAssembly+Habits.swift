import Basics
import People
import Statistics
import WidgetPlatform

/// Sleep, pickups and surroundings of a segment.
extension SegmentAssembly {
    var sleep: SleepHabits {
        let value = value["sleep"]
        var sleep = scenario.read(KeyCatalogue.sleep, of: value, over: SleepHabits())
        if value["correlations"].isValid && sleep.correlations.factor == nil {
            scenario.log.report(
                value["correlations"], expected: "correlations that four times can have together",
                found: value["correlations"].canonicalText)
        }
        checkNight(value["day_sleep"])
        sleep.ages = ages(value)
        return sleep
    }

    private func ages(_ sleep: CheckedValue) -> [SleepHabits.AgeGroup] {
        let ages = sleep["ages"]
        let stated = ages.items.isEmpty ? [sleep] : ages.items
        for age in stated { for key in ["workday", "free_day"] { checkNight(age[key]) } }
        let groups = stated.map { age in
            var group = SleepHabits.AgeGroup()
            (group.name, group.share) = ("all", 1)
            if !ages.items.isEmpty { return scenario.read(KeyCatalogue.ageGroup, of: age, over: group) }
            group.daySleeperShare = age["day_sleepers"].number
            group.workday = scenario.read(KeyCatalogue.night(nil), of: age["workday"], over: group.workday)
            group.freeDay = scenario.read(KeyCatalogue.night(nil), of: age["free_day"], over: group.freeDay)
            return group
        }
        let sum = groups.reduce(0) { $0 + $1.share }
        if ages.isValid && (sum - 1).magnitude > 1e-9 {
            scenario.log.report(
                ages, expected: "shares of the age groups that add up to 1",
                found: "a sum of \(DecimalText.text(rounded: sum))")
        }
        return groups
    }

    /// The mean night must be one that the model does not cut (D2).
    private func checkNight(_ night: CheckedValue) {
        guard night.isValid, night.isMapping else { return }
        let seconds =
            Double(night["wake"].clock.microseconds) / 1e6 - KeyCatalogue.secondsFromMidnight(night["onset"].clock)
        let length = Basics.Duration(seconds: seconds)
        if length < SleepHabits.shortestNight || length > SleepHabits.longestNight {
            let culprit = night["wake"].isStated ? night["wake"] : night["onset"]
            scenario.log.report(
                culprit.origin, night.path, expected: "a night of 3 to 14 hours",
                found: "one of \(TimeText.duration(length))")
        }
    }

    /// The pickups of the segment, or of one of its devices.
    func pickups(_ pickups: CheckedValue) -> PickupHabits {
        let habits = scenario.read(KeyCatalogue.pickups, of: pickups, over: PickupHabits())
        let factors = pickups["weekday_factors"]
        if factors.isValid && !factors.items.contains(where: { $0.number > 0 }) {
            scenario.log.report(factors, expected: "a factor above 0", found: "none")
        }
        let (length, spread) = (pickups["session_length"], pickups["session_spread"])
        if length.isValid && spread.isValid && !KeyCatalogue.hasSpread(length.statedDistribution, spread.number) {
            scenario.log.report(
                spread, expected: "at most the sigma of a lognormal session_length, and 0 beside another distribution",
                found: "\(FigureText.shortest(spread.number)) beside \(length.statedDistribution.text)")
        }
        let quiet = pickups["quiet_days"]
        let meanQuiet: Double
        do { meanQuiet = try habits.quietDays.mean() } catch {
            preconditionFailure("a distribution that was checked: \(error)")
        }
        if quiet.isValid && !(0...PickupHabits.mostQuietDays).contains(meanQuiet) {
            scenario.log.report(
                quiet,
                expected: "a mean from 0 to \(FigureText.shortest(PickupHabits.mostQuietDays)) of a person's days",
                found: FigureText.shortest(meanQuiet))
        }
        return habits
    }

    func checkAppearance(_ environment: CheckedValue) {
        let dark = environment["dark_from"]
        if environment.isValid && environment["light_from"].clock == dark.clock {
            scenario.log.report(
                dark, expected: "another clock time than light_from", found: CalendarText.text(dark.clock))
        }
    }
}
