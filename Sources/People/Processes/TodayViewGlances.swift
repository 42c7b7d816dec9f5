import Statistics

/// Which glances at a device show its today view (V2).
///
/// They are looked up by the pickup's number, so that only a device with something there need ask, and the answers move
/// with nothing else.
package struct TodayViewGlances {
    private let share: Bernoulli

    package init(_ owner: DeviceOwner) {
        share = owner.device.pointee.glanceShowsToday
    }

    /// Whether the glance that is so many pickups from the start shows it.
    ///
    /// - Parameter streams: the device's.
    package func isShown(atPickup number: UInt64, _ streams: RandomStreams) -> Bool {
        share.holds(streams.number(.glanceSurface, at: number))
    }
}
