import Measures
import RefreshService
import SimulatedTime

/// The devices of a cohort between their instants, however they are kept. Devices are numbered by the cohort.
protocol CohortDevices: AnyObject {
    /// Begins the devices of a person and lives each to its first rest; tells when a device does something next by itself.
    func begin(person: Int, isOver: (_ slot: Int, _ nextAt: Instant?) -> Void)

    /// Lives a device on to its next rest.
    ///
    /// - Parameters:
    ///   - answer: what the service has decided for it, if that is why.
    ///   - windowEnd: before which nothing that it does not know can reach it.
    /// - Returns: when it does something next by itself; nil if its life is over.
    func live(_ device: DeviceAddress, answer: ServiceAnswer?, windowEnd: Instant) -> Instant?
}

/// Which device is meant.
struct DeviceAddress {
    let person: Int
    let slot: Int
    /// Its place in the cohort's tables.
    let index: Int
}

extension DeviceLife {
    /// Lives on to the next rest; returns when the device does something next by itself, nil if its life is over.
    mutating func liveToRest() -> Instant? {
        liveOn()
        // Whatever is undecided cannot reach it any more before the end.
        if clocks.horizon == end {
            finish()
            return nil
        }
        count(.events, events)
        events = 0
        return nextAt
    }

    /// Takes up what the service has decided, and lives on to the next rest.
    mutating func liveOn(after answer: ServiceAnswer?, windowEnd: Instant) -> Instant? {
        link.windowEnd = windowEnd
        if let answer { receive(answer) }
        findHorizon()
        return liveToRest()
    }
}
