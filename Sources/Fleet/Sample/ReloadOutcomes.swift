import Basics
import WidgetPlatform

/// How reloads ended before a service (S5), by the time of their first try, endpoint, region, class of content and how
/// the reload before ended: the shares of those that failed after their last try, and how long both sorts took beyond
/// their ways.
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

    /// Those that were counted. A time without any has those that follow another outcome then, which a round before the
    /// first failures has alone; else those of the time before.
    package init(_ counts: OutcomeCounts) {
        shape = counts.shape
        var cells = Array(repeating: Cell(), count: shape.count)
        for place in 0..<shape.places {
            var last = Cell()
            for span in 0..<shape.spans {
                let first = span * shape.places
                let own = counts.tallies[first + place]
                let tally = own.ended > 0 ? own : counts.tallies[first + (place ^ 1)]
                let (failures, all) = (tally.failures, tally.ended)
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
        at instant: Instant, endpoint: Int, region: Int, contentClass: UInt8, followsFailure: Bool, _ u: UInt64
    ) -> (ReloadOutcome, delay: Duration) {
        let cell = cells[
            shape.cell(
                at: instant, endpoint: endpoint, region: region, contentClass, followsFailure: followsFailure)]
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
    var places: Int { endpoints * regions * classes * 2 }
    package var count: Int { spans * places }
    /// The spans in a minute or, where they are longer, 1.
    var spansOfMinute: Int { max(1, Int(60_000_000 / width)) }

    /// No more cells than this at about; a second is the shortest span.
    private static let mostCells: Int64 = 1_000_000

    /// - Parameter classes: of the popularity of content.
    package init(from begin: Instant, to end: Instant, endpoints: Int, regions: Int, classes: Int) {
        let length = max(1, (end - begin).microseconds)
        let mostSpans = max(100, Self.mostCells / Int64(endpoints * regions * classes * 2))
        let seconds = (length / mostSpans + 999_999) / 1_000_000
        // A divisor of a minute, or some minutes.
        let width = [1, 2, 5, 10, 30].first { $0 >= seconds } ?? (seconds + 59) / 60 * 60
        self.begin = begin
        self.width = width * 1_000_000
        spans = Int((length + self.width - 1) / self.width)
        (self.endpoints, self.regions, self.classes) = (endpoints, regions, classes)
    }

    /// The two places of one class, after a reload that went well and after a failure, lie side by side.
    func cell(at instant: Instant, endpoint: Int, region: Int, _ contentClass: UInt8, followsFailure: Bool) -> Int {
        let span = min(max(0, Int((instant - begin).microseconds / width)), spans - 1)
        let content = (endpoint * regions + region) * classes + Int(contentClass)
        return span * places + content * 2 + (followsFailure ? 1 : 0)
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

        var failures: Int64 { refused + timedOut }
        var ended: Int64 { ok + failures }
    }

    package init(_ shape: OutcomeCells) {
        self.shape = shape
        tallies = Array(repeating: Tally(), count: shape.count)
    }

    mutating func count(_ outcome: ReloadOutcome, delay: Duration, begunAt: Instant, _ reload: SampledReload) {
        let cell = shape.cell(
            at: begunAt, endpoint: Int(reload.endpoint), region: Int(reload.region), reload.contentClass,
            followsFailure: reload.followsFailure)
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
        tallies.reduce((0, 0)) { ($0.0 + $1.ended, $0.1 + $1.failures) }
    }

    /// How much later than by their ways alone reloads ended that went well, in the mean.
    package var meanDelay: Duration {
        let ok = tallies.reduce(0) { $0 + $1.ok }
        return Duration(microseconds: tallies.reduce(0) { $0 + $1.delay } / max(1, ok))
    }

    /// By minute, or by span where these are longer, how many reloads began and how many of them failed.
    private var minutes: [Minute] {
        let step = shape.spansOfMinute * shape.places
        return stride(from: 0, to: tallies.count, by: step).map { first in
            tallies[first..<min(first + step, tallies.count)].reduce(into: Minute()) { sum, tally in
                sum.begun += tally.ended
                sum.failed += tally.failures
            }
        }
    }

    private struct Minute {
        var begun: Int64 = 0
        var failed: Int64 = 0

        var failedShare: Double { Double(failed) / Double(max(1, begun)) }
    }

    /// If a smaller share of a minute's reloads fails, nothing comes back that matters.
    package static let fewFailuresOfMinute = 0.01

    /// The largest share of the reloads of a minute that failed.
    package var mostFailedOfMinute: Double {
        minutes.reduce(0) { max($0, $1.failedShare) }
    }

    /// The minutes of two counts in which more than a few reloads failed in either: others send nothing back.
    private func disturbed(with other: OutcomeCounts) -> [(own: Minute, its: Minute)] {
        zip(minutes, other.minutes).filter {
            max($0.failedShare, $1.failedShare) > Self.fewFailuresOfMinute
        }
    }

    /// How far two counts differ in the minutes in which reloads fail: the largest difference, up to the end of any
    /// of them, in how many began or failed so far, over all that began in them. A short incident of a long run counts
    /// as much as a long one, and what is by chance sooner or later cancels.
    package func distance(from other: OutcomeCounts) -> Double {
        var (begun, failed, most, all): (Int64, Int64, Int64, Int64) = (0, 0, 0, 1)
        for (own, its) in disturbed(with: other) {
            begun += own.begun - its.begun
            failed += own.failed - its.failed
            most = max(most, Int64(begun.magnitude), Int64(failed.magnitude))
            all += max(own.begun, its.begun)
        }
        return Double(most) / Double(all)
    }

    /// How far two counts of independent samples differ by chance, of which each reload stands for so many: the largest
    /// of sums of differences with standard deviation s in all is 1.25 s in the mean.
    package func distanceByChance(from other: OutcomeCounts, ofReloads weight: Double) -> Double {
        let all = disturbed(with: other).reduce(1.0) { $0 + Double(max($1.own.begun, $1.its.begun)) }
        return 1.25 * (2 * weight / all).squareRoot()
    }
}
