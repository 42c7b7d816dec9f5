import ResultFiles
import Basics
import Foundation

/// The page among the files of a folder.
package enum PageFile {
    /// The page of one folder, or of two of runs.
    ///
    /// - Throws: a sentence that says which folder holds no complete results of this version, or none that a page
    ///   shows.
    package static func html(ofFolders folders: [String]) throws(OutputProblem) -> String {
        let sources = folders.map { PageSource(folder: $0) }
        let kinds = try folders.indices.map { index throws(OutputProblem) in
            try check(folders[index])
            return try ResultKind(sources[index])
        }
        guard folders.count == 2 else { return try html(of: sources[0]) }
        for (folder, kind) in zip(folders, kinds) where kind != .run {
            throw OutputProblem("\(folder): expected a run beside another, found \(kind.words)")
        }
        return try OverlayPage(sources[0], sources[1]).html()
    }

    /// The page of a folder that is complete or being written, whatever its results are of.
    ///
    /// - Throws: a sentence that names what is missing, or no results that a page shows.
    package static func html(of source: PageSource) throws(OutputProblem) -> String {
        switch try ResultKind(source) {
        case .run: try RunPage(source).html()
        case .study: try StudyPage(source).html()
        case .comparison: try comparison(source)
        case .sensitivity: try SensitivityPage(source).html()
        case .plan: try plan(source)
        case .export: throw source.isNoPage
        }
    }

    private static func plan(_ source: PageSource) throws(OutputProblem) -> String {
        if let page = try BrinkPage(source) { return try page.html() }
        return try PlanPage(source).html()
    }

    private static func comparison(_ source: PageSource) throws(OutputProblem) -> String {
        if let page = try LogPage(source) { return try page.html() }
        if let page = try ClientPage(source) { return try page.html() }
        return try ComparisonPage(source).html()
    }

    /// Throws unless all that the folder's manifest names is there as it was written, by this version or an earlier
    /// one.
    private static func check(_ folder: String) throws(OutputProblem) {
        let path = folder + "/" + OutputFolder.manifestName
        guard let bytes = try FileContent.bytes(of: path, limit: OutputFolder.largestManifest) else {
            throw OutputProblem("\(folder): expected complete results, found no \(OutputFolder.manifestName) in it")
        }
        guard let files = Manifest.files(in: bytes), let version = JSONObject(bytes)?["reloadsim"] as? String else {
            throw OutputProblem("\(path): expected the manifest of results, found something else")
        }
        if let difference = CompleteRun.reasonNotToRead(version: version) {
            throw OutputProblem("\(folder): \(difference) (run it again)")
        }
        if let damage = try CompleteRun.damage(folder, files) { throw OutputProblem("\(damage) (run it again)") }
    }
}

extension ResultKind {
    /// The kind of a folder's results, told by its manifest.
    init(_ source: PageSource) throws(OutputProblem) {
        guard let bytes = try source.bytes(OutputFolder.manifestName) else {
            throw source.missing(OutputFolder.manifestName)
        }
        guard let kind = ResultKind(bytes) else { throw source.isNoPage }
        self = kind
    }
}

extension PageSource {
    /// The sentence that there are no results that a page shows.
    fileprivate var isNoPage: OutputProblem {
        OutputProblem(
            "\(name)/\(OutputFolder.manifestName): expected the manifest of a run, a study, a comparison, a sensitivity or a plan, found something else"
        )
    }
}

extension OutputFolder {
    /// Writes the page of a run beside its tables.
    package static let pageWriter: PageWriter = { (folder, members) throws(OutputProblem) in
        try folder.writePage(members)
    }

    /// Writes the page of the tables that are written already.
    ///
    /// - Parameter members: what the manifest is going to say.
    package func writePage(_ members: JSONMembers) throws(OutputProblem) {
        let said = ["reloadsim": ReloadsimVersion.text] + members
        let html: String
        do throws(OutputProblem) {
            html = try PageFile.html(of: PageSource(self, manifest: JSONText.object(said).text))
        } catch {
            discard()
            throw error
        }
        try write(Self.pageName, text: html)
    }
}
