import Fleet
import Measures
import WidgetPlatform

/// Columns that several tables share.
extension Column {
    static let segment = Column.key("segment", "The segment of the fleet (D1).")
    static let kind = Column.key("kind", "The widget kind.")
    static let endpoint = Column.key("endpoint", "The endpoint that the requests go to.")
    static let endpointOrAll = Column.key("endpoint", "The endpoint that the requests go to; `\(LoadAnalysis.allName)` for all together.")
    static let cause = Column.key("cause", "Why the reload was asked for: " + names(ReloadCause.allCases.map(\.name)) + ".")
    static let locationMode = Column.key(
        "location_mode",
        "What the person allows the app (L3): " + names(LocationMode.allCases.map(\.name))
            + "; `\(withoutMode)` for instances that do not follow the person (L7)."
    )
    static let surface = Column.key("surface", "Where the instance is placed (V1): " + names(Surface.allCases.map(\.name)) + ".")
    static let window = Column.key("window_s", type: .integer, unit: "s", "The width of the window.")
    static let charged = Column.key("charged", type: .boolean, "Whether a token paid for it (B1).")
    static let instances = Column.count("instances", "Instances in the reported span.")

    /// What stands in `location_mode` for an instance that does not follow the person.
    static let withoutMode = "none"

    /// The names of the location modes in the order of the measures.
    static let modeNames = LocationMode.allCases.map(\.name) + [withoutMode]

    private static func names(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}
