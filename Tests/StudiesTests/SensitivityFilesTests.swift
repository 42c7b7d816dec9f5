import Foundation
import Testing

@testable import Studies

/// Writes designs, outputs and indices of functions with known indices, for `scripts/check-sensitivity` to compare with
/// SALib; its Python tool says what the files hold. Only where the environment names a folder.
@Suite struct SensitivityFilesTests {
    private static let folder = ProcessInfo.processInfo.environment["RELOADSIM_SENSITIVITY_FOLDER"]

    private static func write(
        _ name: String, _ function: TestFunction, _ points: [[Double]], _ outputs: [Double], _ indices: [String]
    )
        throws
    {
        let folder = URL(filePath: try #require(Self.folder)).appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ lines: [String], to file: String) throws {
            try (lines.joined(separator: "\n") + "\n").write(
                to: folder.appending(path: file), atomically: true, encoding: .utf8)
        }
        try write(
            [function.factors.joined(separator: ",")] + points.map { $0.map { "\($0)" }.joined(separator: ",") },
            to: "design.csv")
        try write(["y"] + outputs.map { "\($0)" }, to: "outputs.csv")
        try write(indices, to: "indices.csv")
    }

    private static func row(_ factor: String, _ numbers: [Double]) -> String {
        (["y", factor] + numbers.map { "\($0)" }).joined(separator: ",")
    }

    @Test(
        .enabled(if: folder != nil, "RELOADSIM_SENSITIVITY_FOLDER names no folder"),
        arguments: [TestFunction.ishigami, .g])
    func `Sobol indices are written for the reference`(function: TestFunction) throws {
        let design = SaltelliDesign(factors: function.factors.count, base: 1_024, seed: 1)
        let outputs = design.points.map(function.value)
        let rows = try #require(design.indices(of: outputs)).map { indices in
            let first = try #require(indices.firstInterval)
            let total = try #require(indices.totalInterval)
            return Self.row(
                function.factors[indices.factor],
                [indices.first, first.low, first.high, indices.total, total.low, total.high])
        }
        try Self.write(
            "\(function.name)-sobol", function, design.points, outputs,
            ["output,factor,first,first_low,first_high,total,total_low,total_high"] + rows)
    }

    @Test(
        .enabled(if: folder != nil, "RELOADSIM_SENSITIVITY_FOLDER names no folder"),
        arguments: [TestFunction.ishigami, .g])
    func `elementary effects are written for the reference`(function: TestFunction) throws {
        let design = MorrisDesign(factors: function.factors.count, trajectories: 100, levels: 6, seed: 1)
        let outputs = design.points.map(function.value)
        let rows = try design.effects(of: outputs).map { effect in
            let interval = try #require(effect.muStarInterval)
            return Self.row(
                function.factors[effect.factor],
                [Double(design.levels), effect.mu, effect.muStar, interval.low, interval.high, effect.sigma])
        }
        try Self.write(
            "\(function.name)-morris", function, design.points, outputs,
            ["output,factor,levels,mu,mu_star,mu_star_low,mu_star_high,sigma"] + rows)
    }
}
