import Basics

/// Counts of one stratum's instances on a surface that is opened (V7–V9), and of the timelines asked for a tile (N13).
public enum OpeningCounts: CountBlockKind {
    public static var size: Int { Cells<OpeningCounts>.shownTime.end }
}

/// Why the system asks for a tile's timeline (N13).
public enum TileAsk: UInt8, CountIndex, NamedCase {
    /// The person has come to it, or it stays on the screen, and is no longer fresh.
    case opened, shown

    public static var last: Self { .shown }
}

extension Cells<OpeningCounts> {
    /// Openings of the surface while the instance stands on it.
    @inline(__always) public static var openings: Self { Self() }
    /// Timelines that the system asked for, by why.
    @inline(__always) public static var asks: CellsBy<OpeningCounts, TileAsk> { .init(after: openings) }
    /// Requests of its app that waited for the end of the gap, and those in whose place a later one did.
    @inline(__always) public static var held: Self { Self(after: asks) }
    @inline(__always) public static var replaced: Self { Self(after: held) }
    /// Microseconds for which the instance was on the screen.
    @inline(__always) public static var shownTime: Self { Self(after: replaced, 2) }
}
