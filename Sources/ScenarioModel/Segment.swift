import People

/// A part of the fleet whose people share habits (D1). Each person draws their segment by its share.
public struct Segment: Sendable {
    public var name: String
    public var habits: SegmentHabits
    public var devices: [DevicePlan]
    /// At most one an app (B8).
    public var fetches: [BackgroundFetch]

    public init(name: String, habits: SegmentHabits, devices: [DevicePlan], fetches: [BackgroundFetch] = []) {
        self.name = name
        self.habits = habits
        self.devices = devices
        self.fetches = fetches
    }

    /// The segment without its widgets.
    var ofPopulation: PopulationSegment { PopulationSegment(habits: habits, devices: devices.map(\.habits)) }
}
