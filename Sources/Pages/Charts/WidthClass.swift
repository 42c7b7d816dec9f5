/// How much room a chart has on the reader's screen. Parts that depend on the room are drawn for each class, and the
/// style sheet shows one.
enum WidthClass: String, CaseIterable, Sendable {
    case narrow = "n"
    case middle = "m"
    case wide = "w"

    /// The least width of the plot itself, in pixels: labels that have room there have room on every screen of the
    /// class.
    var leastPlot: Double {
        switch self {
        case .narrow: 248
        case .middle: 420
        case .wide: 640
        }
    }

    /// The width of the chart from which it is of the class, in pixels: the plot's with room for labels beside it.
    var leastChart: Int {
        switch self {
        case .narrow: 0
        case .middle: 560
        case .wide: 880
        }
    }

    /// The least width of a chart that has names at the ends of its lines, in pixels.
    static let leastChartWithEnds = 720

    /// The style class of parts that are shown in this width class alone.
    var onlyClass: String { "o" + rawValue }

    /// The style class of parts that are shown from this width class on; nil if always.
    var fromClass: String? { self == .narrow ? nil : "f" + rawValue }

    /// The style classes of a text in a share of the plot, from the first width class on in which it has room; nil if
    /// it has in none.
    ///
    /// - Parameter margin: pixels beside the plot that are its own.
    static func classes(_ style: String, needing pixels: Double, in share: Double, margin: Double = 0) -> String? {
        allCases.first { ($0.leastPlot + margin) * share >= pixels }.map { room in
            room.fromClass.map { style + " " + $0 } ?? style
        }
    }
}
