import Basics
import People
import Statistics
import WidgetPlatform

/// Sleep, pickups and surroundings of a segment.
extension SegmentAssembly {
    var sleep: SleepHabits {
        let sleep = value["sleep"]
        let correlations = SleepHabits.Correlations(
            onsetAndWake: sleep["correlations"]["onset_wake"].number, onsets: sleep["correlations"]["onset"].number,
            wakes: sleep["correlations"]["wake"].number)
        if sleep["correlations"].isValid && correlations.factor == nil {
            scenario.log.report(
                sleep["correlations"], expected: "correlations that four times can have together",
                found: sleep["correlations"].canonicalText)
        }
        checkNight(sleep["day_sleep"])
        let nights = sleep["nights"]
        return SleepHabits(
            ages: ages(sleep), degrees: sleep["degrees"].number, correlations: correlations,
            daySleep: night(sleep["day_sleep"]),
            nights: SleepHabits.NightHabits(
                onsetSpread: scenario.distribution(nights["onset_sd"]),
                wakeSpread: scenario.distribution(nights["wake_sd"]),
                degrees: nights["degrees"].number, onsetAndWake: nights["onset_wake"].number,
                carryOver: nights["carry_over"].number))
    }

    private func ages(_ sleep: CheckedValue) -> [SleepHabits.AgeGroup] {
        let ages = sleep["ages"]
        if ages.items.isEmpty {
            for key in ["workday", "free_day"] { checkNight(sleep[key]) }
            return [
                SleepHabits.AgeGroup(
                    name: "all", share: 1, daySleeperShare: sleep["day_sleepers"].number,
                    workday: night(sleep["workday"]),
                    freeDay: night(sleep["free_day"]))
            ]
        }
        for age in ages.items { for key in ["workday", "free_day"] { checkNight(age[key]) } }
        let sum = ages.items.reduce(0) { $0 + $1["share"].number }
        if ages.isValid && (sum - 1).magnitude > 1e-9 {
            scenario.log.report(
                ages, expected: "shares of the age groups that add up to 1",
                found: "a sum of \(DecimalText.text(rounded: sum))")
        }
        return ages.items.map { age in
            SleepHabits.AgeGroup(
                name: age["age"].text, share: age["share"].number, daySleeperShare: age["day_sleepers"].number,
                workday: night(age["workday"]),
                freeDay: night(age["free_day"]))
        }
    }

    private func night(_ value: CheckedValue) -> SleepHabits.UsualNight {
        SleepHabits.UsualNight(
            onset: Self.secondsFromMidnight(value["onset"].clock), wake: Double(value["wake"].clock.microseconds) / 1e6,
            onsetSpread: value["onset_sd"].duration.inSeconds, wakeSpread: value["wake_sd"].duration.inSeconds)
    }

    /// Times from noon on belong to the evening before.
    static func secondsFromMidnight(_ clock: ClockTime) -> Double {
        let seconds = Double(clock.microseconds) / 1e6
        return seconds >= 43_200 ? seconds - 86_400 : seconds
    }

    /// The mean night must be one that the model does not cut (D2).
    private func checkNight(_ night: CheckedValue) {
        guard night.isValid, night.isMapping else { return }
        let seconds = Double(night["wake"].clock.microseconds) / 1e6 - Self.secondsFromMidnight(night["onset"].clock)
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
        var shown = Array(repeating: 0.0, count: Surface.allCases.count)
        for surface in [Surface.homeFirst, .homeOther, .todayView] {
            shown[Int(surface.rawValue)] = pickups["surface_shown"][surface.name].number
        }
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
        let quietDays = scenario.distribution(quiet)
        let meanQuiet: Double
        do { meanQuiet = try quietDays.mean() } catch {
            preconditionFailure("a distribution that was checked: \(error)")
        }
        if quiet.isValid && !(0...PickupHabits.mostQuietDays).contains(meanQuiet) {
            scenario.log.report(
                quiet,
                expected: "a mean from 0 to \(FigureText.shortest(PickupHabits.mostQuietDays)) of a person's days",
                found: FigureText.shortest(meanQuiet))
        }
        return PickupHabits(
            unlocksPerDay: scenario.distribution(pickups["unlocks_per_day"]),
            dailyShape: scenario.distribution(pickups["daily_k"]),
            dayCorrelation: pickups["day_correlation"].number, dayShare: pickups["day_share"].number,
            hourCorrelation: pickups["hour_correlation"].number, firstSixteenth: pickups["first_sixteenth"].number,
            burstiness: pickups["burstiness"].number,
            weekdayFactors: factors.isValid ? factors.items.map(\.number) : Array(repeating: 1, count: 7),
            glancesPerUnlock: pickups["glances_per_unlock"].number,
            sessionLength: scenario.distribution(pickups["session_length"]),
            sessionSpread: pickups["session_spread"].number, sessionCorrelation: pickups["session_correlation"].number,
            mostUse: pickups["most_use"].number, leastGap: pickups["least_gap"].duration.inSeconds, surfaceShown: shown,
            passcodeShare: pickups["passcode_share"].number, daysUsedShare: pickups["days_used"].number,
            todayViewGlances: pickups["today_view_glances"].number, weekdaySpread: pickups["weekday_spread"].number,
            quietDays: quietDays,
            quietLevel: pickups["quiet_level"].number)
    }

    var privacy: PrivacyHabits {
        let privacy = value["privacy"]
        return PrivacyHabits(
            hideLockScreenShare: privacy["hide_lock_screen"].number, hideAlwaysOnShare: privacy["hide_always_on"].number
        )
    }

    var power: PowerHabits {
        let power = value["power"]
        return PowerHabits(
            refreshOffShare: power["refresh_off"].number,
            lowPower: EpisodeHabits(
                perDay: power["low_power_per_day"].number, length: scenario.distribution(power["low_power_length"])))
    }

    var offline: EpisodeHabits {
        let connectivity = value["connectivity"]
        return EpisodeHabits(
            perDay: connectivity["offline_per_day"].number,
            length: scenario.distribution(connectivity["offline_length"]))
    }

    var environment: EnvironmentHabits {
        let environment = value["environment"]
        if environment.isValid && environment["light_from"].clock == environment["dark_from"].clock {
            scenario.log.report(
                environment["dark_from"], expected: "another clock time than light_from",
                found: CalendarText.text(environment["dark_from"].clock))
        }
        return EnvironmentHabits(
            textSizePerYear: environment["text_size_per_year"].number,
            accessibilityPerYear: environment["accessibility_per_year"].number,
            languagePerYear: environment["language_per_year"].number,
            regionPerYear: environment["region_per_year"].number,
            accountPerYear: environment["account_per_year"].number,
            rebootsPerDay: environment["reboots_per_day"].number,
            appearanceShares: ["light", "dark", "automatic"].map { environment["appearance"][$0].number },
            lightFrom: environment["light_from"].clock, darkFrom: environment["dark_from"].clock)
    }
}
