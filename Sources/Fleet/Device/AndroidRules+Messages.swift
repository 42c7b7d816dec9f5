import Basics
import WidgetPlatform

/// A platform whose apps get messages of their servers, within limits of each app and of the device (N10).
protocol MessagingPlatform: DevicePlatform {
    var messageCount: MessageCount { get set }
    /// When a message that waits for its limit is delivered, or anything else is due.
    var dueAt: Instant { get set }
    var jobs: UnsafeMutablePointer<JobState>? { get }
    /// The bucket under which an app's messages are counted.
    static func bucket<World>(ofApp app: Int, on device: inout Device<World>) -> StandbyBucket
    /// Asks for all that is due by this instant, before a message of it does (T3).
    static func prepare<World>(forMessageOn device: inout Device<World>)
    /// A message that has passed its limits asks for all of its app that take it.
    static func pass<World>(toApp app: Int, on device: inout Device<World>)
}

extension MessagingPlatform {
    static func prepare<World>(forMessageOn device: inout Device<World>) {}

    /// The push service stores a message for a device without a connection: the newest alone of those that replace one
    /// another, and a hundred of others (D8).
    ///
    static func store<World>(messageToApp app: Int, on device: inout Device<World>) -> MessageStorage {
        if !device.android.pointee.areStored[app] { return .lost }
        if device.android.pointee.areCollapsible[app] { return .newest }
        device.rules.state(ofApp: app).pointee.messages.store()
        return .each
    }

    static func takeStored<World>(messagesToApp app: Int, on device: inout Device<World>) -> Int {
        device.android.pointee.areCollapsible[app]
            ? 1 : device.rules.state(ofApp: app).pointee.messages.takeStored()
    }

    func state(ofApp app: Int) -> UnsafeMutablePointer<JobState> { jobs.unsafelyUnwrapped + app }

    /// A message of its server reaches the device, which has a connection.
    static func receiveMessage<World>(toApp app: Int, on device: inout Device<World>) {
        guard let kind = device.kindWithMessages(ofApp: app) else { return }
        prepare(forMessageOn: &device)
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
        if !device.android.pointee.areThrottled(ofApp: app) {
            device.quotas(kind)[.used(.messages, bucket).number] += 1
            return pass(toApp: app, on: &device)
        }
        let tokenAt = state.pointee.messages.bucket.tokenInstant(at: device.now, limits.collapsible)
        if tokenAt == device.now && state.pointee.messages.dueAt == .never {
            deliver(toApp: app, kind, bucket, on: &device)
            return
        }
        if state.pointee.messages.dueAt < .never {
            // The newer takes the place of the one that waits.
            device.quotas(kind)[.refused(.messages, bucket)] += 1
        } else {
            device.quotas(kind)[.waits(.messages, bucket).number] += 1
            state.pointee.messages.dueAt = tokenAt
            state.pointee.messages.bookedAt = device.now
        }
        if device.observer.isWatching { device.noteProvider(.messageHeld, kind, "") }
        device.rules.dueAt = min(device.rules.dueAt, tokenAt)
    }

    /// The limit lets the message through that has waited: without a connection its refresh waits for that.
    static func releaseMessage<World>(toApp app: Int, on device: inout Device<World>) {
        bookMessageWait(ofApp: app, on: &device)
        device.rules.state(ofApp: app).pointee.messages.dueAt = .never
        guard let kind = device.kindWithMessages(ofApp: app) else { return }
        deliver(toApp: app, kind, bucket(ofApp: app, on: &device), on: &device)
    }

    /// Books how long the limit has held a message since it was looked at last.
    static func bookMessageWait<World>(ofApp app: Int, on device: inout Device<World>) {
        let state = device.rules.state(ofApp: app)
        guard state.pointee.messages.dueAt < .never, let kind = device.kindWithMessages(ofApp: app) else { return }
        let held = device.now - state.pointee.messages.bookedAt
        device.quotas(kind).add(held.microseconds, to: .waits(.messages, bucket(ofApp: app, on: &device)).time)
        state.pointee.messages.bookedAt = device.now
    }

    static func bookMessageWaits<World>(of device: inout Device<World>) {
        for app in 0..<device.prepared.plan.apps.count { bookMessageWait(ofApp: app, on: &device) }
    }

    static func deliver<World>(
        toApp app: Int, _ first: Int, _ bucket: StandbyBucket, on device: inout Device<World>
    ) {
        device.rules.state(ofApp: app).pointee.messages.bucket.take(
            at: device.now, device.android.pointee.messages.collapsible)
        device.quotas(first)[.used(.messages, bucket).number] += 1
        pass(toApp: app, on: &device)
    }

    /// Delivers the messages whose turn has come.
    static func releaseMessages<World>(of device: inout Device<World>) {
        for app in 0..<device.prepared.plan.apps.count
        where device.rules.state(ofApp: app).pointee.messages.dueAt <= device.now {
            releaseMessage(toApp: app, on: &device)
        }
    }

    /// Counts the messages that their limits hold, at a boundary of the report.
    static func countHeldMessages<World>(_ held: Cells<QuotaCounts>.ByGate, on device: inout Device<World>) {
        for app in 0..<device.prepared.plan.apps.count {
            guard device.rules.state(ofApp: app).pointee.messages.dueAt < .never,
                let kind = device.kindWithMessages(ofApp: app)
            else { continue }
            device.quotas(kind)[held(.messages, bucket(ofApp: app, on: &device))] += 1
        }
    }
}

extension AndroidRules: MessagingPlatform {
    static func prepare<World>(forMessageOn device: inout Device<World>) { takePeriods(of: &device) }

    /// A message that has passed its limits asks every provider of its app that takes it.
    static func pass<World>(toApp app: Int, on device: inout Device<World>) {
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

extension DeviceSimulation where Rules: MessagingPlatform {
    var android: UnsafePointer<PreparedAndroid> {
        guard let android = prepared.android else { preconditionFailure("an Android device in a plan without any") }
        return UnsafePointer(android)
    }

    /// The counts of a kind's refreshes.
    mutating func quotas(_ kind: Int) -> CountBlock<QuotaCounts> {
        CountBlock(report.cells, at: android.pointee.quotas(ofSegment: person.segment, kind: kind, display.device))
    }

    /// Whether a kind of an app takes messages and has an instance.
    mutating func takesMessages(_ kind: Int, ofApp app: Int) -> Bool {
        kinds[kind].app == app && (kinds[kind].takesPushes || kinds[kind].contentPushes != nil)
            && hasInstance(where: { $0.kind == kind && $0.isInstalled })
    }

    /// The first of them; nil if none does.
    mutating func kindWithMessages(ofApp app: Int) -> Int? {
        for kind in 0..<prepared.kinds.count where takesMessages(kind, ofApp: app) { return kind }
        return nil
    }

    mutating func noteProvider(_ event: TraceEvent, _ kind: Int, _ words: String) {
        let id = prepared.plan.kinds[kind].id
        var record = TraceRecord(
            event: event, time: now, zone: whereabouts.zone, detail: words.isEmpty ? id : "\(id): \(words)")
        record.provider = kind
        observer.note(record)
    }
}

extension DeviceSimulation {
    /// A request of a device with Android arrives at an instant of the report.
    mutating func countAndroidRequest(at arrival: Instant) {
        let minute = (arrival - report.from).microseconds / Duration.minutes(1).microseconds
        report.reportedCells[prepared.android.unsafelyUnwrapped.pointee.minutesAt + Int(minute)] += 1
    }
}
