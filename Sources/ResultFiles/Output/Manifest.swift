import Basics
import Foundation

/// The last file of a folder: that its results are complete, whose they are, and all other files with their sizes and
/// hashes.
package struct Manifest {
    package static let complete = "complete"

    package let identity: RunIdentity
    package let files: [OutputFolder.WrittenFile]

    /// - Parameter members: what is said between the version and the files.
    package static func text(_ members: JSONMembers, status: String, files: [OutputFolder.WrittenFile])
        -> String
    {
        let listed = files.map { file in
            JSONText.object([
                "name": file.name, "bytes": file.bytes, "sha256": file.sha256,
            ])
        }
        return JSONText.object(
            ["status": status, "reloadsim": ReloadsimVersion.text] + members + ["files": listed]
        ).text
    }

    /// Nil if the text is not a run's manifest, or that of a run that is not complete.
    package init?(_ text: [UInt8]) {
        guard let root = JSONObject(text), root["status"] as? String == Self.complete, let identity = RunIdentity(root),
            let listed = root["files"] as? [JSONObject.Members]
        else { return nil }
        guard let files = Self.files(listed) else { return nil }
        guard
            files.contains(where: {
                $0.name == OutputFolder.resolvedScenarioName && $0.sha256 == identity.scenarioSHA256
            })
        else {
            return nil
        }
        (self.identity, self.files) = (identity, files)
    }

    /// The files that a manifest of whatever sort lists; nil if it lists none as manifests do.
    package static func files(in text: [UInt8]) -> [OutputFolder.WrittenFile]? {
        guard let root = JSONObject(text), let listed = root["files"] as? [JSONObject.Members] else { return nil }
        return files(listed)
    }

    /// The fingerprint that the manifest of a run names; nil if the text is none of one.
    package static func fingerprint(in text: [UInt8]) -> String? { JSONObject(text)?["fingerprint"] as? String }

    /// Texts that the manifest of a run has under some names; nil if it lacks one.
    package static func texts(_ names: [String], in text: [UInt8]) -> [String]? {
        guard let root = JSONObject(text) else { return nil }
        let found = names.compactMap { root[$0] as? String }
        return found.count == names.count ? found : nil
    }

    private static func files(_ listed: [JSONObject.Members]) -> [OutputFolder.WrittenFile]? {
        var files: [OutputFolder.WrittenFile] = []
        for file in listed {
            // A name must not lead out of the folder.
            guard let name = file["name"] as? String, !name.isEmpty, !name.contains("/"), name != "..",
                let bytes = file["bytes"] as? Int, let sha256 = file["sha256"] as? String
            else { return nil }
            files.append(OutputFolder.WrittenFile(name: name, bytes: bytes, sha256: sha256))
        }
        return files
    }
}

/// The members of an object that was written as JSON.
package struct JSONObject {
    package typealias Members = [String: Any]

    private let members: Members

    /// Nil if the text is anything else.
    package init?(_ text: [UInt8]) {
        do {
            guard let members = try JSONSerialization.jsonObject(with: Data(text)) as? Members else { return nil }
            self.members = members
        } catch {
            return nil
        }
    }

    package subscript(_ name: String) -> Any? { members[name] }
}
