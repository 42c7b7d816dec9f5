import Basics
import Statistics
import WidgetPlatform

/// The accounts of a device's instances over time (B2–B6), and the ends of the reported span (T4).
extension DeviceSimulation {
    /// The interval of the calendar is over: every account is settled and booked under its hour, and the next
    /// interval's rate is set.
    mutating func rollBudgets() {
        let at = budget.calendar.to
        let hour = budget.calendar.localHour
        bookAccounts(at: at, hour: hour)
        refineAccounts(by: budget.calendar.advance(in: zoneTable))
        if budget.calendar.localHour != hour { readBalances() }
    }

    /// Settles every account now and books it under an hour.
    mutating func settleAccounts(bookingHour hour: Int) { bookAccounts(at: now, hour: hour) }

    private mutating func bookAccounts(at instant: Instant, hour: Int) {
        // An account that opens in this instant has its ledger to begin, and nothing to book before.
        for i in 0..<instanceCount where instances[i].isInstalled && instances[i].installedAt < instant {
            settle(i, .own, at: instant)
            instances[i].own.book(atHour: hour, in: poolCounts(i, .own), budget.accrual)
            guard instances[i].hasPushPool else { continue }
            settle(i, .pushed, at: instant)
            instances[i].pushed.book(atHour: hour, in: poolCounts(i, .pushed), budget.accrual)
        }
    }

    /// Brings an account up to an instant of the present interval.
    @inline(__always) mutating func settle(_ i: Int, _ pool: BudgetPool, at instant: Instant) {
        let flow =
            pool == .pushed
            ? instances[i].pushed.settle(at: instant, in: budget.accrual)
            : instances[i].own.settle(at: instant, in: budget.accrual)
        noteFlow(i, pool, flow)
    }

    /// The counts of one of an instance's accounts.
    mutating func poolCounts(_ i: Int, _ pool: BudgetPool) -> CountBlock<PoolCounts> {
        CountBlock(cells, at: ReloadCounts.place(of: pool, in: instances[i].counts.reloads))
    }

    mutating func refineAccounts(by factor: Int128) {
        if factor == 1 { return }
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].own.refine(by: factor)
            noteRefinement(i, .own, by: factor)
            if instances[i].hasPushPool {
                instances[i].pushed.refine(by: factor)
                noteRefinement(i, .pushed, by: factor)
            }
        }
    }

    /// Reads every balance at the beginning of an hour of the local clock.
    private mutating func readBalances() {
        let hour = budget.calendar.localHour
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].own.read(atHour: hour, in: poolCounts(i, .own), budget.accrual)
            if instances[i].hasPushPool {
                instances[i].pushed.read(atHour: hour, in: poolCounts(i, .pushed), budget.accrual)
            }
        }
    }

    /// The allowance by the views of the complete device-days, from this wake-up on (B2, B3).
    mutating func updateAllowance(_ i: Int) {
        let rule = parameters.allowance
        let allowance = rule.allowance(on: instances[i].surface, after: instances[i].history)
        noteFlow(
            i, .own,
            instances[i].own.change(
                allowance: allowance, cap: rule.cap(allowance: allowance), at: now, in: budget.accrual))
        if instances[i].hasPushPool {
            let pushed = pushAllowance(besides: allowance)
            noteFlow(
                i, .pushed,
                instances[i].pushed.change(
                    allowance: pushed, cap: rule.cap(allowance: pushed), at: now, in: budget.accrual))
        }
    }

    /// The allowance of a pool for pushed reloads (B7).
    func pushAllowance(besides allowance: Int64) -> Int64 {
        if case .separate(let stated?) = parameters.pushBudget { stated } else { allowance }
    }

    /// The warm-up is over: counts go to the run's measures, and ledgers begin with the present balances.
    mutating func beginReport() {
        countWakingTime()
        settleAccounts(bookingHour: budget.calendar.localHour)
        crossedBorder()
        events = 0
        for i in 0..<instanceCount where instances[i].isInstalled {
            // An account that opens at the very start of the report keeps its opening.
            if now > instances[i].installedAt {
                instances[i].own.beginLedger(in: budget.accrual)
                noteOpening(i, .own, instances[i].own.account.balance)
                if instances[i].hasPushPool {
                    instances[i].pushed.beginLedger(in: budget.accrual)
                    noteOpening(i, .pushed, instances[i].pushed.account.balance)
                }
            }
            countInstance(i)
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { reloadCounts(i)[.carriedIn] += 1 }
            // A view of the warm-up is not healed in the report.
            instances[i].healUntil = .longAgo
        }
        // A session under way is counted from the start of the report on.
        if use.isInSession { display.sessionSince = now }
        display.wornSince = now
        person.tallyAtReportStart = world.tally
        count(.silentPushesCarriedIn, waitingSilentPushes())
    }

    /// From the start of the report on, counts go to the run's measures.
    mutating func crossedBorder() {
        cells = reportedCells
        clocks.reportStartsAt = .never
    }

    mutating func countInstance(_ i: Int) {
        reloadCounts(i)[.instances] += 1
        viewCounts(i)[.instances] += 1
        let hour = budget.calendar.localHour
        instances[i].own.countOpening(atHour: hour, in: poolCounts(i, .own), budget.accrual)
        if instances[i].hasPushPool {
            instances[i].pushed.countOpening(atHour: hour, in: poolCounts(i, .pushed), budget.accrual)
        }
    }

    /// The run is over: accounts are read after their last accrual, waking time and reloads under way are counted.
    mutating func finish() {
        now = end
        countWakingTime()
        settleAccounts(bookingHour: budget.calendar.localHour)
        if use.isInSession { deviceCounts.add((now - display.sessionSince).microseconds, to: .sessionTime) }
        countWornTime()
        for i in 0..<instanceCount where instances[i].isInstalled {
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { reloadCounts(i)[.carriedOut] += 1 }
            instances[i].own.countClosing(in: poolCounts(i, .own), budget.accrual)
            if instances[i].hasPushPool { instances[i].pushed.countClosing(in: poolCounts(i, .pushed), budget.accrual) }
            if phase == .waiting || instances[i].slot.freeCause != nil { noteWaitAtEnd(i) }
            noteLedger(i)
        }
        count(.silentPushesCarriedOut, waitingSilentPushes())
        count(.events, events)
        if person.countsPerson {
            count(.cutNights, Int64(world.tally.cutNights - person.tallyAtReportStart.cutNights))
            count(.trips, Int64(world.tally.trips - person.tallyAtReportStart.trips))
        }
    }
}
