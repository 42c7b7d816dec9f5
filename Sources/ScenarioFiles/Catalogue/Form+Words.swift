import Basics

extension Form {
    /// The expected value, as the part of a sentence after `expected`.
    var words: String {
        switch self {
        case .duration(let least, let most):
            if least == .zero && most >= .days(3660) { return "a duration with a unit, such as 15m or 1h30m" }
            return "a duration from \(TimeText.duration(least)) to \(TimeText.duration(most))"
        case .durationOr(let word, let least): return Form.duration(least: least).words + " or \(word)"
        case .count(let range): return "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .limit(let range): return "\(Form.count(range).words) or \(Self.unlimited)"
        case .number(let range, let isOpenBelow): return Self.rangeWords("a number", range, isOpenBelow)
        case .amount(let range, let isOpenBelow):
            let bounds = Double(range.lowerBound) / 1e6...Double(range.upperBound) / 1e6
            return Self.rangeWords("a number", bounds, isOpenBelow) + " with at most 6 decimals"
        case .boolean: return "true or false"
        case .choice(let names): return Self.alternatives(names)
        case .text: return "a text"
        case .name: return "a name of letters, digits, '_' and '-' that does not begin with '-'"
        case .label: return "a name on one line"
        case .region: return "an edge region such as us-east, in a replay a time zone"
        case .instant(afterStart: false): return "a date-time with an offset, such as 2026-03-02T00:00:00-05:00"
        case .instant(afterStart: true): return "a duration after start or a date-time with an offset"
        case .span: return "a span [from, to] of two instants"
        case .clock: return "a clock time in quotes, such as \"07:30\""
        case .date: return "a date such as 2026-11-26"
        case .zone(let allowsLocal): return (allowsLocal ? "local or " : "") + "a time zone such as America/New_York"
        case .distance(let range):
            return
                "a length with a unit, from \(Self.text(millimetres: range.lowerBound)) to \(Self.text(millimetres: range.upperBound))"
        case .speed: return "a speed such as 40km/h or 11m/s"
        case .size(let range):
            return
                "a size with a unit, from \(Self.text(bytes: range.lowerBound)) to \(Self.text(bytes: range.upperBound))"
        case .bound: return BoundText.words
        case .place: return "a place as 'name x y' in metres"
        case .keyPath: return "a key path such as kinds.weather.policy.jitter"
        case .expression: return "an expression such as range(0s, 10m, 2m)"
        case .design: return "a design: grid, sobol:N, lhs:N or csv:FILE"
        case .anything: return "a value"
        case .distribution(.duration):
            return "a duration or a distribution of durations, such as 10s or {median: 10s, p95: 60s}"
        case .distribution(.count): return "a number or a distribution, such as 80 or {shape: 3.1, mean: 80}"
        case .distribution(.clock):
            return "a clock time in quotes or a distribution of clock times, such as {mean: \"07:45\", sd: 1h}"
        case .list(let item, let counts, _):
            let number = counts.lowerBound == counts.upperBound ? "\(counts.lowerBound) of: " : ""
            return "a list of " + number + item.shortWords
        case .table(let table):
            switch table.keys {
            case .zones: return "a mapping from time zones to \(table.value.shortWords)"
            case .cities: return "a mapping from cities to \(table.value.shortWords)"
            case .regions: return "a mapping from edge regions to \(table.value.shortWords)"
            case .apps: return "a mapping from apps to \(table.value.shortWords)"
            case .choices: return "a mapping from the choices to \(table.value.shortWords)"
            case .kinds: return "a mapping from kinds to \(table.value.shortWords)"
            case .axes: return "a mapping from axes to what they take"
            case .keyPaths: return "a mapping from key paths to \(table.value.shortWords)"
            case .variants: return "a mapping from names to overrides"
            case .parameters: return "a mapping from keys to lengths of time, numbers, texts or flags"
            }
        case .block, .variants: return "a mapping"
        case .oneOf(let entries):
            return "a mapping with " + (entries.count == 1 ? "the key " : "one of ")
                + entries.map(\.name).joined(separator: ", ")
        case .either(let forms): return forms.map(\.words).joined(separator: " or ")
        }
    }

    /// The form in words without ranges and examples, in the plural.
    var shortWords: String {
        switch self {
        case .duration: "durations"
        case .count: "whole numbers"
        case .number, .amount: "numbers"
        case .choice(let names): Self.alternatives(names)
        case .name, .label: "names"
        case .region: "edge regions"
        case .instant: "instants"
        case .span: "spans [from, to]"
        case .clock: "clock times in quotes"
        case .date: "dates"
        case .text: "texts"
        case .anything: "values"
        case .list(let item, _, _): "lists of \(item.shortWords)"
        case .block, .variants, .oneOf: "mappings"
        case .durationOr, .limit, .boolean, .zone, .distance, .speed, .size, .bound, .place, .keyPath, .expression,
            .design,
            .distribution, .table, .either:
            words
        }
    }

    /// The form of a place whose name is none.
    static let placeName = "a place as 'name x y' in metres, with " + NameText.words

    static func alternatives(_ names: [String]) -> String {
        names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names.last!
    }

    static func text(millimetres: Int64) -> String {
        millimetres % 1_000_000 == 0 ? "\(millimetres / 1_000_000)km" : TimeText.decimal(millimetres, places: 3) + "m"
    }

    /// The word for no limit.
    static let unlimited = "unlimited"

    /// In the first unit that divides it.
    package static func text(bytes: Int64) -> String {
        guard bytes > 0, let unit = UnitTable.sizes.first(where: { bytes % $0.size == 0 }) else { return "\(bytes)B" }
        return "\(bytes / unit.size)\(unit.name)"
    }

    private static func rangeWords(_ noun: String, _ range: ClosedRange<Double>, _ isOpenBelow: Bool) -> String {
        let low = FigureText.shortest(range.lowerBound)
        let high = FigureText.shortest(range.upperBound)
        return isOpenBelow ? "\(noun) above \(low), at most \(high)" : "\(noun) from \(low) to \(high)"
    }

    enum NodeKind { case scalar, list, mapping }

    /// Whether the form reads nodes of the kind.
    func reads(_ kind: NodeKind) -> Bool {
        switch structure {
        case .list, .span: kind == .list
        case .table, .block, .variants, .oneOf: kind == .mapping
        case .distribution: kind != .list
        case .anything: true
        case .either(let forms): forms.contains { $0.reads(kind) }
        case .scalar: kind == .scalar
        }
    }
}
