import Basics

/// Two shorter ways to the same result: plain use of the device, and an instance that alone has something to do.
extension DeviceSimulation {
    /// Pickups and locks, as long as nothing else happens on the device but what they lead to.
    ///
    /// - Returns: whether there was any.
    mutating func usePlainly() -> Bool {
        var isAny = false
        // None of the world's events comes meanwhile.
        clocks.worldAt = .never
        while true {
            let use = world.plainUse()
            var (taken, sessions, isInSession) = (0, UInt64(0), false)
            var limit = min(nextOfDevice, use.limit)
            while taken < use.count {
                let pickup = world.pickup(ahead: taken)
                if pickup.at >= limit { break }
                if pickup.isGlance {
                    taken += 1
                    now = pickup.at
                    events += 1
                    glance()
                    followPlainUse(&limit, movesGates: schedule.hasHeldByUse)
                    continue
                }
                if sessions >= use.idleSessions || use.settingDue <= pickup.at || pickup.until >= use.limit { break }
                taken += 1
                sessions += 1
                now = pickup.at
                events += 1
                pickUp(showing: pickup.surfaces)
                followPlainUse(&limit, movesGates: schedule.hasHeldByUse)
                isInSession = pickup.until >= limit
                if isInSession { break }
                now = pickup.until
                events += 1
                lock()
                // From a lock on it is known when the device will be idle.
                followPlainUse(&limit, movesGates: schedule.hasHeld)
            }
            if taken == 0 { break }
            isAny = true
            world.takePlainUse(taken, sessions: sessions, isInSession: isInSession)
            if isInSession || taken < use.count { break }
        }
        clocks.follow(&world)
        return isAny
    }

    /// Follows a pickup, glance or lock, if it leads to anything: mostly nothing on the device sees it.
    ///
    /// - Parameter movesGates: whether it can matter to a reload that waits.
    @inline(__always) private mutating func followPlainUse(_ limit: inout Instant, movesGates: Bool) {
        if movesGates || !display.shown.isDisjoint(with: schedule.surfaces) || schedule.nextAt <= now
            || instant.hasOwnCalls
        {
            followUse()
            limit = min(limit, nextOfDevice)
        } else {
            _ = display.takeShown()
        }
        instant.gatesMoved = false
        #if DEBUG
            checkInvariants()
        #endif
    }

    /// How far the device runs without the world's next event: up to the earliest of its own clocks, or to its horizon,
    /// which a request moves.
    var nextOfDevice: Instant {
        mutating get { min(min(clocks.slowAt, clocks.horizon), min(schedule.nextAt, nextOfQuick)) }
    }

    /// The fast path of an instance that alone has something to do, step by step, as long as nothing else of the device
    /// comes before its next step: due, gates, grant, dispatch, fix, request, answer, policy.
    ///
    /// - Parameter limit: the next clock that is no instance's.
    mutating func runFastPath(of i: Int, before limit: Instant) {
        var limit = schedule.nextOfOthers(than: i, before: limit)
        schedule.activateAlone(i)
        var next = schedule.briefs[i].at
        repeat {
            now = next
            takeStep(i)
            // A timeline can bring pushes with it, and a request an answer that is not known yet.
            limit = min(limit, min(clocks.callsAt, clocks.horizon))
            #if DEBUG
                for j in 0..<instanceCount where j != i && schedule.activeCount == 1 {
                    precondition(schedule.briefs[j].at >= limit, "a step of one instance has set the clock of another")
                }
            #endif
            next = nextStep(i)
        } while schedule.activeCount == 1 && next < limit
        if schedule.activeCount == 1 { updateClock(i) }
        schedule.findNext()
    }

    /// The next instant at which an instance that runs its course has something to do. Its clock is set at the end of
    /// the course.
    @inline(__always) mutating func nextStep(_ i: Int) -> Instant {
        if isPlain(i) { return min(instances[i].dueAt, min(instances[i].reloadAt, instances[i].actions.first)) }
        updateClock(i)
        return schedule.briefs[i].at
    }

    /// Whether an instance is there and no free reload is on its way to it.
    @inline(__always) mutating func isPlain(_ i: Int) -> Bool {
        instances[i].isInstalled && instances[i].slot.freeCause == nil
    }

    /// Mostly the one thing that the instance's reload waits for. Whatever else that leaves for the same instant comes
    /// next.
    @inline(__always) mutating func takeStep(_ i: Int) {
        let phase = instances[i].slot.phase
        let isDue = instances[i].dueAt <= now
        guard isPlain(i), isDue == (phase == .none) else {
            if instances[i].inFlight.awaitsAnswer && instances[i].reloadAt <= now { takeAnswer(i) }
            settleActive(false)
            return
        }
        if phase != .inFlight {
            Rules.takeStep(i, on: &self)
        } else if instances[i].inFlight.awaitsAnswer {
            takeAnswer(i)
        }
        if schedule.activeCount > 1 { continueInFlight() } else { continueInFlight(i) }
    }
}

/// How far a suspended device can be left alone.
extension DeviceSimulation {
    /// Before which the device sends nothing by itself, whatever is decided for it meanwhile: it is only used plainly,
    /// while nothing waits for that.
    ///
    /// An answer may have something follow sooner; that is `Suspension.reaction`.
    var nextSendAt: Instant {
        mutating get {
            let nextAt = nextAt
            if Rules.hasOwnClock || fetches.awaitsAnswer || schedule.hasHeld || instant.hasOwnCalls
                || schedule.hasPendingChanges
            {
                return nextAt
            }
            // Neither the end of the budget's interval nor the start of the report sends anything.
            var sendsAt = min(whereabouts.nextAt, min(nextOfQuick, clocks.editDue))
            for i in 0..<instanceCount {
                guard let instanceSendsAt = Rules.sendsAt(i, on: &self) else { return nextAt }
                sendsAt = min(sendsAt, instanceSendsAt)
            }
            return max(nextAt, min(sendsAt, world.plainUseEnd()))
        }
    }
}
