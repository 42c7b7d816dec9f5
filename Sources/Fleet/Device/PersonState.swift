import Basics
import DeviceStorage
import People

/// The person's actions so far on which their widgets' draws and counts depend.
struct PersonState {
    /// Whether this is the person's first device, which counts what is the person's own.
    let countsPerson: Bool
    let segment: Int
    /// The glances that show the today view; nil if nothing stands there (V2).
    var todayViewGlances: TodayViewGlances?
    private(set) var isAsleep: Bool
    /// Whether a wake-up of the run has begun a device-day (T5).
    private var hasWokenUp = false
    /// Pickups so far, by which what the person does at one is looked up: a look or an unworn watch moves none of it.
    private(set) var pickupNumber: UInt64 = 0
    /// The world's tally when the report began.
    private(set) var tallyAtReportStart = WorldTally()

    init(segment: Int, countsPerson: Bool, isAsleep: Bool) {
        (self.segment, self.countsPerson, self.isAsleep) = (segment, countsPerson, isAsleep)
    }

    /// Returns whether a device-day is complete (T5).
    mutating func wake() -> Bool {
        defer { (isAsleep, hasWokenUp) = (false, true) }
        return hasWokenUp
    }

    mutating func sleep() { isAsleep = true }

    @inline(__always) mutating func pickUp() { pickupNumber += 1 }

    mutating func beginReport(_ tally: WorldTally) { tallyAtReportStart = tally }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, isReported: Bool) {
        if isReported && countsPerson {
            coder.code(&tallyAtReportStart.cutNights)
            coder.code(&tallyAtReportStart.trips)
        }
        coder.code(&pickupNumber)
        coder.code(&isAsleep)
        coder.code(&hasWokenUp)
    }
}
