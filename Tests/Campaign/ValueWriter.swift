import Basics
import Foundation
import ScenarioFiles

/// Writes values that a key of the catalogue may have, as YAML on one line: usual ones, ones at the ends of the range,
/// and ones far out.
struct ValueWriter {
    /// The names that the scenario has already, by which its parts call one another.
    let names: [String]
    var random: SeededGenerator

    /// Lists and blocks deeper than this are left out.
    private static let deepest = 6

    /// A value of a form; nil where none is written: what belongs to a study, and what is too deep.
    mutating func value(_ form: Form, depth: Int = 0) -> String? {
        if depth > Self.deepest { return nil }
        switch form {
        case .duration(let least, let most): return duration(least, most)
        case .durationOr(let word, let least): return random.chance(0.2) ? word : duration(least, .days(3660))
        case .count(let range): return count(range)
        case .limit(let range): return random.chance(0.2) ? "unlimited" : count(range)
        case .number(let range, let isOpenBelow): return number(range, isOpenBelow)
        case .amount(let range, let isOpenBelow):
            let (low, high) = (range.lowerBound + (isOpenBelow ? 1 : 0), range.upperBound)
            let millionths =
                random.chance(0.3)
                ? random.one(of: [low, high]) : Int64(random.logUniform(Double(max(1, low))...Double(max(1, high))))
            return TimeText.decimal(min(max(millionths, low), high), places: 6)
        case .boolean: return random.chance(0.5) ? "true" : "false"
        case .choice(let words): return random.one(of: words)
        case .text: return "\"a text\""
        case .name: return name()
        case .label, .region: return random.chance(0.5) ? "\"Berlin\"" : "\"a b\""
        case .instant: return random.one(of: ["0s", "1h", "7h30m", "20h"])
        case .span: return random.one(of: ["[1h, 2h]", "[0s, 10m]", "[5h, 9h30m]", "[90m, 91m]"])
        case .clock: return random.one(of: ["\"00:00\"", "\"07:30\"", "\"12:00\"", "\"23:59:59\"", "\"02:30\""])
        case .date: return random.one(of: ["2026-03-04", "2026-03-08", "2024-02-29", "2026-12-31"])
        case .zone(let allowsLocal): return random.one(of: Self.zones + (allowsLocal ? ["local"] : []))
        case .distance(let range): return distance(range)
        case .speed: return random.one(of: ["1m/s", "5km/h", "30km/h", "120km/h"])
        case .size: return random.one(of: ["0B", "1B", "300B", "4kB", "64KiB", "2MB"])
        case .bound: return random.one(of: ["0", "-3", "1e6", "50ms", "4kB", "95%", "0.1 %"])
        case .place: return random.one(of: ["home 0 0", "work 3000 -400", "far 90000 90000"])
        case .keyPath, .expression, .design, .anything: return nil
        case .distribution(let subject): return distribution(subject)
        case .list(let item, let counts, let key): return list(item, counts, key, depth)
        case .table(let table): return self.table(table, depth)
        case .block(let block): return mapping(block.entries, sharesAddUp: block.sharesAddUp, depth)
        case .variants(let variants):
            let chosen = random.one(of: variants.cases)
            guard let fields = fields(chosen.entries + variants.common, depth) else { return nil }
            return "{"
                + (["\(variants.key): \(chosen.name)"] + fields.map { "\($0.name): \($0.text)" }).joined(
                    separator: ", ") + "}"
        case .oneOf(let entries):
            let entry = random.one(of: entries)
            return value(entry.form, depth: depth + 1).map { "{\(entry.name): \($0)}" }
        case .either(let forms): return value(random.one(of: forms), depth: depth)
        }
    }

    static let zones = [
        "America/New_York", "America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe",
        "Pacific/Kiritimati",
        "America/St_Johns", "UTC",
    ]

    mutating func name() -> String {
        names.isEmpty || random.chance(0.2) ? random.one(of: ["n1", "n2", "n3"]) : random.one(of: names)
    }

    // MARK: Scalars

    private mutating func duration(_ least: Duration, _ most: Duration) -> String {
        let usual: [Duration] = [
            .zero, .milliseconds(50), .seconds(1), .seconds(30), .minutes(1), .minutes(5), .minutes(20), .hours(1),
            .hours(6), .days(1),
        ]
        let fitting = usual.filter { $0 >= least && $0 <= most }
        let drawn: Duration
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.1: drawn = least
        case ..<0.15: drawn = most
        case ..<0.7 where !fitting.isEmpty: drawn = random.one(of: fitting)
        default: drawn = Duration(microseconds: Int64(random.logUniform(1_000...Double(max(2_000, most.microseconds)))))
        }
        return TimeText.duration(min(max(drawn, least), most))
    }

    private mutating func count(_ range: ClosedRange<Int64>) -> String {
        let (low, high) = (range.lowerBound, range.upperBound)
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.15: return "\(low)"
        case ..<0.2: return "\(high)"
        case ..<0.7:
            return "\(Int64.random(in: low...min(high, low.addingReportingOverflow(9).partialValue), using: &random))"
        default:
            return
                "\(min(high, max(low, Int64(random.logUniform(Double(max(1, low))...min(1e15, Double(max(1, high))))))))"
        }
    }

    private mutating func number(_ range: ClosedRange<Double>, _ isOpenBelow: Bool) -> String {
        let (low, high) = (range.lowerBound, range.upperBound)
        let drawn: Double
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.15: drawn = isOpenBelow ? low + (high - low) * 1e-9 : low
        case ..<0.2: drawn = high
        case ..<0.6: drawn = Double.random(in: low...min(high, low + 10), using: &random)
        default: drawn = random.logUniform(max(low, 1e-6)...max(low, 1e-6, high))
        }
        return FigureText.shortest(min(max(drawn, low), high))
    }

    private mutating func distance(_ range: ClosedRange<Int64>) -> String {
        let millimetres = min(
            max(random.one(of: [range.lowerBound, 1_000, 100_000, 3_000_000, range.upperBound]), range.lowerBound),
            range.upperBound)
        return TimeText.decimal(millimetres, places: 3) + "m"
    }

    private mutating func distribution(_ subject: DistributionSubject) -> String {
        var random = random
        defer { self.random = random }
        if subject == .clock {
            return random.one(of: [
                "\"08:00\"", "{mean: \"22:30\", sd: 1h}", "{min: \"00:00\", max: \"23:59\"}",
                "{mean: \"03:00\", sd: 6h}",
            ])
        }
        func quantity(_ value: Double) -> String {
            subject == .duration
                ? TimeText.duration(Duration(microseconds: Int64(value * 1e6))) : FigureText.shortest(value)
        }
        let middle = random.one(of: [0.001, 0.3, 5, 60, 600, 3600, 40_000])
        let sigma = FigureText.shortest(random.one(of: [0.1, 0.5, 1, 2.5, 6]))
        let families = [
            quantity(middle), "{min: \(quantity(middle / 2)), max: \(quantity(middle))}", "{mean: \(quantity(middle))}",
            "{mean: \(quantity(middle)), sd: \(quantity(middle / 3))}",
            "{median: \(quantity(middle)), sigma: \(sigma)}",
            "{median: \(quantity(middle)), p95: \(quantity(middle * 4))}",
            "{shape: \(sigma), mean: \(quantity(middle))}",
            "{median: \(quantity(middle)), sigma: \(sigma), minimum: \(quantity(middle / 4))}",
            "{median: \(quantity(middle)), sigma: \(sigma), clip: [\(quantity(middle / 10)), \(quantity(middle * 10))]}",
            "{mean: \(quantity(middle)), scale: \(quantity(middle / 5)), degrees: 3}",
        ]
        return random.one(of: families)
    }

    // MARK: Lists and mappings

    private mutating func list(_ item: Form, _ counts: ClosedRange<Int>, _ key: String?, _ depth: Int) -> String? {
        let count = Int.random(
            in: counts.lowerBound...min(counts.upperBound, max(counts.lowerBound, 3)), using: &random)
        var items: [String] = []
        for _ in 0..<count {
            guard let text = value(item, depth: depth + 1) else { return nil }
            items.append(text)
        }
        return "[" + items.joined(separator: ", ") + "]"
    }

    private mutating func table(_ table: Form.Table, _ depth: Int) -> String? {
        let words: [String]
        switch table.keys {
        case .zones: words = Self.zones
        case .cities: words = ["New York City", "London", "Tokyo", "Sydney", "Berlin", "Mumbai"]
        case .regions: words = ["us-east", "us-west", "eu-central"] + names
        case .apps, .choices, .kinds: words = names.isEmpty ? ["n1"] : names
        case .axes, .keyPaths, .variants, .parameters: return nil
        }
        let keys = Array(Set((0..<random.one(of: [1, 2, 4])).map { _ in random.one(of: words) })).sorted()
        var fields: [String] = []
        for key in keys {
            // Halves and quarters add up exactly.
            let text =
                table.sharesAddUp ? FigureText.shortest(1 / Double(keys.count)) : value(table.value, depth: depth + 1)
            guard let text else { return nil }
            fields.append("\"\(key)\": \(text)")
        }
        return "{" + fields.joined(separator: ", ") + "}"
    }

    private mutating func mapping(_ entries: [KeyEntry], sharesAddUp: Bool, _ depth: Int) -> String? {
        if sharesAddUp {
            let chosen = entries.shuffled(using: &random).prefix(random.one(of: [1, 2, 4]))
            return "{"
                + chosen.map { "\($0.name): \(FigureText.shortest(1 / Double(chosen.count)))" }.joined(separator: ", ")
                + "}"
        }
        return fields(entries, depth).map { "{" + $0.map { "\($0.name): \($0.text)" }.joined(separator: ", ") + "}" }
    }

    /// The required keys of a mapping, and a few of the others; nil if a required one has no value.
    private mutating func fields(_ entries: [KeyEntry], _ depth: Int) -> [(name: String, text: String)]? {
        var fields: [(name: String, text: String)] = []
        for entry in entries where entry.fleet != .replay && (entry.isRequired || random.chance(depth < 2 ? 0.2 : 0.1))
        {
            if let text = value(entry.form, depth: depth + 1) {
                fields.append((entry.name, text))
            } else if entry.isRequired {
                return nil
            }
        }
        return fields
    }
}
