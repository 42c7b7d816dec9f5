import Measures
import SimulatedTime
import Stochastics
import WidgetPlatform

extension InstanceState {
    /// An instance before the system knows it.
    init(
        _ placement: Placement, index: Int, placed: Int, segment: Int, chosenKey: Int64, mode: LocationMode, isReduced: Bool,
        installedAt: Instant,
        openingBalance: Int64?, _ prepared: PreparedPlan, _ worker: FleetWorker, person: UInt64, slot: UInt8
    ) {
        let seed = prepared.plan.seed
        func stream(_ purpose: Purpose) -> RandomStream {
            RandomStream(seed: seed, person: person, slot: slot, purpose: purpose, sub: UInt16(index))
        }
        let layout = worker.measures.layout
        self.placement = index
        kind = placement.kind
        app = prepared.kinds[placement.kind].app
        surface = placement.surface
        followsPerson = placement.location == .current
        self.chosenKey = chosenKey
        self.mode = mode
        self.isReduced = isReduced
        self.installedAt = installedAt
        self.openingBalance = openingBalance
        kindBlock = layout.kindBlock(segment, placement.kind)
        let modeIndex = followsPerson ? Int(mode.rawValue) : MeasureLayout.noMode
        viewBlock = layout.viewBlock(segment, placement.kind, mode: modeIndex, surface: Int(placement.surface.rawValue))
        forecastBlock = layout.forecastBlock(segment, placement.kind, mode: modeIndex)
        account = BudgetAccount(at: installedAt, allowance: 0, cap: 0, openingBalance: 0, partsPerMicrotoken: 2)
        hours = HourLedger(cells: worker.hours + placed * HourLedger.cellCount)
        history = ViewHistory(window: prepared.plan.parameters.allowance.windowDays)
        dispatchDelays = stream(.dispatchDelay)
        outLegs = stream(.networkOut)
        backLegs = stream(.networkBack)
        jitters = stream(.policyJitter)
        fixTimes = stream(.locationFix)
        fixFailures = stream(.locationFailure)
    }
}
