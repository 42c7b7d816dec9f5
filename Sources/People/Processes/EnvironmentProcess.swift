import Basics
import DeviceStorage
import Statistics
import WidgetPlatform

/// The environment changes of one device: settings that its person changes in a session, reboots at any time, releases
/// that it installs, and an automatic appearance that switches twice a day.
struct EnvironmentProcess {
    /// The next change.
    private(set) var nextAt: Instant = .never
    /// When the person next wants other settings; the first session from then on makes the change.
    private(set) var settingDue: Instant = .never
    private var rebootAt: Instant = .never
    private var switchAt: Instant = .never
    private let switchesAppearance: Bool
    private var isDark = false
    private var settingGaps = DrawCount(), settingKinds = DrawCount(), reboots = DrawCount()
    private var settingAt: Instant = .never
    private var releaseAt: Instant = .never
    private let releases: UnsafeBufferPointer<PreparedRelease>
    private let device: DeviceKind
    /// By whose clock it installs them.
    private let home: UnsafePointer<ZoneTable>
    private let segment: UnsafePointer<PreparedEnvironment>
    private let streams: RandomStreams

    private var habits: PreparedEnvironment {
        @inline(__always) _read { yield segment.pointee }
    }

    init(
        _ traits: PersonTraits, slot: UInt8, _ habits: UnsafePointer<PreparedEnvironment>,
        releases: UnsafeBufferPointer<PreparedRelease>, on device: DeviceKind,
        zone: UnsafePointer<ZoneTable>, isResumed: Bool = false
    ) {
        (self.releases, self.device, home) = (releases, device, zone)
        streams = traits.streams.ofDevice(slot)
        segment = habits
        switchesAppearance = habits.pointee.appearance.index(traits.streams.number(.appearance)) == 2
        if isResumed { return }
        settingDue = Self.next(of: habits.pointee.settings, after: .start, &settingGaps, of: streams[.settingsGap])
        rebootAt = Self.next(of: habits.pointee.reboots, after: .start, &reboots, of: streams[.reboot])
        findRelease(after: .start - Duration(microseconds: 1))
        isDark = isDark(at: .start, in: zone)
        findSwitch(after: .start, in: zone)
        findNext()
    }

    /// When the device installs a release: each a microsecond later than the one before it, so that two of one instant
    /// do not meet.
    private func installation(of index: Int) -> Instant {
        let (adoptions, nights, draw) = (
            streams[.releaseAdoption], streams[.releaseNight], UInt64(2 * releases[index].number)
        )
        let at = releases[index].installation(
            on: device, in: home.pointee, adoption: adoptions.value(at: draw), time: adoptions.value(at: draw + 1),
            isOvernight: nights.value(at: draw), minute: nights.value(at: draw + 1),
            phase: streams[.releasePhase].value(at: UInt64(releases[index].number)))
        return at < .never ? at + Duration(microseconds: Int64(releases[index].number)) : .never
    }

    /// An installation before the run is no event of it.
    private mutating func findRelease(after instant: Instant) {
        releaseAt = releases.indices.map(installation).filter { $0 > instant }.min() ?? .never
    }

    private func isDark(at instant: Instant, in zone: UnsafePointer<ZoneTable>) -> Bool {
        let clock = zone.pointee.localTime(at: instant).clock
        let (light, dark) = (habits.lightFrom, habits.darkFrom)
        return light < dark ? clock < light || clock >= dark : clock >= dark && clock < light
    }

    /// The device goes by another zone's clock, on which it may be light or dark already.
    mutating func move(to zone: UnsafePointer<ZoneTable>, at now: Instant) {
        guard switchesAppearance else { return }
        if isDark(at: now, in: zone) == isDark {
            findSwitch(after: now, in: zone)
        } else {
            switchAt = now
            findNext()
        }
    }

    /// A stream of arrivals that never come draws nothing.
    private static func next(
        of arrivals: RandomArrivals, after instant: Instant, _ count: inout DrawCount, of stream: RandomStream
    ) -> Instant {
        arrivals.everCome ? arrivals.next(after: instant, count.next(of: stream)) : .never
    }

    private mutating func findNext() { nextAt = min(min(settingAt, releaseAt), min(rebootAt, switchAt)) }

    /// The next switch of an automatic appearance on the clock of a zone.
    private mutating func findSwitch(after instant: Instant, in zone: UnsafePointer<ZoneTable>) {
        guard switchesAppearance else { return }
        let today = zone.pointee.localTime(at: instant).date
        var next = Instant.never
        for offset in 0...1 as ClosedRange<Int64> {
            for clock in [habits.lightFrom, habits.darkFrom] {
                let at = zone.pointee.instant(of: today.advanced(by: offset), at: clock)
                if at > instant { next = min(next, at) }
            }
        }
        switchAt = next
        findNext()
    }

    /// A session begins: what the person wants to set otherwise is set.
    mutating func beginSession(at instant: Instant) {
        guard settingDue <= instant else { return }
        settingAt = instant
        findNext()
    }

    /// Takes the next change.
    mutating func advance(in zone: UnsafePointer<ZoneTable>) -> WorldEvent {
        let now = nextAt
        if settingAt == now {
            settingAt = .never
            settingDue = Self.next(of: habits.settings, after: now, &settingGaps, of: streams[.settingsGap])
            findNext()
            return .environment(
                PreparedEnvironment.settingChanges[
                    habits.settingChoice.index(settingKinds.next(of: streams[.settingsKind]))], zone: -1)
        }
        if rebootAt == now {
            rebootAt = Self.next(of: habits.reboots, after: now, &reboots, of: streams[.reboot])
            findNext()
            return .environment(.reboot, zone: -1)
        }
        if releaseAt == now {
            let app = releases.indices.first { installation(of: $0) == now }.flatMap { releases[$0].app }
            findRelease(after: now)
            findNext()
            return app.map { .appUpdate(app: $0) } ?? .environment(.systemUpdate, zone: -1)
        }
        isDark = isDark(at: now, in: zone)
        findSwitch(after: now, in: zone)
        return .appearance
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        coder.code(&settingDue)
        coder.code(&settingAt)
        coder.code(&releaseAt)
        coder.code(&rebootAt)
        coder.code(&switchAt)
        coder.code(&isDark)
        coder.code(&settingGaps)
        coder.code(&settingKinds)
        coder.code(&reboots)
        if Coder.isReading { findNext() }
    }
}
