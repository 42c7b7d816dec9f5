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

/// The views of one instance at one pickup that wait to be healed (V6), by how they presented it: a desktop or an open
/// surface can be seen several times.
struct UnhealedViews: BitwiseCopyable {
    /// By luminance and state, a redacted view by what was hidden: see `place`. A number too large for its cell stays
    /// at the largest.
    private var counts = SIMD16<UInt16>()

    /// The first views that are counted as redacted as a whole stand after those by state.
    private static let states = ViewState.allCases.count

    private static func place(_ presentation: Presentation) -> Int {
        let sort = presentation.redaction == .views ? states : Int(presentation.state.rawValue)
        return 2 * sort + (presentation.luminance == .low ? 1 : 0)
    }

    mutating func add(_ presentation: Presentation) {
        let place = Self.place(presentation)
        counts[place] = max(counts[place], counts[place] &+ 1)
    }

    /// - Parameters:
    ///   - renderingMode: the instance's own.
    ///   - body: takes a presentation and how many views were so.
    @inline(__always) func forEach(_ renderingMode: RenderingMode, _ body: (Presentation, Int64) -> Void) {
        for place in 0..<(2 * Self.states + 2) where counts[place] > 0 {
            let (sort, luminance) = (place / 2, place % 2 == 1 ? Luminance.low : .active)
            let state = sort == Self.states ? ViewState.redacted : ViewState.allCases[sort]
            let redaction =
                sort == Self.states ? Redaction.views : state == .redacted ? .whole : .none
            body(Presentation(renderingMode, luminance, redaction, state), Int64(counts[place]))
        }
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
        for place in 0..<(2 * Self.states + 2) { coder.code(&counts[place]) }
    }
}
