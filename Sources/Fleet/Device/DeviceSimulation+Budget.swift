import Basics
import WidgetPlatform

/// The accounts of a device's instances over time (B2–B6), and the ends of the reported span (T4).
extension DeviceSimulation {
    /// The interval of the calendar is over: every account is settled and booked under its hour, and the next
    /// interval's rate is set.
    mutating func rollBudgets() {
        let hour = calendar.localHour
        bookAccounts(at: calendar.to)
        refineAccounts(by: calendar.advance(in: zoneTable))
        if calendar.localHour != hour { readBalances() }
    }

    /// Settles every account and books it under the hour of the calendar.
    mutating func bookAccounts(at instant: Instant) {
        guard Rules.hasBudgets else { return }
        let hour = calendar.localHour
        // An account that opens in this instant has its ledger to begin, and nothing to book before.
        for i in 0..<instanceCount where instances[i].isInstalled && instances[i].installedAt < instant {
            instances[i].accounts.forEach { pool, account in
                noteFlow(i, pool, account.settle(at: instant, in: calendar.accrual))
                if report.hasBegun {
                    account.book(atHour: hour, in: poolCounts(i, pool), calendar.accrual)
                } else {
                    account.dropUnbooked()
                }
            }
        }
    }

    /// Brings an account up to an instant of the present interval.
    @inline(__always) mutating func settle(_ i: Int, _ pool: BudgetPool, at instant: Instant) {
        noteFlow(i, pool, instances[i].accounts.settle(pool, at: instant, in: calendar.accrual))
    }

    /// The counts of one of an instance's accounts.
    mutating func poolCounts(_ i: Int, _ pool: BudgetPool) -> CountBlock<PoolCounts> {
        CountBlock(report.cells, at: ReloadCounts.place(of: pool, in: instances[i].counts.reloads))
    }

    mutating func refineAccounts(by factor: Int128) {
        if factor == 1 || !Rules.hasBudgets { return }
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].accounts.forEach { pool, account in
                account.refine(by: factor)
                noteRefinement(i, pool, by: factor)
            }
        }
    }

    /// Reads every balance at the beginning of an hour of the local clock.
    private mutating func readBalances() {
        guard Rules.hasBudgets && report.hasBegun else { return }
        let hour = calendar.localHour
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].accounts.forEach { $1.read(atHour: hour, in: poolCounts(i, $0), calendar.accrual) }
        }
    }

    /// The accounts of an instance open (B5).
    mutating func openAccounts(_ i: Int) {
        instances[i].accounts.forEach { pool, account in
            let allowance = allowance(i, of: pool)
            let opened = BudgetAccount.opened(
                at: now, allowance: allowance, cap: parameters.allowance.cap(allowance: allowance),
                with: pool == .own || instances[i].opening == .full ? instances[i].opening : .half,
                in: calendar.accrual)
            noteOpening(i, pool, opened.opening)
            noteFlow(i, pool, BudgetFlow(accrued: 0, expired: opened.expired))
            account = TokenPool(opened, in: calendar.accrual)
        }
    }

    /// The allowances by the views of the complete device-days, from this wake-up on (B2, B3).
    mutating func updateAllowance(_ i: Int) {
        guard Rules.hasBudgets else { return }
        instances[i].accounts.forEach { pool, account in
            let allowance = allowance(i, of: pool)
            let cap = parameters.allowance.cap(allowance: allowance)
            noteFlow(i, pool, account.change(allowance: allowance, cap: cap, at: now, in: calendar.accrual))
        }
    }

    /// The allowance of one of an instance's accounts; that of pushed reloads can be stated (B7).
    private mutating func allowance(_ i: Int, of pool: BudgetPool) -> Int64 {
        if pool == .pushed, case .separate(let stated?) = parameters.pushBudget { return stated }
        return parameters.allowance.allowance(on: instances[i].surface, after: instances[i].history)
    }

    /// The warm-up is over: counts go to the run's measures, and ledgers begin with the present balances.
    mutating func beginReport() {
        countWakingTime()
        bookAccounts(at: now)
        countShownTime()
        Rules.hear(.leaveWarmUp, on: &self)
        crossedBorder()
        Rules.hear(.beginReport, on: &self)
        events = 0
        for i in 0..<instanceCount where instances[i].isInstalled {
            // An account that opens at the very start of the report keeps its opening.
            if Rules.hasBudgets && now > instances[i].installedAt {
                instances[i].accounts.forEach { pool, account in
                    account.beginLedger(in: calendar.accrual)
                    noteOpening(i, pool, account.account.balance)
                }
            }
            countInstance(i)
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { reloadCounts(i)[.carriedIn] += 1 }
            // A view of the warm-up is not healed in the report.
            instances[i].healUntil = .longAgo
        }
        display.beginReport(at: now)
        opened.beginReport(at: now)
        person.beginReport(world.tally)
        count(.silentPushesCarriedIn, pushes.waitingCount)
        countTransfers(underWay: .carriedIn, toBeShown: .waitingIn)
    }

    /// From the start of the report on, counts go to the run's measures.
    mutating func crossedBorder() {
        report.begin()
        clocks.reportStartsAt = .never
    }

    mutating func countInstance(_ i: Int) {
        reloadCounts(i)[.instances] += 1
        viewCounts(i)[.instances] += 1
        guard Rules.hasBudgets else { return }
        let hour = calendar.localHour
        instances[i].accounts.forEach { $1.countOpening(atHour: hour, in: poolCounts(i, $0), calendar.accrual) }
    }

    /// The run is over: accounts are read after their last accrual, waking time and reloads under way are counted.
    mutating func finish() {
        now = report.end
        countWakingTime()
        bookAccounts(at: now)
        report.counts.add(display.sessionTime(at: now).microseconds, to: .sessionTime)
        report.counts.add(display.wornTime(at: now).microseconds, to: .wornTime)
        countShownTime()
        for i in 0..<instanceCount where instances[i].isInstalled {
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { reloadCounts(i)[.carriedOut] += 1 }
            if Rules.hasBudgets {
                instances[i].accounts.forEach { $1.countClosing(in: poolCounts(i, $0), calendar.accrual) }
            }
            if phase == .waiting || instances[i].slot.freeCause != nil { noteWaitAtEnd(i) }
            if Rules.hasBudgets { noteLedger(i) }
        }
        Rules.hear(.finish, on: &self)
        count(.silentPushesCarriedOut, pushes.waitingCount)
        countTransfers(underWay: .carriedOut, toBeShown: .waitingOut)
        count(.events, events)
        if person.countsPerson {
            count(.cutNights, Int64(world.tally.cutNights - person.tallyAtReportStart.cutNights))
            count(.trips, Int64(world.tally.trips - person.tallyAtReportStart.trips))
        }
    }
}
