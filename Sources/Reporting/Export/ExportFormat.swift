/// The form of an export, by the tool that reads it.
package enum ExportFormat: String, CaseIterable, Sendable {
    case csv, h2load, gor, k6, openmetrics

    /// Whether each request has a line of its own, with its own instant; the others have rates.
    package var isExact: Bool {
        switch self {
        case .csv, .h2load, .gor: true
        case .k6, .openmetrics: false
        }
    }

    /// Whether requests in it are sent somewhere.
    package var needsTarget: Bool { self != .csv && self != .openmetrics }

    /// Whether its files have time stamps; the others have times from the start of the span.
    package var hasTimeStamps: Bool {
        switch self {
        case .csv, .gor, .openmetrics: true
        case .h2load, .k6: false
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
