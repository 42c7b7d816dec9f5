import Fleet
import Measures
import WidgetPlatform

/// Columns that several tables share.
extension Column {
    static let segment = Column.key("segment", "The segment of the fleet (D1).")
    static let kind = Column.key("kind", "The widget kind.")
    static let device = Column.key("device", "The kind of device (D1): " + names(DeviceKind.allCases.map(\.name)) + ".")
    /// What most rows are about: the instances of one widget kind on one kind of device in one segment.
    static let line = [segment, kind, device]
    static let pool = Column.key(
        "pool", "Which accounts: `\(poolNames[0])`, the instances' own, or `\(poolNames[1])`, those that pay for pushed reloads (B7).")
    static let binStart = Column.key(
        "bin_start_s", type: .integer, unit: "s", "The bin's start, from the start of the report. Its width is the scenario's `load_bin`.")
    static let binStartUTC = Column.derived("bin_start_utc", type: .datetime, optional: false, "The same instant in UTC.")
    static let region = Column.key(
        "region", "The edge region of the city where the device was that sent them; in a replay, the device's time zone.")
    static let stage = Column.key(
        "stage",
        "Where the requests are counted as they arrive: at the `\(LoadStage.edgeName)`, or at the `\(LoadStage.originName)` behind it, with the fetches of the"
            + " edge and without what it answers (S2). Without a service every request reaches the origin with its arrival at the edge (S6)."
    )
    static let servicePool = Column.key("pool", "The origin pool (S2).")
    static let endpoint = Column.key("endpoint", "The endpoint that the requests go to.")
    static let endpointOrAll = Column.key("endpoint", "The endpoint that the requests go to; `\(LoadAnalysis.allName)` for all together.")
    static let cause = Column.key("cause", "Why the reload was asked for: " + names(ReloadCause.allCases.map(\.name)) + ".")
    static let locationMode = Column.key(
        "location_mode",
        "What the person allows the app (L3): " + names(LocationMode.allCases.map(\.name))
            + "; `\(withoutMode)` for instances that do not follow the person (L7)."
    )
    static let surface = Column.key("surface", "Where the instance is placed (V1): " + names(Surface.allCases.map(\.name)) + ".")
    static let family = Column.key("family", "The size and shape of the instance (R1): " + names(WidgetFamily.allCases.map(\.name)) + ".")
    static let renderingMode = Column.key(
        "rendering_mode", "How it was drawn (R2): " + names(RenderingMode.allCases.map(\.name)) + ".")
    static let luminance = Column.key(
        "luminance", "How bright the display was (R4): " + names(Luminance.allCases.map(\.name)) + ", which is dimmed.")
    static let redaction = Column.key(
        "redaction",
        "What was hidden of it (R3, R4): " + names(Redaction.allCases.map(\.name))
            + "; `views` are those that the kind marks as sensitive, `whole` is all of it because the kind marks none. It is `none` but for views in the state `redacted`."
    )
    static let state = Column.key("state", "What was seen (C5): " + names(ViewState.allCases.map(\.name)) + ".")
    static let window = Column.key("window_s", type: .integer, unit: "s", "The width of the window.")
    static let charged = Column.key("charged", type: .boolean, "Whether a token paid for it (B1).")
    static let instances = Column.count("instances", "Instances in the reported span.")

    /// What stands in `location_mode` for an instance that does not follow the person.
    static let withoutMode = "none"

    /// The names of the location modes in the order of the measures.
    static let modeNames = LocationMode.allCases.map(\.name) + [withoutMode]

    /// The names of the pools of budget in the order of the measures.
    static let poolNames = ["own", "pushed"]

    private static func names(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}
