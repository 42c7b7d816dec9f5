import Basics
import ScenarioModel
import Statistics
import WidgetPlatform

extension PushClasses {
    /// - Parameters:
    ///   - recipients: the devices that it sends to, in groups; nil if nothing limits the sender.
    ///   - roundLength: how many devices have a place in a round.
    func schedule(
        _ prepared: PreparedPlan, _ recipients: Recipients?, _ groups: RecipientGroups, roundLength: Int
    ) -> SendSchedule {
        let source = BurstSource(plan: plan, prepared: prepared, recipients: recipients, groups: groups)
        var sorts: [[SendSchedule.Burst]] = []
        for index in (plan.live?.kinds ?? []).indices { sorts.append(source.bursts(ofLiveKind: index)) }
        for index in plan.pushCampaigns.indices { sorts += source.bursts(ofCampaign: index) }
        for index in plan.kinds.indices {
            sorts.append(hasBursts(plan.kinds[index]) ? source.bursts(ofKind: index) : [])
        }
        let left = sender.projectLimit - 60 * androidFlow
        precondition(left > 0, "a limit of \(sender.projectLimit) pushes a minute for \(60 * androidFlow)")
        // The people of the run get their share of what the sender does for those that they stand for.
        let share = Double(sender.simulated) / Double(sender.people)
        let phase = RandomStreams(seed: plan.seed, person: 0).number(.projectMinute)
        return SendSchedule(
            sorts, waves: sender.waves, gap: sender.waveGap, rate: sender.rate(beside: flow).map { $0 * share },
            limit: ProjectLimit(
                perMinute: left * share,
                phase: Int64(RandomStream.index(phase, below: Duration.minutes(1).magnitude))),
            roundLength: roundLength, end: plan.end)
    }
}

/// Finds the bursts of a plan, with the exact number of devices that each goes to.
private struct BurstSource {
    let plan: FleetPlan
    let prepared: PreparedPlan
    let recipients: Recipients?
    let groups: RecipientGroups

    private func mix(_ group: (Platform) -> Int, _ reach: Reach) -> PlatformMix {
        guard let recipients else { return PlatformMix(apple: 0, android: 0) }
        return PlatformMix(
            apple: recipients.count(group(.ios), reach), android: recipients.count(group(.android), reach))
    }

    /// The beginning of each event, its updates and its end.
    func bursts(ofLiveKind number: Int) -> [SendSchedule.Burst] {
        let kind = prepared.liveKinds[number]
        return kind.events.enumerated().flatMap { index, event in
            let devices = recipients?.count(groups.group(ofLiveKind: number), kind.reach(ofEvent: index)) ?? 0
            func burst(_ at: Instant, _ pushes: Int) -> SendSchedule.Burst {
                SendSchedule.Burst(at: at, mix: PlatformMix(apple: pushes, android: 0))
            }
            let toEach = kind.plan.isBroadcast ? 1 : devices
            return [burst(event.start, kind.plan.start == .push ? devices : 0)]
                + (event.updates + [event.end]).map { burst($0, toEach) }
        }
    }

    /// By zone; all of a campaign that goes by one clock are found under the first.
    func bursts(ofCampaign number: Int) -> [[SendSchedule.Burst]] {
        let (campaign, own) = (plan.pushCampaigns[number], prepared.campaigns[number])
        func burst(_ at: Instant, _ group: (Platform) -> Int) -> SendSchedule.Burst {
            SendSchedule.Burst(at: at, mix: mix(group, own.reach(ofSending: at, number, plan.seed)))
        }
        func toAll(_ platform: Platform) -> Int { groups.group(ofApp: campaign.app, platform) }
        return plan.zones.indices.map { zone in
            switch campaign.times {
            case .listed(let instants):
                return zone == 0 ? Set(instants).sorted().map { burst($0, toAll) } : []
            case .clock(let schedule):
                if schedule.fixedZone != nil && zone > 0 { return [] }
                let clock = ClockSchedule(
                    times: schedule.times, zone: schedule.fixedZone ?? zone, weekdays: schedule.weekdays)
                return clock.instants(from: .start, to: plan.end, in: plan.zones[clock.zone]).map { at in
                    burst(at) { platform in
                        schedule.fixedZone == nil
                            ? groups.group(ofApp: campaign.app, platform, zone: zone) : toAll(platform)
                    }
                }
            }
        }
    }

    /// The versions of a kind that are pushed.
    func bursts(ofKind number: Int) -> [SendSchedule.Burst] {
        let kind = prepared.kinds[number]
        guard let pushes = kind.contentPushes else { return [] }
        let server = RandomStreams(seed: plan.seed, person: 0)
        var bursts: [SendSchedule.Burst] = []
        var at = kind.source.position(key: 0, madeAt: .start - .microsecond).nextAt
        while at < plan.end {
            if pushes.isPushed.holds(
                server.number(.contentPush, sub: number, at: PreparedKind.number(ofVersion: at, key: 0)))
            {
                let all = Reach(start: 0, share: .always)
                bursts.append(SendSchedule.Burst(at: at, mix: mix({ groups.group(ofKind: number, $0) }, all)))
            }
            at = kind.source.position(key: 0, madeAt: at).nextAt
        }
        return bursts
    }
}

extension PreparedLiveKind {
    /// Which followers an event reaches: another part of them at every event.
    func reach(ofEvent index: Int) -> Reach {
        Reach(start: 0 &- UInt64(index) &* 0x9e37_79b9_7f4a_7c15, share: attended)
    }
}

extension PreparedCampaign {
    /// The devices that a sending of a sender reaches: another part of them each time.
    func reach(ofSending instant: Instant, _ number: Int, _ seed: UInt64) -> Reach {
        let server = RandomStreams(seed: seed, person: 0)
        return Reach(start: server.number(.campaignReach, sub: number, at: instant.address), share: reaches)
    }
}

extension PreparedKind {
    /// The number of a version: its instant tells it from all others of its key, however long the run.
    static func number(ofVersion at: Instant, key: Int64) -> UInt64 {
        (UInt64(bitPattern: at.microseconds &+ key &* 0x1e37_79b9_7f4a_7c15) &* 0x9e37_79b9_7f4a_7c15) >> 16
    }
}
