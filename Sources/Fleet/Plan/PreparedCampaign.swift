import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

/// A push campaign, prepared.
struct PreparedCampaign {
    let app: Int
    let delay: DurationDistribution
    let reaches: Bernoulli
    /// Whether sendings go by the device's own clock.
    let followsDevice: Bool
    private let listed: InstantList
    private let schedule: AlignedSchedule?

    init(_ campaign: PushCampaign, keeping memory: inout PlanMemory, _ tables: inout StandardTables)
        throws(DistributionProblem)
    {
        app = campaign.app
        delay = try campaign.delay.preparedDurations(with: &tables)
        reaches = try Bernoulli(probability: campaign.share)
        switch campaign.times {
        case .listed(let instants):
            listed = InstantList(instants.map(\.microseconds).sorted(), &memory)
            schedule = nil
            followsDevice = false
        case .clock(let clock):
            listed = InstantList([], &memory)
            schedule = clock
            followsDevice = clock.fixedZone == nil
        }
    }

    /// The first sending after an instant, as a device in a zone gets it; `never` if there is none.
    func sending(after instant: Instant, in zone: ZoneTable, _ zones: UnsafeMutableBufferPointer<ZoneTable>) -> Instant
    {
        guard let schedule else { return Instant(microseconds: listed.first(after: instant.microseconds).at) }
        return schedule.next(after: instant, in: schedule.fixedZone.map { zones[$0] } ?? zone)
    }
}
