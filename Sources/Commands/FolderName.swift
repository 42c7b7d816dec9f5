import ArgumentParser

/// A folder that `--out` names.
enum FolderName {
    static func check(_ name: String?) throws {
        if name == "" { throw ValidationError("--out takes the name of a folder.") }
        if name == "-" {
            throw ValidationError(
                "--out takes a folder for several files, and - would be standard output; --out ./- is a folder of that name."
            )
        }
    }

    /// A name that is safe as a folder's: other characters than letters, digits, `.`, `_` and `-` become `-`.
    static func safe(_ name: String) -> String {
        let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" })
        return safe.allSatisfy { $0 == "." } ? "scenario" : safe
    }
}
