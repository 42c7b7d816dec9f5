import SimulatedTime
import WidgetPlatform

/// What a trace is told. None of this runs in a run: `Observer.isWatching` is a constant there.
extension DeviceLife {
    @inline(__always) mutating func note(_ event: String, rule: String, detail: String = "") {
        guard Observer.isWatching else { return }
        observer.note(
            LifeNote(
                time: now, zone: zone, instance: nil, event: event, cause: nil, isCharged: nil, balance: nil, gates: [], rule: rule,
                detail: detail, state: nil, age: nil, missed: nil, isHealed: false, place: nil))
    }

    @inline(__always) mutating func note(
        _ event: String, instance i: Int, cause: ReloadCause? = nil, isCharged: Bool? = nil, gates: GateSet = [], rule: String,
        detail: String = "", place: Int64? = nil
    ) {
        guard Observer.isWatching else { return }
        instances[i].account.settle(at: now)
        observer.note(
            LifeNote(
                time: now, zone: zone, instance: i, event: event, cause: cause, isCharged: isCharged,
                balance: instances[i].account.ledger.balance,
                gates: gates, rule: rule, detail: detail, state: nil, age: nil, missed: nil, isHealed: false, place: place))
    }

    mutating func noteReception(_ i: Int, _ cause: ReloadCause, _ reception: ReloadSlot.Reception) {
        guard Observer.isWatching else { return }
        switch reception {
        case .pending: note("due", instance: i, cause: cause, isCharged: cause.isCharged, rule: cause.rule)
        case .merged: note("merged", instance: i, cause: cause, isCharged: cause.isCharged, rule: "G8", detail: "another reload serves it")
        case .postponed:
            note("postponed", instance: i, cause: cause, isCharged: cause.isCharged, rule: "G8", detail: "runs when the flight ends")
        }
    }

    mutating func noteGrant(_ i: Int, _ cause: ReloadCause) {
        guard Observer.isWatching else { return }
        note(
            "granted", instance: i, cause: cause, isCharged: !parameters.gatesOpen, gates: instances[i].wait.everClosed, rule: "G1",
            detail: waitText(i))
        if !instances[i].wait.everClosed.isEmpty { observer.noteWait(instance: i, detail: waitText(i)) }
    }

    /// The run ends while the reload waits.
    mutating func noteWaitAtEnd(_ i: Int) {
        guard Observer.isWatching, !instances[i].wait.everClosed.isEmpty else { return }
        instances[i].wait.evaluate(instances[i].wait.closed, at: now)
        observer.noteWait(instance: i, detail: waitText(i) + ", still waiting at the end")
    }

    mutating func noteTakenWait(_ i: Int, _ cause: ReloadCause) {
        guard Observer.isWatching else { return }
        let wait = waitText(i)
        note(
            "merged", instance: i, cause: cause, isCharged: true, gates: instances[i].wait.everClosed, rule: "G8",
            detail: "taken by the free reload" + (wait.isEmpty ? "" : ", " + wait))
        if !wait.isEmpty { observer.noteWait(instance: i, detail: wait) }
    }

    private mutating func waitText(_ i: Int) -> String {
        let wait = instances[i].wait
        let waits = wait.everClosed.indices.map {
            "\(GateSet.names[$0]) \(TimeText.duration(Duration(microseconds: wait.microseconds[$0])))"
        }
        return waits.isEmpty ? "" : "waited under " + waits.joined(separator: ", ")
    }

    /// What an account holds at the end of the run.
    mutating func noteLedger(_ i: Int) {
        guard Observer.isWatching else { return }
        let account = instances[i].account
        let ledger = account.ledger
        func tokens(_ microtokens: Int64) -> String { TimeText.decimal(microtokens, places: 6) }
        note(
            "ledger", instance: i, rule: "B6",
            detail:
                "opening \(tokens(ledger.opening)), accrued \(tokens(ledger.accrued)), spent \(tokens(ledger.spent)), expired \(tokens(ledger.expired)), "
                + "balance \(tokens(ledger.balance)), allowance \(tokens(account.allowance)), cap \(tokens(account.cap))")
    }

    mutating func noteRequest(_ i: Int, count: Int) {
        guard Observer.isWatching else { return }
        let flight = instances[i].flight
        for _ in 0..<count {
            note(
                "request", instance: i, cause: instances[i].slot.cause, isCharged: flight.isCharged, rule: "S1",
                detail: flight.tries > 1 ? "try \(flight.tries)" : "", place: flight.isAlternate ? 0 : flight.place)
        }
    }

    mutating func noteResponse(_ i: Int, _ timeline: Timeline) {
        guard Observer.isWatching else { return }
        note(
            "response", instance: i, cause: instances[i].slot.cause, isCharged: instances[i].flight.isCharged, rule: "P1",
            detail: "\(timeline.entryCount) \(timeline.entryCount == 1 ? "entry" : "entries")", place: instances[i].content.place)
    }

    mutating func noteView(_ i: Int, _ state: ViewState, missed: Int) {
        guard Observer.isWatching else { return }
        instances[i].account.settle(at: now)
        let isRegular = instances[i].content.kind == .regular
        observer.note(
            LifeNote(
                time: now, zone: zone, instance: i, event: "view", cause: nil, isCharged: nil, balance: instances[i].account.ledger.balance,
                gates: [],
                rule: "C5", detail: instances[i].surface.name, state: state, age: isRegular ? now - instances[i].content.madeAt : nil,
                missed: isRegular ? missed : nil, isHealed: false, place: nil))
    }
}
