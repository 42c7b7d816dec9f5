import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

/// What people set their instances to (F8).
extension DeviceLife {
    /// In the first session after the person wants something else, an instance is set to another of its choices and reloads at once, free.
    mutating func editConfigurations() {
        let device = UnsafePointer(prepared.segments[segment].devices.baseAddress! + Int(slot))
        editDue = .never
        for i in 0..<instanceCount {
            if instances[i].editAt <= now && instances[i].isInstalled { edit(i, device) }
            editDue = min(editDue, instances[i].editAt)
        }
    }

    private mutating func edit(_ i: Int, _ device: UnsafePointer<PreparedDevice>) {
        let placement = instances[i].placement
        func draw(_ purpose: Purpose, at index: UInt64) -> UInt64 {
            RandomStream(seed: prepared.plan.seed, person: person, slot: slot, purpose: purpose, sub: UInt16(instances[i].number)).value(
                at: index)
        }
        instances[i].edits += 1
        let number = instances[i].edits
        instances[i].editAt = RandomArrivals(perYear: device.pointee.placements[placement].editsPerYear, prepared.tables.exponential).next(
            after: now, draw(.configurationEdit, at: number))
        // Another choice than the present one: a popular one may have to be drawn again.
        for attempt in 0..<Self.mostAttempts {
            let key = device.pointee.chosenKey(placement: placement, draw(.editedChoice, at: number * Self.mostAttempts + attempt))
            if key != instances[i].chosenKey {
                instances[i].chosenKey = key
                break
            }
        }
        count(SegmentField.edits)
        if Observer.isWatching {
            note("configure", instance: i, rule: "F8", detail: prepared.choice(ofKey: instances[i].chosenKey) ?? "")
        }
        ask(i, free: .configuration)
    }

    private static var mostAttempts: UInt64 { 32 }
}
