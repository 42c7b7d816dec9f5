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
        case .lognormal: preconditionFailure("a lognormal's table is made from the normal's")
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
