import ArgumentParser
import Basics
import Foundation
import Pages
import ResultFiles

/// The files of a run that a pipeline reads: its demands as tests, and its figures in Markdown.
struct PipelineFiles: ParsableArguments {
    @Option(
        takes: "file",
        "Write the verdicts on thresholds and objectives to this file as JUnit XML, a test each. A file that an earlier --junit wrote is replaced; another is refused.",
        completion: .file())
    var junit: String?

    @Option(
        takes: "file",
        "Append the verdicts and the main figures with their ranges to this file as Markdown, such as $GITHUB_STEP_SUMMARY.",
        completion: .file())
    var stepSummary: String?

    var isWanted: Bool { junit != nil || stepSummary != nil }

    func validate() throws {
        for (option, file) in [("--junit", junit), ("--step-summary", stepSummary)] {
            if file?.isEmpty == true { throw ValidationError("\(option) takes the path of a file.") }
        }
    }

    /// Refuses what cannot be written, before anything is simulated.
    ///
    /// - Parameter folder: of the results, in which a file of another name would be damage.
    func check(_ folder: String) throws {
        guard isWanted else { return }
        if junit != nil && junit == stepSummary {
            throw ValidationError("--junit and --step-summary take a file each.")
        }
        for (option, file, mark) in [("--junit", junit, RunVerdicts.mark), ("--step-summary", stepSummary, nil)] {
            guard let file else { continue }
            let parent = FolderPath.parts(of: file).folder
            if URL(filePath: parent).resolvingSymlinksInPath() == URL(filePath: folder).resolvingSymlinksInPath() {
                throw ValidationError("\(option) \(file) lies among the results: choose a file beside \(folder).")
            }
            guard FileStatus(ledToBy: parent)?.kind == .folder else {
                throw CommandFailure(.noInput, "\(option) \(file): expected a folder that is there, found no \(parent)")
            }
            try NewFile.check(file, inPlaceOf: mark, option: option)
        }
    }

    /// Makes results and writes the files of them, whether they keep to the demands or not.
    func follow(_ folder: String, _ make: () throws -> Void) throws {
        try check(folder)
        do { try make() } catch let failure as CommandFailure where failure.status == .brokenThreshold {
            try write(of: folder)
            throw failure
        }
        try write(of: folder)
    }

    /// Writes the files of results that stand in a folder.
    func write(of folder: String) throws {
        guard isWanted else { return }
        let verdicts = try RunVerdicts(folder: folder)
        if let junit { try NewFile.write(verdicts.junit, to: junit, inPlaceOf: RunVerdicts.mark) }
        if let stepSummary { try NewFile.write(verdicts.markdown, to: stepSummary, inPlaceOf: nil) }
    }
}
