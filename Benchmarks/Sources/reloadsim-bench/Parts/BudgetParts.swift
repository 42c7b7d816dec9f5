import Basics
import WidgetPlatform

/// Exact accounts and their calendar.
extension PartBenchmark {
    static var budget: [PartBenchmark] {
        [
            // An account of 50 tokens a day over sixteen hours, settled once a minute or so.
            PartBenchmark(title: "budget.settle", operation: "settlement", operations: 20_000_000) { operations in
                var (account, ledger) = Self.account()
                return {
                    var at = Instant.start
                    var tokens: Int64 = 0
                    for index in 0..<operations {
                        at = at + Duration(microseconds: 60_000_000 + Int64(index & 1_023))
                        ledger.add(account.settle(at: at, in: Self.accrual))
                        // A token goes now and then, so that the account is not always full.
                        if index & 31 == 0 && account.hasToken(in: Self.accrual) {
                            account.charge(in: Self.accrual)
                            tokens += 1
                        }
                    }
                    return { [account, ledger, tokens] in account.checksum(ledger, and: tokens) }
                }
            },
            // The steps of a grant at the gate: find the time of the next token, settle then, charge it.
            PartBenchmark(title: "budget.grant", operation: "grant", operations: 5_000_000) { operations in
                var (account, ledger) = Self.account()
                return {
                    var at = Instant.start
                    for _ in 0..<operations {
                        at = account.tokenInstant(in: Self.accrual)
                        ledger.add(account.settle(at: at, in: Self.accrual))
                        account.charge(in: Self.accrual)
                    }
                    return { [account, ledger, at] in account.checksum(ledger, and: at.microseconds) }
                }
            },
            // A device's calendar from interval to interval, about one an hour, with the rate of one account.
            PartBenchmark(title: "budget.stretch", operation: "stretch", operations: 2_000_000) { operations in
                let clock = ScenarioClock(startUnixMicroseconds: 1_772_427_600_000_000)
                let end = Instant.start + .days(365)
                guard let zone = clock.zoneTable("America/New_York", until: end) else {
                    throw BenchmarkProblem("the zone database has no America/New_York")
                }
                return {
                    var sum = Checksum()
                    var calendar = Self.calendar(zone)
                    var account = Self.account().account
                    var accrual = Self.accrual
                    for _ in 0..<operations {
                        if calendar.to >= end {
                            sum.add(account.balance)
                            calendar = Self.calendar(zone)
                            account = Self.account().account
                            accrual = Self.accrual
                        }
                        _ = account.settle(at: calendar.to, in: accrual)
                        let factor = calendar.advance(in: zone)
                        if factor != 1 { account.refine(by: factor) }
                        // The account opens with parts of its own.
                        accrual = BudgetAccrual(
                            shares: calendar.shares, partsPerMicrotoken: accrual.partsPerMicrotoken * factor)
                    }
                    return { [sum, account] in
                        var sum = sum
                        sum.add(account.balance)
                        return sum
                    }
                }
            },
        ]
    }

    private static let accrual = BudgetAccrual(shares: 1, partsPerMicrotoken: Int128(16 * 3_600) * 1_000_000)

    private static func account() -> (account: BudgetAccount, ledger: BudgetLedger) {
        let token = AllowanceRule.token
        let opened = BudgetAccount.opened(
            at: .start, allowance: 50 * token, cap: 12 * token, with: .tokens(0), in: accrual)
        return (opened.account, BudgetLedger(opening: opened.opening, partsPerMicrotoken: accrual.partsPerMicrotoken))
    }

    /// The calendar of somebody who sleeps longer on free days.
    private static func calendar(_ zone: ZoneTable) -> AccrualCalendar {
        func span(_ from: Int, _ to: Int) -> ClockSpan {
            ClockSpan(from: ClockTime(hour: from, minute: 0), to: ClockTime(hour: to, minute: 30))
        }
        return AccrualCalendar(
            usual: UsualWaking(workday: span(7, 22), freeDay: span(8, 23)), weights: .even, at: .start, in: zone)
    }
}

extension BudgetAccount {
    fileprivate func checksum(_ ledger: BudgetLedger, and number: Int64) -> Checksum {
        var sum = Checksum()
        for amount in [balance, ledger.accrued, ledger.expired] { sum.add(amount) }
        sum.add(number)
        return sum
    }
}
