import Basics
import Statistics
import WidgetPlatform

/// The intervals of the calendar, and the ends of the reported span (T4).
extension DeviceSimulation {
    /// The interval of the calendar is over, and the next one begins.
    mutating func turnCalendar() {
        let hour = calendar.localHour
        Rules.hear(.endInterval(at: calendar.to), on: &self)
        Rules.hear(.refineTokens(by: calendar.advance(in: zoneTable)), on: &self)
        if calendar.localHour != hour { Rules.hear(.beginHour, on: &self) }
    }

    /// The warm-up is over: counts go to the run's measures, and ledgers begin with the present balances.
    mutating func beginReport() {
        countWakingTime()
        Rules.hear(.endInterval(at: now), on: &self)
        countShownTime()
        Rules.hear(.leaveWarmUp, on: &self)
        crossedBorder()
        Rules.hear(.beginReport, on: &self)
        events = 0
        for i in 0..<instanceCount where instances[i].isInstalled {
            countInstance(i)
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { reloadCounts(i)[.carriedIn] += 1 }
            // A view of the warm-up is not healed in the report.
            instances[i].healUntil = .longAgo
        }
        display.beginReport(at: now)
        opened.beginReport(at: now)
        person.beginReport(world.tally)
        count(.silentPushesCarriedIn, pushes.waitingCount)
        countTransfers(underWay: .carriedIn, toBeShown: .waitingIn)
    }

    /// From the start of the report on, counts go to the run's measures.
    mutating func crossedBorder() {
        report.begin()
        clocks.reportStartsAt = .never
    }

    mutating func countInstance(_ i: Int) {
        reloadCounts(i)[.instances] += 1
        viewCounts(i)[.instances] += 1
        Rules.hear(.count(i), on: &self)
    }

    /// The run is over: accounts are read after their last accrual, waking time and reloads under way are counted.
    mutating func finish() {
        now = report.end
        countWakingTime()
        Rules.hear(.endInterval(at: now), on: &self)
        report.counts.add(display.sessionTime(at: now).microseconds, to: .sessionTime)
        report.counts.add(display.wornTime(at: now).microseconds, to: .wornTime)
        countShownTime()
        for i in 0..<instanceCount where instances[i].isInstalled {
            let phase = instances[i].slot.phase
            if phase == .granted || phase == .inFlight { reloadCounts(i)[.carriedOut] += 1 }
            if phase == .waiting || instances[i].slot.freeCause != nil { noteWaitAtEnd(i) }
            Rules.hear(.close(i), on: &self)
        }
        Rules.hear(.finish, on: &self)
        count(.silentPushesCarriedOut, pushes.waitingCount)
        countTransfers(underWay: .carriedOut, toBeShown: .waitingOut)
        count(.events, events)
        if person.countsPerson {
            count(.cutNights, Int64(world.tally.cutNights - person.tallyAtReportStart.cutNights))
            count(.trips, Int64(world.tally.trips - person.tallyAtReportStart.trips))
        }
    }
}

/// Where a device counts: in a scratch block until the warm-up is over, in the run's own afterwards.
struct DeviceReport {
    let from: Instant
    /// The run's, but in a sample that stops before it.
    var end: Instant
    private(set) var cells: UnsafeMutablePointer<Int64>
    let reportedCells: UnsafeMutablePointer<Int64>
    let load: LoadBuffer
    let place: BlockPlace<DeviceCounts>

    init(_ worker: FleetWorker, place: BlockPlace<DeviceCounts>) {
        (from, end) = (.start + worker.prepared.plan.warmup, worker.prepared.plan.end)
        (cells, reportedCells) = (worker.scratch.cells, worker.measures.cells)
        (load, self.place) = (worker.load, place)
    }

    mutating func begin() { cells = reportedCells }

    /// Whether the warm-up is over. Before, nothing that is counted comes into a report, so what costs more than a
    /// count is not measured.
    var hasBegun: Bool { cells == reportedCells }

    /// The counts of the device's segment.
    var counts: CountBlock<DeviceCounts> {
        @inline(__always) mutating get { CountBlock(cells, at: place) }
    }
}
