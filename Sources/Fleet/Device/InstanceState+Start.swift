import Basics
import Statistics
import WidgetPlatform

extension InstanceState {
    /// An instance before the system knows it.
    init(
        _ placement: Placement, index: Int, number: Int, segment: Int, device: DeviceKind, isAccented: Bool,
        chosenKey: Int64, mode: LocationMode, isReduced: Bool, installedAt: Instant, openingBalance: Int64?,
        _ prepared: PreparedPlan
    ) {
        self.placement = index
        self.number = number
        kind = placement.kind
        app = prepared.kinds[placement.kind].app
        surface = placement.surface
        family = placement.family
        renderingMode = placement.surface.renderingMode(isAccented: isAccented)
        stack = placement.stack ?? -1
        followsPerson = placement.location == .current
        self.chosenKey = chosenKey
        drawnKey = chosenKey
        self.mode = mode
        self.isReduced = isReduced
        self.installedAt = installedAt
        self.openingBalance = openingBalance
        counts = InstancePlaces(
            placement, segment: segment, device, CountedMode(followsPerson ? mode : nil), in: prepared.layout)
        accounts = InstanceAccounts(
            closedAt: installedAt,
            hasPushPool: prepared.plan.parameters.pushBudget != .shared && prepared.kinds[placement.kind].takesPushes)
        history = ViewHistory(window: prepared.plan.parameters.allowance.windowDays)
    }
}
