import Basics
import Statistics
import WidgetPlatform

/// The choices to which people set their instances (F8).
extension DeviceSimulation {
    /// In the first session after the person wants something else, an instance is set to another of its choices and
    /// reloads at once, free.
    mutating func editConfigurations() {
        let device = prepared.device(ofSegment: segment, slot: streams.slot)
        clocks.editDue = .never
        for i in 0..<instanceCount {
            if instances[i].editAt <= now && instances[i].isInstalled { edit(i, device) }
            clocks.editDue = min(clocks.editDue, instances[i].editAt)
        }
    }

    private mutating func edit(_ i: Int, _ device: UnsafePointer<PreparedDevice>) {
        let placement = instances[i].placement
        let own = instances[i].number
        instances[i].edits += 1
        let number = instances[i].edits
        instances[i].editAt = RandomArrivals(
            perYear: device.pointee.placements[placement].editsPerYear, prepared.tables.exponential
        ).next(
            after: now, streams.number(.configurationEdit, sub: own, at: number))
        // Another choice than the present one: a popular one may have to be drawn again.
        for attempt in 0..<Self.mostAttempts {
            let key = device.pointee.chosenKey(
                placement: placement, streams.number(.editedChoice, sub: own, at: number * Self.mostAttempts + attempt))
            if key != instances[i].chosenKey {
                instances[i].chosenKey = key
                break
            }
        }
        count(.edits)
        if Observer.isWatching {
            note(.configure, instance: i, detail: prepared.choice(ofKey: instances[i].chosenKey) ?? "")
        }
        ask(i, free: .configuration)
    }

    private static var mostAttempts: UInt64 { 32 }
}
