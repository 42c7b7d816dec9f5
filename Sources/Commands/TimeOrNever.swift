import ArgumentParser
import Basics

/// The time between two checkpoints or two lines of progress: `1m`, `90s`, `2h`, `250ms`, or `never`.
struct TimeOrNever: ExpressibleByArgument {
    /// Above 0; nil for never.
    let duration: Swift.Duration?

    /// A checkpoint takes milliseconds, and after a day there is too much to lose.
    private static let units = UnitTable.durations.filter { (1_000...3_600_000_000).contains($0.size) }

    init?(argument: String) {
        if argument == "never" {
            duration = nil
            return
        }
        let number = argument.prefix { $0.isASCII && $0.isNumber }
        guard let value = Int64(number), (1...1_000_000).contains(value),
            let unit = Self.units.first(where: { $0.name == argument.dropFirst(number.count) })
        else { return nil }
        duration = .microseconds(value * unit.size)
    }
}
