import Basics
import Reporting
import Studies

/// The points of a plan for people, a column each: its candidates, or the months of a growing fleet.
struct CandidateText {
    /// Columns that have room beside each other.
    private static let most = 8

    private let heading: String
    private let names: [String]
    private let points: [PointFigures.Point]
    private let figures: PointFigures
    private let source: (String) -> String

    /// - Parameters:
    ///   - heading: what the columns are.
    ///   - middle: the number of the point whose neighbours are shown, if there are too many.
    ///   - source: the words on a metric that follow its unit.
    ///   - name: the name of a point, above its column.
    init(
        _ figures: PointFigures, heading: String, middle: Int, source: @escaping (String) -> String,
        name: (PointFigures.Point) -> String
    ) {
        let all = figures.points
        let place = all.firstIndex { $0.number == middle } ?? 0
        let first = max(0, min(place - Self.most / 2, all.count - Self.most))
        points = Array(all.dropFirst(first).prefix(Self.most))
        names = points.map(name)
        self.heading = heading
        self.figures = figures
        self.source = source
    }

    var table: AlignedTable {
        let pictures = TerminalPicture.ofOutput
        let hasPictures = pictures != nil && points.count > 1
        var table = AlignedTable(
            header: [heading] + names + (hasPictures ? [""] : []), toTheLeft: hasPictures ? [0, points.count + 1] : [0])
        func add(_ cells: [String], _ values: [Double?]) {
            table.add(cells + (hasPictures ? [pictures?.line(values) ?? ""] : []))
        }
        add(
            ["targets hold in"] + points.map { "\($0.holding) of \($0.runs)" },
            points.map { Double($0.holding) / Double(max(1, $0.runs)) })
        for (place, metric) in figures.metrics.enumerated() {
            let unit = figures.units[place]
            let values = points.map { $0.figures[place]?.mean }
            // A cost of nothing needs no row.
            if metric.contains(".cost_") && values.allSatisfy({ ($0 ?? 0) == 0 }) { continue }
            add(
                [unit.isEmpty || unit == "share" ? metric : "\(metric) (\(unit)\(source(metric)))"]
                    + points.map { PointText.mean($0.figures[place], unit: unit) }, values)
        }
        return table
    }

    /// A sentence on the points that are not shown; empty if there are none.
    var note: String {
        let left = figures.points.count - points.count
        return left > 0 ? "\(left) more in the file\n" : ""
    }
}
