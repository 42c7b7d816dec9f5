import Basics
import Fleet
import WidgetPlatform

/// One column of a table with the value that it has in a row, or several that stand side by side.
///
/// The columns of a table: each is declared together with where its value comes from, so no value can stand in the
/// column of another.
package struct Columns<Row>: Sendable {
    let columns: [Column]
    /// Adds the cells of a row, with commas between them.
    let append: @Sendable (Row, inout [UInt8]) -> Void

    /// Whether there is no column at all, such as the axes of a study that varies nothing.
    var isEmpty: Bool { columns.isEmpty }

    init(_ columns: [Column], append: @escaping @Sendable (Row, inout [UInt8]) -> Void) {
        self.columns = columns
        self.append = append
    }

    private init<Value: CellValue>(
        _ name: String, unit: String?, adds: Column.Aggregation, _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Value
    ) {
        let column = Column(
            name: name, type: Value.columnType, unit: unit, meaning: meaning, adds: adds, isOptional: Value.isOptional)
        self.init([column]) { row, bytes in value(row).append(to: &bytes) }
    }

    /// A column that tells rows apart.
    package static func key<Value: CellValue>(
        _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit: unit, adds: .key, meaning, value)
    }

    /// A column of values that add up: counts, and amounts with a unit.
    static func sum<Value: CellValue>(
        _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit: unit, adds: .sum, meaning, value)
    }

    /// A column that does not add up: a share, a mean, a quantile, an instant.
    package static func derived<Value: CellValue>(
        _ name: String, unit: String? = nil, adds: Column.Aggregation = .none, _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit: unit, adds: adds, meaning, value)
    }

    /// Columns of another table, as its file writes them.
    ///
    /// - Parameter cells: one for each column.
    package static func written(_ columns: [Column], _ cells: @escaping @Sendable (Row) -> [String]) -> Self {
        Self(columns) { row, bytes in
            for (index, cell) in cells(row).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                cell.append(to: &bytes)
            }
        }
    }

    /// The columns of what many rows share, whose cells are made once.
    package static func shared<Part>(
        _ columns: [Columns<Part>], _ cells: @escaping @Sendable (Row) -> PreparedCells<Part>
    ) -> Self {
        Self(columns.flatMap(\.columns)) { row, bytes in bytes.append(contentsOf: cells(row).text) }
    }

    /// Columns that were put together before.
    package static func several(_ columns: [Columns]) -> Self { part({ $0 }, columns) }

    package static func part<Part>(_ part: @escaping @Sendable (Row) -> Part, _ columns: [Columns<Part>]) -> Self {
        let present = columns.filter { !$0.isEmpty }
        return Self(present.flatMap(\.columns)) { row, bytes in present.append(part(row), to: &bytes) }
    }
}

/// A row of which two parts have cells that many rows share, and which has one value of its own: for tables of millions
/// of rows.
struct PreparedRow<First, Second, Value: CellValue> {
    let first: PreparedCells<First>
    let second: PreparedCells<Second>
    let value: Value
}

extension Columns {
    /// All columns of a prepared row, written by one function.
    ///
    /// - Parameter last: what is said of the value.
    static func prepared<First, Second, Value: CellValue>(
        _ first: [Columns<First>], _ second: [Columns<Second>], _ last: Columns<Value>
    ) -> Self where Row == PreparedRow<First, Second, Value> {
        Self(first.flatMap(\.columns) + second.flatMap(\.columns) + last.columns) { row, bytes in
            bytes.append(contentsOf: row.first.text)
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: row.second.text)
            bytes.append(UInt8(ascii: ","))
            row.value.append(to: &bytes)
        }
    }
}

/// The cells of what many rows share.
package struct PreparedCells<Part>: Sendable {
    fileprivate let text: [UInt8]

    package init(_ part: Part, _ columns: [Columns<Part>]) {
        var text: [UInt8] = []
        columns.filter { !$0.isEmpty }.append(part, to: &text)
        self.text = text
    }
}

extension Array {
    /// Adds the cells of a row, with commas between them.
    func append<Row>(_ row: Row, to bytes: inout [UInt8]) where Element == Columns<Row> {
        // `enumerated` looks up its types at every element here, which took most of the time of a table.
        for index in indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            self[index].append(row, &bytes)
        }
    }
}

extension Presentation {
    static let columns: [Columns<Presentation>] = [
        .word("rendering_mode", "How it was drawn (R2)", \.renderingMode),
        .word("luminance", "How bright the display was (R4)", rest: ", which is dimmed.", \.luminance),
        .word(
            "redaction", "The part of it that was hidden (R3, R4)",
            rest:
                "; `views` are those that the kind marks as sensitive, `whole` is all of it because the kind marks none. It is `none` but for views in the state `redacted`.",
            \.redaction),
        .word("state", "The state that was seen (C5)", \.state),
    ]
}

/// Columns that several tables share, each with the place of its value in the row.
extension Columns {
    /// A key whose values are words of a list, which its meaning tells.
    ///
    /// - Parameter rest: the end of the meaning, after the list.
    static func word<Word: NamedCase & CaseIterable & SendableMetatype>(
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

/// The declaration of one column: the header, the dictionary, the table schema and the tests come from here.
package struct Column: Hashable, Sendable {
    package enum ValueType: String, Sendable {
        case string, integer, number, boolean, datetime
    }

    /// How the values of several rows, runs or shards go together.
    package enum Aggregation: String, Sendable {
        /// It tells rows apart.
        case key
        /// Values of different rows add up.
        case sum
        /// The value of several rows together is the largest.
        case maximum = "max"
        /// It must be computed again from columns that add.
        case none = "not additive"
    }

    package let name: String
    package let type: ValueType
    /// It stands at the end of the name too (`_s`, `_per_s`, `_tokens`). Nil for counts, whose noun is the name, and
    /// for plain ratios.
    package let unit: String?
    /// A whole sentence.
    package let meaning: String
    package let adds: Aggregation
    /// Whether a row can be without it: the cell is empty.
    package let isOptional: Bool
}
