import Basics
import Foundation
import Testing

@testable import ScenarioFiles

/// The catalogue is the one source: what is published from it is up to date, and it is complete.
@Suite struct CatalogueTests {
    @Test func `the dictionary in Scenarios/README is the catalogue's`() throws {
        let file = Golden.repository.appending(path: "Scenarios/README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let current = try #require(ScenarioDictionary.replaced(in: text), "the markers are missing")
        if Golden.rewrites { try current.write(to: file, atomically: true, encoding: .utf8) } else { #expect(text == current) }
    }

    @Test func `the schema in Scenarios is the catalogue's, and JSON`() throws {
        let file = Golden.repository.appending(path: "Scenarios/scenario.schema.json")
        if Golden.rewrites { try ScenarioSchema.json().write(to: file, atomically: true, encoding: .utf8) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == ScenarioSchema.json())
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test func `the schema's patterns know every unit`() throws {
        let root = try JSONSerialization.jsonObject(with: Data(ScenarioSchema.json().utf8))
        for (path, units) in [
            ("definitions.duration.pattern", UnitTable.durations),
            ("properties.parameters.properties.content_cell.pattern", UnitTable.lengths),
            ("properties.service.properties.endpoints.items.properties.response_size.pattern", UnitTable.sizes),
        ] {
            let found = path.split(separator: ".").reduce(root as Any?) { ($0 as? [String: Any])?[String($1)] }
            let pattern = try Regex(#require(found as? String, "\(path)"))
            for unit in units { #expect("1\(unit.name)".contains(pattern), "\(path): \(unit.name)") }
            #expect(!"1x".contains(pattern))
        }
    }

    /// Published results can be had again: their resolved scenario is one of this version, and resolving it changes nothing.
    @Test func `the resolved scenarios of published results are scenarios`() throws {
        let reports = Golden.repository.appending(path: "Reports")
        let folders = try FileManager.default.contentsOfDirectory(atPath: reports.path).sorted()
        let files = folders.map { reports.appending(path: "\($0)/scenario.resolved.yaml") }.filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(try ScenarioReader.read(text: text).resolvedText == text, "\(file.path)")
        }
    }

    @Test func `every key has a meaning that is a sentence, and a path of its own`() {
        let lines = KeyCatalogue.lines
        #expect(lines.count > 150)
        for line in lines { #expect(line.entry.meaning.hasSuffix(".") && line.entry.meaning.count > 10, "\(line.path)") }
        let paths = lines.map { $0.path + ($0.condition ?? "") }
        #expect(Set(paths).count == paths.count)
    }

    @Test func `every assumption of the platform's parameters states its evidence`() {
        for entry in KeyCatalogue.parameters.entries where entry.sweep != nil { #expect(entry.evidence != nil, "\(entry.name)") }
    }

    @Test func `every rule of a key is one that MODEL can have`() {
        for line in KeyCatalogue.lines {
            for rule in line.entry.rules.split(separator: ", ") {
                #expect(rule.contains(/^[A-Z][0-9]+(–[A-Z][0-9]+)?$/), "\(line.path): \(rule)")
            }
        }
    }

    @Test func `the worked cases' keys are all known`() {
        let paths = Set(KeyCatalogue.lines.map(\.path))
        let parameters = [
            "min_gap", "idle_after", "stale_grace", "rarely_viewed", "coalesce_within", "dispatch_delay", "widget_location_grace", "a_min",
            "a_max",
            "v_half",
            "window_days", "learning_days", "learning_allowance", "burst_share", "accrual", "push_budget", "dst_events",
        ]
        let service = ["latency_out", "latency_back", "failing", "failure", "timeout", "retries", "retry_delays", "failure_after"]
        let kinds = [
            "id", "app", "timeline.shape", "timeline.count", "timeline.spacing", "timeline.good_for", "timeline.valid_for", "policy.after",
            "policy.jitter",
            "policy.after.at", "policy.after.zone", "policy.after.days", "reload_on_open", "session_rhythm", "push", "sensitive",
            "needs_sign_in",
            "data_protection",
            "without_fix", "requests_per_reload", "action_time", "fix_time", "versions",
        ]
        let devices = [
            "id", "kind", "zone", "passcode", "background_refresh", "background_refresh_off", "fix_failing", "usual_waking.from",
            "usual_waking.to",
            "usual_views_by_hour", "place", "precise_location", "hide_lock_screen", "signed_in", "surface_shown", "instances",
        ]
        let instances = [
            "id", "kind", "surface", "location", "location.chosen", "location_mode", "installed_at", "history", "opening_balance",
            "initial.fetched",
            "initial.place",
        ]
        let all =
            ["start", "end"] + parameters.map { "parameters." + $0 } + service.map { "service." + $0 } + kinds.map { "kinds[]." + $0 }
            + devices.map { "devices[]." + $0 }
            + instances.map { "devices[].instances[]." + $0 }
        for path in all { #expect(paths.contains(path), "\(path)") }
    }
}
