import ArgumentParser
import Basics
import ScenarioFiles

// An option is declared by its name, where that is not the property's, the word for what it takes, and its help.

extension Option {
    init<T: ExpressibleByArgument>(
        _ name: String? = nil, takes value: String, _ help: String, completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }

    /// One that can stand several times.
    init<T: ExpressibleByArgument>(
        wrappedValue: [T], _ name: String? = nil, takes value: String, _ help: String,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(wrappedValue: wrappedValue, name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }
}

extension Option where Value: ExpressibleByArgument {
    init(
        wrappedValue: Value, _ name: String? = nil, takes value: String, _ help: String,
        completion: CompletionKind? = nil
    ) {
        self.init(wrappedValue: wrappedValue, name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }

    /// One that must be given.
    init(_ name: String? = nil, takes value: String, _ help: String, completion: CompletionKind? = nil) {
        self.init(name: .of(name), help: ArgumentHelp(help, value), completion: completion)
    }
}

extension NameSpecification {
    fileprivate static func of(_ name: String?) -> Self { name.map { .customLong($0) } ?? .long }
}

extension ArgumentHelp {
    fileprivate init(_ help: String, _ value: String) { self.init(help, valueName: value) }
}

extension ValidationError {
    /// Refuses a number that an option does not take.
    static func check(_ number: Int?, of option: String, in range: ClosedRange<Int>) throws {
        guard let number, !range.contains(number) else { return }
        throw ValidationError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound).")
    }
}

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

/// A folder that `--out` names.
enum FolderName {
    static func check(_ name: String?) throws {
        if name == "" { throw ValidationError("--out takes the name of a folder.") }
        if name == "-" {
            throw ValidationError(
                "--out takes a folder for several files, and - would be standard output; --out ./- is a folder of that name."
            )
        }
    }

    /// A name that is safe as a folder's: other characters than letters, digits, `.`, `_` and `-` become `-`.
    static func safe(_ name: String) -> String {
        let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" })
        return safe.allSatisfy { $0 == "." } ? "scenario" : safe
    }
}

/// A size of memory on the command line, such as `8GB`.
enum MemorySize {
    /// Units of a megabyte and more: nobody has less for runs.
    private static let units =
        [UnitTable.Unit(name: "TB", size: 1_000_000_000_000), UnitTable.Unit(name: "TiB", size: 1 << 40)]
        + UnitTable.sizes.filter { $0.size >= 1_000_000 }

    /// Nil for what is no size.
    static func bytes(_ text: String) -> Double? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        return Double(text.dropLast(unit.name.count)).flatMap { $0 > 0 && $0.isFinite ? $0 * Double(unit.size) : nil }
    }

    static func check(_ text: String?) throws {
        if let text, bytes(text) == nil {
            throw ValidationError("--memory takes a size such as 8GB, not '\(text)'.")
        }
    }
}

/// In what form a command prints a table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument { case table, csv }

/// In what form a comparison or a plan is printed.
enum ComparisonFormat: String, CaseIterable, ExpressibleByArgument { case table, markdown, csv }
