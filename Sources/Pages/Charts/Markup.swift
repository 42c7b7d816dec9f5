import Basics

/// Texts and numbers as SVG and HTML have them. The same value gives the same characters on every machine.
package enum Markup {
    /// The beginning of a drawing that is as wide as the page lets it be, for those too who do not see it.
    static func drawing(
        _ style: String, height: Double, id: String, _ title: String, _ description: String
    ) -> String {
        "<svg class=\"\(style)\" role=\"img\" height=\"\(place(height))\" aria-labelledby=\"\(id)-t \(id)-d\">"
            + "<title id=\"\(id)-t\">\(escaped(title))</title><desc id=\"\(id)-d\">\(escaped(description))</desc>"
    }

    /// A text as content or as a quoted attribute: nothing in it can begin a tag, end a quote or hide from the reader.
    package static func escaped(_ text: String) -> String {
        let visible = VisibleText.of(text, keepsLines: true)
        if !visible.utf8.contains(where: {
            [UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\"")].contains($0)
        }) {
            return visible
        }
        var escaped = ""
        for scalar in visible.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The heading of a column, whose line may end after the points and underscores of a metric's name.
    static func heading(_ text: String) -> String {
        escaped(text).replacing(".", with: ".<wbr>").replacing("_", with: "_<wbr>")
    }

    /// A note on a text of a drawing that is cut: the whole of it. Empty for nil.
    static func whole(_ text: String?) -> String { text.map { "<title>\(escaped($0))</title>" } ?? "" }

    /// A place in a drawing, to a tenth of its unit.
    static func place(_ value: Double) -> String { rounded(value, decimals: 1) }

    /// A share of the drawing's width, 0 to 1, as a percentage that resolves half a pixel of the widest screen.
    static func share(_ value: Double) -> String { rounded(value * 100, decimals: 2) + "%" }

    /// A decimal without trailing zeros. The value must be finite and small enough to be written out.
    static func rounded(_ value: Double, decimals: Int) -> String {
        precondition(value.isFinite && value.magnitude < 1e12, "a drawing with the number \(value)")
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return TimeText.decimal(Int64(cutting: (value * scale).rounded()), places: decimals)
    }
}

/// How a chart draws the columns of its frame.
enum Mark: Hashable, Sendable {
    // Rows one below the other.

    /// Bars, each with the columns one after another.
    case bars
    /// A point at the first column, a thick line to the second and a thin one to the third, on a logarithmic axis.
    case quantiles
    /// Cells whose shade says how much: rows by their names, columns by the first column's texts.
    case cells

    // Over an axis of columns or of values.

    /// Columns one upon another.
    case stack
    /// Columns from the base.
    case columns
    /// Columns from the base with a line along their tops.
    case outline
    /// The tops of columns as a line.
    case steps
    case line
    case points

    // On every axis.

    /// A point, or a line through them, with the interval between the columns `low` and `high`.
    case estimates
    case low, high
}
