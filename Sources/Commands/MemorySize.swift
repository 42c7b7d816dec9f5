import ArgumentParser
import Basics

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
