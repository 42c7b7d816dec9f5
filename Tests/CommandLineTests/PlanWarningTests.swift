import Foundation
import Testing

/// `plan` on the scenario that docs/capacity-planning.md takes for a quantile over the report that hides a bad minute.
@Suite struct PlanWarningTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "docs/capacity-planning.md")

    @Test
    func `a target over the whole report that hides a minute is told of, and one on that minute asks for more servers`()
        throws
    {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let block = try #require(text.firstMatch(of: #/(?s)```yaml\n(# goals\.yaml\n.*?)```/#)?.1)
        let study = try StudyScenario()
        let scenario = try study.write("goals.yaml", String(block))
        func plan(_ target: String) throws -> (answer: Int, hidden: [String], error: String) {
            let ended = try BuiltCommand.run(
                [
                    "plan", scenario, "--repeat", "1", "--find", "service.pools.origin.servers=range(1,16,1)",
                    "--target", target,
                ]
                    + ["--out", study.out, "--json", "--quiet"])
            #expect(ended.status == 0, "\(ended.error)")
            let said = try #require(
                try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any], "\(ended.output)")
            return (Int(said["answer"] as? String ?? "") ?? 0, said["hidden"] as? [String] ?? [], ended.error)
        }
        let whole = try plan("service.origin.queue_wait_p99_s <= 50ms")
        #expect(whole.answer == 1 && whole.hidden.count == 1)
        #expect(
            whole.hidden.first?.contains("not in its worst minute, where service.origin.queue_wait_p99_worst_1m_s is ")
                == true)
        #expect(whole.error == "warning: \(whole.hidden.first ?? "")\n")
        let minute = try plan("service.origin.queue_wait_p99_worst_1m_s <= 50ms")
        #expect(minute.answer > 2 && minute.hidden.isEmpty && minute.error == "", "\(minute)")
    }
}
