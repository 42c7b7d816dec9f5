/// Numbers with a fixed count of significant bits.
///
/// Results of the C library may differ in their last bits from one processor to the next. Rounded to a coarse grid the
/// difference vanishes, unless the value lies so near to a rounding boundary that the two processors round to different
/// sides. So the values of a table are rounded to the first grid in a fixed list of which no boundary is near to any of
/// them: a run does not stop because one grid is unlucky.
///
/// A boundary is never halfway between two neighbours: quantiles of binary fractions (an exponential's lower tail is t
/// + t²/2 + …) come to lie exactly there, at every number of bits. It lies at 43, 57, 36 or 64 hundredths of the way.
///
/// One case remains: two processors could disagree on whether a boundary is *near*. That takes a value whose distance
/// from the margin is within the processors' difference (measured: up to 1e-14 for gammas, 1e-15 for t, none for the
/// normal and the exponential), which happens to fewer than one in a thousand tables of a gamma; the table's hash shows
/// it.
struct RoundingGrid {
    /// From the finest grid, with a relative rounding error below 2^-30, to the coarsest, below 2^-28.
    static let all = [30, 29, 28].flatMap { bits in
        [43, 57, 36, 64].map { RoundingGrid(fractionBits: bits, hundredths: $0) }
    }

    /// Bits of the fraction, after the leading one.
    let fractionBits: UInt64
    /// Where the boundary lies between two neighbours.
    let hundredths: UInt64

    /// The distance of two neighbours and that of the boundary from the lower one, in units of the last place of a
    /// double.
    private var step: UInt64 { 1 << (52 - fractionBits) }
    private var boundary: UInt64 { step * hundredths / 100 }

    /// The number of the grid that `x` is rounded to.
    func rounded(_ x: Double) -> Double {
        Double(bitPattern: (x.bitPattern + (step - boundary)) & ~(step - 1))
    }

    /// How far `x` is from the nearest rounding boundary, relative to its binade (the power of two below it).
    func distanceToBoundary(_ x: Double) -> Double {
        let above = Int64(x.bitPattern & (step - 1)) - Int64(boundary)
        return Double(min(above.magnitude, step - above.magnitude)) * 0x1p-52
    }

    /// The first grid of which no boundary is within `margin` of any of `values`, or nil if all have one. A zero has no
    /// boundary near.
    static func first(for values: [Double], margin: Double) -> RoundingGrid? {
        all.first { grid in values.allSatisfy { $0 == 0 || grid.distanceToBoundary($0) > margin } }
    }
}
