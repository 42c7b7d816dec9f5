import Basics
import ScenarioModel
import WidgetPlatform

extension PushSorts {
    /// - Parameter kinds: the prepared widget kinds.
    func schedule(_ kinds: UnsafeMutableBufferPointer<PreparedKind>) -> SendSchedule {
        var sorts: [[SendSchedule.Burst]] = []
        for (index, kind) in (plan.live?.kinds ?? []).enumerated() { sorts.append(bursts(of: kind, index)) }
        for campaign in plan.pushCampaigns { sorts += bursts(of: campaign) }
        for index in plan.kinds.indices { sorts.append(bursts(ofKind: index, kinds[index])) }
        let left = sender.projectLimit - 60 * androidFlow
        precondition(left > 0, "a limit of \(sender.projectLimit) pushes a minute for \(60 * androidFlow)")
        return SendSchedule(
            sorts, waves: sender.waves, gap: sender.waveGap, rate: sender.rate(beside: flow),
            limit: LimitedSends.Limit(perMinute: left, end: plan.end))
    }

    // MARK: Live Activities

    private func bursts(of kind: LiveKind, _ index: Int) -> [SendSchedule.Burst] {
        guard case .shared(let events, let attendance) = kind.events else { return [] }
        let devices = Double(sender.people) * plan.shareWithPhone * kind.followers * attendance * sender.meanTries
        return events.prepared(index: index, plan).flatMap { event in
            let start = SendSchedule.Burst(at: event.start, size: kind.start == .push ? devices : 0)
            return [start]
                + (event.updates + [event.end]).map {
                    SendSchedule.Burst(at: $0, size: kind.isBroadcast ? 1 : devices)
                }
        }
    }

    // MARK: Widgets

    /// By zone.
    private func bursts(of campaign: PushCampaign) -> [[SendSchedule.Burst]] {
        func devices(on platform: Platform?) -> Double {
            Double(sender.people) * campaign.share
                * plan.devices(on: platform) { plan.kinds[$0].app == campaign.app && plan.kinds[$0].takesPushes }
        }
        let (all, android) = (devices(on: nil), devices(on: .android))
        let shares = plan.shareByZone
        return plan.zones.indices.map { zone in
            switch campaign.times {
            case .listed(let instants):
                // One burst for all zones; it is found by the first of them alone.
                return zone == 0 ? instants.map { SendSchedule.Burst(at: $0, size: all, android: android) } : []
            case .clock(let schedule):
                if schedule.fixedZone != nil && zone > 0 { return [] }
                let clock = ClockSchedule(
                    times: schedule.times, zone: schedule.fixedZone ?? zone, weekdays: schedule.weekdays)
                let share = schedule.fixedZone == nil ? shares[zone] : 1
                return clock.instants(from: .start, to: plan.end, in: plan.zones[clock.zone]).map {
                    SendSchedule.Burst(at: $0, size: all * share, android: android * share)
                }
            }
        }
    }

    /// The bursts about a kind's versions.
    private func bursts(ofKind kind: Int, _ prepared: PreparedKind) -> [SendSchedule.Burst] {
        guard plan.kinds[kind].contentPushes != nil, hasBursts(plan.kinds[kind]) else { return [] }
        let (size, android) = (devices(ofKind: kind), devices(ofKind: kind, on: .android))
        var bursts: [SendSchedule.Burst] = []
        var at = prepared.source.position(key: 0, madeAt: .start - .microsecond).nextAt
        while at < plan.end {
            bursts.append(SendSchedule.Burst(at: at, size: size, android: android))
            at = prepared.source.position(key: 0, madeAt: at).nextAt
        }
        return bursts
    }
}
