import Basics
import RefreshService
import Statistics
import Testing

@testable import Reporting

@Suite struct ErrorBudgetTests {
    /// Ten requests a minute; an hour in the second day of which half fail, and a minute on the third day.
    private let requests = [Int64](repeating: 10, count: 4 * 1_440)
    private var bad: [Int64] {
        var bad = [Int64](repeating: 0, count: 4 * 1_440)
        for minute in 1_500..<1_560 { bad[minute] = 5 }
        bad[3_000] = 10
        return bad
    }

    private var budget: ErrorBudget {
        ErrorBudget(ServiceObjective(name: "good", share: 0.99), requests: requests, bad: bad)
    }

    /// The rates of all windows of a length by adding them up: each is the one before and a minute, less a minute.
    private func rates(_ length: Int) -> [Double] {
        let bad = bad
        var (all, failed) = (Int64(0), Int64(0))
        return [.nan]
            + requests.indices.map { minute in
                (all, failed) = (all + requests[minute], failed + bad[minute])
                if minute >= length { (all, failed) = (all - requests[minute - length], failed - bad[minute - length]) }
                return Double(failed) / Double(all) / 0.01
            }
    }

    @Test func `the budget is spent by what was bad, and the worst hour is the one that burns fastest`() {
        let budget = budget
        #expect(budget.requests == 57_600 && budget.bad == 310)
        let (spent, early): (Double, Double) = (310.0 / 576, 150.0 / 576)
        #expect(abs(budget.spent(before: budget.minutes)! - spent) < 1e-12)
        #expect(abs(budget.spent(before: 1_530)! - early) < 1e-12)
        #expect(budget.worstHour?.start == 1_500)
        #expect(abs(budget.worstHour!.burn - 50) < 1e-9)
        #expect(budget.burn(0..<60) == 0)
        let none = ErrorBudget(ServiceObjective(name: "good", share: 0.99), requests: [0, 0], bad: [0, 0])
        #expect(none.spent(before: 2) == nil && none.worstHour == nil && none.alerts(BurnRule.all[0]).isEmpty)
    }

    @Test func `minutes that just hold are not missed, and all is well after the last that is`() {
        // One bad request of five is what is allowed, whatever 1 - 0.8 is as a number.
        let just = ErrorBudget(ServiceObjective(name: "good", share: 0.8), requests: [5, 10, 5], bad: [1, 2, 1])
        #expect(just.holds == true && just.missedMinutes == 0 && just.wellAfter == 0)
        func budget(_ requests: [Int64], _ bad: [Int64]) -> ErrorBudget {
            ErrorBudget(ServiceObjective(name: "good", share: 0.8), requests: requests, bad: bad)
        }
        let two = budget([5, 5, 0, 5, 5], [0, 2, 0, 2, 0])
        #expect(two.holds == true && two.missedMinutes == 2 && two.wellAfter == 3)
        let late = budget([5, 5, 5, 0], [0, 0, 5, 0])
        #expect(late.holds == false && late.missedMinutes == 1 && late.wellAfter == nil)
        let none = budget([0, 0], [0, 0])
        #expect(none.holds == nil && none.missedMinutes == 0 && none.wellAfter == nil)
        #expect(two.objective.threshold.metric == "objective.good.share_good")
    }

    @Test func `an alert is on while both windows burn faster, as windows that are added up say`() {
        for rule in BurnRule.all {
            let (long, short) = (rates(rule.long), rates(rule.short))
            let fires = (0...requests.count).map { end in
                end >= rule.short && long[end] > rule.burn && short[end] > rule.burn
            }
            let alerts = budget.alerts(rule)
            for minute in fires.indices {
                let isOn = alerts.contains { $0.start <= minute && minute < $0.end ?? .max }
                #expect(isOn == fires[minute], "\(rule.name) at \(minute)")
            }
        }
        // A third of an hour at half bad requests is 14.4 times the allowed hundredth over an hour.
        let page = budget.alerts(BurnRule.all[0])
        #expect(page.count == 1 && page[0].start == 1_518 && page[0].end == 1_564, "\(page)")
        // Over six hours the same hour is a rate of 8.3; the half hour after it ends the alert.
        #expect(budget.alerts(BurnRule.all[1]).map(\.start) == [1_544])
        #expect(budget.alerts(BurnRule.all[2]).count == 1)
    }

    @Test func `an answer is late from the end of its bin on`() {
        var minute = MinuteLatencies()
        for milliseconds in [100, 200, 300, 400] { minute.add(.milliseconds(Int64(milliseconds))) }
        var series = LatencySeries(minutes: 1)
        series.append(minute)
        let answers = series.distribution(of: 0..<1)
        #expect(answers.count(atMost: .milliseconds(200)) == 2 && answers.count(atMost: .milliseconds(250)) == 2)
        #expect(answers.count(atMost: .milliseconds(1)) == 0 && answers.count(atMost: .seconds(1)) == 4)
        #expect(LatencyDistribution().count(atMost: .seconds(1)) == 0)
    }
}
