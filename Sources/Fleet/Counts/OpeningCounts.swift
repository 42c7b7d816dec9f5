import Basics
import Statistics
import WidgetPlatform

/// Counts of one stratum's instances on a surface that is opened (V7–V9), and of the timelines asked for a tile (N13).
public enum OpeningCounts: CountBlockKind {
    public static var size: Int { CountRange<OpeningCounts>.shownTime.end }
}

/// Why the system asks for a tile's timeline (N13).
public enum TileAsk: UInt8, CountIndex {
    /// The person has come to it, or it stays on the screen, and is no longer fresh.
    case opened, shown

    public static var last: Self { .shown }

    public var name: String {
        switch self {
        case .opened: "opened"
        case .shown: "shown"
        }
    }
}

extension CountRange where Block == OpeningCounts {
    @inline(__always) static var openings: Self { Self(first: 1) }
    @inline(__always) public static var asks: Self { Self(after: openings, TileAsk.count) }
    @inline(__always) static var held: Self { Self(after: asks, 2) }
    @inline(__always) static var shownTime: Self { Self(after: held, 2) }
}

extension CountAddress where Block == OpeningCounts {
    /// Openings of the surface while the instance stands on it.
    @inline(__always) public static var openings: Self { CountRange.openings[0] }
    /// Timelines that the system asked for, by why.
    @inline(__always) public static func asks(_ ask: TileAsk) -> Self { CountRange.asks[ask.ordinal] }
    /// Requests of its app that waited for the end of the gap, and those in whose place a later one did.
    @inline(__always) public static var held: Self { CountRange.held[0] }
    @inline(__always) public static var replaced: Self { CountRange.held[1] }
}

extension WideAddress where Block == OpeningCounts {
    /// Microseconds for which the instance was on the screen.
    @inline(__always) public static var shownTime: Self { CountRange.shownTime.wide() }
}
