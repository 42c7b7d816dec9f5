import Basics
import Foundation

/// The one place that decides which files a command may replace, for all commands.
extension OutputFolder {
    /// How far a command may write where there is something already. Results of another kind are never replaced.
    package enum Leave {
        /// Nothing may be there but an empty folder.
        ///
        /// - Parameter cure: what the refusal says.
        case nothing(cure: String = "--force replaces the results in it")
        /// There may be results of the command's own kind, or what an interrupted command has left of some.
        case own
        /// There may be files of others, too, none of which has a name that the command writes.
        case force(names: [String])
    }

    /// Throws unless a command may write results of a kind in a folder, which need not be there.
    package static func check(_ path: String, for kind: ResultKind, _ leave: Leave) throws(OutputProblem) {
        let present: [String]
        do throws(OutputProblem) { present = try FolderPath.contents(of: path) ?? [] } catch {
            throw error.adding("nothing was changed")
        }
        let (found, isOwn) = try owned(in: path, present)
        if let found, found != kind {
            throw OutputProblem(
                "\(path) holds the results of \(found.words), and not of \(kind.words); nothing was changed (choose another --out)"
            )
        }
        switch leave {
        case .nothing(let cure):
            if !present.isEmpty {
                throw OutputProblem("the output folder \(path) is not empty; nothing was changed (\(cure))")
            }
        case .own:
            // A page without a manifest was made by report, and is nobody's leftover.
            if found == nil, let name = present.sorted().first(where: { $0 == pageName || !isOwn($0) }) {
                throw foreign(path + "/" + name).adding("nothing was changed (choose another --out)")
            }
        case .force(let names):
            if let name = present.sorted().first(where: { (names + [manifestName]).contains($0) && !isOwn($0) }) {
                throw foreign(path + "/" + name).adding("nothing was changed (choose another --out)")
            }
        }
        if FolderPath.exists(path) && access(path, W_OK | X_OK) != 0 {
            throw .system("cannot write to the output folder \(path)", errno).adding("nothing was changed")
        }
    }

    /// Throws unless there is nothing under a path, or a page that is not another folder's.
    ///
    /// - Parameter text: the page that is going to stand there.
    package static func check(page text: String, at path: String) throws(OutputProblem) {
        guard let kind = FileStatus(of: path)?.kind else { return }
        let manifest = FolderPath.parts(of: path).folder + "/" + manifestName
        let listed = try FileContent.bytes(of: manifest, limit: largestManifest).flatMap(Manifest.files(in:)) ?? []
        let name = FolderPath.parts(of: path).name
        let isOthers = listed.contains { $0.name == name && $0.sha256 != SHA256.hash(data: Array(text.utf8)).hex }
        if kind == .file, try isPage(path), !isOthers { return }
        let found = kind == .file ? isOthers ? "a file of other results" : "no page of reloadsim" : kind.rawValue
        throw OutputProblem("\(path) is \(found); it was not changed (choose another --out)")
    }

    /// More than a study of a hundred thousand runs has.
    package static let largestManifest = 256 << 20
    /// The beginning of a page's line that says what has written it.
    package static let pageMark = "<meta name=\"generator\" content=\"reloadsim "

    /// The kind of the results in a folder, and whether a name in it is that of a file which reloadsim has written: one
    /// that a manifest lists, that of a killed command too, which stands under a temporary name before any other file
    /// has its own; a page; a checkpoint; what a command works in.
    static func owned(in path: String, _ present: [String]) throws(OutputProblem) -> (
        kind: ResultKind?, isOwn: (String) -> Bool
    ) {
        var (kind, listed) = (ResultKind?.none, Set<String>())
        for name in present where name == manifestName || TemporaryName.original(ofAny: name) == manifestName {
            guard let bytes = try FileContent.bytes(of: path + "/" + name, limit: largestManifest),
                let found = ResultKind(bytes)
            else { continue }
            kind = name == manifestName ? found : kind ?? found
            listed.formUnion([name] + (Manifest.files(in: bytes) ?? []).map(\.name))
        }
        let hasPage = try isPage(path + "/" + pageName)
        return (
            kind,
            { name in
                switch FileStatus(of: path + "/" + name)?.kind {
                case .file?:
                    listed.contains(name) || name == pageName && hasPage || name.hasSuffix(".checkpoint")
                        || TemporaryName.original(ofAny: name) != nil
                case .folder?: name == "runs"
                default: name.hasSuffix(".checkpoint")
                }
            }
        )
    }

    /// Whether a file is a page that reloadsim has written.
    private static func isPage(_ path: String) throws(OutputProblem) -> Bool {
        guard FileStatus(of: path)?.kind == .file, let bytes = try FileContent.bytes(of: path, limit: 2_047) else {
            return false
        }
        return String(decoding: bytes, as: UTF8.self).contains(pageMark)
    }

    static func foreign(_ path: String) -> OutputProblem {
        OutputProblem("\(path) was not written by reloadsim")
    }
}
