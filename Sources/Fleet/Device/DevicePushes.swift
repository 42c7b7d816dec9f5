import Basics
import DeviceStorage

/// The pushes that come to a device: silent ones, by app, and those of campaigns.
struct DevicePushes {
    private(set) var silent: UnsafeMutablePointer<SilentPushState>
    private(set) var campaigns: UnsafeMutablePointer<CampaignState>
    let campaignCount: Int
    private let appCount: Int

    init(_ memory: DeviceMemory, _ prepared: PreparedPlan) {
        (silent, campaigns) = (memory.silentPushes, memory.campaigns)
        (appCount, campaignCount) = (prepared.plan.apps.count, prepared.campaigns.count)
        for app in 0..<max(1, appCount) { silent[app] = SilentPushState() }
        for campaign in 0..<campaignCount { campaigns[campaign] = CampaignState() }
    }

    mutating func adopt(_ memory: DeviceMemory) { (silent, campaigns) = (memory.silentPushes, memory.campaigns) }

    /// When a campaign's push comes or its next sending is to be looked at, or a silent push need wait no longer.
    var nextAt: Instant {
        mutating get {
            var next = Instant.never
            for campaign in 0..<campaignCount where campaigns[campaign].isFollowed {
                next = min(next, campaigns[campaign].nextAt)
            }
            for app in 0..<appCount { next = min(next, silent[app].releasedAt) }
            return next
        }
    }

    /// How many silent ones wait, for the ends of the report (T4).
    var waitingCount: Int64 {
        var waiting: Int64 = 0
        for app in 0..<appCount where silent[app].waiting != nil { waiting += 1 }
        return waiting
    }

    mutating func code<Coder: StateCoder>(_ coder: inout Coder, _ prepared: PreparedPlan) {
        for app in 0..<appCount where prepared.takesSilentPushes & (1 << UInt16(app)) != 0 {
            silent[app].code(&coder, kinds: prepared.kinds.count, prepared.parameters.pointee.silentPushLimit)
        }
        for campaign in 0..<campaignCount { campaigns[campaign].code(&coder) }
    }
}
