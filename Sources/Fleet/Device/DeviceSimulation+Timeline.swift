import Basics
import WidgetPlatform

/// The timeline that an instance shows, and when it asks to be replaced (P1–P6, C3).
extension DeviceSimulation {
    mutating func show(_ content: ShownContent, at i: Int, fetched: Instant) -> Timeline {
        let kind = instances[i].kind
        if Rules.hasPolicies && kinds[kind].provider != nil { return showAsked(content, at: i, fetched: fetched) }
        return instances[i].show(
            content, fetched: fetched, kinds + kind, kindStates + kind,
            in: prepared.zones.baseAddress! + whereabouts.zone, at: now)
    }

    /// When the new timeline asks to be replaced (P3–P6).
    @inline(__always) mutating func setPolicy(_ i: Int, _ timeline: Timeline, fetched: Instant) {
        instances[i].clearDue()
        if !Rules.hasPolicies { return }
        switch kinds[instances[i].kind].policy {
        case .never: noteDate(i, .after)
        case .provider: setOwnPolicy(i, timeline, fetched: fetched)
        case .served: setDue(i, at: servedDate(i, fetched: fetched) + jitter(i), .after)
        case .after(let duration): setDue(i, at: fetched + duration + jitter(i), .after)
        case .aligned(let schedule):
            let date = nextAlignedDate(i, schedule, after: fetched)
            instances[i].alignedDate = date
            setDue(i, at: date == .never ? .never : date + jitter(i), .after)
        case .atEnd:
            if timeline.entryCount > 1 {
                setDue(i, at: timeline.lastEntry, .atEnd)
            } else {
                setDue(i, at: systemPick(i, fetched: fetched), .atEnd)
            }
        }
    }

    /// The date that the origin has stated with what an instance shows (S11).
    private mutating func servedDate(_ i: Int, fetched: Instant) -> Instant {
        let kind = kinds + instances[i].kind
        guard let pace = prepared.paces[kind.pointee.endpoint] else {
            preconditionFailure("endpoint \(kind.pointee.endpoint) states no pace")
        }
        let madeAt = instances[i].content.hasAge ? instances[i].content.madeAt : fetched
        // All copies of what an edge keeps state one time.
        let u =
            pace.isOfObject && !kind.pointee.isPersonal
            ? pace.number(seed: streams.seed, key: contentKey(i), madeAt: madeAt)
            : streams.number(.servedPace, sub: instances[i].number, at: madeAt.address)
        return pace.date(u, madeAt: madeAt, fetched: fetched)
    }

    /// The aligned date that a timeline fetched at an instant asks for (P5).
    @inline(__always)
    mutating func nextAlignedDate(_ i: Int, _ schedule: AlignedSchedule, after fetched: Instant) -> Instant {
        let table = schedule.fixedZone.map { prepared.zones[$0] } ?? zoneTable
        return schedule.next(after: max(fetched, instances[i].servedDate), in: table)
    }

    /// The time that the system picks for a single entry: when one token has accrued at the allowance in force, at
    /// least the gap (P4).
    mutating func systemPick(_ i: Int, fetched: Instant) -> Instant {
        // Content that is older than the run was fetched in another interval.
        let interval =
            fetched < calendar.from
            ? AccrualCalendar(
                usual: calendar.usual, weights: calendar.weights, at: fetched, in: zoneTable)
            : calendar
        let allowance = instances[i].accounts.own.account.allowance
        if prepared.plan.parameters.accrual == .reset {
            // One that is there at once would be picked once a day.
            if allowance == 0 { return .never }
            return fetched + max(parameters.minGap, min(.days(40), .days(1) * AllowanceRule.token / allowance))
        }
        let pick = interval.instant(
            afterAccruing: AllowanceRule.token, allowance: allowance, from: fetched, in: zoneTable)
        return pick == .never ? .never : max(pick, fetched + parameters.minGap)
    }

    @inline(__always) mutating func jitter(_ i: Int) -> Duration {
        let kind = kinds + instances[i].kind
        guard let jitter = kind.pointee.jitter else { return .zero }
        return jitter.draw(
            kind.pointee.keepsJitter
                ? streams.number(.keptJitter, sub: instances[i].kind)
                : instances[i].jitters.next(of: stream(.policyJitter, of: i)))
    }

    @inline(__always) mutating func setDue(_ i: Int, at date: Instant, _ cause: ReloadCause) {
        instances[i].setDue(at: date, cause, now: now)
        schedule.touch(i, at: now)
        noteDate(i, cause)
    }
}
