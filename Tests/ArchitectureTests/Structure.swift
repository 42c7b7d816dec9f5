import Foundation

/// The modules and folders of the sources with what they use of each other, read from the text: module by import lines,
/// folder by the names of types that another folder of the same module declares.
///
/// A type that two folders of a module declare, or one nested in another, tells nothing and is left out.
struct Structure {
    struct Folder: Hashable, Comparable {
        let module: String
        /// The path within the module.
        let path: String

        static func < (a: Folder, b: Folder) -> Bool { (a.module, a.path) < (b.module, b.path) }
    }

    /// The modules of the project that each imports.
    private(set) var imports: [String: Set<String>] = [:]
    /// The folders of its own module that each folder uses, with one name for each as a witness. Files beside the
    /// folders are the module's face and in none.
    private(set) var uses: [Folder: [Folder: String]] = [:]
    /// How many files each folder holds.
    private(set) var files: [Folder: Int] = [:]

    init(of sources: URL) throws {
        for module in try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() {
            imports[module] = []
            var texts: [(folder: Folder?, words: Set<String>)] = []
            var declared: [String: Set<Folder?>] = [:]
            let root = sources.appending(path: module)
            let names = (FileManager.default.enumerator(atPath: root.path) ?? .init()).compactMap { $0 as? String }
            for name in names.sorted() where name.hasSuffix(".swift") {
                let text = Self.withoutComments(try String(contentsOf: root.appending(path: name), encoding: .utf8))
                let parts = name.split(separator: "/").dropLast()
                let folder = parts.isEmpty ? nil : Folder(module: module, path: parts.joined(separator: "/"))
                if let folder { files[folder, default: 0] += 1 }
                for match in text.matches(of: #/(?m)^(?:@\w+ )*import (\w+)/#) {
                    imports[module]?.insert(String(match.1))
                }
                for match in text.matches(of: Self.declaration) {
                    declared[String(match.1), default: []].insert(folder)
                }
                texts.append((folder, Set(text.matches(of: #/\b[A-Z]\w+/#).map { String($0.0) })))
            }
            for (folder, words) in texts {
                guard let folder else { continue }
                uses[folder] = uses[folder] ?? [:]
                for word in words.sorted() {
                    guard let places = declared[word], places.count == 1, let place = places.first, let place,
                        place != folder
                    else { continue }
                    if uses[folder]?[place] == nil { uses[folder]?[place] = word }
                }
            }
        }
        let modules = Set(imports.keys)
        imports = imports.mapValues { $0.intersection(modules) }
    }

    /// Types at the top level of a file.
    private static var declaration: Regex<(Substring, Substring)> {
        #/(?m)^(?:@\w+ )*(?:(?:public|package|final|indirect|private|fileprivate) )*(?:struct|class|enum|protocol|typealias) (\w+)/#
    }

    private static func withoutComments(_ text: String) -> String {
        text.replacing(#/"""[\s\S]*?"""/#, with: "").replacing(#/(?m)//.*$/#, with: "").replacing(
            #/"(?:\\.|[^"\\])*"/#, with: "")
    }

    /// Pairs of folders of one module of which each uses the other.
    var pairsBothWays: [(Folder, Folder, String)] {
        uses.keys.sorted().flatMap { folder in
            (uses[folder] ?? [:]).keys.sorted().compactMap { other in
                guard folder < other, let back = uses[other]?[folder], let there = uses[folder]?[other] else {
                    return nil
                }
                return (folder, other, "\(folder.path) uses \(there) of \(other.path), which uses \(back)")
            }
        }
    }

    /// Modules and folders with their arrows as text: what a module imports and no module that it imports brings with
    /// it, and below each module its folders with what they use.
    var picture: String {
        var lines: [String] = []
        for module in Self.order(imports) {
            let all = imports[module] ?? []
            let brought = all.reduce(into: Set<String>()) { $0.formUnion(reached(from: $1)) }
            let direct = all.subtracting(brought).sorted()
            lines.append(module + (direct.isEmpty ? "" : " → " + direct.joined(separator: ", ")))
            for folder in uses.keys.sorted() where folder.module == module {
                let others = (uses[folder] ?? [:]).keys.map(\.path).sorted()
                lines.append(
                    "    \(folder.path) (\(files[folder] ?? 0))"
                        + (others.isEmpty ? "" : " → " + others.joined(separator: ", ")))
            }
        }
        return lines.joined(separator: "\n")
    }

    private func reached(from module: String) -> Set<String> {
        (imports[module] ?? []).reduce(into: []) {
            $0.formUnion([$1]); $0.formUnion(reached(from: $1))
        }
    }

    /// Each module after all that it imports.
    private static func order(_ imports: [String: Set<String>]) -> [String] {
        var placed: [String] = []
        while placed.count < imports.count {
            let ready = imports.keys.filter { module in
                !placed.contains(module) && (imports[module] ?? []).isSubset(of: placed)
            }.sorted()
            precondition(!ready.isEmpty, "modules that import each other")
            placed += ready
        }
        return placed
    }
}
