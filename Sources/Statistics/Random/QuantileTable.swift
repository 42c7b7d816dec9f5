import Basics
import CGSL

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

extension QuantileTable {
    /// Where in a cell its cubic meets GSL's quantiles. The two ends are shared with the neighbours, so the curve has
    /// no steps; the places between are exact in binary and near to those of the least interpolation error.
    static let places = [0, 0.3125, 0.6875, 1]

    /// How near a quantile may lie to a rounding boundary, relative to its binade. GSL's values do not vary with the
    /// variants of the C library, as measured, for the normal and the exponential, whose inverses are closed forms, and
    /// by up to 1e-14 for the others, which iterate.
    private static func margin(_ shape: StandardShape) -> Double {
        switch shape {
        case .exponential, .normal: 2e-14
        case .studentT, .gamma: 1e-13
        case .lognormal, .quantiles: preconditionFailure("its table is made from the normal's")
        }
    }

    /// The table of one shape, and the grid its quantiles are rounded to. Takes a few milliseconds, up to tenths of a
    /// second for a gamma or t.
    static func make(_ shape: StandardShape) throws(DistributionProblem) -> (table: QuantileTable, grid: RoundingGrid) {
        try shape.check()
        _ = StandardShape.gslIsQuiet
        let upper = quantiles(shape, .upper)
        let nodes = [shape.isSymmetric ? upper.map { 0 - $0 } : quantiles(shape, .lower), upper]
        guard nodes.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
            throw DistributionProblem(
                name: shape.name, found: "a quantile on which GSL does not converge",
                expected: "another shape parameter")
        }
        guard let grid = RoundingGrid.first(for: nodes.flatMap { $0 }, margin: margin(shape)) else {
            throw DistributionProblem(
                name: shape.name, found: "quantiles that could round differently on another processor",
                expected: "a slightly different shape parameter")
        }
        var cells: [Cell] = []
        for tail in nodes {
            for first in stride(from: 0, to: tail.count, by: 4) {
                let node = { grid.rounded(tail[first + $0]) }
                cells.append(cubic(through: node(0), node(1), node(2), node(3)))
            }
        }
        guard rises(cells) else {
            throw DistributionProblem(
                name: shape.name, found: "quantiles that do not rise", expected: "another shape parameter")
        }
        return (QuantileTable(cells: cells), grid)
    }

    /// The table of a lognormal with median 1 from that of the normal: its draws are the powers of the normal's, within
    /// the cubics' error.
    ///
    /// - Parameter sigma: of the natural logarithm, in `StandardShape.sigmaRange`.
    static func lognormal(sigma: Double, from normal: QuantileTable) -> QuantileTable {
        QuantileTable(cells: lognormalCells(sigma: sigma, from: normal))
    }

    static func lognormalCells(sigma: Double, from normal: QuantileTable) -> [Cell] {
        let at = (places[0] * 0x1p32, places[1] * 0x1p32, places[2] * 0x1p32, places[3] * 0x1p32)
        let cells = (0..<(2 * cellsPerTail)).map { index in
            let cell = normal.cells[index]
            func power(_ place: Double) -> Double { DeterministicMath.exp(sigma * cell.value(place)) }
            return cubic(through: power(at.0), power(at.1), power(at.2), power(at.3))
        }
        precondition(rises(cells), "quantiles of a lognormal that do not rise")
        return cells
    }

    /// The quantiles of one tail at the four places of each cell, in the cells' order; from the median outwards, as
    /// each is found from the one before.
    static func quantiles(_ shape: StandardShape, _ tail: Tail) -> [Double] {
        var nodes = [Double](repeating: 0, count: places.count * cellsPerTail)
        var (near, nearest) = (0.5, shape.quantile(tail, 0.5))
        for octave in 0..<octaves {
            for cell in (0..<cellsPerOctave).reversed() {
                let first = places.count * (octave * cellsPerOctave + cell)
                nodes[first + 3] = nearest
                for place in (0..<3).reversed() {
                    let t = probability(octave, cell, places[place])
                    nearest = shape.quantile(tail, t, from: nearest, at: near) ?? shape.quantile(tail, t)
                    near = t
                    nodes[first + place] = nearest
                }
            }
        }
        return nodes
    }

    /// The tail probability at a place of a cell; that of the least of an octave is 2^-(octave + 2).
    static func probability(_ octave: Int, _ cell: Int, _ place: Double) -> Double {
        Double(sign: .plus, exponent: -(octave + 2), significand: 1) * (1 + (Double(cell) + place) / 16)
    }

    /// A cell whose draws lie on a line.
    static func line(from first: Double, to last: Double) -> Cell { Cell(first, (last - first) * 0x1p-32, 0, 0) }

    static func cubic(through values: [Double]) -> Cell { cubic(through: values[0], values[1], values[2], values[3]) }

    /// The cubic through the values at the four places, by Newton's divided differences, then in powers of the place
    /// scaled by 2^32.
    private static func cubic(through y0: Double, _ y1: Double, _ y2: Double, _ y3: Double) -> Cell {
        let (a, b) = (places[1], places[2])
        let d01 = (y1 - y0) / a
        let d12 = (y2 - y1) / (b - a)
        let d23 = (y3 - y2) / (1 - b)
        let d012 = (d12 - d01) / b
        let d123 = (d23 - d12) / (1 - a)
        let d0123 = d123 - d012
        // y0 + s (d01 + (s − a) (d012 + (s − b) d0123)), multiplied out.
        let c2 = d012 - (a + b) * d0123
        let c1 = d01 - a * (d012 - b * d0123)
        return Cell(y0, c1 * 0x1p-32, c2 * 0x1p-64, d0123 * 0x1p-96)
    }

    /// Whether the whole curve rises with the random number: in each cell by a slope that the rounding of the cubic
    /// cannot turn, and from cell to cell.
    private static func rises(_ cells: [Cell]) -> Bool {
        for (index, cell) in cells.enumerated() {
            let inUpper = index >= cellsPerTail
            // In the upper tail the quantile falls as the tail probability rises.
            let sign: Double = inUpper ? -1 : 1
            let size = max(cell.value(0).magnitude, cell.value(0x1p32).magnitude)
            guard leastSlope(cell, sign: sign) > 4 * size.ulp else { return false }
            guard let next = neighbour(of: index, in: cells) else { continue }
            guard sign * cell.value(0x1p32 - 1) <= sign * next.c0 else { return false }
        }
        // The tails meet at the median.
        let (lower, upper) = (cells[cellsPerOctave - 1], cells[cellsPerTail + cellsPerOctave - 1])
        return lower.value(0x1p32 - 1) <= upper.value(0x1p32 - 1)
    }

    /// The least slope of the cubic within its cell, for one step of the place, counted positive in the direction of
    /// `sign`.
    private static func leastSlope(_ cell: Cell, sign: Double) -> Double {
        func slope(_ place: Double) -> Double { sign * ((3 * cell.c3 * place + 2 * cell.c2) * place + cell.c1) }
        let turning = cell.c3 == 0 ? 0 : -cell.c2 / (3 * cell.c3)
        let ends = min(slope(0), slope(0x1p32))
        return turning > 0 && turning < 0x1p32 ? min(ends, slope(turning)) : ends
    }

    /// The cell of the same tail that begins where the cell at `index` ends: the next one of its octave, or the first
    /// of the octave before.
    private static func neighbour(of index: Int, in cells: [Cell]) -> Cell? {
        if index % cellsPerOctave < cellsPerOctave - 1 { return cells[index + 1] }
        let octave = index % cellsPerTail / cellsPerOctave
        return octave == 0 ? nil : cells[index - 2 * cellsPerOctave + 1]
    }
}

/// The quantile of a shape at the probability of a standard normal score: what a Gaussian copula needs to give
/// correlated scores any marginal distribution.
///
/// Scores are correlated by adding multiples of independent ones, and the table turns each into a draw. Between nodes
/// 1/64 apart it is linear; its relative error against GSL is below 2e-4 for Student's t from 3 degrees on. Scores
/// beyond ± 8, due once in 10^15, count as ± 8.
@frozen public struct ScoreTable: @unchecked Sendable, BitwiseCopyable {
    @usableFromInline static var nodesPerUnit: Double { 64 }
    @usableFromInline static var farthest: Double { 8 }

    /// Unchecked sendability: the memory is written before the table exists, never changed and never freed.
    @usableFromInline let nodes: UnsafePointer<Double>

    /// - Throws: a problem if the shape's parameter is out of range or its quantiles cannot be rounded alike on every
    ///   processor.
    public init(_ shape: StandardShape) throws(DistributionProblem) {
        try shape.check()
        _ = StandardShape.gslIsQuiet
        let half = Int(Self.farthest * Self.nodesPerUnit)
        var values: [Double] = []
        for index in -half...half {
            let score = Double(index) / Self.nodesPerUnit
            // A symmetric shape's upper half mirrors its lower one.
            if index > 0 && shape.isSymmetric {
                values.append(-values[half - index])
            } else {
                values.append(shape.quantile(index < 0 ? .lower : .upper, gsl_cdf_ugaussian_Q(score.magnitude)))
            }
        }
        guard let grid = RoundingGrid.first(for: values, margin: 1e-13), values.allSatisfy(\.isFinite) else {
            throw DistributionProblem(
                name: shape.name, found: "quantiles that could round differently on another processor",
                expected: "a slightly different shape parameter")
        }
        // A node more, so that the farthest score has a right neighbour.
        nodes = SetUpMemory.keep((values + [values.last!]).map(grid.rounded))
    }

    /// The 64-bit FNV-1a hash of the table's numbers, the same on every machine.
    var hash: UInt64 {
        var hash = FNV1a()
        for index in 0...Int(2 * Self.farthest * Self.nodesPerUnit) { hash.add(nodes[index].bitPattern) }
        return hash.value
    }

    /// The quantile at the probability of `score`, monotone in it.
    @inlinable
    public func value(_ score: Double) -> Double {
        let bounded = max(-Self.farthest, min(Self.farthest, score))
        let place = (bounded + Self.farthest) * Self.nodesPerUnit
        let index = Int(place)
        return nodes[index] + (nodes[index + 1] - nodes[index]) * (place - Double(index))
    }
}
