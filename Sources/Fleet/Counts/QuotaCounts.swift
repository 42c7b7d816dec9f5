import Basics
import Statistics
import WidgetPlatform

/// Counts of the refreshes of one stratum's providers on Android, and of what held them (section 13).
public enum QuotaCounts: CountBlockKind {
    public static var size: Int { CountRange<QuotaCounts>.retried.end }
}

extension RefreshMeans: CountIndex { public static var last: Self { .update } }
extension AndroidGate: CountIndex { public static var last: Self { .locked } }
extension StandbyBucket: CountIndex { public static var last: Self { .restricted } }

extension CountRange where Block == QuotaCounts {
    /// By means.
    @inline(__always) public static var due: Self { Self(first: RefreshMeans.count) }
    @inline(__always) public static var run: Self { Self(after: due, RefreshMeans.count) }
    @inline(__always) public static var merged: Self { Self(after: run, RefreshMeans.count) }
    @inline(__always) public static var carriedIn: Self { Self(after: merged, RefreshMeans.count) }
    @inline(__always) public static var carriedOut: Self { Self(after: carriedIn, RefreshMeans.count) }
    /// By bucket.
    @inline(__always) static var lowered: Self { Self(after: carriedOut, StandbyBucket.count) }
    @inline(__always) static var came: Self { Self(after: lowered, StandbyBucket.count) }
    /// By gate, then bucket: a number, and a wide sum of microseconds.
    @inline(__always) static var used: Self { Self(after: came, AndroidGate.count * StandbyBucket.count * 3) }
    @inline(__always) static var waits: Self { Self(after: used, AndroidGate.count * StandbyBucket.count * 3) }
    /// By gate, then bucket.
    @inline(__always) static var refused: Self { Self(after: waits, AndroidGate.count * StandbyBucket.count) }
    @inline(__always) static var heldIn: Self { Self(after: refused, AndroidGate.count * StandbyBucket.count) }
    @inline(__always) static var heldOut: Self { Self(after: heldIn, AndroidGate.count * StandbyBucket.count) }
    /// By means.
    @inline(__always) public static var retried: Self { Self(after: heldOut, RefreshMeans.count) }

    @inline(__always) static func place(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Int {
        gate.ordinal * StandbyBucket.count + bucket.ordinal
    }
}

extension CountAddress where Block == QuotaCounts {
    /// Refreshes of providers that were asked for, by what asked.
    @inline(__always) public static func due(_ means: RefreshMeans) -> Self { CountRange.due[means.ordinal] }
    /// Those of them that ran, and those that another one that waited took in.
    @inline(__always) public static func run(_ means: RefreshMeans) -> Self { CountRange.run[means.ordinal] }
    @inline(__always) public static func merged(_ means: RefreshMeans) -> Self { CountRange.merged[means.ordinal] }
    /// Those that waited as the report began and as it ended.
    @inline(__always) public static func carriedIn(_ means: RefreshMeans) -> Self {
        CountRange.carriedIn[means.ordinal]
    }
    @inline(__always) public static func carriedOut(_ means: RefreshMeans) -> Self {
        CountRange.carriedOut[means.ordinal]
    }
    /// Jobs that failed and are tried again (N2).
    @inline(__always) public static func retried(_ means: RefreshMeans) -> Self { CountRange.retried[means.ordinal] }
    /// Urgent messages that were delivered as ordinary ones (N10).
    @inline(__always) public static func lowered(_ bucket: StandbyBucket) -> Self {
        CountRange.lowered[bucket.ordinal]
    }
    /// Messages that came to the device, each counted once.
    @inline(__always) public static func came(_ bucket: StandbyBucket) -> Self { CountRange.came[bucket.ordinal] }
    /// Runs, alarms or messages that counted against a limit.
    @inline(__always) public static func used(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.used[CountRange.place(gate, bucket) * 3]
    }
    /// Refreshes that waited at a gate.
    @inline(__always) public static func waits(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.waits[CountRange.place(gate, bucket) * 3]
    }
    /// Messages that came to nothing at a limit, and expedited work that ran as ordinary work.
    @inline(__always) public static func refused(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.refused[CountRange.place(gate, bucket)]
    }
    /// Refreshes and messages that a gate held as the report began and as it ended.
    @inline(__always) public static func heldIn(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.heldIn[CountRange.place(gate, bucket)]
    }
    @inline(__always) public static func heldOut(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.heldOut[CountRange.place(gate, bucket)]
    }
}

extension WideAddress where Block == QuotaCounts {
    /// Microseconds of run time that counted against a limit.
    @inline(__always) public static func usedTime(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.used.wide(at: CountRange.place(gate, bucket) * 3 + 1)
    }
    /// Microseconds for which a gate held refreshes.
    @inline(__always) public static func waitTime(_ gate: AndroidGate, _ bucket: StandbyBucket) -> Self {
        CountRange.waits.wide(at: CountRange.place(gate, bucket) * 3 + 1)
    }
}

/// The requests of all Android devices that arrive in one minute of the report.
public enum MinuteCounts: CountBlockKind {
    public static var size: Int { 1 }
}

extension CountAddress where Block == MinuteCounts {
    public static var requests: Self { CountRange(first: 1)[0] }
}
