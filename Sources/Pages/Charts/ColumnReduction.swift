/// Many bins in few columns.
struct ColumnReduction: Hashable, Sendable {
    /// How many bins a column has; the last one may have fewer.
    let width: Int
    let bins: Int

    var columns: Int { (bins + width - 1) / width }

    /// - Parameters:
    ///   - most: how many columns there may be: no more than a screen has pixels for.
    ///   - nice: numbers of bins that make a column of a round length, in ascending order; the last one is multiplied
    ///     where it is not enough.
    init(bins: Int, most: Int, nice: [Int]) {
        precondition(bins >= 0 && most > 0 && !nice.isEmpty, "\(bins) bins in \(most) columns")
        self.bins = bins
        if let width = nice.first(where: { (bins + $0 - 1) / $0 <= most }) {
            self.width = width
        } else {
            let last = nice[nice.count - 1]
            let factor = (bins + last * most - 1) / (last * most)
            width = last * factor
        }
    }

    func range(_ column: Int) -> Range<Int> { column * width..<min((column + 1) * width, bins) }

    /// A result for the bins of each column.
    func reduced<Value, Result>(_ values: [Value], _ body: (ArraySlice<Value>) -> Result) -> [Result] {
        precondition(values.count == bins, "\(values.count) values for \(bins) bins")
        return (0..<columns).map { body(values[range($0)]) }
    }
}
