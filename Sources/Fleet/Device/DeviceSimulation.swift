import Basics
import People
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
    let parametersAt: UnsafePointer<PlatformParameters>
    let reportFrom: Instant
    /// The run's, but in a sample that stops before it.
    var end: Instant

    // The device and its person.
    let segment: Int
    /// Draws that are looked up.
    let streams: RandomStreams
    /// The glances that show the today view; nil if nothing stands there (V2).
    var todayViewGlances: TodayViewGlances?
    var fixFailing: [(from: Instant, to: Instant)]
    var clocks: DeviceClocks
    var now: Instant = .start
    var hidesLockScreen, hidesAlwaysOn: Bool
    var person: PersonState
    var display: DisplayState
    var condition: DeviceCondition
    var apps: AppStates
    var whereabouts: Whereabouts
    /// The intervals in which the budgets of its instances accrue (B4, B6).
    var calendar: AccrualCalendar
    var link: ServiceLink

    // The kinds, instances and stacks on the device, in memory that somebody else owns.
    let kinds: UnsafeMutablePointer<PreparedKind>
    var kindStates: UnsafeMutablePointer<KindState>
    var instances: UnsafeMutablePointer<InstanceState>
    var schedule: InstanceSchedule
    let instanceCount: Int
    /// Instances that are not installed yet.
    var missingCount: Int
    var stacks: UnsafeMutablePointer<StackState>
    let stackCount: Int
    /// The surface that is shown from an opening on, and the chance that a person at a tile continues to the next.
    var opened = OpenedSurface()
    var furtherTile = Bernoulli.never
    /// The surfaces with an instance.
    var viewSurfaces = SurfaceSet()
    /// The surfaces with a stack of several widgets.
    var stackSurfaces = SurfaceSet()
    /// By app.
    var silentPushes: UnsafeMutablePointer<SilentPushState>
    var campaigns: UnsafeMutablePointer<CampaignState>
    let campaignCount: Int
    /// The background fetches of the segment's apps.
    let fetchPlans: UnsafeBufferPointer<PreparedFetch>
    var fetches: UnsafeMutablePointer<FetchState>
    let fetchCount: Int

    // State that concerns several instances.

    /// Whether any instance has a pending reload for an environment change or a reboot (F4).
    var hasPendingChanges = false
    /// Whether any view of this instant leads to the use of a button, and to a tap (V5).
    var hasInteractions = false
    var hasTaps = false
    /// Whether any app that was opened or closed in this instant calls for reloads.
    var hasOwnCalls = false
    /// Whether a gate may have opened or closed for every waiting reload.
    var gatesMoved = false

    // Where counts go: a scratch block until the warm-up is over, the run's own afterwards.
    var cells: UnsafeMutablePointer<Int64>
    let reportedCells: UnsafeMutablePointer<Int64>
    let load: LoadBuffer
    let devicePlace: BlockPlace<DeviceCounts>
    var events: Int64 = 0

    var parameters: PlatformParameters {
        @inline(__always) _read { yield parametersAt.pointee }
    }

    /// The stream of an instance's own draws of a purpose.
    @inline(__always) mutating func stream(_ purpose: Purpose, of i: Int) -> RandomStream {
        streams[purpose, sub: instances[i].number]
    }

    var zoneTable: ZoneTable { prepared.zones[whereabouts.zone] }
    /// Continues with what stands on the device in other memory, which is a copy.
    mutating func adopt(_ memory: DeviceMemory) {
        world.adopt(memory.apps)
        schedule.adopt(memory)
        apps.adopt(memory)
        (kindStates, instances, stacks) = (memory.kindStates, memory.instances, memory.stacks)
        (silentPushes, campaigns, fetches) = (memory.silentPushes, memory.campaigns, memory.fetches)
        rules.adopt(memory)
    }

    /// Adds to a count of the device's segment.
    mutating func count(_ what: DeviceCount, _ amount: Int64 = 1) { deviceCounts[what] += amount }

    var deviceCounts: CountBlock<DeviceCounts> {
        mutating get { CountBlock(cells, at: devicePlace) }
    }

    /// The counts that an instance's reloads and budgets go to, and those of its views.
    mutating func reloadCounts(_ i: Int) -> CountBlock<ReloadCounts> {
        CountBlock(cells, at: instances[i].counts.reloads)
    }
    mutating func viewCounts(_ i: Int) -> CountBlock<ViewCounts> { CountBlock(cells, at: instances[i].counts.views) }
}
