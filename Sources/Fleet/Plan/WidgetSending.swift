import Basics
import ScenarioModel
import Statistics

/// How a server sends one sort of push to the widgets of an app on a device (O3).
struct WidgetSending {
    let schedule: SendSchedule
    /// The sort of push, and the device's place among all.
    let sort: Int
    let place: UInt64
    /// Whether the project's limit holds for the device (N10).
    let isLimited: Bool
    /// Where a sending is counted, under which number; nil for nowhere.
    let load: LoadBuffer?
    let sender: Int
    let reportFrom, end: Instant

    /// When the push about what comes about at an instant is sent; it is counted then.
    func sentAt(_ instant: Instant) -> Instant {
        let at = schedule.sentAt(sort, instant, place: place, isLimited: isLimited)
        if at >= reportFrom && at < end {
            let tenth = Int((at - reportFrom).microseconds / 100_000)
            load?.sends?.count(endpoint: sender, region: 0, cause: PushPriority.high.ordinal, tenth: tenth)
        }
        return at
    }
}

extension PreparedPlan {
    /// How a campaign's pushes are sent to a device whose clock is that of a zone; nil if all go out at once.
    func sending(
        ofCampaign campaign: Int, zone: Int, _ streams: RandomStreams, _ load: LoadBuffer, isLimited: Bool
    ) -> WidgetSending? {
        guard let sends, let sender = plan.pushSender else { return nil }
        let sort = PushSorts(plan, sender).sort(ofCampaign: campaign, zone: zone)
        return sending(sends, sort, ofApp: plan.pushCampaigns[campaign].app, streams, load, isLimited)
    }

    /// How pushes about the versions of a kind are sent; nil if all go out at once.
    ///
    /// - Parameter load: nil if they are counted already.
    func sending(ofKind kind: Int, _ streams: RandomStreams, _ load: LoadBuffer?, isLimited: Bool) -> WidgetSending? {
        guard let sends, let sender = plan.pushSender else { return nil }
        return sending(
            sends, PushSorts(plan, sender).sort(ofKind: kind), ofApp: plan.kinds[kind].app, streams, load, isLimited)
    }

    private func sending(
        _ sends: SendSchedule, _ sort: Int, ofApp app: Int, _ streams: RandomStreams, _ load: LoadBuffer?,
        _ isLimited: Bool
    ) -> WidgetSending {
        WidgetSending(
            schedule: sends, sort: sort,
            // The even places of Live Activities come before.
            place: streams.number(.sendPlace, sub: LivePlan.mostKinds + app), isLimited: isLimited, load: load,
            sender: (plan.live?.kinds.count ?? 0) + app, reportFrom: .start + plan.warmup, end: plan.end)
    }
}
