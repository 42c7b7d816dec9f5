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
        if Golden.rewrites {
            try current.write(to: file, atomically: true, encoding: .utf8)
        } else {
            let isCurrent = text == current
            #expect(isCurrent, "scripts/update-scenario-texts brings it up to date")
        }
    }

    @Test func `the event of every recorded line stands in Scenarios/README`() throws {
        let text = try String(
            contentsOf: Golden.repository.appending(path: "Scenarios/README.md"), encoding: .utf8)
        let missing = ReplayLine.events.keys.filter { !text.contains("`\($0)`") }
        #expect(missing.isEmpty, "its table of events lacks \(missing.sorted())")
    }

    @Test func `every section of the dictionary is found by a question, and has a heading of its own`() {
        let names = KeySection.all.map(\.name)
        let asked = Set(KeySection.questions.flatMap(\.sections))
        #expect(asked.subtracting(names).isEmpty)
        #expect(Set(names).subtracting(asked).isEmpty)
        #expect(Set(KeySection.all.map { MarkdownHeading.anchor($0.title) }).count == names.count)
        // Every key stands in one section; the keys of the top level stand above their own.
        let lines = KeySection.all.flatMap { section in
            let block = section.name.isEmpty ? "" : section.name.prefix { $0 != "." } + "."
            return section.lines.map { block + $0.path.replacing("[]", with: "") + ($0.condition ?? "") }
        }
        let all = KeyCatalogue.lines.map { $0.path.replacing("[]", with: "") + ($0.condition ?? "") }
        #expect(Set(lines) == Set(all))
        #expect(lines.count == all.count)
    }

    @Test func `the rules in the program are MODEL's, word for word`() throws {
        let model = try String(contentsOf: Golden.repository.appending(path: "MODEL.md"), encoding: .utf8)
        let rules = model.split(separator: #/(?m)^#{2,3} /#).filter { $0.contains(#/^[A-Z][0-9]+ /#) }
        #expect(rules.count > 70)
        #expect(
            ModelRule.all.map { $0.id + " " + $0.title + "\n" + $0.text }
                == rules.map { $0.trimmingCharacters(in: .newlines).replacing(/\n+/, with: "\n", maxReplacements: 1) })
        #expect(ModelRule.all.map(\.id) == rules.map { String($0.prefix { $0 != " " }) })
        for rule in ModelRule.all { #expect(rule.text.contains("Evidence: ") && !rule.title.isEmpty, "\(rule.id)") }
        for line in KeyCatalogue.lines where !line.entry.rules.isEmpty {
            #expect(!ModelRule.rules(of: line.entry.rules).isEmpty, "\(line.path): \(line.entry.rules)")
        }
        #expect(ModelRule.rules(of: "B2, P2–P4").map(\.id) == ["B2", "P2", "P3", "P4"])
        #expect(
            ModelRule.cited(in: "Tokens (B1), by hour (C5, V6), not in brackets B2.").map(\.id) == ["B1", "C5", "V6"])
    }

    @Test func `a key is meant by its path, with and without names of items, and by the end of it`() throws {
        let after = try #require(KeyCatalogue.descriptions.first { $0.path == "kinds[].policy.after" })
        for name in [
            "kinds.policy.after", "kinds[].policy.after", "kinds.weather.policy.after", "kinds.0.policy.after",
        ] {
            #expect(after.reference(of: name) == .whole, "\(name)")
        }
        for name in ["after", "policy.after"] { #expect(after.reference(of: name) == .end, "\(name)") }
        for name in ["", "policy", "kinds.after", "weather.policy.after", "kinds.policy.after.at", "after.policy"] {
            #expect(after.reference(of: name) == nil, "\(name)")
        }
        let signedIn = try #require(KeyCatalogue.descriptions.first { $0.path == "population.apps.<app>.signed_in" })
        #expect(signedIn.reference(of: "population.apps.bank.signed_in") == .whole)
        #expect(
            signedIn.reference(of: "population.apps.signed_in") == .whole
                && signedIn.name == "population.apps.signed_in")
    }

    @Test func `the schema in Scenarios is the catalogue's, and JSON`() throws {
        let file = Golden.repository.appending(path: "Scenarios/scenario.schema.json")
        if Golden.rewrites { try ScenarioSchema.json().write(to: file, atomically: true, encoding: .utf8) }
        let text = try String(contentsOf: file, encoding: .utf8)
        let isCurrent = try text == ScenarioSchema.json()
        #expect(isCurrent, "scripts/update-scenario-texts brings it up to date")
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

    /// Published results can be had again: their resolved scenario is one of this version, and resolving it changes
    /// nothing. A file states every key, so that rewriting adds the defaults of new ones alone.
    @Test func `the resolved scenarios of published results are scenarios`() throws {
        let reports = Golden.repository.appending(path: "Reports")
        let folders = try FileManager.default.contentsOfDirectory(atPath: reports.path).sorted()
        let files = folders.map { reports.appending(path: "\($0)/scenario.resolved.yaml") }.filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            let resolved = try ScenarioReader.read(text: text).resolvedText
            if Golden.rewrites { try resolved.write(to: file, atomically: true, encoding: .utf8) }
            let isCurrent = try resolved == String(contentsOf: file, encoding: .utf8)
            #expect(isCurrent, "\(file.path): scripts/update-scenario-texts brings it up to date")
        }
    }

    @Test func `every key has a meaning that is a sentence, and a path of its own`() {
        let lines = KeyCatalogue.lines
        #expect(lines.count > 150)
        for line in lines {
            #expect(line.entry.meaning.hasSuffix(".") && line.entry.meaning.count > 10, "\(line.path)")
        }
        let paths = lines.map { $0.path + ($0.condition ?? "") }
        #expect(Set(paths).count == paths.count)
    }

    @Test func `every assumption of the platform's parameters states its evidence`() {
        for entry in KeyCatalogue.parameters.form.entries where entry.sweep != nil {
            #expect(entry.evidence != nil, "\(entry.name)")
        }
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
            "min_gap", "idle_after", "stale_grace", "rarely_viewed", "coalesce_within", "dispatch_delay",
            "widget_location_grace", "a_min",
            "a_max",
            "v_half",
            "window_days", "learning_days", "learning_allowance", "burst_share", "accrual", "push_budget", "dst_events",
        ]
        let service = [
            "latency_out", "latency_back", "failing", "failure", "timeout", "retries", "retry_delays", "failure_after",
        ]
        let kinds = [
            "id", "app", "timeline.shape", "timeline.count", "timeline.spacing", "timeline.good_for",
            "timeline.valid_for", "policy.after",
            "policy.jitter",
            "policy.after.at", "policy.after.zone", "policy.after.days", "reload_on_open", "session_rhythm", "push",
            "sensitive",
            "needs_sign_in",
            "data_protection",
            "without_fix", "requests_per_reload", "action_time", "fix_time", "versions",
        ]
        let devices = [
            "id", "kind", "zone", "passcode", "background_refresh", "background_refresh_off", "fix_failing",
            "usual_waking.from",
            "usual_waking.to",
            "usual_views_by_hour", "place", "precise_location", "hide_lock_screen", "signed_in", "surface_shown",
            "instances",
        ]
        let instances = [
            "id", "kind", "surface", "location", "location.chosen", "location_mode", "installed_at", "history",
            "opening_balance",
            "initial.fetched",
            "initial.place",
        ]
        let all =
            ["start", "end"] + parameters.map { "parameters." + $0 } + service.map { "service." + $0 }
            + kinds.map { "kinds[]." + $0 }
            + devices.map { "devices[]." + $0 }
            + instances.map { "devices[].instances[]." + $0 }
        for path in all { #expect(paths.contains(path), "\(path)") }
    }
}
