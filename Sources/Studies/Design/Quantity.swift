import Basics

/// A number with its unit as an axis writes it: `250`, `0.25`, `10m`, `1h30m`, `4kB`, `2.5km`. Exact: a whole number of
/// the smallest parts of its unit.
struct Quantity: Hashable, Sendable {
    /// The kind that quantities must share to be compared or to bound a range.
    enum Kind: Hashable, Sendable {
        case number, duration, distance, size

        var words: String {
            switch self {
            case .number: "a plain number"
            case .duration: "a length of time"
            case .distance: "a distance"
            case .size: "a size"
            }
        }

        /// The unit of one whole of it, and how many parts that has.
        var one: (unit: String, parts: Int128) {
            switch self {
            case .number: ("number", 1_000_000_000)
            case .duration: ("s", 1_000_000)
            case .distance: ("m", 1_000)
            case .size: ("bytes", 1)
            }
        }
    }

    let kind: Kind
    /// Billionths for numbers, microseconds, millimetres, bytes.
    let parts: Int128
    /// Whether it is a number that was written without decimals.
    var isWhole = false

    /// `m` is a minute here, so distances are in kilometres.
    private static let units: [(kind: Kind, units: [UnitTable.Unit])] = [
        (.duration, UnitTable.durations), (.distance, UnitTable.lengths.filter { $0.name != "m" }),
        (.size, UnitTable.sizes),
    ]

    /// The kind and the parts of a unit; nil if no unit has the name.
    private static func unit(named name: Substring) -> (kind: Kind, parts: Int128)? {
        for (kind, units) in units {
            if let unit = units.first(where: { $0.name == name }) { return (kind, Int128(unit.size)) }
        }
        return nil
    }

}

extension Quantity {
    /// Nil for what is no quantity. Several units follow each other as in `1h30m`; `m` is a minute.
    init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        var rest = text.dropFirst(isNegative ? 1 : 0)
        var total: Int128 = 0
        var kind: Kind?
        var isWhole = false
        while !rest.isEmpty {
            var number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
            rest = rest.dropFirst(number.count)
            if rest.first == "e" || rest.first == "E" {
                let power = rest.prefix { "eE+-".contains($0) || $0.isASCII && $0.isNumber }
                number = text[number.startIndex..<power.endIndex]
                rest = rest.dropFirst(power.count)
            }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            if name.isEmpty {
                // A plain number stands alone.
                guard kind == nil, rest.isEmpty, let parts = Self.parts(of: number, Kind.number.one.parts) else {
                    return nil
                }
                (kind, total) = (.number, parts)
                isWhole = number.allSatisfy { $0.isNumber || $0 == "_" }
            } else {
                guard let unit = Self.unit(named: name), kind == nil || kind == unit.kind,
                    let parts = Self.parts(of: number, unit.parts)
                else { return nil }
                kind = unit.kind
                total += parts
            }
        }
        // Durations are 64 bits of microseconds.
        guard let kind, total < (kind == .duration ? Int128(Int64.max) : Int128(1) << 96) else { return nil }
        self.init(kind: kind, parts: isNegative ? -total : total, isWhole: isWhole)
    }

    /// A decimal number of units as whole parts; nil if they are not whole.
    private static func parts(of text: Substring, _ unit: Int128) -> Int128? {
        let halves = text.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        guard let mantissa = halves.first, mantissa.last != "_", mantissa.first != "_" else { return nil }
        var power = 0
        if halves.count == 2 {
            guard let stated = Int(halves[1]), (-18...18).contains(stated) else { return nil }
            power = stated
        }
        let pieces = mantissa.filter { $0 != "_" }.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count <= 2, mantissa.contains(where: \.isNumber) else { return nil }
        let digits = pieces.joined()
        guard digits.count <= 18, let value = Int64(digits) else { return nil }
        if pieces.count == 2 { power -= pieces[1].count }
        var parts = Int128(value) * unit
        for _ in 0..<max(0, power) {
            parts *= 10
            if parts >= Int128(1) << 96 { return nil }
        }
        for _ in 0..<max(0, -power) {
            guard parts % 10 == 0 else { return nil }
            parts /= 10
        }
        return parts
    }

    /// In ones of its kind: 1, seconds, metres, bytes.
    var double: Double { Double(parts) / Double(kind.one.parts) }

    /// As an override takes it; it reads back as the same quantity.
    var text: String {
        switch kind {
        case .number: Self.decimal(parts, places: 9)
        case .duration: TimeText.duration(Duration(microseconds: Int64(parts)))
        case .distance: Self.decimal(parts, places: 6) + "km"
        case .size: parts % 1_000 == 0 && parts != 0 ? "\(parts / 1_000)kB" : "\(parts)B"
        }
    }

    private static func decimal(_ value: Int128, places: Int) -> String {
        var unit: Int128 = 1
        for _ in 0..<places { unit *= 10 }
        var fraction = "\(value.magnitude % unit.magnitude)"
        fraction = String(repeating: "0", count: places - fraction.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return (value < 0 ? "-" : "") + "\(value.magnitude / unit.magnitude)" + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The nearest quantity of the kind to a number of parts that people can read: whole ones if `isWhole`, otherwise
    /// about six digits, and for a number six decimals, the most that a key takes.
    static func rounded(_ parts: Double, _ kind: Kind, isWhole: Bool) -> Quantity {
        let one = Double(kind.one.parts)
        var step = kind == .size ? 1.0 : isWhole ? one : kind == .number ? one / 1_000_000 : 1.0
        if !isWhole { while parts.magnitude / step >= 1_000_000 { step *= 10 } }
        let rounded = Int128((parts / step).rounded()) * Int128(step)
        return Quantity(kind: kind, parts: rounded, isWhole: isWhole)
    }
}
