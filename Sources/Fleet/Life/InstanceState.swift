import Measures
import People
import SimulatedTime
import Stochastics
import WidgetPlatform

/// All that changes of one instance during a device's life. It lies in memory that a worker allocates once.
struct InstanceState {
    /// Its index among the ways in which an instance can stand on the device, and its own number on the device.
    let placement, number: Int
    let kind, app: Int
    let surface: Surface
    let family: WidgetFamily
    let renderingMode: RenderingMode
    /// The index of the stack that it lies in (V3), −1 for none.
    let stack: Int
    /// Whether it shows the place where the person is; otherwise `chosenKey` keys its content, 0 for none.
    let followsPerson: Bool
    var chosenKey: Int64
    /// The one that it had at first.
    let drawnKey: Int64
    /// The location mode of its app on this device (L3); counts that are told apart by it go to the one in force.
    var mode: LocationMode
    /// Whether the significant changes that reach its app are those of reduced accuracy.
    let isReduced: Bool
    let installedAt: Instant
    /// Content that is there when the instance is: when it was fetched, `never` for none, and for which place, 0 for none; and whether it is alternate
    /// content, though the place may be known (L6).
    var initialFetched: Instant = .never
    var initialPlace: Int64 = 0
    var startsAlternate = false
    /// Microtokens; nil for half the cap.
    let openingBalance: Int64?
    /// Where its counts stand.
    var counts: InstancePlaces
    /// Whether it is there at first with a placeholder, because its condition is unmet (P8).
    var startsUnmet = false

    // Shown content (P1, C2).
    var content = ShownContent.placeholder
    /// When the timeline on the screen was fetched, and the date of its last entry.
    var fetched: Instant = .longAgo
    var lastEntry: Instant = .longAgo
    var firstTimelineAt: Instant = .never
    /// The first version that it lacks.
    var version = VersionPosition.none
    /// From when what it shows is stale (C3): the next version, or the end of validity.
    var staleFrom: Instant = .never
    /// Up to when its waking time has been counted.
    var countedUntil: Instant = .never
    var lastKnownPlace: Int64 = 0
    /// How many changes of `manual` content it has seen (C1).
    var changesSeen: Int64 = 0
    /// When the latest timeline that brought a new version came (V3).
    var newSince: Instant = .longAgo

    // When it asks to be reloaded (P3–P6).
    var dueAt: Instant = .never
    var dueCause = ReloadCause.after
    /// The date that the timeline prefers (F5); `never` for none.
    var preferred: Instant = .never
    /// The aligned time that `dueAt` stands for, and the latest one served (P5).
    var alignedDate: Instant = .never
    var servedDate: Instant = .longAgo

    // Its reload (G6–G8).
    var slot = ReloadSlot()
    var wait = GateWait()
    /// When the event comes for which its phase waits: a gate opens or closes by itself, the dispatch, the flight's next step or answer; `never` if there is no
    /// reload, or if only an event can continue it.
    var reloadAt: Instant = .never
    var lastBackgroundRun: Instant = .longAgo
    var flight = Flight()

    // Its budget and views (B1–B5): its own tokens, and those for pushed reloads if they have a pool of their own (B7).
    var own: TokenPool
    var pushed: TokenPool
    let hasPushPool: Bool
    var history: ViewHistory
    var viewsToday: Int64 = 0
    /// Whether it was there at the last wake-up, so that the device-day counts (B2).
    var sawWakeUp = false

    // Its configuration (F8): when the person next wants another, and how often they have had one.
    var editAt: Instant = .never
    var edits: UInt64 = 0

    // Reloads owed (F3, F4, F6).
    var owedLocation = OwedChanges()
    var owedEnvironment = OwedChanges()
    var owedReboot = OwedChanges()
    /// The actions of interactions that have not returned yet.
    var actions = PendingInstants()
    /// Whether a call of its app at this instant means it, and the calls by openings and closings of its app in this instant, which wait for their rank.
    var isCalled = false
    var ownCalls = OwnCalls()
    /// The calls from the foreground that the platform lets through (F1).
    var calls = ForegroundCalls()
    /// Whether the view of this instant leads to the use of its button, and to a tap (V5).
    var isInteracting = false
    var isTapped = false
    /// The pushes about new versions that are on their way (B7), when the next version appears that has not been looked at, and of which key.
    var pushes = PendingInstants()
    var nextVersionAt: Instant = .longAgo
    var pushKey: Int64 = 0
    /// When one of them comes, or versions are to be looked at.
    var pushAt: Instant = .never

    // The pickup's view (V2, V6).
    var viewedShowing: Int = -1
    /// The view that waits to be healed, and until when it can be; `longAgo` for none.
    var unhealed = Presentation(.fullColor, .active, .none, .fresh)
    var healUntil: Instant = .longAgo

    // Its draws so far; `DeviceLife.stream(_:of:)` has their streams.
    var dispatchDelays = DrawCount(), legs = DrawCount(), jitters = DrawCount(), fixes = DrawCount(), freeDelays = DrawCount()

    /// Whether the system knows it yet.
    var isInstalled = false
}

/// The few bytes of every instance that the loop reads at each instant, kept apart from the instances' states.
struct InstanceBrief {
    /// When it has something to do next.
    var at: Instant = .never
    /// Whether a reload of it waits at a gate, or, a free one, for the device to be unlocked.
    var isHeld = false
    /// Whether what comes next is the answer to a request.
    var awaitsAnswer = false
    /// Whether a granted reload has not been dispatched.
    var isGranted = false
    /// Where it stands: its surface, its stack, −1 for none, and its place in that.
    let surface: SurfaceSet
    let stack: Int8
    var stackPlace: Int8 = 0

    init(surface: Surface, stack: Int) {
        self.surface = SurfaceSet(surface)
        self.stack = Int8(stack)
    }
}

/// The flight of a reload: the fix, the tries of its requests, and what they bring (S1, S3, L5).
struct Flight {
    /// Whether what comes next is the answer to the present try, and not a location fix or the next try.
    var awaitsAnswer = false
    /// Whether the reload was charged.
    var isCharged = false
    /// Whether the requests of a new instance's preview are under way, or have been (F7).
    var preview = Preview.none
    /// Tries so far.
    var tries = 0
    /// How the present try will end, and when the origin makes its answer.
    var ending = ReloadOutcome.ok
    var madeAt: Instant = .never
    /// The place that the content will be for; 0 for none. `alternate` content is for none (L6).
    var place: Int64 = 0
    var isAlternate = false
    /// Whether a location fix is awaited, and whether it will succeed.
    var awaitsFix = false
    var fixSucceeds = false
    /// The client's delay before the present try, if it is not the first (S3).
    var lastDelay = Duration.zero
    /// How long an error of the present try told it to wait.
    var retryAfter = Duration.zero

    // At a refresh service (S5).

    /// Requests of the present try whose fates are not known.
    var undecided = 0
    /// Those of them, and of the answered ones, of which the client has heard nothing.
    var unheard = 0
    /// The number of the try's first request among the device's, and the earliest instant at which the try can end.
    var firstSequence: UInt32 = 0
    var endsFrom: Instant = .never
    /// Whether any answer of the present try is an error.
    var hasError = false
    /// The last answer of those known, and the number of its request.
    var answeredAt: Instant = .longAgo
    var answeredSequence: UInt32 = 0
}

/// The preview of a new instance, which its extension makes before the first timeline (F7).
enum Preview: UInt8 { case none, asked, over }

/// How long a due reload waits, under every gate that is closed and as a whole (section 6).
struct GateWait {
    var closed = GateSet()
    var everClosed = GateSet()
    var evaluatedAt: Instant = .never
    /// Microseconds under each gate.
    var microseconds = SIMD8<Int64>()

    init() {}

    /// The wait begins or continues with these gates closed from `instant` on.
    mutating func evaluate(_ gates: GateSet, at instant: Instant) {
        if !closed.isEmpty {
            let elapsed = (instant - evaluatedAt).microseconds
            closed.forEach { microseconds[$0.ordinal] += elapsed }
        }
        closed = gates
        everClosed.formUnion(gates)
        evaluatedAt = instant
    }
}
