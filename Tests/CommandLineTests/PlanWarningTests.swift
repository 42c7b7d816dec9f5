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

    // MARK: Figures that would mislead

    private static func text(_ study: StudyScenario, into folder: String, _ words: String...) throws
        -> BuiltCommand.Outcome
    {
        try BuiltCommand.run(
            [
                "plan", study.scenario, "--repeat", "3", "--find", "service.pools.origin.servers=range(1,3,1)", "--out",
                study.out + folder, "--quiet",
            ] + words)
    }

    @Test func `a plan without prices has no costs of 0, and one with prices has its cost`() throws {
        let study = try StudyScenario(StudyScenario.service)
        let free = try Self.text(study, into: "a", "--target", "service.share_shed <= 0")
        #expect(free.status == 0 && free.output.contains("service.origin.headroom"), "\(free.error)")
        #expect(!free.output.contains("cost_"), "\(free.output)")
        let priced = try Self.text(
            study, into: "b", "--target", "service.share_shed <= 0", "--set", "service.prices.server_hour=0.1")
        #expect(
            priced.output.contains("service.cost_per_month") && !priced.output.contains("cost_bytes_per_month"),
            "\(priced.output)")
        for servers in ["1", "2"] {
            let ended = try BuiltCommand.run([
                "run", study.scenario, "--set", "service.pools.origin.servers=\(servers)", "--out",
                "\(study.folder)/\(servers)", "--quiet",
            ])
            #expect(ended.status == 0, "\(ended.error)")
        }
        let compared = try BuiltCommand.run(["compare", "1", "2"], in: study.folder)
        #expect(compared.status == 0 && !compared.output.contains("cost_"), "\(compared.output)")
        #expect(compared.output.contains("share_reloads_ended_well"), "\(compared.output)")
    }

    @Test func `a metric of a service without its scope is named with it`() throws {
        let study = try StudyScenario(StudyScenario.service)
        let ended = try Self.text(study, into: "c", "--target", "share_served >= 99.9 %")
        #expect(ended.status == 65 && ended.error.contains("did you mean 'service.share_served'?"), "\(ended.error)")
    }

    @Test func `a target that some seeds may break is too close to call`() throws {
        let study = try StudyScenario(StudyScenario.service)
        let sweep = try BuiltCommand.run([
            "sweep", study.scenario, "--repeat", "3", "--vary", "people=40", "--out", study.folder + "/seeds",
            "--quiet",
        ])
        #expect(sweep.status == 0, "\(sweep.error)")
        let header = try study.text("runs.csv", in: study.folder + "/seeds").split(separator: "\n")[0]
        let value = try #require(header.split(separator: ",").firstIndex(of: "value"))
        let peaks = try study.text("runs.csv", in: study.folder + "/seeds").split(separator: "\n")
            .filter { $0.contains(",load_peak_1m,") }.compactMap {
                Double($0.split(separator: ",", omittingEmptySubsequences: false)[value])
            }
        let most = try #require(peaks.max())
        #expect(peaks.count == 3 && Set(peaks).count > 1, "\(peaks)")
        let near = try Self.text(study, into: "d", "--target", "load_peak_1m <= \(most)")
        #expect(near.output.contains("too close to call: at 1 the 95 % interval of load_peak_1m, "), "\(near.output)")
        let far = try Self.text(study, into: "e", "--target", "load_peak_1m <= \(most * 10)")
        #expect(far.status == 0 && !far.output.contains("too close to call"), "\(far.output)")
    }
}
