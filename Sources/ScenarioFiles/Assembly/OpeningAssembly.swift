import People
import Statistics
import WidgetPlatform

/// Makes how the surfaces of a device are opened that are shown from an opening on (V7–V9).
struct OpeningAssembly {
    let segment: SegmentAssembly
    /// The whole device.
    let device: CheckedValue

    private var scenario: ScenarioAssembly { segment.scenario }

    var habits: OpeningHabits {
        check()
        let (stack, tiles, car) = (device["smart_stack"], device["tiles"], device["car"])
        var habits = OpeningHabits.never
        for opened in [stack, tiles] where opened.isMapping {
            habits.openings = OccasionHabits(
                perDay: opened["openings_per_day"].number,
                hours: HourProfile.weights(opened["hours"], scenario),
                length: scenario.distribution(opened["open_for"]))
        }
        if tiles.isMapping { habits.furtherShare = tiles["further"].number }
        if stack.isMapping {
            habits.workouts = OccasionHabits(
                perDay: stack["workouts_per_week"].number / 7, hours: habits.openings.hours,
                length: scenario.distribution(stack["workout_time"]))
        }
        if car.isMapping {
            habits.drives = DriveHabits(
                share: car["share"].number, tripShare: car["trips"].number, shownShare: car["shown"].number,
                shownTime: scenario.distribution(car["shown_for"]))
        }
        return habits
    }

    /// Keys of a surface on which nothing stands.
    private func check() {
        for (key, surface) in [("smart_stack", Surface.smartStack), ("tiles", .tile), ("car", .car)]
        where !device[key].isAbsent && device["instances"].isValid && device["bundles"].isValid
            && !KeyCatalogue.stands(device, on: surface)
        {
            scenario.report(device[key], "an instance on \(surface.name) beside \(key)", "none")
        }
    }
}
