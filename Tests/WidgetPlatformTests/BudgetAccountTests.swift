import Basics
import Testing

@testable import WidgetPlatform

/// The account of section 5, in rational microtokens.
private struct RationalLedger {
    var balance: Fraction
    var opening: Fraction
    var accrued = Fraction(0 as Int64)
    var expired = Fraction(0 as Int64)
    var spent: Int64 = 0
    var cap: Int64
    var allowance: Int64
    /// Microtokens a microsecond.
    var rate = Fraction(0 as Int64)
    var now: Int64 = 0

    init(allowance: Int64, cap: Int64) {
        self.allowance = allowance
        self.cap = cap
        balance = Fraction(Int128(cap), over: 2)
        opening = balance
    }

    mutating func settle(at instant: Int64) {
        let gain = rate * Fraction(instant - now)
        now = instant
        accrued = accrued + gain
        balance = balance + gain
        loseAboveCap()
    }

    mutating func loseAboveCap() {
        guard balance > Fraction(cap) else { return }
        expired = expired + (balance - Fraction(cap))
        balance = Fraction(cap)
    }

    /// The first whole microsecond at which a token is there, counted up from now.
    var tokenInstant: Int64? {
        let token = Fraction(1_000_000 as Int64)
        if balance >= token { return now }
        if rate == Fraction(0 as Int64) { return nil }
        return now + Int64(((token - balance) / rate).ceiling)
    }
}

@Suite struct BudgetAccountTests {
    private enum Step: CaseIterable {
        case wait1, wait2, wait9, charge, lower, raise, refine, begin, night, day
    }

    /// A day of seven microseconds, so that tokens come and go within a few steps, and no amount is whole.
    private struct Pair {
        var account: BudgetAccount
        /// The flows that the account has told of.
        var told: BudgetLedger
        var ledger = RationalLedger(allowance: 3_000_001, cap: 3_000_001)
        var parts: Int128 = 14
        var isDay = true
        var accrual: BudgetAccrual { BudgetAccrual(shares: isDay ? parts / 7 : 0, partsPerMicrotoken: parts) }

        init() {
            let opened = BudgetAccount.opened(
                at: .start, allowance: 3_000_001, cap: 3_000_001, with: .half,
                in: BudgetAccrual(shares: 2, partsPerMicrotoken: 14))
            account = opened.account
            told = BudgetLedger(opening: opened.opening, partsPerMicrotoken: 14)
            told.add(BudgetFlow(accrued: 0, expired: opened.expired))
            setRate()
        }

        mutating func setRate() {
            ledger.rate = isDay ? Fraction(Int128(ledger.allowance), over: 7) : Fraction(0 as Int64)
        }

        mutating func settle(after delay: Int64) {
            ledger.settle(at: ledger.now + delay)
            told.add(account.settle(at: Instant(microseconds: ledger.now), in: accrual))
        }

        mutating func change(allowance: Int64, cap: Int64) {
            told.add(BudgetFlow(accrued: 0, expired: account.change(allowance: allowance, cap: cap, in: accrual)))
            ledger.allowance = allowance
            ledger.cap = cap
            ledger.loseAboveCap()
            setRate()
        }

        /// Takes a step in both; false if it is not one of this state.
        mutating func take(_ step: Step) -> Bool {
            switch step {
            case .wait1: settle(after: 1)
            case .wait2: settle(after: 2)
            case .wait9: settle(after: 9)
            case .charge:
                guard ledger.balance >= Fraction(1_000_000 as Int64) else { return false }
                account.charge(in: accrual)
                told.charge()
                ledger.balance = ledger.balance - Fraction(1_000_000 as Int64)
                ledger.spent += 1
            case .lower: change(allowance: 500_009, cap: 1_500_001)
            case .raise: change(allowance: 6_000_013, cap: 4_000_000)
            case .refine:
                account.refine(by: 3)
                told.refine(by: 3)
                parts *= 3
            case .begin:
                told = BudgetLedger(opening: account.balance, partsPerMicrotoken: parts)
                (ledger.opening, ledger.spent) = (ledger.balance, 0)
                (ledger.accrued, ledger.expired) = (Fraction(0 as Int64), Fraction(0 as Int64))
            case .night, .day:
                guard isDay != (step == .day) else { return false }
                isDay = step == .day
                setRate()
            }
            return true
        }

        var difference: String? {
            account.checkInvariants(in: accrual)
            told.checkInvariants(balance: account.balance)
            func amount(_ count: Int128) -> Fraction { Fraction(count, over: parts) }
            if amount(account.balance) != ledger.balance {
                return "balance \(amount(account.balance)), not \(ledger.balance)"
            }
            if amount(told.opening) != ledger.opening {
                return "opening \(amount(told.opening)), not \(ledger.opening)"
            }
            if amount(told.accrued) != ledger.accrued {
                return "accrued \(amount(told.accrued)), not \(ledger.accrued)"
            }
            if amount(told.expired) != ledger.expired {
                return "expired \(amount(told.expired)), not \(ledger.expired)"
            }
            if told.spentTokens != ledger.spent { return "spent \(told.spentTokens), not \(ledger.spent)" }
            if account.hasToken(in: accrual) != (ledger.balance >= Fraction(1_000_000 as Int64)) { return "hasToken" }
            if account.tokenInstant(in: accrual) != ledger.tokenInstant.map(Instant.init(microseconds:)) ?? .never {
                return "tokenInstant"
            }
            let sum = told.microtokens
            if sum.opening + sum.accrued != sum.spent + sum.expired + sum.balance {
                return "the ledger \(sum) does not add up"
            }
            if (Int128(sum.balance) - ledger.balance.floor).magnitude > 1 || sum.balance < 0 {
                return "the ledger's balance \(sum.balance)"
            }
            if Int128(sum.opening) != ledger.opening.floor || Int128(sum.expired) != ledger.expired.floor {
                return "the ledger's roundings"
            }
            return nil
        }
    }

    @Test func `every sequence of five steps keeps the exact amounts`() {
        var sequences = 0
        func go(_ pair: Pair, _ path: [Step]) -> Bool {
            if let difference = pair.difference {
                Issue.record("\(path): \(difference)")
                return false
            }
            if path.count == 5 {
                sequences += 1
                return true
            }
            for step in Step.allCases {
                var next = pair
                if next.take(step), !go(next, path + [step]) { return false }
            }
            return true
        }
        #expect(go(Pair(), []))
        #expect(sequences > 20_000)
    }

    @Test func `a token is there at its instant and not a microsecond before`() {
        for (allowance, length) in [
            (6_000_000, 57_600_000_000), (41_204_081, 46_800_000_000), (75_000_000, 57_300_000_000), (1, 3_600_000_000),
        ]
            as [(Int64, Int64)]
        {
            for openingBalance in [0, 1, 499_999, 999_999] as [Int64] {
                let accrual = BudgetAccrual(shares: 2, partsPerMicrotoken: Int128(length) * 2)
                var account = BudgetAccount.opened(
                    at: .start, allowance: allowance, cap: 3_000_000, with: .tokens(openingBalance), in: accrual
                ).account
                let instant = account.tokenInstant(in: accrual)
                #expect(!account.hasToken(in: accrual))
                var before = account
                _ = before.settle(at: instant - Duration(microseconds: 1), in: accrual)
                #expect(!before.hasToken(in: accrual), "allowance \(allowance), opening \(openingBalance)")
                _ = account.settle(at: instant, in: accrual)
                #expect(account.hasToken(in: accrual), "allowance \(allowance), opening \(openingBalance)")
                #expect(
                    before.tokenInstant(in: accrual) == instant, "the answer does not depend on when it is asked for")
            }
        }
    }

    @Test func `an account opens with half its cap, also of an odd one`() {
        let opened = BudgetAccount.opened(
            at: .start, allowance: 12_000_000, cap: 3_000_001, with: .half,
            in: BudgetAccrual(shares: 0, partsPerMicrotoken: 2))
        #expect(opened.account.balance == 3_000_001 && opened.opening == 3_000_001 && opened.expired == 0)
        let ledger = BudgetLedger(opening: opened.opening, partsPerMicrotoken: 2)
        #expect(ledger.microtokens == .init(opening: 1_500_000, accrued: 0, spent: 0, expired: 0, balance: 1_500_000))
    }

    @Test func `what accrues above the cap, or stands above a fallen one, expires at once`() {
        let accrual = BudgetAccrual(shares: 2, partsPerMicrotoken: 2_000)
        let opened = BudgetAccount.opened(
            at: .start, allowance: 10_000_000, cap: 3_000_000, with: .tokens(2_000_000), in: accrual)
        var account = opened.account
        var ledger = BudgetLedger(opening: opened.opening, partsPerMicrotoken: 2_000)
        // 10,000 microtokens a microsecond: the cap is reached after 100.
        ledger.add(account.settle(at: Instant(microseconds: 100), in: accrual))
        #expect(
            ledger.microtokens
                == .init(opening: 2_000_000, accrued: 1_000_000, spent: 0, expired: 0, balance: 3_000_000))
        ledger.add(account.settle(at: Instant(microseconds: 101), in: accrual))
        #expect(
            ledger.microtokens
                == .init(opening: 2_000_000, accrued: 1_010_000, spent: 0, expired: 10_000, balance: 3_000_000))
        ledger.add(BudgetFlow(accrued: 0, expired: account.change(allowance: 4_000_000, cap: 1_000_000, in: accrual)))
        #expect(
            ledger.microtokens
                == .init(opening: 2_000_000, accrued: 1_010_000, spent: 0, expired: 2_010_000, balance: 1_000_000))
        #expect(account.hasToken(in: accrual))
        account.charge(in: accrual)
        ledger.charge()
        account.checkInvariants(in: accrual)
        ledger.checkInvariants(balance: account.balance)
        #expect(account.tokenInstant(in: accrual) > Instant(microseconds: 101))
    }

    /// Amounts of more than 64 bits take another way to the same product.
    @Test func `large and small parts accrue alike`() {
        let fine = Int128(1) << 70
        for parts in [2, 14_000_000, fine] as [Int128] {
            let accrual = BudgetAccrual(shares: parts / 2, partsPerMicrotoken: parts)
            var account = BudgetAccount.opened(
                at: .start, allowance: 3, cap: 10_000_000, with: .tokens(0), in: accrual
            ).account
            let flow = account.settle(at: Instant(microseconds: 4_000_000), in: accrual)
            #expect(flow.accrued == 6_000_000 * parts && flow.expired == 0 && account.balance == 6_000_000 * parts)
            #expect(account.tokenInstant(in: accrual) == Instant(microseconds: 4_000_000))
            #expect(accrual.tokenParts == 1_000_000 * parts)
        }
        // Microtokens and microseconds whose product does not fit 64 bits.
        let accrual = BudgetAccrual(shares: 3, partsPerMicrotoken: 2)
        #expect(accrual.gain(allowance: 20_000_000_000, microseconds: 1 << 40) == Int128(20_000_000_000) * 3 << 40)
    }
}
