import Basics
import WidgetPlatform

/// The timeline that an instance shows, and when it asks to be replaced (P1–P6, C3).
extension DeviceSimulation {
    /// Puts content on the screen area: its timeline, and from when it is stale (P1, C3).
    @discardableResult mutating func show(_ content: ShownContent, at i: Int, fetched: Instant) -> Timeline {
        let kind = kinds + instances[i].kind
        var midnight = Instant.never
        if case .untilMidnight = kind.pointee.shape {
            midnight = zoneTable.instant(
                of: zoneTable.localTime(at: fetched).date.advanced(by: 1), at: ClockTime(microseconds: 0))
        }
        let timeline = Timeline(
            shape: kind.pointee.shape, fetched: fetched, validFor: kind.pointee.validFor, midnight: midnight)
        instances[i].content = content
        instances[i].content.validUntil = timeline.validUntil
        if content.kind == .regular && kind.pointee.source.isEmpty(madeAt: content.madeAt, in: zoneTable) {
            instances[i].content.kind = .empty
        }
        instances[i].fetched = fetched
        instances[i].lastEntry = timeline.lastEntry
        if instances[i].firstTimelineAt == .never { instances[i].firstTimelineAt = max(fetched, .start) }
        let usedUp = timeline.validUntil < .never ? timeline.validUntil + Duration(microseconds: 1) : .never
        instances[i].version =
            content.kind == .regular
            ? kind.pointee.source.position(key: contentKey(i), madeAt: content.madeAt, after: instances[i].version)
            : .none
        instances[i].staleFrom = min(instances[i].version.nextAt, usedUp)
        instances[i].changesSeen = kindStates[instances[i].kind].changesSeen(madeAt: content.madeAt)
        if instances[i].changesSeen < kindStates[instances[i].kind].changes && content.kind == .regular {
            instances[i].staleFrom = min(instances[i].staleFrom, now)
        }
        return timeline
    }

    /// When the new timeline asks to be replaced (P3–P6).
    mutating func setPolicy(_ i: Int, _ timeline: Timeline, fetched: Instant) {
        clearDue(i)
        switch kinds[instances[i].kind].policy {
        case .never: break
        case .after(let duration): setDue(i, at: fetched + duration + jitter(i), .after)
        case .aligned(let schedule):
            let table = schedule.fixedZone.map { prepared.zones[$0] } ?? zoneTable
            let date = schedule.next(after: max(fetched, instances[i].servedDate), in: table)
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

    /// The time that the system picks for a single entry: when one token has accrued at the allowance in force, at
    /// least the gap (P4).
    private mutating func systemPick(_ i: Int, fetched: Instant) -> Instant {
        // Content that is older than the run was fetched in another interval.
        let interval =
            fetched < calendar.from
            ? AccrualCalendar(
                usual: calendar.usual, weights: calendar.weights, at: fetched, in: zoneTable)
            : calendar
        let pick = interval.instant(
            afterAccruing: AllowanceRule.token, allowance: instances[i].accounts.own.account.allowance, from: fetched,
            in: zoneTable)
        return pick == .never ? .never : max(pick, fetched + parameters.minGap)
    }

    private mutating func jitter(_ i: Int) -> Duration {
        kinds[instances[i].kind].jitter?.draw(instances[i].jitters.next(of: stream(.policyJitter, of: i))) ?? .zero
    }

    mutating func setDue(_ i: Int, at date: Instant, _ cause: ReloadCause) {
        instances[i].preferred = date
        instances[i].dueAt = date == .never ? .never : max(date, now)
        instances[i].dueCause = cause
        if cause == .backoff { instances[i].alignedDate = .never }
        schedule.touch(i, at: now)
    }

    mutating func clearDue(_ i: Int) {
        instances[i].dueAt = .never
        instances[i].preferred = .never
        instances[i].alignedDate = .never
    }
}
