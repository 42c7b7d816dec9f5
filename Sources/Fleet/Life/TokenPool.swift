import Measures
import People
import SimulatedTime
import WidgetPlatform

/// An account of an instance, and what of its flows waits to be booked under an hour of the local clock (B4, B5).
///
/// Bookings are whole microtokens; what is left of one stays until the next booking, so that the roundings cancel and
/// opening + accrued = spent + expired + closing holds for the booked integers too.
struct TokenPool {
    private(set) var account: BudgetAccount
    /// Parts that have accrued or expired and are not booked, apart from what the account itself says beyond `seen`.
    private var unbookedAccrued: Int128 = 0
    private var unbookedExpired: Int128 = 0
    /// How much of the account's own sums stands in these.
    private var seenAccrued: Int128 = 0
    private var seenExpired: Int128 = 0

    init(_ account: BudgetAccount) {
        self.account = account
        beginBookings()
    }

    /// The part of the opening beyond whole microtokens is added to what accrues.
    private mutating func beginBookings() {
        unbookedAccrued = account.opening % account.partsPerMicrotoken
        unbookedExpired = 0
        (seenAccrued, seenExpired) = (0, 0)
    }

    /// Microtokens of the opening, and of the balance when all is booked.
    var opening: Int64 { Int64(account.opening / account.partsPerMicrotoken) }
    var closing: Int64 { Int64((account.balance - unbookedAccrued + unbookedExpired) / account.partsPerMicrotoken) }

    mutating func settle(at instant: Instant) { account.settle(at: instant) }

    mutating func charge() { account.charge() }

    mutating func accrue(shares: Int128) { account.accrue(shares: shares) }

    /// Settles and books what has come and gone since the last booking under a local hour, in the pool's counts.
    mutating func settle(at instant: Instant, bookingHour hour: Int, in counts: CountBlock<PoolCounts>) {
        account.settle(at: instant)
        // Nothing comes at night, and a booking leaves less than a microtoken.
        let isNothingNew = account.accrued == seenAccrued && account.expired == seenExpired
        if isNothingNew && max(unbookedAccrued, unbookedExpired) < account.partsPerMicrotoken { return }
        unbookedAccrued += account.accrued - seenAccrued
        seenAccrued = account.accrued
        counts[.accrued(atHour: hour)] += Self.takeWhole(&unbookedAccrued, of: account.partsPerMicrotoken)
        if account.expired != seenExpired || unbookedExpired >= account.partsPerMicrotoken {
            unbookedExpired += account.expired - seenExpired
            seenExpired = account.expired
            counts[.expired(atHour: hour)] += Self.takeWhole(&unbookedExpired, of: account.partsPerMicrotoken)
        }
    }

    /// Reads the balance at the beginning of a local hour.
    func read(atHour hour: Int, in counts: CountBlock<PoolCounts>) {
        counts[.readings(atHour: hour)] += 1
        counts.add(Self.whole(account.balance, of: account.partsPerMicrotoken), to: .balances(atHour: hour))
    }

    /// The whole microtokens in an amount of parts. Static, like what takes them: the compiler copies a pool for a method that does not change it.
    private static func whole(_ parts: Int128, of unit: Int128) -> Int64 {
        // Most amounts fit 64 bits, which divide in a fraction of the time.
        if let small = UInt64(exactly: parts), let unit = UInt64(exactly: unit) { return Int64(small / unit) }
        return Int64(parts / unit)
    }

    private static func takeWhole(_ parts: inout Int128, of unit: Int128) -> Int64 {
        let microtokens = whole(parts, of: unit)
        parts -= Int128(microtokens) * unit
        return microtokens
    }

    mutating func refine(by factor: Int128) {
        account.refine(by: factor)
        unbookedAccrued *= factor
        unbookedExpired *= factor
        seenAccrued *= factor
        seenExpired *= factor
    }

    /// A new ledger begins with the present balance.
    mutating func beginLedger() {
        account.beginLedger()
        beginBookings()
    }

    mutating func change(allowance: Int64, cap: Int64, shares: Int128, at instant: Instant) {
        account.settle(at: instant)
        account.change(allowance: allowance, cap: cap)
        account.accrue(shares: shares)
    }

    /// Counts the account where its ledger begins. Tokens above its cap at the opening expire there (B5).
    mutating func countOpening(atHour hour: Int, in counts: CountBlock<PoolCounts>) {
        counts[.accounts] += 1
        counts[.opening] += opening
        unbookedExpired += account.expired - seenExpired
        seenExpired = account.expired
        counts[.expired(atHour: hour)] += Self.takeWhole(&unbookedExpired, of: account.partsPerMicrotoken)
    }

    /// Counts the account at the end of its ledger.
    func countClosing(in counts: CountBlock<PoolCounts>) {
        counts[.closing] += closing
        counts[.allowance] += account.allowance
    }
}

// MARK: At rest

extension TokenPool {
    /// - Parameters:
    ///   - calendar: that of the device, which knows the parts and the rate.
    ///   - rule: what the cap follows from.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ calendar: AccrualCalendar, _ rule: AllowanceRule) {
        var (allowance, balance, settledAt) = (account.allowance, account.balance, account.settledAt)
        var accrued = unbookedAccrued + account.accrued - seenAccrued
        var expired = unbookedExpired + account.expired - seenExpired
        coder.code(&allowance)
        coder.code(&balance)
        coder.code(&settledAt)
        coder.code(&accrued)
        coder.code(&expired)
        if Coder.isChecked {
            let (most, now) = (Int128(1) << 90, coder.base)
            let isPossible =
                (0...20_000 * AllowanceRule.token).contains(allowance) && (0...most).contains(balance) && settledAt <= now + .days(1)
                && settledAt >= .start - .days(1) && (-most...most).contains(accrued) && (-most...most).contains(expired)
            if !coder.holds(isPossible, "an account that no budget comes to") { (allowance, balance, settledAt, accrued, expired) = (0, 0, now, 0, 0) }
        }
        if Coder.isReading {
            account = BudgetAccount(
                resumedAt: settledAt, allowance: allowance, cap: rule.cap(allowance: allowance), balance: balance,
                partsPerMicrotoken: calendar.partsPerMicrotoken)
            account.accrue(shares: calendar.shares)
            (unbookedAccrued, unbookedExpired) = (accrued, expired)
            (seenAccrued, seenExpired) = (0, 0)
        }
    }
}
