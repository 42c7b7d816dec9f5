import Basics
import WidgetPlatform

/// When timelines of WidgetKit ask to be replaced (P3–P6).
extension DeviceSimulation where Rules == WidgetKitRules {
    /// When the new timeline asks to be replaced.
    @inline(__always) mutating func setPolicyDate(_ i: Int, _ timeline: Timeline, fetched: Instant) {
        instances[i].clearDue()
        switch policyDate(i, fetched: fetched) {
        case .never: noteDate(i, .after)
        case .after(let date): setDue(i, at: jittered(checked(date, i, from: fetched), i), .after)
        case .clock(let date):
            instances[i].alignedDate = checked(date, i, from: fetched)
            setDue(i, at: jittered(instances[i].alignedDate, i), .after)
        case .atEnd:
            setDue(
                i, at: timeline.entryCount > 1
                    ? checked(timeline.lastEntry, i, from: fetched) : systemPick(i, fetched: fetched), .atEnd)
        }
    }

    /// The answer of an instance's policy to a fetch.
    @inline(__always) private mutating func policyDate(_ i: Int, fetched: Instant) -> ProviderTimeline.Policy {
        let kind = kinds + instances[i].kind
        if let length = kind.pointee.policyLength { return .after(fetched + length) }
        var answer = ProviderTimeline.Policy.never
        if kind.pointee.provider != nil { answer = own.policy(of: i) }
        if kind.pointee.followsPace { answer = .after(pacedDate(i, fetched: fetched)) }
        let fetch = TimelineFetch(
            date: fetched, served: instances[i].servedDate, answer: answer,
            zones: prepared.zones.baseAddress!, zone: whereabouts.zone)
        return kind.pointee.rule._withUnsafeGuaranteedRef { $0.date(of: fetch) }
    }

    /// The date that the origin has stated with what an instance shows (S11).
    private mutating func pacedDate(_ i: Int, fetched: Instant) -> Instant {
        let kind = kinds + instances[i].kind
        guard let pace = prepared.paces[kind.pointee.endpoint] else {
            preconditionFailure("endpoint \(kind.pointee.endpoint) states no pace")
        }
        // Content of no place is an answer, too (L6).
        let content = instances[i].content
        let madeAt = content.kind == .placeholder ? fetched : content.madeAt
        // All copies of what an edge keeps state one time.
        let u =
            pace.isOfObject && !kind.pointee.isPersonal
            ? pace.number(seed: streams.seed, key: contentKey(i), madeAt: madeAt)
            : streams.number(.servedPace, sub: instances[i].number, at: madeAt.address)
        return pace.date(u, madeAt: madeAt, fetched: fetched)
    }

    /// The first of the clock times to which its kind keeps, after a fetch, that an instance was not reloaded for yet;
    /// `never` without any.
    mutating func nextClockDate(_ i: Int, after fetched: Instant) -> Instant {
        guard let schedule = kinds[instances[i].kind].clockTimes else { return .never }
        return schedule.next(
            after: max(fetched, instances[i].servedDate),
            in: schedule.fixedZone.map { prepared.zones[$0] } ?? zoneTable)
    }

    /// A reload has failed: the content that stays asks again. A control has no policy: its next cause does (F9).
    mutating func askAgain(_ i: Int, after outcome: ReloadOutcome) {
        let kind = kinds + instances[i].kind
        if kind.pointee.control != nil { return }
        let isAsked = kind.pointee.provider != nil
        setDue(i, at: isAsked ? ownRetry(i, after: outcome) : now + delay(i, after: outcome), .backoff)
    }

    /// The time that the system picks for a single entry: when one token has accrued at the allowance in force, at
    /// least the gap (P4).
    private mutating func systemPick(_ i: Int, fetched: Instant) -> Instant {
        // Content that is older than the run was fetched in another interval.
        let interval =
            fetched < calendar.from
            ? AccrualCalendar(
                usual: calendar.usual, weights: calendar.weights, at: fetched, in: zoneTable)
            : calendar
        let allowance = instances[i].accounts.own.account.allowance
        // A provider has not named this date: it comes no sooner than what it says of its own.
        let own = kinds[instances[i].kind].provider?._withUnsafeGuaranteedRef { $0.leastReaction } ?? .zero
        let least = max(parameters.minGap, own)
        if prepared.plan.parameters.accrual == .reset {
            // One that is there at once would be picked once a day.
            if allowance == 0 { return .never }
            return fetched + max(least, min(.days(40), .days(1) * AllowanceRule.token / allowance))
        }
        let pick = interval.instant(
            afterAccruing: AllowanceRule.token, allowance: allowance, from: fetched, in: zoneTable)
        return pick == .never ? .never : max(pick, fetched + least)
    }

    /// A date with the provider's own jitter.
    @inline(__always) private mutating func jittered(_ date: Instant, _ i: Int) -> Instant {
        let kind = kinds + instances[i].kind
        guard let jitter = kind.pointee.jitter, date != .never else { return date }
        return date
            + jitter.draw(
                kind.pointee.keepsJitter
                    ? streams.number(.keptJitter, sub: instances[i].kind)
                    : instances[i].jitters.next(of: stream(.policyJitter, of: i)))
    }
}
