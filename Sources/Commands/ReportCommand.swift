import ResultFiles
import ArgumentParser
import Foundation
import Pages
import Reporting

/// Whether a command that writes results writes their page.
struct PageArguments: ParsableArguments {
    @Flag(name: .customLong("no-report"), help: "Write the tables without the page report.html.")
    var isLeftOut = false

    var isWanted: Bool { !isLeftOut }
}

struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes the page of existing results from their tables alone.",
        discussion: """
            A folder of a run, a study, a sensitivity, a plan or a comparison gives the page that its command writes, byte for byte; the folders of two runs give \
            one page with both. The tables are checked against the folder's manifest first.
            """
                + HelpExamples.text(
                    """
                    # the page of a run again, with its verdicts for a pipeline
                    reloadsim report out/weather-week --junit verdicts.xml
                    # one page with two runs side by side
                    reloadsim report out/before out/after --out both.html
                    """))

    @Argument(help: "The folder of the results, or those of two runs.", completion: .directory)
    var folders: [String]

    @Option(
        "out", takes: "file",
        "The file for the page: a new one, or another page of reloadsim. (default: report.html in the folder)",
        completion: .file())
    var file: String?

    @OptionGroup var pipeline: PipelineFiles
    @OptionGroup var console: ConsoleArguments

    func validate() throws {
        if pipeline.isWanted && folders.count > 1 {
            throw ValidationError("--junit and --step-summary tell of one run.")
        }
        if folders.count > 2 { throw ValidationError("report takes the folder of some results, or those of two runs.") }
        if folders.count == 2 && file == nil { throw ValidationError("--out says where the page of two runs goes.") }
    }

    func run() throws {
        console.use()
        for folder in folders where !FolderPath.exists(folder) {
            throw CommandFailure(.noInput, "\(folder): expected a folder with results, found no such folder")
        }
        try pipeline.check(folders[0])
        for folder in folders {
            if let note = try CompleteRun.versionNote(folder: folder) { Console.warning(note) }
        }
        let html = try PageFile.html(ofFolders: folders)
        let path = file ?? folders[0] + "/" + OutputFolder.pageName
        try NewFile.replace(page: html, to: path)
        Console.plain("made \(path)")
        try pipeline.write(of: folders[0])
    }
}
