import Measures
import SimulatedTime
import WidgetPlatform

/// The accounts of a device's instances over time (B2–B6), and the borders of the reported span (T4).
extension DeviceLife {
    /// The stretch of the calendar is over: every account is settled and booked under its hour, and the next stretch's rate is set.
    mutating func rollBudgets() {
        let at = calendar.to
        let hour = calendar.localHour
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].account.settle(at: at)
            instances[i].hours.book(instances[i].account, hour: hour)
        }
        refineAccounts(by: calendar.advance(in: zoneTable))
        setRates()
        if calendar.localHour != hour { readBalances() }
    }

    /// Settles every account now and books it under an hour.
    mutating func settleAccounts(bookingHour hour: Int) {
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].account.settle(at: now)
            instances[i].hours.book(instances[i].account, hour: hour)
        }
    }

    mutating func refineAccounts(by factor: Int128) {
        if factor == 1 { return }
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].account.refine(by: factor)
            instances[i].hours.refine(by: factor)
        }
    }

    mutating func setRates() {
        for i in 0..<instanceCount where instances[i].isInstalled { instances[i].account.accrue(shares: calendar.shares) }
    }

    /// Reads every balance at the beginning of an hour of the local clock.
    private mutating func readBalances() {
        let hour = calendar.localHour
        for i in 0..<instanceCount where instances[i].isInstalled {
            instances[i].hours.read(instances[i].account, hour: hour)
            cells[instances[i].kindBlock + KindField.hourReadings + hour] += 1
        }
    }

    /// The allowance by the views of the complete device-days, from this wake-up on (B2, B3).
    mutating func updateAllowance(_ i: Int) {
        instances[i].account.settle(at: now)
        let rule = parameters.allowance
        let allowance = rule.allowance(after: instances[i].history)
        instances[i].account.change(allowance: allowance, cap: rule.cap(allowance: allowance))
        instances[i].account.accrue(shares: calendar.shares)
    }

    /// The warm-up is over: counts go to the run's measures, and ledgers begin with the present balances.
    mutating func crossBorder() {
        countWakingTime()
        settleAccounts(bookingHour: calendar.localHour)
        cells = reportedCells
        events = 0
        borderAt = .never
        for i in 0..<instanceCount where instances[i].isInstalled {
            // An account that opens at this very border keeps its opening.
            if now > instances[i].installedAt {
                instances[i].account.beginLedger()
                instances[i].hours.restart()
            }
            countInstance(i)
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { cells[instances[i].kindBlock + KindField.reloadsCarriedIn] += 1 }
            // A view of the warm-up is not healed in the report.
            instances[i].healUntil = .longAgo
        }
        // A session under way is counted from the border on.
        if use.isInSession { sessionSince = now }
        borderTally = world.tally
    }

    mutating func countInstance(_ i: Int) {
        cells[instances[i].kindBlock + KindField.instances] += 1
        cells[instances[i].viewBlock + ViewField.instances] += 1
    }

    /// The run is over: accounts are read after their last accrual, waking time and reloads under way are counted.
    mutating func finish() {
        now = end
        countWakingTime()
        settleAccounts(bookingHour: calendar.localHour)
        if use.isInSession { WideSum.add((now - sessionSince).microseconds, to: cells + segmentBlock + SegmentField.sessionTime) }
        for i in 0..<instanceCount where instances[i].isInstalled {
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { cells[instances[i].kindBlock + KindField.reloadsCarriedOut] += 1 }
            bookLedger(i)
            if phase == .waiting { noteWaitAtEnd(i) }
            noteLedger(i)
        }
        count(SegmentField.events, events)
        if countsPerson {
            count(SegmentField.cutNights, Int64(world.tally.cutNights - borderTally.cutNights))
            count(SegmentField.trips, Int64(world.tally.trips - borderTally.trips))
        }
    }

    /// Turns the parts of an account's ledger into microtokens: cumulated, so that the roundings cancel and the sum is the ledger's own.
    private mutating func bookLedger(_ i: Int) {
        let account = instances[i].account
        let ledger = account.ledger
        let parts = account.partsPerMicrotoken
        let block = cells + instances[i].kindBlock
        block[KindField.opening] += ledger.opening
        block[KindField.closing] += ledger.balance
        block[KindField.allowance] += account.allowance
        let hours = instances[i].hours.cells
        var granted = account.opening
        var expired: Int128 = 0
        var (bookedGranted, bookedExpired) = (ledger.opening, Int64(0))
        for hour in 0..<MeasureLayout.hours {
            granted += hours[hour]
            expired += hours[24 + hour]
            let (grantedNow, expiredNow) = (Int64(granted / parts), Int64(expired / parts))
            block[KindField.hourAccrued + hour] += grantedNow - bookedGranted
            block[KindField.hourExpired + hour] += expiredNow - bookedExpired
            (bookedGranted, bookedExpired) = (grantedNow, expiredNow)
            WideSum.add(Int64(hours[48 + hour] / parts), to: block + KindField.hourBalance + 2 * hour)
        }
    }
}
