import Basics
import ArgumentParser
import ScenarioFiles

/// A whole number of the command line: `10000`, `10_000` or `1e4`, as a scenario would write it, or `10k` and `40M`.
struct WholeNumber: ExpressibleByArgument {
    let value: Int64
    /// The number as a count of what fits in memory.
    var count: Int { Int(value) }

    init(_ value: Int64) { self.value = value }

    init?(argument: String) {
        guard let value = WholeNumberText.readShort(argument) else { return nil }
        self.value = value
    }

    /// For the defaults of help texts.
    var defaultValueDescription: String { String(value) }
}
