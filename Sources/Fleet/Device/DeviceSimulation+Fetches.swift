import Basics
import RefreshService
import Statistics

/// Background fetches of apps (B8).
extension DeviceSimulation {
    /// Sets the first fetch of every app that fetches on this device.
    mutating func beginFetches() {
        for fetch in 0..<fetches.count {
            let plan = fetches.plans.baseAddress! + fetch
            if hasInstance(where: { $0.app == plan.pointee.app }) {
                fetches.states[fetch].begin(plan, streams, at: now)
            }
        }
    }

    /// The fetches that are due at this instant.
    mutating func takeFetches() {
        for fetch in 0..<fetches.count where fetches.states[fetch].at <= now {
            while fetches.states[fetch].at <= now {
                begin(fetch)
                fetches.states[fetch].advance(fetches.plans.baseAddress! + fetch, streams, at: now)
            }
            // The device is suspended before its next one, so that it does not send a whole run's requests ahead.
            if link.isServed(at: now) {
                clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: fetches.states[fetch].at))
            }
        }
    }

    /// The app fetches, unless it cannot reach anything or is not let.
    private mutating func begin(_ fetch: Int) {
        let app = fetches.plans[fetch].app
        guard hasInstance(where: { $0.app == app && $0.isInstalled }) else { return }
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

    /// Nothing on the device waits for the answers of a fetch: it sends the requests and continues. They are no reload,
    /// charge nothing and change no widget.
    private mutating func sendFetch(_ fetch: Int) {
        let (app, requests) = (fetches.plans[fetch].app, UInt64(fetches.plans[fetch].requests))
        link.sampler(at: now)?.note(
            SampledReload(
                sentAt: now, key: 0, person: UInt32(streams.person), endpoint: UInt16(fetches.plans[fetch].endpoint),
                region: UInt16(world.region), segment: UInt16(person.segment), placement: 0, number: UInt16(app),
                sort: SampledReload.sort(ofFetches: app), slot: streams.slot, requests: UInt8(requests),
                cause: UInt8(LoadCurve.fetchCause), content: .personal, contentClass: 0, followsFailure: false,
                followUp: .nobody, delay: nil))
        for request in 0..<requests {
            // Looked up by the request's number among all of the app's fetches on the device.
            let number = fetches.states[fetch].number * requests + request
            let ways = streams[.fetchDelays, sub: app]
            let way = way((ways.value(at: 2 * number), ways.value(at: 2 * number + 1)), attempt: 1)
            let request = OutgoingRequest(
                arrival: now + way.out, key: Int64(streams.person), endpoint: fetches.plans[fetch].endpoint,
                region: way.region, isMoved: way.isMoved, cause: LoadCurve.fetchCause, isPersonal: true)
            if link.isServed(at: now) {
                let patience =
                    link.timeout ?? prepared.patience.draw(streams.number(.fetchPatience, sub: app, at: number))
                post(request, back: way.back, patience: patience, instance: ServiceRequest.noInstance, attempt: 1)
            }
            count(.fetchRequests)
            switch book(request) {
            case .within: break
            case .into: CountBlock<DeviceCounts>(report.reportedCells, at: report.place)[.fetchRequestsCarriedIn] += 1
            case .outOf: count(.fetchRequestsCarriedOut)
            }
        }
    }

    private mutating func noteFetch(_ app: Int, _ event: TraceEvent) {
        if observer.isWatching { note(event, detail: prepared.plan.apps[app]) }
    }
}
