import Basics
import Fleet
import Foundation
import RefreshService
import RunLaws
import ScenarioFiles
import Simulation
import WidgetPlatform
import Yams

/// A small replay with everything random switched off and its times worked out by hand: a scenario, the recorded lines,
/// and what must come of it.
///
/// The file is YAML or JSON with `name`, `rules`, `reasoning`, `scenario`, `replay` and `expected`;
/// `Tests/WorkedCases/README.md` describes it.
struct WorkedCase {
    let name: String
    private let expected: [String: Any]
    private let read: ParsedScenario
    private let rows: [TraceRow]

    enum Problem: Error { case malformed(String) }

    init(file: URL) throws {
        guard let root = try Yams.load(yaml: String(contentsOf: file, encoding: .utf8), .basic) as? [String: Any],
            let name = root["name"] as? String, let replay = root["replay"] as? [String],
            let expected = root["expected"] as? [String: Any],
            let node = try Yams.compose(yaml: String(contentsOf: file, encoding: .utf8))?["scenario"]
        else { throw Problem.malformed(file.lastPathComponent) }
        self.name = name
        self.expected = expected
        read = try ScenarioReader.read(
            text: Yams.serialize(node: node), file: "case.yaml", replay: replay.joined(separator: "\n"))
        let run = try ScenarioRun(read.scenario)
        rows = (0..<read.scenario.people).flatMap { run.trace(person: $0).rows }
            .enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// The text of a case's scenario, and that of its recorded events.
    static func text(of file: URL) throws -> (scenario: String, replay: String) {
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let root = try Yams.load(yaml: text, .basic) as? [String: Any], let replay = root["replay"] as? [String],
            let node = try Yams.compose(yaml: text)?["scenario"]
        else { throw Problem.malformed(file.lastPathComponent) }
        return try (Yams.serialize(node: node), replay.joined(separator: "\n"))
    }

    /// Every sentence about something that is not as expected.
    func differences() -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ expected: [String], _ actual: [String]) {
            if expected == actual { return }
            found.append(
                "\(name): \(what)\n  expected \(expected.joined(separator: " | "))\n  found    \(actual.joined(separator: " | "))"
            )
        }
        if let reloads = expected["reloads"] as? [Any] {
            let actual = rows.filter { $0.event == .granted || $0.event == .refreshed }.map {
                "\($0.instance!) \($0.time.microseconds) \($0.cause!.name) \($0.isCharged! ? 1 : 0)"
            }
            compare("reloads", sorted(reloads.flatMap(expand)), sorted(actual))
        }
        if let views = expected["views"] as? [[Any]] {
            let actual = rows.filter { $0.state != nil }
            compare(
                "views", views.map { "\($0[0]) \(time($0[1])) \($0[2])" },
                actual.map { "\($0.instance!) \($0.time.microseconds) \($0.state!.name)" })
            for (view, row) in zip(views, actual) where view.count > 3 {
                found += differences(view[3] as? [String: Any] ?? [:], row)
            }
        }
        if let requests = expected["requests"] as? [[Any]] {
            let actual = rows.filter { $0.event == .request }.map {
                "\($0.instance!) \($0.time.microseconds) \($0.place ?? "")"
            }
            compare("requests", requests.map { "\($0[0]) \(time($0[1])) \($0[2])" }, actual)
        }
        if let merged = expected["merged"] as? [String: Any] {
            let actual = Dictionary(grouping: rows.filter { $0.event == .merged }, by: { $0.cause!.name }).mapValues(
                \.count)
            compare(
                "merged", merged.map { "\($0.key) \($0.value)" }.sorted(),
                actual.map { "\($0.key) \($0.value)" }.sorted())
        }
        if let activities = expected["activities"] as? [[Any]] {
            compare(
                "activities", activities.map { "\($0[0]) \(time($0[1])) \($0[2])" },
                rows.compactMap(Self.activity))
        }
        if let summary = expected["summary"] as? [String: Any] { found += differences(summary) }
        return found
    }

    /// A row of a Live Activity as a case states it: kind, time, and what happens; nil for other rows.
    private static func activity(_ row: TraceRow) -> String? {
        let words = row.detail.components(separatedBy: ": ")
        let what: String
        switch row.event {
        case .activityBegins: what = "begins"
        case .activityShown: what = words[1].replacing("version ", with: "shows ")
        case .activityPushOverBudget, .activityPushExpired, .activityStartRefused: what = "drops"
        case .activityEnds: what = "ends"
        case .activityGoes: what = "goes"
        case .activityView where words[1] == "lock_screen": what = words[2]
        default: return nil
        }
        return "\(words[0]) \(row.time.microseconds) \(what)"
    }

    /// The details of the rows of pushes that were not shown.
    var unshownPushes: [String] { rows.filter { $0.event.name.hasPrefix("push_") }.map(\.detail) }

    /// Sentences about what the tables count of tokens otherwise than the ledgers of the accounts.
    func tokenDifferences() -> [String] {
        let parts = ["opening", "accrued", "spent", "expired", "balance"]
        let ledgers = rows.filter { $0.event == .ledger || $0.event == .pushLedger }.map { Self.fields(ofLedger: $0) }
        let inLedgers = parts.map { part in
            ledgers.reduce(Decimal(0)) { $0 + (Decimal(string: $1[part] ?? "") ?? .nan) }
        }
        guard let result = ScenarioRunner.measures(of: read.scenario) else { return ["\(name): no result"] }
        let inTables = TokenCounts.microtokens(result).map { Decimal($0) / Decimal(AllowanceRule.token) }
        return zip(parts, zip(inLedgers, inTables)).compactMap { part, amounts in
            amounts.0 == amounts.1
                ? nil : "\(name): \(part) is \(amounts.0) in the ledgers and \(amounts.1) in the tables"
        }
    }

    private func differences(_ facts: [String: Any], _ row: TraceRow) -> [String] {
        var actual: [String: String] = [:]
        actual["age"] = row.age.map { TimeText.duration($0) } ?? "none"
        actual["missed"] = row.missed.map { "\($0)" } ?? "none"
        actual["healed"] = row.isHealed ? "true" : "false"
        actual["late"] = row.note.detail.hasSuffix(", the entry before") ? "1" : "0"
        return facts.compactMap { key, value in
            let expected = key == "healed" ? ("\(value)" == "1" || "\(value)" == "true" ? "true" : "false") : "\(value)"
            return actual[key] == expected
                ? nil
                : "\(name): \(key) of the view at \(row.time.microseconds): expected \(expected), found \(actual[key] ?? "nothing")"
        }
    }

    private func differences(_ summary: [String: Any]) -> [String] {
        var found: [String] = []
        func check(_ what: String, _ expected: Any, _ actual: String) {
            if "\(expected)" != actual { found.append("\(name): \(what): expected \(expected), found \(actual)") }
        }
        for (key, value) in summary {
            switch key {
            case "views_total": check(key, value, "\(rows.filter { $0.state != nil }.count)")
            case "views_repeated": check(key, value, "\(repeatedViews)")
            case "taps": check(key, value, "\(rows.filter { $0.event == .tap }.count)")
            case "silent_pushes":
                for (field, count) in value as? [String: Any] ?? [:] {
                    check("silent pushes \(field)", count, "\(silentPushes(field))")
                }
            case "pushes":
                for (field, count) in value as? [String: Any] ?? [:] {
                    check("pushes \(field)", count, "\(activityCount(field))")
                }
            case "late_entries": check(key, value, "\(lateEntries)")
            case "ledgers":
                for (instance, amounts) in value as? [String: [String: Any]] ?? [:] {
                    for (field, amount) in amounts {
                        check("ledger of \(instance), \(field)", amount, ledger(instance)[field] ?? "nothing")
                    }
                }
            case "waits":
                for (end, gates) in value as? [String: [String: [String: Any]]] ?? [:] {
                    for (gate, wait) in gates {
                        let actual = waits(end)[gate] ?? (0, 0)
                        check("waits \(end) \(gate) count", wait["count"] ?? 0, "\(actual.count)")
                        check("waits \(end) \(gate) us", wait["us"] ?? 0, "\(actual.microseconds)")
                    }
                }
            case "requests":
                for (field, count) in value as? [String: Any] ?? [:] {
                    check("requests \(field)", count, "\(requests(field))")
                }
            case "reloads":
                for (field, count) in value as? [String: Any] ?? [:] {
                    check("reloads \(field)", count, "\(ended(field))")
                }
            case "views":
                for (state, count) in value as? [String: Any] ?? [:] {
                    check("views \(state)", count, "\(rows.filter { $0.state?.name == state }.count)")
                }
            case "service":
                let service = ScenarioRunner.measures(of: read.scenario)?.service
                for (field, count) in value as? [String: Any] ?? [:] {
                    let measured = ServiceField.allCases.first { "\($0)" == field }.flatMap { service?.sum($0) }
                    check("service \(field)", count, measured.map { "\($0)" } ?? "nothing")
                }
            default: found.append("\(name): nobody checks \(key)")
            }
        }
        return found
    }

    // MARK: What the trace says

    /// Views that a pickup had shown already are counted and have no row.
    private var repeatedViews: Int64 {
        guard let result = ScenarioRunner.measures(of: read.scenario) else { return -1 }
        return result.views[.repeated]
    }

    private var lateEntries: Int64 { ScenarioRunner.measures(of: read.scenario)?.views[.lateEntries] ?? -1 }

    private func silentPushes(_ field: String) -> Int64 {
        let counts: [String: DeviceCount] = [
            "came": .silentPushes, "delivered": .silentPushesDelivered, "merged": .silentPushesMerged,
            "dropped": .silentPushesDropped,
            "waiting": .silentPushesCarriedOut,
        ]
        guard let count = counts[field], let result = ScenarioRunner.measures(of: read.scenario) else { return -1 }
        return result.devices[count]
    }

    /// A count of Live Activities, of all kinds together.
    private func activityCount(_ field: String) -> Int64 {
        guard let count = ActivityCount.allCases.first(where: { "\($0)" == field }),
            let result = ScenarioRunner.measures(of: read.scenario)
        else { return -1 }
        return (0..<result.measures.layout.liveKinds).reduce(0) {
            $0 + BlockSum(result.measures, at: result.measures.layout.place(ofLiveKind: $1))[count]
        }
    }

    private func ledger(_ instance: String) -> [String: String] {
        guard let row = rows.last(where: { $0.event == .ledger && $0.instance == instance }) else { return [:] }
        var fields = Self.fields(ofLedger: row)
        let micro = { (text: String?) in Decimal(string: text ?? "") ?? 0 }
        fields["granted"] = "\(micro(fields["opening"]) + micro(fields["accrued"]))"
        return fields
    }

    private static func fields(ofLedger row: TraceRow) -> [String: String] {
        var fields: [String: String] = [:]
        for part in row.detail.split(separator: ",") {
            let words = part.split(separator: " ")
            fields[String(words[0])] = String(words[1])
        }
        return fields
    }

    private func waits(_ end: String) -> [String: (count: Int, microseconds: Int64)] {
        var sums: [String: (count: Int, microseconds: Int64)] = [:]
        let ended = rows.filter {
            end == "granted" ? $0.event == .granted : $0.event == .merged && $0.detail.hasPrefix("taken")
        }
        for row in ended {
            guard let start = row.detail.range(of: "waited under ") else { continue }
            for part in row.detail[start.upperBound...].split(separator: ",") {
                let words = part.split(separator: " ")
                guard let gate = Gate.allCases.first(where: { $0.name == words[0] }) else { continue }
                sums[gate.rule, default: (0, 0)].count += 1
                sums[gate.rule, default: (0, 0)].microseconds += DurationText.microseconds(String(words[1]))
            }
        }
        return sums
    }

    private func requests(_ field: String) -> Int {
        let sent = rows.filter { $0.event == .request }.count
        // A try without a connection makes no request.
        let refused = rows.filter { ($0.event == .failure || $0.event == .failed) && !$0.detail.hasSuffix("offline") }
            .count
        let answered = rows.filter { $0.event == .response }.count
        return ["sent": sent, "error": refused, "timeout": refused, "ok": answered][field] ?? -1
    }

    /// `cause|charged or free|outcome`.
    private func ended(_ field: String) -> Int {
        let parts = field.split(separator: "|").map(String.init)
        return rows.filter { row in
            let outcome =
                row.event == .response || row.event == .transferred
                ? "ok"
                : row.event == .taken
                    ? "taken"
                    : row.event == .failed
                        ? row.detail : row.event == .placeholder ? "placeholder" : ""
            return row.cause?.name == parts[0] && row.isCharged == (parts[1] == "charged") && outcome == parts[2]
        }.count
    }

    // MARK: What the file says

    private func time(_ value: Any) -> Int64 { CaseTime.microseconds("\(value)", in: read.scenario) }

    private func expand(_ reload: Any) -> [String] {
        if let row = reload as? [Any] { return ["\(row[0]) \(time(row[1])) \(row[2]) \(row[3])"] }
        guard let series = reload as? [String: Any], let instance = series["instance"], let cause = series["cause"],
            let charged = series["charged"]
        else {
            return ["malformed"]
        }
        let every = DurationText.microseconds("\(series["every"] ?? "1s")")
        return stride(from: time(series["from"] ?? ""), through: time(series["to"] ?? ""), by: Int(every)).map {
            "\(instance) \($0) \(cause) \(charged)"
        }
    }

    private func sorted(_ rows: [String]) -> [String] {
        rows.sorted { a, b in
            let (x, y) = (a.split(separator: " "), b.split(separator: " "))
            return (Int64(x[1])!, x[0]) < (Int64(y[1])!, y[0])
        }
    }
}
