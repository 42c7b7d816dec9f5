import Foundation
import Testing

/// `run --precision`: people are added until a figure is known well, and stand for all.
@Suite struct PrecisionTests {
    private func run(_ study: StudyScenario, _ arguments: [String]) throws -> BuiltCommand.Outcome {
        try BuiltCommand.run(["run", study.scenario, "--out", study.out] + arguments, in: study.folder)
    }

    @Test func `the results are those of a run of so many people who stand for all`() throws {
        let study = try StudyScenario()
        let ended = try run(study, ["--people", "20k", "--precision", "requests_total 1.5 %"])
        #expect(ended.status == 0, "\(ended.error)")
        // The people so far, once for each step.
        let steps = ended.error.matches(of: /precision ([0-9,]+) people for 20,000: requests_total/).map {
            $0.1.filter { $0 != "," }
        }
        #expect(steps.first == "1000", "\(ended.error)")
        let people = try #require(steps.last)
        let plain = study.folder + "/plain"
        let again = try BuiltCommand.run([
            "run", study.scenario, "--out", plain, "--people", String(people), "--represents", "20k",
        ])
        #expect(again.lastErrorLine == ended.lastErrorLine)
        for table in ["summary.csv", "load_peaks.csv", "load_hours.csv", "scenario.resolved.yaml"] {
            #expect(try study.text(table) == study.text(table, in: plain), "\(table)")
        }
        // The range is as narrow as was asked.
        let row = try #require(try study.lines("summary.csv").first { $0.hasPrefix("run,,requests_total,") })
        let cells = row.split(separator: ",", omittingEmptySubsequences: false).suffix(3).compactMap { Double($0) }
        #expect(cells.count == 3 && (cells[2] - cells[1]) / 2 <= 0.015 * cells[0], "\(row)")
    }

    @Test func `a fleet that is complete stands for itself`() throws {
        let study = try StudyScenario()
        let ended = try run(study, ["--people", "1500", "--precision", "requests_total 0.0001 %"])
        #expect(ended.status == 0 && ended.error.contains("the precision asked for is not reached"), "\(ended.error)")
        let whole = study.folder + "/whole"
        let plain = try BuiltCommand.run(["run", study.scenario, "--out", whole, "--people", "1500"])
        #expect(plain.lastErrorLine == ended.lastErrorLine)
        #expect(try study.text("summary.csv") == study.text("summary.csv", in: whole))
    }

    @Test(arguments: [
        ("load_pek_1s 3 %", "did you mean 'load_peak_1s'?"), ("load_peak_1s", "such as 'load_peak_1s 3 %'"),
        ("load_dispersion_1s 3 %", "expected a metric whose range in other draws is known"),
        ("load_peak_1s -3 %", "such as 'load_peak_1s 3 %'"),
        ("share_stale 5", "expected a share from 0 to 1"),
    ])
    func `what cannot be asked is one sentence, and nothing is written`(demand: String, sentence: String) throws {
        let study = try StudyScenario()
        let ended = try run(study, ["--precision", demand])
        #expect(ended.status != 0 && ended.error.contains(sentence), "\(ended.error)")
        #expect(try study.made == [])
    }

    @Test func `before a service as many people stand for all as a share needs`() throws {
        let study = try StudyScenario(StudyScenario.service)
        let ended = try run(study, ["--people", "3000", "--precision", "service.share_served 0.02"])
        #expect(ended.status == 0 && ended.error.contains("people for 3,000: service.share_served"), "\(ended.error)")
        #expect(ended.error.contains("\nsample    "))
    }

    @Test func `a folder with results, a shard and a resumption are refused before anything is simulated`()
        throws
    {
        let study = try StudyScenario()
        for further in [["--resume"], ["--shard", "1/2"]] {
            #expect(try run(study, ["--precision", "requests_total 3 %"] + further).status == 64)
        }
        #expect(try run(study, ["--quiet"]).status == 0)
        let full = try run(study, ["--precision", "requests_total 3 %"])
        #expect(full.status != 0 && full.error.contains("is not empty; nothing was changed"), "\(full.error)")
        #expect(!full.error.contains("people for"))
    }

    @Test func `a threshold of people stood for is about them`() throws {
        let study = try StudyScenario()
        let ended = try run(
            study,
            [
                "--people", "300", "--represents", "30000", "--threshold", "requests_total > 100000", "--threshold",
                "load_dispersion_1s < 1000",
            ])
        #expect(ended.status == 99)
        #expect(
            ended.error.contains("load_dispersion_1s < 1,000: it is not known for the people stood for"),
            "\(ended.error)")
        #expect(!ended.error.contains("requests_total >"), "\(ended.error)")
    }

    @Test func `even people have their shares of traits, on any number of threads`() throws {
        let study = try StudyScenario()
        var lines: Set<String> = []
        for threads in ["1", "3"] {
            let ended = try run(study, ["--people", "500", "--set", "sampling=even", "--threads", threads, "--force"])
            lines.insert(ended.lastErrorLine)
        }
        let random = try run(study, ["--people", "500", "--force"])
        #expect(lines.count == 1 && !lines.contains(random.lastErrorLine))
    }
}
