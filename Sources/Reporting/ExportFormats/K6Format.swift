import ResultFiles
import Basics

/// k6: stages of the executor `ramping-arrival-rate`, and a script that reads them.
extension ExportContents {
    var k6: [ExportFile] {
        let steps = rateSteps
        var stages: [JSONText] = []
        func add(_ milliseconds: Int, _ rate: Int) {
            stages.append(.object(["duration": "\(milliseconds)ms", "target": rate]))
        }
        for (index, step) in steps.enumerated() {
            // Between two stages the rate jumps: a ramp of no length.
            if index > 0 { add(0, step.rate) }
            add(step.milliseconds, step.rate)
        }
        let scenario: JSONMembers = [
            "executor": "ramping-arrival-rate", "startRate": steps.first?.rate ?? 0, "timeUnit": "1s",
            // Assumption: answers take a second at most; k6 adds users up to ten times as many.
            "preAllocatedVUs": mostPerSecond, "maxVUs": mostPerSecond * 10, "stages": stages,
        ]
        let rows = targets()
        return [
            ExportFile("load.js", text: K6Script.text(origin)),
            ExportFile(
                "scenario.json", lines: stages.count, text: ScriptText<Script.JSON>("\(json: .object(scenario))")),
            ExportFile("targets.json", Script.JSON.self, lines: rows.count) { (add) throws(OutputProblem) in
                try add("[")
                for (index, row) in rows.enumerated() {
                    let item = JSONText.array([.string(names.endpoint(row.target)), .string(target.base + row.path)])
                    try add(
                        index + 1 < rows.count
                            ? "\(json: item, .scalarsOnOneLine)," : "\(json: item, .scalarsOnOneLine)")
                }
                try add("]")
            },
        ]
    }
}

private enum K6Script {
    static func text(_ origin: String) -> ScriptText<Script.JavaScript> {
        """
        // \(comment: origin)
        // Run it with: k6 run load.js
        // Every iteration is one request. Requests that k6 had no virtual user for are counted in dropped_iterations:
        // raise maxVUs in scenario.json then.
        import http from 'k6/http';
        import { SharedArray } from 'k6/data';

        // Each address stands here as often as the fleet asks for it, so a draw of any row has the fleet's popularity.
        const targets = new SharedArray('targets', () => JSON.parse(open('./targets.json')));

        export const options = {
          discardResponseBodies: true,
          scenarios: { reloads: JSON.parse(open('./scenario.json')) },
        };

        export default function () {
          const [endpoint, url] = targets[Math.floor(Math.random() * targets.length)];
          http.get(url, { tags: { name: endpoint } });
        }
        """
    }
}
