import Basics
import Pages
import Reporting
import Studies

extension PointFigures {
    /// Columns that have room beside each other.
    private static let most = 8

    /// The points of a plan for people, a column each: its candidates, or the months of a growing fleet. With them a
    /// sentence on those that are not shown, which is empty if there are none.
    ///
    /// - Parameters:
    ///   - heading: what the columns are.
    ///   - middle: the number of the point whose neighbours are shown, if there are too many.
    ///   - source: the words on a metric that follow its unit.
    ///   - name: the name of a point, above its column.
    func candidates(
        heading: String, middle: Int, source: (String) -> String, name: (Point) -> String
    ) -> (table: AlignedTable, note: String) {
        let place = self.points.firstIndex { $0.number == middle } ?? 0
        let first = max(0, min(place - Self.most / 2, self.points.count - Self.most))
        let points = Array(self.points.dropFirst(first).prefix(Self.most))
        let pictures = TerminalPicture.ofOutput
        let hasPictures = pictures != nil && points.count > 1
        var table = AlignedTable(
            header: [heading] + points.map(name) + (hasPictures ? [""] : []),
            toTheLeft: hasPictures ? [0, points.count + 1] : [0])
        func add(_ cells: [String], _ values: [Double?]) {
            table.add(cells + (hasPictures ? [pictures?.line(values) ?? ""] : []))
        }
        add(
            ["targets hold in"] + points.map { "\($0.holding) of \($0.runs)" },
            points.map { Double($0.holding) / Double(max(1, $0.runs)) })
        for (place, metric) in metrics.enumerated() {
            let unit = units[place]
            let values = points.map { $0.figures[place]?.mean }
            // A cost of nothing needs no row.
            if UsualFigures.isCost(metric) && values.allSatisfy({ ($0 ?? 0) == 0 }) { continue }
            add(
                [unit.isEmpty || unit == "share" ? metric : "\(metric) (\(unit)\(source(metric)))"]
                    + points.map { PointText.mean($0.figures[place], unit: unit) }, values)
        }
        let left = self.points.count - points.count
        return (table, left > 0 ? "\(left) more in the file\n" : "")
    }
}
