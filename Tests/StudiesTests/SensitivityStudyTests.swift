import Basics
import Foundation
import ScenarioFiles
import Testing

@testable import Studies

@Suite struct SensitivityStudyTests {
    private static func study(_ method: SensitivityStudy.Method, _ axes: [String], conditions: [String] = []) throws
        -> SensitivityStudy
    {
        try SensitivityStudy(
            method, name: nil, scenario: StudyFixture.scenario(), overrides: [], axes: axes.map { try Axis.read($0) },
            conditions: conditions, seed: 1)
    }

    /// Its runs, and the outputs of some metrics.
    private static func outputs(
        _ study: SensitivityStudy, _ metrics: [String], replications: Int = 1, in folder: StudyFolder
    ) throws
        -> [[Double]]
    {
        let runs = try study.study.runs(replications: replications)
        #expect(StudyFixture.perform(study.study, runs, in: folder).allSatisfy { $0.isComplete })
        return try study.outputs(metrics, runs: runs, in: folder)
    }

    private static let axes = [
        "people=range(20,60)", "jitter:kinds.quote.policy.jitter=range(0s,5m)", "parameters.burst_share=0.2,0.5,1",
    ]

    @Test func `a metric that follows one key alone has the whole effect there, and none elsewhere`() throws {
        let scratch = try StudyScratch()
        let study = try Self.study(.morris(trajectories: 4, levels: 4), Self.axes)
        #expect(study.study.points.count == 4 * 4)
        let outputs = try Self.outputs(study, ["people", "devices"], in: scratch.folder)
        guard case .morris(let effects) = study.indices(of: outputs[0]) else {
            return #expect(Bool(false), "no effects")
        }
        // From one end to the other it goes from 20 to 60; the values between are rounded to whole people.
        #expect(abs(effects[0].muStar - 40) < 1 && effects[0].mu == effects[0].muStar && effects[0].sigma < 1)
        #expect(effects[1].muStar == 0 && effects[2].muStar == 0)
    }

    @Test func `its share of the variance is all, and that of the others nothing`() throws {
        let scratch = try StudyScratch()
        let study = try Self.study(.sobol(base: 16), Array(Self.axes.prefix(2)))
        #expect(study.study.points.count == 16 * 4)
        let outputs = try Self.outputs(study, ["people"], in: scratch.folder)
        guard case .sobol(let indices) = study.indices(of: outputs[0]) else {
            return #expect(Bool(false), "no indices")
        }
        #expect(abs(indices[0].total - 1) < 0.15 && abs(indices[0].first - 1) < 0.25, "\(indices[0])")
        #expect(indices[1].total == 0 && indices[1].first == 0)
    }

    @Test func `a metric that is the same everywhere has no indices, and its cells are empty`() throws {
        let scratch = try StudyScratch()
        let study = try Self.study(.morris(trajectories: 2, levels: 4), Array(Self.axes.suffix(2)))
        let outputs = try Self.outputs(study, ["people", "requests_total"], in: scratch.folder)
        guard case .constant = study.indices(of: outputs[0]) else { return #expect(Bool(false), "people vary") }
        try study.write(
            metrics: ["people", "requests_total"], outputs: outputs, to: scratch.folder.path + "/sensitivity")
        let indices = try CSVTable.read(file: scratch.folder.path + "/sensitivity/indices.csv")
        #expect(
            indices.header == ["output", "factor", "levels", "mu", "mu_star", "mu_star_low", "mu_star_high", "sigma"])
        #expect(indices.rows.count == 4)
        #expect(indices.rows[0] == ["people", "jitter", "4", "", "", "", "", ""])
        let design = try CSVTable.read(file: scratch.folder.path + "/sensitivity/design.csv")
        #expect(design.header == ["jitter", "parameters.burst_share"] && design.rows.count == 6)
        #expect(try CSVTable.read(file: scratch.folder.path + "/sensitivity/outputs.csv").rows.count == 6)
    }

    @Test func `an output is the mean over the replications of its point`() throws {
        let scratch = try StudyScratch()
        let study = try Self.study(.morris(trajectories: 2, levels: 4), Array(Self.axes.prefix(2)))
        let outputs = try Self.outputs(study, ["requests_total"], replications: 2, in: scratch.folder)
        let runs = try study.study.runs(replications: 2).filter { $0.point.number == 3 }
        let values = try runs.map {
            try #require(RunFigures(folder: scratch.folder.path(of: $0)).value("requests_total"))
        }
        #expect(values.count == 2 && outputs[0][2] == (values[0] + values[1]) / 2)
    }

    @Test func `a metric that a run does not have is refused with its point`() throws {
        let scratch = try StudyScratch()
        let study = try Self.study(.morris(trajectories: 2, levels: 4), Array(Self.axes.prefix(2)))
        #expect { try Self.outputs(study, ["veiws"], in: scratch.folder) } throws: {
            "\($0)".contains("'veiws'") && "\($0)".contains("jitter=")
        }
    }

    @Test func `one key, conditions, and too many keys for shares are refused`() throws {
        #expect { try Self.study(.morris(trajectories: 2, levels: 4), ["people=20,30"]) } throws: {
            "\($0)".contains("at least two keys")
        }
        #expect { try Self.study(.sobol(base: 4), Self.axes, conditions: ["people > 30"]) } throws: {
            "\($0)".contains("takes no conditions")
        }
        let many = (0..<21).map { "a\($0):key\($0)=1,2" }
        #expect { try Self.study(.sobol(base: 4), many) } throws: {
            "\($0)".contains("at most 20 keys, and these are 21")
        }
    }

    @Test func `some of the axes are taken by their names, each once and in that order`() throws {
        let axes = try Self.axes.map { try Axis.read($0) }
        #expect(
            try SensitivityStudy.axes(axes, only: ["jitter", "people", "jitter"]).map(\.name) == ["jitter", "people"])
        #expect { try SensitivityStudy.axes(axes, only: ["jiter"]) } throws: {
            "\($0)".contains("names of people, jitter") && "\($0)".contains("'jiter'")
        }
    }
}
