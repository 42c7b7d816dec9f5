import ScenarioModel
import Statistics

/// A transfer by the system, prepared.
struct PreparedTransfer {
    let deferral: DurationDistribution
    let isReady: Bernoulli
    let wait: DurationDistribution?
    let secondIsCharged: Bool
    /// Where its counts stand.
    var counts = BlockPlace<TransferCounts>(offset: 0)

    init(_ transfer: BackgroundTransfer, _ tables: inout StandardTables) throws(DistributionProblem) {
        deferral = try transfer.deferral.preparedDurations(with: &tables)
        isReady = try Bernoulli(probability: transfer.discretion?.readyShare ?? 1)
        if let wait = transfer.discretion?.wait {
            self.wait = try wait.preparedDurations(with: &tables)
        } else {
            wait = nil
        }
        secondIsCharged = transfer.secondIsCharged
    }
}
