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
