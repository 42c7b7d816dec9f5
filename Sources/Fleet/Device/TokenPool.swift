import Basics
import DeviceStorage
import WidgetPlatform

/// An account of an instance, and what of its flows waits to be booked under an hour of the local clock (B4, B5).
///
/// Bookings are whole microtokens; what is left of one stays until the next booking, so that the roundings cancel and
/// opening + accrued = spent + expired + closing holds for the booked integers too.
struct TokenPool {
    private(set) var account: BudgetAccount
    /// Parts that have accrued or expired and are not booked.
    private var unbookedAccrued, unbookedExpired: Int128

    /// An account that nobody has opened.
    init(closedAt instant: Instant) {
        account = BudgetAccount(settledAt: instant, allowance: 0, cap: 0, balance: 0)
        (unbookedAccrued, unbookedExpired) = (0, 0)
    }

    /// An account at its opening; see `BudgetAccount.opened`.
    init(_ opened: (account: BudgetAccount, opening: Int128, expired: Int128), in accrual: BudgetAccrual) {
        account = opened.account
        // The part of the opening beyond whole microtokens is added to what accrues.
        unbookedAccrued = opened.opening % accrual.partsPerMicrotoken
        unbookedExpired = opened.expired
    }

    /// Microtokens of the balance when all is booked.
    func closing(in accrual: BudgetAccrual) -> Int64 {
        Int64((account.balance - unbookedAccrued + unbookedExpired) / accrual.partsPerMicrotoken)
    }

    /// Brings the account up to an instant; returns what has come and gone.
    mutating func settle(at instant: Instant, in accrual: BudgetAccrual) -> BudgetFlow {
        let flow = account.settle(at: instant, in: accrual)
        unbookedAccrued += flow.accrued
        unbookedExpired += flow.expired
        return flow
    }

    mutating func charge(in accrual: BudgetAccrual) { account.charge(in: accrual) }

    /// Books what has come and gone since the last booking under a local hour, in the pool's counts. The account must
    /// be settled.
    mutating func book(atHour hour: Int, in counts: CountBlock<PoolCounts>, _ accrual: BudgetAccrual) {
        // Nothing comes at night, and a booking leaves less than a microtoken.
        let parts = accrual.partsPerMicrotoken
        if unbookedAccrued >= parts { counts[.accrued[hour]] += Self.takeWhole(&unbookedAccrued, of: parts) }
        if unbookedExpired >= parts { counts[.expired[hour]] += Self.takeWhole(&unbookedExpired, of: parts) }
    }

    /// Forgets what has come and gone since the last booking: in the warm-up, whose ledgers nobody reads (T4).
    mutating func dropUnbooked() { (unbookedAccrued, unbookedExpired) = (0, 0) }

    /// Reads the balance at the beginning of a local hour.
    func read(atHour hour: Int, in counts: CountBlock<PoolCounts>, _ accrual: BudgetAccrual) {
        counts[.readings[hour]] += 1
        counts.add(Self.whole(account.balance, of: accrual.partsPerMicrotoken), to: .balances(atHour: hour))
    }

    /// The whole microtokens in an amount of parts. Static, like what takes them: the compiler copies a pool for a
    /// method that does not change it.
    private static func whole(_ parts: Int128, of unit: Int128) -> Int64 {
        // Most amounts fit 64 bits, which divide in a fraction of the time.
        if let small = UInt64(exactly: parts), let unit = UInt64(exactly: unit) { return Int64(small / unit) }
        return Int64(parts / unit)
    }

    private static func takeWhole(_ parts: inout Int128, of unit: Int128) -> Int64 {
        let microtokens = whole(parts, of: unit)
        parts -= BudgetAccrual.product(microtokens, unit)
        return microtokens
    }

    mutating func refine(by factor: Int128) {
        account.refine(by: factor)
        unbookedAccrued *= factor
        unbookedExpired *= factor
    }

    /// A new ledger begins with the present balance: the start of the reported span (T4). The account must be settled.
    mutating func beginLedger(in accrual: BudgetAccrual) {
        unbookedAccrued = account.balance % accrual.partsPerMicrotoken
        unbookedExpired = 0
    }

    /// A new allowance and cap; returns what has come and gone up to now, and because of them.
    mutating func change(allowance: Int64, cap: Int64, at instant: Instant, in accrual: BudgetAccrual) -> BudgetFlow {
        let flow = settle(at: instant, in: accrual)
        let expired = account.change(allowance: allowance, cap: cap, in: accrual)
        unbookedExpired += expired
        return BudgetFlow(accrued: flow.accrued, expired: flow.expired + expired)
    }

    /// Counts the account where its ledger begins. Tokens above its cap at the opening expire there (B5).
    mutating func countOpening(atHour hour: Int, in counts: CountBlock<PoolCounts>, _ accrual: BudgetAccrual) {
        counts[.accounts] += 1
        // Nothing has been booked of it, so what it opened with is what it holds, and what has expired.
        counts[.opening] += Int64((account.balance + unbookedExpired - unbookedAccrued) / accrual.partsPerMicrotoken)
        counts[.expired[hour]] += Self.takeWhole(&unbookedExpired, of: accrual.partsPerMicrotoken)
    }

    /// Counts the account at the end of its ledger.
    func countClosing(in counts: CountBlock<PoolCounts>, _ accrual: BudgetAccrual) {
        counts[.closing] += closing(in: accrual)
        counts[.allowance] += account.allowance
    }

    /// - Parameters:
    ///   - accrual: that of the device's calendar.
    ///   - rule: what the cap follows from.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ accrual: BudgetAccrual, _ rule: AllowanceRule) {
        var (allowance, balance, settledAt) = (account.allowance, account.balance, account.settledAt)
        var (accrued, expired) = (unbookedAccrued, unbookedExpired)
        coder.code(&allowance)
        coder.code(&balance)
        coder.code(&settledAt)
        coder.code(&accrued)
        coder.code(&expired)
        if Coder.isChecked {
            let (most, now) = (Int128(1) << 90, coder.base)
            let isPossible =
                (0...20_000 * AllowanceRule.token).contains(allowance) && (0...most).contains(balance)
                && settledAt <= now + .days(1)
                && settledAt >= .start - .days(1) && (-most...most).contains(accrued)
                && (-most...most).contains(expired)
            if !coder.holds(isPossible, "an account that no budget comes to") {
                (allowance, balance, settledAt, accrued, expired) = (0, 0, now, 0, 0)
            }
        }
        if Coder.isReading {
            account = BudgetAccount(
                settledAt: settledAt, allowance: allowance, cap: rule.cap(allowance: allowance), balance: balance)
            (unbookedAccrued, unbookedExpired) = (accrued, expired)
        }
    }
}
