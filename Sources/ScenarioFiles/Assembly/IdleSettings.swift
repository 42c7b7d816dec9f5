import ScenarioModel
import WidgetPlatform

/// Settings that are right one by one and do nothing together: sentences for the person who expects something of them.
enum IdleSettings {
    static func warnings(in plan: FleetPlan) -> [String] {
        let placements =
            plan.segments.flatMap(\.devices).flatMap(\.allPlacements)
            + plan.replay.flatMap(\.instances).map(\.placement)
        let suggested = Set(placements.filter { $0.surface == .smartStack }.map(\.kind))
        let stacked = suggested.union(placements.filter { $0.stack != nil }.map(\.kind))
        var warnings: [String] = []
        for (index, kind) in plan.kinds.enumerated() {
            if kind.relevance != .none && !stacked.contains(index) {
                warnings.append(
                    "kinds.\(kind.id).relevance: it has no effect, because none of the kind's instances lies in a stack"
                )
            } else if kind.relevance.clues != .init() && !suggested.contains(index) {
                warnings.append(
                    "kinds.\(kind.id).relevance: its clues have no effect, because none of the kind's instances is on smart_stack"
                )
            }
        }
        if plan.parameters.controlsAreCharged && !plan.kinds.contains(where: { $0.control != nil }) {
            warnings.append("parameters.control_reloads: it has no effect, because no kind is a control")
        }
        let devices = plan.segments.flatMap(\.devices).map(\.kind) + plan.replay.map(\.kind)
        if plan.parameters.workoutReloadsAreFree && !devices.contains(.watch) {
            warnings.append("parameters.workout_reloads: it has no effect, because nobody has a watch")
        }
        if plan.parameters.suggestions != PlatformParameters.usualSuggestions && suggested.isEmpty {
            warnings.append("parameters.suggestions: it has no effect, because no instance is on smart_stack")
        }
        if !plan.replay.isEmpty { return warnings }
        for (index, app) in plan.apps.enumerated()
        where !plan.kinds.contains(where: { $0.app == index && $0.needsSignIn }) {
            if plan.segments.contains(where: { $0.habits.apps[index].signedInShare < 1 }) {
                warnings.append(
                    "population.apps.\(app).signed_in: it has no effect, because no kind of the app has needs_sign_in: true"
                )
            }
        }
        let owned = Set(plan.segments.flatMap(\.devices).filter { $0.habits.share > 0 }.map(\.kind))
        for release in plan.releases where release.app == nil && owned.isDisjoint(with: release.devices) {
            warnings.append("os_releases.\(release.name).devices: nobody has such a device")
        }
        for segment in plan.segments {
            for placement in segment.devices.flatMap(\.placements)
            where placement.editsPerYear > 0 && choiceCount(placement) < 2 {
                warnings.append(
                    "segment \(segment.name), instance \(placement.id): edits_per_year has no effect without a second choice"
                )
            }
            for device in segment.devices
            where device.habits.alwaysOn.share == 0 && device.habits.alwaysOn.looksPerDay > 0 && device.kind != .watch {
                warnings.append(
                    "segment \(segment.name), \(device.kind.name): nobody looks at a dimmed display, because always_on has a share of 0"
                )
            }
        }
        return warnings
    }

    private static func choiceCount(_ placement: Placement) -> Int {
        if case .chosen(let names, _) = placement.location { names.count } else { 0 }
    }
}
