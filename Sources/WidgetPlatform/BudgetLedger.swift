/// All that has come to an account and gone from it since its ledger began (B6): for traces and tests; a run books
/// flows by the hour.
///
/// Invariant: `opening + accrued == spent + expired + balance`.
public struct BudgetLedger: Sendable {
    // In parts.
    public private(set) var opening: Int128
    public private(set) var accrued: Int128 = 0
    public private(set) var expired: Int128 = 0
    /// Tokens charged.
    public private(set) var spentTokens: Int64 = 0
    public private(set) var partsPerMicrotoken: Int128

    /// - Parameter opening: the balance in parts with which it begins.
    public init(opening: Int128, partsPerMicrotoken: Int128) {
        (self.opening, self.partsPerMicrotoken) = (opening, partsPerMicrotoken)
    }

    public mutating func add(_ flow: BudgetFlow) {
        accrued += flow.accrued
        expired += flow.expired
    }

    public mutating func charge() { spentTokens += 1 }

    /// Counts in finer parts from here on.
    public mutating func refine(by factor: Int128) {
        partsPerMicrotoken *= factor
        opening *= factor
        accrued *= factor
        expired *= factor
    }

    /// The ledger in whole microtokens; the roundings cancel, so the invariant holds exactly.
    public var microtokens: Amounts {
        let opening = Int64(self.opening / partsPerMicrotoken)
        let granted = Int64((self.opening + accrued) / partsPerMicrotoken)
        let expired = Int64(self.expired / partsPerMicrotoken)
        let spent = spentTokens * AllowanceRule.token
        return Amounts(
            opening: opening, accrued: granted - opening, spent: spent, expired: expired,
            balance: granted - spent - expired)
    }

    /// Microtokens, all read at one moment.
    public struct Amounts: Hashable, Sendable {
        public var opening, accrued, spent, expired, balance: Int64
    }

    /// That nothing was lost or made: the account's balance in parts is what the ledger leaves.
    public func checkInvariants(balance: Int128) {
        let spent = Int128(spentTokens * AllowanceRule.token) * partsPerMicrotoken
        precondition(opening + accrued == spent + expired + balance, "the ledger does not add up: \(microtokens)")
    }
}
