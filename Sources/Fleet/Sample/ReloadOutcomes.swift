import Basics
import WidgetPlatform

/// How reloads ended before a service (S5), by the time of their first try, endpoint, region, class of content and how
/// the reload before ended: the shares of those that failed after their last try, the tries that failed before it, and
/// examples of those that went well.
package final class ReloadOutcomes: Sendable {
    private let cells: [Cell]
    private let shape: OutcomeCells
    private let examples: ReloadExamples

    private struct Cell {
        /// Thresholds on 64-bit numbers: below the first it is given up, below the second it is refused.
        var timedOut: UInt64 = 0
        var failed: UInt64 = 0
        /// Below this one, of those in between, it is refused by a limit.
        var refused: UInt64 = 0
        /// Microseconds.
        var delayOfFailure: Int64 = 0
        /// The means, over all reloads, of the tries before the last one.
        var refusedTries: Float = 0
        var timedOutTries: Float = 0
        var examples = ReloadExamples.Places()
    }

    /// All reloads of a run end well.
    package init(_ shape: OutcomeCells) {
        self.shape = shape
        cells = Array(repeating: Cell(), count: shape.count)
        examples = ReloadExamples(cells: 0)
    }

    /// Those that were counted. A time without any has those that follow another outcome then, which a round before the
    /// first failures has alone; else those of the time before.
    package init(_ counts: OutcomeCounts) {
        (shape, examples) = (counts.shape, counts.examples)
        var cells = Array(repeating: Cell(), count: shape.count)
        for place in 0..<shape.places {
            var last = Cell()
            for span in 0..<shape.spans {
                let first = span * shape.places
                let number = counts.tallies[first + place].ended > 0 ? first + place : first + (place ^ 1)
                let tally = counts.tallies[number]
                let (failures, all) = (tally.failures, tally.ended)
                if all > 0 {
                    last = Cell(
                        timedOut: Self.threshold(tally.timedOut, of: all), failed: Self.threshold(failures, of: all),
                        refused: Self.threshold(tally.timedOut + tally.refusedByLimits, of: all),
                        delayOfFailure: failures > 0 ? tally.delayOfFailure / failures : 0,
                        refusedTries: Float(tally.refusedTries) / Float(all),
                        timedOutTries: Float(tally.timedOutTries) / Float(all),
                        examples: examples.places(ofCell: number, counted: tally.ok))
                }
                cells[span * shape.places + place] = last
            }
        }
        self.cells = cells
    }

    private static func threshold(_ part: Int64, of all: Int64) -> UInt64 {
        part >= all ? .max : UInt64(cutting: Double(part) / Double(all) * 0x1p64)
    }

    /// The end of a reload before the service.
    struct Outcome {
        let ending: ReloadOutcome
        /// Whether an error is that of a limit (S3).
        var isRefusal = false
        /// How much later it ends than by its ways alone.
        let delay: Duration
        /// How old its content is as it ends; nil if that is not known.
        let age: Duration?
        /// The tries that failed before the last one.
        let refusedTries, timedOutTries: Int64
    }

    /// How a reload ends whose first try leaves at an instant.
    ///
    /// - Parameters:
    ///   - u: its own number.
    ///   - others: further numbers of its own.
    func outcome(
        at instant: Instant, endpoint: Int, region: Int, contentClass: UInt8, followsFailure: Bool, _ u: UInt64,
        _ others: (UInt64, UInt64)
    ) -> Outcome {
        let cell = cells[
            shape.cell(
                at: instant, endpoint: endpoint, region: region, contentClass, followsFailure: followsFailure)]
        // A mean of tries is rounded up with the probability of what is beyond the whole number.
        func tries(_ mean: Float, _ part: UInt64) -> Int64 {
            mean == 0 ? 0 : Int64(cutting: Double(mean) + Double(part & 0xffff_ffff) * 0x1p-32)
        }
        let (refused, timedOut) = (tries(cell.refusedTries, others.0 >> 32), tries(cell.timedOutTries, others.0))
        if u < cell.failed || cell.failed == .max {
            return Outcome(
                ending: u < cell.timedOut ? .timeout : .error,
                isRefusal: u >= cell.timedOut && u < cell.refused, delay: Duration(microseconds: cell.delayOfFailure),
                age: nil, refusedTries: refused, timedOutTries: timedOut)
        }
        let example = examples.example(among: cell.examples, others.1)
        return Outcome(
            ending: .ok, delay: example?.delay ?? .zero, age: example?.age, refusedTries: refused,
            timedOutTries: timedOut)
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

    fileprivate func cell(begunAt instant: Instant, _ reload: SampledReload) -> Int {
        cell(
            at: instant, endpoint: Int(reload.endpoint), region: Int(reload.region), reload.contentClass,
            followsFailure: reload.followsFailure)
    }
}

/// Counts of the outcomes of reloads.
package struct OutcomeCounts: Sendable {
    package let shape: OutcomeCells
    fileprivate(set) var tallies: [Tally]
    /// Some of those that went well.
    fileprivate(set) var examples: ReloadExamples

    struct Tally {
        var ok: Int64 = 0
        var refused: Int64 = 0
        var timedOut: Int64 = 0
        /// Those of the refused ones whose errors were those of limits.
        var refusedByLimits: Int64 = 0
        /// Microseconds beyond the ways of the last try, of all that went well and of all others.
        var delay: Int64 = 0
        var delayOfFailure: Int64 = 0
        /// Tries that failed and were followed by another.
        var refusedTries: Int64 = 0
        var timedOutTries: Int64 = 0

        var failures: Int64 { refused + timedOut }
        var ended: Int64 { ok + failures }
    }

    package init(_ shape: OutcomeCells) {
        self.shape = shape
        tallies = Array(repeating: Tally(), count: shape.count)
        examples = ReloadExamples(cells: shape.count)
    }

    /// A reload has ended.
    ///
    /// - Parameter age: of what it brings, if it went well.
    mutating func count(
        _ outcome: ReloadOutcome, isRefusal: Bool, delay: Duration, age: Duration = .zero, begunAt: Instant,
        _ reload: SampledReload
    ) {
        let cell = shape.cell(begunAt: begunAt, reload)
        switch outcome {
        case .ok:
            tallies[cell].ok += 1
            tallies[cell].delay += max(0, delay.microseconds)
            examples.add(ReloadExamples.Example(delay: delay, age: age), toCell: cell, counted: tallies[cell].ok)
            return
        case .timeout: tallies[cell].timedOut += 1
        default:
            tallies[cell].refused += 1
            if isRefusal { tallies[cell].refusedByLimits += 1 }
        }
        tallies[cell].delayOfFailure += max(0, delay.microseconds)
    }

    /// A try has failed, and another follows.
    mutating func count(failedTry outcome: ReloadOutcome, begunAt: Instant, _ reload: SampledReload) {
        let cell = shape.cell(begunAt: begunAt, reload)
        if outcome == .timeout { tallies[cell].timedOutTries += 1 } else { tallies[cell].refusedTries += 1 }
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
