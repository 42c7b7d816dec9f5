/// A frame drawn as rows one below the other.
struct RowChart {
    private let frame: Frame
    private let mark: Mark
    private let extras: Chart.Extras

    init(_ frame: Frame, _ mark: Mark, _ extras: Chart.Extras) {
        (self.frame, self.mark, self.extras) = (frame, mark, extras)
    }

    var drawing: any ChartDrawing {
        switch mark {
        case .quantiles: IntervalRows(frame.rows.map(quantiles), measure: measure, isLogarithmic: true)
        case .estimates:
            IntervalRows(
                frame.rows.compactMap(estimate), measure: measure, line: extras.line,
                isLogarithmic: extras.isLogarithmic)
        case .cells: heatMap
        default: BarRows(frame.rows.map(bars), reach: measure == .share ? 1 : 0)
        }
    }

    private var measure: Measure { frame.painted[0].measure }

    private func bars(_ row: Frame.Row) -> BarRows.Row {
        let parts = frame.painted.map { column -> BarRows.Part in
            let value = column.values[row.place] ?? 0
            let text = FigureLabel.text(value, column.measure)
            // Shares have names, and a bar alone its value if the row's figure is another one.
            let label =
                column.measure == .share
                ? "\(column.name) \(text)" : frame.painted.count == 1 && extras.figure != nil ? text : ""
            return BarRows.Part(value, frame.paint(of: column, row.place), label: label)
        }
        return BarRows.Row(row.name, figure: figure(row, row.sum), parts, interval: frame.interval(row.place))
    }

    private func quantiles(_ row: Frame.Row) -> IntervalRows.Row {
        let columns = frame.painted
        let values = columns.map { $0.values[row.place] ?? 0 }
        return IntervalRows.Row(
            row.name,
            figure:
                "\(FigureLabel.text(values[0], measure)) · \(columns[1].name): \(FigureLabel.text(values[1], measure))",
            value: values[0], interval: values[0]...max(values[0], values[1]),
            reach: values.count > 2 ? values[0]...max(values[0], values[2]) : nil, paint: columns[0].paint!)
    }

    /// Without an interval the line leads from where values are seen to the point.
    private func estimate(_ row: Frame.Row) -> IntervalRows.Row? {
        let column = frame.painted[0]
        return column.values[row.place].map { value in
            IntervalRows.Row(
                row.name, figure: figure(row, value), value: value,
                interval: frame.interval(row.place) ?? extras.line.map { min($0, value)...max($0, value) },
                paint: frame.paint(of: column, row.place))
        }
    }

    private func figure(_ row: Frame.Row, _ drawn: Double) -> String {
        extras.figure?(row) ?? FigureLabel.text(drawn, measure)
    }

    private var heatMap: HeatMap {
        func different(_ texts: [String]) -> [String] {
            var seen: Set<String> = []
            return texts.filter { seen.insert($0).inserted }
        }
        let (rows, columns) = (different(frame.names), different(frame.columns[0].cells))
        var values = rows.map { _ in columns.map { _ in nil as Double? } }
        for place in frame.names.indices {
            guard let row = rows.firstIndex(of: frame.names[place]),
                let column = columns.firstIndex(of: frame.columns[0].cells[place])
            else { continue }
            values[row][column] = frame.painted[0].values[place]
        }
        return HeatMap(columns: columns, rows: rows, values: values, measure: measure)
    }
}

extension Frame {
    /// That of the row's group, or else the column's.
    func paint(of column: Column, _ row: Int) -> Paint {
        groups.map { $0.paints[$0.places[row]].paint } ?? column.paint!
    }

    /// What the columns of ends say of a row; nil if one of them is not defined.
    func interval(_ row: Int) -> ClosedRange<Double>? {
        guard let low = columns.first(where: { $0.mark == .low })?.values[row],
            let high = columns.first(where: { $0.mark == .high })?.values[row]
        else { return nil }
        return min(low, high)...max(low, high)
    }
}
