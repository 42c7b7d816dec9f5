/// The scalars that a scenario states under `with` for code of a user's own: lengths of time, numbers, texts, flags.
///
/// Each reading names its key and the value that stands for an absent one. A value that cannot be read, or lies outside
/// of its bounds, gives that default and is noted; so is a key that no reading has named. The reader of the scenario
/// reports them all with their places.
public struct UserParameters: Sendable {
    private let texts: [String: String]
    /// The keys that were read, in order.
    package private(set) var known: [String] = []
    /// The faults of values that were read.
    package private(set) var problems: [Problem] = []

    package struct Problem: Hashable, Sendable {
        package let key, expected: String
    }

    /// - Parameter texts: the scalars by their keys, as a scenario writes them: `["least": "15m", "night": "true"]`.
    public init(_ texts: [String: String] = [:]) { self.texts = texts }

    /// A length of time such as `15m`, within bounds.
    public mutating func duration(
        _ key: String, or standIn: Duration, in bounds: ClosedRange<Duration> = .zero ... .days(3660)
    ) -> Duration {
        let expected =
            "a length of time from \(TimeText.duration(bounds.lowerBound)) to \(TimeText.duration(bounds.upperBound))"
        return value(key, or: standIn, expected) {
            DurationText.read($0)
        } isIn: {
            bounds.contains($0)
        }
    }

    /// A number, within bounds.
    public mutating func number(
        _ key: String, or standIn: Double, in bounds: ClosedRange<Double> = -1e15...1e15
    ) -> Double {
        let expected =
            "a number from \(FigureText.shortest(bounds.lowerBound)) to \(FigureText.shortest(bounds.upperBound))"
        return value(key, or: standIn, expected) {
            if case .success(let number) = DecimalText.read($0) { number.double } else { nil }
        } isIn: {
            bounds.contains($0)
        }
    }

    /// A whole number, within bounds.
    public mutating func count(_ key: String, or standIn: Int, in bounds: ClosedRange<Int> = 0...1_000_000_000) -> Int {
        value(key, or: standIn, "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)") {
            WholeNumberText.readShort($0).map { Int($0) }
        } isIn: {
            bounds.contains($0)
        }
    }

    /// A text of one line, or one of some words.
    public mutating func text(_ key: String, or standIn: String, in words: [String]? = nil) -> String {
        value(key, or: standIn, words.map { $0.joined(separator: " or ") } ?? "a text of one line") {
            $0
        } isIn: {
            words?.contains($0) ?? !$0.contains("\n")
        }
    }

    /// `true` or `false`.
    public mutating func flag(_ key: String, or standIn: Bool) -> Bool {
        value(key, or: standIn, "true or false") {
            $0 == "true" ? true : $0 == "false" ? false : nil
        } isIn: { _ in
            true
        }
    }

    /// The stated keys that no reading has named, in order.
    package var unknown: [String] { texts.keys.filter { !known.contains($0) }.sorted() }

    /// The stated texts, for code in another program, which reads it by itself.
    package var stated: [String: String] { texts }

    /// Takes what code in another program says: the keys that it reads, and what it expected where it refuses a value.
    package mutating func take(known keys: [String], refused: [String: String]) {
        for key in keys where !known.contains(key) { known.append(key) }
        for (key, expected) in refused.sorted(by: { $0.key < $1.key }) where texts[key] != nil {
            problems.append(Problem(key: key, expected: expected))
        }
    }

    private mutating func value<Value>(
        _ key: String, or standIn: Value, _ expected: String, read: (String) -> Value?, isIn: (Value) -> Bool
    ) -> Value {
        if !known.contains(key) { known.append(key) }
        guard let text = texts[key] else { return standIn }
        if let value = read(text), isIn(value) { return value }
        problems.append(Problem(key: key, expected: expected))
        return standIn
    }
}
