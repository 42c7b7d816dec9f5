import Basics
import WidgetPlatform

/// Messages of an app's server (N10), and requests as they are counted.
extension AndroidRules {
    /// A message of its server reaches the device, which has a connection.
    static func receiveMessage<World>(toApp app: Int, on device: inout Device<World>) {
        guard let kind = device.kindWithMessages(ofApp: app) else { return }
        let limits = device.android.pointee.messages
        let state = device.rules.state(ofApp: app)
        let bucket = bucket(ofApp: app, on: &device)
        device.quotas(kind)[.came(bucket)] += 1
        if !device.rules.messageCount.take(at: device.now, limits) {
            device.quotas(kind)[.refused(.messages, bucket)] += 1
            if device.observer.isWatching {
                device.noteProvider(
                    .messageRefused, kind, "the device has taken as many in this minute or hour as it may")
            }
            return
        }
        if !device.android.pointee.areCollapsible[app] {
            device.quotas(kind)[.used(.messages, bucket).number] += 1
            return pass(toApp: app, on: &device)
        }
        let tokenAt = state.pointee.messages.tokenInstant(at: device.now, limits.collapsible)
        if tokenAt == device.now && state.pointee.messageAt == .never {
            deliver(toApp: app, kind, bucket, on: &device)
            return
        }
        if state.pointee.messageAt < .never {
            // The newer takes the place of the one that waits.
            device.quotas(kind)[.refused(.messages, bucket)] += 1
        } else {
            device.quotas(kind)[.waits(.messages, bucket).number] += 1
            state.pointee.messageAt = tokenAt
            state.pointee.messageSince = device.now
        }
        if device.observer.isWatching { device.noteProvider(.messageHeld, kind, "") }
        device.rules.dueAt = min(device.rules.dueAt, tokenAt)
    }

    /// The limit lets the message through that has waited: without a connection its refresh waits for that.
    static func releaseMessage<World>(toApp app: Int, on device: inout Device<World>) {
        bookMessageWait(ofApp: app, on: &device)
        device.rules.state(ofApp: app).pointee.messageAt = .never
        guard let kind = device.kindWithMessages(ofApp: app) else { return }
        deliver(toApp: app, kind, bucket(ofApp: app, on: &device), on: &device)
    }

    /// Books how long the limit has held a message since it was looked at last.
    static func bookMessageWait<World>(ofApp app: Int, on device: inout Device<World>) {
        let state = device.rules.state(ofApp: app)
        guard state.pointee.messageAt < .never, let kind = device.kindWithMessages(ofApp: app) else { return }
        let held = device.now - state.pointee.messageSince
        device.quotas(kind).add(held.microseconds, to: .waits(.messages, bucket(ofApp: app, on: &device)).time)
        state.pointee.messageSince = device.now
    }

    static func deliver<World>(
        toApp app: Int, _ first: Int, _ bucket: StandbyBucket, on device: inout Device<World>
    ) {
        device.rules.state(ofApp: app).pointee.messages.take(
            at: device.now, device.android.pointee.messages.collapsible)
        device.quotas(first)[.used(.messages, bucket).number] += 1
        pass(toApp: app, on: &device)
    }

    /// A message that has passed its limits asks every provider of its app that takes it.
    private static func pass<World>(toApp app: Int, on device: inout Device<World>) {
        let bucket = bucket(ofApp: app, on: &device)
        for kind in 0..<device.prepared.kinds.count where device.takesMessages(kind, ofApp: app) {
            let messages = device.android.pointee.refreshes[kind].messages
            var isUrgent = messages.isUrgent
            if isUrgent
                && device.android.pointee.lowered.holds(
                    device.streams.number(.loweredMessage, sub: kind, at: device.now.address))
            {
                isUrgent = false
                device.quotas(kind)[.lowered(bucket)] += 1
            }
            let means: RefreshMeans =
                switch messages.handler {
                case .direct: isUrgent ? .urgentMessage : .message
                case .work: .work
                case .expedited: isUrgent ? .expedited : .work
                }
            request(kind, means, .push, on: &device)
        }
        device.rules.dueAt = device.now
    }
}

extension DeviceSimulation {
    /// A request of a device with Android arrives at an instant of the report.
    mutating func countAndroidRequest(at arrival: Instant) {
        let minute = (arrival - report.from).microseconds / Duration.minutes(1).microseconds
        report.reportedCells[prepared.android.unsafelyUnwrapped.pointee.minutesAt + Int(minute)] += 1
    }
}
