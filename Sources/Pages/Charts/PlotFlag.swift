/// A place in a plot that has a label above it, such as the largest second.
struct PlotFlag: Hashable, Sendable {
    let x: Double
    /// Where the point stands; nil if it is a place on the axis alone, or lies beyond the plot.
    let y: Double?
    let text: String
}

/// The labels of flags in rows above a plot, so that none touches another and no flag's stem crosses one, for every
/// class of width.
///
/// Places are shares of the width and labels are not, so on a wider screen of the class everything only moves apart.
struct FlagRows {
    static let height = 18.0

    /// Which end of a label stands at the flag, or at an end of the plot.
    private enum Anchor: CaseIterable { case start, end, left, right }

    private struct Placed {
        let flag: PlotFlag
        let place: Double
        let text: String
        let anchor: Anchor
        let row: Int
        /// The label's pixels on the narrowest screen.
        let span: ClosedRange<Double>
        /// Its stem's.
        let stem: Double

        /// Whether both can stand together.
        func suits(_ other: Placed) -> Bool {
            if row == other.row && span.overlaps(other.span) { return false }
            if row > other.row && other.isCrossed(by: stem) { return false }
            return !(other.row > row && isCrossed(by: other.stem))
        }

        /// Whether a stem passes the label. One on the other side of its own stem never does, however near it is.
        private func isCrossed(by other: Double) -> Bool {
            switch anchor {
            case .start where other <= stem, .end where other >= stem: false
            default: span.contains(other)
            }
        }
    }

    private let byClass: [(WidthClass, [Placed])]
    /// The number of lines in the width class that needs most.
    let count: Int

    /// - Parameter flags: few; in the order of their weight. Where not all have room without a stem through a label,
    ///   the last ones are left out.
    init(_ flags: [PlotFlag], on scale: Scale) {
        byClass = WidthClass.allCases.map { room in
            for count in stride(from: flags.count, to: 0, by: -1) {
                var placed: [Placed] = []
                // Flags that lie near each other can be tried in more ways than there is time for.
                var tries = 20_000
                let some = flags.prefix(count)
                if some.indices.contains(where: { Self.place(some, on: scale, room, rows: $0 + 1, &placed, &tries) }) {
                    return (room, placed)
                }
            }
            return (room, [])
        }
        count = byClass.map { ($0.1.map(\.row).max() ?? -1) + 1 }.max() ?? 0
    }

    /// Finds a row and a side for each of the flags, beside those that are placed; false if there is no way with so
    /// many rows.
    private static func place(
        _ flags: ArraySlice<PlotFlag>, on scale: Scale, _ room: WidthClass, rows: Int, _ placed: inout [Placed],
        _ tries: inout Int
    )
        -> Bool
    {
        guard let flag = flags.first else { return true }
        if tries <= 0 { return false }
        let place = scale.place(flag.x)
        let text = TextWidth.fitted(flag.text, into: room.leastPlot - 12)
        for row in 0..<rows {
            for anchor in Anchor.allCases {
                guard let span = span(anchor, place, TextWidth.of(text), room.leastPlot) else { continue }
                tries -= 1
                let option = Placed(
                    flag: flag, place: place, text: text, anchor: anchor, row: row, span: span,
                    stem: place * room.leastPlot)
                guard placed.allSatisfy(option.suits) else { continue }
                placed.append(option)
                if Self.place(flags.dropFirst(), on: scale, room, rows: rows, &placed, &tries) { return true }
                placed.removeLast()
            }
        }
        return false
    }

    /// The pixels of a label with its way to the stem, and some room at its sides; nil if it would stand beyond the
    /// plot, or away from its stem.
    private static func span(_ anchor: Anchor, _ place: Double, _ width: Double, _ plot: Double) -> ClosedRange<Double>?
    {
        let left =
            switch anchor {
            case .start: place * plot
            case .end: place * plot - width
            case .left: 0.0
            case .right: plot - width
            }
        let stem = place * plot
        // At an end of the plot it stands over its stem.
        guard left >= 0, left + width <= plot, (left - 6...left + width + 6).contains(stem) else { return nil }
        return (min(left, stem) - 6)...(max(left + width, stem) + 6)
    }

    /// - Parameters:
    ///   - top: where the plot begins.
    ///   - down: the place of a value.
    func svg(top: Double, down: (Double) -> Double) -> String {
        if count == 0 { return "" }
        return byClass.map { room, placed in
            "<g class=\"flags \(room.onlyClass)\" aria-hidden=\"true\">"
                + placed.map { flag in
                    // The lowest row is the nearest to the plot.
                    let y = top - 8 - Double(flag.row) * Self.height
                    let share = Markup.share(flag.place)
                    let (x, anchor, beside, isApart) =
                        switch flag.anchor {
                        case .start: (share, "start", " dx=\"4\"", false)
                        case .end: (share, "end", " dx=\"-4\"", false)
                        case .left: ("0", "start", "", true)
                        case .right: ("100%", "end", "", true)
                        }
                    let point = flag.flag.y.map(down) ?? top
                    var svg =
                        "<line x1=\"\(share)\" x2=\"\(share)\" y1=\"\(Markup.place(y + 4))\" y2=\"\(Markup.place(point))\"/>"
                    // A line below the label leads to its stem, which is the farther away the wider the screen is.
                    if isApart {
                        svg +=
                            "<line x1=\"\(x)\" x2=\"\(share)\" y1=\"\(Markup.place(y + 4))\" y2=\"\(Markup.place(y + 4))\"/>"
                    }
                    if flag.flag.y != nil { svg += "<circle cx=\"\(share)\" cy=\"\(Markup.place(point))\" r=\"3.5\"/>" }
                    return svg
                        + "<text x=\"\(x)\" y=\"\(Markup.place(y))\" text-anchor=\"\(anchor)\"\(beside)>\(Markup.escaped(flag.text))</text>"
                }.joined() + "</g>"
        }.joined()
    }
}
