import Basics
import Statistics
import WidgetPlatform

/// How a server sends one sort of push to the widgets of an app on a device (O3).
struct WidgetSending {
    let sender: PreparedSender
    let device: Recipient
    /// The campaign with its app, or the kind about whose versions they are.
    fileprivate let sort: Sort
    /// Where a sending is counted, under which number; nil for nowhere.
    fileprivate let load: LoadBuffer?
    fileprivate let number: Int
    fileprivate let seed: UInt64
    fileprivate let reportFrom, end: Instant

    fileprivate enum Sort {
        case campaign(Int, app: Int, zone: Int?, PreparedCampaign)
        case kind(Int)
    }

    /// Whether pushes about versions are the same for all devices.
    var isShared: Bool { if case .kind(let kind) = sort { sender.hasBursts(ofKind: kind) } else { true } }

    /// When the push service takes the push about what comes about at an instant; nil if it does not go to this device.
    /// Its sendings are counted.
    ///
    /// - Parameter last: as `SendSchedule.placeInRound` has it.
    func sentAt(_ instant: Instant, after last: inout Int64) -> Instant? {
        let sending: SendSchedule.Sending
        switch sort {
        case .campaign(let campaign, let app, let zone, let prepared):
            let reach = prepared.reach(ofSending: instant, campaign, seed)
            guard reach.holds(device.place) else { return nil }
            sending = sender.sending(
                ofCampaign: campaign, app: app, at: instant, zone: zone, reach, to: device, after: &last)
        case .kind(let kind): sending = sender.sending(ofKind: kind, at: instant, to: device)
        }
        count(sending.first, isRefused: sending.again != nil)
        guard let again = sending.again else { return sending.first }
        count(again, isRefused: false)
        return again
    }

    private func count(_ at: Instant, isRefused: Bool) {
        guard at >= reportFrom && at < end else { return }
        load?.sends?.count(
            endpoint: number, region: 0, cause: SendCause.ordinal(.high, isRefused: isRefused),
            tenth: Int((at - reportFrom).microseconds / 100_000))
    }
}

extension PreparedPlan {
    /// How a campaign's pushes are sent to a device whose clock is that of a zone; nil if all go out at once.
    func sending(
        ofCampaign campaign: Int, zone: Int, to device: RandomStreams, _ platform: Platform, _ load: LoadBuffer
    )
        -> WidgetSending?
    {
        guard let sender else { return nil }
        let prepared = campaigns[campaign]
        return sending(
            sender, .campaign(campaign, app: prepared.app, zone: prepared.followsDevice ? zone : nil, prepared),
            ofApp: prepared.app, device, platform, load)
    }

    /// How pushes about the versions of a kind are sent; nil if all go out at once.
    ///
    /// - Parameter load: nil if they are counted already.
    func sending(ofKind kind: Int, to device: RandomStreams, _ platform: Platform, _ load: LoadBuffer?)
        -> WidgetSending?
    {
        sender.map { sending($0, .kind(kind), ofApp: kinds[kind].app, device, platform, load) }
    }

    private func sending(
        _ sender: PreparedSender, _ sort: WidgetSending.Sort, ofApp app: Int, _ device: RandomStreams,
        _ platform: Platform, _ load: LoadBuffer?
    ) -> WidgetSending {
        WidgetSending(
            sender: sender, device: Recipient(device, platform, app: app), sort: sort, load: load,
            number: (plan.live?.kinds.count ?? 0) + app, seed: plan.seed, reportFrom: .start + plan.warmup,
            end: plan.end)
    }
}
