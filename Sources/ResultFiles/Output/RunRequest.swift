import Basics

/// The request for a run, as far as its results depend on it: the scenario's file and the overrides, without folders,
/// threads and shards.
public struct RunRequest: Hashable, Sendable {
    /// The name of the scenario's file without its folder; `-` for standard input.
    package let scenario: String
    /// In the order of their application.
    package let overrides: [String]
    /// Those of the command line, after the scenario's own.
    package let thresholds: [String]

    /// - Parameter file: the path of the scenario.
    package init(file: String, overrides: [String], thresholds: [String] = []) {
        scenario = file.split(separator: "/").last.map(String.init) ?? file
        (self.overrides, self.thresholds) = (overrides, thresholds)
    }

    /// The words of a command that asks for the same.
    package var command: [String] {
        ["reloadsim", "run", scenario] + Self.effective(overrides).flatMap { ["--set", $0] }
            + thresholds.flatMap { ["--threshold", $0] }
    }

    /// Those of some overrides that no later one of the same key undoes.
    package static func effective(_ overrides: [String]) -> [String] {
        overrides.reversed().uniqued { $0.prefix { $0 != "=" } }.reversed()
    }

    /// As a header of a partial result has it.
    package var json: JSONText {
        .object([
            "scenario": scenario, "overrides": overrides, "thresholds": thresholds,
        ])
    }

    /// Nil unless it was written as `json`.
    package init?(_ written: Any?) {
        guard let members = written as? JSONObject.Members, let scenario = members["scenario"] as? String,
            let overrides = members["overrides"] as? [String], let thresholds = members["thresholds"] as? [String]
        else { return nil }
        (self.scenario, self.overrides, self.thresholds) = (scenario, overrides, thresholds)
    }
}
