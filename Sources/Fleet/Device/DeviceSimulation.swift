import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// The simulation of one device from the start of the run to its end: its state. `+Loop` has the loop, `+Instant` the
/// order of an instant.
///
/// It moves from one instant at which anything happens to the next and takes the events of the instant in the order of
/// their priority (T3). The rules are in `WidgetPlatform` and people's behaviour comes from the world; the two meet
/// here, and the outcome is counted. Where platforms differ, `Rules` says what holds: a constant, so that no platform
/// pays for another.
///
/// All of its methods are `mutating`, those too that only count: the compiler copies the whole value, six kilobytes,
/// for a call that is not.
struct DeviceSimulation<World: SimulatedWorld, Rules: DevicePlatform> {
    var world: World
    var observer: World.Observer
    /// The platform's own states of the device, if its rules are others than WidgetKit's.
    var rules: Rules
    let prepared: PreparedPlan
    /// Draws that are looked up.
    let streams: RandomStreams
    var clocks: DeviceClocks
    var now: Instant = .start
    var instant = InstantFlags()
    var person: PersonState
    var display: DisplayState
    /// The surface that is shown from an opening on.
    var opened: OpenedSurface
    var condition: DeviceCondition
    var apps: AppStates
    var whereabouts: Whereabouts
    /// The intervals in which the budgets of its instances accrue (B4, B6).
    var calendar: AccrualCalendar
    var link: ServiceLink
    var report: DeviceReport
    var events: Int64 = 0

    // The kinds, instances, stacks and pushes on the device, in memory that somebody else owns.
    let kinds: UnsafeMutablePointer<PreparedKind>
    var kindStates: UnsafeMutablePointer<KindState>
    var instances: UnsafeMutablePointer<InstanceState>
    var schedule: InstanceSchedule
    var stacks: DeviceStacks
    var pushes: DevicePushes
    var fetches: DeviceFetches
    var own: ProviderRoom

    var instanceCount: Int { schedule.count }
    var zoneTable: ZoneTable { prepared.zones[whereabouts.zone] }

    var parameters: PlatformParameters {
        @inline(__always) _read { yield prepared.parameters.pointee }
    }

    /// The stream of an instance's own draws of a purpose.
    @inline(__always) mutating func stream(_ purpose: Purpose, of i: Int) -> RandomStream {
        streams[purpose, sub: instances[i].number]
    }

    /// Continues with what stands on the device in other memory, which is a copy.
    mutating func adopt(_ memory: DeviceMemory) {
        world.adopt(memory.apps)
        (kindStates, instances) = (memory.kindStates, memory.instances)
        schedule.adopt(memory)
        apps.adopt(memory)
        stacks.adopt(memory)
        pushes.adopt(memory)
        fetches.adopt(memory)
        own.adopt(memory)
        rules.adopt(memory)
    }

    /// Adds to a count of the device's segment.
    mutating func count(_ what: DeviceCount, _ amount: Int64 = 1) { report.counts[what] += amount }

    /// The counts that an instance's reloads and budgets go to, and those of its views.
    mutating func reloadCounts(_ i: Int) -> CountBlock<ReloadCounts> {
        CountBlock(report.cells, at: instances[i].counts.reloads)
    }
    mutating func viewCounts(_ i: Int) -> CountBlock<ViewCounts> {
        CountBlock(report.cells, at: instances[i].counts.views)
    }
}

/// The timeline that an instance shows, and when it asks to be replaced (P1–P6, C3).
extension DeviceSimulation {
    /// Shows content with the timeline that its kind has.
    mutating func showAsStated(_ content: ShownContent, at i: Int, fetched: Instant) -> Timeline {
        let kind = instances[i].kind
        return instances[i].show(
            content, fetched: fetched, kinds + kind, kindStates + kind,
            in: prepared.zones.baseAddress! + whereabouts.zone, at: now)
    }

    @inline(__always) mutating func setDue(_ i: Int, at date: Instant, _ cause: ReloadCause) {
        instances[i].setDue(at: date, cause, now: now)
        schedule.touch(i, at: now)
        noteDate(i, cause)
    }
}

/// The work that the events of one instant leave for its later priorities (T3).
struct InstantFlags {
    /// Whether any view leads to the use of a button, and to a tap (V5).
    var hasInteractions = false
    var hasTaps = false
    /// Whether any app that was opened or closed calls for reloads.
    var hasOwnCalls = false
    /// Whether a gate may have opened or closed for every waiting reload.
    var gatesMoved = false
    /// The events that have happened and that a provider of a user's own listens to (P9).
    var heard: ProviderContext.Events = []
}
