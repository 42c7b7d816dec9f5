import Basics
import Statistics
import Testing
import WidgetPlatform

@testable import Fleet

@Suite struct CellsTests {
    /// Every index of counts has as many cells as values.
    @Test func `every vocabulary has a cell for each of its values`() {
        for index in MeasureLayout.indices { index.checkCount() }
        #expect(CountedMode.allCases.compactMap(\.mode) == LocationMode.allCases)
        for mode in LocationMode.allCases { #expect(CountedMode(mode).mode == mode) }
        #expect(Presentation.allCases.map(\.ordinal) == Array(0..<Presentation.count))
        #expect(WeekHour.allCases.map(\.ordinal) == Array(0..<WeekHour.count))
    }

    @Test func `the cells of indices lie side by side, the last index running first`() {
        let (one, two) = (Cells<ReloadCounts>.merged, Cells<ReloadCounts>.started)
        #expect(ReloadCause.allCases.flatMap { Array(one($0).offsets) } == Array(one.all.offsets))
        #expect(
            ReloadCause.allCases.flatMap { cause in
                [false, true].map { two(cause, charged: $0).start }
            } == Array(two.all.offsets))
        let waits = WaitEnd.allCases.flatMap { end in
            Gate.allCases.flatMap { gate in
                let wait = Cells<ReloadCounts>.waits(end, gate)
                return [wait.number.start] + Array(wait.time.offsets)
            }
        }
        #expect(waits == Array(Cells<ReloadCounts>.waits.all.offsets))
        let ended = ReloadCause.allCases.flatMap { cause in
            [false, true].flatMap { charged in
                ReloadOutcome.allCases.map { Cells<ReloadCounts>.ended(cause, charged: charged, $0).start }
            }
        }
        #expect(ended == Array(Cells<ReloadCounts>.ended.all.offsets))
    }

    /// The counts of a block in the order of their cells, which is that of the fingerprint.
    private func fill<Block>(_ cells: [Cells<Block>]) -> Bool {
        cells.flatMap { Array($0.offsets) } == Array(0..<Block.size)
    }

    @Test func `the counts of devices and Live Activities lie side by side`() {
        #expect(DeviceCount.allCases.map { Cells<DeviceCounts>($0).start } == Array(0..<DeviceCounts.size))
        for (sum, low, high) in [
            (Cells<DeviceCounts>.sessionTime, DeviceCount.sessionTimeLow, DeviceCount.sessionTimeHigh),
            (.wornTime, .wornTimeLow, .wornTimeHigh),
        ] {
            #expect(Array(sum.offsets) == [low.ordinal, high.ordinal])
        }
        #expect(
            fill(
                ActivityCount.allCases.map(Cells<ActivityCounts>.init) + [
                    .views.all, .delaySum, .lagSum, .presentTime, .behindTime, .tokenWaitSum, .delays, .lags,
                ]))
        #expect(fill(PushMinuteCount.allCases.map(Cells<PushMinuteCounts>.init)))
        #expect(fill(TransferCount.allCases.map(Cells<TransferCounts>.init) + [.deferralSum, .deferrals]))
    }

    @Test func `the counts of reloads and pools lie side by side`() {
        #expect(
            fill([
                Cells<ReloadCounts>.instances, .started.all, .ended.all, .merged.all, .carriedIn, .carriedOut,
                .coalesced, .early, .delays(charged: true), .delays(charged: false), .waits.all, .wholeWaits.all,
                .pools.all, .requestsSent.all, .requestsAnswered, .requestsRefused, .requestsTimedOut,
                .requestsCarriedIn, .requestsCarriedOut, .entries, .unchanged.all,
            ]))
        let line = BlockPlace<ReloadCounts>(offset: 0)
        #expect(
            BudgetPool.allCases.flatMap { pool in
                let place = ReloadCounts.place(of: pool, in: line)
                return (0..<PoolCounts.size).map { place.offset + $0 }
            } == Array(Cells<ReloadCounts>.pools.all.offsets))
        #expect(
            fill(
                [Cells<PoolCounts>.accounts, .accrued, .expired, .spent]
                    + (0..<PoolCounts.hours).map { .balances(atHour: $0) } + [
                        .readings, .opening, .closing, .allowance,
                    ]
            ))
    }

    @Test func `the counts of Android's refreshes and of openings lie side by side`() {
        #expect(
            fill([
                Cells<QuotaCounts>.due.all, .run.all, .merged.all, .carriedIn.all, .carriedOut.all, .lowered.all,
                .came.all, .used.all, .waits.all, .refused.all, .heldIn.all, .heldOut.all, .retried.all,
            ]))
        #expect(fill([Cells<OpeningCounts>.openings, .asks.all, .held, .replaced, .shownTime]))
    }

    @Test func `the counts of views, faces, hours and forecasts lie side by side`() {
        #expect(
            fill([
                Cells<ViewCounts>.instances, .views.all, .healed.all, .repeated, .lateEntries, .ageSum, .missedSum,
                .missedViews, .ages, .wakingTime, .staleTime, .fixes, .failedFixes, .withoutAccess, .priorContent,
                .alternateContent, .lagSum, .lags,
            ]))
        #expect(fill([Cells<FaceCounts>.views.all, .healed.all]))
        let hours = WeekHour.allCases.flatMap { hour -> [Cells<HourCounts>] in
            [.views(at: hour).all, .missedViews(at: hour), .missedSum(at: hour), .ages(at: hour)]
        }
        #expect(fill(hours))
        #expect(fill([Cells<ForecastCounts>.views, .errorSum]))
    }
}
