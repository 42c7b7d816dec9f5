import ResultFiles
import Simulation

/// The parts of one run, checked to be all of it: every shard once, of one run.
package struct PartMerge: Sendable {
    /// The files by shard.
    package let files: [String]
    /// The run's identity, on which all parts agree.
    package let identity: RunIdentity
    package let scenario: String
    /// Seconds of all parts together, and the most threads of any.
    package let wallSeconds: Double
    /// Seconds of core time of all parts together.
    package let coreSeconds: Double
    /// The request that all parts name; nil where they name none, or different ones.
    package let request: RunRequest?
    package let threads: Int

    package static let suffix = ".part"

    /// Opens and checks every part.
    ///
    /// - Parameter paths: files, or folders whose parts are taken.
    package init(_ paths: [String]) throws(PartialProblem) {
        var parts: [(path: String, header: PartialHeader)] = []
        for path in try Self.files(paths) { parts.append((path, try PartialFile(path).header)) }
        guard let first = parts.first else { throw PartialProblem("no parts to merge", isUnreadable: true) }
        for (path, header) in parts where header.kind != .shard {
            throw PartialProblem(
                "\(path) is the checkpoint of a run that is not complete, which `run --resume` continues; it is not a part to merge"
            )
        }
        for (path, header) in parts.dropFirst() {
            if let difference = first.header.identity.difference(from: header.identity) {
                throw PartialProblem("\(path) does not belong to \(first.path): \(difference)")
            }
            if header.tablesHash != first.header.tablesHash {
                throw PartialProblem(
                    "\(path) does not belong to \(first.path): it was made with other distribution tables (another version of the GNU Scientific Library)"
                )
            }
        }
        files = try Self.ordered(parts.map { ($0.path, $0.header.shard!) })
        identity = first.header.identity
        scenario = first.header.scenario
        wallSeconds = (parts.reduce(0) { $0 + $1.header.wallSeconds } * 1_000).rounded() / 1_000
        coreSeconds = (parts.reduce(0) { $0 + $1.header.coreSeconds } * 1_000).rounded() / 1_000
        request = parts.allSatisfy { $0.header.request == first.header.request } ? first.header.request : nil
        threads = parts.reduce(0) { max($0, $1.header.threads) }
    }

    /// The result that one process would have measured.
    ///
    /// - Parameter run: of the parts' scenario.
    package func result(of run: ScenarioRun) throws(PartialProblem) -> RunResult {
        let whole = run.begin(threads: 1)
        for file in files { try PartialFile(file).restore(into: whole) }
        return whole.result()
    }

    /// The parts in folders, by name, and those that are named.
    private static func files(_ paths: [String]) throws(PartialProblem) -> [String] {
        var files: [String] = []
        for path in paths {
            guard FolderPath.exists(path) else { throw PartialProblem("\(path) is missing", isUnreadable: true) }
            guard FolderPath.isFolder(path) else {
                files.append(path)
                continue
            }
            let names: [String]
            do throws(OutputProblem) { names = try FolderPath.contents(of: path) ?? [] } catch {
                throw PartialProblem(error)
            }
            let parts = names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
            if parts.isEmpty {
                throw PartialProblem("there is no part (*\(suffix)) in the folder \(path)", isUnreadable: true)
            }
            files += parts.map { path + "/" + $0 }
        }
        return files
    }

    /// The files in the order of their shards, if these are all of one division.
    private static func ordered(_ parts: [(path: String, shard: Shard)]) throws(PartialProblem) -> [String] {
        let (firstPath, first) = parts[0]
        var files: [String?] = Array(repeating: nil, count: first.count)
        for (path, shard) in parts {
            if shard.count != first.count {
                throw PartialProblem("\(firstPath) is one of \(first.count) shards, and \(path) one of \(shard.count)")
            }
            if let other = files[shard.number - 1] {
                throw PartialProblem("\(other) and \(path) are both shard \(shard)")
            }
            files[shard.number - 1] = path
        }
        let missing = files.indices.filter { files[$0] == nil }.map { $0 + 1 }
        if !missing.isEmpty { throw PartialProblem(sentence(missing: missing, of: first.count), isUnreadable: true) }
        return files.compactMap { $0 }
    }

    private static func sentence(missing: [Int], of count: Int) -> String {
        let shown = missing.prefix(10).map(String.init)
        if missing.count == 1 { return "shard \(shown[0]) of \(count) is missing" }
        if missing.count > shown.count {
            return "\(missing.count) of \(count) shards are missing: \(shown.joined(separator: ", ")) and others"
        }
        return "shards \(shown.dropLast().joined(separator: ", ")) and \(shown.last!) of \(count) are missing"
    }
}
