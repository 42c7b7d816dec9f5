import People
import ScenarioModel
import WidgetPlatform

/// Makes what a scenario says of controls (V10, F9).
struct ControlAssembly {
    let scenario: ScenarioAssembly
    let kinds: [WidgetKind]

    /// Without a control nobody's way to one is drawn.
    func habits(of value: CheckedValue) -> ControlHabits {
        guard value.isMapping else { return .never }
        guard kinds.contains(where: { $0.control != nil }) else {
            scenario.log.warn("\(value.path): it has no effect, because no kind is a control")
            return .never
        }
        return scenario.read(KeyCatalogue.controls, of: value, over: .never)
    }

    /// Where a kind stands if it is a control, which has one value and no date.
    static func place(of kind: CheckedValue, _ scenario: ScenarioAssembly) -> WidgetKind.ControlPlace? {
        let control = kind["control"]
        guard !control.isAbsent, control.isValid else { return nil }
        let (policy, timeline, protection) = (kind["policy"], kind["timeline"], kind["data_protection"])
        if policy.isValid && (policy.isMapping || policy.choice(PlainPolicy.self) != .never) {
            scenario.report(
                policy, "policy: never beside control, which has no timeline that asks for the next",
                policy.canonicalText)
        }
        if timeline.isMapping, case let shape = timeline["shape"], shape.isValid,
            shape.choice(TimelineKind.self) != .single || !timeline["valid_for"].isAbsent
        {
            scenario.report(timeline, "no timeline beside control, which shows one value", timeline.canonicalText)
        }
        if protection.isValid && protection.choice(DataProtection.self) == .complete {
            scenario.report(
                protection, "data_protection: none beside control, which is there on a locked device", "complete")
        }
        return control.choice()
    }

    /// The gallery of widgets has no controls.
    func checkBundle(_ rows: [CheckedValue]) {
        for kind in rows.map({ $0["kind"] }) where kind.isValid {
            guard kinds.contains(where: { $0.id == kind.text && $0.control != nil }) else { continue }
            scenario.report(kind, "a widget: a control stands among the instances", kind.text)
        }
    }

    /// A control of a device stands on its lock screen or comes from there, alone, for a place that is chosen.
    func check(_ instance: CheckedValue, _ placement: Placement) {
        guard kinds.indices.contains(placement.kind), kinds[placement.kind].control != nil else { return }
        let id = kinds[placement.kind].id
        if instance["surface"].isValid && placement.surface != .lockScreen {
            scenario.report(
                instance["surface"], "surface: lock_screen for \(id), which is a control", placement.surface.name)
        } else if instance["location"].isValid && placement.location == .current {
            scenario.report(instance["location"], "a chosen location or none for \(id), which is a control", "current")
        } else if placement.stack != nil {
            scenario.report(instance["stack"], "no stack for \(id), which is a control", instance["stack"].text)
        }
    }
}
