import Basics

/// The subject of a figure of a run's summary.
package enum SummaryScope: String, CaseIterable, NamedCase, Sendable {
    case run, segment, kind, device, endpoint, pool, live

    /// The name of all pools, or of all kinds of Live Activity, together; none can have it.
    package static let allParts = "*"

    /// A metric of a part as thresholds name it.
    package func name(of metric: String, _ part: String) -> String {
        // Sums of texts take a sixth of the time of one text with all of them, and studies have many names.
        let own = part + "." + metric
        let all = part == Self.allParts ? metric : own
        return switch self {
        case .run: metric
        case .kind: own
        case .segment, .device, .endpoint: rawValue + "." + own
        case .pool: "service." + all
        case .live: "live." + all
        }
    }
}
