import ResultFiles
import Basics
import Foundation
import Reporting

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
