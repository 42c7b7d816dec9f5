import Foundation
import ResultFiles
import Testing

@testable import Commands

/// Every command that writes, on every sort of target: what is its own it may replace, and nothing of others is.
@Suite struct OutputTargetTests {
    private let study: StudyScenario
    private let made, attic: String

    init() throws {
        study = try StudyScenario()
        (made, attic) = (study.scratch.path + "/made", study.scratch.path + "/attic")
        try FileManager.default.createDirectory(atPath: attic, withIntermediateDirectories: true)
    }

    private enum Target: CaseIterable {
        case absent, emptyFolder, ownFolder, folderOfAnotherSort, strangersFolder, folderBeside, file, ownPage, device
        case pipe, link
    }

    /// A command, what it may replace, and the folder of another sort for it.
    private struct Command {
        let words: [String]
        /// The words that make the folder which is its own.
        var own: [String]?
        /// Whether it may write where there are results of its own.
        var replaces = false
        /// Whether it may write beside files of others.
        var forces = false
        var other = "run"
        var isPage = false
    }

    private var commands: [Command] {
        let (scenario, parts, run) = (study.scenario, made + "/parts", made + "/run")
        let find = ["--find", "people=20,30", "--target", "views > 1", "--repeat", "1", "--quiet"]
        let span = ["--format", "csv", "--span", "0s/1h"]
        let vary = ["--vary", "people=20,30", "--quiet"]
        let morris = [
            "--vary", StudyScenario.jitter + "=range(0s,10m)", "--vary", "people=range(20,60)", "--trajectories", "2",
            "--quiet",
        ]
        func all(_ words: [String], other: String, flags: [(String, forces: Bool)]) -> [Command] {
            [Command(words: words, other: other)]
                + flags.map { Command(words: words + [$0], own: words, replaces: true, forces: $1, other: other) }
        }
        return all(["run", scenario, "--quiet"], other: "plan", flags: [("--force", true), ("--resume", false)])
            + all(["merge", parts, "--quiet"], other: "plan", flags: [("--force", true)])
            + all(["export", scenario] + span, other: "run", flags: [("--force", true)])
            + all(["sweep", scenario] + vary, other: "plan", flags: [("--force", false), ("--resume", false)])
            + all(["sensitivity", scenario] + morris, other: "run", flags: [("--resume", false)])
            + [
                Command(words: ["plan", scenario] + find, replaces: true),
                Command(words: ["compare", run, run], replaces: true),
                Command(words: ["compare", scenario, scenario, "--repeat", "1", "--quiet"], replaces: true),
                Command(words: ["report", run], isPage: true),
            ]
    }

    /// Everything under a path: folders, the bytes of files, and what else there is.
    private func state(_ path: String) throws -> [String: Data] {
        var state: [String: Data] = [:]
        var status = stat()
        guard lstat(path, &status) == 0 else { return [:] }
        let kind = status.st_mode & S_IFMT
        state[path] = kind == S_IFREG ? try Data(contentsOf: URL(filePath: path)) : Data("\(status.st_mode)".utf8)
        if kind == S_IFDIR {
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                state.merge(try self.state(path + "/" + name)) { first, _ in first }
            }
        }
        return state
    }

    private static let others = [
        "report.html", "datapackage.json", "points.csv", "summary.csv", "runs.csv", "comparison.csv", "requests.csv",
    ]

    /// Puts the target there; false if this user cannot.
    private func put(_ target: Target, at path: String, for command: Command) throws -> Bool {
        let files = FileManager.default
        func folder(_ names: [String]) throws {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            for name in names { try "mine".write(toFile: path + "/" + name, atomically: false, encoding: .utf8) }
        }
        switch target {
        case .absent: break
        case .emptyFolder: try folder([])
        case .ownFolder:
            try #require(run((command.own ?? command.words) + ["--out", path]).status == .done)
        case .folderOfAnotherSort: try files.copyItem(atPath: made + "/" + command.other, toPath: path)
        case .strangersFolder: try folder(Self.others)
        case .folderBeside: try folder(["notes.txt"])
        case .file: try "mine".write(toFile: path, atomically: false, encoding: .utf8)
        case .ownPage: try files.copyItem(atPath: made + "/run/report.html", toPath: path)
        case .device: return mknod(path, S_IFCHR | 0o644, 0x103) == 0
        case .pipe: try #require(mkfifo(path, 0o644) == 0)
        case .link: try files.createSymbolicLink(atPath: path, withDestinationPath: made + "/run/report.html")
        }
        return true
    }

    private func mayWrite(_ command: Command, _ target: Target) -> Bool {
        switch target {
        case .absent: true
        case .emptyFolder: !command.isPage
        case .ownFolder: command.replaces
        case .folderBeside: command.forces
        case .ownPage: command.isPage
        case .folderOfAnotherSort, .strangersFolder, .file, .device, .pipe, .link: false
        }
    }

    /// Does it in this process; gives what it says, too.
    private func run(_ words: [String]) -> (status: Commands.ExitStatus, said: String) {
        let disk = FaultyDisk(attic: attic)
        return (Disk.$calls.withValue(disk) { ReloadsimProgram.end(of: words) }, disk.said)
    }

    @Test func `nothing is replaced but what is a command's own`() throws {
        for words in [
            ["run", study.scenario, "--quiet", "--out", made + "/run"],
            ["run", study.scenario, "--quiet", "--shard", "1/2", "--out", made + "/parts"],
            ["run", study.scenario, "--quiet", "--shard", "2/2", "--out", made + "/parts"],
            commands.first { $0.words[0] == "plan" }!.words + ["--out", made + "/plan"],
        ] { try #require(run(words).status == .done) }
        let before = try state(made)
        for (number, command) in commands.enumerated() {
            for target in Target.allCases where !(command.isPage && target == .ownFolder) {
                let path = study.scratch.path + "/\(number)-\(target)"
                guard try put(target, at: path, for: command) else { continue }
                let old = try state(path)
                let (status, said) = run(command.words + ["--out", path])
                let what: Comment = "\(command.words) on \(target): \(status) \(said)"
                if mayWrite(command, target) {
                    #expect(status == .done, what)
                    if target == .folderBeside {
                        #expect(try state(path + "/notes.txt").values.first == Data("mine".utf8))
                    }
                } else {
                    #expect(
                        status == .inputOutput && said.contains(/was not changed|nothing was (changed|written)/), what)
                    #expect(try state(path) == old, what)
                }
            }
        }
        #expect(try state(made) == before)
    }

    @Test func `a page keeps its permissions, and is none of other results`() throws {
        for (name, seed) in [("a", "1"), ("b", "2")] {
            let out = study.folder + "/" + name
            #expect(try BuiltCommand.run(["run", study.scenario, "--seed", seed, "--quiet", "--out", out]).status == 0)
        }
        let page = study.folder + "/a/report.html"
        #expect(chmod(page, 0o600) == 0)
        func permissions() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: page)[.posixPermissions] as? Int
        }
        #expect(try BuiltCommand.run(["report", study.folder + "/a"]).status == 0)
        #expect(try permissions() == 0o600)
        #expect(
            try BuiltCommand.run(["run", study.scenario, "--quiet", "--force", "--out", study.folder + "/a"]).status
                == 0)
        #expect(try permissions() == 0o600)
        let old = try state(study.folder)
        for target in ["report.html", "manifest.json", "summary.csv", "scenario.resolved.yaml"] {
            let ended = try BuiltCommand.run(["report", study.folder + "/b", "--out", study.folder + "/a/" + target])
            #expect(ended.status == 74 && ended.error.contains("it was not changed"), "\(ended.error)")
        }
        #expect(try state(study.folder) == old)
    }

    @Test func `a file of others that has come into a folder meanwhile is not replaced`() throws {
        let words = ["plan", study.scenario, "--find", "people=20,30", "--target", "views > 1", "--repeat", "1"]
        #expect(try BuiltCommand.run(words + ["--no-report", "--quiet", "--out", study.out]).status == 0)
        try "mine".write(toFile: study.out + "/report.html", atomically: false, encoding: .utf8)
        let ended = try BuiltCommand.run(words + ["--quiet", "--out", study.out])
        #expect(
            ended.status == 74 && ended.error.contains("report.html was not written by reloadsim"), "\(ended.error)")
        #expect(try study.text("report.html") == "mine")
    }
}
