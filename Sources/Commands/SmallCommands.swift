import EmbeddedTexts
import ResultFiles
import ArgumentParser
import Basics
import Foundation
import Reporting
import ScenarioFiles
import Studies

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract:
            "Checks scenarios and reports all problems of each.",
        discussion: HelpExamples.text(
            """
            # all scenarios of a folder
            reloadsim validate Scenarios/*.yaml
            # a scenario with another value
            reloadsim validate mine.yaml --set kinds.weather.policy.after=1h
            """))

    @Argument(help: "The scenarios; - reads standard input.", completion: .file(extensions: ["yaml", "yml", "json"]))
    var scenarios: [String]

    @OptionGroup var overrides: Overrides

    @Flag(name: .shortAndLong, help: "Print nothing about valid scenarios.")
    var quiet = false

    @OptionGroup var printed: JSONArguments

    @OptionGroup var console: ConsoleArguments

    func run() throws {
        console.use()
        var worst: ExitStatus?
        var said: [JSONText] = []
        func say(_ file: String, _ isRight: Bool, _ warnings: [String], _ problems: [String]) {
            said.append(
                .object([
                    "file": file, "is_right": isRight, "warnings": warnings, "problems": problems,
                ]))
        }
        for file in scenarios {
            do {
                let text = try Overrides.text(of: file)
                let read = try text.readChecked(overrides: overrides.all)
                try Study.check(read, text, overrides: overrides.all)
                let warnings = read.warnings().map { "\($0)" }
                for warning in warnings { Console.warning("\(file): \(warning)") }
                say(file, true, warnings, [])
                if !quiet && !printed.json { Console.plain("\(file): right") }
            } catch let problems as ScenarioProblems {
                if printed.json {
                    say(file, false, [], problems.problems.map { "\($0)" })
                } else {
                    Console.error(problems)
                }
                // A missing file tells more about a batch than a wrong scenario.
                if problems.isMissingInput { worst = .noInput } else if worst == nil { worst = .wrongScenario }
            } catch let problem as StudyProblem {
                if printed.json { say(file, false, [], ["\(problem)"]) } else { Console.error("\(file): \(problem)") }
                if worst == nil { worst = .wrongScenario }
            }
        }
        if printed.json { try JSONOutput.write("validate", ["scenarios": said]) }
        if let worst { throw CommandFailure(worst) }
    }
}

struct Resolve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract:
            "Prints a scenario with every default filled in.",
        discussion: HelpExamples.text(
            """
            # what a scenario says with every default
            reloadsim resolve mine.yaml > resolved.yaml
            """))

    @OptionGroup var arguments: ScenarioArguments
    @OptionGroup var console: ConsoleArguments

    func run() throws {
        console.use()
        let read = try arguments.read()
        try StandardStream.output.write(read.resolvedText)
    }
}

struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract:
            "Prints the JSON Schema of scenarios, for editors.",
        discussion: HelpExamples.text(
            """
            # for an editor that completes keys
            reloadsim schema > reloadsim.schema.json
            """))

    func run() throws { try StandardStream.output.write(ScenarioSchema.json()) }
}

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Writes a starter scenario: one with every part, or that of a sort of widget; or a package with a provider of your own.",
        discussion: HelpExamples.text(
            """
            # a scenario of a sort of widget
            reloadsim init mine.yaml --for weather
            # a package with a provider of your own in Swift
            reloadsim init --package my-widget
            """))

    @Argument(help: "The file to make, which must not exist; without it the scenario is printed.", completion: .file())
    var file: String?

    @Option(
        "package", takes: "name",
        "Makes a folder of that name with a Swift package: a provider of your own, a scenario that names it, and tests."
    )
    var package: String?

    @Option(
        "reloadsim", takes: "path",
        "The path of reloadsim's own package from that folder; ../reloadsim unless stated.", completion: .directory)
    var reloadsim: String?

    @Option(
        "for", takes: "widget", "The sort of widget: a small scenario with a policy for it and two others to compare.")
    var widget: StarterWidget?

    func run() throws {
        if let package { return try makePackage(package) }
        if reloadsim != nil { throw ValidationError("--reloadsim is for --package.") }
        let text = widget?.text ?? ScenarioTemplate.text
        guard let file else { return try StandardStream.output.write(text) }
        if widget == nil, StarterWidget(argument: file) != nil {
            throw ValidationError("The scenario of a sort of widget is written by --for: reloadsim init \(file).yaml --for \(file.lowercased()).")
        }
        try NewFile.write(text, to: file)
        let study = widget == nil ? "" : ", and its policies: reloadsim sweep \(file)"
        Console.plain("made \(file); next: reloadsim run \(file)\(study)")
    }
}

extension Init {
    private func makePackage(_ name: String) throws {
        if file != nil || widget != nil { throw ValidationError("--package stands alone, or beside --reloadsim.") }
        guard ScalarText.isName(name), let first = name.first, first.isLetter, !name.contains("_") else {
            throw ValidationError(
                "--package: expected a name of letters, digits and hyphens that begins with a letter, found '\(name)'.")
        }
        // A module of the package's may have no name of one that it imports.
        if ["reloadsim", "foundation", "testing", "swift"].contains(name.lowercased()) {
            throw ValidationError(
                "--package: expected another name than that of a module that it imports, found '\(name)'.")
        }
        if let reloadsim, reloadsim.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }) {
            throw ValidationError("--reloadsim: expected a path without quotes, backslashes and line breaks.")
        }
        if FolderPath.exists(name) {
            throw OutputProblem("\(name) exists already; nothing was changed (choose another name)")
        }
        let needed = reloadsim ?? "../reloadsim"
        for file in PackageTemplate.files(name: name, reloadsim: needed) {
            let path = name + "/" + file.path
            _ = try FolderPath.make(FolderPath.parts(of: path).folder)
            try NewFile.write(file.text, to: path)
        }
        if !FolderPath.exists(needed.hasPrefix("/") ? needed : name + "/" + needed) {
            Console.warning(
                "--reloadsim: nothing is at \(needed) from \(name), which the package needs; make it beside your clone, or edit Package.swift"
            )
        }
        Console.plain("made \(name); next: cd \(name) && swift test -c release")
    }
}

extension StarterWidget: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
