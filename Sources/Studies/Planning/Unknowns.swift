import Basics
import EmbeddedTexts
import ScenarioFiles
import Statistics

/// Draws of what nobody publishes: settings of the parameters of section 14 of MODEL.md, and of others that a user does
/// not know, over the ranges worth sweeping, each value equally likely. A Latin hypercube spreads them: of Sobol's
/// sequence a hundred points of two dozen dimensions have pairs that correlate by 0.4, and thirty by 0.9, so that what
/// one unknown does would be told of another.
package struct Unknowns: Sendable {
    /// Those that the scenario has a use for: the user's own, those of the scenario's study, then the published ranges.
    package let axes: [Axis]
    package let draws: [DesignPoint]
    package let design: StudyDesign

    /// - Parameters:
    ///   - count: of draws, 2 or more.
    ///   - overrides: of the scenario. What they set is known.
    ///   - own: axes in place of, or beside, the published ones.
    ///   - key: one that is varied otherwise.
    package init(
        _ count: Int, of scenario: ScenarioText, overrides: [String], own: [Axis] = [], except key: String? = nil
    ) throws {
        for (place, axis) in own.enumerated() {
            if axis.key == key {
                throw StudyProblem("--unknown", expected: "another key than the one of --find", found: axis.key)
            }
            if own[..<place].contains(where: { $0.key == axis.key || $0.name == axis.name }) {
                throw StudyProblem("--unknown", expected: "each key and each name once", found: "\(axis.name) twice")
            }
        }
        let known = overrides.compactMap { $0.split(separator: "=").first.map(String.init) } + (key.map { [$0] } ?? [])
        let study = try scenario.read(overrides: overrides).study
        let measured = try (study?.unknowns ?? []).map { axis throws(StudyProblem) in
            try Axis(axis, of: "study.unknowns")
        }.filter { axis in
            !own.contains { $0.key == axis.key || $0.name == axis.name } && !known.contains(axis.key)
        }
        let published = try Self.published().filter { axis in
            !(own + measured).contains { $0.key == axis.key || $0.name == axis.name } && !known.contains(axis.key)
                && Self.isUsed(axis, in: scenario, overrides)
        }
        axes = own + measured + published
        guard !axes.isEmpty else {
            throw StudyProblem(
                "--unknowns", expected: "a scenario with parameters that nobody publishes, or --unknown", found: "none")
        }
        let zips = (study?.zip ?? []).map { zip in zip.filter { name in measured.contains { $0.name == name } } }
        design = StudyDesign(arrangement: .latinHypercube(count), axes: axes, zips: zips.filter { $0.count > 1 })
        draws = try design.points()
        for draw in draws {
            do throws(ScenarioProblems) {
                _ = try scenario.read(overrides: overrides + design.overrides(of: draw))
            } catch {
                throw StudyProblem(
                    "--unknowns",
                    expected:
                        "draws that the scenario takes: state a narrower range, as in --unknown 'parameters.a_min=range(0.0,5.0)'",
                    found: error.problems.first?.description ?? "a problem")
            }
        }
    }

    package func overrides(of draw: DesignPoint) -> [String] { design.overrides(of: draw) }

    /// The ranges of `Scenarios/unknowns.yaml`.
    private static func published() throws -> [Axis] {
        let read = try ScenarioText(text: EmbeddedText.unknowns, file: "unknowns.yaml").read()
        return try StudyRequest(read.study).axes
    }

    /// Whether a scenario has the key, and it does not warn that a value of it has no effect.
    private static func isUsed(_ axis: Axis, in scenario: ScenarioText, _ overrides: [String]) -> Bool {
        do throws(ScenarioProblems) {
            let read = try scenario.read(overrides: overrides + ["\(axis.key)=\(axis.values.value(at: 0.7))"])
            return !read.noticed.contains { $0.contains(axis.key + ":") }
        } catch {
            return false
        }
    }
}

extension Unknowns {
    /// How much of the variance of a figure over the draws follows one unknown: the correlation ratio over quarters of
    /// its range, or over its values if they are listed, less what chance gives so many groups (Kelley's adjustment).
    package struct Effect: Hashable, Sendable {
        package let name: String
        /// 0 to 1.
        package let share: Double
    }

    /// The unknowns that move a figure most: the first by itself, the next by what is left of the figure once those
    /// before it are taken out, so that shares add up to 1 at most.
    ///
    /// - Parameters:
    ///   - figures: one for each draw; nil where there is none.
    ///   - most: how many are looked for.
    /// - Returns: none if the figure does not vary, or is known in fewer than 8 draws.
    package func effects(on figures: [Double?], most: Int = 2) -> [Effect] {
        let known = zip(draws, figures).compactMap { draw, figure in figure.map { (draw: draw, figure: $0) } }
        let all = Double(known.count)
        let mean = known.reduce(0) { $0 + $1.figure } / max(1, all)
        var rest = known.map { $0.figure - mean }
        let total = Self.squares(rest)
        // A figure that is the same in all draws differs from its mean by rounding.
        if known.count < 8 || total <= 1e-20 * all * max(1e-200, mean * mean) { return [] }
        let groups = axes.indices.map { place in
            Dictionary(grouping: known.indices) { group(of: known[$0].draw.values[place], on: axes[place]) }
        }
        var effects: [Effect] = []
        var open = Set(axes.indices)
        /// The largest share of what is left that follows one of those that are open.
        func largest(of rest: [Double]) -> (place: Int, share: Double)? {
            let before = Self.squares(rest)
            return open.sorted().map { place in
                let after = Self.squares(Self.without(groups[place].values.map { $0 }, rest))
                let few = Double(groups[place].count)
                return (place, all > few ? (before - after * (all - 1) / (all - few)) / total : 0)
            }.max { $0.1 < $1.1 }
        }
        while effects.count < most {
            guard let found = largest(of: rest), found.share > 0 else { break }
            // By chance the largest of so many is seldom larger than in any of these orders.
            let byChance =
                (0..<Self.orders).map { number in
                    var order = RandomStream(seed: 1, person: UInt64(number), purpose: .designOrder)
                    let shuffled = order.permutation(of: rest.count).map { rest[$0] }
                    return largest(of: shuffled)?.share ?? 0
                }.max() ?? 0
            if found.share <= byChance { break }
            effects.append(Effect(name: axes[found.place].name, share: min(1, found.share)))
            rest = Self.without(groups[found.place].values.map { $0 }, rest)
            open.remove(found.place)
        }
        return effects
    }

    private static func squares(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 } }

    /// Values without the mean of their group.
    private static func without(_ groups: [[Int]], _ values: [Double]) -> [Double] {
        var rest = values
        for group in groups {
            let mean = group.reduce(0) { $0 + values[$1] } / Double(group.count)
            for index in group { rest[index] -= mean }
        }
        return rest
    }

    /// In one of twenty figures that follow nothing chance alone is told as an effect.
    private static let orders = 19

    /// A listed value is a group, and a quarter of a range.
    private func group(of value: String, on axis: Axis) -> String {
        if axis.values.list != nil { return value }
        let ends = [0.25, 0.5, 0.75].compactMap { Quantity(axis.values.value(at: $0))?.double }
        guard let number = Quantity(value)?.double else { return value }
        return "\(ends.count { number >= $0 })"
    }
}
