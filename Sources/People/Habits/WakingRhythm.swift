import Basics
import DeviceStorage
import Statistics

/// The rate of pickups over a waking day (D3): sixteen parts with levels of their own, the first one raised.
///
/// A gap is drawn in units of the mean gap and runs through the parts, faster where the level is higher.
struct WakingRhythm {
    /// The habits that the people of a segment have in common.
    struct Habits: BitwiseCopyable {
        /// The factors of a day's first sixteenth and of the others, whose mean is 1.
        let firstFactor, otherFactor: Double
        /// How much a sixteenth's score carries over to the next.
        let carryOver, freshPart: Double
        let normal: PreparedDistribution
        /// Seconds; no mean gap is shorter.
        let leastGap: Double

        init(firstSixteenth: Double, carryOver: Double, normal: PreparedDistribution, leastGap: Double) {
            firstFactor = firstSixteenth
            otherFactor = (16 - firstSixteenth) / 15
            self.carryOver = carryOver
            freshPart = (1 - carryOver * carryOver).squareRoot()
            self.normal = normal
            self.leastGap = leastGap
        }
    }

    /// How widely the levels of a person's sixteenths vary: a gamma distribution with mean 1, by Wilson and Hilferty's
    /// cube of a normal score, whose moments are right to a hundredth down to a shape of 0.8.
    struct Spread: BitwiseCopyable {
        private let middle, width: Double

        /// - Parameter variance: from 0 to 1.25.
        init(variance: Double) {
            middle = 1 - variance / 9
            width = (variance / 9).squareRoot()
        }

        func level(_ score: Double) -> Double {
            let root = max(0, middle + width * score)
            return root * root * root
        }
    }

    static let parts = 16

    private let segment: UnsafePointer<Habits>
    private let spread: Spread
    /// Levels that have been drawn on earlier days and this one: sixteen a day.
    private var levels = DrawCount()
    /// Seconds of a session or glance on average, which are no part of a gap.
    private let meanUse: Double
    /// Seconds from a pickup to the next at a level of 1.
    private var meanCycle = 0.0
    private var part = 0
    private var partLength = Duration.zero
    private var partEnd: Instant = .never
    /// The end of the waking day.
    private var end: Instant = .never
    private var score = 0.0
    /// Seconds, in this part.
    private var meanGap = 0.0

    private var habits: Habits {
        @inline(__always) _read { yield segment.pointee }
    }

    /// - Parameter habits: outlive the rhythm.
    init(_ habits: UnsafePointer<Habits>, _ spread: Spread, meanUse: Double) {
        segment = habits
        self.spread = spread
        self.meanUse = meanUse
    }

    /// A waking day begins, with so many pickups expected in it (above 0).
    mutating func begin(at start: Instant, end: Instant, pickups: Double, day: UInt64, levels stream: RandomStream) {
        self.end = end
        partLength = Duration(microseconds: max(1, (end - start).microseconds / Int64(Self.parts)))
        part = 0
        partEnd = start + partLength
        meanCycle = partLength.inSeconds * Double(Self.parts) / pickups
        levels.move(to: day * UInt64(Self.parts))
        score = habits.normal.draw(levels.next(of: stream))
        setRate()
    }

    /// The end of the waking day has moved: its last part ends then.
    mutating func moveEnd(to end: Instant) {
        self.end = end
        if part == Self.parts - 1 { partEnd = end }
    }

    private mutating func setRate() {
        let level = spread.level(score) * (part == 0 ? habits.firstFactor : habits.otherFactor)
        // A part at level 0 has no pickups: its mean gap is longer than any day.
        meanGap = level > 1e-6 ? max(habits.leastGap, meanCycle / level - meanUse) : 1e9
    }

    private mutating func nextPart(_ stream: RandomStream) {
        part += 1
        partEnd = part == Self.parts - 1 ? end : partEnd + partLength
        score = habits.carryOver * score + habits.freshPart * habits.normal.draw(levels.next(of: stream))
        setRate()
    }

    /// The instant at which a gap of `units` mean gaps that begins at `from` is over; `never` if the day is over first.
    ///
    /// - Parameter stream: that of the levels.
    mutating func instant(after units: Double, from: Instant, levels stream: RandomStream) -> Instant {
        var at = from
        var missing = units
        while true {
            let rest = (partEnd - at).inSeconds
            let step = missing * meanGap
            if step < rest { return at + max(.microsecond, Duration(seconds: step)) }
            if part == Self.parts - 1 { return .never }
            if rest > 0 {
                missing -= rest / meanGap
                at = partEnd
            }
            nextPart(stream)
        }
    }

    /// Where it stands in the day.
    struct Mark: BitwiseCopyable {
        fileprivate let part: Int
        fileprivate let partEnd: Instant
        fileprivate let score: Double
    }

    var mark: Mark { Mark(part: part, partEnd: partEnd, score: score) }

    /// Goes back to a mark of the day.
    ///
    /// - Parameter day: its number, as at its beginning.
    mutating func go(back mark: Mark, day: UInt64) {
        (part, partEnd, score) = (mark.part, mark.partEnd, mark.score)
        levels.move(to: day * UInt64(Self.parts) + UInt64(part) + 1)
        setRate()
    }

    /// The variance of the mean of sixteen levels whose neighbours correlate so, for each unit of their own variance.
    static func varianceOfMean(correlation: Double) -> Double {
        var (sum, power) = (1.0, 1.0)
        for lag in 1..<parts {
            power *= correlation
            sum += 2 * (1 - Double(lag) / Double(parts)) * power
        }
        return sum / Double(parts)
    }

    /// - Parameter day: the number of the waking day that has begun last.
    mutating func code<Coder: StateCoder>(_ coder: inout Coder, day: UInt64) {
        coder.code(&end)
        coder.code(&partLength)
        if !coder.holds(partLength >= .zero && partLength <= .days(4_000), "a part of a day without a length") {
            partLength = .microsecond
        }
        coder.code(&part, in: 0...Self.parts - 1, "a part of no day")
        // Mostly what the other parts leave of the day.
        coder.code(
            &partEnd,
            near: Instant(microseconds: end.microseconds &- partLength.microseconds * Int64(Self.parts - 1 - part)))
        coder.code(&meanCycle)
        coder.code(&score)
        // A cycle of no length would bring one pickup a microsecond.
        if !coder.holds(meanCycle >= 1e-4, "pickups without a pause") { meanCycle = .infinity }
        if !coder.holds(score.magnitude <= 1_000, "a score that no day has") { score = 0 }
        if Coder.isReading {
            levels.move(to: day * UInt64(Self.parts) + UInt64(part) + 1)
            setRate()
        }
    }
}
