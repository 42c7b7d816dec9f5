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

    /// Nothing on the device waits for the answers of a fetch, but for content that the app publishes (C6): it sends
    /// the requests and continues. They are no reload and charge nothing.
    private mutating func sendFetch(_ fetch: Int) {
        let (app, requests) = (fetches.plans[fetch].app, UInt64(fetches.plans[fetch].requests))
        let isRead = fetches.plans[fetch].isRead
        var (answer, endsFrom, deadline) = (AnswerOfAll(at: now), now, now)
        let first = link.requestNumber
        let heldUntil = heldUntil(ofFetch: fetch)
        if let sampler = link.sampler(at: now) {
            sampler.note(
                SampledReload(
                    sentAt: now, key: 0, person: UInt32(streams.person),
                    endpoint: UInt16(fetches.plans[fetch].endpoint), region: UInt16(world.region),
                    segment: UInt16(person.segment), placement: 0, number: UInt16(app),
                    sort: SampledReload.sort(ofFetches: app), slot: streams.slot, requests: UInt8(requests),
                    cause: UInt8(LoadCurve.fetchCause), content: .personal,
                    contentClass: isRead ? sampler.classes.ofFetches : 0, followsFailure: false,
                    followUp: isRead ? .none : .nobody, delay: nil, heldAge: heldUntil == .longAgo ? nil : .zero))
        }
        for request in 0..<requests {
            // Looked up by the request's number among all of the app's fetches on the device.
            let number = fetches.states[fetch].number * requests + request
            let ways = streams[.fetchDelays, sub: app]
            let way = way((ways.value(at: 2 * number), ways.value(at: 2 * number + 1)), attempt: 1)
            let request = OutgoingRequest(
                arrival: now + way.out, key: Int64(streams.person), endpoint: fetches.plans[fetch].endpoint,
                region: way.region, isMoved: way.isMoved, cause: LoadCurve.fetchCause, isPersonal: true,
                heldUntil: heldUntil)
            if isRead || link.isServed(at: now) {
                let patience =
                    link.timeout ?? prepared.patience.draw(streams.number(.fetchPatience, sub: app, at: number))
                if link.isServed(at: now) {
                    post(
                        request, back: way.back, patience: patience,
                        instance: isRead ? ServiceRequest.firstFetch + UInt16(fetch) : ServiceRequest.noInstance,
                        attempt: 1)
                    (endsFrom, deadline) = (max(endsFrom, request.arrival + way.back), max(deadline, now + patience))
                } else {
                    let fails = link.fails(endpoint: request.endpoint, region: request.region, at: request.arrival)
                    let back = request.arrival + way.back
                    answer.take(at: back, madeAt: request.arrival)
                    if fails || back - now > patience { answer.isRight = false }
                }
            }
            count(.fetchRequests)
            switch book(request) {
            case .within: break
            case .into: CountBlock<DeviceCounts>(report.reportedCells, at: report.place)[.fetchRequestsCarriedIn] += 1
            case .outOf: count(.fetchRequestsCarriedOut)
            }
        }
        if !isRead { return }
        if link.isServed(at: now) {
            fetches.states[fetch].awaitAnswer(Int(requests), first: first, endsFrom: endsFrom, deadline: deadline)
            if let from = fetches.states[fetch].answerEndsFrom {
                clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: from))
            }
            return
        }
        if let sampler = link.sampler(at: now) { end(&answer, ofFetch: fetch, first, sampler) }
        if answer.isRight {
            fetches.states[fetch].expectAnswer(at: answer.at, madeAt: answer.madeAt)
        } else {
            fetches.states[fetch].awaitNothing()
        }
    }

    /// Until when what the app has is in force for all widgets that read it; `longAgo` if it has nothing (S10). Of an
    /// answer that no widget reads nothing is known but that there is one.
    private mutating func heldUntil(ofFetch fetch: Int) -> Instant {
        let plan = fetches.plans.baseAddress! + fetch
        guard prepared.isConditional(endpoint: plan.pointee.endpoint) else { return .longAgo }
        if !plan.pointee.isRead { return fetches.states[fetch].number > 0 ? .start : .longAgo }
        var until = Instant.never
        for kind in 0..<prepared.kinds.count where kinds[kind].app == plan.pointee.app && kinds[kind].readsApp {
            let madeAt = kindStates[kind].publishedFrom
            if madeAt == .longAgo { return .longAgo }
            if kindStates[kind].changesSeen(madeAt: madeAt) < kindStates[kind].changes { return .start }
            for i in 0..<instanceCount where instances[i].kind == kind && instances[i].isInstalled {
                let source = kinds + kind
                let position = source.pointee.source.position(key: contentKey(i), madeAt: madeAt)
                until = min(until, source.pointee.source.end(of: position))
            }
        }
        return until
    }

    /// The fetch of a person who stands for many before a service: how it ends is drawn from what the service did with
    /// theirs.
    private mutating func end(
        _ answer: inout AnswerOfAll, ofFetch fetch: Int, _ first: UInt32, _ sampler: ReloadSampler
    ) {
        let outcome = sampler.outcomes.outcome(
            at: now, endpoint: fetches.plans[fetch].endpoint, region: world.region,
            contentClass: sampler.classes.ofFetches, followsFailure: false,
            streams.number(.sampledOutcome, at: UInt64(first)),
            streams[.sampledOutcome, sub: 1].pair(at: UInt64(first)))
        answer.isRight = outcome.ending == .ok
        answer.at = answer.at + outcome.delay
        if let age = outcome.age { answer.madeAt = answer.at - age }
    }

    /// The answers to all requests of a fetch: the last one brings the content.
    private struct AnswerOfAll {
        var at: Instant
        var madeAt: Instant = .longAgo
        var isRight = true

        mutating func take(at instant: Instant, madeAt: Instant) {
            if instant >= at { (at, self.madeAt) = (instant, madeAt) }
        }
    }

    private mutating func noteFetch(_ app: Int, _ event: TraceEvent) {
        if observer.isWatching { note(event, detail: prepared.plan.apps[app]) }
    }
}
