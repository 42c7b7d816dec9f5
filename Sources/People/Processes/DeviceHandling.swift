import Basics
import DeviceStorage
import Statistics

/// A device on its charger by night, in the car and at a desk, and moved while nobody looks at it (N8, N9).
///
/// Assumptions: a charge at a desk begins evenly over the ten hours after the wake-up; a device that its person sleeps
/// beside is not moved.
package struct DeviceHandling: BitwiseCopyable {
    private var isAtNight = false, isInCar = false, isAtDesk = false
    /// When the day's charge at a desk begins or ends, and when the device is moved next; `never` for none to come.
    private var deskAt: Instant = .never
    private var motionAt: Instant = .never
    private var deskTime = Duration.zero
    private var nights: UInt64 = 0
    private var motions: UInt64 = 0
    private let chargesInCar: Bool
    private let habits: UnsafePointer<PreparedDeviceHabits>
    private let streams: RandomStreams

    /// The time after a wake-up in which a charge at a desk can begin.
    private static let deskDay = Duration.hours(10)

    package init(_ owner: DeviceOwner) {
        habits = owner.device
        streams = owner.streams
        chargesInCar = owner.device.pointee.charging.car.holds(owner.streams.number(.carCharge))
    }

    package var isCharging: Bool { isAtNight || isInCar || isAtDesk }
    /// When something of it happens by itself.
    package var nextAt: Instant { min(deskAt, motionAt) }

    package mutating func sleep() {
        (deskAt, motionAt, isAtDesk) = (.never, .never, false)
        isAtNight = habits.pointee.charging.nights.holds(streams.number(.nightCharge, at: nights))
        nights += 1
    }

    package mutating func wake(at now: Instant) {
        isAtNight = false
        let draws = streams[.deskCharge]
        if habits.pointee.charging.desk.holds(draws.value(at: 3 * nights)) {
            let part = RandomStream.uniform(draws.value(at: 3 * nights + 1))
            deskAt = now + Duration(seconds: Self.deskDay.inSeconds * part)
            deskTime = habits.pointee.charging.deskTime.draw(draws.value(at: 3 * nights + 2))
        }
        planMotion(after: now)
    }

    /// The person sets out, or arrives.
    package mutating func travel(_ isOnTrip: Bool) { isInCar = chargesInCar && isOnTrip }

    /// Takes the event of `nextAt`; returns whether the device is moved.
    package mutating func advance(at now: Instant) -> Bool {
        if deskAt == now {
            isAtDesk.toggle()
            deskAt = isAtDesk ? now + deskTime : .never
        }
        guard motionAt == now else { return false }
        planMotion(after: now)
        return true
    }

    private mutating func planMotion(after now: Instant) {
        motionAt = habits.pointee.charging.motions.next(after: now, streams.number(.motion, at: motions))
        motions += 1
    }

    package mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&isAtNight)
        coder.code(&isInCar)
        coder.code(&isAtDesk)
        coder.code(&deskAt)
        coder.code(&deskTime)
        coder.code(&motionAt)
        coder.code(&nights)
        coder.code(&motions)
    }
}
