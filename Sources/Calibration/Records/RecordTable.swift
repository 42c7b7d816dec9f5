import Basics
import ScenarioFiles

/// The rows of a record of people, line by line: CSV under a header, or an object of JSON a line, with the same names
/// for columns and members. Other columns are left out.
struct RecordTable {
    /// The columns that a row must have.
    private let columns: [(role: String, name: String)]
    /// The place of the role that an object can do without; nil for none.
    private let optional: Int?
    /// Nil before the first line, which shows the form.
    private var reader: FieldReader?
    /// Whether the header lacks columns: no row can be read.
    private var isUnreadable = false
    private var ignored: [String] = []
    private var line = 0
    private(set) var rows = 0
    private(set) var faults: LineFaults
    /// The fields of the last row, by the order of the names.
    private(set) var fields: [LineField]

    /// - Parameter optional: the role whose member an object can do without.
    init(file: String, _ names: ColumnNames, optional: String? = nil) {
        // A count is of tables by the hour.
        columns = names.columns.filter { $0.role != "count" }
        self.optional = optional.flatMap(names.roles.firstIndex)
        faults = LineFaults(file: file)
        fields = columns.map { _ in LineField(range: 0..<0) }
    }

    private var wanted: String {
        "a header with the columns \(columns.map(\.name).joined(separator: ",")), or JSON objects with these members"
    }

    /// Takes the next line, and counts its fault.
    ///
    /// - Returns: whether it is a row, whose fields are known then.
    mutating func take(_ row: UnsafeBufferPointer<UInt8>) -> Bool {
        line += 1
        if isUnreadable || row.allSatisfy({ $0 == 32 || $0 == 9 }) { return false }
        do throws(LineFault) {
            if reader == nil {
                let isObject = row.first == UInt8(ascii: "{")
                reader = FieldReader(isObject ? .json : .table, names: columns.map(\.name))
                if !isObject {
                    try takeHeader(row)
                    return false
                }
            }
            rows += 1
            if let fault = reader?.read(row) { throw fault }
            for (place, (role, name)) in columns.enumerated() {
                let field = reader?.fields[place]
                if field == nil && place != optional {
                    throw LineFault(
                        expected: "an object with `\(name)`", found: "one without (--columns \(role)=… names it)")
                }
                if field?.form == .list && place != optional {
                    throw LineFault(expected: "a text or number as `\(name)`", found: "another value")
                }
                fields[place] = field ?? LineField(range: 0..<0)
            }
            return true
        } catch {
            refuse(error)
            return false
        }
    }

    private mutating func takeHeader(_ row: UnsafeBufferPointer<UInt8>) throws(LineFault) {
        isUnreadable = true
        _ = reader?.takeHeader(row)
        if let fault = reader?.unclosed { throw fault }
        let header = reader?.header ?? []
        let found = header.map { $0.lowercased() }
        for (role, name) in columns {
            let count = found.count { $0 == name.lowercased() }
            if count > 1 { refuse(LineFault(expected: "one column '\(name)'", found: "several")) }
            if count == 0 {
                let nearest = Nearest.name(to: name.lowercased(), among: found).flatMap(found.firstIndex)
                let cure = nearest.map { "; is it '\(header[$0])'? (--columns \(role)=\(header[$0]))" }
                refuse(
                    LineFault(expected: wanted, found: "no '\(name)'" + (cure ?? "; --columns \(role)=… names it")))
            }
        }
        isUnreadable = faults.count > 0
        let read = Set(columns.map { $0.name.lowercased() })
        ignored = header.filter { !read.contains($0.lowercased()) }
    }

    /// Counts a fault of the last line, or of another one.
    mutating func refuse(_ fault: LineFault, line: Int? = nil, nearest: @autoclosure () -> String? = nil) {
        faults.add(fault, line: line ?? self.line, nearest: nearest())
    }

    /// Throws the faults of all lines, or that there are no rows.
    mutating func check() throws(RecordProblems) {
        try faults.check()
        if reader == nil { try faults.fail(LineFault(expected: wanted, found: "an empty file")) }
        if rows == 0 { try faults.fail(LineFault(expected: "rows below the header", found: "none")) }
    }

    /// Which columns were left out.
    var notes: [String] {
        ignored.isEmpty
            ? [] : ["left out: the column\(ignored.count == 1 ? "" : "s") \(ignored.joined(separator: ", "))"]
    }
}
