import ScenarioModel
import WidgetPlatform

/// Makes the stacks of a device, drawn or recorded (V3).
struct StackAssembly {
    let scenario: ScenarioAssembly
    let device: DeviceKind
    /// The whole device.
    let value: CheckedValue

    /// Nil for a list that is wrong as a whole.
    var known: [CheckedValue]? { value["stacks"].isList ? value["stacks"].items : nil }
    private var values: [CheckedValue] { known ?? [] }

    var plans: [StackPlan] {
        let keys = scenario.isReplay ? KeyCatalogue.recordedStack : KeyCatalogue.stack
        return values.map { scenario.read(keys, of: $0, over: StackPlan(id: "", flipShare: 0, rotationsPerDay: 0)) }
    }

    /// Looks at how the stacks and the device's instances fit together.
    func check(_ placements: [Placement]) {
        let instances = value["instances"].items
        for (index, stack) in values.enumerated() {
            let name = stack["surface"]
            guard name.isValid else { continue }
            let surface = name.choice(Surface.self)
            if surface.families(on: device).isEmpty {
                scenario.report(name, PlacementAssembly.surfaceWords(device), "'\(surface.name)'")
                continue
            }
            if surface.isOpened {
                scenario.report(name, "a surface that stacks stand on", "'\(surface.name)'")
                continue
            }
            let members = placements.indices.filter { placements[$0].stack == index }
            guard let first = members.first else {
                if value["instances"].isValid && stack["id"].isValid {
                    scenario.report(stack, "an instance with stack: \(stack["id"].text)", "none")
                }
                continue
            }
            if members.count > SmartStack.most {
                scenario.report(
                    instances[members[SmartStack.most]]["stack"], "at most \(SmartStack.most) widgets in a stack",
                    "\(members.count)")
            }
            for member in members {
                let (placement, instance) = (placements[member], instances[member])
                if instance["surface"].isValid && placement.surface != surface {
                    scenario.report(
                        instance["surface"], "\(surface.name), the surface of its stack", "'\(placement.surface.name)'")
                } else if instance["family"].isValid && placement.family != placements[first].family {
                    scenario.report(
                        instance["family"],
                        "\(placements[first].family.name), the family of the first widget in its stack",
                        "'\(placement.family.name)'")
                }
            }
        }
    }
}
