import Basics
import Testing
import WidgetPlatform

@testable import Fleet

@Suite struct CountAddressTests {
    /// Every index of counts has as many cells as values.
    @Test func `every vocabulary has a cell for each of its values`() {
        for index in MeasureLayout.indices { index.checkCount() }
        #expect(CountedMode.allCases.compactMap(\.mode) == LocationMode.allCases)
        for mode in LocationMode.allCases { #expect(CountedMode(mode).mode == mode) }
    }

    @Test func `the counts of devices lie side by side, and their sums take two cells`() {
        #expect(DeviceCount.allCases.map { CountAddress<DeviceCounts>($0).offset } == Array(0..<DeviceCounts.size))
        for (sum, low, high) in [
            (WideAddress<DeviceCounts>.sessionTime, DeviceCount.sessionTimeLow, DeviceCount.sessionTimeHigh),
            (.wornTime, .wornTimeLow, .wornTimeHigh),
        ] {
            #expect([sum.offset, sum.offset + 1] == [low.ordinal, high.ordinal])
        }
    }

    @Test func `the counts of Live Activities lie side by side, each in a cell of its own`() {
        typealias Address = CountAddress<ActivityCounts>
        var offsets = ActivityCount.allCases.map { Address($0).offset }
        for surface in ActivitySurface.allCases {
            for state in ActivityViewState.allCases { offsets.append(Address.views(state, on: surface).offset) }
        }
        let sums: [WideAddress<ActivityCounts>] = [.delaySum, .lagSum, .presentTime, .behindTime, .tokenWaitSum]
        for sum in sums { offsets += [sum.offset, sum.offset + 1] }
        offsets += CountRange<ActivityCounts>.delays.offsets
        offsets += CountRange<ActivityCounts>.lags.offsets
        #expect(offsets == Array(0..<ActivityCounts.size))
        #expect(PushMinuteCount.allCases.map { CountAddress($0).offset } == Array(0..<PushMinuteCounts.size))
    }

    @Test func `the counts of transfers lie side by side, each in a cell of its own`() {
        var offsets = TransferCount.allCases.map { CountAddress<TransferCounts>($0).offset }
        let sum = WideAddress<TransferCounts>.deferralSum.offset
        offsets += [sum, sum + 1]
        offsets += CountRange<TransferCounts>.deferrals.offsets
        #expect(offsets == Array(0..<TransferCounts.size))
    }

    @Test func `the counts of reloads lie side by side, each in a cell of its own`() {
        typealias Address = CountAddress<ReloadCounts>
        var offsets: [Int] = [Address.instances.offset]
        for cause in ReloadCause.allCases {
            for charged in [false, true] { offsets.append(Address.started(cause, charged: charged).offset) }
        }
        for cause in ReloadCause.allCases {
            for charged in [false, true] {
                for outcome in ReloadOutcome.allCases {
                    offsets.append(Address.ended(cause, charged: charged, outcome).offset)
                }
            }
        }
        for cause in ReloadCause.allCases { offsets.append(Address.merged(cause).offset) }
        offsets += [Address.carriedIn, .carriedOut, .coalesced, .early].map(\.offset)
        for charged in [true, false] { offsets += CountRange<ReloadCounts>.delays(charged: charged).offsets }
        for end in WaitEnd.allCases {
            for gate in Gate.allCases {
                let sum = WideAddress<ReloadCounts>.waitTime(end, under: gate).offset
                offsets += [Address.waits(end, under: gate).offset, sum, sum + 1]
            }
        }
        for end in WaitEnd.allCases {
            let sum = WideAddress<ReloadCounts>.wholeWaitTime(end).offset
            offsets += [Address.wholeWaits(end).offset, sum, sum + 1]
        }
        let line = BlockPlace<ReloadCounts>(offset: 0)
        for pool in BudgetPool.allCases {
            let place = ReloadCounts.place(of: pool, in: line)
            offsets += (0..<PoolCounts.size).map { place.offset + $0 }
        }
        for cause in ReloadCause.allCases { offsets.append(Address.requestsSent(cause).offset) }
        offsets += [
            Address.requestsAnswered, .requestsRefused, .requestsTimedOut, .requestsCarriedIn, .requestsCarriedOut,
            .entries,
        ].map(\.offset)
        for cause in ReloadCause.allCases {
            for charged in [false, true] { offsets.append(Address.unchanged(cause, charged: charged).offset) }
        }
        #expect(offsets == Array(0..<ReloadCounts.size))
    }

    @Test func `the counts of a pool lie side by side, each in a cell of its own`() {
        typealias Address = CountAddress<PoolCounts>
        let hours = 0..<PoolCounts.hours
        var offsets: [Int] = [Address.accounts.offset]
        offsets += hours.map { Address.accrued(atHour: $0).offset }
        offsets += hours.map { Address.expired(atHour: $0).offset }
        offsets += hours.map { Address.spent(atHour: $0).offset }
        offsets += hours.flatMap { hour in (0...1).map { WideAddress<PoolCounts>.balances(atHour: hour).offset + $0 } }
        offsets += hours.map { Address.readings(atHour: $0).offset }
        offsets += [Address.opening, .closing, .allowance].map(\.offset)
        #expect(offsets == Array(0..<PoolCounts.size))
    }

    private static func wide<Block>(_ address: WideAddress<Block>) -> [Int] { [address.offset, address.offset + 1] }

    @Test func `the counts of Android's refreshes lie side by side, each in a cell of its own`() {
        typealias Address = CountAddress<QuotaCounts>
        typealias Wide = WideAddress<QuotaCounts>
        let (means, buckets) = (RefreshMeans.allCases, StandbyBucket.allCases)
        func places(_ body: (AndroidGate, StandbyBucket) -> [Int]) -> [Int] {
            AndroidGate.allCases.flatMap { gate in buckets.flatMap { body(gate, $0) } }
        }
        var offsets = means.map { Address.due($0).offset } + means.map { Address.run($0).offset }
        offsets += means.map { Address.merged($0).offset } + means.map { Address.carriedIn($0).offset }
        offsets += means.map { Address.carriedOut($0).offset }
        offsets += buckets.map { Address.lowered($0).offset } + buckets.map { Address.came($0).offset }
        offsets += places { [Address.used($0, $1).offset] + Self.wide(Wide.usedTime($0, $1)) }
        offsets += places { [Address.waits($0, $1).offset] + Self.wide(Wide.waitTime($0, $1)) }
        offsets += places { [Address.refused($0, $1).offset] } + places { [Address.heldIn($0, $1).offset] }
        offsets += places { [Address.heldOut($0, $1).offset] } + means.map { Address.retried($0).offset }
        #expect(offsets == Array(0..<QuotaCounts.size))
    }

    @Test func `the counts of views lie side by side, each in a cell of its own`() {
        typealias Address = CountAddress<ViewCounts>
        typealias Wide = WideAddress<ViewCounts>
        var offsets: [Int] = [Address.instances.offset]
        offsets += ViewState.allCases.map { Address.views($0).offset }
        offsets += ViewState.allCases.map { Address.healed($0).offset }
        offsets += [
            Address.repeated.offset, Address.lateEntries.offset, Wide.ageSum.offset, Wide.ageSum.offset + 1,
            Address.missedSum.offset, Address.missedViews.offset,
        ]
        offsets += CountRange<ViewCounts>.ages.offsets
        offsets += [Wide.wakingTime, .staleTime].flatMap { [$0.offset, $0.offset + 1] }
        offsets += [Address.fixes, .failedFixes, .withoutAccess, .priorContent, .alternateContent].map(\.offset)
        offsets += [Wide.lagSum.offset, Wide.lagSum.offset + 1] + Array(CountRange<ViewCounts>.lags.offsets)
        #expect(offsets == Array(0..<ViewCounts.size))
    }

    @Test func `the counts of faces, hours and forecasts lie side by side, each in a cell of its own`() {
        let faces =
            Presentation.allCases.map { CountAddress<FaceCounts>.views($0).offset }
            + Presentation.allCases.map { CountAddress<FaceCounts>.healed($0).offset }
        #expect(faces == Array(0..<FaceCounts.size))
        let hours = WeekHour.allCases.flatMap { hour in
            ViewState.allCases.map { CountAddress<HourCounts>.views($0, at: hour).offset }
                + [
                    CountAddress<HourCounts>.missedViews(at: hour).offset,
                    CountAddress<HourCounts>.missedSum(at: hour).offset,
                ]
                + Array(CountRange<HourCounts>.ages(at: hour).offsets)
        }
        #expect(hours == Array(0..<HourCounts.size))
        let sum = WideAddress<ForecastCounts>.errorSum.offset
        #expect([CountAddress<ForecastCounts>.views.offset, sum, sum + 1] == Array(0..<ForecastCounts.size))
    }
}
