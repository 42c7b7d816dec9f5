import SimulatedTime

/// The reloads that the system will still grant one instance (B1–B6).
///
/// Amounts are exact: they are counted in *parts*, a whole number of which makes a microtoken. The device chooses that number so that what
/// accrues in a microsecond of any usual waking window of its own is whole too (`AccrualCalendar.partsPerMicrotoken`).
///
/// Tokens accrue over the usual waking day and are charged when a reload is granted. Assumption: a reload that fails is not refunded.
///
/// Invariant: `opening + accrued == spent + expired + balance`, and `0 <= balance <= cap`.
public struct BudgetAccount: Sendable {
    /// Microtokens a day.
    public private(set) var allowance: Int64
    /// The most that the balance may hold, microtokens.
    public private(set) var cap: Int64

    // In parts.
    public private(set) var balance: Int128
    public private(set) var opening: Int128
    public private(set) var accrued: Int128 = 0
    public private(set) var expired: Int128 = 0
    /// Tokens charged.
    public private(set) var spentTokens: Int64 = 0

    private var capParts: Int128
    @usableFromInline private(set) var tokenParts: Int128
    public private(set) var partsPerMicrotoken: Int128
    /// Parts that accrue in a microsecond of the present stretch of the calendar.
    @usableFromInline private(set) var rate: Int128 = 0
    /// Up to when accrual has been added.
    public private(set) var settledAt: Instant

    /// An account at its opening.
    ///
    /// - Parameter openingBalance: in microtokens; nil for half the cap (B5, an assumption). Tokens above the cap expire at once.
    public init(at instant: Instant, allowance: Int64, cap: Int64, openingBalance: Int64?, partsPerMicrotoken: Int128) {
        precondition(partsPerMicrotoken > 0 && partsPerMicrotoken % 2 == 0, "half of an odd cap must be whole")
        self.allowance = allowance
        self.cap = cap
        self.partsPerMicrotoken = partsPerMicrotoken
        capParts = Int128(cap) * partsPerMicrotoken
        tokenParts = Int128(AllowanceRule.token) * partsPerMicrotoken
        opening = openingBalance.map { Int128($0) * partsPerMicrotoken } ?? capParts / 2
        balance = min(opening, capParts)
        expired = opening - balance
        settledAt = instant
    }

    /// An account with a balance in parts that was settled at an instant: its ledger begins with that. The caller sets the rate.
    public init(resumedAt instant: Instant, allowance: Int64, cap: Int64, balance: Int128, partsPerMicrotoken: Int128) {
        self.allowance = allowance
        self.cap = cap
        self.partsPerMicrotoken = partsPerMicrotoken
        capParts = Int128(cap) * partsPerMicrotoken
        tokenParts = Int128(AllowanceRule.token) * partsPerMicrotoken
        opening = balance
        self.balance = balance
        settledAt = instant
    }

    /// Whether a token is there (G1). The account must be settled.
    @inlinable public var hasToken: Bool { balance >= tokenParts }

    /// Adds what has accrued since the last settlement, at the rate in force; what goes over the cap expires at once (B5).
    public mutating func settle(at instant: Instant) {
        let elapsed = instant.microseconds &- settledAt.microseconds
        settledAt = instant
        if rate == 0 || elapsed == 0 { return }
        let gain = rate * Int128(elapsed)
        accrued += gain
        balance += gain
        if balance > capParts {
            expired += balance - capParts
            balance = capParts
        }
    }

    /// Sets the rate from the settlement on: `shares` parts a microsecond for each microtoken of allowance.
    public mutating func accrue(shares: Int128) { rate = Int128(allowance) * shares }

    /// Charges one token. The account must be settled and have one.
    public mutating func charge() {
        precondition(hasToken, "charging an account that has no token")
        balance -= tokenParts
        spentTokens += 1
    }

    /// A new allowance and cap, at a wake-up: what stands above the new cap expires at once (B2, B5). The caller then sets the new rate.
    public mutating func change(allowance: Int64, cap: Int64) {
        self.allowance = allowance
        self.cap = cap
        capParts = Int128(cap) * partsPerMicrotoken
        if balance > capParts {
            expired += balance - capParts
            balance = capParts
        }
    }

    /// The first whole microsecond at which a token is there, at the rate in force; `never` at rate 0 (B6).
    @inlinable public var tokenInstant: Instant {
        if balance >= tokenParts { return settledAt }
        if rate == 0 { return .never }
        let wait = (tokenParts - balance + rate - 1) / rate
        return wait < Int128(Int64.max / 4) ? settledAt + Duration(microseconds: Int64(wait)) : .never
    }

    /// A new ledger begins with the present balance as its opening: the border of the reported span (T4). The account must be settled.
    public mutating func beginLedger() {
        opening = balance
        accrued = 0
        expired = 0
        spentTokens = 0
    }

    /// Counts in finer parts from here on: every amount is multiplied, none changes its worth.
    public mutating func refine(by factor: Int128) {
        precondition(factor > 0)
        partsPerMicrotoken *= factor
        balance *= factor
        opening *= factor
        accrued *= factor
        expired *= factor
        capParts *= factor
        tokenParts *= factor
        rate *= factor
    }

    /// The ledger to this moment in whole microtokens; the roundings cancel, so the invariant holds exactly.
    public var ledger: Ledger {
        let opening = Int64(self.opening / partsPerMicrotoken)
        let granted = Int64((self.opening + accrued) / partsPerMicrotoken)
        let expired = Int64(self.expired / partsPerMicrotoken)
        let spent = spentTokens * AllowanceRule.token
        return Ledger(opening: opening, accrued: granted - opening, spent: spent, expired: expired, balance: granted - spent - expired)
    }

    /// Microtokens of an account, all read at one moment.
    public struct Ledger: Hashable, Sendable {
        public var opening, accrued, spent, expired, balance: Int64
    }

    /// That nothing was lost or made: what every mutation must leave behind.
    public func checkInvariants() {
        let spent = Int128(spentTokens) * tokenParts
        precondition(opening + accrued == spent + expired + balance, "the ledger does not add up: \(ledger)")
        precondition(balance >= 0 && balance <= max(capParts, opening), "balance outside [0, cap]: \(ledger)")
    }
}
