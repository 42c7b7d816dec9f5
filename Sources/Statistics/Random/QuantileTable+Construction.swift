extension QuantileTable {
    /// Where in a cell its cubic meets GSL's quantiles. The two ends are shared with the neighbours, so the curve has
    /// no steps; the places between are exact in binary and near to those of the least interpolation error.
    private static let places = [0, 0.3125, 0.6875, 1]

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
        let nodes = Tail.allCases.map { quantiles(shape, $0) }
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
                cells.append(cubic(through: tail[first..<(first + 4)].map(grid.rounded)))
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
        let cells = (0..<(2 * cellsPerTail)).map { index in
            cubic(through: places.map { DeterministicMath.exp(sigma * normal.cells[index].value($0 * 0x1p32)) })
        }
        precondition(rises(cells), "quantiles of a lognormal that do not rise")
        return cells
    }

    /// The quantiles of one tail at the four places of each cell, in the cells' order.
    private static func quantiles(_ shape: StandardShape, _ tail: Tail) -> [Double] {
        var nodes: [Double] = []
        for octave in 0..<octaves {
            // The least tail probability of the octave: 2^-(octave + 2).
            let least = Double(sign: .plus, exponent: -(octave + 2), significand: 1)
            for cell in 0..<cellsPerOctave {
                for place in places { nodes.append(shape.quantile(tail, least * (1 + (Double(cell) + place) / 16))) }
            }
        }
        return nodes
    }

    /// The cubic through `y` at the four places, by Newton's divided differences, then in powers of the place scaled by
    /// 2^32.
    private static func cubic(through y: [Double]) -> Cell {
        let (a, b) = (places[1], places[2])
        let d01 = (y[1] - y[0]) / a
        let d12 = (y[2] - y[1]) / (b - a)
        let d23 = (y[3] - y[2]) / (1 - b)
        let d012 = (d12 - d01) / b
        let d123 = (d23 - d12) / (1 - a)
        let d0123 = d123 - d012
        // y0 + s (d01 + (s − a) (d012 + (s − b) d0123)), multiplied out.
        let c2 = d012 - (a + b) * d0123
        let c1 = d01 - a * (d012 - b * d0123)
        return Cell(y[0], c1 * 0x1p-32, c2 * 0x1p-64, d0123 * 0x1p-96)
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
