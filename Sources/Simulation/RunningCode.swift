import RefreshService
import ScenarioModel
import WidgetPlatform

/// The code of users' own that a run calls: whether any of it was caught in a fault, which ends the run.
struct RunningCode: Sendable {
    private let providers: [AnyWidgetProvider]
    private let servers: [AnyOriginServer]

    init(_ scenario: Scenario) {
        providers = scenario.plan.kinds.compactMap {
            $0.dates.policy.provider
        }
        servers = scenario.service?.pools.compactMap(\.server) ?? []
    }

    var isEmpty: Bool { providers.isEmpty && servers.isEmpty }
    /// Any thread may ask.
    var isAtFault: Bool { providers.contains { $0.isAtFault } || servers.contains { $0.isAtFault } }

    /// Takes the first fault, as a sentence; nil for none.
    func takeFault() -> String? {
        let faults = providers.compactMap { $0.takeFault() } + servers.compactMap { $0.takeFault() }
        return faults.first
    }
}
