import Basics
import Foundation
import Reporting
import ResultFiles

/// Pictures of figures in characters: lines and bars, of blocks where the locale has them, else of ASCII.
struct TerminalPicture {
    private let levels: [Character]
    /// The parts of a character's width, the whole last.
    private let parts: [Character]

    /// - Parameter isUTF8: whether the terminal shows more than ASCII.
    init(isUTF8: Bool) {
        levels = Array(isUTF8 ? "▁▂▃▄▅▆▇█" : "_.-=+*%#")
        parts = Array(isUTF8 ? "▏▎▍▌▋▊▉█" : "#")
    }

    /// For a terminal on standard output; nil where that is a file or a pipe.
    static var ofOutput: TerminalPicture? {
        let environment = ProcessInfo.processInfo.environment
        guard StandardStream.output.isTerminal, environment["TERM"] != "dumb" else { return nil }
        return TerminalPicture(isUTF8: isUTF8(environment))
    }

    /// Whether the locale of the environment is one of UTF-8, by the first of the three variables that is set.
    static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let text = locale.lowercased()
        return text.contains("utf-8") || text.contains("utf8")
    }

    /// One character for each value, from the least of 0 and all of them to the largest; a blank where there is none.
    func line(_ values: [Double?]) -> String {
        let known = values.compactMap { $0 }
        let low = min(0, known.min() ?? 0)
        let high = known.max() ?? 0
        return String(
            values.map { value -> Character in
                guard let value, value.isFinite else { return " " }
                if high <= low { return levels[0] }
                let place = (value - low) / (high - low) * Double(levels.count)
                return levels[min(levels.count - 1, Int(cutting: place))]
            })
    }

    /// A bar as long as the value is large.
    ///
    /// - Parameters:
    ///   - most: the value of a bar of the whole width.
    ///   - width: in characters.
    func bar(_ value: Double?, of most: Double, width: Int) -> String {
        guard let value, value > 0, most > 0, value.isFinite else { return "" }
        let length = Int(cutting: (min(1, value / most) * Double(width * parts.count)).rounded())
        let rest = length % parts.count
        return String(repeating: parts[parts.count - 1], count: length / parts.count)
            + (rest > 0 ? String(parts[rest - 1]) : "")
    }
}

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
