import Basics

/// The reloads that the system will still grant one instance (B1–B6).
///
/// Amounts are exact: they are counted in *parts*, a whole number of which makes a microtoken. The device chooses that
/// number so that what accrues in a microsecond of any usual waking window of its own is whole too
/// (`AccrualCalendar.partsPerMicrotoken`). The account is told how at every step (`BudgetAccrual`), and says what has
/// come and gone (`BudgetFlow`): it holds nothing but its balance, because suspended devices keep millions of them.
///
/// Tokens accrue over the usual waking day and are charged when a reload is granted. Assumption: a reload that fails is
/// not refunded.
///
/// Invariant: `0 <= balance <= cap`; and `BudgetLedger` has the sum of all flows.
public struct BudgetAccount: Sendable {
    /// Microtokens a day.
    public private(set) var allowance: Int64
    /// The most that the balance may hold, microtokens.
    public private(set) var cap: Int64
    /// In parts.
    public private(set) var balance: Int128
    /// Up to when accrual has been added.
    public private(set) var settledAt: Instant

    /// An account with a balance in parts, at most its cap, that was settled at an instant.
    public init(settledAt: Instant, allowance: Int64, cap: Int64, balance: Int128) {
        (self.allowance, self.cap, self.balance, self.settledAt) = (allowance, cap, balance, settledAt)
    }

    /// An account at its opening.
    ///
    /// - Parameter balance: tokens above the cap expire at once.
    /// - Returns: the account, what it opened with in parts, and what of that has expired.
    public static func opened(
        at instant: Instant, allowance: Int64, cap: Int64, with balance: OpeningBalance, in accrual: BudgetAccrual
    ) -> (account: BudgetAccount, opening: Int128, expired: Int128) {
        let parts = accrual.partsPerMicrotoken
        precondition(parts > 0 && parts % 2 == 0, "half of an odd cap must be whole")
        let most = Int128(cap) * parts
        let opening =
            switch balance {
            case .half: most / 2
            case .full: most
            case .tokens(let microtokens): Int128(microtokens) * parts
            }
        let balance = min(opening, most)
        return (
            BudgetAccount(settledAt: instant, allowance: allowance, cap: cap, balance: balance), opening,
            opening - balance
        )
    }

    /// Whether a token is there (G1). The account must be settled.
    @inlinable @inline(__always) public func hasToken(in accrual: BudgetAccrual) -> Bool {
        balance >= accrual.tokenParts
    }

    /// Adds what has accrued since the last settlement, at the rate in force since then; what goes over the cap expires
    /// at once (B5).
    ///
    /// - Parameters:
    ///   - instant: not before the last settlement.
    ///   - accrual: of the whole time since then; the account does not keep it.
    public mutating func settle(at instant: Instant, in accrual: BudgetAccrual) -> BudgetFlow {
        let elapsed = instant.microseconds &- settledAt.microseconds
        settledAt = instant
        let gain = accrual.gain(allowance: allowance, microseconds: elapsed)
        balance += gain
        return BudgetFlow(accrued: gain, expired: loseAboveCap(in: accrual))
    }

    @inline(__always) private mutating func loseAboveCap(in accrual: BudgetAccrual) -> Int128 {
        let most = BudgetAccrual.product(cap, accrual.partsPerMicrotoken)
        if balance <= most { return 0 }
        defer { balance = most }
        return balance - most
    }

    /// Charges one token. The account must be settled and have one.
    public mutating func charge(in accrual: BudgetAccrual) {
        precondition(hasToken(in: accrual), "charging an account that has no token")
        balance -= accrual.tokenParts
    }

    /// A new allowance and cap, at a wake-up: what stands above the new cap expires at once (B2, B5). The account must
    /// be settled.
    ///
    /// - Returns: the expired parts.
    public mutating func change(allowance: Int64, cap: Int64, in accrual: BudgetAccrual) -> Int128 {
        self.allowance = allowance
        self.cap = cap
        return loseAboveCap(in: accrual)
    }

    /// The first whole microsecond at which a token is there, at the rate in force; `never` at rate 0 (B6).
    @inlinable public func tokenInstant(in accrual: BudgetAccrual) -> Instant {
        let missing = accrual.tokenParts - balance
        if missing <= 0 { return settledAt }
        let rate = accrual.rate(allowance: allowance)
        if rate == 0 { return .never }
        let wait = (missing + rate - 1) / rate
        return wait < Int128(Int64.max / 4) ? settledAt + Duration(microseconds: Int64(wait)) : .never
    }

    /// Counts in finer parts from here on: the balance is multiplied, which does not change its worth.
    public mutating func refine(by factor: Int128) {
        precondition(factor > 0)
        balance *= factor
    }

    /// That the balance is one that every mutation must leave behind.
    public func checkInvariants(in accrual: BudgetAccrual) {
        precondition(
            balance >= 0 && balance <= Int128(cap) * accrual.partsPerMicrotoken,
            "balance outside [0, cap]: \(balance) parts")
    }
}

/// How the accounts of a device accrue at present (B4, B6): its calendar says it.
public struct BudgetAccrual: Sendable {
    /// Parts that accrue in a microsecond for each microtoken of daily allowance.
    public let shares: Int128
    /// Above 0, and even.
    public let partsPerMicrotoken: Int128

    public init(shares: Int128, partsPerMicrotoken: Int128) {
        (self.shares, self.partsPerMicrotoken) = (shares, partsPerMicrotoken)
    }

    /// A token in parts.
    @inlinable @inline(__always) public var tokenParts: Int128 { Self.product(AllowanceRule.token, partsPerMicrotoken) }

    /// Parts that accrue in a microsecond.
    @inlinable @inline(__always) func rate(allowance: Int64) -> Int128 { Self.product(allowance, shares) }

    /// Parts that accrue in some microseconds.
    @inline(__always) func gain(allowance: Int64, microseconds: Int64) -> Int128 {
        let (amount, isLarge) = allowance.multipliedReportingOverflow(by: microseconds)
        return isLarge ? rate(allowance: allowance) * Int128(microseconds) : Self.product(amount, shares)
    }

    /// The product of two amounts, not below 0. Nearly all parts fit 64 bits: then it is one multiplication.
    @inlinable @inline(__always) public static func product(_ amount: Int64, _ parts: Int128) -> Int128 {
        guard let small = UInt64(exactly: parts) else { return Int128(amount) * parts }
        let words = UInt64(truncatingIfNeeded: amount).multipliedFullWidth(by: small)
        return Int128(Int64(truncatingIfNeeded: words.high)) << 64 | Int128(words.low)
    }
}

/// Parts that have come to an account, and parts that have expired.
public struct BudgetFlow: Hashable, Sendable {
    public let accrued, expired: Int128

    public init(accrued: Int128, expired: Int128) { (self.accrued, self.expired) = (accrued, expired) }
}

/// The balance with which an account opens (B5).
public enum OpeningBalance: Equatable, Sendable {
    /// Half of its cap.
    case half
    /// All of its cap: it has long been open, and nothing was spent.
    case full
    /// Microtokens.
    case tokens(Int64)
}
