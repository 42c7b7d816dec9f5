import Basics

/// The subject of a figure of a run's summary.
package enum SummaryScope: String, CaseIterable, NamedCase, Sendable {
    case run, segment, kind, device, endpoint, pool, live

    /// The name of all pools, or of all kinds of Live Activity, together; none can have it.
    package static let allParts = "*"

    /// A metric of a part as thresholds name it.
    package func name(of metric: String, _ part: String) -> String {
        let all = part == Self.allParts ? metric : "\(part).\(metric)"
        return switch self {
        case .run: metric
        case .kind: "\(part).\(metric)"
        case .segment, .device, .endpoint: "\(rawValue).\(part).\(metric)"
        case .pool: "service.\(all)"
        case .live: "live.\(all)"
        }
    }
}
