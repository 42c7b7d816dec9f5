/// How a chart draws the columns of its frame.
enum Mark: Hashable, Sendable {
    // Rows one below the other.

    /// Bars, each with the columns one after another.
    case bars
    /// A point at the first column, a thick line to the second and a thin one to the third, on a logarithmic axis.
    case quantiles
    /// Cells whose shade says how much: rows by their names, columns by the first column's texts.
    case cells

    // Over an axis of columns or of values.

    /// Columns one upon another.
    case stack
    /// Columns from the base.
    case columns
    /// Columns from the base with a line along their tops.
    case outline
    /// The tops of columns as a line.
    case steps
    case line
    case points

    // On every axis.

    /// A point, or a line through them, with the interval between the columns `low` and `high`.
    case estimates
    case low, high
}
