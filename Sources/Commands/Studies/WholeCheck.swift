import Basics
import Reporting
import ScenarioFiles
import Studies

/// The answer of a plan from a sample, and the value one step before it, before all people for whom the sample stands.
struct WholeCheck {
    struct Row {
        let value: String
        /// For each target its metric; nil if it is not defined.
        let measured: [Double?]
        let holds: Bool
    }

    let people: Int
    /// The answer, then its neighbour, if there is one; one run of each.
    let rows: [Row]
    private let targets: [PlanTarget]
    /// The name of what was found.
    private let axis: String

    /// - Parameters:
    ///   - overrides: of the plan.
    ///   - perform: performs the runs whose results are not there yet.
    init(
        of people: Int, _ study: Study, overrides: [String], values: [String], _ targets: [PlanTarget],
        in place: StudyFolder, perform: ([StudyRun], Study) throws -> Void
    ) throws {
        let whole = try Study(
            name: study.name, scenario: study.scenario,
            overrides: overrides + ["people=\(people)", "report.represents=null"], design: study.design)
        let points = values.compactMap { value in whole.points.first { $0.values == [value] } }
        let runs = try points.map { try whole.run(at: $0, replication: 1) }
        try perform(runs, whole)
        self.people = people
        self.targets = targets
        axis = study.design.axes[0].name
        rows = try zip(points, runs).map { point, run in
            let figures = try RunFigures(folder: place.path(of: run))
            let measured = targets.map { figures.value($0.metric) }
            return Row(
                value: point.values[0], measured: measured,
                holds: zip(targets, measured).allSatisfy { target, value in value.map(target.holds) ?? false })
        }
    }

    var answerHolds: Bool { rows[0].holds }

    /// What all people show, in a sentence without its full stop.
    var sentence: String {
        let parts = rows.map { row in
            let measured = zip(targets, row.measured).map { target, value in
                "\(target.metric) is \(value.map(Figures.short) ?? "not defined")"
            }
            return
                "at \(row.value) the targets \(row.holds ? "hold" : "do not hold"): \(measured.joined(separator: ", "))"
        }
        let fewer = rows.count > 1 && rows.allSatisfy(\.holds) ? "; a value before \(rows[1].value) may do" : ""
        return "all \(FigureText.grouped(Int64(people))) people, simulated once, "
            + parts.joined(separator: "; ") + fewer
    }

    /// Why the answer of the sample is none; nil if it holds.
    var refusal: CommandFailure? {
        answerHolds ? nil : CommandFailure(status: .brokenThreshold, sentence: sentence)
    }

    var json: JSONText {
        .array(
            rows.map { row in
                .object([
                    ("value", .string(row.value)), ("holds", .boolean(row.holds)),
                    ("measured", .array(row.measured.map { $0.map { .number($0) } ?? .null })),
                ])
            })
    }
}
