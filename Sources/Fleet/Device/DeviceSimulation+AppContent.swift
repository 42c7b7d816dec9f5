import Basics
import RefreshService
import ScenarioModel
import Statistics
import WidgetPlatform

/// Content that a provider reads from its app, without a request (C6): the app publishes it for all of its widgets and
/// may call for their reload.
extension DeviceSimulation {
    /// A reload reads what the app published last; nothing is sent, and a connection does not matter.
    mutating func readAppContent(_ i: Int) {
        let madeAt = kindStates[instances[i].kind].publishedFrom
        if madeAt > .longAgo {
            instances[i].inFlight.makeContent(at: madeAt)
            deliver(i)
            return
        }
        if observer.isWatching {
            note(
                .placeholder, instance: i, cause: instances[i].slot.cause, isCharged: instances[i].inFlight.isCharged,
                detail: "the app has published nothing yet")
        }
        end(i, .placeholder)
        // A placeholder is one entry, and the policy counts from it.
        Rules.setDate(
            i, Timeline(shape: .single, fetched: now, validFor: nil, midnight: .never), fetched: now, on: &self)
    }

    /// The app comes to the foreground: it fetches, and publishes what has come after a delay; its fetches in the
    /// background follow its use (B8).
    mutating func followOpening(ofApp app: Int) {
        for fetch in 0..<fetches.count where fetches.plans[fetch].app == app {
            fetches.states[fetch].follow(opening: now, fetches.plans.baseAddress! + fetch, streams)
            clocks.callsAt = min(clocks.callsAt, fetches.states[fetch].at)
        }
        for kind in 0..<prepared.kinds.count where kinds[kind].app == app && kinds[kind].readsApp {
            let numbers = streams[.publication, sub: kind].pair(at: openingNumber(ofApp: app))
            guard kinds[kind].publishesOnOpen.holds(numbers.first) else { continue }
            kindStates[kind].planPublication(at: now + kinds[kind].publicationDelay.draw(numbers.second))
            clocks.callsAt = min(clocks.callsAt, kindStates[kind].publishAt)
        }
    }

    /// The publications that are due: of what the app has fetched at an opening, and of the answers to its fetches in
    /// the background (B8).
    mutating func takePublications() {
        for kind in 0..<prepared.kinds.count where kindStates[kind].publishAt <= now {
            kindStates[kind].takePublication()
            // Without a connection nothing has come.
            if condition.isOnline { publish(kind, madeAt: now) }
        }
        for fetch in 0..<fetches.count {
            guard let madeAt = fetches.states[fetch].takeAnswer(at: now) else { continue }
            for kind in 0..<prepared.kinds.count
            where kinds[kind].app == fetches.plans[fetch].app && kinds[kind].readsApp {
                publish(kind, madeAt: madeAt)
            }
        }
    }

    /// The app leaves content of an instant for its widgets, and calls for their reload.
    mutating func publish(_ kind: Int, madeAt: Instant) {
        let isNewer = isNewer(kind, madeAt: madeAt)
        leave(kind, madeAt: madeAt)
        switch kinds[kind].publication.reload {
        case .always: callForReload(ofKind: kind)
        case .ifChanged: if isNewer { callForReload(ofKind: kind) }
        case .never: break
        }
    }

    /// The app leaves content of an instant for its widgets.
    mutating func leave(_ kind: Int, madeAt: Instant) {
        events += 1
        kindStates[kind].publish(madeAt: madeAt)
        if observer.isWatching { note(.published, detail: prepared.plan.kinds[kind].id) }
    }

    /// Whether content of an instant has a newer version, for any instance, than what the app published before.
    private mutating func isNewer(_ kind: Int, madeAt: Instant) -> Bool {
        let before = kindStates[kind].publishedFrom
        if madeAt <= before { return false }
        if before == .longAgo { return true }
        if kindStates[kind].changesSeen(madeAt: madeAt) > kindStates[kind].changesSeen(madeAt: before) { return true }
        let source = kinds + kind
        var hasInstance = false
        for i in 0..<instanceCount where instances[i].kind == kind && instances[i].isInstalled {
            hasInstance = true
            if source.pointee.source.isNewer(key: contentKey(i), madeAt: madeAt, than: before) { return true }
        }
        return !hasInstance && source.pointee.source.isNewer(key: 0, madeAt: madeAt, than: before)
    }
}

// MARK: Answers to fetches in the background (B8)

extension DeviceSimulation {
    /// The answer of a service to a request of a background fetch.
    mutating func receiveFetch(_ answer: ServiceAnswer, _ fetch: Int) {
        // A checkpoint that was altered may name another one.
        if fetch >= fetches.count { return }
        fetches.states[fetch].receive(answer, requests: fetches.plans[fetch].requests)
        clocks.callsAt = min(clocks.callsAt, fetches.states[fetch].nextAnswerAt)
    }
}

// MARK: At the start (T4)

extension DeviceSimulation {
    /// The content of an instance that is there at the start: that of the last publication before it was reloaded.
    ///
    /// - Parameter fetched: when that was.
    /// - Returns: when it was reloaded, which a later publication may have called for, and when the content was made.
    mutating func beginAppContent(_ i: Int, fetched: Instant) -> (fetched: Instant, madeAt: Instant) {
        let kind = instances[i].kind
        guard person.segment < prepared.population.segments.count else {
            // A record says when the content of a device was made.
            kindStates[kind].publish(madeAt: fetched)
            return (fetched, fetched)
        }
        let past = pastPublications(kind)
        kindStates[kind].publish(madeAt: past.last)
        if fetched < past.last && kinds[kind].publication.reload != .never {
            // The policy counts from that reload.
            instances[i].initialDue = .never
            return (past.last, past.last)
        }
        return (fetched, fetched >= past.last ? past.last : min(fetched, past.before))
    }

    /// The app's last two publications before the start: at random at the rate of its openings and wake-ups, and at
    /// each of its fetches in the background, 31 days ago at most.
    private mutating func pastPublications(_ kind: Int) -> (last: Instant, before: Instant) {
        let app = kinds[kind].app
        let openings = prepared.population.openingsPerDay(ofApp: app, segment: person.segment, streams)
        let perDay =
            openings * (kinds[kind].publication.openingShare + kinds[kind].changeShare) + kinds[kind].wakeUpsPerDay
        let draws = streams[.pastPublication, sub: kind]
        var period = Double.infinity
        for fetch in 0..<fetches.count where fetches.plans[fetch].app == app {
            let plan = fetches.plans.baseAddress! + fetch
            if plan.pointee.isPresent.holds(streams.number(.fetchPresence, sub: app)) {
                period = plan.pointee.every.inSeconds
            }
        }
        /// How long before the start, or before the publication that follows, one came.
        func age(_ number: UInt64, within period: Double) -> Duration {
            let seconds = 86_400 * prepared.tables.exponential.value(draws.value(at: number)) / max(1e-9, perDay)
            return min(VersionSource.lead, .microsecond + Duration(seconds: min(seconds, min(period, 1e8))))
        }
        let last = Instant.start - age(0, within: period * RandomStream.uniform(draws.value(at: 2)))
        return (last, max(.start - VersionSource.lead, last - age(1, within: period)))
    }
}
