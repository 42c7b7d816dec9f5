import Basics

extension ReloadPolicy {
    /// On the last entry's date; with a single entry the system picks the time (P3, P4).
    public static var atEnd: ReloadPolicy { ReloadPolicy(AtEndPolicy()) }
    /// A fixed time after the fetch (P5).
    public static func after(_ length: Duration) -> ReloadPolicy { ReloadPolicy(AfterPolicy(length: length)) }
    /// At the next of some times of day (P5).
    public static func aligned(_ schedule: AlignedSchedule) -> ReloadPolicy {
        ReloadPolicy(AlignedPolicy(schedule: schedule))
    }
    /// Only other causes reload it (P6).
    public static var never: ReloadPolicy { ReloadPolicy(NeverPolicy()) }
    /// After the time that the origin states with its answer (S11).
    public static var served: ReloadPolicy { ReloadPolicy(ServedPolicy()) }
    /// A provider of a user's own says it (P9).
    public static func provider(_ provider: AnyWidgetProvider) -> ReloadPolicy {
        ReloadPolicy(ProvidedPolicy(provider: provider))
    }
}

private struct AtEndPolicy: PolicyRule {
    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { .atEnd }

    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration {
        switch shape {
        case .series(let count, let spacing) where count > 1: spacing * Int64(count - 1)
        // The system picks a time after the gap (P4).
        case .series, .single, .selfUpdating: minGap
        case .untilMidnight: .zero
        }
    }

    var usualLife: UsualLife { .toTheEnd }
}

private struct AfterPolicy: PolicyRule {
    let length: Duration

    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { .after(fetch.date + length) }
    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration { length }
    var usualLife: UsualLife { .after(length) }
    var fixedLength: Duration? { length }
}

private struct AlignedPolicy: PolicyRule {
    let schedule: AlignedSchedule

    /// The first listed time after the fetch that its instance was not reloaded for yet.
    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy {
        .clock(schedule.next(after: max(fetch.date, fetch.served), in: fetch.zone(schedule.fixedZone)))
    }
    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration { .zero }
    var usualLife: UsualLife { .clock(schedule) }
    var clockTimes: AlignedSchedule? { schedule }
}

private struct NeverPolicy: PolicyRule {
    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { .never }
    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration { .longest }
    var usualLife: UsualLife { .never }
}

private struct ServedPolicy: PolicyRule {
    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { fetch.answer }
    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration { .zero }
    /// The plan knows the origin's usual time.
    var usualLife: UsualLife { .after(.zero) }
    var followsPace: Bool { true }
}

/// The policy that a provider of a user's own answers with.
struct ProvidedPolicy: PolicyRule {
    let provider: AnyWidgetProvider

    func date(of fetch: TimelineFetch) -> ProviderTimeline.Policy { fetch.answer }
    func leastReaction(of shape: TimelineShape, minGap: Duration) -> Duration { provider.leastReaction }
    var usualLife: UsualLife { provider.usualLife }
    var hasClockDates: Bool { true }
    var clockTimes: AlignedSchedule? { provider.onlyAt }
}
