import Basics
import Fleet

/// A figure, declared once: its name, unit and meaning, and its formula from a source of counts. Tables have it as a
/// column (`Columns.figures`), the summary as a metric.
struct Figure<Source>: Sendable {
    fileprivate(set) var name: String
    /// As the summary has it: the noun of a count, `share` for a part of a whole, `ratio` for a plain number.
    let unit: String
    let meaning: String
    let spread: MetricSpread
    fileprivate let adds: Column.Aggregation
    fileprivate let type: Column.ValueType
    fileprivate let isOptional: Bool
    /// The value with all the digits that it is computed with.
    let exact: @Sendable (Source) -> MetricValue
    /// The whole that a share is a part of, or the number of values that a quantile is over; nil for other figures.
    fileprivate(set) var whole: (@Sendable (Source) -> Double)?
    /// The share of a quantile's values on its shorter side.
    fileprivate(set) var tail = 0.5
    /// Whether it tells what versions there are of the content (C3): how stale it is, and what a reload brings.
    fileprivate(set) var followsVersions = false

    /// As files have it: a quantile has the digits that its bins give.
    func value(_ source: Source) -> MetricValue { spread == .ofQuantile ? exact(source).inThreeDigits : exact(source) }

    /// The noun of a count is no unit of a column: the column's name says it.
    var column: Column {
        let isStated = ["s", "tokens", "bytes"].contains(unit) || adds != .sum && name.hasSuffix("_" + unit)
        return Column(
            name: name, type: type, unit: isStated ? unit : nil, meaning: meaning, adds: adds, isOptional: isOptional)
    }
}

/// How well a figure is known in other draws of a fleet.
enum MetricSpread: Hashable, Sendable {
    /// It is a sum over people, or is computed from such sums.
    case ofPeople
    /// It is a sum over people by time.
    case ofSum
    /// It is a quantile over such sums, with three digits.
    case ofQuantile
    /// It is the largest sliding window, which has a forecast of its own (`LoadRedraw`).
    case ofLargest(LoadWindow)
    case unknown
}

/// One figure of a source of counts, or several that stand side by side.
struct Figures<Source>: Sendable, ExpressibleByArrayLiteral {
    let all: [Figure<Source>]

    private init(_ all: [Figure<Source>]) { self.all = all }
    init(arrayLiteral figures: Figures...) { self.init(figures.flatMap(\.all)) }

    static func each<Value>(_ values: [Value], _ figures: (Value) -> Self) -> Self {
        Self(values.flatMap { figures($0).all })
    }

    static func part<Part>(_ part: @escaping @Sendable (Source) -> Part, _ figures: Figures<Part>) -> Self {
        Self(
            figures.all.map { figure in
                var own = Figure(
                    name: figure.name, unit: figure.unit, meaning: figure.meaning, spread: figure.spread,
                    adds: figure.adds, type: figure.type, isOptional: figure.isOptional
                ) { figure.exact(part($0)) }
                (own.followsVersions, own.tail) = (figure.followsVersions, figure.tail)
                if let whole = figure.whole { own.whole = { whole(part($0)) } }
                return own
            })
    }

    /// The only figure under another name.
    func named(_ name: String) -> Self {
        precondition(all.count == 1, "\(all.count) figures named \(name)")
        var own = all[0]
        own.name = name
        return Self([own])
    }

    /// Figures that tell what versions there are of the content.
    static func ofVersions(_ figures: Self) -> Self {
        Self(
            figures.all.map { figure in
                var own = figure
                own.followsVersions = true
                return own
            })
    }
}

extension Figures {
    /// Whether nothing was counted of all that adds up.
    func isZero(_ source: Source) -> Bool { all.allSatisfy { $0.adds != .sum || $0.exact(source).asDouble == 0 } }
}

/// The forms of figures. The formula stands before the meaning.
extension Figures {
    static func value<Value: FigureValue>(
        _ name: String, _ unit: String, adds: Column.Aggregation = .none, spread: MetricSpread = .ofPeople,
        _ value: @escaping @Sendable (Source) -> Value, _ meaning: String
    ) -> Self {
        Self([
            Figure(
                name: name, unit: unit, meaning: meaning, spread: spread, adds: adds, type: Value.columnType,
                isOptional: Value.isOptional
            ) { value($0).metric }
        ])
    }

    /// - Parameter noun: what is counted; nil if the name says it.
    static func count(
        _ name: String, unit noun: String? = nil, _ count: @escaping @Sendable (Source) -> Int64, _ meaning: String
    ) -> Self { value(name, noun ?? name, adds: .sum, count, meaning) }

    static func count<Block: NamedCounts>(
        _ name: String, unit noun: String? = nil, _ count: Block.Name, _ meaning: String
    ) -> Self where Source == BlockSum<Block> {
        self.count(name, unit: noun, { $0[count] }, meaning)
    }

    /// A count under its own name.
    static func count<Block: NamedCounts>(_ count: Block.Name, unit noun: String? = nil, _ meaning: String) -> Self
    where Source == BlockSum<Block> { self.count(count.name, unit: noun, count, meaning) }

    static func count<Block>(_ name: String, unit noun: String? = nil, _ cells: Cells<Block>, _ meaning: String) -> Self
    where Source == BlockSum<Block> { count(name, unit: noun, { $0.sum(cells) }, meaning) }

    /// Seconds of microseconds, or tokens of microtokens, which add up.
    static func amount(
        _ name: String, _ unit: String, _ millionths: @escaping @Sendable (Source) -> Int128, _ meaning: String
    ) -> Self { value(name, unit, adds: .sum, { Millionths(millionths($0)) }, meaning) }

    static func amount<Block>(_ name: String, _ unit: String, _ sum: Cells<Block>, _ meaning: String) -> Self
    where Source == BlockSum<Block> { amount(name, unit, { $0.wide(sum) }, meaning) }

    static func share(
        _ name: String, _ part: @escaping @Sendable (Source) -> some BinaryInteger & SendableMetatype,
        of whole: @escaping @Sendable (Source) -> some BinaryInteger & SendableMetatype, _ meaning: String
    ) -> Self { value(name, "share", { Ratio.of(part($0), to: whole($0)) }, meaning).with { Double(whole($0)) } }

    /// A sum of millionths of the unit over how many there are.
    static func mean(
        _ name: String, unit: String = "s", _ sum: @escaping @Sendable (Source) -> Int128,
        of count: @escaping @Sendable (Source) -> Int64, _ meaning: String
    ) -> Self {
        value(name, unit, { Ratio.ofMillionths(sum($0), to: count($0)) }, meaning).with { Double(count($0)) }
    }

    /// Quantiles in seconds, `<name>_p50_s` and so on.
    ///
    /// - Parameters:
    ///   - count: how many values it is over.
    ///   - meaning: that of the quantile which so many per cent do not exceed.
    static func quantiles(
        _ name: String, at percents: [Int] = [50, 95, 99], of count: @escaping @Sendable (Source) -> Int64,
        _ quantile: @escaping @Sendable (Source, Double) -> Double?, _ meaning: (String) -> String
    ) -> Self {
        each(percents) { percent in
            let q = Double(percent) / 100
            return value(
                "\(name)_p\(percent)_s", "s", spread: .ofQuantile, { quantile($0, q) }, meaning("\(percent) %")
            ).with(tail: min(q, 1 - q)) { Double(count($0)) }
        }
    }

    private func with(tail: Double = 0.5, _ whole: @escaping @Sendable (Source) -> Double) -> Self {
        Self(
            all.map { figure in
                var own = figure
                (own.whole, own.tail) = (whole, tail)
                return own
            })
    }
}

extension Columns {
    /// The columns of figures.
    static func figures<Source>(_ source: @escaping @Sendable (Row) -> Source, _ figures: Figures<Source>) -> Self {
        part(source, figures.all.map { Columns<Source>($0) })
    }

    static func figures(_ figures: Figures<Row>) -> Self { .figures({ $0 }, figures) }

    private init(_ figure: Figure<Row>) { self.init([figure.column]) { figure.value($0).append(to: &$1) } }
}
