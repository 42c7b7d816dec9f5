/// A span of time, and how likely a reload of it begins where: evenly but for ramps at its ends.
struct ArrivalBlock {
    /// Microseconds.
    let from, to: Int64
    var begin = Ramp(), end = Ramp()

    init(from: Int64, to: Int64) { (self.from, self.to) = (from, to) }

    /// In microseconds.
    var length: Int64 { to - from }
    private var isEven: Bool { begin.width == 0 && end.width == 0 }
    /// The even rate is 1.
    private var mass: Double { Double(length) - begin.width - end.width + begin.mass + end.mass }

    /// The part of the block's reloads that begin before an instant, of 2³².
    func part(at instant: Int64) -> UInt64 {
        if length == 0 { return 0 }
        let passed = instant - from
        if isEven { return UInt64(passed.magnitude) << 32 / UInt64(length.magnitude) }
        let left = Double(length - passed)
        let before =
            left < end.width
            ? mass - end.mass(upTo: left)
            : Double(passed) < begin.width
                ? begin.mass(upTo: Double(passed)) : begin.mass + Double(passed) - begin.width
        return min(UInt64(cutting: max(0, before) / mass * 0x1p32), 0xffff_ffff)
    }

    /// When so many of 2³² parts have begun.
    func instant(at part: UInt64) -> Int64 {
        if isEven { return from + Int64((UInt64(length.magnitude) &* part) >> 32) }
        let before = Double(part) * 0x1p-32 * mass
        let passed =
            before < begin.mass
            ? begin.length(of: before)
            : mass - before < end.mass
                ? Double(length) - end.length(of: mass - before) : before - begin.mass + begin.width
        return from + min(max(0, Int64(cutting: passed)), length - 1)
    }
}

/// The rate near the end of a block, beside an even rate of 1: from the end on it changes linearly to that.
struct Ramp {
    /// Microseconds; 0 if there is none.
    var width = 0.0
    /// The rate at the end.
    var level = 1.0

    var mass: Double { width * (1 + level) / 2 }

    /// The part of the reloads that begin nearer to the end than this.
    func mass(upTo length: Double) -> Double { length * (level + (1 - level) * length / width / 2) }

    /// How near to the end what begins is so much.
    func length(of mass: Double) -> Double {
        if mass <= 0 { return 0 }
        // a x² + level x = mass with 2 a = (1 - level) / width, in the form without a difference of near numbers.
        return 2 * mass / (level + max(0, level * level + 2 * (1 - level) / width * mass).squareRoot())
    }
}
