import Basics
import Fleet
import WidgetPlatform

/// Columns that several tables share, each with the place of its value in the row.
extension Columns {
    /// A key whose values are words of a list, which its meaning tells.
    ///
    /// - Parameter rest: the end of the meaning, after the list.
    static func word<Word: NamedCase & CaseIterable>(
        _ name: String, _ meaning: String, rest: String = ".", _ value: @escaping @Sendable (Row) -> Word
    ) -> Self {
        .key(name, "\(meaning): \(ReportWords.listed(Word.self))\(rest)") { value($0).name }
    }

    /// The key of most rows: the instances of one widget kind on one kind of device in one segment.
    static func stratum(_ stratum: @escaping @Sendable (Row) -> ReportStratum) -> Self {
        part(stratum, ReportStratum.columns)
    }

    static func segment(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("segment", "The segment of the fleet (D1).", value)
    }

    static func device(_ value: @escaping @Sendable (Row) -> DeviceKind) -> Self {
        .word("device", "The kind of device (D1)", value)
    }

    static func pool(_ value: @escaping @Sendable (Row) -> BudgetPool) -> Self {
        .key(
            "pool",
            "Which accounts: `\(BudgetPool.own.name)`, the instances' own, or `\(BudgetPool.pushed.name)`, those that pay for pushed reloads (B7)."
        ) { value($0).name }
    }

    /// When a bin begins, in three columns.
    static func bin(_ start: @escaping @Sendable (Row) -> ReportInstant) -> Self {
        .part(
            start,
            [
                .key(
                    "bin_start_s", unit: "s",
                    "The bin's start, from the start of the report. Its width is the scenario's `load_bin`."
                ) {
                    $0.time.microseconds / 1_000_000
                },
                .clocks(of: "bin_start") { $0 },
            ])
    }

    /// An instant in UTC and on the clock of the report's zone, `<name>_utc` and `<name>_local`; both empty where there
    /// is none.
    static func clocks(of name: String, ofOptional instant: @escaping @Sendable (Row) -> ReportInstant?) -> Self {
        .several([
            .derived(name + "_utc", "The same instant in UTC.") { instant($0)?.utc },
            .derived(name + "_local", zoneMeaning) { instant($0)?.local },
        ])
    }

    /// An instant in UTC and on the clock of the report's zone, `<name>_utc` and `<name>_local`.
    static func clocks(of name: String, _ instant: @escaping @Sendable (Row) -> ReportInstant) -> Self {
        .several([
            .derived(name + "_utc", "The same instant in UTC.") { instant($0).utc },
            .derived(name + "_local", zoneMeaning) { instant($0).local },
        ])
    }

    private static var zoneMeaning: String {
        "The same on the clock of the scenario's `report.zone`, with its offset then; without one at the offset that the scenario's `start` is written with."
    }

    static func region(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key(
            "region",
            "The edge region of the city where the device was that sent them, or the one that it failed over to (S7); in a replay, the device's time zone.",
            value)
    }

    static func stage(_ value: @escaping @Sendable (Row) -> LoadStage) -> Self {
        .key(
            "stage",
            "Where the requests are counted as they arrive: at the `\(LoadStage.edgeName)`, or at the `\(LoadStage.originName)` behind it, with the fetches of the"
                + " edge and without what it answers (S2). Without a service every request reaches the origin with its arrival at the edge (S6)."
        ) { value($0).name }
    }

    static func servicePool(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("pool", "The origin pool (S2).", value)
    }

    static func endpoint(_ value: @escaping @Sendable (Row) -> String) -> Self {
        .key("endpoint", "The endpoint that the requests go to.", value)
    }

    static func endpointOrAll(_ value: @escaping @Sendable (Row) -> LoadAnalysis.Endpoint) -> Self {
        .key("endpoint", "The endpoint that the requests go to; `\(LoadAnalysis.allName)` for all together.") {
            value($0).name
        }
    }

    static func cause(_ value: @escaping @Sendable (Row) -> ReloadCause) -> Self {
        .word("cause", "Why the reload was asked for", value)
    }

    static func locationMode(_ value: @escaping @Sendable (Row) -> CountedMode) -> Self {
        .key(
            "location_mode",
            "The person's location permission for the app (L3): " + ReportWords.listed(LocationMode.self)
                + "; `\(ReportWords.withoutMode)` for instances that do not follow the person (L7)."
        ) { value($0).mode?.name ?? ReportWords.withoutMode }
    }

    static func surface(_ value: @escaping @Sendable (Row) -> Surface) -> Self {
        .word("surface", "Where the instance is placed (V1)", value)
    }

    static func window(_ value: @escaping @Sendable (Row) -> LoadWindow) -> Self {
        .key("window_s", unit: "s", "The width of the window.") { value($0).seconds }
    }

    static func charged(_ value: @escaping @Sendable (Row) -> Bool) -> Self {
        .key("charged", "Whether a token paid for it (B1).", value)
    }
}

/// Words of the report that no other module has.
enum ReportWords {
    /// The subject of most tables in words: the instances behind the columns of `ReportStratum`.
    static let stratum = "one segment's instances of one kind on one kind of device"

    /// The value of `location_mode` for an instance that does not follow the person.
    static let withoutMode = "none"

    /// A sentence for tables that tell of the origin only where its requests are others than the edge's.
    static let edgeAlone = "Without a service there are rows of the edge alone, since the origin has the same requests."

    /// The name of all segments, kinds, devices or weekdays together; nothing else has it.
    static let all = LoadAnalysis.allName

    /// As scenarios name them.
    static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The vocabulary of a column, for its meaning.
    static func listed(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
    static func listed<Word: NamedCase & CaseIterable>(_: Word.Type) -> String { listed(Word.allCases.map(\.name)) }
}

extension ReportStratum {
    static let columns: [Columns<ReportStratum>] = [
        .segment(\.segment), .key("kind", "The widget kind.", \.kind), .device(\.device),
    ]
}
