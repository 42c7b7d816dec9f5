/// A chart over two axes as inline SVG.
///
/// It is as wide as the page lets it be. The marks stand in a drawing of their own that is stretched to that width;
/// texts and round points stand at shares of the width and keep their size. The number of labels that fit differs with
/// the width, so they are drawn for each `WidthClass`.
struct Plot: Sendable {
    /// Pixels of the plot itself.
    var height = 220.0
    var x, y: Scale
    var xTicks: [WidthClass: [Tick]]
    var yTicks: [Tick]
    var layers: [PlotLayer] = []
    var flags: [PlotFlag] = []
    /// Names at the ends of lines and areas, where the chart is wide enough.
    var endLabels: [EndLabel] = []
    /// Names in areas, where they have room.
    var areaLabels: [AreaLabel] = []

    /// For each class, the ticks that have room: the first and those after it; of evenly spaced ticks all, or every
    /// second, third … of them.
    static func thinned(_ ticks: [Tick], on scale: Scale) -> [WidthClass: [Tick]] {
        Dictionary(
            uniqueKeysWithValues: WidthClass.allCases.map { room in
                for every in 1...max(1, min(4, ticks.count)) {
                    let chosen = ticks.enumerated().filter { $0.offset % every == 0 }.map(\.element)
                    if TickLabel.haveRoom(chosen, on: scale, room, gap: 10) {
                        return (room, chosen)
                    }
                }
                var chosen: [Tick] = []
                for tick in ticks where TickLabel.haveRoom(chosen.suffix(1) + [tick], on: scale, room, gap: 10) {
                    chosen.append(tick)
                }
                return (room, chosen)
            })
    }

    /// The width of the drawing of the marks, in its own units.
    static let units = 1_000.0

    private func across(_ value: Double) -> Double { x.place(value) * Self.units }
    private func down(_ value: Double) -> Double { (1 - y.place(value)) * height }

    /// The whole chart.
    ///
    /// - Parameters:
    ///   - id: of the title and description in the page.
    ///   - description: what the chart shows, for those who do not see it.
    func svg(id: String, title: String, description: String) -> String {
        let rows = FlagRows(flags, on: x)
        let top = flags.isEmpty ? 10 : Double(rows.count) * FlagRows.height + 8
        let bottom = 26.0
        let whole = top + height + bottom
        var svg = Markup.drawing("plot", height: whole, id: id, title, description) + grid(top)
        svg += "<svg class=\"marks\" y=\"\(Markup.place(top))\" width=\"100%\" height=\"\(Markup.place(height))\" "
        svg += "viewBox=\"0 0 \(Markup.place(Self.units)) \(Markup.place(height))\" preserveAspectRatio=\"none\">"
        for layer in layers { svg += marks(of: layer) }
        svg += "</svg>"
        for layer in layers { svg += texts(of: layer, top) }
        svg += axis(top + height)
        svg += areas(top)
        svg += rows.svg(top: top) { top + down($0) }
        svg += ends(top)
        return svg + "</svg>"
    }

    // MARK: Axes

    private func grid(_ top: Double) -> String {
        var svg = "<g class=\"grid\" aria-hidden=\"true\">"
        for tick in yTicks where y.holds(tick.value) {
            let place = Markup.place(top + down(tick.value))
            svg +=
                "<line x2=\"100%\" y1=\"\(place)\" y2=\"\(place)\"/><text x=\"-8\" y=\"\(place)\" dy=\".35em\" "
                + "text-anchor=\"end\">\(Markup.escaped(tick.label))</text>"
        }
        return svg + "</g>"
    }

    private func axis(_ base: Double) -> String {
        var svg = "<g class=\"axis\" aria-hidden=\"true\">"
        svg += "<line x2=\"100%\" y1=\"\(Markup.place(base))\" y2=\"\(Markup.place(base))\"/>"
        let sets = WidthClass.allCases.map { xTicks[$0] ?? [] }
        if Set(sets).count == 1 {
            svg += sets[0].map { tick($0, base) }.joined()
        } else {
            for (room, ticks) in zip(WidthClass.allCases, sets) {
                svg += "<g class=\"\(room.onlyClass)\">" + ticks.map { tick($0, base) }.joined() + "</g>"
            }
        }
        return svg + "</g>"
    }

    private func tick(_ tick: Tick, _ base: Double) -> String {
        guard x.holds(tick.value) else { return "" }
        let place = x.place(tick.value)
        let share = Markup.share(place)
        let anchor = TickLabel(tick, on: x).anchor.rawValue
        return "<line x1=\"\(share)\" x2=\"\(share)\" y1=\"\(Markup.place(base))\" y2=\"\(Markup.place(base + 5))\"/>"
            + "<text x=\"\(share)\" y=\"\(Markup.place(base + 19))\" "
            + "text-anchor=\"\(anchor)\"\(tick.isStrong ? " class=\"strong\"" : "")>\(Markup.escaped(tick.label))</text>"
    }

    // MARK: Marks

    private func marks(of layer: PlotLayer) -> String {
        switch layer {
        case .columns(let values, let paint):
            return "<path class=\"fill \(paint.name)\" d=\"\(steps(values.map { $0 }, isClosed: true))\"/>"
        case .steps(let values, let paint):
            return "<path class=\"line \(paint.name)\" d=\"\(steps(values, isClosed: false))\"/>"
        case .line(let points, let paint): return "<path class=\"line \(paint.name)\" d=\"\(path(points))\"/>"
        case .band(let points, let paint):
            let edge =
                points.map { PlotPoint(x: $0.x, y: $0.high) } + points.reversed().map { PlotPoint(x: $0.x, y: $0.low) }
            return points.isEmpty ? "" : "<path class=\"band \(paint.name)\" d=\"\(path(edge))z\"/>"
        case .shade(let from, let to):
            guard to >= x.low && from <= x.high else { return "" }
            let (left, right) = (across(max(from, x.low)), across(min(to, x.high)))
            return
                "<rect class=\"shade\" x=\"\(Markup.place(left))\" width=\"\(Markup.place(max(1, right - left)))\" height=\"\(Markup.place(height))\"/>"
        case .points, .intervals, .rule: return ""
        }
    }

    /// The parts that keep their shape however wide the chart is.
    private func texts(of layer: PlotLayer, _ top: Double) -> String {
        switch layer {
        case .points(let points, let paint):
            return points.map { point in
                "<circle class=\"dot \(paint.name)\" cx=\"\(Markup.share(x.place(point.x)))\" cy=\"\(Markup.place(top + down(point.y)))\" r=\"4\"/>"
            }.joined()
        case .intervals(let points, let paint):
            return points.map { point in
                let share = Markup.share(x.place(point.x))
                return
                    "<line class=\"whisker \(paint.name)\" x1=\"\(share)\" x2=\"\(share)\" y1=\"\(Markup.place(top + down(point.high)))\" "
                    + "y2=\"\(Markup.place(top + down(point.low)))\"/>"
            }.joined()
        case .rule(let value, let label):
            let place = top + down(value)
            // Below the line where there is no room above it.
            let text = place < top + 16 ? place + 14 : place - 5
            return
                "<g class=\"rule\" aria-hidden=\"true\"><line x2=\"100%\" y1=\"\(Markup.place(place))\" y2=\"\(Markup.place(place))\"/>"
                + WidthClass.allCases.map { room in
                    "<text class=\"\(room.onlyClass)\" x=\"100%\" y=\"\(Markup.place(text))\" "
                        + "text-anchor=\"end\">\(Markup.escaped(TextWidth.fitted(label, into: room.leastPlot)))</text>"
                }.joined() + "</g>"
        case .shade, .columns, .steps, .line, .band: return ""
        }
    }

    /// Columns of one width over the whole axis, as a line of steps; what is missing leaves a gap.
    private func steps(_ values: [Double?], isClosed: Bool) -> String {
        let width = Self.units / Double(max(1, values.count))
        let base = Markup.place(height)
        let places = values.map { $0.map { Markup.place(down($0)) } }
        var path = ""
        for (column, place) in places.enumerated() {
            guard let place else { continue }
            let before = column > 0 ? places[column - 1] : nil
            let after = column + 1 < places.count ? places[column + 1] : nil
            if before == nil {
                path += "M\(Markup.place(Double(column) * width)) "
                path += isClosed ? "\(base)V\(place)" : place
            } else if before != place {
                path += "V\(place)"
            }
            // Equal columns are one step.
            if after != place { path += "H\(Markup.place(Double(column + 1) * width))" }
            if isClosed && after == nil { path += "V\(base)z" }
        }
        return path
    }

    private func path(_ points: [PlotPoint]) -> String {
        points.enumerated().map { ($0 == 0 ? "M" : "L") + Markup.place(across($1.x)) + " " + Markup.place(down($1.y)) }
            .joined()
    }

    // MARK: Names at the ends

    /// Names to the right of the plot, as near to their places as they can stand without touching.
    private func ends(_ top: Double) -> String {
        if endLabels.isEmpty { return "" }
        let gap = 15.0
        var places = endLabels.map { ($0, top + down($0.y)) }.sorted { $0.1 < $1.1 }
        for i in places.indices.dropFirst() where places[i].1 < places[i - 1].1 + gap {
            places[i].1 = places[i - 1].1 + gap
        }
        var limit = top + height
        for i in places.indices.reversed() {
            places[i].1 = min(places[i].1, limit)
            limit = places[i].1 - gap
        }
        return "<g class=\"ends fe\" aria-hidden=\"true\">"
            + places.map { label, place in
                let text = TextWidth.fitted(label.text, into: Self.endRoom - 14)
                return
                    "<rect class=\"key \(label.paint.name)\" x=\"100%\" y=\"\(Markup.place(place - 5))\" width=\"8\" height=\"8\" transform=\"translate(6)\"/>"
                    + "<text x=\"100%\" dx=\"18\" y=\"\(Markup.place(place))\" dy=\".35em\">\(Markup.escaped(text))</text>"
            }.joined() + "</g>"
    }

    private func areas(_ top: Double) -> String {
        if areaLabels.isEmpty { return "" }
        return "<g aria-hidden=\"true\">"
            + areaLabels.compactMap { label in
                let need = TextWidth.of(label.text) + 8
                let share = x.place(label.to) - x.place(label.from)
                guard y.place(label.high) * height - y.place(label.low) * height >= 17,
                    let classes = WidthClass.classes("area t-\(label.paint.name)", needing: need, in: share)
                else { return nil }
                let (across, down) = (
                    (x.place(label.from) + x.place(label.to)) / 2, (down(label.high) + down(label.low)) / 2
                )
                return
                    "<text class=\"\(classes)\" x=\"\(Markup.share(across))\" y=\"\(Markup.place(top + down))\" dy=\".35em\" "
                    + "text-anchor=\"middle\">\(Markup.escaped(label.text))</text>"
            }.joined() + "</g>"
    }

    /// Pixels that the style sheet leaves to the right of the plot for names at ends.
    static let endRoom = 124.0
}

/// A place on the axes of a plot.
struct PlotPoint: Hashable, Sendable {
    let x, y: Double
}

/// A span of values at one place of the other axis.
struct PlotInterval: Hashable, Sendable {
    let x, low, high: Double
}

/// Marks of one sort in a plot. Later ones stand in front.
enum PlotLayer: Hashable, Sendable {
    /// Columns of one width over the whole axis, from the base up to each value.
    case columns([Double], Paint)
    /// The tops of such columns as a line; nil leaves a gap.
    case steps([Double?], Paint)
    case line([PlotPoint], Paint)
    /// The band between the ends of intervals.
    case band([PlotInterval], Paint)
    case points([PlotPoint], Paint)
    case intervals([PlotInterval], Paint)
    /// A line across at a value, such as a threshold.
    case rule(Double, String)
    /// A span of the axis, such as an outage.
    case shade(from: Double, to: Double)
}

/// A name in an area, with the room that it has there.
struct AreaLabel: Hashable, Sendable {
    let text: String
    let from, to, low, high: Double
    let paint: Paint
}

/// A name at the end of a line or an area.
struct EndLabel: Hashable, Sendable {
    let text: String
    let y: Double
    let paint: Paint
}

/// Takes values to places along an axis, 0 at its beginning and 1 at its end.
struct Scale: Hashable, Sendable {
    let low, high: Double
    let isLogarithmic: Bool

    /// Equal distances for equal differences. A span of nothing is widened.
    static func linear(_ low: Double, _ high: Double) -> Scale {
        precondition(low.isFinite && high.isFinite && low <= high, "an axis from \(low) to \(high)")
        return Scale(low: low, high: high > low ? high : low + (low == 0 ? 1 : low.magnitude), isLogarithmic: false)
    }

    /// Equal distances for equal ratios, of positive values.
    static func logarithmic(_ low: Double, _ high: Double) -> Scale {
        precondition(low > 0 && high.isFinite && low <= high, "a logarithmic axis from \(low) to \(high)")
        return Scale(low: low, high: high > low ? high : low * 10, isLogarithmic: true)
    }

    /// The place of a value; what lies beyond an end has the end's.
    func place(_ value: Double) -> Double {
        let value = min(max(value, low), high)
        if !isLogarithmic { return (value - low) / (high - low) }
        let first = Logarithm.binary(of: low)
        return (Logarithm.binary(of: value) - first) / (Logarithm.binary(of: high) - first)
    }

    func holds(_ value: Double) -> Bool { low <= value && value <= high }
}

/// Logarithms of sums and quotients alone: the C library's differ in the last bit between machines, and pages do not.
enum Logarithm {
    /// To base 2, within 1e-12; the value must be positive.
    static func binary(of value: Double) -> Double {
        // log2(m) = 2/ln 2 · artanh((m − 1)/(m + 1)), with a significand of 1 to 2.
        let m = value.significand
        let z = (m - 1) / (m + 1)
        let square = z * z
        var (power, sum) = (z, 0.0)
        for k in 0..<14 {
            sum += power / Double(2 * k + 1)
            power *= square
        }
        return Double(value.exponent) + sum * 2 * 1.4426950408889634
    }
}

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
