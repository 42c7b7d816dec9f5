import EmbeddedTexts

/// The part of a page's style sheet that concerns charts: colours in light and in dark, dashes, sizes of texts, and the
/// parts that each class of width shows.
enum ChartStyle {
    /// A paint's colours: of a fill and of the text on it, in light and in dark.
    private struct Colours {
        let name, light, onLight, dark, onDark: String
        /// The lengths of a line's dashes and gaps; empty for a solid line.
        var dashes = ""
    }

    private static let black = "#111"
    private static let white = "#fff"

    /// Okabe and Ito (2008), who chose colours that all sorts of colour vision tell apart; on a dark ground the dark
    /// ones are lightened.
    private static let colours = [
        Colours(name: "s0", light: "#0072b2", onLight: white, dark: "#56a8e0", onDark: black),
        Colours(name: "s1", light: "#e69f00", onLight: black, dark: "#f0b03c", onDark: black, dashes: "7 3"),
        Colours(name: "s2", light: "#009e73", onLight: black, dark: "#2fc49a", onDark: black, dashes: "2 3"),
        Colours(name: "s3", light: "#cc79a7", onLight: black, dark: "#df9cc1", onDark: black, dashes: "9 3 2 3"),
        Colours(name: "s4", light: "#56b4e9", onLight: black, dark: "#9ad2f3", onDark: black, dashes: "12 4"),
        Colours(name: "s5", light: "#d55e00", onLight: black, dark: "#f0803c", onDark: black, dashes: "5 2 1 2"),
        Colours(name: "s6", light: "#f0e442", onLight: black, dark: "#f5ec7a", onDark: black, dashes: "1 4"),
        Colours(name: "s7", light: "#8a8f98", onLight: black, dark: "#9aa1ac", onDark: black, dashes: "3 3"),
        Colours(name: "ink", light: "#1c2430", onLight: white, dark: "#e8ebf0", onDark: black),
        Colours(name: "faint", light: "#b7c1ce", onLight: black, dark: "#526072", onDark: white),
        Colours(name: "range", light: "#6a51a3", onLight: white, dark: "#b9a6e8", onDark: black),
        Colours(name: "good", light: "#00704f", onLight: white, dark: "#3ecf9f", onDark: black),
        Colours(name: "bad", light: "#b34700", onLight: white, dark: "#ff9a5c", onDark: black),
        Colours(name: "none", light: "transparent", onLight: black, dark: "transparent", onDark: white),
        // One hue from little to much: the darker in light, the lighter in dark.
        Colours(name: "q0", light: "#eaf2f9", onLight: black, dark: "#1b2a38", onDark: white),
        Colours(name: "q1", light: "#cfe2f1", onLight: black, dark: "#1f3c55", onDark: white),
        Colours(name: "q2", light: "#aacde6", onLight: black, dark: "#235073", onDark: white),
        Colours(name: "q3", light: "#7cb2d8", onLight: black, dark: "#2a6693", onDark: white),
        Colours(name: "q4", light: "#4a93c6", onLight: black, dark: "#4a8fc2", onDark: black),
        Colours(name: "q5", light: "#1f72ad", onLight: white, dark: "#7cb6de", onDark: black),
        Colours(name: "q6", light: "#0b4f82", onLight: white, dark: "#b9dcf3", onDark: black),
    ]

    /// The rules; a page adds its own.
    static var css: String {
        var css = ":root{" + colours.map { "--\($0.name):\($0.light);--t-\($0.name):\($0.onLight);" }.joined() + "}"
        css +=
            "@media screen and (prefers-color-scheme:dark){:root{"
            + colours.map { "--\($0.name):\($0.dark);--t-\($0.name):\($0.onDark);" }.joined() + "}}"
        for colour in colours {
            css +=
                ".fill.\(colour.name),.key.\(colour.name),.dot.\(colour.name),.cell.\(colour.name),.band.\(colour.name){fill:var(--\(colour.name))}"
            css += ".line.\(colour.name),.whisker.\(colour.name),.interval.\(colour.name){stroke:var(--\(colour.name))"
            css += colour.dashes.isEmpty ? "}" : ";--dash:\(colour.dashes)}"
            css += ".t-\(colour.name){fill:var(--t-\(colour.name))}"
        }
        return css + EmbeddedText.chartStyle + widths
    }

    /// Which texts a chart shows in the room that it has.
    private static var widths: String {
        let (middle, wide) = (WidthClass.middle.leastChart, WidthClass.wide.leastChart)
        return ".chart{container-type:inline-size}.om,.ow,.fm,.fw,.fe{display:none}"
            + "@container (min-width:\(middle)px){.on{display:none}.om,.fm{display:inline}}"
            + "@container (min-width:\(WidthClass.leastChartWithEnds)px){.fe{display:inline}}"
            + "@container (min-width:\(wide)px){.om{display:none}.ow,.fw{display:inline}}"
    }
}

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

/// How wide a text is at most, known without a screen: the advances of DejaVu Sans, which is among the widest of the
/// usual sans-serif fonts.
///
/// Labels that do not overlap by these widths do not overlap on the reader's screen.
enum TextWidth {
    /// Pixels of the labels of charts.
    static let labelSize = 12.0

    /// In pixels.
    static func of(_ text: String, size: Double = labelSize) -> Double {
        let thousandths = text.unicodeScalars.reduce(0) { sum, scalar in
            let index = scalar == "\u{A0}" ? 0 : Int(scalar.value) - 32
            return sum + (advances.indices.contains(index) ? advances[index] : scalar.value < 0x2000 ? 700 : 1_000)
        }
        return Double(thousandths) * size / 1_000
    }

    /// The text, cut with an ellipsis if it is wider than there is room for.
    static func fitted(_ text: String, into width: Double, size: Double = labelSize) -> String {
        if of(text, size: size) <= width { return text }
        var cut = text
        while !cut.isEmpty && of(cut + "…", size: size) > width { cut.removeLast() }
        return cut + "…"
    }

    /// The widths of the printable characters of ASCII, from the blank on, in thousandths of the font's size.
    private static let advances = [
        318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636,
        636, 636, 636, 636, 337, 337, 838,
        838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695,
        635, 611, 732, 684, 989, 685, 611,
        685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
        635, 635, 411, 521, 392, 634, 592,
        818, 592, 592, 525, 636, 337, 636, 838,
    ]
}
