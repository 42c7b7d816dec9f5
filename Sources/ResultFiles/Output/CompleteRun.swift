/// Whether a folder holds the complete results of a run, read from its manifest and checked against the files
/// themselves.
package enum CompleteRun {
    package enum Finding: Hashable, Sendable {
        /// Every file that the manifest names is there with the size and the SHA-256 that it names, and the results are
        /// those of the identity.
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
    ///
    /// - Parameters:
    ///   - identity: nil if the results may be those of any run of this version.
    ///   - readsEarlier: whether they may be of an earlier version, too.
    package static func check(
        folder: String, identity: RunIdentity? = nil, readsEarlier: Bool = false
    ) throws(OutputProblem) -> Finding {
        let path = folder + "/" + OutputFolder.manifestName
        guard let bytes = try FileContent.bytes(of: path, limit: largestManifest) else { return .absent }
        guard let manifest = Manifest(bytes) else {
            return .damaged(reason: "\(path) is not the manifest of a complete run")
        }
        let version = manifest.identity.version
        if let difference = identity?.difference(from: manifest.identity)
            ?? (readsEarlier ? Self.reasonNotToRead(version: version) : Self.difference(ofVersion: version))
        {
            return .other(reason: difference)
        }
        return try damage(folder, manifest.files).map { .damaged(reason: $0) } ?? .complete
    }

    /// The fingerprint in the manifest of a run, and whether the run read files beside its scenario, such as recorded
    /// events.
    ///
    /// - Returns: nil if the folder has no manifest of a run.
    package static func facts(folder: String) throws(OutputProblem) -> (fingerprint: String, hasRecord: Bool)? {
        guard let bytes = try FileContent.bytes(of: folder + "/" + OutputFolder.manifestName, limit: largestManifest),
            let root = JSONObject(bytes),
            let fingerprint = root["fingerprint"] as? String
        else { return nil }
        return (fingerprint, root["record_sha256"] is String)
    }

    /// A clause that says how results of another version differ; nil if they are of this one.
    package static func difference(ofVersion version: String, from present: String = ReloadsimVersion.text) -> String? {
        if version == present { return nil }
        let changes = Changelog.reads(version, by: present) ? Changelog.changes(since: version).clause : ""
        return "it is of reloadsim \(version), and this is \(present)\(changes)"
    }

    /// A clause that says why tables of another version cannot be read; nil if they can: they are of this version or an
    /// earlier one before 1.0.
    package static func reasonNotToRead(version: String) -> String? {
        Changelog.reads(version) ? nil : difference(ofVersion: version)
    }

    /// How the complete results of a folder differ by their version; nil for this one, and where there are none.
    package static func versionNote(folder: String) throws(OutputProblem) -> String? {
        guard let bytes = try FileContent.bytes(of: folder + "/" + OutputFolder.manifestName, limit: largestManifest),
            let version = JSONObject(bytes)?["reloadsim"] as? String
        else { return nil }
        return difference(ofVersion: version).map { "\(folder): \($0)" }
    }

    /// A clause that says which of some files is not as it was written; nil if all are.
    package static func damage(_ folder: String, _ files: [OutputFolder.WrittenFile]) throws(OutputProblem) -> String? {
        for file in files {
            guard let found = try FileContent.measure(folder + "/" + file.name) else {
                return "\(folder)/\(file.name) is missing"
            }
            if found.bytes != file.bytes {
                return "\(folder)/\(file.name) has \(found.bytes) bytes and had \(file.bytes)"
            }
            if found.sha256 != file.sha256 { return "\(folder)/\(file.name) is not as it was written" }
        }
        return nil
    }

    /// More than any manifest has.
    private static let largestManifest = 1 << 20
}
