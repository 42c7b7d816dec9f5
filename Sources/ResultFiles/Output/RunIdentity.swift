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

    package init(resolvedScenario: String, recordSHA256: String?, seed: UInt64, version: String = ReloadsimVersion.text)
    {
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
        self.seed = seed
        self.version = version
    }

    /// How what another run has left differs from this run, as a clause about it; nil if both give the same bytes.
    package func difference(from other: RunIdentity) -> String? {
        if other.version != version { return "it is of reloadsim \(other.version), and this is \(version)" }
        if other.seed != seed { return "its seed is \(other.seed), and this run's is \(seed)" }
        if other.scenarioSHA256 != scenarioSHA256 { return "its scenario differs from this run's" }
        if other.recordSHA256 != recordSHA256 { return "its recorded events differ from this run's" }
        return nil
    }

    /// All of it, each fact with its name, as processes that share a run compare it.
    package var facts: [(name: String, value: String)] {
        [
            ("reloadsim", version), ("seed", String(seed)), ("scenario", scenarioSHA256),
            ("record", recordSHA256 ?? "none"),
        ]
    }

    /// A name of 16 hex digits, made from all of it.
    package var name: String {
        let text = [version, String(seed), scenarioSHA256, recordSHA256 ?? ""].joined(separator: "\n")
        return String(SHA256.hash(data: Array(text.utf8)).hex.prefix(16))
    }
}
