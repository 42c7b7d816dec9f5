import Basics
import Commands
import Foundation

/// Folders of results of every sort, made by the commands themselves from a scenario that takes some milliseconds.
public final class SampleFolders: Sendable {
    public enum Sort: String, CaseIterable, Sendable { case run, study, sensitivity, indices, plan, comparison }

    /// They are removed with the process that made them, if it ends by itself.
    public static let shared = SampleFolders(
        NSTemporaryDirectory() + "reloadsim-samples-\(ProcessInfo.processInfo.processIdentifier)")

    private let root: String

    private static let scenario = """
        start: "2026-03-02T00:00:00Z"
        warmup: 0s
        duration: 2h
        people: 12
        kinds:
          - {id: quote, timeline: {shape: single}, policy: {after: 20m, jitter: 0s}, versions: {source: steady, every: 10m}}
          - {id: board, policy: {after: 30m}}
        population:
          devices: [{kind: phone, instances: [{id: first, kind: quote, surface: home_first}, {id: second, kind: board}]}]
        service: {pools: [{id: origin, servers: 1, service_time: 50ms}], events: [{outage: {name: dark, span: [30m, 40m]}}]}
        thresholds: [{metric: load_peak_1s, op: "<=", value: 500}]
        report: {seconds: true}

        """

    private init(_ root: String) {
        self.root = root
        do {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            try Self.scenario.write(toFile: root + "/small.yaml", atomically: true, encoding: .utf8)
        } catch { preconditionFailure("\(error)") }
        let (small, jitter) = (root + "/small.yaml", "kinds.quote.policy.jitter")
        make(["run", small, "--out", root + "/run", "--quiet"])
        make([
            "sweep", small, "--vary", "jitter:\(jitter)=0s,10m", "--vary", "people=12,16", "--repeat", "2", "--out",
            root + "/study", "--quiet",
        ])
        make([
            "sensitivity", small, "--vary", "jitter:\(jitter)=range(0s,10m)", "--vary", "people=range(8,20)",
            "--method", "morris", "--trajectories", "2", "--metric",
            "load_peak_1m", "--out", root + "/sensitivity", "--quiet",
        ])
        make([
            "plan", small, "--find", "service.pools.origin.servers=range(1,4,1)", "--target",
            "service.share_served >= 0.5", "--repeat", "2", "--out", root + "/plan",
            "--quiet",
        ])
        make(["compare", root + "/study", "--by", "jitter", "--out", root + "/comparison"])
        atexit { _ = try? FileManager.default.removeItem(atPath: SampleFolders.shared.root) }
    }

    private func make(_ arguments: [String]) {
        let status = ReloadsimProgram.status(of: arguments)
        precondition(status == 0, "\(arguments) ended with \(status)")
    }

    public func path(_ sort: Sort) -> String {
        root + (sort == .indices ? "/sensitivity/sensitivity" : "/" + sort.rawValue)
    }

    /// The names of the files that a folder's manifest lists, tables first.
    public func files(_ sort: Sort) -> [String] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path(sort))) ?? []).filter {
            $0.contains(".") && $0 != "report.html"
        }
        return names.filter { $0.hasSuffix(".csv") }.sorted() + names.filter { !$0.hasSuffix(".csv") }.sorted()
    }

    public func bytes(_ sort: Sort, _ file: String) -> [UInt8] {
        guard let content = FileManager.default.contents(atPath: path(sort) + "/" + file) else {
            preconditionFailure("no \(file) of \(sort)")
        }
        return Array(content)
    }
}

/// Changes a file of a folder of results and makes its hash in the manifest again, as somebody can who may write there.
public enum AlteredFolder {
    /// - Parameter file: its name in the folder.
    public static func write(_ content: [UInt8], to file: String, in folder: String) throws {
        try Data(content).write(to: URL(filePath: folder + "/" + file))
        let path = URL(filePath: folder + "/manifest.json")
        guard var manifest = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any],
            var files = manifest["files"] as? [[String: Any]]
        else { preconditionFailure("no manifest in \(folder)") }
        for index in files.indices where files[index]["name"] as? String == file {
            files[index]["bytes"] = content.count
            files[index]["sha256"] = SHA256.hash(data: content).hex
        }
        manifest["files"] = files
        try JSONSerialization.data(withJSONObject: manifest, options: [.withoutEscapingSlashes]).write(to: path)
    }
}

/// Changes of a table that its reader does not expect.
public enum TableAlteration {
    private static let cells = [
        "", "x", "-1", "1e308", "nan", "inf", "-inf", "9223372036854775807", "9223372036854775808", "1e-320", "0",
        "\"a", "2.5",
    ]

    /// How many of the first ways change more than a column.
    public static let wholeCount = 12

    /// Altered texts of a table, each with a name.
    public static func all(of table: String) -> [(name: String, text: String)] {
        let lines = table.split(separator: "\n").map(String.init)
        guard let header = lines.first else { return [] }
        let rows = lines.dropFirst().prefix(400).map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let names = header.split(separator: ",").map(String.init)
        func text(_ header: [String], _ rows: [[String]]) -> String {
            ([header] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
        }
        var found = [
            ("nothing", ""), ("header alone", header + "\n"),
            ("no header", rows.map { $0.joined(separator: ",") + "\n" }.joined()),
            ("extra column", text(names + ["more"], rows.map { $0 + ["1"] })),
            ("rows turned", text(names, rows.reversed())),
            ("rows twice", text(names, rows + rows)), ("cut", String(table.prefix(table.count / 2))),
            ("line ends of Windows", table.replacing("\n", with: "\r\n")),
            ("line ends of old Macs", table.replacing("\n", with: "\r")),
            ("no last line end", String(table.dropLast())),
            ("a field more", text(names, rows.map { $0 + ["1"] })),
            ("a name twice", text(names.map { _ in names[0] }, rows)),
        ]
        precondition(found.count == wholeCount, "\(found.count) ways")
        for column in names.indices {
            func with(_ cell: String, only: Int? = nil) -> [[String]] {
                rows.enumerated().map { index, row in
                    var row = row
                    if row.indices.contains(column), only == nil || only == index { row[column] = cell }
                    return row
                }
            }
            var fewer = names
            fewer.remove(at: column)
            found.append(
                (
                    "without \(names[column])",
                    text(fewer, rows.map { row in row.enumerated().filter { $0.offset != column }.map(\.element) })
                ))
            for cell in cells {
                found.append(("\(names[column]) is '\(cell)'", text(names, with(cell))))
                found.append(("the first \(names[column]) is '\(cell)'", text(names, with(cell, only: 0))))
            }
            found.append(
                (
                    "\(names[column]) is another in each row",
                    text(
                        names,
                        rows.enumerated().map { index, row in
                            var row = row
                            if row.indices.contains(column) { row[column] = "\(index * 7)" }
                            return row
                        })
                ))
        }
        return found
    }
}
