/// Texts of scalars that need no context.
package enum ScalarText {
    /// A name of the scenario's own. It does not begin with a hyphen: a command line would take it for an option.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte) && text.utf8.first != UInt8(ascii: "-")
    }

    package static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    /// The name of an axis, which is the key path that it varies or a word of its own. It does not begin with a hyphen:
    /// its column would look like a formula.
    package static func isAxisName(_ text: String) -> Bool {
        let words = text.split(separator: ".")
        return !words.isEmpty && text.utf8.first != UInt8(ascii: "-") && text.utf8.count <= 200
            && words.allSatisfy { $0.utf8.allSatisfy(isNameByte) }
    }

    /// `grid`, `sobol:64`, `lhs:64`, `csv:points.csv`, with the number in digits; nil for anything else.
    package static func design(_ text: String) -> String? {
        if text == "grid" { return text }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        switch parts[0] {
        case "csv": return text
        case "sobol", "lhs":
            guard case .success(let number) = DecimalText.read(String(parts[1])),
                let count = number.whole(timesTenTo: 0),
                (1...1_000_000).contains(count)
            else { return nil }
            return "\(parts[0]):\(count)"
        default: return nil
        }
    }

    /// `10km`, `4kB`: a decimal number and a unit, as a whole number of the smallest; nil for anything else.
    package static func quantity(_ text: String, in units: [UnitTable.Unit]) -> Int64? {
        let letters = text.reversed().prefix { $0.isASCII && $0.isLetter }.count
        guard let unit = units.first(where: { $0.name == text.suffix(letters) }),
            case .success(let value) = DecimalText.read(String(text.dropLast(letters)))
        else { return nil }
        return value.whole(of: unit)
    }

    /// Each with how many of it a metre a second is.
    private static let speedUnits = [("km/h", 3.6), ("m/s", 1.0)]

    /// `40km/h`, `11m/s`; nil for anything else.
    package static func speed(_ text: String) -> (metresPerSecond: Double, text: String)? {
        for (unit, perSecond) in speedUnits where text.hasSuffix(unit) {
            guard case .success(let value) = DecimalText.read(String(text.dropLast(unit.count))) else { return nil }
            return (value.double / perSecond, FigureText.shortest(value.double) + unit)
        }
        return nil
    }

    /// `name x y` with coordinates in metres, to the millimetre; nil for anything else.
    ///
    /// - Parameter most: the largest coordinate, millimetres; 1,000 km unless it is stated.
    package static func place(_ text: String, most: Int64 = 1_000_000_000) -> (name: String, x: Int64, y: Int64)? {
        let words = text.split(separator: " ")
        guard words.count >= 3, case .success(let x) = DecimalText.read(String(words[words.count - 2])),
            case .success(let y) = DecimalText.read(String(words[words.count - 1])),
            let xMillimetres = x.whole(timesTenTo: 3),
            let yMillimetres = y.whole(timesTenTo: 3),
            max(xMillimetres.magnitude, yMillimetres.magnitude) <= most.magnitude
        else { return nil }
        return (words.dropLast(2).joined(separator: " "), xMillimetres, yMillimetres)
    }
}

/// The faults of bytes that should be UTF-8.
package enum UTF8Bytes {
    /// The offset of the first byte that no character can have there: for a character that is not complete, of its
    /// first byte. The number of bytes if all are right.
    package static func firstWrong(in bytes: [UInt8]) -> Int {
        var (parser, rest, at) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
        while case .valid(let character) = parser.parseScalar(from: &rest) { at += character.count }
        return at
    }
}

extension Sequence {
    /// The elements without those whose key was there before, in order.
    package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// The elements without those that were there before, in order.
    package var uniqued: [Element] { uniqued { $0 } }
}
