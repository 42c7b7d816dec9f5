import Basics
import Foundation
import RefreshService
import ScenarioFiles
import ScenarioModel
import Simulation

@testable import Reporting

/// Shipped scenarios with few people.
enum Shipped {
    static func scenario(_ name: String, _ overrides: [String] = []) throws -> ParsedScenario {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(
                path: "Scenarios")
        return try ScenarioReader.read(file: folder.appending(path: name + ".yaml").path, overrides: overrides)
    }

    /// A span of the report, in seconds from its start.
    static func span(_ scenario: Scenario, _ from: Int64, _ to: Int64) -> Range<Instant> {
        let start = Instant.start + scenario.plan.warmup
        return start + .seconds(from)..<start + .seconds(to)
    }

    static func settings(
        _ format: ExportFormat, _ span: Range<Instant>, stage: ExportStage = .edge, share: Double = 1,
        speed: Double = 1,
        mostLines: Int? = nil
    ) throws -> ExportSettings {
        ExportSettings(
            format: format, stage: stage, span: span, thinning: Thinning(share: share) ?? .none,
            speed: PlaySpeed(speed) ?? .usual,
            target: format.needsTarget
                ? try URLTemplate("https://staging.example/{endpoint}/{key}?region={region}") : nil,
            mostLines: mostLines)
    }
}
