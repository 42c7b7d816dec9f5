import Basics
import RefreshService

/// Which requests are exported, and how they are played.
package struct ExportSettings: Sendable {
    package let format: ExportFormat
    package let stage: ExportStage
    /// In whole tenths of a second from the start of the report, because the load is counted in these; never empty.
    package let span: Range<Instant>
    package let thinning: Thinning
    package let speed: PlaySpeed
    /// How far the time stamps of the files are moved; the requests and the words on them are those of the run.
    package let shift: Duration
    /// Nil where the format needs none and none is given.
    package let target: URLTemplate?
    /// The most lines of the export; nil for no limit.
    package let mostLines: Int?

    package static let usualMostLines = 10_000_000

    package init(
        format: ExportFormat, stage: ExportStage, span: Range<Instant>, thinning: Thinning, speed: PlaySpeed,
        shift: Duration = .zero, target: URLTemplate?, mostLines: Int?
    ) {
        precondition(
            !span.isEmpty && Self.isInTenths(span.upperBound - span.lowerBound),
            "a span of \((span.upperBound - span.lowerBound).microseconds) µs")
        precondition(target != nil || !format.needsTarget, "no target for \(format)")
        self.format = format
        self.stage = stage
        self.span = span
        self.thinning = thinning
        self.speed = speed
        self.shift = shift
        self.target = target
        self.mostLines = mostLines
    }

    package static func isInTenths(_ duration: Duration) -> Bool { duration.microseconds % 100_000 == 0 }

    package var length: Duration { span.upperBound - span.lowerBound }
    var tenths: Int { Int(length.microseconds / 100_000) }
    /// Tenths of a second as the span is played, the last of which may be cut short.
    var playedTenths: Int { speed.tenths(of: length) }
}

/// How fast the span is played: in thousandths, so that every instant is a whole number of microseconds by one rule.
package struct PlaySpeed: Sendable {
    package static let usual = PlaySpeed(thousandths: 1_000)

    private let thousandths: Int64

    private init(thousandths: Int64) { self.thousandths = thousandths }

    /// - Parameter value: from 0.001 to 1000, in thousandths; nil for anything else.
    package init?(_ value: Double) {
        let thousandths = Int64(cutting: (value * 1_000).rounded())
        guard (1...1_000_000).contains(thousandths), (value * 1_000 - Double(thousandths)).magnitude < 1e-6 else {
            return nil
        }
        self.thousandths = thousandths
    }

    package var isUsual: Bool { thousandths == 1_000 }
    package var text: String { TimeText.decimal(thousandths, places: 3) }

    /// The time after the start at which what happens so long after the start of the span is played, cut to
    /// microseconds.
    package func played(_ time: Duration) -> Duration {
        Duration(microseconds: time.microseconds * 1_000 / thousandths)
    }

    /// The tenths of a second that a length takes when it is played, rounded up.
    func tenths(of length: Duration) -> Int {
        let tenth = thousandths * 100_000
        return Int((length.microseconds * 1_000 + tenth - 1) / tenth)
    }
}

/// Which share of the requests is kept, each by a hash of its identity: the same ones at any speed, in any span and in
/// every format, and no second is left out.
package struct Thinning: Sendable {
    package static let none = Thinning(share: 1, bound: nil)

    package let share: Double
    /// A request is kept if its hash lies below; nil keeps all.
    private let bound: UInt64?

    private init(share: Double, bound: UInt64?) { (self.share, self.bound) = (share, bound) }

    /// - Parameter share: above 0 and at most 1; nil for anything else.
    package init?(share: Double) {
        guard share > 0 && share <= 1 else { return nil }
        self.init(share: share, bound: share == 1 ? nil : UInt64(cutting: share * 0x1p64))
    }

    package var isNone: Bool { bound == nil }

    func keeps(_ arrival: Arrival) -> Bool { bound.map { IdentityHash.of(arrival) < $0 } ?? true }
}

/// A hash of a request's identity: the person, the device and the number of the request among the device's own.
enum IdentityHash {
    static func of(_ arrival: Arrival) -> UInt64 {
        mixed(mixed(UInt64(arrival.person) << 32 | UInt64(arrival.sequence)) ^ UInt64(arrival.slot))
    }

    static func mixed(_ number: UInt64) -> UInt64 { (number &+ 0x9e37_79b9_7f4a_7c15).mixed }
}

/// The form of an export, by the tool that reads it.
package enum ExportFormat: String, CaseIterable, Sendable {
    case csv, h2load, gor, k6, vegeta, wrk2, openmetrics

    /// Whether each request has a line of its own; the others have rates and counts alone.
    package var isExact: Bool {
        switch self {
        case .csv, .h2load, .gor, .vegeta, .wrk2: true
        case .k6, .openmetrics: false
        }
    }

    /// Whether requests in it are sent somewhere.
    package var needsTarget: Bool { self != .csv && self != .openmetrics }

    /// Whether its files have time stamps; the others have times from the start of the span.
    package var hasTimeStamps: Bool {
        switch self {
        case .csv, .gor, .openmetrics: true
        case .h2load, .k6, .vegeta, .wrk2: false
        }
    }

    /// Whether a tool plays it: it has no clock of its own then, and can be played faster.
    package var isPlayed: Bool { self != .openmetrics }
}

/// Where requests are counted as they arrive.
package enum ExportStage: String, CaseIterable, Sendable { case edge, origin }

/// An export that cannot be made, as one sentence that names the place and the cure.
package struct ExportProblem: Error, CustomStringConvertible {
    package let description: String
    /// Whether the words of the command are at fault, not a file.
    package let isUsage: Bool

    package init(_ description: String, isUsage: Bool = false) {
        (self.description, self.isUsage) = (description, isUsage)
    }
}
