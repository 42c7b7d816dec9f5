import Testing
import WidgetPlatform

@Suite struct AllowanceRuleTests {
    static func history(_ days: [Int64], window: Int = 7) -> ViewHistory {
        var history = ViewHistory(window: window)
        for views in days { history.complete(views: views) }
        return history
    }

    @Test func `25 to 200 views a day give 40 to 70 reloads a day`() {
        let rule = AllowanceRule()
        var last: Int64 = 0
        for views in 0...1_000 as ClosedRange<Int64> {
            let allowance = rule.allowance(after: Self.history(Array(repeating: views, count: 7)))
            #expect(allowance > last, "more views give more")
            last = allowance
            if (25...200).contains(views) { #expect((40_000_000...70_000_000).contains(allowance), "\(views) views") }
            #expect(allowance < 75_000_000)
        }
        #expect(rule.allowance(after: Self.history([0, 0, 0])) == 6_000_000)
        #expect(rule.allowance(after: Self.history([24, 24, 24])) == 40_500_000)
    }

    @Test func `an allowance is the curve's value rounded down to a microtoken`() {
        var rule = AllowanceRule()
        rule.least = 6_123_457
        rule.most = 74_999_999
        rule.halfAtViews = 23_456_789
        for days in 3...12 as ClosedRange<Int64> {
            for views in 0...60 as ClosedRange<Int64> {
                let counts = (0..<days).map { ($0 * 7 + views * 5) % 61 }
                let seen = counts.suffix(7)
                // A(v) = least + (most − least)·v/(v + half), v the mean of the days there are, at most seven.
                let v = Fraction(Int128(seen.reduce(0, +)), over: Int128(seen.count))
                let half = Fraction(23_456_789, over: 1_000_000)
                let exact = Fraction(6_123_457 as Int64) + Fraction(74_999_999 - 6_123_457 as Int64) * (v / (v + half))
                #expect(Int128(rule.allowance(after: Self.history(counts))) == exact.floor, "\(counts)")
            }
        }
    }

    @Test func `the allowance is that of learning until the third complete day`() {
        var rule = AllowanceRule()
        rule.whileLearning = 61_000_000
        var history = ViewHistory(window: 7)
        for day in 0..<5 {
            #expect((rule.allowance(after: history) == 61_000_000) == (day < 3), "after \(day) days")
            history.complete(views: 0)
        }
        // Without learning days, a mean needs one day at least.
        rule.learningDays = 0
        #expect(rule.allowance(after: ViewHistory(window: 7)) == 61_000_000)
        #expect(rule.allowance(after: Self.history([0])) == 6_000_000)
    }

    @Test func `the cap is a share of the allowance rounded down, and three tokens at least`() {
        let rule = AllowanceRule()
        #expect(rule.cap(allowance: 75_000_000) == 18_750_000)
        #expect(rule.cap(allowance: 40_000_003) == 10_000_000)
        #expect(rule.cap(allowance: 40_000_004) == 10_000_001)
        #expect(rule.cap(allowance: 12_000_003) == 3_000_000)
        #expect(rule.cap(allowance: 12_000_004) == 3_000_001)
        #expect(rule.cap(allowance: 6_000_000) == 3_000_000)
        #expect(rule.cap(allowance: 0) == 3_000_000)
    }
}

@Suite struct ViewHistoryTests {
    @Test func `a history is the sum of the last days of a list`() {
        for window in [1, 2, 3, 7, 15, 16, 17, 30, 31] {
            var history = ViewHistory(window: window)
            var days: [Int64] = []
            for day in 0..<100 as Range<Int64> {
                #expect(history.completeDays == days.count)
                #expect(history.daysInWindow == min(days.count, window))
                #expect(history.viewsInWindow == days.suffix(window).reduce(0, +), "window \(window), day \(day)")
                let views = day * 7_919 % 101
                history.complete(views: views)
                days.append(views)
            }
        }
    }

    @Test func `rarely viewed means fewer than the limit on average, and never before the first complete day`() {
        #expect(!ViewHistory(window: 7).isRarelyViewed(limit: 4_000_000))
        #expect(AllowanceRuleTests.history([3]).isRarelyViewed(limit: 4_000_000))
        #expect(!AllowanceRuleTests.history([4]).isRarelyViewed(limit: 4_000_000))
        #expect(AllowanceRuleTests.history([4, 4, 3]).isRarelyViewed(limit: 4_000_000))
        #expect(!AllowanceRuleTests.history([4, 4, 4]).isRarelyViewed(limit: 4_000_000))
        #expect(AllowanceRuleTests.history([100, 0, 0, 0, 0, 0, 0, 0]).isRarelyViewed(limit: 1))
        #expect(!AllowanceRuleTests.history([0]).isRarelyViewed(limit: 0))
    }
}
