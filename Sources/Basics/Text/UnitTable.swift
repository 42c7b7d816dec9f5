/// The units of scenarios, of studies and of the command line.
package enum UnitTable {
    /// A unit in which a text states a quantity, as a whole number of the smallest one of its table.
    package struct Unit: Sendable {
        package let name: String
        package let size: Int64

        package init(name: String, size: Int64) { (self.name, self.size) = (name, size) }
    }

    /// In microseconds, from the largest to the smallest, which is also the order in which a text has them.
    package static let durations = [
        Unit(name: "d", size: 86_400_000_000), Unit(name: "h", size: 3_600_000_000), Unit(name: "m", size: 60_000_000),
        Unit(name: "s", size: 1_000_000), Unit(name: "ms", size: 1_000), Unit(name: "us", size: 1),
    ]

    /// In millimetres.
    package static let lengths = [Unit(name: "km", size: 1_000_000), Unit(name: "m", size: 1_000)]

    /// In bytes. The first that divides a size is the one in which it is written.
    package static let sizes = [
        Unit(name: "GB", size: 1_000_000_000), Unit(name: "MB", size: 1_000_000), Unit(name: "kB", size: 1_000),
        Unit(name: "GiB", size: 1 << 30), Unit(name: "MiB", size: 1 << 20), Unit(name: "KiB", size: 1 << 10),
        Unit(name: "B", size: 1),
    ]
}
