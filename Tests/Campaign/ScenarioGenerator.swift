import Foundation
import ScenarioFiles
import Yams

/// A shipped scenario with few people and hours, in which keys of the catalogue are set to other values.
///
/// Each setting is kept only if the scenario is right with it, so that what comes out is a scenario that a user could
/// run: most blind changes end at validation and test nothing behind it.
struct GeneratedScenario {
    let seed: UInt64
    /// The shipped scenario's file name.
    let base: String
    let text: String
    /// Keys that keep it small.
    let size: [String]
    /// `key.path=value`, in order.
    let settings: [String]
    /// How many settings were tried for them.
    let tried: Int

    /// Reads it with some of its settings only.
    ///
    /// - Throws: the problems of what is no scenario without the others.
    func read(keeping kept: [Int]? = nil) throws(ScenarioProblems) -> ParsedScenario {
        try ScenarioReader.read(
            text: text, file: base, overrides: size + (kept.map { $0.map { settings[$0] } } ?? settings))
    }

    /// Where to begin: the shipped scenarios that can be made small.
    static let bases: [(name: String, text: String, size: [String])] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Scenarios")
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasSuffix(".yaml")
        }.sorted()
        return names.compactMap { name in
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else { return nil }
            for size in [["warmup=2h", "duration=22h"], ["warmup=6h", "duration=42h"], ["warmup=0s"], []] {
                let size = size + ["people=12", "thresholds=[]"]
                if (try? ScenarioReader.read(text: text, file: name, overrides: size)) != nil {
                    return (name, text, size)
                }
            }
            return nil
        }
    }()

    /// - Parameter seed: the same seed makes the same scenario from the same catalogue and the same shipped scenarios.
    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = random.one(of: Self.bases)
        var size = base.size
        size[size.count - 2] = "people=\(random.one(of: [1, 2, 5, 12, 30]))"
        size.append("seed=\(UInt64.random(in: 0..<1_000_000, using: &random))")
        (self.seed, self.base, self.text, self.size) = (seed, base.name, base.text, size)
        let wanted = random.one(of: [1, 2, 4, 8, 16])
        var settings: [String] = []
        var tried = 0
        guard var resolved = try? ScenarioReader.read(text: text, file: base.name, overrides: size).resolvedText else {
            preconditionFailure("\(base.name) is no scenario")
        }
        while settings.count < wanted && tried < 4 * wanted + 8 {
            tried += 1
            guard let setting = Self.setting(of: resolved, &random) else { continue }
            guard
                let read = try? ScenarioReader.read(text: text, file: base.name, overrides: size + settings + [setting])
            else { continue }
            settings.append(setting)
            resolved = read.resolvedText
        }
        (self.settings, self.tried) = (settings, tried)
    }

    /// Keys of the top that decide how large the run is, and those of a study.
    private static let excluded: Set<String> = [
        "people", "duration", "end", "warmup", "start", "study", "replay", "devices", "name", "seed", "thresholds",
    ]

    private static func setting(of resolved: String, _ random: inout SeededGenerator) -> String? {
        guard let tree = try? Yams.compose(yaml: resolved) else { return nil }
        var names: Set<String> = []
        gatherNames(tree, &names)
        var writer = ValueWriter(names: names.sorted(), random: random)
        defer { random = writer.random }
        return setting(in: .block(KeyCatalogue.root), tree, path: "", &writer)
    }

    /// The values of keys by which parts call one another.
    private static func gatherNames(_ node: Node, _ names: inout Set<String>) {
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                if let key = key.string, ["id", "name", "app", "kind", "endpoint", "pool", "stack"].contains(key),
                    let name = value.string,
                    name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
                {
                    names.insert(name)
                }
                gatherNames(value, &names)
            }
        case .sequence(let items): for item in items { gatherNames(item, &names) }
        case .scalar, .alias: break
        }
    }

    /// `path=value` for a key somewhere in a form: as deep as the tree has something, otherwise a value of the whole.
    private static func setting(in form: Form, _ node: Node?, path: String, _ writer: inout ValueWriter) -> String? {
        func whole() -> String? { path.isEmpty ? nil : writer.value(form, depth: 1).map { "\(path)=\($0)" } }
        func joined(_ key: String) -> String { path.isEmpty ? key : path + "." + key }
        func oneOf(_ entries: [KeyEntry], _ writer: inout ValueWriter) -> String? {
            // A key with many keys in it is chosen as often as those together.
            let weights = entries.map { KeyCatalogue.lines(in: $0.form, under: "").count + 1 }
            var at = Int.random(in: 0..<max(1, weights.reduce(0, +)), using: &writer.random)
            for (entry, weight) in zip(entries, weights) {
                if at < weight {
                    return setting(in: entry.form, node?.mapping?[Node(entry.name)], path: joined(entry.name), &writer)
                }
                at -= weight
            }
            return nil
        }
        switch form {
        case .block(let block):
            if node?.mapping == nil && !path.isEmpty && writer.random.chance(0.5) { return whole() }
            return oneOf(
                // The laws hold for people who stand for themselves: of those who stand for more before a service, only
                // the counts of devices are exact (S5).
                block.entries.filter {
                    $0.fleet != .replay && $0.name != "represents" && !(path.isEmpty && excluded.contains($0.name))
                }, &writer)
        case .variants(let variants):
            if writer.random.chance(0.3) { return whole() }
            let chosen = node?.mapping?[Node(variants.key)]?.string
            return oneOf((variants.cases.first { $0.name == chosen }?.entries ?? []) + variants.common, &writer)
                ?? whole()
        case .list(let item, _, let key):
            guard let items = node?.sequence, !items.isEmpty, writer.random.chance(0.85) else { return whole() }
            let index = Int.random(in: 0..<items.count, using: &writer.random)
            let id = key.flatMap { items[index].mapping?[Node($0)]?.string }
            return setting(in: item, items[index], path: joined(id ?? "\(index)"), &writer)
        case .table(let table):
            guard let fields = node?.mapping,
                let key = fields.keys.compactMap(\.string).randomElement(using: &writer.random),
                !key.contains("."), !table.sharesAddUp, writer.random.chance(0.85)
            else { return whole() }
            return setting(in: table.value, fields[Node(key)], path: joined(key), &writer)
        case .either(let forms): return setting(in: writer.random.one(of: forms), node, path: path, &writer)
        default: return whole()
        }
    }
}
