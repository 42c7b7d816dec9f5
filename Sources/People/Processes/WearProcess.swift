import Basics
import DeviceStorage
import Statistics

/// A watch comes off the wrist for a charge and for the night (V4).
struct WearProcess {
    private(set) var nextAt: Instant = .never
    private(set) var isWorn = true
    private let device: UnsafePointer<PreparedDeviceHabits>
    private let isWatch: Bool
    private let isWornAtNight: Bool
    /// Today's draws: when on the clock, from midnight, and for how long.
    private var chargeClock = Duration.zero
    private var chargeLength = Duration.zero
    /// When the charge begins and is over; `never` for none to come.
    private var chargeAt: Instant = .never
    private var chargedAt: Instant = .never
    private var starts = DrawCount(), lengths = DrawCount()

    init(_ device: UnsafePointer<PreparedDeviceHabits>, isWornAtNight: Bool) {
        self.device = device
        isWatch = device.pointee.kind == .watch
        self.isWornAtNight = isWornAtNight
    }

    mutating func beginAsleep() { isWorn = !isWatch || isWornAtNight }

    mutating func wake(at now: Instant, zone: UnsafePointer<ZoneTable>, _ streams: RandomStreams) {
        guard isWatch else { return }
        // Today's draws, whether the watch is charged today or not.
        chargeClock = device.pointee.chargeAt.draw(starts.next(of: streams[.chargeStart]))
        chargeLength = device.pointee.chargeTime.draw(lengths.next(of: streams[.chargeLength]))
        chargedAt = .never
        planCharge(after: now, zone: zone)
        nextAt = isWorn ? chargeAt : now
    }

    /// The coming charge by the clock of a zone; bedtime may come before it.
    private mutating func planCharge(after now: Instant, zone: UnsafePointer<ZoneTable>) {
        chargeAt = .never
        guard chargeLength > .zero else { return }
        let date = zone.pointee.localTime(at: now).date
        for offset in 0...1 as ClosedRange<Int64> where chargeAt == .never {
            let at = zone.pointee.instant(of: date.advanced(by: offset), fromMidnight: chargeClock)
            if at > now { chargeAt = at }
        }
        if chargeAt < .never { chargedAt = chargeAt + chargeLength }
    }

    /// The person comes to another zone: a charge that has not begun goes by its clock.
    mutating func move(to zone: UnsafePointer<ZoneTable>, at now: Instant) {
        guard isWatch, isWorn, chargeAt < .never else { return }
        planCharge(after: now, zone: zone)
        nextAt = chargeAt
    }

    mutating func sleep(at now: Instant) {
        guard isWatch else { return }
        chargeAt = .never
        if isWornAtNight {
            // One that is still on its charger goes on the wrist when that is done.
            if isWorn { nextAt = .never }
            return
        }
        chargedAt = .never
        nextAt = isWorn ? now : .never
    }

    /// The watch is taken off or put on; returns whether it is put on.
    mutating func advance() -> Bool {
        isWorn.toggle()
        if isWorn {
            nextAt = chargeAt
        } else {
            nextAt = chargedAt
            chargeAt = .never
        }
        return isWorn
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard isWatch else { return }
        coder.code(&nextAt)
        coder.code(&isWorn)
        coder.code(&chargeClock)
        coder.code(&chargeLength)
        coder.code(&chargeAt, near: nextAt)
        coder.code(&chargedAt)
        coder.code(&starts)
        coder.code(&lengths)
    }
}
