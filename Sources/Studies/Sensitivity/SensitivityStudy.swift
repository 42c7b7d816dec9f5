import Reporting
import ScenarioFiles

/// Which of several keys a metric depends on: runs at the points of Morris's or Saltelli's design, all with the same
/// random numbers, and the indices of their figures.
package struct SensitivityStudy: Sendable {
    package enum Method: Hashable, Sendable {
        /// Elementary effects along trajectories.
        case morris(trajectories: Int, levels: Int)
        /// First-order and total shares of the variance, from so many base rows.
        case sobol(base: Int)
    }

    package let study: Study
    package let axes: [Axis]
    let design: any SensitivityDesign

    /// - Parameters:
    ///   - axes: the keys with what each is varied over: all between two values, or some that are equally likely.
    ///   - seed: of the design; the runs have the scenario's.
    package init(
        _ method: Method, name: String?, scenario: ScenarioText, overrides: [String], axes: [Axis],
        conditions: [String], seed: UInt64
    ) throws {
        guard axes.count >= 2 else {
            throw StudyProblem("--vary", expected: "at least two keys to tell apart", found: "\(axes.count)")
        }
        guard conditions.isEmpty else {
            throw StudyProblem(
                "a design of sensitivity is whole: it leaves no point out, so it takes no conditions ('where')")
        }
        switch method {
        case .morris(let trajectories, let levels):
            for axis in axes { try Self.check(axis, levels: levels) }
            design = MorrisDesign(factors: axes.count, trajectories: trajectories, levels: levels, seed: seed)
        case .sobol(let base):
            guard axes.count <= SaltelliDesign.mostFactors else {
                throw StudyProblem(
                    "Sobol indices take at most \(SaltelliDesign.mostFactors) keys, and these are \(axes.count): screen them with --method morris first"
                )
            }
            design = SaltelliDesign(factors: axes.count, base: base, seed: seed)
        }
        self.axes = axes
        let isGrid = if case .morris = method { true } else { false }
        let rows = design.points.map { point in
            zip(axes, point).map { isGrid ? $0.values.value(onGrid: $1) : $0.values.value(at: $1) }
        }
        study = try Study(
            name: name, scenario: scenario, overrides: overrides,
            design: StudyDesign(arrangement: .listed(rows), axes: axes))
    }

    /// How far a step may be from the design's where whole numbers are rounded, as a part of the whole axis.
    private static let mostRounding = 0.1

    /// Effects are those of one step of the design, which whole numbers must be able to take.
    private static func check(_ axis: Axis, levels: Int) throws(StudyProblem) {
        guard let width = axis.values.wholeWidth else { return }
        let places = (0..<levels).map { (Double($0) / Double(levels - 1) * Double(width)).rounded() / Double(width) }
        let step = Double(levels) / Double(2 * (levels - 1))
        for low in 0..<levels / 2 where (places[low + levels / 2] - places[low] - step).magnitude > mostRounding {
            throw StudyProblem(
                axis.name, expected: "a wider range of whole numbers for \(levels) levels, or --levels 2",
                found: "one that is \(width) wide")
        }
    }

    /// Some of the axes, in the order of the names.
    package static func axes(_ axes: [Axis], only names: [String]) throws(StudyProblem) -> [Axis] {
        var some: [Axis] = []
        for name in names where !some.contains(where: { $0.name == name }) {
            guard let axis = axes.first(where: { $0.name == name }) else {
                throw StudyProblem(
                    "--only", expected: "names of \(axes.map(\.name).joined(separator: ", "))", found: "'\(name)'")
            }
            some.append(axis)
        }
        return some
    }

    /// The points in the unit cube, in the design's order.
    package var points: [[Double]] { design.points }

    /// The indices of every axis for one metric.
    package enum Indices: Sendable {
        case morris([MorrisEffect])
        case sobol([SobolIndices])
        /// The metric is the same at every point.
        case constant
    }

    /// The metric at every point: the mean over its replications.
    ///
    /// - Parameter runs: all runs of the study.
    /// - Throws: a metric that no run has, or that is not defined at some point.
    package func outputs(_ metrics: [String], runs: [StudyRun], in folder: StudyFolder) throws -> [[Double]] {
        var sums = Array(repeating: Array(repeating: 0.0, count: study.points.count), count: metrics.count)
        var counts = Array(repeating: 0, count: study.points.count)
        for run in runs {
            let figures = try folder.figures(of: run)
            for (index, metric) in metrics.enumerated() {
                guard let value = figures.value(metric) else {
                    throw StudyProblem(
                        "--metric", expected: "a metric that every run has",
                        found: "'\(metric)', which has no value at \(study.label(of: run.point))")
                }
                sums[index][run.point.number - 1] += value
            }
            counts[run.point.number - 1] += 1
        }
        precondition(counts.allSatisfy { $0 == counts[0] && $0 > 0 }, "points with different numbers of replications")
        return sums.map { $0.map { $0 / Double(counts[0]) } }
    }

    package func indices(of outputs: [Double]) -> Indices {
        Self.vary(outputs) ? design.told(of: outputs) : .constant
    }

    static func vary(_ outputs: [Double]) -> Bool { outputs.contains { $0 != outputs[0] } }
}

/// Points in the unit cube from whose outputs the indices of every factor follow.
protocol SensitivityDesign: Sendable {
    associatedtype Index

    var points: [[Double]] { get }
    /// The table of its indices.
    var table: Table<AxisRow<Index>> { get }
    /// The indices in the factors' order; nil if they are those of a metric that is the same at every point.
    func indices(of outputs: [Double]) -> [Index]?
    static func told(_ indices: [Index]) -> SensitivityStudy.Indices
}

extension SensitivityDesign {
    fileprivate func told(of outputs: [Double]) -> SensitivityStudy.Indices {
        indices(of: outputs).map(Self.told) ?? .constant
    }
}

extension MorrisDesign: SensitivityDesign {
    var table: Table<AxisRow<MorrisEffect>> { .morrisEffects(levels: levels) }
    func indices(of outputs: [Double]) -> [MorrisEffect]? { effects(of: outputs) }
    static func told(_ indices: [MorrisEffect]) -> SensitivityStudy.Indices { .morris(indices) }
}

extension SaltelliDesign: SensitivityDesign {
    var table: Table<AxisRow<SobolIndices>> { .sobolIndices }
    func indices(of outputs: [Double]) -> [SobolIndices]? { indices(of: outputs, resamples: Bootstrap.usualResamples) }
    static func told(_ indices: [SobolIndices]) -> SensitivityStudy.Indices { .sobol(indices) }
}
