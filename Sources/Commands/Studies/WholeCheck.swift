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
    /// The units of the targets' metrics.
    private let units: [String]

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
        let all = try runs.map { try RunFigures(folder: place.path(of: $0)) }
        units = targets.map { all.first?.figure($0.metric)?.unit ?? "" }
        rows = zip(points, all).map { point, figures in
            let measured = targets.map { figures.value($0.metric) }
            return Row(
                value: point.values[0], measured: measured,
                holds: zip(targets, measured).allSatisfy { target, value in value.map(target.holds) ?? false })
        }
    }

    var answerHolds: Bool { rows[0].holds }

    /// The outcome in a sentence without its full stop.
    var sentence: String {
        let parts = rows.map { row in
            let measured = targets.indices.map { place in
                let value = row.measured[place].map { Figures.short($0) + (units[place] == "s" ? " s" : "") }
                return "\(targets[place].metric) is \(value ?? "not defined")"
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

    /// One object a value and target.
    var json: JSONText {
        .array(
            rows.flatMap { row in
                zip(targets, row.measured).map { target, measured in
                    .object([
                        ("value", .string(row.value)), ("target", .string(target.text)),
                        ("measured", measured.map { .number($0) } ?? .null),
                        ("holds", .boolean(measured.map(target.holds) ?? false)),
                    ])
                }
            })
    }
}
