import Foundation
import Testing

/// Names of files and folders that are not UTF-8.
@Suite struct PathNameTests {
    /// Each with a path as its last word, which the shell makes of bytes.
    private static let commands = [
        "run small.yaml --out", "run", "sweep small.yaml --out", "sweep", "compare small.yaml",
        "compare small.yaml small.yaml --out",
        "sensitivity small.yaml --out", "plan small.yaml --out", "report", "report results --out", "trace", "people",
        "calibrate",
        "calibrate --service", "export", "export small.yaml --out", "validate", "resolve", "init", "merge",
        "compare results --log",
        "compare results --sensitivity", "calibrate x.csv --out", "run small.yaml --checkpoint-every 1m --out",
    ]

    @Test(arguments: commands) func `a name that is not UTF-8 is refused, and no other one is made`(command: String)
        throws
    {
        let study = try StudyScenario()
        let words = command.split(separator: " ").map(String.init)
        let ended = try BuiltCommand.run(words, shell: "\"$@\" $'nout\\xe9'", in: study.folder)
        #expect(ended.status == 64 && ended.output.isEmpty, "\(ended.status) \(ended.output.prefix(200))")
        #expect(ended.error.contains("expected a name in UTF-8, found 'nout\\xe9'"), "\(ended.error)")
        let option = words.last.flatMap { $0.hasPrefix("--") ? $0 + ": " : nil } ?? ""
        #expect(ended.error.hasPrefix("error: " + option + "expected"), "\(ended.error)")
        let made = try study.made
        #expect(made.isEmpty, "\(made)")
    }

    @Test func `inside of such a folder, and with such neighbours, other names are read and written`() throws {
        let study = try StudyScenario()
        let ended = try BuiltCommand.run(
            ["run", "small.yaml", "--out", "out", "--quiet"],
            shell:
                "mkdir $'n\\xe9' && cp small.yaml $'n\\xe9/' && cd $'n\\xe9' && mkdir out && touch $'out/\\xff' && \"$@\" --force; ls out/manifest.json",
            in: study.folder)
        #expect(ended.status == 0 && ended.output.contains("manifest.json"), "\(ended.error)")
    }
}
