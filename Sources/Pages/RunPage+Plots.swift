/// Plots over the time of the report and over the hours of a day.
extension RunPage {
    /// - Parameters:
    ///   - bins: how many the report has.
    ///   - y: by default from 0 to the last of the ticks.
    func timePlot(height: Double = 220, bins: Int, _ yTicks: [Tick], y: Scale? = nil) -> Plot {
        let x = Scale.linear(0, Double(bins) * load.binWidth)
        return Plot(height: height, x: x, y: y ?? .upTo(yTicks), xTicks: clockTicks(x), yTicks: yTicks)
    }

    static func hourPlot(_ yTicks: [Tick]) -> Plot {
        let x = Scale.linear(0, 24)
        let ticks = stride(from: 0, through: 24, by: 3).map { Tick(Double($0), hourText($0 % 24)) }
        return Plot(x: x, y: .upTo(yTicks), xTicks: Plot.thinned(ticks, on: x), yTicks: yTicks)
    }

    /// When a column of bins begins, by the page's clock.
    func start(_ column: Int, of columns: ColumnReduction) -> String {
        clock.text(Double(columns.range(column).lowerBound) * load.binWidth)
    }
}

extension Scale {
    /// From 0 to the last tick.
    static func upTo(_ ticks: [Tick]) -> Scale { linear(0, ticks[ticks.count - 1].value) }
}
