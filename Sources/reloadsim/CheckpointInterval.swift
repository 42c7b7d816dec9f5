import ArgumentParser

/// How long a run goes on between two checkpoints: `1m`, `90s`, `2h`, `250ms`, or `never`.
struct CheckpointInterval: ExpressibleByArgument {
    /// Above 0; nil for never.
    let duration: Swift.Duration?

    init?(argument: String) {
        if argument == "never" {
            duration = nil
            return
        }
        let number = argument.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int64] = ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
        guard let value = Int64(number), let unit = units[argument.dropFirst(number.count)], (1...1_000_000).contains(value) else {
            return nil
        }
        duration = .milliseconds(value * unit)
    }
}
