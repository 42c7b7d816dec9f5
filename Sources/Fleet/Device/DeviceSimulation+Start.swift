import Basics
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
        let (plan, memory) = (prepared.plan, worker.memory)
        self.world = world
        self.observer = observer
        self.rules = rules
        self.rules.adopt(memory)
        self.prepared = prepared
        self.streams = streams
        clocks = DeviceClocks(horizon: plan.end, reportStartsAt: Instant.start + plan.warmup)
        person = PersonState(segment: segment, countsPerson: countsPerson, isAsleep: world.startsAsleep)
        display = DisplayState(device, hasPasscode: hasPasscode, isWorn: self.world.startsWorn)
        condition = DeviceCondition(hasBackgroundRefresh: true)
        apps = AppStates(count: plan.apps.count, lastWidgetView: memory.lastWidgetView)
        var (hasReduced, hasFull) = (false, false)
        for i in 0..<instanceCount where memory.instances[i].followsPerson {
            if memory.instances[i].isReduced { hasReduced = true } else { hasFull = true }
        }
        opened = OpenedSurface(usual: usual)
        whereabouts = Whereabouts(
            zone: zone, at: self.world.point(at: .start), hasReduced: hasReduced, hasFull: hasFull)
        calendar = AccrualCalendar(
            usual: plan.parameters.accrualHours(usual), weights: weights, at: .start, hoursFrom: clocks.reportStartsAt,
            in: prepared.zones[zone])
        link = ServiceLink(
            plan.requests, prepared.patience, outbox: worker.outbox, tap: worker.tap, sampler: worker.sampler,
            begin: plan.begin)
        report = DeviceReport(worker, place: prepared.layout.place(ofSegment: segment, device))
        kinds = prepared.kinds.baseAddress!
        (kindStates, instances) = (memory.kindStates, memory.instances)
        for kind in 0..<plan.kinds.count { kindStates[kind] = KindState() }
        schedule = InstanceSchedule(memory, count: instanceCount, kinds)
        self.stacks = DeviceStacks(stacks, flips: flips, memory, &schedule)
        pushes = DevicePushes(memory, prepared)
        fetches = DeviceFetches(prepared.fetches(ofSegment: segment), memory)
        own = ProviderRoom(memory, prepared, count: instanceCount)
        for i in 0..<instanceCount where instances[i].surface.isOpened { opened.surface = instances[i].surface }
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
        schedule.missingCount -= 1
        instances[i].countedUntil = now
        Rules.hear(.install(i), on: &self)
        if clocks.reportStartsAt == .never { countInstance(i) }
        // An instance that waits for a sign-in shows its placeholder, and nothing asks for more (P8).
        if instances[i].startsUnmet { return }
        var fetched = instances[i].initialFetched
        if fetched == .never {
            // The person who adds it sees it (L4).
            apps.viewWidget(of: instances[i].app, at: now)
            ask(i, free: .first)
            return
        }
        var madeAt = fetched
        if kinds[instances[i].kind].readsApp { (fetched, madeAt) = beginAppContent(i, fetched: fetched) }
        let isAlternate = instances[i].startsAlternate
        let content = ShownContent(
            kind: isAlternate ? .alternate : .regular, place: isAlternate ? 0 : instances[i].initialPlace,
            madeAt: madeAt, validUntil: .never)
        instances[i].lastKnownPlace = instances[i].initialPlace
        // From now on its state says what it shows.
        (instances[i].initialFetched, instances[i].initialPlace, instances[i].startsAlternate) = (.never, 0, false)
        Rules.setDate(
            i, Rules.show(content, at: i, fetched: fetched, on: &self), fetched: fetched, on: &self)
        if instances[i].initialDue < .never {
            setDue(i, at: instances[i].initialDue, .after)
            // The date that its past has left is none of the clock's that a provider has asked for.
            if case .clock = kinds[instances[i].kind].usualLife {} else { instances[i].alignedDate = .never }
        }
        instances[i].initialDue = .never
        followContentPushes(i)
    }
}
