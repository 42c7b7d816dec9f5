import Basics
import Reporting

/// A column that tells the points of a study apart, as its tables show it.
package struct AxisColumn: Hashable, Sendable {
    let name: String
    /// The kind of its values, if all of them are quantities of one kind: then they stand as numbers, with what an
    /// override writes beside them.
    let kind: Quantity.Kind?

    init(_ name: String, kind: Quantity.Kind?) { (self.name, self.kind) = (name, kind) }

    /// - Parameter values: all that it takes.
    init(_ name: String, values: some Sequence<String>) {
        var kinds: Set<Quantity.Kind> = []
        var isNumber = true
        for value in values {
            if let quantity = Quantity(value) { kinds.insert(quantity.kind) } else { isNumber = false }
        }
        self.init(name, kind: isNumber && kinds.count == 1 ? kinds.first : nil)
    }

    /// A value in the base unit of its kind.
    static func number(_ value: String) -> WrittenNumber {
        guard let quantity = Quantity(value) else { preconditionFailure("\(value) is no quantity") }
        return WrittenNumber(FigureText.shortest(quantity.double))
    }
}

extension Study {
    /// One for each of `columns`.
    var axisColumns: [AxisColumn] {
        columns.enumerated().map { place, name in AxisColumn(name, values: points.map { values(of: $0)[place] }) }
    }
}

extension Columns {
    /// A column for each axis: numbers in base units with the text of the override beside them, or that text alone.
    ///
    /// - Parameter values: one text for each axis.
    static func axes(_ axes: [AxisColumn], _ values: @escaping @Sendable (Row) -> [String]) -> Self {
        .several(
            axes.enumerated().map { place, axis -> Columns in
                guard let kind = axis.kind else { return .axis(axis.name) { values($0)[place] } }
                let unit = kind.one.unit
                return .several([
                    .key(
                        axis.name, unit: kind == .number ? nil : unit,
                        "The value that the axis sets, as a number\(kind == .number ? "" : " of \(unit)")."
                    ) {
                        AxisColumn.number(values($0)[place])
                    },
                    .derived(axis.name + "_text", "The same as an override writes it.") { values($0)[place] },
                ])
            })
    }
}
