import Basics
import WidgetPlatform

/// Pushes from their server to the screen (O3–O6).
extension ActivitySimulation {
    // MARK: The server (O3)

    /// Plans the sending of a push about something that has come about or will.
    mutating func send(_ push: ActivityPush) {
        queue.add(.send(push), at: max(now, sentAt(push.event, version: push.version)))
    }

    /// When the server sends a version of an event, if all goes as planned.
    func sentAt(_ number: Int, version: Int) -> Instant {
        let event = followed[number]
        guard let sender, event.isShared else { return event.truth(of: version) }
        let isToChannel = prepared.kinds[event.kind].plan.isBroadcast && version > 0
        return sender.sentAt(event.burst, version: version, rank: isToChannel ? 0 : event.rank)
    }

    /// When the server comes to a push that comes about for this device alone.
    mutating func turn(of push: ActivityPush, from instant: Instant) -> Instant {
        let event = followed[push.event]
        guard let sender, event.isShared else { return instant }
        return sender.placeInRound(
            ofLiveKind: push.kind, event.place, from: instant, after: &roundPlaces[push.kind])
    }

    mutating func trySending(_ push: ActivityPush) {
        let place = followed[push.event].activity
        // The server has learnt that the activity is there no longer.
        if place >= 0, activities[place].isUnregistered { return }
        if prepared.kinds[push.kind].plan.isBroadcast && push.sort != .start {
            if place >= 0, !activities[place].isActive { return }
            accept(push)
            return
        }
        var push = push
        push.tries += 1
        sendings += 1
        let isRefused = prepared.refused.holds(ofDevice.number(.pushRefusal, at: sendings))
        let isGone = place >= 0 && !activities[place].isActive
        counting.countSending(push, isRefused: isRefused || isGone, at: now)
        if isRefused {
            counting.count(.refused, push, at: now, minute: .refused)
            if push.tries > prepared.retries {
                counting.count(.givenUp, push.kind, at: now)
            } else {
                let delay = prepared.retryDelay.draw(ofDevice.number(.pushRetry, at: sendings))
                queue.add(.send(push), at: turn(of: push, from: now + delay))
            }
        } else if isGone {
            counting.count(.unregistered, push.kind, at: now)
            activities[place].isUnregistered = true
        } else {
            accept(push)
        }
    }

    /// The push service takes a push on.
    mutating func accept(_ push: ActivityPush) {
        var push = push
        push.acceptedAt = now
        counting.count(.accepted, push, at: now, minute: .accepted)
        let index = UInt64(push.event) << 16 | UInt64(push.version)
        let delay = prepared.kinds[push.kind].delay.draw(
            ofDevice.number(.activityPushDelay, sub: push.kind, at: index))
        queue.add(.arrive(push), at: now + delay)
    }

    // MARK: On the way (O4)

    /// A push comes to the device, or is kept while that is offline: of several for one app the one that was accepted
    /// last.
    mutating func arrive(_ push: ActivityPush) {
        let place = followed[push.event].activity
        if push.sort != .start {
            guard activities[place].isActive else { return close(push, .tooLate) }
        }
        if isOnline { return deliver(push) }
        note(.pushHeld, push.kind, "waits for a connection")
        let app = prepared.kinds[push.kind].plan.app
        if let older = kept[app], older.acceptedAt > push.acceptedAt { return close(push, .collapsed) }
        if let older = kept[app] { close(older, .collapsed) }
        kept[app] = push
    }

    /// The connection is back: what the push service has kept comes, unless it has expired.
    mutating func releaseKept() {
        for app in kept.indices {
            guard let push = kept[app] else { continue }
            kept[app] = nil
            release(push)
        }
    }

    private mutating func release(_ push: ActivityPush) {
        if now - push.acceptedAt > prepared.kinds[push.kind].plan.expiry {
            close(push, .expired)
        } else {
            deliver(push)
        }
    }

    // MARK: On the device (O1, O5)

    private mutating func deliver(_ push: ActivityPush) {
        if !isInSession && glancedAt != now { counting.count(.wakeUps, push.kind, at: now) }
        if push.sort == .start { return deliverStart(push) }
        let place = followed[push.event].activity
        note(.activityPush, push.kind, "version \(push.version), priority \(push.isHigh ? 10 : 5)")
        if push.version <= activities[place].received { return close(push, .superseded) }
        activities[place].received = push.version
        if !push.isHigh {
            if isInSession { return showInTime(push) }
            let index = UInt64(push.event) << 16 | UInt64(push.version)
            let delay = prepared.lowPriorityDelay.draw(ofDevice.number(.lowPriorityDelay, sub: push.kind, at: index))
            hold(push, place)
            queue.add(.lowPriority(activity: place, version: push.version), at: now + delay)
            return
        }
        let app = prepared.kinds[push.kind].plan.app
        let limit = limit(ofApp: app)
        let tokenAt = buckets[app].tokenInstant(at: now, limit)
        if tokenAt == now {
            buckets[app].take(at: now, limit)
            return showInTime(push)
        }
        counting.count(.throttled, push, at: now, minute: .throttled)
        if limit.excess == .drop {
            // Older pushes than the newest that has come are not shown any more (O4).
            discardOlder(place)
            return close(push, .dropped)
        }
        note(.activityPushHeld, push.kind, "waits for the budget")
        var push = push
        push.throttledAt = now
        hold(push, place)
        awaitToken(ofApp: app, at: tokenAt)
    }

    /// A push begins an activity, unless there were as many in the last 24 hours as there may be, or are now.
    private mutating func deliverStart(_ push: ActivityPush) {
        let app = prepared.kinds[push.kind].plan.app
        starts[app].removeAll { now - $0 >= .days(1) }
        if starts[app].count >= prepared.limits.startsPerDay || !hasRoom(inApp: app) {
            return close(push, .startRefused)
        }
        starts[app].append(now)
        counting.count(.begunByPush, push.kind, at: now)
        close(push, .shown)
        begin(push.event, version: 0, detail: "by a push")
    }

    /// The budget of an app's pushes of high priority: a larger one with frequent updates, which the app asks for and
    /// its person allows.
    private mutating func limit(ofApp app: Int) -> HourlyPushLimit {
        prepared.isFrequent[app] && takesFrequent ? prepared.limits.frequentBudget : prepared.limits.budget
    }

    /// A push waits on the device, in the place of an older one of its activity.
    private mutating func hold(_ push: ActivityPush, _ place: Int) {
        if let held = activities[place].held { close(held, .superseded) }
        activities[place].held = push
    }

    /// A token is there: the first activity of the app with a push that waits for one takes it.
    mutating func releaseToken(ofApp app: Int) {
        tokensAt[app] = .never
        let limit = limit(ofApp: app)
        for place in activities.indices where prepared.kinds[activities[place].kind].plan.app == app {
            guard let push = activities[place].held, push.isHigh else { continue }
            let tokenAt = buckets[app].tokenInstant(at: now, limit)
            if tokenAt > now { return awaitToken(ofApp: app, at: tokenAt) }
            buckets[app].take(at: now, limit)
            releaseHeld(place)
        }
    }

    /// Looks at the bucket of an app again when it has a token.
    private mutating func awaitToken(ofApp app: Int, at tokenAt: Instant) {
        if tokensAt[app] < .never { return }
        tokensAt[app] = tokenAt
        queue.add(.token(app: app), at: tokenAt)
    }

    /// The device is used: pushes of low priority come.
    mutating func releaseLowPriority() {
        for place in activities.indices {
            if let push = activities[place].held, !push.isHigh { releaseHeld(place) }
        }
    }

    mutating func releaseHeld(_ place: Int) {
        guard let push = activities[place].held else { return }
        activities[place].held = nil
        showInTime(push)
    }

    // MARK: On the screen (O6)

    /// Shows a push at once, or when what is shown may change again.
    private mutating func showInTime(_ push: ActivityPush) {
        let place = followed[push.event].activity
        discardOlder(place)
        let from = activities[place].shownAt + prepared.limits.displayGap
        if from <= now { return show(push) }
        activities[place].pending = push
        queue.add(.display(activity: place), at: from)
    }

    /// Older pushes that still wait on the device are of no use any more.
    private mutating func discardOlder(_ place: Int) {
        for older in [activities[place].held, activities[place].pending] {
            if let older { close(older, .superseded) }
        }
        activities[place].held = nil
        activities[place].pending = nil
    }

    /// The content of an activity may change again.
    mutating func showPending(_ place: Int) {
        guard let push = activities[place].pending, now >= activities[place].shownAt + prepared.limits.displayGap
        else { return }
        activities[place].pending = nil
        show(push)
    }

    mutating func show(_ push: ActivityPush) {
        let place = followed[push.event].activity
        countBehind(place)
        activities[place].shown = push.version
        activities[place].showings.append((now, push.version))
        activities[place].shownAt = now
        if push.throttledAt < .never { counting.countLate(push, at: now) }
        close(push, .shown)
        if push.sort != .end { return }
        counting.count(.endedByEvent, push.kind, at: now)
        note(.activityEnds, push.kind, "by a push")
        end(place, staying: min(prepared.kinds[push.kind].plan.staysFor, prepared.limits.linger))
    }

    /// A push that was accepted has its outcome.
    mutating func close(_ push: ActivityPush, _ outcome: ActivityCount) {
        counting.close(push, outcome, at: now)
        switch outcome {
        case .shown: if push.sort != .start { note(.activityShown, push.kind, "version \(push.version)") }
        case .expired: note(.activityPushExpired, push.kind, "it had waited too long for a connection")
        case .dropped: note(.activityPushOverBudget, push.kind, "its app's budget is spent")
        case .startRefused:
            let isDayFull = starts[prepared.kinds[push.kind].plan.app].count >= prepared.limits.startsPerDay
            note(
                .activityStartRefused, push.kind,
                isDayFull
                    ? "as many were begun by pushes as a day may have"
                    : "its app has as many active ones as it may")
        case .collapsed:
            note(.activityPushSuperseded, push.kind, "\(push.name), while offline: a newer push for the app waits")
        case .superseded: note(.activityPushSuperseded, push.kind, "\(push.name): a newer one came before it was shown")
        case .tooLate: note(.activityPushTooLate, push.kind, "\(push.name), for one that has ended")
        default: break
        }
    }

    // MARK: Views

    /// The person sees all activities that are there.
    mutating func view(on surface: ActivitySurface) {
        for place in activities.indices where activities[place].isThere {
            // The island shows what is active.
            if surface == .island && !activities[place].isActive { continue }
            let event = followed[activities[place].event]
            let kind = prepared.kinds[activities[place].kind]
            let view = ActivityView(of: event, version: activities[place].shown, kind.plan, at: now)
            counting.count(view, on: surface, activities[place].kind, at: now)
            if observer.isWatching {
                note(.activityView, activities[place].kind, "\(surface.name): \(view.state.name)")
            }
            if surface != .lockScreen { continue }
            views += 1
            let isActive = activities[place].isActive
            let removes = isActive ? kind.dismissedActive : kind.dismissedEnded
            if removes.holds(ofDevice.number(.activityDismissal, at: views)) {
                counting.count(isActive ? .dismissedActive : .dismissedEnded, activities[place].kind, at: now)
                note(.activityGoes, activities[place].kind, "removed by the person")
                go(place)
            }
        }
    }

    /// Counts the time since the last count in which an activity has lacked an update.
    mutating func countBehind(_ place: Int) {
        let activity = activities[place]
        let missedAt = followed[activity.event].truth(of: activity.shown + 1)
        counting.countBehind(from: max(missedAt, activity.countedTo), to: now, activity.kind)
        activities[place].countedTo = now
    }

    // MARK: Notes

    mutating func note(_ event: TraceEvent, _ kind: Int? = nil, _ detail: @autoclosure () -> String = "") {
        if !observer.isWatching { return }
        let words = detail()
        let name = kind.map { prepared.kinds[$0].plan.id + (words.isEmpty ? "" : ": ") } ?? ""
        observer.note(TraceRecord(event: event, time: now, zone: zone, detail: name + words))
    }
}
