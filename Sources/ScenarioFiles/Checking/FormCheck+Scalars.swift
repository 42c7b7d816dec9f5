import PlainText
import SimulatedTime

extension FormCheck {
    /// A scalar by its form's rules, from the characters that were written.
    func scalar(_ node: RawNode, _ form: Form, _ path: String) -> CheckedValue.Content? {
        guard case .scalar(let text, let isPlain) = node.content, !node.isNothing else { return refuse(node, path, form.words) }
        switch form {
        case .duration(let least, let most):
            guard let value = DurationText.read(text) else { return refuseDuration(node, text, form, path) }
            return value >= least && value <= most ? .duration(value) : refuse(node, path, form.words)
        case .count(let range):
            guard let number = decimal(node, text, isPlain, form, path) else { return nil }
            guard let value = number.whole(timesTenTo: 0), range.contains(value) else { return refuse(node, path, form.words) }
            return .count(value)
        case .limit(let range):
            if text == Form.unlimited { return .text(text) }
            guard let number = decimal(node, text, isPlain, form, path) else { return nil }
            guard let value = number.whole(timesTenTo: 0), range.contains(value) else { return refuse(node, path, form.words) }
            return .count(value)
        case .number(let range, let isOpenBelow):
            guard let number = decimal(node, text, isPlain, form, path) else { return nil }
            let value = number.double
            guard value.isFinite, range.contains(value), !(isOpenBelow && value <= range.lowerBound) else {
                return refuse(node, path, form.words)
            }
            return .number(value)
        case .amount(let range, let isOpenBelow):
            guard let number = decimal(node, text, isPlain, form, path) else { return nil }
            guard let value = number.whole(timesTenTo: 6), range.contains(value), !(isOpenBelow && value <= range.lowerBound) else {
                return refuse(node, path, form.words)
            }
            return .amount(value)
        case .boolean:
            guard isPlain, text == "true" || text == "false" else {
                return refuse(node, path, form.words, found: isPlain ? nil : "the text \(node.found)")
            }
            return .flag(text == "true")
        case .choice(let names):
            if names.contains(text) { return .text(text) }
            return refuse(node, path, form.words, nearest: Nearest.name(to: text, among: names))
        case .text: return .text(text)
        case .name: return ScalarText.isName(text) ? .text(text) : refuse(node, path, form.words)
        case .label:
            let isLabel = !text.isEmpty && text.count <= 100 && !text.contains(where: { $0.isNewline || $0 == "\t" })
            return isLabel ? .text(text) : refuse(node, path, form.words)
        case .instant(let afterStart): return instant(node, text, afterStart, form, path)
        case .clock: return clock(node, text, isPlain, form, path).map { .clock($0) }
        case .date: return CalendarText.date(Substring(text)).map { .date($0) } ?? refuse(node, path, form.words)
        case .zone(let allowsLocal):
            if allowsLocal && text == "local" || ZoneNames.contains(text) { return .text(text) }
            return refuse(node, path, form.words, nearest: ZoneNames.nearest(to: text, or: allowsLocal ? ["local"] : []))
        case .distance(let range):
            guard let value = ScalarText.quantity(text, in: UnitTable.lengths), range.contains(value) else {
                return refuse(node, path, form.words)
            }
            return .distance(millimetres: value)
        case .speed(let range):
            guard let (speed, canonical) = ScalarText.speed(text), range.contains(speed) else { return refuse(node, path, form.words) }
            return .speed(metresPerSecond: speed, text: canonical)
        case .size(let range):
            guard let bytes = ScalarText.quantity(text, in: UnitTable.sizes), range.contains(bytes) else {
                return refuse(node, path, form.words)
            }
            return .bytes(bytes)
        case .place:
            guard let place = ScalarText.place(text) else { return refuse(node, path, form.words) }
            return .place(name: place.name, x: place.x, y: place.y)
        case .keyPath: return KeyPathText.parts(of: text[...]) == nil ? refuse(node, path, form.words) : .text(text)
        case .expression: return text.isEmpty ? refuse(node, path, form.words, found: "an empty text") : .text(text)
        case .design: return ScalarText.design(text).map { .text($0) } ?? refuse(node, path, form.words)
        case .list, .table, .block, .variants, .oneOf, .either, .law, .span, .anything: preconditionFailure("\(form) is no scalar")
        }
    }

    /// A plain number; a text in quotes is none.
    func decimal(_ node: RawNode, _ text: String, _ isPlain: Bool, _ form: Form, _ path: String) -> DecimalText? {
        switch DecimalText.read(text) {
        case .success(let number) where isPlain: return number
        case .success: refuse(node, path, form.words, found: "the text \(node.found)")
        case .failure(.leadingZero): refuse(node, path, form.words + " without leading zeros")
        case .failure(.notANumber): refuse(node, path, form.words)
        }
        return nil
    }

    func clock(_ node: RawNode, _ text: String, _ isPlain: Bool, _ form: Form, _ path: String) -> ClockTime? {
        guard let clock = CalendarText.clock(Substring(text)) else {
            refuse(node, path, form.words)
            return nil
        }
        guard !isPlain else {
            refuse(node, path, "the clock time in quotes, \"\(text)\"", found: "\(text) without them, which YAML can read as a number")
            return nil
        }
        return clock
    }

    private func refuseDuration(_ node: RawNode, _ text: String, _ form: Form, _ path: String) -> CheckedValue.Content? {
        if case .success(let number) = DecimalText.read(text), !number.isNegative {
            return refuse(node, path, "a duration with a unit, such as \(text)s or \(text)m")
        }
        let isNegative = text.hasPrefix("-") && DurationText.read(String(text.dropFirst())) != nil
        return refuse(node, path, isNegative ? "a duration from 0s up" : Form.duration().words)
    }

    private func instant(_ node: RawNode, _ text: String, _ afterStart: Bool, _ form: Form, _ path: String) -> CheckedValue.Content? {
        if let (unix, offset) = CalendarText.instant(text) { return .instant(.absolute(unixMicroseconds: unix, offset: offset)) }
        if afterStart, let duration = DurationText.read(text) { return .instant(.afterStart(duration)) }
        if CalendarText.localDateTime(Substring(text)) != nil {
            return refuse(node, path, "a date-time with an offset, such as \(text)Z or \(text)-05:00")
        }
        return refuse(node, path, form.words)
    }
}

/// Texts of scalars that need no context.
enum ScalarText {
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isNameByte)
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    /// The name of an axis, which is the key path that it varies or a word of its own.
    static func isAxisName(_ text: String) -> Bool {
        let words = text.split(separator: ".")
        return !words.isEmpty && text.utf8.count <= 200 && words.allSatisfy { $0.utf8.allSatisfy(isNameByte) }
    }

    /// `grid`, `sobol:64`, `lhs:64`, `csv:points.csv`, with the number in digits; nil for anything else.
    static func design(_ text: String) -> String? {
        if text == "grid" { return text }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        switch parts[0] {
        case "csv": return text
        case "sobol", "lhs":
            guard case .success(let number) = DecimalText.read(String(parts[1])), let count = number.whole(timesTenTo: 0),
                (1...1_000_000).contains(count)
            else { return nil }
            return "\(parts[0]):\(count)"
        default: return nil
        }
    }

    /// `10km`, `4kB`: a decimal number and a unit, as a whole number of the smallest; nil for anything else.
    static func quantity(_ text: String, in units: [UnitTable.Unit]) -> Int64? {
        let letters = text.reversed().prefix { $0.isASCII && $0.isLetter }.count
        guard let unit = units.first(where: { $0.name == text.suffix(letters) }),
            case .success(let value) = DecimalText.read(String(text.dropLast(letters)))
        else { return nil }
        return value.whole(of: unit)
    }

    /// Each with how many of it a metre a second is.
    private static let speedUnits = [("km/h", 3.6), ("m/s", 1.0)]

    /// `40km/h`, `11m/s`; nil for anything else.
    static func speed(_ text: String) -> (metresPerSecond: Double, text: String)? {
        for (unit, perSecond) in speedUnits where text.hasSuffix(unit) {
            guard case .success(let value) = DecimalText.read(String(text.dropLast(unit.count))) else { return nil }
            return (value.double / perSecond, FigureText.shortest(value.double) + unit)
        }
        return nil
    }

    /// `name x y` with coordinates in metres, to the millimetre, up to 1,000 km; nil for anything else.
    static func place(_ text: String) -> (name: String, x: Int64, y: Int64)? {
        let words = text.split(separator: " ")
        guard words.count >= 3, case .success(let x) = DecimalText.read(String(words[words.count - 2])),
            case .success(let y) = DecimalText.read(String(words[words.count - 1])), let xMillimetres = x.whole(timesTenTo: 3),
            let yMillimetres = y.whole(timesTenTo: 3), max(abs(xMillimetres), abs(yMillimetres)) <= 1_000_000_000
        else { return nil }
        return (words.dropLast(2).joined(separator: " "), xMillimetres, yMillimetres)
    }
}
