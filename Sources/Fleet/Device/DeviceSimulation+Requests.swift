import Basics
import RefreshService
import Statistics
import WidgetPlatform

/// Requests of reloads, to a service or to one that is only a few numbers (S1–S3, S5).
///
/// The device does not know what becomes of a request to a service until that has decided it. It runs until the
/// earliest instant at which an answer can reach it, and is suspended.
extension DeviceSimulation {
    /// The requests of one try, which ends with its last answer, where no service answers them.
    mutating func sendToModel(_ i: Int) {
        if let sampler = link.sampler(at: now) { return sendAsSample(i, sampler) }
        var (ending, answerAt, madeAt) = (ReloadOutcome.ok, now, instances[i].inFlight.madeAt)
        let patience = patience(i)
        for _ in 0..<requestCount(i) {
            let (request, back) = nextRequest(i)
            leave(i, request)
            let answer = request.arrival + back
            let fails = link.fails(endpoint: request.endpoint, region: request.region, at: request.arrival)
            if answer - now > patience || (fails && prepared.plan.requests.failure == .timeout) {
                ending = .timeout
                answerAt = max(answerAt, now + patience)
            } else if fails {
                if ending == .ok { ending = .error }
                answerAt = max(answerAt, answer)
            } else if answer >= answerAt {
                (answerAt, madeAt) = (answer, request.arrival)
            }
        }
        instances[i].inFlight.send(ending: ending, madeAt: madeAt)
        instances[i].reloadAt = answerAt
    }

    /// The requests of one try to the service.
    mutating func sendToService(_ i: Int) {
        let (patience, first) = (patience(i), link.requestNumber)
        var endsFrom = now
        for _ in 0..<requestCount(i) {
            let (request, back) = nextRequest(i)
            endsFrom = max(endsFrom, request.arrival + back)
            let attempt = max(1, instances[i].inFlight.tries.count)
            post(request, back: back, patience: patience, instance: UInt16(i), attempt: attempt)
            leave(i, request)
        }
        let deadline = now + patience
        instances[i].inFlight.sendToService(requestCount(i), first: first, endsFrom: endsFrom, deadline: deadline)
        instances[i].reloadAt = deadline
        if instances[i].inFlight.tries.undecided > 0 {
            clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: endsFrom))
        }
    }

    /// The requests of a reload that stands for those of many people before a service: how it ends is drawn from what
    /// the service did with theirs.
    private mutating func sendAsSample(_ i: Int, _ sampler: ReloadSampler) {
        let (kind, isPreview) = (kinds + instances[i].kind, instances[i].inFlight.preview == .asked)
        let cause = instances[i].slot.cause.ordinal
        let number = link.requestNumber
        var (answerAt, madeAt) = (now, instances[i].inFlight.madeAt)
        for _ in 0..<requestCount(i) {
            let (request, back) = nextRequest(i)
            leave(i, request)
            if request.arrival + back >= answerAt { (answerAt, madeAt) = (request.arrival + back, request.arrival) }
        }
        let (place, placement) = (instances[i].inFlight.place, instances[i].placement)
        let contentClass = sampler.classes.number(
            of: place, segment: person.segment, slot: streams.slot, placement: placement)
        let followsFailure = sampler.hasFailed(
            person: UInt32(streams.person), slot: streams.slot, number: instances[i].number)
        sampler.note(
            SampledReload(
                sentAt: now, key: place, person: UInt32(streams.person), endpoint: UInt16(kind.pointee.endpoint),
                region: UInt16(world.region), segment: UInt16(person.segment), placement: UInt16(placement),
                number: UInt16(instances[i].number),
                sort: SampledReload.sort(ofKind: instances[i].kind, cause: cause, isPreview: isPreview),
                slot: streams.slot, requests: UInt8(requestCount(i)), cause: UInt8(cause),
                content: kind.pointee.isPersonal
                    ? .personal : place == 0 ? .shared : instances[i].followsPerson ? .place : .choice,
                contentClass: contentClass, followsFailure: followsFailure, followUp: isPreview ? .none : .retries,
                delay: sampler.delay(ofSlot: streams.slot, number: instances[i].number), heldAge: heldAge(i)))
        let outcome = sampler.outcomes.outcome(
            at: now, endpoint: kind.pointee.endpoint, region: world.region, contentClass: contentClass,
            followsFailure: followsFailure, streams.number(.sampledOutcome, at: UInt64(number)),
            streams[.sampledOutcome, sub: 1].pair(at: UInt64(number)))
        sampler.end(outcome.ending, slot: streams.slot, number: instances[i].number)
        countTriesBefore(i, outcome)
        answerAt = answerAt + outcome.delay
        if let age = outcome.age { madeAt = answerAt - age }
        instances[i].inFlight.send(ending: outcome.ending, madeAt: madeAt, isRefusal: outcome.isRefusal)
        instances[i].reloadAt = answerAt
    }

    /// Counts the tries of a reload of a sample before its last one, which nothing else on the device knows of.
    private mutating func countTriesBefore(_ i: Int, _ outcome: ReloadOutcomes.Outcome) {
        let requests = Int64(requestCount(i))
        let (refused, timedOut) = (requests * outcome.refusedTries, requests * outcome.timedOutTries)
        events += (outcome.refusedTries + outcome.timedOutTries) * (requests + 1)
        let counts = reloadCounts(i)
        counts[.requestsSent(instances[i].slot.cause)] += refused + timedOut
        counts[.requestsRefused] += refused
        counts[.requestsTimedOut] += timedOut
    }

    /// The next request of a try, and how long its answer is on its way: each leg is its own draw (S6).
    @inline(__always) private mutating func nextRequest(_ i: Int) -> (request: OutgoingRequest, back: Duration) {
        let numbers = instances[i].legs.nextPair(of: stream(.oneWayDelays, of: i))
        let way = way(numbers, attempt: max(1, instances[i].inFlight.tries.count))
        let kind = kinds + instances[i].kind
        let cause = instances[i].slot.cause.ordinal
        return (
            OutgoingRequest(
                arrival: now + way.out,
                key: kind.pointee.isPersonal ? Int64(streams.person) : instances[i].inFlight.place,
                endpoint: kind.pointee.endpoint, region: way.region, isMoved: way.isMoved,
                cause: instances[i].inFlight.tries.count > 1 ? LoadCurve.retryCause(of: cause) : cause,
                isPersonal: kind.pointee.isPersonal, heldUntil: heldUntil(i)), way.back
        )
    }

    /// Until when what an instance shows is the version in force of what it asks for (S10); `longAgo` if that is
    /// nothing, or content of another key.
    @inline(__always) private mutating func heldUntil(_ i: Int) -> Instant {
        let kind = instances[i].kind
        guard prepared.isConditional(endpoint: kinds[kind].endpoint), instances[i].content.hasAge,
            contentKey(i) == instances[i].inFlight.place
        else { return .longAgo }
        if instances[i].changesSeen < kindStates[kind].changes { return .start }
        return kinds[kind].source.end(of: instances[i].version)
    }

    /// How old what an instance has of the content that it asks for is; nil if it asks for all of it (S10).
    private mutating func heldAge(_ i: Int) -> Duration? {
        heldUntil(i) == .longAgo ? nil : now - instances[i].content.madeAt
    }

    /// The region that serves a request which is sent now, and the legs there.
    @inline(__always) mutating func way(_ numbers: (UInt64, UInt64), attempt: Int) -> RequestWay {
        let region = world.region
        return prepared.way(
            from: region, at: now, numbers, attempt: attempt, streams[.failover, sub: region])
    }

    /// A request of a reload leaves.
    @inline(__always) private mutating func leave(_ i: Int, _ request: OutgoingRequest) {
        let counts = reloadCounts(i)
        counts[.requestsSent(instances[i].slot.cause)] += 1
        switch book(request) {
        case .within: break
        case .into: CountBlock(report.reportedCells, at: instances[i].counts.reloads)[.requestsCarriedIn] += 1
        case .outOf: counts[.requestsCarriedOut] += 1
        }
    }

    /// Books a request that leaves now in the load, if it arrives in the report; returns which end of that it crosses
    /// on its way (T4). A tap has a span of its own, which may begin before the report.
    @inline(__always) mutating func book(_ request: OutgoingRequest) -> BorderCrossing {
        events += 1
        defer { link.countRequest() }
        if request.arrival >= report.end { return .outOf }
        link.tap?.note(
            Arrival(request, of: UInt32(streams.person), slot: streams.slot, sequence: link.requestNumber))
        if request.arrival < report.from { return .within }
        report.load.count(
            endpoint: request.endpoint, region: request.region, cause: request.cause,
            tenth: Int((request.arrival - report.from).microseconds / 100_000))
        Rules.hear(.request(arrival: request.arrival), on: &self)
        return now < report.from ? .into : .within
    }

    /// Hands a request that leaves now to the service.
    mutating func post(
        _ request: OutgoingRequest, back: Duration, patience: Duration, instance: UInt16, attempt: Int
    ) {
        link.outbox?.add(
            ServiceRequest(
                request, sentAt: now, back: back, patience: patience, person: UInt32(streams.person),
                slot: streams.slot, sequence: link.requestNumber, instance: instance, attempt: attempt))
    }

    /// An answer of the service that will reach the device, or a notice. One to a try that is over is ignored.
    mutating func receive(_ answer: ServiceAnswer) {
        if let fetch = ServiceRequest.fetch(ofInstance: answer.instance) { return receiveFetch(answer, fetch) }
        let i = Int(answer.instance)
        guard instances[i].slot.phase == .inFlight else { return }
        let heeds = prepared.plan.requests.retry.heedsRetryAfter
        switch instances[i].inFlight.receive(answer, requests: requestCount(i), heedsRetryAfter: heeds) {
        case .some: return
        case .all:
            guard link.staysOnceServed else { return }
            instances[i].reloadAt = .never
        case .allAnswers: instances[i].reloadAt = instances[i].inFlight.tries.answeredAt
        }
        updateClock(i)
        schedule.findNext()
    }

    /// Sets how far the device can run before anything that it does not know can reach it.
    mutating func findHorizon() {
        clocks.horizon = report.end
        for i in 0..<instanceCount where instances[i].inFlight.tries.undecided > 0 {
            clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: instances[i].inFlight.endsFrom))
        }
        for fetch in 0..<fetches.count {
            if let from = fetches.states[fetch].answerEndsFrom {
                clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: from))
            }
        }
    }

    /// When the device does something next by itself.
    var nextAt: Instant {
        mutating get { min(schedule.nextAt, nextOfOthers) }
    }

    /// How long the client waits before the next try; nil if it makes none.
    mutating func delayBeforeRetry(_ i: Int, after failure: TryFailure) -> Duration? {
        // Those of a sample are made before the service of many, once for all.
        if link.sampler(at: now) != nil && failure != .offline { return nil }
        let (tries, number, position) = (instances[i].inFlight.tries, instances[i].number, instances[i].legs.position)
        return tries.delayBeforeNext(
            prepared.retryDelays, most: kinds[instances[i].kind].retries[failure], spend: { link.spendRetry() },
            // Looked up by the instance's requests so far, which no other try has.
            u: { RandomStream.uniform(streams.number(.retryDelay, sub: number, at: position)) })
    }

    /// How long the client waits for the answer to the try that it is about to send.
    @inline(__always) mutating func patience(_ i: Int) -> Duration {
        if let timeout = link.timeout { return timeout }
        // Looked up by the instance's requests so far, which no other try has.
        return prepared.patience.draw(
            streams.number(.patience, sub: instances[i].number, at: instances[i].legs.position))
    }
}

/// Whether a request crosses the start or the end of the report on its way (T4).
enum BorderCrossing {
    case within, into, outOf
}
