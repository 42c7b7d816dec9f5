import Basics
import RefreshService
import Statistics
import WidgetPlatform

/// A reload on its way: the location fix, the requests, the answer, and its end (L4–L6, S1, S3, G9).
extension DeviceSimulation {
    /// A reload starts.
    mutating func fly(_ i: Int, isCharged: Bool) {
        instances[i].inFlight = InFlightReload(
            isCharged: isCharged, place: instances[i].followsPerson ? 0 : instances[i].chosenKey)
        instances[i].reloadAt = now
        events += 1
        link.sampler(at: now)?.begin(
            person: UInt32(streams.person), slot: streams.slot, number: instances[i].number)
        if observer.isWatching { note(.run, instance: i, cause: instances[i].slot.cause, isCharged: isCharged) }
        let kind = instances[i].kind
        if kinds[kind].readsApp {
            if kinds[kind].needsSignIn && !apps.isSignedIn(instances[i].app) {
                showPlaceholder(i)
            } else {
                readAppContent(i)
            }
        } else if Rules.isAnsweredOnDevice(i, on: &self) {
            // The content stays, and its provider is asked for a new timeline.
            instances[i].inFlight.locate(at: instances[i].content.place)
            instances[i].inFlight.makeContent(at: instances[i].content.madeAt)
            deliver(i)
            // Nothing of it takes time: the next date is later, or one instant would never end.
            if instances[i].dueAt < now + .seconds(1) { setDue(i, at: now + .seconds(1), instances[i].dueCause) }
        } else if kinds[kind].hasTransfer {
            flyInBackground(i)
        } else if !condition.isOnline || rules.isCutOff {
            fail(i, .offline)
        } else if kinds[kind].needsSignIn && !apps.isSignedIn(instances[i].app) {
            showPlaceholder(i)
        } else if instances[i].followsPerson {
            askForLocation(i)
        } else {
            send(i)
        }
    }

    /// The fix is there, or the next try is due.
    mutating func resume(_ i: Int) {
        if instances[i].inFlight.awaitsFix { takeFix(i) } else { send(i) }
    }

    /// Whether a reload of an instance could ask for a location now (L4).
    @inline(__always) mutating func hasLocationAccess(_ i: Int) -> Bool {
        let app = instances[i].app
        return Rules.mode(instances[i].mode).isAvailable(
            at: now, appIsInUse: apps.isInUse(app), lastWidgetView: apps.lastWidgetView[app],
            grace: parameters.widgetLocationGrace)
    }

    /// Whether there is a location at all is judged when the reload starts (L4).
    mutating func askForLocation(_ i: Int) {
        if !hasLocationAccess(i) {
            viewCounts(i)[.withoutAccess] += 1
            goWithoutFix(i, .withoutAccess)
            return
        }
        let kind = instances[i].kind
        let numbers = instances[i].fixes.nextPair(of: stream(.locationFix, of: i))
        let time = kinds[kind].fixTime.draw(numbers.first)
        let fails =
            kinds[kind].fixFailure.holds(numbers.second) || world.failsFixes(at: now)
        instances[i].inFlight.awaitFix(succeeds: !fails)
        instances[i].reloadAt = now + time
        if instances[i].reloadAt == now { takeFix(i) }
    }

    /// The fix, or its failure (L5). A fix serves the changes before it (F3).
    private mutating func takeFix(_ i: Int) {
        events += 1
        if instances[i].inFlight.takeFix() {
            viewCounts(i)[.fixes] += 1
            let place = world.place(at: now)
            instances[i].inFlight.locate(at: place)
            instances[i].lastKnownPlace = place
            instances[i].pendingLocation = PendingChanges()
            send(i)
        } else {
            viewCounts(i)[.failedFixes] += 1
            goWithoutFix(i, .withoutFix)
        }
    }

    /// Without a fix: the last known place, or content of no place (L6).
    private mutating func goWithoutFix(_ i: Int, _ reason: TraceEvent) {
        let asksPrior = kinds[instances[i].kind].withoutFix == .prior && instances[i].lastKnownPlace != 0
        if asksPrior {
            instances[i].inFlight.locate(at: instances[i].lastKnownPlace)
            viewCounts(i)[.priorContent] += 1
        } else {
            instances[i].inFlight.goWithoutPlace()
            viewCounts(i)[.alternateContent] += 1
        }
        let asksNothing = !asksPrior && kinds[instances[i].kind].withoutPlace == .none
        if observer.isWatching {
            let words = reason == .withoutAccess ? "no access" : "the fix failed"
            let content =
                asksPrior ? "prior place" : asksNothing ? "alternate content, without a request" : "alternate content"
            note(reason, instance: i, detail: words + ": " + content)
        }
        if asksNothing {
            // The provider makes it by itself, at once.
            instances[i].inFlight.makeContent(at: now)
            deliver(i)
        } else {
            send(i)
        }
    }

    /// Sends the requests of one try (S1, S6).
    mutating func send(_ i: Int) {
        if kinds[instances[i].kind].hasTransfer && isHandedOver(i) { return }
        if wantsPreview(i) {
            instances[i].inFlight.askForPreview()
        } else {
            instances[i].inFlight.tries.begin()
            // The first try counts as its request, with a connection or without (G8).
            instances[i].slot.sendFirstRequest(at: now)
            if !condition.isOnline {
                failToSend(i, requests: kinds[instances[i].kind].requestsPerReload)
                return
            }
            if instances[i].inFlight.tries.count == 1 { link.payForRetries() }
        }
        if link.isServed(at: now) { sendToService(i) } else { sendToModel(i) }
        if observer.isWatching { noteRequest(i, count: requestCount(i)) }
    }

    /// Whether the extension makes the preview of a new instance first (F7).
    @inline(__always) private mutating func wantsPreview(_ i: Int) -> Bool {
        kinds[instances[i].kind].snapshotRequests > 0 && instances[i].slot.cause == .first
            && instances[i].inFlight.preview == .none
            && instances[i].inFlight.tries.count == 0 && condition.isOnline && Rules.makesPreview(i, on: &self)
    }

    /// The requests that are under way together: those of a preview or of a try.
    @inline(__always) mutating func requestCount(_ i: Int) -> Int {
        let kind = instances[i].kind
        return instances[i].inFlight.preview == .asked ? kinds[kind].snapshotRequests : kinds[kind].requestsPerReload
    }

    /// Without a connection a try fails at once and makes no request (D8, S3).
    private mutating func failToSend(_ i: Int, requests: Int) {
        instances[i].inFlight.failToSend()
        // The numbers that its legs would have taken are used up: a delay is looked up by them, and is another after
        // each try.
        for _ in 0..<requests { _ = instances[i].legs.nextPair(of: stream(.oneWayDelays, of: i)) }
        guard let delay = delayBeforeRetry(i, after: .offline) else {
            fail(i, .offline)
            return
        }
        awaitRetry(i, after: delay)
    }

    /// The try has failed, and another follows.
    private mutating func awaitRetry(_ i: Int, after delay: Duration) {
        instances[i].reloadAt = instances[i].inFlight.tries.awaitNext(after: delay, at: now)
        if observer.isWatching {
            note(
                .failure, instance: i,
                detail: "try \(instances[i].inFlight.tries.count): \(instances[i].inFlight.ending.name)")
        }
        schedule.touch(i, at: now)
    }

    /// Priority 0: the answers and time-outs of this instant.
    mutating func takeAnswers() {
        for i in 0..<instanceCount
        where schedule.briefs[i].awaitsAnswer && schedule.briefs[i].at <= now && instances[i].reloadAt <= now {
            takeAnswer(i)
        }
    }

    mutating func takeAnswer(_ i: Int) {
        events += 1
        instances[i].inFlight.end()
        let requests = Int64(requestCount(i))
        let counts = reloadCounts(i)
        switch instances[i].inFlight.ending {
        case .ok:
            counts[.requestsAnswered] += requests
            if instances[i].inFlight.preview != .asked {
                if instances[i].inFlight.transfer == .none { deliver(i) } else { endTransfer(i) }
                return
            }
        case .timeout: counts[.requestsTimedOut] += requests
        case .error, .offline, .taken, .placeholder: counts[.requestsRefused] += requests
        }
        if instances[i].inFlight.preview == .asked {
            // However it ended, the first timeline is asked for next.
            instances[i].inFlight.endPreview()
            instances[i].reloadAt = now
            schedule.touch(i, at: now)
        } else if let delay = delayBeforeRetry(
            i, after: instances[i].inFlight.tries.failure(instances[i].inFlight.ending))
        {
            awaitRetry(i, after: delay)
        } else {
            fail(i, instances[i].inFlight.ending)
        }
    }

    /// The final failure: the old content stays, and a policy `after` the failure asks again (S3, G9).
    private mutating func fail(_ i: Int, _ outcome: ReloadOutcome) {
        if observer.isWatching {
            note(
                .failed, instance: i, cause: instances[i].slot.cause, isCharged: instances[i].inFlight.isCharged,
                detail: outcome.name)
        }
        if instances[i].inFlight.transfer != .none { transferCounts(i)[.failed] += 1 }
        end(i, outcome)
        Rules.hear(.fail(i, outcome), on: &self)
    }

    /// A provider whose condition is unmet returns its placeholder, `never` to be reloaded, without a request (P8).
    mutating func showPlaceholder(_ i: Int) {
        countWakingTime(i)
        instances[i].showPlaceholder()
        if observer.isWatching {
            note(
                .placeholder, instance: i, cause: instances[i].slot.cause, isCharged: instances[i].inFlight.isCharged,
                detail: "the condition is unmet")
        }
        end(i, .placeholder)
    }

    /// The new timeline replaces the old one and its policy (G9).
    mutating func deliver(_ i: Int) {
        let timeline = present(i)
        let delay = now - instances[i].slot.since
        reloadCounts(i)[
            .delays(charged: instances[i].inFlight.isCharged)[LogHistogram.bin(of: max(.zero, delay))]] += 1
        if observer.isWatching { noteResponse(i, timeline) }
        end(i, .ok)
        Rules.setDate(i, timeline, fetched: now, on: &self)
    }

    /// Puts what a reload in flight has brought on the screen.
    ///
    /// - Parameter isAll: whether that is all that its reload brings.
    @inline(__always) mutating func present(_ i: Int, isAll: Bool = true) -> Timeline {
        countWakingTime(i)
        let inFlight = instances[i].inFlight
        let content = ShownContent(
            kind: inFlight.isAlternate ? .alternate : .regular, place: inFlight.isAlternate ? 0 : inFlight.place,
            madeAt: inFlight.madeAt,
            validUntil: .never)
        let (keyBefore, versionBefore) = (contentKey(i), instances[i].version.number)
        let hadAge = instances[i].content.hasAge
        let changesBefore = instances[i].changesSeen
        let timeline = Rules.show(content, at: i, fetched: now, on: &self)
        if content.kind == .regular {
            let isKnown = hadAge && contentKey(i) == keyBefore
            if isKnown && (instances[i].version.number > versionBefore || instances[i].changesSeen > changesBefore) {
                instances[i].newSince = now
            } else if isKnown && isAll {
                reloadCounts(i)[.unchanged(instances[i].slot.cause, charged: inFlight.isCharged)] += 1
            }
            followContentPushes(i)
        }
        reloadCounts(i)[.entries] += Int64(timeline.entryCount)
        if now <= instances[i].healUntil {
            let (counts, faces) = (viewCounts(i), CountBlock(report.cells, at: instances[i].counts.faces))
            let unhealed = instances[i].unhealed
            unhealed.forEach(instances[i].renderingMode) { presentation, number in
                counts[.healed(presentation.state)] += number
                faces[.healed(presentation)] += number
                if observer.isWatching { observer.noteHealed(instance: i, views: Int(number)) }
            }
            (instances[i].unhealed, instances[i].healUntil) = (UnhealedViews(), .longAgo)
        }
        return timeline
    }

    /// The reload is over, one way or another.
    @inline(__always) mutating func end(_ i: Int, _ outcome: ReloadOutcome) {
        reloadCounts(i)[.ended(instances[i].slot.cause, charged: instances[i].inFlight.isCharged, outcome)] += 1
        Rules.hear(.end(i, outcome), on: &self)
        instances[i].slot.land(at: now)
        instances[i].reloadAt = .never
        schedule.touch(i, at: now)
    }

    /// After how long the content that stays asks for a reload.
    mutating func delay(_ i: Int, after outcome: ReloadOutcome) -> Duration {
        let delay = kinds[instances[i].kind].failureDelays[instances[i].inFlight.tries.failure(outcome)]
        if delay.isConstant { return delay.draw(0) }
        // Looked up by the instant: no instance fails twice in one.
        return delay.draw(streams.number(.failureDelay, sub: instances[i].number, at: now.address))
    }
}
