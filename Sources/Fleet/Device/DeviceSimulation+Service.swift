import Basics
import RefreshService
import Statistics
import WidgetPlatform

/// Requests that a refresh service answers (S2, S5).
///
/// The device does not know what becomes of them until the service has decided it. It runs until the earliest
/// instant at which an answer can reach it, and is suspended.
extension DeviceSimulation {
    /// Sends the requests of one try to the service. The try is given up at its time-out unless all of them are
    /// answered before.
    mutating func sendToService(_ i: Int, requests: Int, endpoint: Int, cause: ReloadCause) {
        let patience = patience(i)
        let deadline = now + patience
        instances[i].flight.ending = .timeout
        instances[i].flight.undecided = requests
        instances[i].flight.unheard = requests
        instances[i].flight.firstSequence = link.requestNumber
        instances[i].flight.hasError = false
        instances[i].flight.answeredAt = .longAgo
        instances[i].flight.retryAfter = .zero
        instances[i].reloadAt = deadline
        var endsFrom = now
        for _ in 0..<requests {
            let (out, back) = prepared.legs[world.region].draw(
                instances[i].legs.nextPair(of: stream(.networkLegs, of: i)))
            let arrival = now + out
            countRequest(i, endpoint: endpoint, cause: cause, arrival: arrival)
            endsFrom = max(endsFrom, arrival + back)
            link.outbox?.add(request(i, out: out, back: back, patience: patience, endpoint: endpoint, cause: cause))
            link.countRequest()
        }
        // A reload that cannot be answered in time waits for nothing but the time-out.
        if endsFrom > deadline { instances[i].flight.undecided = 0 }
        instances[i].flight.endsFrom = endsFrom
        if instances[i].flight.undecided > 0 {
            clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: endsFrom))
        }
        if Observer.isWatching { noteRequest(i, count: requests) }
    }

    private mutating func request(
        _ i: Int, out: Duration, back: Duration, patience: Duration, endpoint: Int, cause: ReloadCause
    ) -> ServiceRequest {
        let isPersonal = kinds[instances[i].kind].isPersonal
        // A leg that takes longer than any client waits is as good as the longest.
        func short(_ duration: Duration) -> UInt32 { UInt32(min(duration.microseconds, Int64(UInt32.max))) }
        return ServiceRequest(
            arrival: now + out, key: isPersonal ? Int64(streams.person) : instances[i].flight.place,
            person: UInt32(streams.person),
            sequence: link.requestNumber,
            out: short(out), back: short(back), patience: short(max(.zero, patience - out)), endpoint: UInt16(endpoint),
            region: UInt16(world.region), instance: UInt16(i), slot: streams.slot,
            attempt: UInt8(max(1, instances[i].flight.tries)), cause: UInt8(loadCause(i, cause)),
            isPrivate: isPersonal)
    }

    /// An answer of the service, or an error, that will reach the device. One to a try that is over is ignored.
    mutating func receive(_ answer: ServiceAnswer) {
        let i = Int(answer.instance)
        let requests = requestCount(i)
        guard instances[i].slot.phase == .inFlight, instances[i].flight.awaitsAnswer, instances[i].flight.undecided > 0,
            answer.sequence &- instances[i].flight.firstSequence < UInt32(requests)
        else { return }
        if !answer.followsNotice { instances[i].flight.unheard -= 1 }
        if answer.isNotice {
            stay(i)
            return
        }
        instances[i].flight.undecided -= 1
        // The try ends with the last of its answers, and brings that one's content; an error among them spoils it.
        let isLast =
            (answer.at, answer.sequence) > (instances[i].flight.answeredAt, instances[i].flight.answeredSequence)
        if isLast {
            (instances[i].flight.answeredAt, instances[i].flight.answeredSequence) = (answer.at, answer.sequence)
        }
        if answer.isError {
            instances[i].flight.hasError = true
            if prepared.plan.requests.retry.heedsRetryAfter {
                instances[i].flight.retryAfter = max(instances[i].flight.retryAfter, answer.retryAfter)
            }
        } else if isLast {
            instances[i].flight.madeAt = answer.madeAt
        }
        if instances[i].flight.undecided > 0 {
            stay(i)
        } else {
            instances[i].flight.ending = instances[i].flight.hasError ? .error : .ok
            instances[i].reloadAt = instances[i].flight.answeredAt
            updateClock(i)
            schedule.findNext()
        }
    }

    /// Once every request of a try is answered or being served, the client does not give the try up any more (S3).
    private mutating func stay(_ i: Int) {
        guard link.staysOnceServed, instances[i].flight.unheard == 0 else { return }
        instances[i].reloadAt = .never
        updateClock(i)
        schedule.findNext()
    }

    /// Sets how far the device can run before anything that it does not know can reach it.
    mutating func findHorizon() {
        clocks.horizon = end
        for i in 0..<instanceCount where instances[i].flight.undecided > 0 {
            clocks.horizon = min(clocks.horizon, link.horizon(answerFrom: instances[i].flight.endsFrom))
        }
    }

    /// When the device does something next by itself.
    var nextAt: Instant {
        mutating get { min(schedule.nextAt, nextOfOthers) }
    }
}
