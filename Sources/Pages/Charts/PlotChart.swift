/// A frame drawn over an axis of columns or of values.
struct PlotChart {
    private let frame: Frame
    private let mark: Mark
    private let extras: Chart.Extras
    /// Columns that stand one upon another, with their lower and upper edges.
    private var stacked: [(column: Frame.Column, low: [Double], high: [Double])] = []

    init(_ frame: Frame, _ mark: Mark, _ extras: Chart.Extras) {
        (self.frame, self.mark, self.extras) = (frame, mark, extras)
        var low = [Double](repeating: 0, count: frame.names.count)
        for column in frame.painted where self.mark(of: column) == .stack {
            let high = zip(low, column.values).map { $0 + ($1 ?? 0) }
            stacked.append((column, low, high))
            low = high
        }
    }

    func plot(isWide: Bool) -> Plot {
        let (y, yTicks) = upright
        let x: Scale
        let xTicks: [WidthClass: [Tick]]
        switch frame.axis {
        case .columns(let scale, let ticks), .values(_, let scale, let ticks): (x, xTicks) = (scale, ticks)
        case .names: preconditionFailure("rows of names have no axis")
        }
        var plot = Plot(
            height: isWide ? 260 : 220, x: x, y: y, xTicks: xTicks, yTicks: yTicks)
        plot.layers = extras.behind
        for column in drawn([.columns, .outline]) {
            plot.layers.append(.columns(heights(column), mark(of: column) == .columns ? column.paint! : .series(4)))
        }
        // Painted from the top: each covers what is below it.
        plot.layers += stacked.reversed().map { .columns($0.high, $0.column.paint!) }
        plot.layers += drawn([.outline, .steps]).map { .steps($0.values, $0.paint!) }
        for column in drawn([.line, .points, .estimates]) { plot.layers += marks(column) }
        plot.layers += extras.front
        plot.flags = extras.flags
        if isWide, endLabels.count > 1 { plot.endLabels = endLabels }
        if stacked.first?.column.measure == .share { plot.areaLabels = stacked.compactMap(areaLabel) }
        return plot
    }

    private func mark(of column: Frame.Column) -> Mark { column.mark ?? mark }
    private func drawn(_ marks: [Mark]) -> [Frame.Column] {
        frame.painted.filter { marks.contains(mark(of: $0)) }
    }
    private func heights(_ column: Frame.Column) -> [Double] { column.values.map { $0 ?? 0 } }

    // MARK: Axes

    private var upright: (Scale, [Tick]) {
        let measure = frame.painted.first?.measure ?? .number
        var values = stacked.flatMap(\.high) + frame.painted.flatMap { $0.values.compactMap { $0 } }
        values += frame.columns.filter { $0.mark == .low || $0.mark == .high }.flatMap { $0.values.compactMap { $0 } }
        values += extras.behind.compactMap { if case .rule(let value, _) = $0 { value } else { nil } }
        values += extras.reach.map { [$0] } ?? []
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        if extras.isLogarithmic {
            let positive = values.filter { $0 > 0 }.min() ?? 1
            // A time shorter than a millisecond is as good as none, unless all are.
            let least = min(max(positive, high / 1e5, measure == .duration ? 0.001 : 0), max(high, positive) / 10)
            let scale = Scale.logarithmic(least / 1.1, max(high, positive) * 1.1)
            return (scale, Ticks.logarithmic(on: scale, measure))
        }
        if case .values = frame.axis { return Scale.holding(low, high, measure) }
        // Shares that sum to the whole may be a rounding above it.
        let most = measure == .share && high < 1.000_001 ? 1 : max(0, high)
        let ticks = Ticks.upTo(most, measure)
        return (.linear(0, ticks[ticks.count - 1].value), ticks)
    }

    /// Where each row stands: in the middle of its column, or at its value.
    private var places: [Double] {
        switch frame.axis {
        case .columns(let scale, _):
            let width = (scale.high - scale.low) / Double(max(1, frame.names.count))
            return frame.names.indices.map { scale.low + (Double($0) + 0.5) * width }
        case .values(let values, _, _): return values
        case .names: return []
        }
    }

    // MARK: Marks

    private func marks(_ column: Frame.Column) -> [PlotLayer] {
        let places = places
        let groups = frame.groups.map { Array($0.paints.indices) } ?? [0]
        return groups.flatMap { group -> [PlotLayer] in
            let rows = frame.names.indices.filter {
                column.values[$0] != nil && frame.groups?.places[$0] ?? 0 == group
            }.sorted { places[$0] < places[$1] }
            guard let first = rows.first else { return [] }
            let paint = frame.paint(of: column, first)
            let points = rows.map { PlotPoint(x: places[$0], y: column.values[$0]!) }
            let intervals = rows.compactMap { row in
                frame.interval(row).map { PlotInterval(x: places[row], low: $0.lowerBound, high: $0.upperBound) }
            }
            switch mark(of: column) {
            case .points: return (intervals.isEmpty ? [] : [.intervals(intervals, paint)]) + [.points(points, paint)]
            case .estimates:
                guard case .values = frame.axis else { return [.band(intervals, paint), .line(points, paint)] }
                return [
                    .band(intervals, paint), .line(points, paint), .intervals(intervals, paint), .points(points, paint),
                ]
            default: return [.line(points, paint)]
            }
        }
    }

    // MARK: Names in the drawing

    private var endLabels: [EndLabel] {
        stacked.compactMap { part in
            part.high.last.map {
                EndLabel(text: part.column.name, y: (part.low.last! + $0) / 2, paint: part.column.paint!)
            }
        }
            + drawn([.outline, .steps, .line]).filter { $0.paint != .least }.compactMap { column in
                column.values.last { $0 != nil }.map { EndLabel(text: column.name, y: $0!, paint: column.paint!) }
            }
    }

    /// The name of a part where it is thickest, a quarter of the axis wide.
    private func areaLabel(_ part: (column: Frame.Column, low: [Double], high: [Double])) -> AreaLabel? {
        guard case .columns(let x, _) = frame.axis, part.low.count >= 8 else { return nil }
        let count = part.low.count
        let width = count / 4
        let spans = (1..<count - width).map { from -> (from: Int, low: Double, high: Double) in
            (from, part.low[from..<from + width].max()!, part.high[from..<from + width].min()!)
        }
        guard let best = spans.max(by: { $0.high - $0.low < $1.high - $1.low }), best.high > best.low else {
            return nil
        }
        let unit = (x.high - x.low) / Double(count)
        return AreaLabel(
            text: part.column.name, from: x.low + Double(best.from) * unit,
            to: x.low + Double(best.from + width) * unit,
            low: best.low, high: best.high, paint: part.column.paint!)
    }
}

extension Frame {
    /// That of the row's group, or else the column's.
    func paint(of column: Column, _ row: Int) -> Paint {
        groups.map { $0.paints[$0.places[row]].paint } ?? column.paint!
    }

    /// The interval that the columns of ends give a row; nil if one of them is not defined.
    func interval(_ row: Int) -> ClosedRange<Double>? {
        guard let low = columns.first(where: { $0.mark == .low })?.values[row],
            let high = columns.first(where: { $0.mark == .high })?.values[row]
        else { return nil }
        return min(low, high)...max(low, high)
    }
}

extension Scale {
    /// An axis for values between two: from nothing on, unless they lie close together far from it.
    static func holding(_ low: Double, _ high: Double, _ measure: Measure) -> (Scale, [Tick]) {
        if low >= 0 && (low < high * 0.6 || low == high) {
            let ticks = Ticks.upTo(high, measure)
            return (.linear(0, ticks[ticks.count - 1].value), ticks)
        }
        let margin = (high - low) * 0.1
        return (
            .linear(low - margin, high + margin), Ticks.between(low - margin, high + margin, measure)
        )
    }
}
