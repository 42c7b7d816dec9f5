import Basics

/// The inputs from which a run's results follow: two runs of one identity have the same bytes, whatever else they were
/// called or how they were shared out.
package struct RunIdentity: Hashable, Sendable {
    /// SHA-256 of the resolved scenario, which has the seed in it; hex.
    package let scenarioSHA256: String
    /// SHA-256 of the recorded events, hex; nil but for a replay.
    package let recordSHA256: String?
    package let seed: UInt64
    /// The version of the simulator.
    package let version: String

    /// Names and versions of the code of users' own that it runs, `provider quote 1`; empty for none.
    package let userCode: [String]

    package init(
        resolvedScenario: String, recordSHA256: String?, seed: UInt64, version: String = ReloadsimVersion.text,
        userCode: [String] = []
    ) {
        self.userCode = userCode
        scenarioSHA256 = SHA256.hash(data: Array(resolvedScenario.utf8)).hex
        self.recordSHA256 = recordSHA256
        self.seed = seed
        self.version = version
    }

    /// One that was written down, in a manifest or in the header of a partial result; nil if a member is missing.
    package init?(_ written: JSONObject) {
        guard let version = written["reloadsim"] as? String, let scenario = written["scenario_sha256"] as? String,
            let seed = (written["seed"] as? String).flatMap({ UInt64($0) })
        else { return nil }
        scenarioSHA256 = scenario
        recordSHA256 = written["record_sha256"] as? String
        userCode = written["user_code"] as? [String] ?? []
        self.seed = seed
        self.version = version
    }

    /// How what another run has left differs from this run, as a clause about it; nil if both give the same bytes.
    package func difference(from other: RunIdentity) -> String? {
        if let difference = CompleteRun.difference(ofVersion: other.version, from: version) { return difference }
        if other.seed != seed { return "its seed is \(other.seed), and this run's is \(seed)" }
        if other.scenarioSHA256 != scenarioSHA256 { return "its scenario differs from this run's" }
        if other.recordSHA256 != recordSHA256 { return "its recorded events differ from this run's" }
        if other.userCode != userCode {
            func words(_ code: [String]) -> String { code.isEmpty ? "none" : code.joined(separator: ", ") }
            return "its own code is \(words(other.userCode)), and this run's is \(words(userCode))"
        }
        return nil
    }

    /// All of it, each fact with its name, as processes that share a run compare it.
    package var facts: [(name: String, value: String)] {
        [
            ("reloadsim", version), ("seed", String(seed)), ("scenario", scenarioSHA256),
            ("record", recordSHA256 ?? "none"), ("code", userCode.joined(separator: ", ")),
        ]
    }

    /// A name of 16 hex digits, made from all of it.
    package var name: String {
        let text = ([version, String(seed), scenarioSHA256, recordSHA256 ?? ""] + userCode).joined(separator: "\n")
        return String(SHA256.hash(data: Array(text.utf8)).hex.prefix(16))
    }
}

/// The request for a run, as far as its results depend on it: the scenario's file and the overrides, without folders,
/// threads and shards.
public struct RunRequest: Hashable, Sendable {
    /// The name of the scenario's file without its folder; `-` for standard input.
    package let scenario: String
    /// In the order of their application.
    package let overrides: [String]
    /// Those of the command line, after the scenario's own.
    package let thresholds: [String]
    /// The options that brought code of a user's own.
    package let options: [String]

    /// - Parameter file: the path of the scenario.
    package init(file: String, overrides: [String], thresholds: [String] = [], options: [String] = []) {
        scenario = file.split(separator: "/").last.map(String.init) ?? file
        (self.overrides, self.thresholds, self.options) = (overrides, thresholds, options)
    }

    /// The words of a command that asks for the same.
    package var command: [String] {
        ["reloadsim", "run", scenario] + Self.effective(overrides).flatMap { ["--set", $0] }
            + thresholds.flatMap { ["--threshold", $0] } + options
    }

    /// Those of some overrides that no later one of the same key undoes.
    package static func effective(_ overrides: [String]) -> [String] {
        overrides.reversed().uniqued { $0.prefix { $0 != "=" } }.reversed()
    }

    /// As a header of a partial result has it.
    package var json: JSONText {
        .object([
            "scenario": scenario, "overrides": overrides, "thresholds": thresholds, "options": options,
        ])
    }

    /// Nil unless it was written as `json`.
    package init?(_ written: Any?) {
        guard let members = written as? JSONObject.Members, let scenario = members["scenario"] as? String,
            let overrides = members["overrides"] as? [String], let thresholds = members["thresholds"] as? [String]
        else { return nil }
        (self.scenario, self.overrides, self.thresholds) = (scenario, overrides, thresholds)
        options = members["options"] as? [String] ?? []
    }
}

/// The kinds of results that a folder can hold.
package enum ResultKind: String, CaseIterable, Sendable {
    case study, sensitivity, plan, comparison, export, run

    /// Nil if the text is no manifest of reloadsim.
    package init?(_ manifest: [UInt8]) {
        guard let root = JSONObject(manifest), root["reloadsim"] is String,
            let kind = Self.allCases.first(where: { root[$0 == .run ? "fingerprint" : $0.rawValue] is String })
        else { return nil }
        self = kind
    }

    /// As a sentence names it.
    package var words: String { (self == .export ? "an " : "a ") + rawValue }
}

/// The subject of a figure of a run's summary.
package enum SummaryScope: String, CaseIterable, NamedCase, Sendable {
    case run, segment, kind, device, endpoint, pool, objective, event, live

    /// The name of all pools, or of all kinds of Live Activity, together; none can have it.
    package static let allParts = "*"

    /// A metric of a part as thresholds name it.
    package func name(of metric: String, _ part: String) -> String {
        // Sums of texts take a sixth of the time of one text with all of them, and studies have many names.
        let own = part + "." + metric
        let all = part == Self.allParts ? metric : own
        return switch self {
        case .run: metric
        case .kind: own
        case .segment, .device, .endpoint, .objective, .event: rawValue + "." + own
        case .pool: "service." + all
        case .live: "live." + all
        }
    }
}
