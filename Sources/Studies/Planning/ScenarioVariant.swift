import RefreshService
import ScenarioFiles
import ScenarioModel

/// A scenario with some settings over it, and the settings that change its service.
package struct ScenarioVariant: Sendable {
    let text: ScenarioText
    let overrides: [String]
    package let scenario: Scenario
    private let resolvedText: String

    package init(_ text: ScenarioText, overrides: [String]) throws {
        let read = try text.readChecked(overrides: overrides)
        (self.text, self.overrides) = (text, overrides)
        (scenario, resolvedText) = (read.scenario, read.resolvedText)
    }

    /// Whether the scenario takes some settings, and they change something of it.
    func isChanged(by settings: [String]) -> Bool {
        do throws(ScenarioProblems) {
            let read = try text.read(overrides: overrides + settings)
            let keys = settings.map { $0.prefix { $0 != "=" } + ":" }
            return read.resolvedText != resolvedText
                && !read.noticed.contains { sentence in keys.contains { sentence.contains($0) } }
        } catch {
            return false
        }
    }

    /// The pools whose servers it states, and which no autoscaler changes.
    var pools: [Capacity] {
        (scenario.service?.pools ?? []).compactMap { pool in
            guard let servers = pool.servers, pool.autoscaling == nil, pool.server == nil else { return nil }
            // A number of servers beside one of machines is refused.
            let inMachines =
                pool.machine != nil && !isChanged(by: ["service.pools.\(pool.name).servers=\(servers + pool.slots)"])
            return Capacity(
                pool: pool, units: inMachines ? servers / pool.slots : servers,
                key: inMachines ? "machines" : "servers",
                step: inMachines ? 1 : pool.slots)
        }
    }

    /// The capacity of a pool in the unit in which the scenario states it.
    struct Capacity: Sendable {
        let pool: OriginPool
        /// Servers or machines.
        let units: Int
        fileprivate let key: String
        /// Whole machines have so many.
        fileprivate let step: Int

        /// The setting of at least so many.
        func override(_ units: Double) -> String {
            let steps = max(1, (units / Double(step) - 1e-9).rounded(.up))
            return
                "service.pools.\(pool.name).\(key)=\(Int(cutting: min(steps, Double(KeyCatalogue.mostServers))) * step)"
        }
    }
}
