import Basics
import Foundation
import ResultFiles
import WidgetPlatform

/// An answer of a command: the members of one object of JSON, each of which must be read.
struct PipedAnswer {
    typealias Fault = PipedCommand.Fault

    private var members: [String: Any]
    private var known: [String] = []

    /// Nil if the line is no object.
    init?(_ line: String) {
        do {
            guard let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                return nil
            }
            self.members = members
        } catch { return nil }
    }

    /// The sentence with which the command refuses to answer.
    var error: String? { members["error"] as? String }

    /// Refuses members that nobody has read.
    func end() throws(Fault) {
        if let unknown = members.keys.filter({ !known.contains($0) }).min() {
            throw Fault("answered with a member '\(unknown)': expected one of \(known.joined(separator: ", "))")
        }
    }

    /// A member of some form; nil for none, or null.
    mutating func take<Value>(_ name: String, _ expected: String, _ read: (Any) -> Value?) throws(Fault) -> Value? {
        known.append(name)
        guard let found = members[name], !(found is NSNull) else { return nil }
        guard let value = read(found) else {
            throw Fault("answered with \(name) \(Self.text(found)): expected \(expected)")
        }
        return value
    }

    mutating func count(_ name: String, in range: ClosedRange<Int>) throws(Fault) -> Int? {
        try take(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            (Self.number($0) as? Int).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func flag(_ name: String) throws(Fault) -> Bool? {
        try take(name, "true or false") { Self.number($0) == nil ? $0 as? Bool : nil }
    }

    /// A number; nil for true and false, which pass as numbers otherwise, and all else.
    private static func number(_ found: Any) -> NSNumber? {
        guard let number = found as? NSNumber, number.objCType.pointee != CChar(UInt8(ascii: "c")) else { return nil }
        return number
    }

    mutating func length(_ name: String) throws(Fault) -> Duration? {
        try take(name, "seconds or a length of time such as '15m', up to 3660d", Self.length)
    }

    mutating func numbers(_ name: String, most: Int) throws(Fault) -> [Double]? {
        try take(name, "a list of at most \(most) numbers") { found in
            guard let items = found as? [Any], items.count <= most else { return nil }
            let numbers = items.compactMap { Self.number($0)?.doubleValue }
            return numbers.count == items.count ? numbers : nil
        }
    }

    static let instantWords =
        "seconds after the fetch, a length of time after it such as '15m', or a date-time with an offset such as '2026-03-02T07:00:00+01:00'"

    /// At most as long as any date may lie from a fetch.
    static func length(_ found: Any) -> Duration? {
        let length =
            (found as? String).map { DurationText.read($0) }
            ?? number(found).flatMap { $0.doubleValue.isFinite ? Duration(seconds: $0.doubleValue) : nil }
        return length.flatMap { $0 >= .zero && $0 <= .days(3660) ? $0 : nil }
    }

    static func instant(_ found: Any, after date: Instant, in zone: ZoneTable) -> Instant? {
        if let text = found as? String, let (unix, _) = CalendarText.instant(text) {
            return zone.instant(unixMicroseconds: unix)
        }
        return length(found).map { date + $0 }
    }

    /// A value as a sentence quotes it.
    static func text(_ value: Any) -> String {
        if let text = value as? String { return PipedCommand.quoted(text) }
        do {
            let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            return PipedCommand.quoted(String(decoding: data, as: UTF8.self))
        } catch { return "of another form" }
    }
}

/// The facts that a command says of itself, as a Swift provider does by its properties.
struct PipedBeginning {
    var version = 1
    var usualLife = UsualLife.never
    var leastReaction = Duration.zero
    var usesContent = true
    /// The questions that it wants beside timelines.
    var retries = false, choosesRequests = false
    var listens: ProviderContext.Events = []
    var readsHidden = false
    var onlyAt: AlignedSchedule?
    /// The keys that it reads of `with`, and what it expected of those that it refuses.
    var parameters: [String] = []
    var refused: [String: String] = [:]
    /// Why it cannot be asked; nil if it can.
    var fault: String?

    init(fault: String? = nil) { self.fault = fault }

    init(_ said: PipedAnswer) throws(PipedCommand.Fault) {
        var said = said
        guard
            let life = try said.take(
                "usual_life", "seconds, a length such as '1h', 'to_the_end', 'never' or {\"clock\": [\"07:00\", …]}",
                Self.life)
        else { throw PipedCommand.Fault("says no usual_life of itself, for the age of content as a run begins") }
        usualLife = life
        version = try said.count("version", in: 0...1_000_000_000) ?? version
        leastReaction = try said.length("least_reaction") ?? leastReaction
        usesContent = try said.flag("uses_content") ?? usesContent
        retries = try said.flag("retries") ?? retries
        choosesRequests = try said.flag("chooses_requests") ?? choosesRequests
        readsHidden = try said.flag("reads_hidden") ?? readsHidden
        onlyAt = try said.take("only_at", "{\"clock\": [\"07:00\", …]}", Self.clock)
        listens =
            try said.take("listens", "a list of \(Self.events.map(\.name).joined(separator: ", "))") { found in
                guard let names = found as? [String] else { return nil }
                let events = names.compactMap { name in Self.events.first { $0.name == name }?.event }
                return events.count == names.count ? ProviderContext.Events(events) : nil
            } ?? listens
        parameters = try said.take("parameters", "a list of names") { $0 as? [String] } ?? parameters
        refused = try said.take("refused", "an object of texts") { $0 as? [String: String] } ?? refused
        try said.end()
    }

    private static func life(_ found: Any) -> UsualLife? {
        if found as? String == "never" { return .never }
        if found as? String == "to_the_end" { return .toTheEnd }
        return clock(found).map { .clock($0) } ?? PipedAnswer.length(found).map { .after($0) }
    }

    private static func clock(_ found: Any) -> AlignedSchedule? {
        guard let clock = found as? [String: Any], clock.count == 1, let times = clock["clock"] as? [String],
            !times.isEmpty
        else { return nil }
        let read = times.compactMap { CalendarText.clock($0[...]) }
        return read.count == times.count ? AlignedSchedule(times: read) : nil
    }

    /// The names of events in questions and answers.
    static let events: [(name: String, event: ProviderContext.Events)] = [
        ("use", .use), ("night", .night), ("power", .power), ("connection", .connection),
    ]
}
