import Basics
import Reporting
import Studies

extension WholeCheck.Outcome {
    /// It in a sentence without its full stop.
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
        answerHolds ? nil : CommandFailure(.brokenThreshold, sentence)
    }

    /// One object a value and target.
    var json: JSONText {
        .array(
            rows.flatMap { row in
                zip(targets, row.measured).map { target, measured in
                    .object([
                        "value": row.value, "target": target.text, "measured": measured,
                        "holds": measured.map(target.holds) ?? false,
                    ])
                }
            })
    }
}
