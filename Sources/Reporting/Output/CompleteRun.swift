import Crypto
import Foundation

/// Whether a folder holds the complete results of a run, read from its manifest and checked against the files themselves.
public enum CompleteRun {
    public enum Finding: Hashable, Sendable {
        /// Every file that the manifest names is there with the size and the SHA-256 that it names, and the results are those of the identity.
        case complete
        /// There is no folder, or none with a manifest.
        case absent
        /// The results of another run; a clause that says how it differs.
        case other(reason: String)
        /// Results that were changed or lost after they were written; a clause that says which file is wrong.
        case damaged(reason: String)
    }

    /// Reads every file that the manifest names: about a second for a gigabyte.
    ///
    /// - Throws: what the operating system says of a folder or a file that is there and cannot be read.
    public static func check(folder: String, identity: RunIdentity) throws(OutputProblem) -> Finding {
        let path = folder + "/" + OutputFolder.manifestName
        guard let bytes = try FileContent.bytes(of: path, limit: largestManifest) else { return .absent }
        guard let manifest = Manifest(bytes) else { return .damaged(reason: "\(path) is not the manifest of a complete run") }
        if let difference = identity.difference(from: manifest.identity) { return .other(reason: difference) }
        for file in manifest.files {
            guard let found = try FileContent.measure(folder + "/" + file.name) else {
                return .damaged(reason: "\(folder)/\(file.name) is missing")
            }
            if found.bytes != file.bytes {
                return .damaged(reason: "\(folder)/\(file.name) has \(found.bytes) bytes and had \(file.bytes)")
            }
            if found.sha256 != file.sha256 { return .damaged(reason: "\(folder)/\(file.name) is not as it was written") }
        }
        return .complete
    }

    /// More than any manifest has.
    private static let largestManifest = 1 << 20

    /// What a manifest says of its run and of the other files.
    private struct Manifest {
        let identity: RunIdentity
        let files: [OutputFolder.WrittenFile]

        /// Nil if it is none, or one of a run that is not complete.
        init?(_ bytes: [UInt8]) {
            let root: [String: Any]?
            do { root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] } catch { return nil }
            guard let root, root["status"] as? String == "complete", let version = root["reloadsim"] as? String,
                let scenario = root["scenario_sha256"] as? String, let seed = (root["seed"] as? String).flatMap({ UInt64($0) }),
                let listed = root["files"] as? [[String: Any]]
            else { return nil }
            identity = RunIdentity(
                scenarioSHA256: scenario, recordSHA256: root["record_sha256"] as? String, seed: seed, version: version)
            var files: [OutputFolder.WrittenFile] = []
            for file in listed {
                // A name leads nowhere but into the folder.
                guard let name = file["name"] as? String, !name.isEmpty, !name.contains("/"), name != "..",
                    let bytes = file["bytes"] as? Int, let sha256 = file["sha256"] as? String
                else { return nil }
                files.append(OutputFolder.WrittenFile(name: name, bytes: bytes, sha256: sha256))
            }
            guard files.contains(where: { $0.name == RunReport.resolvedScenarioName && $0.sha256 == scenario }) else { return nil }
            self.files = files
        }
    }
}
