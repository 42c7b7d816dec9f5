import Basics
import Statistics

/// Transfers in the background: an extension hands the requests of a reload to the system and is suspended; the system
/// sends them later, and a second reload brings what has come (S8).
extension DeviceSimulation {
    /// A reload of such a kind starts. What has been transferred is shown; a cause that asks for newer content hands
    /// its own requests over, too.
    mutating func flyInBackground(_ i: Int) {
        if instances[i].loaded.isThere {
            if !instances[i].slot.cause.outlivesReload {
                takeLoaded(i, isCharged: instances[i].inFlight.isCharged)
                deliver(i)
                return
            }
            let inFlight = instances[i].inFlight
            takeLoaded(i, isCharged: inFlight.isCharged)
            _ = present(i, isAll: false)
            instances[i].inFlight = inFlight
        }
        if kinds[instances[i].kind].needsSignIn && !apps.isSignedIn(instances[i].app) {
            showPlaceholder(i)
        } else if instances[i].followsPerson {
            askForLocation(i)
        } else {
            send(i)
        }
    }

    /// The reload in flight brings what has been transferred.
    private mutating func takeLoaded(_ i: Int, isCharged: Bool) {
        let loaded = instances[i].loaded
        instances[i].loaded = LoadedContent()
        if loaded.isAlternate { instances[i].inFlight.goWithoutPlace() }
        instances[i].inFlight.locate(at: loaded.place)
        instances[i].inFlight.makeContent(at: loaded.madeAt)
        transferCounts(i)[isCharged ? .shownCharged : .shownFree] += 1
    }

    /// Whether the system keeps the requests of a reload for later: the extension hands them over now, or there is no
    /// connection as they are to be sent.
    mutating func isHandedOver(_ i: Int) -> Bool {
        switch instances[i].inFlight.transfer {
        case .running: return false
        case .none:
            instances[i].inFlight.handOver(at: now)
            instances[i].slot.sendFirstRequest(at: now)
            transferCounts(i)[.started] += 1
            let deferral = drawDeferral(i)
            if observer.isWatching {
                note(
                    .transfer, instance: i, cause: instances[i].slot.cause, isCharged: instances[i].inFlight.isCharged,
                    detail: "to be sent after \(TimeText.duration(deferral))")
            }
            if deferral > .zero {
                instances[i].reloadAt = now + deferral
                return true
            }
        case .deferred, .held: break
        }
        let counts = transferCounts(i)
        if !condition.isOnline {
            if instances[i].inFlight.transfer == .deferred { counts[.heldOffline] += 1 }
            instances[i].inFlight.holdTransfer()
            instances[i].reloadAt = .never
            if observer.isWatching { note(.transferHeld, instance: i, cause: instances[i].slot.cause) }
            return true
        }
        let deferred = now - instances[i].inFlight.handedOverAt
        instances[i].inFlight.beginTransfer()
        counts[.sent] += 1
        counts[.deferrals[LogHistogram.bin(of: deferred)]] += 1
        counts.add(deferred.microseconds, to: .deferralSum)
        return false
    }

    /// How long the system defers a transfer that begins now. Looked up by the instant: no instance begins two in one.
    private mutating func drawDeferral(_ i: Int) -> Duration {
        guard let transfer = kinds[instances[i].kind].transfer else {
            preconditionFailure("a transfer of another kind")
        }
        let number = instances[i].number
        var deferral = transfer.deferral.draw(streams.number(.transferDeferral, sub: number, at: now.address))
        if let wait = transfer.wait,
            !transfer.isReady.holds(streams.number(.transferReadiness, sub: number, at: now.address))
        {
            deferral = deferral + wait.draw(streams.number(.transferWait, sub: number, at: now.address))
        }
        return deferral
    }

    /// Transfers that were held for want of a connection are sent as it returns.
    mutating func releaseTransfers() {
        for i in 0..<instanceCount
        where instances[i].slot.phase == .inFlight && instances[i].inFlight.transfer == .held {
            instances[i].reloadAt = now
            schedule.touch(i, at: now)
        }
    }

    /// All of a transfer has come: its reload ends with what it showed before, and the extension, which the system
    /// wakes, asks for a second one.
    mutating func endTransfer(_ i: Int) {
        let (inFlight, cause) = (instances[i].inFlight, instances[i].slot.cause)
        transferCounts(i)[.completed] += 1
        let counts = reloadCounts(i)
        counts[.unchanged(cause, charged: inFlight.isCharged)] += 1
        counts[
            .delays(charged: inFlight.isCharged)[LogHistogram.bin(of: max(.zero, now - instances[i].slot.since))]] += 1
        if observer.isWatching { note(.transferred, instance: i, cause: cause, isCharged: inFlight.isCharged) }
        end(i, .ok)
        // An instance that was set to another choice meanwhile keeps nothing of it: a reload of its own follows (F8).
        guard instances[i].followsPerson || inFlight.isAlternate || inFlight.place == instances[i].chosenKey else {
            transferCounts(i)[.dropped] += 1
            return
        }
        instances[i].loaded = LoadedContent(
            madeAt: inFlight.madeAt, place: inFlight.place, isAlternate: inFlight.isAlternate)
        if kinds[instances[i].kind].transfer?.secondIsCharged == true {
            ask(i, background: .appTrigger)
        } else {
            // It reaches the widget at once, and runs in its own priority (T3, section 7).
            ask(i, free: .appTrigger)
        }
    }

    /// An instance is set to another choice: what was transferred for the one before is of no use.
    mutating func dropLoaded(_ i: Int) {
        guard instances[i].loaded.isThere else { return }
        instances[i].loaded = LoadedContent()
        transferCounts(i)[.dropped] += 1
    }

    /// Counts what is under way, and what is still to be shown, at an end of the report (T4).
    mutating func countTransfers(underWay: TransferCount, toBeShown: TransferCount) {
        for i in 0..<instanceCount where kinds[instances[i].kind].hasTransfer && instances[i].isInstalled {
            if instances[i].slot.phase == .inFlight && instances[i].inFlight.transfer != .none {
                transferCounts(i)[underWay] += 1
            }
            if instances[i].loaded.isThere { transferCounts(i)[toBeShown] += 1 }
        }
    }

    /// The counts of the transfers of an instance's kind.
    mutating func transferCounts(_ i: Int) -> CountBlock<TransferCounts> {
        guard let transfer = kinds[instances[i].kind].transfer else {
            preconditionFailure("a transfer of another kind")
        }
        return CountBlock(report.cells, at: transfer.counts)
    }
}
