import Reloadsim

// Widgets that ask at an even distance, whatever the hour.

/// The visitors of a site: its numbers are asked for every half hour, as blogging apps do.
struct SiteStatistics: WidgetProvider {
    var every = Duration.minutes(30)
    var usualLife: UsualLife { .after(every) }
    var leastReaction: Duration { every }
    mutating func read(_ with: inout UserParameters) {
        every = with.duration("every", or: every, in: .minutes(1) ... .days(1))
    }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .after(context.date + every))
    }
}

/// The sensors of a house, every quarter of an hour. After a failure they are asked for again after a minute, then less
/// often.
struct HouseSensors: WidgetProvider {
    struct Memory: BitwiseCopyable { var failures: Int64 = 0 }
    var usualLife: UsualLife { .minutes(15) }
    var leastReaction: Duration { .minutes(1) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout Memory) -> ProviderTimeline {
        memory.failures = 0
        return ProviderTimeline(policy: .after(context.date + .minutes(15)))
    }
    func retry(in context: borrowing ProviderContext, _ memory: inout Memory) -> Instant? {
        memory.failures = min(memory.failures + 1, 15)
        return context.date + .minutes(memory.failures)
    }
}

/// A glucose reading with an hour of predicted ones: a new reading comes every five minutes, and one that is older than
/// a quarter of an hour is worth nothing.
struct Glucose: WidgetProvider {
    var usualLife: UsualLife { .minutes(5) }
    var leastReaction: Duration { .minutes(5) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(
            entries: 12, spacing: .minutes(5), validFor: .minutes(15), policy: .after(context.date + .minutes(5)))
    }
}

/// A browser's favourites: only the app itself changes them.
struct Favourites: WidgetProvider {
    var usualLife: UsualLife { .never }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(policy: .never)
    }
}

/// The time in front of a screen: one entry, and the system chooses when it is replaced.
struct ScreenTime: WidgetProvider {
    var usualLife: UsualLife { .toTheEnd }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(entries: 1, policy: .atEnd)
    }
}

/// When to take which medicine: four entries eight hours apart, and new ones as the last of them shows.
struct Medicine: WidgetProvider {
    var usualLife: UsualLife { .days(1) }
    var leastReaction: Duration { .days(1) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        ProviderTimeline(entries: 4, spacing: .hours(8), policy: .atEnd)
    }
}

/// A web feed: a large widget shows more of it and asks every half hour, a small one every hour.
struct Feed: WidgetProvider {
    var usualLife: UsualLife { .hours(1) }
    var leastReaction: Duration { .minutes(30) }
    func timeline(in context: borrowing ProviderContext, _ memory: inout NoMemory) -> ProviderTimeline {
        let isLarge = context.family == .systemLarge || context.family == .systemExtraLarge
        return ProviderTimeline(policy: .after(context.date + .minutes(isLarge ? 30 : 60)))
    }
}
