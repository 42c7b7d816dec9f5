import Basics
import Reporting

/// The load of a run at a glance, for a terminal: a line of blocks over the day and a bar of what the largest second is
/// made of.
enum LoadGlance {
    /// Half hours of the day.
    static let parts = 48
    private static let width = 48

    /// A bar whose parts are the shares, told apart by shade and named in their order; what is smaller than a twentieth
    /// is together.
    static func bar(_ shares: [(cause: String, share: Double)]) -> String {
        var named = shares.filter { $0.share >= 0.05 }
        let rest = shares.reduce(0) { $0 + $1.share } - named.reduce(0) { $0 + $1.share }
        if rest > 1e-9 { named.append(("others", rest)) }
        if named.isEmpty { return "" }
        let shades = Array("█▓▒░")
        var bar = ""
        var (sum, filled) = (0.0, 0)
        for (number, part) in named.enumerated() {
            sum += part.share
            let end = min(width, Int(cutting: sum * Double(width) + 0.5))
            bar += String(repeating: shades[number % shades.count], count: max(0, end - filled))
            filled = max(filled, end)
        }
        return bar + "  " + named.map { "\($0.cause) \(Int(cutting: $0.share * 100 + 0.5)) %" }.joined(separator: ", ")
    }

    /// The two lines; none without requests.
    static func lines(of report: RunReport) -> [String] {
        let day = report.dayLoad(parts: parts)
        guard let most = day.compactMap({ $0 }).max(), most > 0 else { return [] }
        let blocks = TerminalPicture(isUTF8: true).line(day)
        return [
            "day       \(blocks)  0 to 24 h UTC, at most \(Figures.short(most)) a second over half an hour",
            "minute    \(bar(report.largestSecondCauses)) in the minute of the largest second",
        ]
    }
}
