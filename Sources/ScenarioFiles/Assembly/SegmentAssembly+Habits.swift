import Basics
import People
import Statistics
import WidgetPlatform

/// Sleep, pickups and surroundings of a segment.
extension SegmentAssembly {
    var sleep: SleepHabits {
        let value = value["sleep"]
        var sleep = scenario.read(KeyCatalogue.sleep, of: value, over: SleepHabits())
        let correlations = value["correlations"]
        if correlations.isValid && sleep.correlations.factor == nil {
            scenario.report(correlations, "correlations that four times can have together", correlations.canonicalText)
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
        if ages.isValid {
            scenario.log.checkSum(groups.map(\.share), of: "shares of the age groups", ages.origin, ages.path)
        }
        return groups
    }

    /// The mean night must be one that the model does not cut (D2).
    private func checkNight(_ night: CheckedValue) {
        guard night.isValid, night.isMapping else { return }
        let (wake, onset) = (night["wake"], night["onset"])
        let seconds = Double(wake.clock.microseconds) / 1e6 - KeyCatalogue.secondsFromMidnight(onset.clock)
        let length = Basics.Duration(seconds: seconds)
        if length < SleepHabits.shortestNight || length > SleepHabits.longestNight {
            scenario.log.report(
                (wake.isStated ? wake : onset).origin, night.path, expected: "a night of 3 to 14 hours",
                found: "one of \(TimeText.duration(length))")
        }
    }

    /// The pickups of the segment, or of one of its devices.
    func pickups(_ pickups: CheckedValue) -> PickupHabits {
        let habits = scenario.read(KeyCatalogue.pickups, of: pickups, over: PickupHabits())
        let factors = pickups["weekday_factors"]
        if factors.isValid && !factors.items.contains(where: { $0.number > 0 }) {
            scenario.report(factors, "a factor above 0", "none")
        }
        let (length, spread) = (pickups["session_length"], pickups["session_spread"])
        if length.isValid && spread.isValid && !KeyCatalogue.hasSpread(length.statedDistribution, spread.number) {
            scenario.report(
                spread, "at most the sigma of a lognormal session_length, and 0 beside another distribution",
                "\(FigureText.shortest(spread.number)) beside \(length.statedDistribution.text)")
        }
        let quiet = pickups["quiet_days"]
        let meanQuiet: Double
        do { meanQuiet = try habits.quietDays.mean() } catch {
            preconditionFailure("a distribution that was checked: \(error)")
        }
        if quiet.isValid && !(0...PickupHabits.mostQuietDays).contains(meanQuiet) {
            scenario.report(
                quiet, "a mean from 0 to \(FigureText.shortest(PickupHabits.mostQuietDays)) of a person's days",
                FigureText.shortest(meanQuiet))
        }
        return habits
    }

    func checkAppearance(_ environment: CheckedValue) {
        let dark = environment["dark_from"]
        if environment.isValid && environment["light_from"].clock == dark.clock {
            scenario.report(dark, "another clock time than light_from", CalendarText.text(dark.clock))
        }
    }
}
