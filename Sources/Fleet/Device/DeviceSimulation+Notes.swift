import Basics
import WidgetPlatform

/// The notes that a trace is given. None of this runs in a drawn fleet's run, where
/// `observer.isWatching` is a constant.
extension DeviceSimulation {
    @inline(__always) mutating func note(_ event: TraceEvent, detail: String = "") {
        guard observer.isWatching else { return }
        observer.note(TraceRecord(event: event, time: now, zone: whereabouts.zone, detail: detail))
    }

    @inline(__always) mutating func note(
        _ event: TraceEvent, instance i: Int, cause: ReloadCause? = nil, isCharged: Bool? = nil, gates: GateSet = [],
        detail: String = "",
        place: Int64? = nil
    ) {
        guard observer.isWatching else { return }
        var note = TraceRecord(event: event, time: now, zone: whereabouts.zone, detail: detail)
        note.instance = i
        note.kind = instances[i].kind
        note.cause = cause
        note.isCharged = isCharged
        note.balance = Rules.balance(i, paying: cause, on: &self)
        note.gates = gates
        note.place = place
        observer.note(note)
    }

    /// The instance's next date is set, or it has none.
    @inline(__always) mutating func noteDate(_ i: Int, _ cause: ReloadCause) {
        guard observer.isWatching else { return }
        observer.note(date: PlannedDate(from: now, at: instances[i].dueAt, cause: cause, means: nil), of: i)
    }

    mutating func noteReception(_ i: Int, _ cause: ReloadCause, _ reception: ReloadSlot.Reception) {
        guard observer.isWatching else { return }
        let isCharged = cause.isBackground && !parameters.gatesOpen
        switch reception {
        case .pending, .taking: note(.due, instance: i, cause: cause, isCharged: isCharged)
        case .merged: note(.merged, instance: i, cause: cause, isCharged: isCharged, detail: "another reload serves it")
        case .postponed:
            note(
                .postponed, instance: i, cause: cause, isCharged: isCharged,
                detail: "runs when the reload in flight ends")
        }
    }

    /// - Parameter lastClosed: the gates whose opening freed the reload; none if it never waited.
    mutating func noteGrant(_ i: Int, _ cause: ReloadCause, isCharged: Bool, lastClosed: GateSet) {
        guard observer.isWatching else { return }
        let payer = instances[i].accounts.payer(of: cause) == .pushed ? "paid from the pool for pushes" : ""
        let needsNoToken = !isCharged && cause.isBackground
        let freed = lastClosed.gates.map {
            $0 == .budget && needsNoToken ? "needing no token (F1)" : "\($0.opening) (\($0.rule))"
        }.joined(separator: ", ")
        let words = [payer, freed.isEmpty ? "" : "freed by " + freed, waitText(i)]
        note(
            .granted, instance: i, cause: cause, isCharged: isCharged, gates: instances[i].wait.everClosed,
            detail: words.filter { !$0.isEmpty }.joined(separator: ", "))
        if !instances[i].wait.everClosed.isEmpty { noteWait(i, waitText(i)) }
    }

    /// Why a reload does not run now.
    mutating func noteWithheld(_ i: Int, _ cause: ReloadCause, _ closed: GateSet) {
        guard observer.isWatching else { return }
        note(
            .withheld, instance: i, cause: cause, gates: closed,
            detail: closed.gates.map(\.reason).joined(separator: ", "))
    }

    /// The run ends while the reload waits.
    mutating func noteWaitAtEnd(_ i: Int) {
        guard observer.isWatching, !instances[i].wait.closed.isEmpty else { return }
        instances[i].wait.evaluate(instances[i].wait.closed, at: now)
        noteWait(i, waitText(i) + ", still waiting at the end")
    }

    mutating func noteTakenWait(_ i: Int, _ cause: ReloadCause) {
        guard observer.isWatching else { return }
        let wait = waitText(i)
        note(
            .merged, instance: i, cause: cause, isCharged: !parameters.gatesOpen, gates: instances[i].wait.everClosed,
            detail: "taken by the free reload" + (wait.isEmpty ? "" : ", " + wait))
        if !wait.isEmpty { noteWait(i, wait) }
    }

    private mutating func noteWait(_ i: Int, _ detail: String) {
        observer.noteWait(instance: i, detail: detail, held: GateTimes(instances[i].wait), until: now)
    }

    private mutating func waitText(_ i: Int) -> String {
        let wait = instances[i].wait
        let waits = wait.everClosed.gates.map {
            "\($0.name) \(TimeText.duration(Duration(microseconds: wait.microseconds[$0.ordinal])))"
        }
        return waits.isEmpty ? "" : "waited under " + waits.joined(separator: ", ")
    }

    mutating func notePush(_ app: Int, _ origin: PushOrigin) {
        guard observer.isWatching else { return }
        let words: String
        switch origin {
        case .recorded: words = ""
        case .campaign(let campaign): words = ", campaign \(prepared.plan.pushCampaigns[campaign].name)"
        case .version: words = ", about a new version"
        case .held: words = ", after a wait for a connection"
        }
        note(.push, detail: prepared.plan.apps[app] + words)
    }

    mutating func noteWakeUp(_ kind: Int, isPushed: Bool, isRefused: Bool) {
        guard observer.isWatching else { return }
        let reason = isPushed ? "by a silent push" : "by the app itself"
        let words = isRefused ? ": \(condition.isLowPower ? "power is low" : "background refresh is off")" : ""
        note(
            isRefused ? .wakeUpRefused : .wakeUp,
            detail: "\(prepared.plan.kinds[kind].id), \(reason)\(words)")
    }

    mutating func noteRequest(_ i: Int, count: Int) {
        guard observer.isWatching else { return }
        let inFlight = instances[i].inFlight
        for _ in 0..<count {
            note(
                .request, instance: i, cause: instances[i].slot.cause, isCharged: inFlight.isCharged,
                detail: inFlight.tries.count > 1 ? "try \(inFlight.tries.count)" : "",
                place: inFlight.isAlternate ? 0 : inFlight.place)
        }
    }

    mutating func noteResponse(_ i: Int, _ timeline: Timeline) {
        guard observer.isWatching else { return }
        let answer = Rules.answerText(i, entries: timeline.entryCount, on: &self).map { ", " + $0 } ?? ""
        note(
            .response, instance: i, cause: instances[i].slot.cause, isCharged: instances[i].inFlight.isCharged,
            detail: "\(timeline.entryCount) \(timeline.entryCount == 1 ? "entry" : "entries")" + answer,
            place: instances[i].content.place)
    }

    mutating func noteView(_ i: Int, _ state: ViewState, _ redaction: Redaction, missed: Int) {
        guard observer.isWatching else { return }
        let hasAge = instances[i].content.hasAge
        var words = [instances[i].surface.name, instances[i].family.name]
        if instances[i].stack >= 0 { words.append("on top of its stack") }
        if display.luminance(of: instances[i].surface) == .low { words.append("low luminance") }
        if isDimmed(i) && showsLateEntry(i, state) { words.append("the entry before") }
        switch redaction {
        case .none: break
        case .views: words.append("sensitive views hidden")
        case .whole: words.append("hidden as a whole")
        }
        if state == .placeholder {
            words.append(
                instances[i].content.kind == .placeholder
                    ? (instances[i].startsUnmet ? "not signed in" : "no content yet")
                    : "protected content on a locked device")
        }
        var note = TraceRecord(event: .view, time: now, zone: whereabouts.zone, detail: words.joined(separator: ", "))
        note.instance = i
        note.kind = instances[i].kind
        note.balance = Rules.balance(i, paying: nil, on: &self)
        note.state = state
        note.age = hasAge ? now - instances[i].content.madeAt : nil
        note.missed = hasAge ? missed : nil
        observer.note(note)
    }
}
