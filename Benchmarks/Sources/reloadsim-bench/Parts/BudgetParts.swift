import SimulatedTime
import WidgetPlatform

/// Exact accounts and their calendar.
extension PartBenchmark {
    static var budget: [PartBenchmark] {
        [
            // An account of 50 tokens a day over sixteen hours, settled once a minute or so.
            PartBenchmark(title: "budget.settle", operation: "settlement", operations: 20_000_000) { operations in
                var account = Self.account()
                return {
                    var at = Instant.start
                    var tokens: Int64 = 0
                    for index in 0..<operations {
                        at = at + Duration(microseconds: 60_000_000 + Int64(index & 1_023))
                        account.settle(at: at)
                        // A token goes now and then, so that the account is not always full.
                        if index & 31 == 0 && account.hasToken {
                            account.charge()
                            tokens += 1
                        }
                    }
                    return { [account, tokens] in account.checksum(and: tokens) }
                }
            },
            // The steps of a grant at the gate: find the time of the next token, settle then, charge it.
            PartBenchmark(title: "budget.grant", operation: "grant", operations: 5_000_000) { operations in
                var account = Self.account()
                return {
                    var at = Instant.start
                    for _ in 0..<operations {
                        at = account.tokenInstant
                        account.settle(at: at)
                        account.charge()
                    }
                    return { [account, at] in account.checksum(and: at.microseconds) }
                }
            },
            // A device's calendar from stretch to stretch, about one an hour, with the rate of one account.
            PartBenchmark(title: "budget.stretch", operation: "stretch", operations: 2_000_000) { operations in
                let clock = ScenarioClock(startUnixMicroseconds: 1_772_427_600_000_000)
                let end = Instant.start + .days(365)
                guard let zone = clock.zoneTable("America/New_York", until: end) else {
                    throw BenchmarkProblem("the zone database has no America/New_York")
                }
                return {
                    var sum = Checksum()
                    var calendar = Self.calendar(zone)
                    var account = Self.account()
                    for _ in 0..<operations {
                        if calendar.to >= end {
                            sum.add(account.balance)
                            calendar = Self.calendar(zone)
                            account = Self.account()
                        }
                        account.settle(at: calendar.to)
                        let factor = calendar.advance(in: zone)
                        if factor != 1 { account.refine(by: factor) }
                        account.accrue(shares: calendar.shares)
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

    private static func account() -> BudgetAccount {
        let token = AllowanceRule.token
        let parts = Int128(16 * 3_600) * 1_000_000
        var account = BudgetAccount(at: .start, allowance: 50 * token, cap: 12 * token, openingBalance: 0, partsPerMicrotoken: parts)
        account.accrue(shares: 1)
        return account
    }

    /// The calendar of somebody who sleeps longer on free days.
    private static func calendar(_ zone: ZoneTable) -> AccrualCalendar {
        func span(_ from: Int, _ to: Int) -> ClockSpan {
            ClockSpan(from: ClockTime(hour: from, minute: 0), to: ClockTime(hour: to, minute: 30))
        }
        return AccrualCalendar(usual: UsualWaking(workday: span(7, 22), freeDay: span(8, 23)), weights: .even, at: .start, in: zone)
    }
}

extension BudgetAccount {
    fileprivate func checksum(and number: Int64) -> Checksum {
        var sum = Checksum()
        for amount in [balance, accrued, expired] { sum.add(amount) }
        sum.add(number)
        return sum
    }
}
