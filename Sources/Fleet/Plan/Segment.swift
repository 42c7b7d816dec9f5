import People

/// A part of the fleet whose people share habits (D1). Each person draws their segment by its share.
public struct Segment: Sendable {
    public var name: String
    public var habits: SegmentHabits
    public var devices: [DevicePlan]

    public init(name: String, habits: SegmentHabits, devices: [DevicePlan]) {
        self.name = name
        self.habits = habits
        self.devices = devices
    }

    /// The segment without its widgets.
    var ofPopulation: PopulationSegment { PopulationSegment(habits: habits, devices: devices.map(\.habits)) }
}
