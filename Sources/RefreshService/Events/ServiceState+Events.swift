import Basics

/// The planned events of the service, and the actions of its autoscalers (S4).
extension ServiceState {
    /// The next change of the plan goes into the queue.
    mutating func scheduleStep() {
        if steps.nextAt < end { queue.insert(DueEvent(at: steps.nextAt, .planStep, pool: 0)) }
    }

    /// All changes of one instant, and then, once, what the pools can begin after them.
    mutating func takeSteps(at now: Instant) {
        var over: [Int] = []
        while let step = steps.take(at: now) {
            let effect = events[step.event].effect
            switch (step.change, effect) {
            case (.begin, .purge(let endpoint, let region)):
                purge(endpoint: endpoint, region: region)
                over.append(step.event)
            case (.begin, .outage(_, let isSilent)), (.begin, .regionOutage(_, _, let isSilent)):
                changeOutages(effect, by: 1, isSilent)
                for pool in ownPools where effect.concerns(pool: pool) {
                    breakDown(pool, at: now)
                    if let server = pools[pool].server { tell(server, .outage, pool: pool, at: now) }
                }
            case (.end, .outage(_, let isSilent)), (.end, .regionOutage(_, _, let isSilent)):
                changeOutages(effect, by: -1, isSilent)
                over.append(step.event)
            case (.begin, .brownOut(let pool, _, _)), (.begin, .deploy(let pool, _, _)):
                events[step.event].begin(servers: pools[pool].isUnlimited ? 0 : pools[pool].ready)
            case (.begin, .machineLoss(let pool, let servers)):
                let isOwn = ownPools.contains(pool) && !pools[pool].isUnlimited && pools[pool].ready > 0
                events[step.event].begin(
                    servers: isOwn ? loseMachines(of: pool, servers: servers, at: now) : 0)
            case (.end, .machineLoss(let pool, _)):
                if events[step.event].servers > 0 { pools[pool].restore(events[step.event].servers, at: now) }
                events[step.event].end()
                over.append(step.event)
            case (.nextPart, _): events[step.event].beginNextPart()
            case (.end, _):
                events[step.event].end()
                over.append(step.event)
            }
        }
        for pool in ownPools { settle(pool, at: now) }
        for event in over where events[event].effect.isOutage {
            for pool in ownPools where events[event].effect.concerns(pool: pool) && pools[pool].outages.all == 0 {
                if let server = pools[pool].server { tell(server, .restored, pool: pool, at: now) }
            }
        }
        for event in over { watch.eventEnded(event, at: now) }
        // An outage that has just begun has emptied its queue, too.
        for pool in ownPools where pools[pool].queued == 0 && watch.isWaiting(for: pool) {
            watch.queueEmpty(pool: pool, at: now)
        }
        scheduleStep()
    }

    private mutating func changeOutages(_ effect: ServiceEvent.Effect, by count: Int, _ isSilent: Bool) {
        for pool in ownPools where effect.concerns(pool: pool) {
            pools[pool].outages.change(by: count, isSilent: isSilent)
        }
        if let region = effect.lostRegion { edgeOutages[region].change(by: count, isSilent: isSilent) }
    }

    /// Finds how many servers can begin requests and how fast they are, and lets them begin.
    private mutating func settle(_ pool: Int, at now: Instant) {
        guard let server = pools[pool].server else {
            changeCapacity(pool, at: now)
            return fill(pool, at: now)
        }
        let capacity = changedCapacity(pool, at: now)
        if capacity == server.heard { return }
        server.heard = capacity
        tell(server, capacity.news, pool: pool, at: now)
    }

    /// That for a server of a user's own, which hears of it.
    mutating func changedCapacity(_ pool: Int, at now: Instant) -> RunningServer.Capacity {
        let (open, slowdown) = changeCapacity(pool, at: now)
        let isCounted = !pools[pool].isUnlimited
        let share =
            isCounted
            ? pools[pool].ready == 0 ? 1 : Double(open) / Double(pools[pool].ready)
            : events.reduce(1) { $1.isOn && $1.effect.concerns(pool: pool) ? $0 * $1.share : $0 }
        return RunningServer.Capacity(servers: isCounted ? open : -1, share: share, slowdown: slowdown)
    }

    /// Finds how many servers can begin requests and how fast they are. Overlapping events multiply, in the plan's
    /// order; during an outage there is no server.
    ///
    /// - Returns: both without the outages.
    @discardableResult
    mutating func changeCapacity(_ pool: Int, at now: Instant) -> (open: Int, slowdown: Double) {
        var open = pools[pool].ready
        var slowdown = 1.0
        for event in events where event.isOn && event.effect.concerns(pool: pool) {
            open = event.reduced(open)
            slowdown *= event.slowdown
        }
        let left = open
        if pools[pool].outages.all > 0 { open = 0 }
        if open != pools[pool].open || slowdown != pools[pool].slowdown {
            pools[pool].change(open: open, slowdown: slowdown, at: now)
        }
        return (left, slowdown)
    }

    mutating func startServers(pool: Int, at now: Instant) {
        pools[pool].finishStarting(at: now)
        settle(pool, at: now)
    }

    /// The autoscaler decides on what it has measured since it last did.
    mutating func scale(pool: Int, at now: Instant) {
        guard let rule = pools[pool].autoscaler?.rule else { preconditionFailure("pool \(pool) does not scale") }
        let use = pools[pool].takeUse(at: now)
        let (ready, starting) = (pools[pool].ready, pools[pool].startingCount)
        // Nothing is known yet of the use of those that have just become ready: they count as starting.
        let arrived = pools[pool].arrived(at: now)
        guard
            let wanted = pools[pool].autoscaler?.decide(
                at: now, busyTime: use.busy, serverTime: use.ready, ready: ready - arrived,
                starting: starting + arrived)
        else { preconditionFailure("pool \(pool) does not scale") }
        if wanted > ready + starting {
            let from = now + rule.lag
            pools[pool].start(wanted - ready - starting, at: from)
            if from < end { queue.insert(DueEvent(at: from, .serverStart, pool: pool)) }
        } else if wanted < ready + starting {
            pools[pool].remove(ready + starting - wanted, at: now)
            settle(pool, at: now)
        }
        queue.insert(DueEvent(at: now + rule.interval, .autoscaling, pool: pool))
    }
}
