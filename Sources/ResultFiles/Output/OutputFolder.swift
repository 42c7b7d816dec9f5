import Basics
import Foundation

/// The folder that takes the files of one run, all or none of them.
///
/// Every file is written in full under a temporary name in the same folder. Only when all are on the disk do they get
/// their final names, `manifest.json` last: a folder without a manifest holds no complete results. After a failure no
/// file of this run stands under a final name, and what the folder held before stands as it was. The folder is locked
/// for as long as this lives.
public final class OutputFolder {
    /// The manifest's entry for a file.
    package struct WrittenFile: Hashable, Sendable {
        package let name: String
        package let bytes: Int
        /// Hex.
        package let sha256: String
    }

    package static let manifestName = "manifest.json"
    /// The page, where there is one.
    package static let pageName = "report.html"
    /// The scenario with all its defaults: what a run's identity is made from.
    package static let resolvedScenarioName = "scenario.resolved.yaml"

    package let path: String
    /// The files that are complete under their temporary names, in the order of writing.
    package private(set) var files: [WrittenFile] = []
    /// It goes again if this run made it and fails.
    private let folder: LockedFolder
    /// The files themselves, in the order of `files`.
    private var written: [CheckedFile] = []
    private let isInterrupted: () -> Bool

    /// Opens the folder for the results of a run, and makes it if it is missing.
    ///
    /// - Parameters:
    ///   - replacing: whether the folder may hold results of a run already.
    ///   - isInterrupted: asked between files; once true, nothing gets its final name.
    public convenience init(path: String, replacing: Bool, isInterrupted: @escaping () -> Bool = { false })
        throws(OutputProblem)
    {
        try self.init(path: path, for: .run, replacing ? .own : .nothing(), isInterrupted: isInterrupted)
    }

    /// Opens the folder and makes it if it is missing. Files of the names that are written are replaced, and what is
    /// named at the end goes; others stay.
    ///
    /// - Parameter lock: the folder's, if the command has it already.
    package init(
        path: String, for kind: ResultKind, _ leave: Leave, lock: FolderLock? = nil,
        isInterrupted: @escaping () -> Bool = { false }
    ) throws(OutputProblem) {
        self.path = path
        self.isInterrupted = isInterrupted
        if let lock { folder = LockedFolder(lock) } else { folder = try LockedFolder(path) }
        do throws(OutputProblem) {
            try Self.check(path, for: kind, leave)
            if case .nothing = leave {} else { try PreviousFiles.recover(in: path) }
        } catch {
            folder.removeWhatWasMade()
            throw error
        }
    }

    /// Brings back the results that a process had set aside when it was killed. The caller has the folder's lock.
    package static func recover(_ path: String) throws(OutputProblem) { try PreviousFiles.recover(in: path) }

    /// A clause that is true after a failure before any file has its name.
    private var rest: String {
        "nothing of this run was left in \(path)" + (folder.isOld ? ", and what it held before is unchanged" : "")
    }

    /// Writes one file under its temporary name. A failure removes all that this run has written.
    package func write(_ name: String, _ body: (ByteSink) throws(OutputProblem) -> Void) throws(OutputProblem) {
        do throws(OutputProblem) {
            if isInterrupted() { throw OutputProblem("interrupted", isInterruption: true) }
            let file = try CheckedFile(for: name, in: path)
            files.append(WrittenFile(name: name, bytes: 0, sha256: ""))
            written.append(file)
            try body { (bytes) throws(OutputProblem) in try file.write(bytes) }
            files[files.count - 1] = WrittenFile(name: name, bytes: file.size, sha256: try file.close())
        } catch {
            discard()
            throw error.adding(rest)
        }
    }

    package func write(_ name: String, text: String) throws(OutputProblem) {
        try write(name) { (sink) throws(OutputProblem) in try Array(text.utf8).send(to: sink) }
    }

    /// Hands a file that was written here, and stands under its temporary name yet, on in chunks; false if none of this
    /// name was.
    ///
    /// A failure to read removes all that was written, as one to write does.
    package func read(_ name: String, _ body: (UnsafeRawBufferPointer) -> Bool) throws(OutputProblem) -> Bool {
        guard let place = files.firstIndex(where: { $0.name == name }), let temporary = written[place].temporaryName
        else { return false }
        do throws(OutputProblem) { return try FileContent.read(path + "/" + temporary, body) } catch {
            discard()
            throw error.adding(rest)
        }
    }

    /// Writes the manifest and gives every file its final name, the manifest last.
    ///
    /// - Parameters:
    ///   - members: what the manifest says of the results; status, version and files are put in.
    ///   - removing: files that an earlier run may have left and this one does not have: beside this manifest they
    ///     would pass for its own.
    package func complete(
        _ members: JSONMembers, status: String = Manifest.complete, removing stale: [String] = []
    )
        throws(OutputProblem)
    {
        let isOwn: (String) -> Bool
        do throws(OutputProblem) {
            isOwn = try Self.owned(in: path, FolderPath.contents(of: path) ?? []).isOwn
            for name in files.map(\.name) + [Self.manifestName] {
                if FileStatus(of: path + "/" + name) != nil && !isOwn(name) { throw Self.foreign(path + "/" + name) }
            }
        } catch {
            discard()
            throw error.adding(rest)
        }
        try write(Self.manifestName, text: Manifest.text(members, status: status, files: files))
        if isInterrupted() {
            discard()
            throw OutputProblem("interrupted; nothing of this run was left in \(path)", isInterruption: true)
        }
        FolderPath.removeLeftovers(of: files.map(\.name), besides: written.compactMap(\.temporaryName), in: path)
        var previous = PreviousFiles(in: path)
        var named: [String] = []
        do throws(OutputProblem) {
            // An earlier run's manifest would vouch for a mixture: it goes first, and the new one comes last.
            try previous.setAside(Self.manifestName)
            try FolderPath.synchronise(path)
            for name in stale.filter(isOwn) + files.dropLast().map(\.name) { try previous.setAside(name) }
            for (file, content) in zip(files, written) {
                if file.name == Self.manifestName { try FolderPath.synchronise(path) }
                try content.name(file.name)
                named.append(file.name)
            }
            try FolderPath.synchronise(path)
        } catch {
            let hadResults = previous.holdResults
            for name in named.reversed() { _ = Disk.calls.unlink(path + "/" + name) }
            // Files that go make room for the names that come back.
            discard()
            let isBack = previous.putBack()
            throw error.adding(
                hadResults && isBack ? "what \(path) held before is unchanged" : "\(path) holds no complete results")
        }
        previous.remove()
    }

    /// Removes everything that this run wrote under temporary names, and the folder if the run made it.
    package func discard() {
        for file in written { file.discard() }
        (files, written) = ([], [])
        folder.removeWhatWasMade()
    }
}

/// Writes the page of the tables in a folder that is being written, given what the manifest is going to say.
package typealias PageWriter = @Sendable (OutputFolder, JSONMembers) throws(OutputProblem) -> Void

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
