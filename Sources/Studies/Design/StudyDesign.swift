import ScenarioFiles
import Statistics

/// One thing that a study varies.
package struct Axis: Hashable, Sendable {
    /// The name of its column.
    package let name: String
    /// The key path that it sets.
    package let key: String
    package let values: AxisValues

    package init(name: String, key: String, values: AxisValues) {
        self.name = name
        self.key = key
        self.values = values
    }

    /// Reads `key=values` or `name:key=values`.
    ///
    /// - Parameter option: the option that the text was given to, for the problem.
    package static func read(_ text: String, option: String = "--vary") throws(StudyProblem) -> Axis {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw StudyProblem(option, expected: "key=values or name:key=values", found: "'\(text)'")
        }
        var key = String(text[..<equals]).trimmed
        var name = key
        if let colon = key.firstIndex(of: ":") {
            (name, key) = (String(key[..<colon]), String(key[key.index(after: colon)...]))
        }
        guard isName(name) else {
            throw StudyProblem(
                option, expected: "an axis named with letters, digits, '_', '-' and '.'", found: "'\(name)'")
        }
        guard !reserved.contains(name) else {
            throw StudyProblem(
                option, expected: "another name for the axis '\(name)', as in x:\(key)=…",
                found: "a column that every study has")
        }
        return Axis(
            name: name, key: key,
            values: try AxisValues.read(String(text[text.index(after: equals)...]), at: "\(option) \(name)"))
    }

    /// Reads an axis of `study.axes`, or of another key.
    init(_ block: StudyBlock.Axis, of key: String = "study.axes") throws(StudyProblem) {
        let place = "\(key).\(block.name)"
        let values: AxisValues
        switch block.values {
        case .listed(let list): values = try .listed(list, at: place)
        case .expression(let text): values = try .read(text, at: place)
        }
        self.init(name: block.name, key: block.key, values: values)
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.first != UInt8(ascii: "-")
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
    }

    /// The columns that a study's tables have beside the axes.
    static let reserved = Set(KeyCatalogue.namesOfColumns)
}

/// One combination of values.
package struct DesignPoint: Hashable, Sendable {
    /// Counted from 1 in the design's order.
    package let number: Int
    /// The name of the set of overrides; nil if the study has none.
    package let variant: String?
    /// One for each axis, as an override writes it.
    package let values: [String]
}

/// Which points a study has: what is varied, and in which combinations.
package struct StudyDesign: Sendable {
    package enum Arrangement: Hashable, Sendable {
        /// Every combination.
        case grid
        /// So many points of Sobol's sequence, without its origin: they fill the space evenly, and more points continue
        /// where fewer ended.
        case sobol(Int)
        /// So many points, one in each of as many equal parts of every axis.
        case latinHypercube(Int)
        /// The points that a file lists, a row each.
        case listed([[String]])
    }

    package var arrangement: Arrangement
    package var axes: [Axis]
    /// Names of axes that go in lockstep; they have as many values as each other.
    package var zips: [[String]]
    package var variants: [StudyBlock.Variant]
    package var conditions: [Condition]
    /// The seed of a Latin hypercube.
    package var seed: UInt64

    package init(
        arrangement: Arrangement = .grid, axes: [Axis], zips: [[String]] = [], variants: [StudyBlock.Variant] = [],
        conditions: [Condition] = [], seed: UInt64 = 1
    ) {
        self.arrangement = arrangement
        self.axes = axes
        self.zips = zips
        self.variants = variants
        self.conditions = conditions
        self.seed = seed
    }

    /// More points than these are no study but a mistake.
    package static let mostPoints = 1_000_000

    /// The names that conditions may use.
    package var names: [String] { (variants.isEmpty ? [] : ["scenario"]) + axes.map(\.name) }

    /// The points, those left out that do not meet the conditions.
    package func points() throws(StudyProblem) -> [DesignPoint] {
        let combinations = try valueCombinations()
        var points: [DesignPoint] = []
        for variant in variants.isEmpty ? [nil] : variants.map({ Optional($0.name) }) {
            for values in combinations {
                let point = DesignPoint(number: points.count + 1, variant: variant, values: values)
                if try isMet(by: point) { points.append(point) }
            }
        }
        if points.isEmpty {
            let texts = conditions.map { "'\($0.text)'" }.joined(separator: ", ")
            throw StudyProblem(
                "the conditions leave no point of \(combinations.count * max(1, variants.count)): \(texts)")
        }
        return points
    }

    private func isMet(by point: DesignPoint) throws(StudyProblem) -> Bool {
        for condition in conditions where !(try condition.holds({ value(of: $0, at: point) })) { return false }
        return true
    }

    /// The value of an axis, or the variant's name for `scenario`.
    package func value(of name: String, at point: DesignPoint) -> String {
        if name == "scenario", let variant = point.variant { return variant }
        guard let at = axes.firstIndex(where: { $0.name == name }) else { preconditionFailure("no axis \(name)") }
        return point.values[at]
    }

    /// The overrides of a point: its variant's, then its axes'.
    package func overrides(of point: DesignPoint) -> [String] {
        let variant = variants.first { $0.name == point.variant }?.overrides ?? []
        return variant + zip(axes, point.values).map { "\($0.key)=\($1)" }
    }

    // MARK: Combinations

    private func valueCombinations() throws(StudyProblem) -> [[String]] {
        switch arrangement {
        case .listed(let rows): return rows
        case .grid: return try grid()
        case .sobol(let count):
            let groups = try filledGroups()
            return QuasiRandom.points(count: count, dimensions: max(1, groups.count)).map { values(at: $0, groups) }
        case .latinHypercube(let count):
            let groups = try filledGroups()
            return LatinHypercube.points(count: count, dimensions: max(1, groups.count), seed: seed)
                .map { values(at: $0, groups) }
        }
    }

    /// The values of the axes at a point with a coordinate for each group.
    private func values(at shares: [Double], _ groups: [[Int]]) -> [String] {
        var values = Array(repeating: "", count: axes.count)
        for (group, share) in zip(groups, shares) {
            for axis in group { values[axis] = axes[axis].values.value(at: share) }
        }
        return values
    }

    /// The axes that share a coordinate in a design that fills the space: each its own, those in lockstep one.
    private func filledGroups() throws(StudyProblem) -> [[Int]] {
        try checkFilled()
        for name in zips.joined() {
            if let axis = axes.first(where: { $0.name == name }), axis.values.list == nil {
                throw StudyProblem(
                    name, expected: "values one by one for an axis in lockstep", found: "all values between two")
            }
        }
        return try groups(axes.map { $0.values.list ?? [] })
    }

    private func checkFilled() throws(StudyProblem) {
        if axes.isEmpty {
            throw StudyProblem("a design that fills the space needs an axis: --vary key=range(from, to)")
        }
        if case .sobol = arrangement, axes.count > SobolSequence.mostDimensions {
            throw StudyProblem(
                "Sobol's sequence has at most \(SobolSequence.mostDimensions) axes, and these are \(axes.count): take lhs"
            )
        }
    }

    /// The last axis changes fastest.
    private func grid() throws(StudyProblem) -> [[String]] {
        var lists: [[String]] = []
        for axis in axes {
            guard let list = axis.values.list else {
                throw StudyProblem(
                    axis.name, expected: "values one by one, such as range(from, to, step), for a grid",
                    found: "all values between two")
            }
            lists.append(list)
        }
        let groups = try groups(lists)
        let total = groups.reduce(1.0) { $0 * Double(lists[$1[0]].count) }
        guard total <= Double(Self.mostPoints) else {
            throw StudyProblem(
                "the grid has some \(Int(min(total, 1e15))) points, and a study has at most \(Self.mostPoints)")
        }
        var combinations = [Array(repeating: "", count: axes.count)]
        for group in groups {
            combinations = combinations.flatMap { combination in
                lists[group[0]].indices.map { index in
                    var next = combination
                    for axis in group { next[axis] = lists[axis][index] }
                    return next
                }
            }
        }
        return combinations
    }

    /// The axes by number, those in lockstep together, in the order of their first.
    private func groups(_ lists: [[String]]) throws(StudyProblem) -> [[Int]] {
        var groups: [[Int]] = []
        for index in axes.indices where !groups.contains(where: { $0.contains(index) }) {
            guard let zip = zips.first(where: { $0.contains(axes[index].name) }) else {
                groups.append([index])
                continue
            }
            var group: [Int] = []
            for name in zip {
                guard let axis = axes.firstIndex(where: { $0.name == name }) else {
                    throw StudyProblem(
                        "--zip", expected: "names of axes: \(axes.map(\.name).joined(separator: ", "))",
                        found: "'\(name)'")
                }
                guard lists[axis].count == lists[index].count else {
                    throw StudyProblem(
                        "axes in lockstep have as many values as each other: \(axes[index].name) has \(lists[index].count), "
                            + "\(name) has \(lists[axis].count)")
                }
                group.append(axis)
            }
            groups.append(group)
        }
        return groups
    }
}
