import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// The parameters and kinds of a plan for Android, prepared; all else of them is the plan's, read in place.
@dynamicMemberLookup
struct PreparedAndroid {
    private let plan: AndroidParameters
    let alarmDelay, jobDelay, jobTime: DurationDistribution
    let lowered, killer, restricted, exactAlarms: Bernoulli
    let updates: RandomArrivals
    /// By kind.
    let refreshes: [AndroidRefresh]
    /// By kind: the time from the end of a periodic job to its next (T4); nil for kinds without one.
    let jobLives: [TimelineLives?]
    /// By app: whether the messages of all of its kinds are collapsible that take any (N10).
    let areCollapsible: [Bool]
    /// By app: whether the push service stores them for a device without a connection (D8).
    let areStored: [Bool]
    /// Where the refreshes of each kind are counted, by segment, kind and kind of device; −1 where none can be.
    private let quotaOffsets: [Int]
    private let kinds: Int
    /// Where the requests that arrive in the first minute of the report are counted.
    let minutesAt: Int

    init(_ parameters: AndroidParameters, _ plan: FleetPlan, _ layout: MeasureLayout, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        self.plan = parameters
        alarmDelay = try parameters.alarmDelay.preparedDurations(with: &tables)
        jobDelay = try parameters.jobDelay.preparedDurations(with: &tables)
        jobTime = try parameters.jobTime.preparedDurations(with: &tables)
        lowered = try Bernoulli(probability: parameters.loweredShare)
        killer = try Bernoulli(probability: parameters.killerShare)
        restricted = try Bernoulli(probability: parameters.restrictedShare)
        exactAlarms = try Bernoulli(probability: parameters.exactAlarmShare)
        updates = RandomArrivals(
            meanGap: parameters.updateEvery?.inSeconds ?? .infinity, tables.exponential)
        refreshes = plan.kinds.map { $0.android ?? AndroidRefresh(period: .none) }
        var lives: [TimelineLives?] = []
        for refresh in refreshes {
            guard case .work(let every, _) = refresh.period else {
                lives.append(nil)
                continue
            }
            lives.append(try TimelineLives(after: every, jitter: jobDelay))
        }
        jobLives = lives
        func messages(_ holds: (AndroidRefresh.Messages) -> Bool) -> [Bool] {
            plan.apps.indices.map { app in
                plan.kinds.allSatisfy {
                    $0.app != app || !($0.takesPushes || $0.contentPushes != nil)
                        || holds($0.android?.messages ?? .init())
                }
            }
        }
        areCollapsible = messages(\.areCollapsible)
        areStored = messages(\.areStored)
        kinds = plan.kinds.count
        var offsets = Array(repeating: -1, count: max(1, plan.segments.count) * kinds * DeviceKind.count)
        for (place, stratum) in layout.androidStrata.enumerated() {
            let stratum = layout.strata[stratum]
            offsets[(stratum.segment * kinds + stratum.kind) * DeviceKind.count + stratum.device.ordinal] =
                layout.quotaPlace(ofAndroidStratum: place).offset
        }
        quotaOffsets = offsets
        minutesAt = layout.minutePlace(0).offset
    }

    subscript<Value>(dynamicMember path: KeyPath<AndroidParameters, Value>) -> Value {
        @inline(__always) get { plan[keyPath: path] }
    }

    /// Whether the messages to an app pass its bucket: those that replace one another and may wait (N10).
    func areThrottled(ofApp app: Int) -> Bool { areCollapsible[app] && areStored[app] }

    /// Where the refreshes of a kind are counted.
    func quotas(ofSegment segment: Int, kind: Int, _ device: DeviceKind) -> BlockPlace<QuotaCounts> {
        BlockPlace(offset: quotaOffsets[(segment * kinds + kind) * DeviceKind.count + device.ordinal])
    }
}
