import Basics
import DeviceStorage
import WidgetPlatform

/// The accounts of one instance (B4–B7): its own tokens, and those for pushed reloads, if they have a pool of their
/// own.
struct InstanceAccounts {
    private(set) var own: TokenPool
    private var pushed: TokenPool
    let hasPushPool: Bool
    /// Whether there are any: a control without a budget has none (F9).
    let areUsed: Bool

    /// Accounts that nobody has opened.
    init(closedAt instant: Instant, hasPushPool: Bool, areUsed: Bool) {
        own = TokenPool(closedAt: instant)
        pushed = own
        (self.hasPushPool, self.areUsed) = (hasPushPool, areUsed)
    }

    /// The account that pays for a reload of a cause (B7).
    @inline(__always) func payer(of cause: ReloadCause?) -> BudgetPool {
        hasPushPool && cause == .push ? .pushed : .own
    }

    // One of them: written out, as a closure here costs the loop a call.

    @inline(__always) func hasToken(_ pool: BudgetPool, in accrual: BudgetAccrual) -> Bool {
        pool == .pushed ? pushed.account.hasToken(in: accrual) : own.account.hasToken(in: accrual)
    }

    @inline(__always) func tokenInstant(_ pool: BudgetPool, in accrual: BudgetAccrual) -> Instant {
        pool == .pushed ? pushed.account.tokenInstant(in: accrual) : own.account.tokenInstant(in: accrual)
    }

    @inline(__always) mutating func settle(_ pool: BudgetPool, at now: Instant, in accrual: BudgetAccrual) -> BudgetFlow
    {
        pool == .pushed ? pushed.settle(at: now, in: accrual) : own.settle(at: now, in: accrual)
    }

    @inline(__always) mutating func charge(_ pool: BudgetPool, in accrual: BudgetAccrual) {
        if pool == .pushed { pushed.charge(in: accrual) } else { own.charge(in: accrual) }
    }

    @inline(__always) mutating func forEach(_ body: (BudgetPool, inout TokenPool) -> Void) {
        if !areUsed { return }
        body(.own, &own)
        if hasPushPool { body(.pushed, &pushed) }
    }

    mutating func checkInvariants(in accrual: BudgetAccrual) {
        forEach { $1.account.checkInvariants(in: accrual) }
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ accrual: BudgetAccrual, _ rule: AllowanceRule) {
        if !areUsed { return }
        own.code(&coder, accrual, rule)
        if hasPushPool { pushed.code(&coder, accrual, rule) }
    }
}
