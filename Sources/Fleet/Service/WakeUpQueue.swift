import Basics
import DeviceStorage

/// When a device has to be resumed though nothing has been decided for it.
package struct DeviceWakeUp: Timed {
    package let dueAt: Instant
    package let person: UInt32
    let slot: UInt8
}

/// The devices of a fleet that have to be resumed though nothing is decided for them.
///
/// Nearly all have their answer long before that, so a device is not queued when it is suspended: its request tells of
/// it when it arrives, a while passes, and only devices for which nothing is decided then stand in the queue.
package struct WakeUpQueue {
    private let queue = RadixHeap<DeviceWakeUp>()
    /// Those told of by arrivals, in the order in which they are looked at.
    private var watched: [(lookAt: Instant, wake: DeviceWakeUp)] = []
    private var first = 0

    /// Most answers take less.
    private static let patience = Duration.seconds(1)

    package init() {}

    /// Adds the devices of a partition that have to be resumed and of which no request will tell.
    package mutating func collect(from partition: FleetPartition) { partition.takeWakeUps { queue.add($0) } }

    /// A request has arrived in the window that ends at an instant, and its device has to be resumed. Windows come in
    /// order.
    package mutating func note(_ wake: DeviceWakeUp, windowEnd: Instant) {
        let lookAt = windowEnd + Self.patience
        if wake.dueAt < lookAt { queue.add(wake) } else { watched.append((lookAt, wake)) }
    }

    /// The earliest instant at which a device has to be resumed, if it is before `limit`; otherwise an instant not
    /// before the limit.
    ///
    /// - Parameter isDue: whether a device still waits and has to be resumed then.
    package mutating func next(before limit: Instant, where isDue: (DeviceWakeUp) -> Bool) -> Instant {
        look(before: limit, where: isDue)
        return queue.next(before: limit, where: isDue)
    }

    /// Takes those before `limit` that are due.
    package mutating func take(
        before limit: Instant, where isDue: (DeviceWakeUp) -> Bool, _ body: (DeviceWakeUp) -> Void
    ) {
        look(before: limit, where: isDue)
        queue.take(before: limit) { if isDue($0) { body($0) } }
    }

    /// Queues the watched ones that are looked at before `limit` and are due. Those looked at later have to be resumed
    /// later still.
    private mutating func look(before limit: Instant, where isDue: (DeviceWakeUp) -> Bool) {
        while first < watched.count, watched[first].lookAt < limit {
            if isDue(watched[first].wake) { queue.add(watched[first].wake) }
            first += 1
        }
        if first > 1_024 && 2 * first > watched.count {
            watched.removeFirst(first)
            first = 0
        }
    }
}
