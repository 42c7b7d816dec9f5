import Basics
import Testing
import WidgetPlatform

/// One pending reload an instance (G8), as piles of causes: each cause lies on the pile of the reload that serves it.
///
/// An independent reading of the rule: it says what becomes of every cause, where the slot only keeps what the loop
/// needs.
private struct Piles: Hashable {
    /// Causes served by one reload: the first names it.
    struct Pile: Hashable {
        let name: ReloadCause
        let since: Int64
        var causes = 1
    }

    /// The background reload that waits, or is granted.
    var background: Pile?
    var isCharged = false
    /// The free reload that runs at the next chance.
    var free: Pile?
    var inFlight: Pile?
    var requestedAt: Int64?
    /// The pile that runs when the reload in flight ends.
    var next: Pile?

    mutating func ask(_ cause: ReloadCause, at instant: Int64, changedAt: Int64) -> ReloadSlot.Reception {
        let isFree = [.first, .appOpen, .appCall, .userSession, .location, .environment, .staleOnView, .interaction]
            .contains(cause)
        if inFlight != nil {
            let comesTooLate =
                [.interaction, .location, .environment, .configuration].contains(cause)
                && requestedAt.map { changedAt > $0 } == true
            if !comesTooLate {
                inFlight?.causes += 1
                return .merged
            }
            if next == nil {
                next = Pile(name: cause, since: instant)
                return .postponed
            }
            next?.causes += 1
            return .merged
        }
        if free != nil {
            free?.causes += 1
            return .merged
        }
        if isFree {
            free = Pile(name: cause, since: instant)
            guard let background else { return .pending }
            // It serves what the other one would have served.
            free?.causes += background.causes
            defer { (self.background, isCharged) = (nil, false) }
            return .taking(isCharged ? .granted : .waiting)
        }
        if background != nil {
            background?.causes += 1
            return .merged
        }
        background = Pile(name: cause, since: instant)
        return .pending
    }

    /// All causes that have not been answered yet.
    var open: Int { [background, free, inFlight, next].reduce(0) { $0 + ($1?.causes ?? 0) } }
}

/// Every short life of a slot, up to the end of all states.
@Suite struct ReloadSlotTests {
    private enum Step: Hashable, CaseIterable {
        case after, push, appOpen, interaction, location, environment, pendingEnvironment, grant, run, runFree, send,
            land

        var cause: ReloadCause? {
            switch self {
            case .after: .after
            case .push: .push
            case .appOpen: .appOpen
            case .interaction: .interaction
            case .location: .location
            case .environment, .pendingEnvironment: .environment
            default: nil
            }
        }
    }

    private struct State: Hashable {
        var slot = ReloadSlot()
        var piles = Piles()
        var now: Int64 = 0

        func allows(_ step: Step) -> Bool {
            switch step {
            case .grant: piles.background != nil && !piles.isCharged && piles.inFlight == nil
            case .run: piles.isCharged && piles.inFlight == nil
            case .runFree: piles.free != nil && piles.inFlight == nil
            case .send, .land: piles.inFlight != nil
            default: true
            }
        }

        /// Takes a step in both; says what differs.
        mutating func take(_ step: Step, after delay: Int64) -> String? {
            now += delay
            let instant = Instant(microseconds: now)
            if let cause = step.cause {
                let before = piles.open
                let changedAt = step == .pendingEnvironment ? now - 1 : now
                let expected = piles.ask(cause, at: now, changedAt: changedAt)
                let found =
                    cause.isBackground
                    ? slot.request(background: cause, at: instant)
                    : slot.request(free: cause, at: instant, changedAt: Instant(microseconds: changedAt), delay: .zero)
                if slot.servesChange(at: instant)
                    != (piles.inFlight != nil && piles.requestedAt.map { now <= $0 } != false)
                {
                    return "whether the reload in flight serves a change"
                }
                if found != expected { return "\(step) is \(found), not \(expected)" }
                if piles.open != before + 1 { return "a cause was lost" }
            }
            switch step {
            case .grant:
                slot.grant()
                piles.isCharged = true
            case .run:
                slot.run()
                piles.inFlight = piles.background
                (piles.background, piles.isCharged, piles.requestedAt) = (nil, false, nil)
            case .runFree:
                slot.runFree()
                piles.inFlight = piles.free
                (piles.free, piles.requestedAt) = (nil, nil)
            case .send:
                slot.sendFirstRequest(at: instant)
                piles.requestedAt = piles.requestedAt ?? now
            case .land:
                slot.land(at: instant)
                (piles.inFlight, piles.requestedAt) = (nil, nil)
                // A pile that was put off becomes a free reload of this instant.
                piles.free = piles.next.map { Piles.Pile(name: $0.name, since: now, causes: $0.causes) }
                piles.next = nil
            default: break
            }
            slot.checkInvariants()
            return difference
        }

        private var difference: String? {
            let phase: ReloadSlot.Phase =
                piles.inFlight != nil
                ? .inFlight : piles.isCharged ? .granted : piles.background != nil ? .waiting : .none
            if slot.phase != phase { return "phase \(slot.phase), not \(phase)" }
            if let named = piles.inFlight ?? piles.background {
                if slot.cause != named.name { return "named after \(slot.cause), not \(named.name)" }
                if slot.since != Instant(microseconds: named.since) {
                    return "since \(slot.since.microseconds), not \(named.since)"
                }
            }
            if slot.freeCause != piles.free?.name {
                return "free \(String(describing: slot.freeCause)), not \(String(describing: piles.free?.name))"
            }
            if let free = piles.free, slot.freeSince != Instant(microseconds: free.since) {
                return "free since \(slot.freeSince.microseconds)"
            }
            if slot.followUp != piles.next?.name { return "follow-up \(String(describing: slot.followUp))" }
            if piles.inFlight != nil, slot.firstRequest != piles.requestedAt.map(Instant.init(microseconds:)) ?? .never
            {
                return "first request"
            }
            return nil
        }
    }

    /// A state that two sequences share is continued once: the same state has the same future.
    @Test func `every sequence of seven steps does to each cause what G8 says`() {
        var reached: [State: [String]] = [State(): []]
        var stepsTaken = 0
        for _ in 0..<7 {
            var following: [State: [String]] = [:]
            for (state, path) in reached {
                for step in Step.allCases where state.allows(step) {
                    for delay in [0, 1] as [Int64] {
                        var next = state
                        stepsTaken += 1
                        if let difference = next.take(step, after: delay) {
                            Issue.record("\(path + ["\(step)+\(delay)"]): \(difference)")
                            return
                        }
                        if following[next] == nil { following[next] = path + ["\(step)+\(delay)"] }
                    }
                }
            }
            reached = following
        }
        #expect(stepsTaken > 20_000)
    }

    @Test func `policies, triggers and pushes are background causes, and those of section 7 are not`() {
        let background = ReloadCause.allCases.filter(\.isBackground)
        #expect(background == [.after, .atEnd, .backoff, .appTrigger, .push])
        #expect(
            ReloadCause.allCases.filter(\.outlivesReload) == [.location, .environment, .interaction, .configuration])
    }

    @Test func `the charge of a granted reload stays when a free one takes it`() {
        var slot = ReloadSlot()
        #expect(slot.request(background: .after, at: .start) == .pending)
        slot.grant()
        #expect(
            slot.request(
                free: .appOpen, at: Instant(microseconds: 5), changedAt: Instant(microseconds: 5), delay: .zero)
                == .taking(.granted))
        #expect(slot.request(background: .push, at: Instant(microseconds: 6)) == .merged)
        slot.runFree()
        #expect(slot.phase == .inFlight && slot.cause == .appOpen && slot.since == Instant(microseconds: 5))
        slot.land(at: Instant(microseconds: 9))
        #expect(slot.phase == .none && slot.freeCause == nil)
    }

    @Test func `of causes that become one reload the one that reaches the widget first says when it runs`() {
        func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }
        var slot = ReloadSlot()
        #expect(slot.request(background: .after, at: .start) == .pending)
        #expect(
            slot.request(free: .environment, at: at(5), changedAt: at(5), delay: Duration(microseconds: 40))
                == .taking(.waiting))
        #expect(slot.freeAt == at(45) && slot.phase == .none)
        #expect(
            slot.request(free: .interaction, at: at(10), changedAt: at(10), delay: Duration(microseconds: 3)) == .merged
        )
        #expect(
            slot.request(free: .appOpen, at: at(11), changedAt: at(11), delay: Duration(microseconds: 30)) == .merged)
        #expect(slot.freeAt == at(13) && slot.freeCause == .environment && slot.freeSince == at(5))
        slot.runFree()
        slot.sendFirstRequest(at: at(13))
        // A pile that outlives the reload in flight runs when both the reload in flight and its own way are over.
        #expect(
            slot.request(free: .configuration, at: at(20), changedAt: at(20), delay: Duration(microseconds: 50))
                == .postponed)
        #expect(
            slot.request(free: .interaction, at: at(21), changedAt: at(21), delay: Duration(microseconds: 2)) == .merged
        )
        slot.land(at: at(30))
        #expect(slot.freeCause == .configuration && slot.freeSince == at(30) && slot.freeAt == at(30))
        slot.runFree()
        slot.sendFirstRequest(at: at(30))
        #expect(
            slot.request(free: .interaction, at: at(31), changedAt: at(31), delay: Duration(microseconds: 9))
                == .postponed)
        slot.land(at: at(33))
        #expect(slot.freeAt == at(40))
    }

    @Test func `a cause at the instant of the first request merges; a microsecond later it outlives the inFlight`() {
        for cause in ReloadCause.allCases where !cause.isBackground {
            for (delay, isLate) in [(0, false), (1, true)] as [(Int64, Bool)] {
                var slot = ReloadSlot()
                _ = slot.request(free: .first, at: .start, changedAt: .start, delay: .zero)
                slot.runFree()
                slot.sendFirstRequest(at: Instant(microseconds: 7))
                // A retry is not a first request.
                slot.sendFirstRequest(at: Instant(microseconds: 8))
                let outlives = [.interaction, .location, .environment, .configuration].contains(cause) && isLate
                // The instant of the change counts, and not that of the pickup or view that pays it.
                let reception = slot.request(
                    free: cause, at: Instant(microseconds: 20), changedAt: Instant(microseconds: 7 + delay),
                    delay: .zero)
                #expect(reception == (outlives ? .postponed : .merged), "\(cause)")
            }
        }
    }
}
