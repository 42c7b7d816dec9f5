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
