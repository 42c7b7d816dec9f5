/// How much room a chart has on the reader's screen. Parts that depend on the room are drawn for each class, and the
/// style sheet shows one.
package enum WidthClass: CaseIterable, Sendable {
    case narrow, middle, wide

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
    package var leastChart: Int {
        switch self {
        case .narrow: 0
        case .middle: 560
        case .wide: 880
        }
    }

    /// The least width of a chart that has names at the ends of its lines, in pixels.
    package static let leastChartWithEnds = 720

    /// The style class of parts that are shown in this width class alone.
    var onlyClass: String {
        switch self {
        case .narrow: "on"
        case .middle: "om"
        case .wide: "ow"
        }
    }

    /// The style class of parts that are shown from this width class on; nil if always.
    var fromClass: String? {
        switch self {
        case .narrow: nil
        case .middle: "fm"
        case .wide: "fw"
        }
    }
}
