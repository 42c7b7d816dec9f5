import Basics
import Statistics
import Testing
import WidgetPlatform

@testable import Fleet

/// An account when its warm-up is over (T4, B6).
@Suite struct TokenPoolTests {
    /// Fourteen parts make a microtoken, and three come in a microsecond for each microtoken of the allowance, so that
    /// hardly an amount is whole.
    private static let accrual = BudgetAccrual(shares: 3, partsPerMicrotoken: 14)
    private static let night = BudgetAccrual(shares: 0, partsPerMicrotoken: 14)
    private static let begin = Instant(microseconds: 40)

    private static func opened(_ balance: Int64?) -> TokenPool {
        TokenPool(
            BudgetAccount.opened(
                at: .start, allowance: 5, cap: 2_000_001, with: balance.map { .tokens($0) } ?? .half, in: accrual),
            in: accrual)
    }

    /// An account that is booked now and then until the report begins, into counts that nobody reads, or not at all.
    private static func warmedUp(_ balance: Int64?, books: Bool) -> TokenPool {
        var pool = opened(balance)
        let scratch = Counts()
        for (instant, accrual) in [(7, accrual), (19, accrual), (23, night), (40, accrual)] as [(Int64, BudgetAccrual)]
        {
            _ = pool.settle(at: Instant(microseconds: instant), in: accrual)
            if books {
                pool.book(atHour: 7, in: scratch.block, accrual)
            } else {
                pool.dropUnbooked()
            }
        }
        return pool
    }

    /// Counts of one pool, in memory of their own.
    private final class Counts {
        private let cells = UnsafeMutablePointer<Int64>.allocate(capacity: PoolCounts.size)
        init() { cells.initialize(repeating: 0, count: PoolCounts.size) }
        deinit { cells.deallocate() }

        var block: CountBlock<PoolCounts> { CountBlock(cells, at: BlockPlace(offset: 0)) }
        var all: [Int64] { (0..<PoolCounts.size).map { cells[$0] } }
        func sum(_ cells: Cells<PoolCounts>) -> Int64 { cells.offsets.reduce(0) { $0 + self.cells[$1] } }
    }

    /// The counts of a report that begins with an account.
    private static func report(_ pool: TokenPool) -> Counts {
        var pool = pool
        let counts = Counts()
        pool.beginLedger(in: accrual)
        pool.countOpening(atHour: 8, in: counts.block, accrual)
        for instant in [41, 60, 61, 99] as [Int64] {
            _ = pool.settle(at: Instant(microseconds: instant), in: accrual)
            pool.book(atHour: 8, in: counts.block, accrual)
            pool.read(atHour: 8, in: counts.block, accrual)
        }
        pool.countClosing(in: counts.block, accrual)
        return counts
    }

    /// Below a token, which nobody holds then, at a whole one, and at the cap, beyond which all expires.
    @Test(arguments: [0, 1, 999_999, 1_000_000, 2_000_000, 2_000_001, 3_000_000, nil] as [Int64?])
    func `a report shows the same of an account whether its warm-up was booked or dropped`(balance: Int64?) {
        let (booked, dropped) = (Self.warmedUp(balance, books: true), Self.warmedUp(balance, books: false))
        #expect(booked.account.balance == dropped.account.balance && dropped.account.settledAt == Self.begin)
        let counts = Self.report(dropped)
        #expect(counts.all == Self.report(booked).all)
        #expect(
            counts.sum(.opening) + counts.sum(.accrued) == counts.sum(.spent) + counts.sum(.expired)
                + counts.sum(.closing))
        #expect(counts.sum(.opening) == Int64(dropped.account.balance / Self.accrual.partsPerMicrotoken))
    }

    @Test func `what is dropped is gone, and what comes afterwards is booked`() {
        var pool = Self.opened(0)
        _ = pool.settle(at: Instant(microseconds: 20), in: Self.accrual)
        pool.dropUnbooked()
        let counts = Counts()
        pool.book(atHour: 3, in: counts.block, Self.accrual)
        #expect(counts.sum(.accrued) == 0)
        _ = pool.settle(at: Instant(microseconds: 20 + 28), in: Self.accrual)
        pool.book(atHour: 3, in: counts.block, Self.accrual)
        // 28 µs of 15 parts each.
        #expect(counts.sum(.accrued) == 30)
    }
}
