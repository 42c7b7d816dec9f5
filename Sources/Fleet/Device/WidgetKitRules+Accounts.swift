import Basics
import WidgetPlatform

/// The accounts of a device's instances over time (B2–B6).
extension DeviceSimulation where Rules == WidgetKitRules {
    /// Settles every account and books it under the hour of the calendar.
    mutating func bookAccounts(at instant: Instant) {
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
        if factor == 1 { return }
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].accounts.forEach { pool, account in
                account.refine(by: factor)
                noteRefinement(i, pool, by: factor)
            }
        }
    }

    /// Reads every balance at the beginning of an hour of the local clock.
    mutating func readBalances() {
        guard report.hasBegun else { return }
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

    /// Ledgers begin with the present balances. An account that opens at the very start of the report keeps its opening.
    mutating func beginLedgers() {
        for i in 0..<instanceCount where instances[i].isInstalled && now > instances[i].installedAt {
            instances[i].accounts.forEach { pool, account in
                account.beginLedger(in: calendar.accrual)
                noteOpening(i, pool, account.account.balance)
            }
        }
    }

    mutating func countOpening(_ i: Int) {
        let hour = calendar.localHour
        instances[i].accounts.forEach { $1.countOpening(atHour: hour, in: poolCounts(i, $0), calendar.accrual) }
    }

    mutating func closeAccounts(_ i: Int) {
        instances[i].accounts.forEach { $1.countClosing(in: poolCounts(i, $0), calendar.accrual) }
        noteLedger(i)
    }

    /// The balance of the account that pays for a cause, brought up to now; the instance's own without one.
    mutating func balance(_ i: Int, paying cause: ReloadCause?) -> Int64? {
        guard instances[i].accounts.areUsed else { return nil }
        let pool: BudgetPool = instances[i].accounts.payer(of: cause)
        settle(i, pool, at: now)
        return observer.ledger(of: i, pool).microtokens.balance
    }

    // The flows of accounts, for traces.

    @inline(__always) private mutating func noteOpening(_ i: Int, _ pool: BudgetPool, _ opening: Int128) {
        guard observer.isWatching else { return }
        observer.note(
            ledger: BudgetLedger(opening: opening, partsPerMicrotoken: calendar.partsPerMicrotoken), of: i, pool)
    }

    @inline(__always) private mutating func noteFlow(_ i: Int, _ pool: BudgetPool, _ flow: BudgetFlow) {
        guard observer.isWatching else { return }
        changeLedger(i, pool) { $0.add(flow) }
    }

    @inline(__always) mutating func noteCharge(_ i: Int, _ pool: BudgetPool) {
        guard observer.isWatching else { return }
        changeLedger(i, pool) { $0.charge() }
    }

    @inline(__always) private mutating func noteRefinement(_ i: Int, _ pool: BudgetPool, by factor: Int128) {
        guard observer.isWatching else { return }
        changeLedger(i, pool) { $0.refine(by: factor) }
    }

    private mutating func changeLedger(_ i: Int, _ pool: BudgetPool, _ change: (inout BudgetLedger) -> Void) {
        var ledger = observer.ledger(of: i, pool)
        change(&ledger)
        observer.note(ledger: ledger, of: i, pool)
    }

    /// Notes what an instance's accounts hold at the end of the run.
    private mutating func noteLedger(_ i: Int) {
        guard observer.isWatching else { return }
        instances[i].accounts.forEach { pool, account in
            observer.ledger(of: i, pool).checkInvariants(balance: account.account.balance)
            let ledger = observer.ledger(of: i, pool).microtokens
            func tokens(_ microtokens: Int64) -> String { TimeText.decimal(microtokens, places: 6) }
            note(
                pool == .own ? .ledger : .pushLedger, instance: i, cause: pool == .own ? nil : .push,
                detail:
                    "opening \(tokens(ledger.opening)), accrued \(tokens(ledger.accrued)), spent \(tokens(ledger.spent)), expired \(tokens(ledger.expired)), "
                    + "balance \(tokens(ledger.balance)), allowance \(tokens(account.account.allowance)), cap \(tokens(account.account.cap))"
            )
        }
    }
}
