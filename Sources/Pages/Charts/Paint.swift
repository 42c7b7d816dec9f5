/// How a mark is painted: a name that the style sheet gives colours in light and in dark, and lines a pattern of dashes
/// besides.
enum Paint: Hashable, Sendable {
    /// One of the series of a chart, 0 to 7: the colours of Okabe and Ito.
    case series(Int)
    /// The whole of something, or a mark that belongs to no series.
    case ink
    /// The largest of a column, behind its marks.
    case faint
    /// One of the seven steps from little to much, 0 to 6.
    case step(Int)
    /// The least of a column.
    case least
    /// The range of other draws.
    case range
    /// A good result, and a bad one.
    case good, bad
    /// No paint at all.
    case none

    static let seriesCount = 8

    /// The name in the style sheet.
    var name: String {
        switch self {
        case .series(let place): "s\(place % Self.seriesCount)"
        case .step(let step): "q\(min(max(step, 0), 6))"
        case .ink, .faint, .least, .range, .good, .bad, .none: "\(self)"
        }
    }
}
