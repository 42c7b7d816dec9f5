import Basics
import Reporting
import ScenarioFiles

/// A plan under what nobody publishes: its answer in each draw of the unknowns, all with the same random numbers, and
/// what each candidate would be worth in all of them.
package struct RegretPlan: Sendable {
    /// The answer in one draw.
    package struct Row: Sendable {
        package let draw: DesignPoint
        /// Nil if no candidate holds.
        package let value: String?
        /// Its place among the candidates.
        fileprivate let place: Int?
        fileprivate let kind: Planner.Answer.Kind

        /// Whether a candidate holds, by the end towards which the targets hold.
        fileprivate func holds(_ candidate: Int) -> Bool {
            switch kind {
            case .everywhere: true
            case .nowhere: false
            case .least: candidate >= place!
            case .largest: candidate <= place!
            }
        }
    }

    /// The worth of one candidate: in the unit of what is looked for, how far it lies on the safe side of what a draw
    /// needs, where it holds, and how far on the other side, where it does not.
    package struct Candidate: Hashable, Sendable {
        package let value: String
        package let shareHolding: Double
        /// Means over all draws in which some candidate holds; nil where what is looked for is no number.
        package let meanExcess, meanShortfall, largestExcess, largestShortfall: Double?

        /// The most that it is off in any draw.
        package var largestRegret: Double? {
            largestExcess.flatMap { excess in largestShortfall.map { max(excess, $0) } }
        }
    }

    /// The share of draws in which the answer holds.
    package static let confidence = 0.95

    package let unknowns: Unknowns
    package let rows: [Row]
    package let candidates: [Candidate]
    /// The cheapest candidate that holds in as many draws as `confidence` asks for; nil if none does.
    package let answer: Candidate?
    /// The candidate whose largest regret is least.
    package let leastRegret: Candidate?
    package let effects: [Unknowns.Effect]

    /// - Parameters:
    ///   - values: the candidates.
    ///   - answers: one for each draw.
    package init(_ unknowns: Unknowns, values: [String], answers: [Planner.Answer]) {
        self.init(
            unknowns, values: values,
            answers.map { answer in
                guard let value = answer.value, answer.isConfirmed, answer.kind != .nowhere else {
                    return (nil, .nowhere)
                }
                return (value, answer.kind)
            })
    }

    /// - Parameter needs: for each draw the least candidate that holds; nil if none does.
    init(_ unknowns: Unknowns, values: [String], needs: [String?]) {
        self.init(unknowns, values: values, needs.map { ($0, $0 == nil ? .nowhere : .least) })
    }

    private init(
        _ unknowns: Unknowns, values: [String], _ answers: [(value: String?, kind: Planner.Answer.Kind)]
    ) {
        self.unknowns = unknowns
        let isFromAbove = answers.count { $0.kind == .largest } > answers.count { $0.kind == .least }
        rows = zip(unknowns.draws, answers).map { draw, answer in
            // Where all values hold, the draw needs the cheapest.
            let value = answer.kind == .everywhere ? isFromAbove ? values.last : values.first : answer.value
            return Row(draw: draw, value: value, place: value.flatMap(values.firstIndex), kind: answer.kind)
        }
        let rows = rows
        let numbers = values.map { Quantity($0)?.double }
        candidates = values.indices.map { place in
            let share = Double(rows.count { $0.holds(place) }) / Double(rows.count)
            let needed = rows.filter { $0.place != nil }
            let distances: [(isHeld: Bool, by: Double)] = needed.compactMap { row in
                guard let its = numbers[place], let least = numbers[row.place!] else { return nil }
                return (row.holds(place), (its - least).magnitude)
            }
            func of(_ isHeld: Bool) -> [Double]? {
                numbers[place] == nil || distances.isEmpty ? nil : distances.filter { $0.isHeld == isHeld }.map(\.by)
            }
            func mean(_ some: [Double]?) -> Double? { some.map { $0.reduce(0, +) / Double(distances.count) } }
            return Candidate(
                value: values[place], shareHolding: share, meanExcess: mean(of(true)), meanShortfall: mean(of(false)),
                largestExcess: of(true).map { $0.max() ?? 0 }, largestShortfall: of(false).map { $0.max() ?? 0 })
        }
        let inOrder = isFromAbove ? candidates.reversed() : candidates
        answer = inOrder.first { $0.shareHolding >= Self.confidence }
        leastRegret = candidates.filter { $0.largestRegret != nil }.min { $0.largestRegret! < $1.largestRegret! }
        effects = unknowns.effects(on: rows.map { $0.place.flatMap { numbers[$0] } })
    }

    /// The answer in sentences without full stops.
    package func sentences(axis: String) -> [String] {
        let (draws, parts) = (
            FigureText.counted(rows.count, "draw"), FigureText.counted(unknowns.axes.count, "unknown")
        )
        var lines: [String] = []
        if let answer {
            let held = answer.shareHolding == 1 ? "all" : Self.percent(answer.shareHolding)
            lines.append(
                "the first \(axis) that holds in 95 % of \(draws) of \(parts): \(answer.value), which holds in \(held)")
        } else if let best = candidates.max(by: { $0.shareHolding < $1.shareHolding }) {
            lines.append(
                "no \(axis) holds in 95 % of \(draws) of \(parts); most often \(best.value), in \(Self.percent(best.shareHolding))"
            )
        }
        let values = rows.compactMap { $0.place }.sorted()
        if let low = values.first, let high = values.last {
            lines.append("draw by draw the answer is \(candidates[low].value) to \(candidates[high].value)")
        }
        if let least = leastRegret, let regret = least.largestRegret {
            lines.append(
                "the largest regret is least with \(least.value), off by at most \(FigureText.threeDigits(regret))")
        }
        let moving = effects.prefix(2).filter { $0.share >= 0.05 }
        if !moving.isEmpty {
            lines.append(
                "what moves it most: "
                    + moving.map { "\($0.name), \(Self.percent($0.share)) of its variance" }.joined(separator: "; "))
        }
        return lines
    }

    private static func percent(_ share: Double) -> String { FigureText.threeDigits(share * 100) + " %" }
}

extension Table<RegretPlan.Candidate> {
    package static func regret(axis: String) -> Self {
        Table(
            "regret",
            "One candidate of a plan under unknowns a row: in how many draws it holds, and by how much it is more or less than each needs, in the unit of what is looked for.",
            [
                .axis(axis, \.value),
                .derived("share_holding", "The share of the draws in which all targets hold.", \.shareHolding),
                .derived(
                    "excess_mean",
                    "The mean of what is more than the draw needs, over the draws in which some candidate holds.",
                    \.meanExcess),
                .derived("excess_largest", "The most of any draw.", \.largestExcess),
                .derived(
                    "shortfall_mean", "The mean of what is missing to what the draw needs, likewise.", \.meanShortfall),
                .derived("shortfall_largest", "The most of any draw.", \.largestShortfall),
            ])
    }
}

extension Table<RegretPlan.Row> {
    /// - Parameter names: of the unknowns.
    package static func unknowns(_ names: [String]) -> Self {
        Table(
            "unknowns", "One draw of the unknowns a row, with the answer of the plan in it.",
            [
                .key("draw", "The number of the draw, counted from 1.", \.draw.number), .axes(names, \.draw.values),
                .derived("answer", "The first candidate with which all targets hold; empty if none does.") {
                    $0.value ?? ""
                },
            ])
    }
}
