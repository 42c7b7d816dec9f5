import Fleet
import People
import SimulatedTime
import Stochastics
import WidgetPlatform

/// One instance of a typical person, lived through by the rules with means in place of draws: how many reloads it has, and why.
///
/// It knows pickups and sleep, the budget with its cap, the gap, idleness, protection, pushes, and the free reloads of section 7. What comes at random comes
/// at fractions spread evenly, so that two estimates of one scenario are the same. Times are seconds from the start of the run.
struct TypicalInstance {
    let habits: InstanceHabits
    let person: TypicalPerson

    private(set) var reloads = 0.0
    private(set) var charged = 0.0
    private(set) var tries = 0.0

    // What changes.
    private var own: Tokens
    private var pushed: Tokens?
    private var fetched: Double
    private var due = Double.infinity
    /// When the timeline's last entry is good no longer.
    private var usedUpAt = Double.infinity
    private var aligned = Instant.longAgo
    private var lastBackground = -Double.infinity
    private var callAt = Double.infinity
    private var pushAt = Double.infinity
    private var isOwed = false
    private var chances = Chances()

    init(_ habits: InstanceHabits, _ person: TypicalPerson) {
        self.habits = habits
        self.person = person
        let rule = habits.plan.parameters.allowance
        let views = habits.views(unlocks: person.unlocks)
        let allowance = habits.surface == .watchFace ? Double(rule.onWatchFace) : Self.allowance(rule, views: views)
        let token = Double(AllowanceRule.token)
        own = Tokens(allowance / token, share: Double(rule.burstShare) / 1e6)
        if case .separate(let stated) = habits.plan.parameters.pushBudget {
            pushed = Tokens(stated.map { Double($0) / token } ?? own.perDay, share: Double(rule.burstShare) / 1e6)
        }
        var life = max(person.wakingSeconds / max(1, own.perDay), habits.askedLife)
        if case .after = habits.kind.policy, habits.plan.parameters.gatesOpen { life = habits.askedLife }
        fetched = -life * person.age
        due = policyDate()
        usedUpAt = fetched + habits.goodFor
        callAt = next(after: 0, perDay: habits.callsPerDay, .call)
        pushAt = next(after: 0, perDay: habits.pushesPerDay, .push)
    }

    /// B2.
    private static func allowance(_ rule: AllowanceRule, views: Double) -> Double {
        Double(rule.least) + Double(rule.most - rule.least) * views / (views + Double(rule.halfAtViews) / 1e6)
    }

    mutating func live() {
        var use = person.uses(habits)
        var at = use.first
        while at.at < habits.end {
            let next = use.next()
            if at.at >= 0 { takeUse(at) }
            takeBackground(from: max(0, at.at), of: at, to: min(next.at, habits.end))
            at = next
        }
    }

    // MARK: Free reloads

    private mutating func takeUse(_ use: TypicalUse) {
        var isFree = chances.happens(.environment, habits.environmentPerUse(use))
        if chances.happens(.move, habits.movesPerSecond(unlocks: person.unlocks) * use.sincePrevious) { isOwed = true }
        if use.isSession && chances.happens(.opening, habits.openings / max(1e-9, person.unlocks)) {
            switch habits.onOpen {
            case .always: isFree = true
            case .ifChanged: isFree = chances.happens(.change, missing(at: use.at)) || isFree
            case .never: break
            }
        }
        if chances.happens(.view, habits.viewsPerUse(unlocks: person.unlocks, isSession: use.isSession)) {
            if isOwed && person.hasAccess { isFree = true }
            if habits.views(unlocks: person.unlocks) < habits.rarelyViewed && (use.at - due > habits.staleGrace || use.at > usedUpAt) { isFree = true }
            isOwed = false
            if use.isSession && chances.happens(.interaction, habits.kind.interactionShare) { land(at: use.at) }
        }
        if isFree { land(at: use.at) }
        var inSession = habits.rhythmPerDay / max(1e-9, person.usesPerDay)
        while inSession > 0 {
            if chances.happens(.rhythm, min(1, inSession)) { land(at: use.at) }
            inSession -= 1
        }
    }

    /// The probability that the content misses a version, if they come at random.
    private func missing(at now: Double) -> Double {
        habits.versionsPerDay <= 0 ? 0 : 1 - DeterministicMath.exp(-min(700, habits.versionsPerDay * max(0, now - fetched) / 86_400))
    }

    // MARK: Background reloads

    private mutating func takeBackground(from start: Double, of use: TypicalUse, to end: Double) {
        let open = habits.plan.parameters.gatesOpen
        var now = start
        while true {
            let asked = min(due, callAt, pushAt)
            if asked >= end { return }
            let isPush = pushed != nil && pushAt < min(due, callAt)
            var ready = max(asked, now, lastBackground + (open ? 0 : habits.gap))
            if !open {
                ready = isPush ? pushed!.ready(from: ready, person) : own.ready(from: ready, person)
                if ready > use.activeUntil(habits) { return }
            }
            if ready >= end { return }
            if !open { if isPush { pushed!.charge(at: ready, person) } else { own.charge(at: ready, person) } }
            let run = ready + habits.dispatch
            if run >= habits.end { return }
            charged += 1
            lastBackground = run
            land(at: run)
            now = run
        }
    }

    /// A reload runs, and its timeline asks for the next (P3 to P6), or it fails (S3).
    private mutating func land(at now: Double) {
        guard now < habits.end else {
            (due, callAt, pushAt) = (.infinity, .infinity, .infinity)
            return
        }
        reloads += 1
        if habits.fails(at: now) {
            tries += Double(1 + habits.plan.requests.retry.retries)
            due = now + habits.failureAfter
        } else {
            tries += 1
            fetched = now + habits.latency
            due = policyDate()
            usedUpAt = fetched + habits.goodFor
        }
        if callAt <= now { callAt = next(after: now, perDay: habits.callsPerDay, .call) }
        if pushAt <= now { pushAt = next(after: now, perDay: habits.pushesPerDay, .push) }
    }

    /// When the next push or call comes.
    private mutating func next(after now: Double, perDay: Double, _ sort: Chances.Sort) -> Double {
        perDay > 0 ? now + chances.exponential(sort) * 86_400 / perDay : .infinity
    }

    private mutating func policyDate() -> Double {
        switch habits.kind.policy {
        case .never: return .infinity
        case .after(let time): return max(fetched, fetched + time.inSeconds + habits.jitter)
        case .aligned(let schedule):
            let table = schedule.fixedZone.map { habits.plan.zones[$0] } ?? person.zone
            aligned = schedule.next(after: max(aligned, .start + Duration(seconds: fetched)), in: table)
            return aligned == .never ? .infinity : (aligned - .start).inSeconds + max(0, habits.jitter)
        case .atEnd:
            var midnight = Instant.never
            let at = Instant.start + Duration(seconds: fetched)
            if case .untilMidnight = habits.kind.shape {
                midnight = person.zone.instant(of: person.zone.localTime(at: at).date.advanced(by: 1), at: ClockTime(microseconds: 0))
            }
            let timeline = Timeline(shape: habits.kind.shape, fetched: at, validFor: nil, midnight: midnight)
            if timeline.entryCount > 1 { return (timeline.lastEntry - .start).inSeconds }
            // P4.
            return max(person.instant(accruing: 1, perDay: own.perDay, from: fetched), fetched + habits.plan.parameters.minGap.inSeconds)
        }
    }
}

/// Tokens of one account (B4, B5), in whole ones and parts.
private struct Tokens {
    let perDay, cap: Double
    private var balance: Double
    private var at = 0.0

    init(_ perDay: Double, share: Double) {
        self.perDay = perDay
        cap = max(3, share * perDay)
        balance = cap / 2
    }

    private mutating func settle(to now: Double, _ person: TypicalPerson) {
        if now <= at { return }
        balance = min(cap, balance + perDay * person.wakingDays(from: at, to: now))
        at = now
    }

    /// The first instant from one on with a whole token.
    mutating func ready(from now: Double, _ person: TypicalPerson) -> Double {
        settle(to: now, person)
        return balance >= 1 ? now : person.instant(accruing: 1 - balance, perDay: perDay, from: at)
    }

    mutating func charge(at now: Double, _ person: TypicalPerson) {
        settle(to: now, person)
        balance -= 1
    }
}

/// What happens with a probability, as often as it says and spread evenly: each sort of chance takes the fractions of a sequence of its own.
struct Chances {
    enum Sort: Int, CaseIterable { case environment, move, opening, change, view, interaction, rhythm, push, call, gap, cluster, session, usedDay }

    /// The fractions of irrational numbers, which fill the interval evenly.
    private static let steps = [
        0.618033988749895, 0.414213562373095, 0.732050807568877, 0.754877666246693, 0.569840290998053, 0.236067977499790, 0.645751311064591,
        0.316624790355400, 0.605551275463989, 0.123105625617661, 0.358898943540674, 0.795831523312720, 0.082762530298219,
    ]
    private var fractions: [Double] = Chances.steps

    mutating func fraction(_ sort: Sort) -> Double {
        let value = fractions[sort.rawValue]
        let next = value + Self.steps[sort.rawValue]
        fractions[sort.rawValue] = next >= 1 ? next - 1 : next
        return value
    }

    mutating func happens(_ sort: Sort, _ probability: Double) -> Bool { probability > 0 && fraction(sort) < probability }

    /// A time of mean 1, exponentially distributed.
    mutating func exponential(_ sort: Sort) -> Double { -DeterministicMath.log(max(1e-9, 1 - fraction(sort))) }
}
