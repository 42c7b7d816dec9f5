import Basics
import RefreshService
import ScenarioModel
import Statistics
import WidgetPlatform

/// A widget kind with its distributions prepared; all else of it is the plan's, read in place.
@dynamicMemberLookup
struct PreparedKind {
    private let plan: WidgetKind
    /// The provider's own jitter on an `after` date, and whether a device keeps what it draws first (P5).
    let jitter: DurationDistribution?
    let keepsJitter: Bool
    /// The lives of its timelines, where its policy is `after` a time.
    let lives: TimelineLives?
    let contentPushes: PreparedContentPushes?
    /// When the system wakes the app up.
    let wakeUps: RandomArrivals
    let interaction, tap, change: Bernoulli
    /// Whether the app fetches at an opening what it publishes, and after how long it does (C6).
    let publishesOnOpen: Bernoulli
    let publicationDelay: DurationDistribution
    let fixTime: DurationDistribution
    let fixFailure: Bernoulli
    let source: ContentSource
    /// The values of its versions; nil for none.
    let value: ValueSource?
    let forecast: ForecastError?
    /// How often its clients try again after a failure, and after how long the content that stays asks for a reload.
    let retries: ByFailure<Int>
    let failureDelays: ByFailure<FailureDelay>
    /// The shortest of them.
    let leastFailureDelay: Duration
    /// Whether it is a control (V10) whose reloads are free whatever their cause (F9).
    let isFreeControl: Bool
    /// How the system transfers what it asks for (S8).
    let hasTransfer: Bool
    var transfer: PreparedTransfer?
    /// The least that passes between an instance's new timeline and what it asks for next; 0 if nothing bounds it.
    let leastReaction: Duration
    /// When its timelines ask to be replaced. The plan keeps it.
    let rule: Unmanaged<AnyPolicyRule>
    /// How long after a fetch it asks to be replaced; nil where that varies.
    let policyLength: Duration?
    /// Whether its dates may be the clock's, and the clock times to which all of them keep; nil for none (P5).
    let hasClockDates: Bool
    let clockTimes: AlignedSchedule?
    /// Whether they are those that the origin states with its answers (S11).
    let followsPace: Bool
    /// The provider of a user's own that says so; nil for a built-in policy. The plan keeps it.
    let provider: Unmanaged<AnyWidgetProvider>?
    /// How long its timelines usually live (T4).
    let usualLife: UsualLife

    subscript<Value>(dynamicMember path: KeyPath<WidgetKind, Value>) -> Value {
        @inline(__always) get { plan[keyPath: path] }
    }

    init(_ kind: WidgetKind, index: Int, plan: FleetPlan, _ memory: inout PlanMemory, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        self.plan = kind
        if let stated = kind.dates.jitter {
            (jitter, keepsJitter) = (try stated.offsets.preparedOffsets(with: &tables), stated.isKept)
        } else {
            (jitter, keepsJitter) = (nil, false)
        }
        rule = .passUnretained(kind.dates.policy.rule)
        policyLength = kind.dates.policy.rule.fixedLength
        (hasClockDates, clockTimes) = (kind.dates.policy.rule.hasClockDates, kind.dates.policy.rule.clockTimes)
        if kind.dates.policy.rule.followsPace, let pace = plan.requests.paces[kind.endpoint] {
            (followsPace, usualLife) = (true, .after(try pace.usual))
        } else {
            (followsPace, usualLife) = (false, kind.dates.policy.usualLife)
        }
        provider = kind.dates.policy.provider.map { .passUnretained($0) }
        if case .after(let time) = usualLife {
            let none = try Distribution.zero.preparedOffsets(with: &tables)
            lives = try TimelineLives(after: time, jitter: jitter ?? none)
        } else {
            lives = nil
        }
        if let pushes = kind.contentPushes, pushes.share > 0 {
            contentPushes = try PreparedContentPushes(pushes, &tables)
        } else {
            contentPushes = nil
        }
        wakeUps = RandomArrivals(perDay: kind.wakeUpsPerDay, tables.exponential)
        interaction = try Bernoulli(probability: kind.interactionShare)
        tap = try Bernoulli(probability: kind.tapShare)
        change = try Bernoulli(probability: kind.changeShare)
        publishesOnOpen = try Bernoulli(probability: kind.publication.openingShare)
        publicationDelay = try kind.publication.delay.preparedDurations(with: &tables)
        fixTime = try kind.fixTime.preparedDurations(with: &tables)
        fixFailure = try Bernoulli(probability: kind.fixFailure)
        // Content can be as old as its timeline asks to live (T4).
        let lead = max(VersionSource.lead, usualLife.length(of: kind.shape))
        source = try ContentSource(
            kind.versions, index: index, seed: plan.seed, span: (.start - lead, plan.end), zones: plan.zones,
            keeping: &memory, &tables)
        value = kind.contentValue.map { ValueSource($0, index: index, seed: plan.seed, end: plan.end) }
        forecast = kind.forecast.map(ForecastError.init)
        let requests = plan.requests
        retries = ByFailure { kind.retries[$0] ?? requests.retries[$0] }
        failureDelays = try ByFailure { failure throws(DistributionProblem) in
            try FailureDelay(kind.failureAfter[failure] ?? requests.failureAfter[failure], &tables)
        }
        leastFailureDelay = failureDelays.all.reduce(.longest) { min($0, $1.draw(0)) }
        hasTransfer = kind.transfer != nil
        if let stated = kind.transfer { transfer = try PreparedTransfer(stated, &tables) } else { transfer = nil }
        isFreeControl = kind.control != nil && !plan.parameters.controlsAreCharged
        // Pushes come with a new timeline, and the end of a transfer asks for a reload at once.
        if contentPushes == nil && kind.transfer == nil {
            let least = kind.dates.policy.rule.leastReaction(of: kind.shape, minGap: plan.parameters.minGap)
            // Jitter can bring a reload forward; its draws rise with their number.
            leastReaction = least == .longest ? least : max(.zero, least + min(.zero, jitter?.draw(0) ?? .zero))
        } else {
            leastReaction = .zero
        }
    }
}

/// The pushes of a kind's server, prepared (B7).
struct PreparedContentPushes {
    let route: WidgetKind.ContentPushes.Route
    let delay: DurationDistribution
    let isPushed: Bernoulli

    init(_ pushes: WidgetKind.ContentPushes, _ tables: inout StandardTables) throws(DistributionProblem) {
        route = pushes.route
        delay = try pushes.delay.preparedDurations(with: &tables)
        isPushed = try Bernoulli(probability: pushes.share)
    }

    /// Whether the server pushes a version: equal for all devices.
    func isSent(_ index: UInt64, ofKind number: Int, _ streams: RandomStreams) -> Bool {
        isPushed.holds(
            RandomStreams(seed: streams.seed, person: 0).number(.contentPush, sub: number, at: index))
    }

    /// How long a push takes to a device: instances with the same content get one push.
    func delay(_ index: UInt64, ofKind number: Int, _ streams: RandomStreams) -> Duration {
        delay.draw(streams.number(.contentPushDelay, sub: number, at: index))
    }

    /// The last push that came within a span, if any, of a server without a limit.
    func lastArrival(
        of key: Int64, _ kind: UnsafePointer<PreparedKind>, ofKind number: Int, _ streams: RandomStreams,
        within span: Range<Instant>
    ) -> Instant? {
        // From the end of the span back, in steps that double, so that fast sources cost no more than slow ones.
        var (step, end) = (Duration(seconds: 3_600), span.upperBound)
        while end > span.lowerBound {
            let from = max(span.lowerBound, end - step)
            var (last, before): (Instant?, Instant) = (nil, from)
            while true {
                let versionAt = kind.pointee.source.position(key: key, madeAt: before).nextAt
                guard versionAt < end else { break }
                before = versionAt
                let index = PreparedKind.number(ofVersion: versionAt, key: key)
                guard isSent(index, ofKind: number, streams) else { continue }
                let arrivedAt = versionAt + delay(index, ofKind: number, streams)
                if arrivedAt < span.upperBound { last = max(last ?? arrivedAt, arrivedAt) }
            }
            if let last { return last }
            (step, end) = (step * 2, from)
        }
        return nil
    }
}

/// The time to the next reload that the answers of an endpoint state (S11), ready to draw.
struct PreparedPace {
    /// Whether all copies of one object state the same time.
    let isOfObject: Bool
    private let countsFromContent: Bool
    private let endpoint: UInt16
    private let steps: [(from: Instant, time: DurationDistribution)]

    init?(_ pace: ServedPace?, endpoint: Int, _ tables: inout StandardTables) throws(DistributionProblem) {
        guard let pace else { return nil }
        (isOfObject, countsFromContent, self.endpoint) = (pace.isOfObject, pace.countsFromContent, UInt16(endpoint))
        var steps: [(from: Instant, time: DurationDistribution)] = []
        for step in pace.steps { steps.append((step.from, try step.time.preparedDurations(with: &tables))) }
        self.steps = steps
    }

    /// The number of the draw that belongs to what an edge keeps.
    func number(seed: UInt64, key: Int64, madeAt: Instant) -> UInt64 {
        // All 64 bits of the key are in the address: two draws, the second looked up by the first.
        let bits = UInt64(bitPattern: key)
        let own = RandomStream(seed: seed, person: bits >> 24, purpose: .servedPace, sub: endpoint).value(
            at: bits & 0xff_ffff)
        return RandomStream(seed: own, person: 0, purpose: .servedPace).value(at: madeAt.address)
    }

    /// When content asks to be replaced that the origin made at one instant and that was fetched at another.
    func date(_ u: UInt64, madeAt: Instant, fetched: Instant) -> Instant {
        let time = (steps.last { $0.from <= madeAt } ?? steps[0]).time.draw(u)
        return max(fetched + ServedPace.least, (countsFromContent ? madeAt : fetched) + time)
    }
}

/// An app's background fetch, prepared.
struct PreparedFetch {
    let app: Int
    let every: Duration
    let isAligned, followsUse: Bool
    let isPresent: Bernoulli
    let spread: DurationDistribution
    let endpoint: Int
    let requests: Int
    /// Whether a provider of the app's shows what it brings (C6).
    let isRead: Bool

    init(_ fetch: BackgroundFetch, isRead: Bool, _ tables: inout StandardTables) throws(DistributionProblem) {
        app = fetch.app
        every = fetch.every
        (isAligned, followsUse) = (fetch.isAligned, fetch.followsUse)
        isPresent = try Bernoulli(probability: fetch.share)
        spread = try fetch.spread.preparedDurations(with: &tables)
        endpoint = fetch.endpoint
        requests = fetch.requests
        self.isRead = isRead
    }
}

/// A transfer by the system, prepared.
struct PreparedTransfer {
    let deferral: DurationDistribution
    let isReady: Bernoulli
    let wait: DurationDistribution?
    let secondIsCharged: Bool
    /// Where its counts stand.
    var counts = BlockPlace<TransferCounts>(offset: 0)

    init(_ transfer: BackgroundTransfer, _ tables: inout StandardTables) throws(DistributionProblem) {
        deferral = try transfer.deferral.preparedDurations(with: &tables)
        isReady = try Bernoulli(probability: transfer.discretion?.readyShare ?? 1)
        if let wait = transfer.discretion?.wait {
            self.wait = try wait.preparedDurations(with: &tables)
        } else {
            wait = nil
        }
        secondIsCharged = transfer.secondIsCharged
    }
}

/// After how long a reload that has failed asks again, ready to draw from (S3); a second at least.
struct FailureDelay: BitwiseCopyable {
    static let least = Duration.seconds(1)

    private let delay: DurationDistribution
    let isConstant: Bool

    init(_ delay: Distribution, _ tables: inout StandardTables) throws(DistributionProblem) {
        self.delay = try delay.preparedDurations(atLeast: Self.least, with: &tables)
        if case .constant = delay.shape { isConstant = true } else { isConstant = false }
    }

    func draw(_ u: UInt64) -> Duration { delay.draw(u) }
}
