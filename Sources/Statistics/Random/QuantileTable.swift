import Basics

/// The quantile function of a standard shape as a table: one 64-bit random number in, one draw out.
///
/// The number is read as the probability p = (u + ½) / 2^64. The smaller tail, t = min(p, 1 − p), chooses an octave by
/// its leading zero bits, its next four bits a cell in the octave, and its following 32 bits the place in the cell,
/// where a cubic runs through four of GSL's quantiles. So the far tails are as finely divided as the middle, down to t
/// = 2^-65, where the draws end (a normal at ± 9.15, an exponential at 45.1); a value further out would be due once in
/// 10^19 draws. The place in a cell is cut to 32 bits, that is, t is cut by less than 2^-36 of itself.
///
/// Guarantees, for every shape in its range, checked when the table is made or by tests:
/// - monotone: a greater number never gives a smaller draw;
/// - the tail beyond a draw is t within a factor 1 ± 1e-6, by GSL's own CDF, in both tails and down to 2^-65 (measured:
///   below 1e-7 for the normal, the exponential and the shapes of the calibration; at worst 6.3e-7, for a t of 31
///   degrees, where GSL changes its method);
/// - the bytes do not depend on the processor's variant of the C library (see `RoundingGrid`).
///
/// A table takes 64 kB, of which almost all draws touch the first 4. It is never freed: `StandardTables` makes one for
/// each shape.
@frozen public struct QuantileTable: @unchecked Sendable, BitwiseCopyable {
    /// A cubic in the place within the cell, which runs from 0 to 2^32.
    @frozen @usableFromInline struct Cell: Hashable, BitwiseCopyable, Sendable {
        @usableFromInline var c0, c1, c2, c3: Double

        @usableFromInline init(_ c0: Double, _ c1: Double, _ c2: Double, _ c3: Double) {
            (self.c0, self.c1, self.c2, self.c3) = (c0, c1, c2, c3)
        }

        @inlinable @inline(__always)
        func value(_ place: Double) -> Double { ((c3 * place + c2) * place + c1) * place + c0 }
    }

    /// Octaves of the tail probability: [1/4, 1/2), [1/8, 1/4), … [2^-65, 2^-64).
    @usableFromInline static var octaves: Int { 64 }
    @usableFromInline static var cellsPerOctave: Int { 16 }
    @usableFromInline static var cellsPerTail: Int { 1024 }

    /// The cells of the lower tail by octave and, in an octave, by rising tail probability; then those of the upper
    /// tail.
    ///
    /// Unchecked sendability: the memory is written before the table exists, never changed and never freed.
    @usableFromInline let cells: UnsafePointer<Cell>

    init(cells: [Cell]) {
        precondition(
            cells.count == 2 * Self.cellsPerTail, "a table has \(2 * Self.cellsPerTail) cells, not \(cells.count)")
        self.cells = SetUpMemory.keep(cells)
    }

    /// A table in memory of the caller's, which outlives every draw.
    init(in cells: UnsafePointer<Cell>) { self.cells = cells }

    /// The quantile at p = (u + ½) / 2^64.
    @inlinable @inline(__always)
    public func value(_ u: UInt64) -> Double {
        let upper = UInt64(bitPattern: Int64(bitPattern: u) >> 63)
        // The tail probability in units of 2^-65: odd, so there are 0 to 63 leading zeros.
        let tail = (u ^ upper) << 1 | 1
        let octave = tail.leadingZeroBitCount
        let fraction = tail &<< UInt64(truncatingIfNeeded: octave)
        let cell =
            octave &* 16 &+ Int(truncatingIfNeeded: (fraction >> 59) & 15) &+ Int(truncatingIfNeeded: upper & 1024)
        return cells[cell].value(Double(Int64(truncatingIfNeeded: (fraction >> 27) & 0xFFFF_FFFF)))
    }

    @inlinable @inline(__always)
    public func callAsFunction(_ u: UInt64) -> Double { value(u) }

    /// The 64-bit FNV-1a hash of the table's numbers, the same on every machine.
    public var hash: UInt64 {
        var hash = FNV1a()
        for index in 0..<(2 * Self.cellsPerTail) {
            let cell = cells[index]
            for coefficient in [cell.c0, cell.c1, cell.c2, cell.c3] { hash.add(coefficient.bitPattern) }
        }
        return hash.value
    }
}
