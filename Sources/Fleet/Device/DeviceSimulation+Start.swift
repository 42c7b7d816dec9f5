import Basics
import People
import ScenarioModel
import Statistics
import WidgetPlatform

/// How a life begins, and how an instance comes to a device (F7, T4).
extension DeviceSimulation {
    /// A device at the start of the run, its instances placed in the worker's memory.
    init(
        world: World, observer: World.Observer, rules: Rules, _ prepared: PreparedPlan, _ worker: FleetWorker,
        instanceCount: Int,
        segment: Int,
        device: DeviceKind, stacks: [StackPlan], flips: [StackFlips?] = [], zone: Int, usual: UsualWaking,
        weights: HourWeights,
        streams: RandomStreams, hasPasscode: Bool, countsPerson: Bool
    ) {
        let plan = prepared.plan
        self.world = world
        self.observer = observer
        self.rules = rules
        self.rules.adopt(worker.memory)
        self.prepared = prepared
        parametersAt = UnsafePointer(prepared.parameters)
        reportFrom = Instant.start + plan.warmup
        end = plan.end
        self.segment = segment
        self.streams = streams
        hidesLockScreen = false
        hidesAlwaysOn = false
        fixFailing = []
        let memory = worker.memory
        clocks = DeviceClocks(horizon: plan.end, reportStartsAt: Instant.start + plan.warmup)
        person = PersonState(countsPerson: countsPerson, isAsleep: world.startsAsleep)
        display = DisplayState(device, hasPasscode: hasPasscode, isWorn: self.world.startsWorn)
        condition = DeviceCondition(hasBackgroundRefresh: true)
        apps = AppStates(count: plan.apps.count, lastWidgetView: memory.lastWidgetView)
        var (hasReduced, hasFull) = (false, false)
        for i in 0..<instanceCount where memory.instances[i].followsPerson {
            if memory.instances[i].isReduced { hasReduced = true } else { hasFull = true }
        }
        whereabouts = Whereabouts(
            zone: zone, at: self.world.point(at: .start), hasReduced: hasReduced, hasFull: hasFull)
        calendar = AccrualCalendar(usual: usual, weights: weights, at: .start, in: prepared.zones[zone])
        link = ServiceLink(
            plan.requests, prepared.patience, outbox: worker.outbox, tap: worker.tap, sampler: worker.sampler,
            begin: plan.begin)
        kinds = prepared.kinds.baseAddress!
        kindStates = memory.kindStates
        instances = memory.instances
        schedule = InstanceSchedule(memory, count: instanceCount)
        self.instanceCount = instanceCount
        missingCount = instanceCount
        self.stacks = memory.stacks
        stackCount = stacks.count
        silentPushes = memory.silentPushes
        campaigns = memory.campaigns
        campaignCount = prepared.campaigns.count
        fetchPlans = prepared.fetches(ofSegment: segment)
        fetches = memory.fetches
        fetchCount = fetchPlans.count
        cells = worker.scratch.cells
        reportedCells = worker.measures.cells
        load = worker.load
        devicePlace = prepared.layout.place(ofSegment: segment, device)
        for app in 0..<max(1, plan.apps.count) {
            silentPushes[app] = SilentPushState()
        }
        for kind in 0..<plan.kinds.count { kindStates[kind] = KindState() }
        for campaign in 0..<prepared.campaigns.count { campaigns[campaign] = CampaignState() }
        for fetch in 0..<fetchCount { fetches[fetch] = FetchState() }
        for (stack, stackPlan) in stacks.enumerated() {
            var count = 0
            for i in 0..<instanceCount where instances[i].stack == stack {
                schedule.place(i, at: count)
                count += 1
            }
            self.stacks[stack] = StackState(stackPlan, count: count, flips: flips.isEmpty ? nil : flips[stack])
        }
        for i in 0..<instanceCount {
            // The person comes to such a control by themselves (V10).
            if let place = kinds[instances[i].kind].control, place != .lockScreen { schedule.hide(i) }
            viewSurfaces.insert(schedule.briefs[i].surface)
            if instances[i].surface.isOpened { opened.surface = instances[i].surface }
        }
        for i in 0..<instanceCount where instances[i].stack >= 0 {
            self.stacks[instances[i].stack].add(
                i, at: Int(schedule.briefs[i].stackPlace), on: instances[i].surface)
            if self.stacks[instances[i].stack].count > 1 { stackSurfaces.insert(SurfaceSet(instances[i].surface)) }
        }
    }

    /// Sets the clocks of the device at the start of the run.
    mutating func begin() {
        now = .start
        Rules.hear(.begin, on: &self)
        findTimeChange()
        whereabouts.planReports(at: now, in: &world)
        // Instances that are there at the start are there before its first event.
        for i in 0..<instanceCount where instances[i].installedAt <= .start { install(i) }
        for i in 0..<instanceCount {
            updateClock(i)
            schedule.follow(i)
            clocks.editDue = min(clocks.editDue, instances[i].editAt)
        }
        beginCalls()
    }

    /// The system learns of an instance: its account opens, and its first timeline is fetched, free, unless content is
    /// there already (F7, T4).
    mutating func install(_ i: Int) {
        instances[i].isInstalled = true
        missingCount -= 1
        instances[i].countedUntil = now
        if Rules.hasBudgets { openAccounts(i) }
        Rules.hear(.install(i), on: &self)
        if clocks.reportStartsAt == .never { countInstance(i) }
        // An instance that waits for a sign-in shows its placeholder, and nothing asks for more (P8).
        if instances[i].startsUnmet { return }
        let fetched = instances[i].initialFetched
        if fetched == .never {
            ask(i, free: .first)
            return
        }
        let isAlternate = instances[i].startsAlternate
        let content = ShownContent(
            kind: isAlternate ? .alternate : .regular, place: isAlternate ? 0 : instances[i].initialPlace,
            madeAt: fetched, validUntil: .never)
        instances[i].lastKnownPlace = instances[i].initialPlace
        // From now on its state says what it shows.
        (instances[i].initialFetched, instances[i].initialPlace, instances[i].startsAlternate) = (.never, 0, false)
        setPolicy(i, show(content, at: i, fetched: fetched), fetched: fetched)
        followContentPushes(i)
    }
}
