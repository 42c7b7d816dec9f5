import Basics
import RefreshService
import Statistics
import WidgetPlatform

/// Background fetches of apps (B8): requests that are no reload, charge nothing and change no widget.
///
/// Nothing on the device waits for their answers: it sends them and continues. The service counts what becomes of them.
extension DeviceSimulation {
    /// Sets the first fetch of every app that fetches on this device.
    mutating func beginFetches() {
        for fetch in 0..<fetchCount {
            let app = fetchPlans[fetch].app
            fetches[fetch] = FetchState()
            if hasInstance(ofApp: app) && fetchPlans[fetch].isPresent.holds(streams.number(.fetchPresence, sub: app)) {
                planFetch(fetch)
            }
        }
    }

    /// The fetches that are due at this instant.
    mutating func takeFetches() {
        for fetch in 0..<fetchCount where fetches[fetch].at <= now {
            while fetches[fetch].at <= now {
                begin(fetch)
                fetches[fetch].number += 1
                planFetch(fetch)
            }
            // The device is suspended before its next one, so that it does not send a whole run's requests ahead.
            if link.outbox != nil { clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: fetches[fetch].at)) }
        }
    }

    /// The earliest of them.
    mutating func nextFetchAt() -> Instant {
        var next = Instant.never
        for fetch in 0..<fetchCount { next = min(next, fetches[fetch].at) }
        return next
    }

    /// When the next fetch comes: none overtakes the one before it.
    private mutating func planFetch(_ fetch: Int) {
        let (app, number) = (fetchPlans[fetch].app, fetches[fetch].number)
        let delay = fetchPlans[fetch].spread.draw(streams.number(.fetchDelay, sub: app, at: number))
        let every = fetchPlans[fetch].every.microseconds
        let due = phase(fetch).microseconds + every * Int64(number)
        fetches[fetch].at = max(now, .start + Duration(microseconds: due) + delay)
    }

    private mutating func phase(_ fetch: Int) -> Duration {
        if fetchPlans[fetch].isAligned { return .zero }
        let number = streams.number(.fetchPhase, sub: fetchPlans[fetch].app)
        return Duration(microseconds: Int64(RandomStream.index(number, below: fetchPlans[fetch].every.magnitude)))
    }

    /// The app fetches, unless it cannot reach anything or is not let.
    private mutating func begin(_ fetch: Int) {
        let app = fetchPlans[fetch].app
        guard hasInstalledInstance(ofApp: app) else { return }
        events += 1
        if !condition.isOnline {
            count(.missedFetches)
            noteFetch(app, .fetchMissed)
        } else if !condition.letsRefresh {
            count(.refusedFetches)
            noteFetch(app, .fetchRefused)
        } else {
            count(.fetches)
            noteFetch(app, .fetch)
            sendFetch(fetch)
        }
    }

    private mutating func sendFetch(_ fetch: Int) {
        let (app, requests) = (fetchPlans[fetch].app, UInt64(fetchPlans[fetch].requests))
        for request in 0..<requests {
            // Looked up by the request's number among all of the app's fetches on the device.
            let number = fetches[fetch].number * requests + request
            let ways = streams[.fetchLegs, sub: app]
            let (out, back) = prepared.legs[world.region].draw(
                (ways.value(at: 2 * number), ways.value(at: 2 * number + 1)))
            countFetchRequest(endpoint: fetchPlans[fetch].endpoint, arrival: now + out)
            guard let outbox = link.outbox else {
                link.countRequest()
                continue
            }
            let patience = link.timeout ?? prepared.patience.draw(streams.number(.fetchPatience, sub: app, at: number))
            func short(_ duration: Duration) -> UInt32 { UInt32(min(duration.microseconds, Int64(UInt32.max))) }
            outbox.add(
                ServiceRequest(
                    arrival: now + out, key: Int64(streams.person), person: UInt32(streams.person),
                    sequence: link.requestNumber,
                    out: short(out), back: short(back), patience: short(max(.zero, patience - out)),
                    endpoint: UInt16(fetchPlans[fetch].endpoint), region: UInt16(world.region),
                    instance: ServiceRequest.noInstance,
                    slot: streams.slot, attempt: 1, cause: UInt8(LoadCurve.fetchCause), isPrivate: true))
            link.countRequest()
        }
    }

    /// Books a request that is about to leave (T4).
    private mutating func countFetchRequest(endpoint: Int, arrival: Instant) {
        events += 1
        count(.fetchRequests)
        if arrival < reportFrom { return }
        if arrival >= end {
            count(.fetchRequestsCarriedOut)
            return
        }
        if now < reportFrom { CountBlock<DeviceCounts>(reportedCells, at: devicePlace)[.fetchRequestsCarriedIn] += 1 }
        load.count(
            endpoint: endpoint, region: world.region, cause: LoadCurve.fetchCause,
            tenth: Int((arrival - reportFrom).microseconds / 100_000))
        link.tap?.note(
            self.arrival(
                at: arrival, key: Int64(streams.person), endpoint: endpoint, cause: LoadCurve.fetchCause,
                isPersonal: true))
    }

    private mutating func hasInstance(ofApp app: Int) -> Bool {
        for i in 0..<instanceCount where instances[i].app == app { return true }
        return false
    }

    private mutating func hasInstalledInstance(ofApp app: Int) -> Bool {
        for i in 0..<instanceCount where instances[i].app == app && instances[i].isInstalled { return true }
        return false
    }

    private mutating func noteFetch(_ app: Int, _ event: TraceEvent) {
        if Observer.isWatching { note(event, detail: prepared.plan.apps[app]) }
    }
}

/// Where an app's background fetches stand on one device.
struct FetchState: BitwiseCopyable {
    /// The next fetch; `never` if the app does not fetch here.
    var at: Instant = .never
    /// How many came before it.
    var number: UInt64 = 0
}
