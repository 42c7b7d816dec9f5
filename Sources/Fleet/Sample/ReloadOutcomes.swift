import Basics
import Statistics
import WidgetPlatform

/// How reloads ended before a service, by the time of their first try, endpoint and region: the shares of those that
/// failed after their last try, and how long both sorts took beyond their ways.
package final class ReloadOutcomes: Sendable {
    private let cells: [Cell]
    private let shape: OutcomeCells

    private struct Cell {
        /// Thresholds on 64-bit numbers: below the first it is given up, below the second it is refused.
        var timedOut: UInt64 = 0
        var failed: UInt64 = 0
        /// Microseconds.
        var delay: Int64 = 0
        var delayOfFailure: Int64 = 0
    }

    /// All reloads of a run end well.
    package init(_ shape: OutcomeCells) {
        self.shape = shape
        cells = Array(repeating: Cell(), count: shape.count)
    }

    /// From the first one that failed on all reloads fail, as late as those did in the mean.
    package init(allFailing counts: OutcomeCounts) {
        shape = counts.shape
        let delay = counts.meanDelayOfFailure.microseconds
        let first = counts.tallies.firstIndex { $0.refused + $0.timedOut > 0 } ?? shape.count
        cells = (0..<shape.count).map {
            $0 < first / counts.shape.places * counts.shape.places ? Cell() : Cell(failed: .max, delayOfFailure: delay)
        }
    }

    /// Those that were counted; a time without any has those of the time before.
    package init(_ counts: OutcomeCounts) {
        shape = counts.shape
        var cells = Array(repeating: Cell(), count: shape.count)
        for place in 0..<shape.places {
            var last = Cell()
            for span in 0..<shape.spans {
                let tally = counts.tallies[span * shape.places + place]
                let failures = tally.refused + tally.timedOut
                let all = tally.ok + failures
                if all > 0 {
                    last = Cell(
                        timedOut: Self.threshold(tally.timedOut, of: all), failed: Self.threshold(failures, of: all),
                        delay: tally.ok > 0 ? tally.delay / tally.ok : 0,
                        delayOfFailure: failures > 0 ? tally.delayOfFailure / failures : 0)
                }
                cells[span * shape.places + place] = last
            }
        }
        self.cells = cells
    }

    private static func threshold(_ part: Int64, of all: Int64) -> UInt64 {
        part >= all ? .max : UInt64(cutting: Double(part) / Double(all) * 0x1p64)
    }

    /// How a reload ends whose first try leaves at an instant, and how much later than by its ways alone.
    ///
    /// - Parameter u: its own number.
    func outcome(
        at instant: Instant, endpoint: Int, region: Int, contentClass: UInt8, _ u: UInt64
    ) -> (ReloadOutcome, delay: Duration) {
        let cell = cells[shape.cell(at: instant, endpoint: endpoint, region: region, contentClass)]
        if u < cell.failed || cell.failed == .max {
            return (u < cell.timedOut ? .timeout : .error, Duration(microseconds: cell.delayOfFailure))
        }
        return (.ok, Duration(microseconds: cell.delay))
    }
}

/// The spans of time and the places by which outcomes are counted.
package struct OutcomeCells: Sendable {
    private let begin: Instant
    private let width: Int64
    let spans, endpoints, regions, classes: Int
    var places: Int { endpoints * regions * classes }
    package var count: Int { spans * places }
    /// The spans in a minute or, where they are longer, 1.
    var spansOfMinute: Int { max(1, Int(60_000_000 / width)) }

    /// No more cells than this at about; a second is the shortest span.
    private static let mostCells: Int64 = 1_000_000

    /// - Parameter classes: of the popularity of content.
    package init(from begin: Instant, to end: Instant, endpoints: Int, regions: Int, classes: Int) {
        let length = max(1, (end - begin).microseconds)
        let mostSpans = max(100, Self.mostCells / Int64(endpoints * regions * classes))
        let seconds = (length / mostSpans + 999_999) / 1_000_000
        // A divisor of a minute, or some minutes.
        let width = [1, 2, 5, 10, 30].first { $0 >= seconds } ?? (seconds + 59) / 60 * 60
        self.begin = begin
        self.width = width * 1_000_000
        spans = Int((length + self.width - 1) / self.width)
        (self.endpoints, self.regions, self.classes) = (endpoints, regions, classes)
    }

    func cell(at instant: Instant, endpoint: Int, region: Int, _ contentClass: UInt8) -> Int {
        let span = min(max(0, Int((instant - begin).microseconds / width)), spans - 1)
        return span * places + (endpoint * regions + region) * classes + Int(contentClass)
    }
}

/// Counts of the outcomes of reloads; they add.
package struct OutcomeCounts: Sendable {
    package let shape: OutcomeCells
    fileprivate(set) var tallies: [Tally]

    struct Tally {
        var ok: Int64 = 0
        var refused: Int64 = 0
        var timedOut: Int64 = 0
        /// Microseconds beyond the ways of the last try, of all that went well and of all others.
        var delay: Int64 = 0
        var delayOfFailure: Int64 = 0
    }

    package init(_ shape: OutcomeCells) {
        self.shape = shape
        tallies = Array(repeating: Tally(), count: shape.count)
    }

    mutating func count(_ outcome: ReloadOutcome, delay: Duration, begunAt: Instant, _ reload: SampledReload) {
        let cell = shape.cell(
            at: begunAt, endpoint: Int(reload.endpoint), region: Int(reload.region), reload.contentClass)
        switch outcome {
        case .ok:
            tallies[cell].ok += 1
            tallies[cell].delay += max(0, delay.microseconds)
            return
        case .timeout: tallies[cell].timedOut += 1
        default: tallies[cell].refused += 1
        }
        tallies[cell].delayOfFailure += max(0, delay.microseconds)
    }

    /// How many reloads ended, and how many of them failed.
    package var totals: (ended: Int64, failed: Int64) {
        tallies.reduce((0, 0)) { ($0.0 + $1.ok + $1.refused + $1.timedOut, $0.1 + $1.refused + $1.timedOut) }
    }

    /// How much later than by their ways alone reloads ended that went well, in the mean.
    package var meanDelay: Duration {
        let ok = tallies.reduce(0) { $0 + $1.ok }
        return Duration(microseconds: tallies.reduce(0) { $0 + $1.delay } / max(1, ok))
    }

    /// How much later reloads ended that failed, likewise.
    package var meanDelayOfFailure: Duration {
        let failed = tallies.reduce(0) { $0 + $1.refused + $1.timedOut }
        return Duration(microseconds: tallies.reduce(0) { $0 + $1.delayOfFailure } / max(1, failed))
    }

    /// By minute, or by span where these are longer, how many reloads began and how many of them failed.
    private var minutes: [(begun: Int64, failed: Int64)] {
        let step = shape.spansOfMinute * shape.places
        return stride(from: 0, to: tallies.count, by: step).map { first in
            tallies[first..<min(first + step, tallies.count)].reduce(into: (0, 0)) { sum, tally in
                let failed = tally.refused + tally.timedOut
                sum = (sum.begun + tally.ok + failed, sum.failed + failed)
            }
        }
    }

    /// The largest share of the reloads of a minute that failed.
    package var mostFailedOfMinute: Double {
        minutes.reduce(0) { max($0, Double($1.failed) / Double(max(1, $1.begun))) }
    }

    /// How far two counts differ: the sum of the differences by minute in how many reloads began, or in how many of
    /// these failed, whichever is larger, over all reloads.
    package func distance(from other: OutcomeCounts) -> Double {
        var (begun, failed): (Int64, Int64) = (0, 0)
        for (own, its) in zip(minutes, other.minutes) {
            begun += Int64((own.begun - its.begun).magnitude)
            failed += Int64((own.failed - its.failed).magnitude)
        }
        let all = max(1, totals.ended, other.totals.ended)
        return Double(max(begun, failed)) / Double(all)
    }

    /// How far two counts of independent samples differ, of which each reload stands for so many: by minute numbers of
    /// the same mean m differ by 2 √(m / π) in the mean.
    package func distanceByChance(ofReloads weight: Double) -> Double {
        let sum = minutes.reduce(0.0) { $0 + 2 * (Double($1.begun) / weight / Double.pi).squareRoot() }
        return sum * weight / Double(max(1, totals.ended))
    }
}
