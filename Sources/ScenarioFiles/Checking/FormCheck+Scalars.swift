import Basics

extension FormCheck {
    /// A scalar by its form's rules, from the characters that were written.
    func scalar(_ node: RawNode, _ form: Form, _ path: String) -> CheckedValue.Content? {
        guard case .scalar(let text, let isPlain) = node.content, !node.isNothing else {
            return refuse(node, path, form.words)
        }
        func within<Value: Comparable>(
            _ range: ClosedRange<Value>, isOpenBelow: Bool = false, _ value: Value?
        ) -> Value? {
            if let value, range.contains(value), !(isOpenBelow && value == range.lowerBound) { return value }
            refuse(node, path, form.words)
            return nil
        }
        func decimal() -> DecimalText? { self.decimal(node, text, isPlain, form, path) }
        switch form {
        case .duration(let least, let most):
            guard let value = DurationText.read(text) else { return refuseDuration(node, text, form, path) }
            return within(least...most, value).map { .duration($0) }
        case .durationOr(let word, let least):
            return text == word ? .text(text) : scalar(node, .duration(least: least), path)
        case .limit where text == Form.unlimited: return .text(text)
        case .count(let range), .limit(let range):
            return decimal().flatMap { within(range, $0.whole(timesTenTo: 0)) }.map { .count($0) }
        case .number(let range, let isOpenBelow):
            return decimal().flatMap { within(range, isOpenBelow: isOpenBelow, $0.double) }.map { .number($0) }
        case .amount(let range, let isOpenBelow):
            return decimal().flatMap { within(range, isOpenBelow: isOpenBelow, $0.whole(timesTenTo: 6)) }
                .map { .amount($0) }
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
        case .label, .region:
            guard let fault = NameText.fault(text) else { return .text(text) }
            return text.isEmpty
                ? refuse(node, path, form.words) : refuse(node, path, NameText.words, found: "\(node.found): \(fault)")
        case .instant(let afterStart): return instant(node, text, afterStart, form, path)
        case .clock: return clock(node, text, isPlain, form, path).map { .clock($0) }
        case .date: return CalendarText.date(Substring(text)).map { .date($0) } ?? refuse(node, path, form.words)
        case .zone(let allowsLocal):
            if allowsLocal && text == "local" || ZoneNames.contains(text) { return .text(text) }
            return refuse(
                node, path, form.words, nearest: ZoneNames.nearest(to: text, or: allowsLocal ? ["local"] : []))
        case .distance(let range):
            return within(range, ScalarText.quantity(text, in: UnitTable.lengths)).map { .distance(millimetres: $0) }
        case .speed(let range):
            let speed = ScalarText.speed(text)
            return within(range, speed?.metresPerSecond).map { .speed(metresPerSecond: $0, text: speed!.text) }
        case .size(let range):
            return within(range, ScalarText.quantity(text, in: UnitTable.sizes)).map { .bytes($0) }
        case .bound:
            guard let bound = BoundText(text) else { return refuse(node, path, form.words) }
            return isPlain || bound.unit != nil
                ? .bound(bound) : refuse(node, path, form.words, found: "the text \(node.found)")
        case .place:
            guard let place = ScalarText.place(text) else { return refuse(node, path, form.words) }
            if let fault = NameText.fault(place.name) {
                return refuse(node, path, Form.placeName, found: "\(node.found): \(fault)")
            }
            return .place(name: place.name, x: place.x, y: place.y)
        case .keyPath: return KeyPathText.parts(of: text[...]) == nil ? refuse(node, path, form.words) : .text(text)
        case .expression: return text.isEmpty ? refuse(node, path, form.words, found: "an empty text") : .text(text)
        case .design: return ScalarText.design(text).map { .text($0) } ?? refuse(node, path, form.words)
        case .list, .table, .block, .variants, .oneOf, .either, .distribution, .span, .anything:
            preconditionFailure("\(form) is no scalar")
        }
    }

    /// A plain number; a text in quotes is none.
    private func decimal(_ node: RawNode, _ text: String, _ isPlain: Bool, _ form: Form, _ path: String) -> DecimalText?
    {
        switch DecimalText.read(text) {
        case .success(let number) where isPlain: return number
        case .success: refuse(node, path, form.words, found: "the text \(node.found)")
        case .failure(.leadingZero): refuse(node, path, form.words + " without leading zeros")
        case .failure(.notANumber):
            // Options of the command line alone take 10k.
            refuse(node, path, form.words, nearest: WholeNumberText.readShort(text).map { "\($0)" })
        }
        return nil
    }

    func clock(_ node: RawNode, _ text: String, _ isPlain: Bool, _ form: Form, _ path: String) -> ClockTime? {
        guard let clock = CalendarText.clock(Substring(text)) else {
            let meant = Self.clock(ofBase60: text).map {
                ", which other YAML programs make of \($0) without quotes: write \"\($0)\""
            }
            refuse(node, path, form.words, found: meant.map { node.found + $0 })
            return nil
        }
        // No other program reads what the command line sets.
        if isPlain, case .override = node.origin { return clock }
        guard !isPlain else {
            refuse(
                node, path, "the clock time in quotes, \"\(text)\"",
                found: "\(text) without them, which other YAML programs can read as a number of base 60")
            return nil
        }
        return clock
    }

    /// The clock time that YAML 1.1 reads as this number of base 60: minutes for `8:01`, 481, or seconds for `8:01:30`,
    /// 28,890.
    private static func clock(ofBase60 text: String) -> String? {
        guard let number = WholeNumberText.read(text), (1..<86_400).contains(number) else { return nil }
        return CalendarText.text(ClockTime(microseconds: number * (number < 1_440 ? 60_000_000 : 1_000_000)))
    }

    private func refuseDuration(_ node: RawNode, _ text: String, _ form: Form, _ path: String) -> CheckedValue.Content?
    {
        if case .success(let number) = DecimalText.read(text), !number.isNegative {
            return refuse(node, path, "a duration with a unit, such as \(text)s or \(text)m")
        }
        let isNegative = text.hasPrefix("-") && DurationText.read(String(text.dropFirst())) != nil
        return refuse(
            node, path, isNegative ? "a duration from 0s up" : Form.duration().words,
            nearest: DurationText.meant(by: text).map { TimeText.duration($0) })
    }

    private func instant(_ node: RawNode, _ text: String, _ afterStart: Bool, _ form: Form, _ path: String)
        -> CheckedValue.Content?
    {
        if let (unix, offset) = CalendarText.instant(text) {
            return .instant(.absolute(unixMicroseconds: unix, offset: offset))
        }
        if afterStart, let duration = DurationText.read(text) { return .instant(.afterStart(duration)) }
        // The axes of a study may come from what a dashboard or a database writes.
        if case .override = node.origin, case .unix(let unix) = LoadTime(text) {
            return .instant(.absolute(unixMicroseconds: unix, offset: 0))
        }
        if CalendarText.localDateTime(Substring(text)) != nil {
            return refuse(node, path, "a date-time with an offset, such as \(text)Z or \(text)-05:00")
        }
        return refuse(node, path, form.words)
    }
}
