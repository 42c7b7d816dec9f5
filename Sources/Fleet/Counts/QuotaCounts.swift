import Basics
import WidgetPlatform

/// Counts of the refreshes of one stratum's providers on Android, and of what held them (section 13).
public enum QuotaCounts: CountBlockKind {
    public static var size: Int { Cells<QuotaCounts>.retried.end }
}

extension RefreshMeans: CountIndex { public static var last: Self { .update } }
extension AndroidGate: CountIndex { public static var last: Self { .locked } }
extension StandbyBucket: CountIndex { public static var last: Self { .restricted } }

extension Cells<QuotaCounts> {
    public typealias ByMeans = CellsBy<QuotaCounts, RefreshMeans>
    public typealias ByBucket = CellsBy<QuotaCounts, StandbyBucket>
    public typealias ByGate = CellsByTwo<QuotaCounts, AndroidGate, StandbyBucket>

    /// Refreshes of providers that were asked for, by what asked.
    @inline(__always) public static var due: ByMeans { .init() }
    /// Those of them that ran, and those that another one that waited took in.
    @inline(__always) public static var run: ByMeans { .init(after: due) }
    @inline(__always) public static var merged: ByMeans { .init(after: run) }
    /// Those that waited as the report began and as it ended.
    @inline(__always) public static var carriedIn: ByMeans { .init(after: merged) }
    @inline(__always) public static var carriedOut: ByMeans { .init(after: carriedIn) }
    /// Urgent messages that were delivered as ordinary ones (N10).
    @inline(__always) public static var lowered: ByBucket { .init(after: carriedOut) }
    /// Messages that came to the device, each counted once.
    @inline(__always) public static var came: ByBucket { .init(after: lowered) }
    /// Runs, alarms or messages that counted against a limit, and microseconds of their run time.
    @inline(__always) public static var used: ByGate { .init(after: came, each: 3) }
    /// Refreshes that waited at a gate, and microseconds for which it held them.
    @inline(__always) public static var waits: ByGate { .init(after: used, each: 3) }
    /// Messages that came to nothing at a limit, and expedited work that ran as ordinary work.
    @inline(__always) public static var refused: ByGate { .init(after: waits) }
    /// Refreshes and messages that a gate held as the report began and as it ended.
    @inline(__always) public static var heldIn: ByGate { .init(after: refused) }
    @inline(__always) public static var heldOut: ByGate { .init(after: heldIn) }
    /// Jobs that failed and are tried again (N2).
    @inline(__always) public static var retried: ByMeans { .init(after: heldOut) }
}

/// The requests of all Android devices that arrive in one minute of the report.
public enum MinuteCounts: CountBlockKind {
    public static var size: Int { 1 }
}

extension Cells<MinuteCounts> {
    public static var requests: Self { Self() }
}
