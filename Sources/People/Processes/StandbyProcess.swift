import Basics
import DeviceStorage
import Statistics

/// Looks at a phone that lies charging in landscape at night (V4).
struct StandbyProcess {
    private(set) var nextAt: Instant = .never
    private let device: UnsafePointer<PreparedDeviceHabits>
    private let isPutUp: Bool
    /// Seconds.
    private let usualNight: Double
    private let exponential: QuantileTable
    /// Seconds between two looks at any time of the present night on average, and when the night ends.
    private var gap = Double.infinity
    private var wakeAt: Instant = .never
    private var nights = DrawCount(), looks = DrawCount()

    /// The look at bedtime comes within so long of falling asleep. Assumption.
    private static let bedtime: UInt64 = 600_000_000

    init(
        _ device: UnsafePointer<PreparedDeviceHabits>, isPutUp: Bool, usualNight: Duration, exponential: QuantileTable
    ) {
        self.device = device
        self.isPutUp = isPutUp
        self.usualNight = usualNight.inSeconds
        self.exponential = exponential
    }

    mutating func sleep(at now: Instant, wake: Instant, _ streams: RandomStreams) {
        guard beginNight(wake: wake, seconds: (wake - now).inSeconds, streams) else { return }
        // The first look as the person goes to bed, the others at any time of the night.
        if RandomStream.uniform(looks.next(of: streams[.standbyLook])) < min(1, device.pointee.looksPerNight) {
            set(
                now
                    + Duration(
                        microseconds: Int64(
                            RandomStream.index(looks.next(of: streams[.standbyLook]), below: Self.bedtime))))
        }
    }

    /// The run begins in the night: the look at bedtime is over.
    mutating func beginAsleep(wake: Instant, _ streams: RandomStreams) {
        guard beginNight(wake: wake, seconds: usualNight, streams), gap < .infinity else { return }
        set(nextLook(after: .start, streams))
    }

    /// Whether the phone is put up tonight; sets the time between its looks.
    private mutating func beginNight(wake: Instant, seconds: Double, _ streams: RandomStreams) -> Bool {
        nextAt = .never
        guard isPutUp, device.pointee.standbyNight.holds(nights.next(of: streams[.standbyNight])) else { return false }
        wakeAt = wake
        let further = max(0, device.pointee.looksPerNight - 1)
        gap = further > 0 ? seconds / further : .infinity
        return true
    }

    private mutating func nextLook(after instant: Instant, _ streams: RandomStreams) -> Instant {
        RandomArrivals(meanGap: gap, exponential).next(after: instant, looks.next(of: streams[.standbyLook]))
    }

    private mutating func set(_ at: Instant) { nextAt = at < wakeAt ? at : .never }

    mutating func wake() { nextAt = .never }

    mutating func advance(_ streams: RandomStreams) {
        if gap < .infinity { set(nextLook(after: nextAt, streams)) } else { nextAt = .never }
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        guard isPutUp else { return }
        coder.code(&nextAt)
        coder.code(&gap)
        coder.code(&wakeAt)
        coder.code(&nights)
        coder.code(&looks)
    }
}
