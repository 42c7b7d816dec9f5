import Basics
import Pages

/// The point of a study at which a metric is best, and the points that chance alone may have put behind it.
///
/// Points share the seeds of their replications, so two of them are told apart by the differences of their pairs, and
/// not by whether the intervals of their means cross.
package struct PointWinner: Sendable {
    package let metric, unit: String
    package let best: PointFigures.Point
    /// The others that have the same value in every replication, and those that cannot be told from the best.
    package let alike, close: [PointFigures.Point]
    /// The next point, and the interval of its distance from the best, where it can be told.
    package let next: (point: PointFigures.Point, distance: ClosedRange<Double>?)?
    /// Whether something tells how far chance moves the points.
    package let isKnown: Bool
    private let place: Int

    package var isSure: Bool { isKnown && close.isEmpty }

    /// - Parameter place: of the metric among the figures of each point.
    /// - Returns: nil with fewer than two points that have a value, or if all have the same one.
    init?(_ metric: String, _ unit: String, at place: Int, among points: [PointFigures.Point]) {
        let found = points.filter { $0.figures[place] != nil }
        (self.metric, self.unit, self.place) = (metric, unit, place)
        let sign: Double = UsualFigures.isBetterMore(metric) ? -1 : 1
        func size(_ point: PointFigures.Point) -> Double { sign * point.figures[place]!.mean }
        let order = found.sorted { (size($0), $0.number) < (size($1), $1.number) }
        guard let best = order.first, let last = order.last, size(best) != size(last) else { return nil }
        self.best = best
        var (alike, close): ([PointFigures.Point], [PointFigures.Point]) = ([], [])
        var next: (point: PointFigures.Point, distance: ClosedRange<Double>?)?
        var isKnown = true
        for other in order.dropFirst() {
            switch PointFigures.Gap(from: best, to: other, place, sign: sign) {
            case .none: alike.append(other)
            case .unsure: close.append(other)
            case .unknown:
                isKnown = false
                if next == nil { next = (other, nil) }
            case .sure(let distance): if next == nil { next = (other, distance) }
            }
        }
        (self.alike, self.close, self.next, self.isKnown) = (alike, close, next, isKnown)
    }

    /// The winner and how sure that is, or that it is too close to call; without a full stop.
    ///
    /// - Parameter isTitled: whether the metric is named in words, as on a page.
    package func sentence(columns: [String], isTitled: Bool = false) -> String {
        func label(_ point: PointFigures.Point) -> String { Study.label(columns, point.values) }
        let measure = MetricText.measure(ofUnit: unit)
        func number(_ value: Double) -> String {
            FigureLabel.plain(value, measure)
        }
        let figure = best.figures[place]!
        let interval = figure.interval.map { " (\(number($0.lowerBound)) to \(number($0.upperBound)))" } ?? ""
        let value = number(figure.mean) + interval
        let name = isTitled ? MetricText.title(metric) : metric
        let kind = UsualFigures.isBetterMore(metric) ? "highest" : "lowest"
        let same = alike.isEmpty ? "" : " and the same at \(Self.listed(alike.map(label)))"
        if !close.isEmpty {
            return
                "\(name): too close to call, \(kind) at \(label(best)), \(value)\(same), from which \(Self.listed(close.map(label))) cannot be told apart"
        }
        let first = "\(name): \(kind) at \(label(best)), \(value)\(same)"
        guard isKnown else {
            return first + "; one run of each point does not tell it from chance (more replications do)"
        }
        guard let next, let distance = next.distance else { return first }
        // Shares of both are percentages, and their distance is in points.
        func far(_ value: Double) -> String { measure == .share ? FigureLabel.text(value * 100) : number(value) }
        return
            "\(first), ahead of \(label(next.point)) by \(far(distance.lowerBound)) to \(far(distance.upperBound))\(measure == .share ? " points" : "")"
    }

    /// More points than a sentence names.
    private static let mostNamed = 2

    private static func listed(_ names: [String]) -> String {
        let others = names.count - mostNamed
        return names.prefix(mostNamed).joined(separator: others > 0 ? ", " : " and ")
            + (others > 0 ? " and \(FigureText.grouped(others)) more" : "")
    }
}

extension PointFigures {
    /// How far a point lies behind another one in a metric.
    enum Gap {
        /// Nowhere is there a difference.
        case none
        /// Chance alone may have made it.
        case unsure
        /// Nothing tells how far chance moves them.
        case unknown
        /// The interval of the distance, above 0.
        case sure(ClosedRange<Double>)

        /// - Parameter sign: -1 for a metric of which more is better.
        init(from best: Point, to other: Point, _ place: Int, sign: Double) {
            let (a, b) = (best.byReplication[place], other.byReplication[place])
            let pairs = a.keys.filter { b[$0] != nil }.sorted()
            if !pairs.isEmpty, pairs.allSatisfy({ a[$0] == b[$0] }) {
                self = .none
                return
            }
            let difference = pairs.isEmpty ? nil : SampleSummary(pairs.map { sign * (b[$0]! - a[$0]!) })
            if let interval = difference?.interval {
                self = interval.low > 0 ? .sure(interval.low...interval.high) : .unsure
                return
            }
            // Single runs may state by how far other draws differ.
            guard let own = best.figures[place]?.interval, let its = other.figures[place]?.interval else {
                self = .unknown
                return
            }
            let (near, far) =
                sign > 0
                ? (its.lowerBound - own.upperBound, its.upperBound - own.lowerBound)
                : (own.lowerBound - its.upperBound, own.upperBound - its.lowerBound)
            self = near > 0 ? .sure(near...far) : .unsure
        }
    }

    /// The best point of each metric that is judged, among those at which the targets hold: of what people see, of the
    /// metric that the points are sorted by, of the frontier and of the targets; or else of the first one.
    package func winners(sortedBy sorted: String? = nil) -> [PointWinner] {
        let holding = points.filter(\.holds)
        let named =
            [UsualFigures.views[0]] + (sorted.map { [$0] } ?? []) + (frontier ?? []) + PlanTarget.metrics(of: targets)
        var places = named.uniqued.compactMap { metrics.firstIndex(of: $0) }
        if places.isEmpty { places = Array(metrics.indices.prefix(1)) }
        return places.compactMap { PointWinner(metrics[$0], units[$0], at: $0, among: holding) }
    }

    /// Whether no point that holds the targets beats another one by more than chance explains: in one of both metrics
    /// surely, and in the other one not worse.
    func isClose(_ point: Point, to others: [Point], _ places: [Int], _ signs: [Double]) -> Bool {
        !others.contains { other in
            let gaps = zip(places, signs).map { Gap(from: other, to: point, $0, sign: $1) }
            let isNoWorse = zip(places, signs).allSatisfy { place, sign in
                sign * other.figures[place]!.mean <= sign * point.figures[place]!.mean
            }
            return isNoWorse && gaps.contains { if case .sure = $0 { true } else { false } }
        }
    }
}

/// The points that no other beats in two figures at once, the less the better in both.
package enum Frontier {
    /// One mark for each point; a point without a figure has none. Points that are equal in both stand together.
    package static func marks(_ points: [(x: Double, y: Double)?]) -> [Bool] {
        var marks = points.map { _ in false }
        let order = points.indices.filter { points[$0] != nil }.sorted { points[$0]! < points[$1]! }
        var last: (x: Double, y: Double)?
        for place in order {
            let point = points[place]!
            if let last, point.y >= last.y, point != last { continue }
            marks[place] = true
            last = point
        }
        return marks
    }
}
